"""Strongly connected parts, and what paths lead to."""

from lars2asp.analysis.graphs import reachable, strongly_connected

#   a -> b <-> c -> d    e
GRAPH = {"a": ["b"], "b": ["c"], "c": ["b", "d"], "d": [], "e": []}


def test_parts_come_after_those_that_they_have_edges_to() -> None:
    assert strongly_connected(GRAPH) == [frozenset(part) for part in ("d", "bc", "a", "e")]


def test_paths_lead_to_all_that_follows() -> None:
    assert reachable(GRAPH, "b") == ["b", "c", "d"]
    assert reachable(GRAPH, "ea") == ["e", "a", "b", "c", "d"]


def test_long_paths_are_no_matter() -> None:
    chain = {i: [i + 1] for i in range(10_000)} | {10_000: []}
    assert len(strongly_connected(chain)) == 10_001
    assert len(reachable(chain, [0])) == 10_001
