"""The edges of the stream dependency graph."""

import pytest

from lars2asp.analysis.dependencies import dependencies
from tests.support.programs import analysed


@pytest.mark.parametrize(
    ("rule", "edges"),
    [
        ("a :- b, not c.", ["a/0 excludes c/0", "a/0 needs b/0"]),
        ("a :- b in [3], not c always in [2].", ["a/0 excludes c/0", "a/0 needs b/0"]),
        ("a :- b in {1}, not c in {2,3}.", []),  # the past is settled
        ("a :- b in [3 #].", []),  # arrivals are input alone
        ("a(N) :- b count N in [3].", ["a/1 counts b/0"]),
        ("a :- b at most 2 in [3].", ["a/0 excludes b/0"]),
        ("a : c; b :- d.", ["a/0 needs c/0", "b/0 needs c/0", "a/0 needs d/0", "b/0 needs d/0"]),
    ],
)
def test_what_a_rule_needs_now(rule: str, edges: list[str]) -> None:
    found = [f"{edge.derived} {edge.kind} {edge.needed}" for edge in dependencies(analysed(rule))]
    assert sorted(found) == sorted(edges)


def test_windows_over_placed_atoms_bind_both_ways() -> None:
    analysis = analysed("b at T :- p(T). a :- b in {1}. c :- b.")
    assert [
        (str(edge.derived), edge.is_mutual) for edge in dependencies(analysis) if edge.needed.name == "b"
    ] == [
        ("a/0", True),
        ("c/0", False),
    ]
