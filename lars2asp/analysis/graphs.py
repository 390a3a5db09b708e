"""Graphs, as mappings from a node to those that it has edges to."""

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def strongly_connected(graph: Mapping[T, Iterable[T]]) -> list[frozenset[T]]:
    """The strongly connected parts of a graph, each after those that it has edges to (Tarjan 1972)."""
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    path: list[T] = []
    on_path: set[T] = set()
    found: list[frozenset[T]] = []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        while work:
            node, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    path.append(other)
                    on_path.add(other)
                    work.append((other, iter(graph.get(other, ()))))
                    break
                if other in on_path:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = {node}
                    while (last := path.pop()) != node:
                        group.add(last)
                    on_path -= group
                    found.append(frozenset(group))
    return found


def reachable(graph: Mapping[T, Iterable[T]], begin: Iterable[T]) -> list[T]:
    """The nodes to which paths lead from the given ones, these first."""
    found = dict.fromkeys(begin)
    waiting = list(found)
    while waiting:
        for other in graph.get(waiting.pop(), ()):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return list(found)
