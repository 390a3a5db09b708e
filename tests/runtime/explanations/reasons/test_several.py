"""Several explanations of an atom."""

import pytest

from lars2asp.runtime.explanations.words.claim_json import claim_json
from lars2asp.runtime.explanations.words.claims import Repeated
from lars2asp.runtime.reasoner import Reasoner

ROOMS = """
alarm :- smoke, hot(R).
alarm :- hot(R).
hot(R) :- reading(R,T), T > 20.
hot(R) :- fire(R).
"""


def reasoner_of(text: str, facts: list[str]) -> Reasoner:
    reasoner = Reasoner.from_text(text, explain_last=10)
    reasoner.step(0, facts)
    return reasoner


def sizes(reasoner: Reasoner, atom: str, explanations: int) -> list[int]:
    """The numbers of claims in the explanations of an atom."""
    found = reasoner.why(atom, explanations=explanations).claims
    return [sum(not isinstance(one.reason, Repeated) for one in root.claims()) for root in found]


def test_another_rule_another_instance_and_another_choice_further_down() -> None:
    reasoner = reasoner_of(ROOMS, ["reading(a,30)", "reading(b,30)", "smoke", "fire(b)"])
    assert sizes(reasoner, "alarm", 1) == [4]
    assert sizes(reasoner, "alarm", 100) == [4, 3, 3, 3, 4, 4]
    assert sizes(reasoner, "alarm", 4) == [4, 3, 3, 3]


def test_the_first_is_the_one_that_is_given_alone() -> None:
    reasoner = reasoner_of(ROOMS, ["reading(a,30)", "reading(b,30)", "smoke", "fire(b)"])
    (first, *_), (alone,) = reasoner.why("alarm", explanations=9).claims, reasoner.why("alarm").claims
    assert claim_json(first) == claim_json(alone)


def test_none_rests_on_itself() -> None:
    text = "reach(X,Y) :- link(X,Y). reach(X,Z) :- reach(X,Y), link(Y,Z)."
    reasoner = reasoner_of(text, ["link(a,b)", "link(b,a)", "link(a,a)"])
    assert sizes(reasoner, "reach(a,a)", 100) == [2, 4]


def test_told_and_derived() -> None:
    reasoner = reasoner_of("a :- p. a :- a, q.", ["a", "p", "q"])
    assert [type(one.reason).__name__ for one in reasoner.why("a", explanations=9).claims] == [
        "FromInput",
        "FromRule",
    ]


def test_rules_derive_nothing_at_a_tick_without_answer() -> None:
    reasoner = reasoner_of("a :- p. :- q.", ["a", "p", "q"])
    assert len(reasoner.why("a", explanations=9).claims) == 1


def test_each_atom_that_matches_has_its_own() -> None:
    reasoner = reasoner_of("a(X) :- p(X). a(X) :- q(X).", ["p(1)", "q(1)", "p(2)", "q(2)"])
    found = reasoner.why("a(X)", explanations=2)
    assert [one.atom for one in found.claims] == ["a(1)", "a(1)", "a(2)", "a(2)"]
    assert [line for line in str(found).splitlines() if line.startswith("a")] == [
        "a(1) at 0",
        "a(1) at 0, another explanation",
        "a(2) at 0",
        "a(2) at 0, another explanation",
    ]


def test_cut_off_trees_differ_in_what_they_show() -> None:
    reasoner = reasoner_of(ROOMS, ["reading(a,30)", "fire(a)"])
    assert len(reasoner.why("alarm", depth=1, explanations=9).claims) == 1
    assert len(reasoner.why("alarm", depth=2, explanations=9).claims) == 2


def test_one_that_does_not_hold_has_one() -> None:
    assert len(reasoner_of(ROOMS, ["smoke"]).why("alarm", explanations=5).claims) == 1


def test_less_than_one_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        reasoner_of(ROOMS, ["smoke"]).why("alarm", explanations=0)
