"""What positive recursion costs a tick: by hand over rows, and with the evaluator `external`.

    python -m experiments recursion

Answers are compared first. `external` is measured from `step` to rows of changes; `one rule` is what the
product takes for the same events with one rule that is not recursive, so that nothing can take less.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from statistics import median
from time import process_time
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from experiments.benchmarks.idlvsr_photovoltaic import powers, program
from experiments.recursion.closure import ClosureFromBelow, ClosureFromNothing
from experiments.recursion.reachable import (
    CountedFromBelow,
    DeletedAndRederived,
    FromNothing,
    Links,
    Pair,
    PairChanges,
)
from lars2asp import Reasoner

TICKS = 30
Event = tuple[int, ...]
Events = tuple[Sequence[Event], Sequence[Event]]
"""What begins and what ends at a tick."""

REACHABLE = """
    reachable({centre},P) :- link({centre},P), working(P).
    reachable(P,R) :- reachable(P,Q), link(Q,R), working(R).
"""
CLOSURE = "path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z)."

Step = Callable[[Sequence[Any], Sequence[Any]], PairChanges]


@dataclass(frozen=True)
class Workload:
    """A recursive program and events.

    Attributes:
        name: what it is.
        program: the rules, and facts that they look at.
        predicate: of the events.
        events: the events of each tick.
        by_hand: programs written by hand, by their names; the first one shows what is right.
    """

    name: str
    program: str
    predicate: str
    events: Sequence[Events]
    by_hand: dict[str, Callable[[], Step]]


@dataclass(frozen=True)
class Cost:
    """Milliseconds of CPU: of the first tick, and the median of the second half of all ticks."""

    first: float
    later: float

    def __str__(self) -> str:
        return f"{self.first:.0f} / {self.later:.2f}"


@click.command()
def main() -> None:
    """Measures recursion by hand and with `external`."""
    names = ["from nothing", "delete and rederive", "counted from below", "external", "one rule"]
    table = Table("workload", *names, "rows changed", title="first tick / later ticks, ms of CPU")
    for workload in workloads():
        found = {name: _by_hand(make(), workload.events) for name, make in workload.by_hand.items()}
        expected = next(iter(found.values()))[1]
        assert all(changes == expected for _, changes in found.values())
        changed = [sum(map(len, changes)) for changes in expected]
        costs = {name: cost for name, (cost, _) in found.items()}
        costs["external"], by_clingo = _by_product(workload.program, workload)
        assert by_clingo == changed
        rule = f"seen({_variables(workload)}) :- {workload.predicate}({_variables(workload)})."
        costs["one rule"], _ = _by_product(rule, workload)
        texts = [str(costs[name]) if name in costs else "" for name in names]
        table.add_row(workload.name, *texts, f"{changed[0]} / {median(changed[len(changed) // 2 :]):.0f}")
    Console(width=170).print(table)


def workloads() -> Iterator[Workload]:
    """The workloads."""
    for side in (20, 30):
        links = Links(side * side + 1, _links_in(program(side)))
        for is_failing in (False, True):
            name = f"photovoltaic {side} x {side}, {'panels fail' if is_failing else 'as published'}"
            yield _reachability(name, links, list(_working(side, is_failing)))
    choose = Random(1)
    pairs = {(choose.randrange(900), choose.randrange(900)): None for _ in range(63_200)}
    links = Links(900, [(900, 0), *(pair for pair in pairs if pair[0] != pair[1])])
    for share in (10, 1):
        name = f"900 nodes, {len(links.pairs)} links, {share} % change"
        yield _reachability(name, links, list(_flipping(900, 900 * share // 100)))
    links = Links(900, [(900, 0), *_streets(30)])
    yield _reachability("900 nodes, streets", links, list(_flipping(900, 9)))
    for nodes, fresh, window in ((100, 2, 40), (220, 3, 70), (1000, 20, 40)):
        yield Workload(
            f"closure, {nodes} nodes, {fresh} edges a tick stay for {window}",
            CLOSURE,
            "edge",
            list(_edges(nodes, fresh, window)),
            {
                "from nothing": lambda: ClosureFromNothing().step,
                "counted from below": lambda: ClosureFromBelow().step,
            },
        )


def _reachability(name: str, links: Links, events: Sequence[tuple[list[int], list[int]]]) -> Workload:
    kinds = {
        "from nothing": FromNothing,
        "delete and rederive": DeletedAndRederived,
        "counted from below": CountedFromBelow,
    }

    def step(kind: Any) -> Step:
        reachable = kind(links)
        return lambda began, ended: reachable.step([p for (p,) in began], [p for (p,) in ended])

    facts = " ".join(f"link({one},{other})." for one, other in sorted(links.pairs))
    return Workload(
        name,
        REACHABLE.format(centre=links.centre) + facts,
        "working",
        [([(p,) for p in began], [(p,) for p in ended]) for began, ended in events],
        {name: partial(step, kind) for name, kind in kinds.items()},
    )


def _links_in(text: str) -> Iterator[Pair]:
    for fact in text.split():
        if fact.startswith("link(") and fact.endswith(")."):
            one, other = fact.removeprefix("link(").removesuffix(").").split(",")
            if one.isdigit() and other.isdigit():
                yield int(one), int(other)


def _working(side: int, is_failing: bool) -> Iterator[tuple[list[int], list[int]]]:
    """The panels that begin and cease to work: those that delivered something in the last 5 ticks do."""
    last: dict[int, int] = {}
    before: set[int] = set()
    for tick, facts in enumerate(islice(powers(side, is_failing), TICKS)):
        last.update((int(panel), tick) for _, panel, power in facts if int(power) >= 10)
        now = {panel for panel, seen in last.items() if seen >= tick - 4}
        yield sorted(now - before), sorted(before - now)
        before = now


def _flipping(panels: int, count: int) -> Iterator[tuple[list[int], list[int]]]:
    """All work at first; then some change at each tick, those that are down come back at the next one."""
    choose = Random(2)
    yield [*range(panels)], []
    down: list[int] = []
    for _ in range(TICKS - 1):
        others = sorted(set(range(1, panels)) - {*down})
        fresh = choose.sample(others, count // 2)
        yield down, fresh
        down = fresh


def _streets(side: int) -> Iterator[Pair]:
    """Links both ways between neighbours of a grid."""
    for node in range(side * side):
        for other, is_there in ((node + 1, (node + 1) % side), (node + side, node + side < side * side)):
            if is_there:
                yield from ((node, other), (other, node))


def _edges(nodes: int, fresh: int, window: int) -> Iterator[Events]:
    choose = Random(3)
    last: dict[Pair, int] = {}
    before: set[Pair] = set()
    for tick in range(3 * window):
        last.update(((choose.randrange(nodes), choose.randrange(nodes)), tick) for _ in range(fresh))
        now = {edge for edge, seen in last.items() if seen > tick - window}
        yield sorted(now - before), sorted(before - now)
        before = now


def _by_hand(step: Step, events: Iterable[Events]) -> tuple[Cost, Sequence[PairChanges]]:
    times, changes = [], []
    for began, ended in events:
        start = process_time()
        found = step(began, ended)
        times.append(process_time() - start)
        changes.append(found)
    return _cost(times), changes


def _by_product(text: str, workload: Workload) -> tuple[Cost, Sequence[int]]:
    """What the product takes, and the number of rows that changed at each tick."""
    reasoner = Reasoner.from_text(text)
    times, changed = [], []
    for tick, (began, ended) in enumerate(workload.events):
        begin = [(workload.predicate, *row) for row in began]
        end = [(workload.predicate, *row) for row in ended]
        start = process_time()
        changes = reasoner.step(tick, begin=begin, end=end).row_changes
        times.append(process_time() - start)
        changed.append(sum(len(began) + len(ended) for _, (began, ended) in changes))
    return _cost(times), changed


def _cost(times: Sequence[float]) -> Cost:
    return Cost(times[0] * 1e3, median(times[len(times) // 2 :]) * 1e3)


def _variables(workload: Workload) -> str:
    return "X" if workload.predicate == "working" else "X,Y"
