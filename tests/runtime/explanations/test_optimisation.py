"""What explanations say of optimisation: the cost of the answer that is followed, and of the best other."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.definition.stream import Arrival
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.source import Source

OFFERS = """\
1 { take(X) : offer(X,_) } 1 :- offer(_,_).
left ; right :- offer(_,_).
:~ take(X), offer(X,P) in [2]. [P@1,X]
#minimize { 1@2 : left }.
"""
TOLD = ["offer(a,7)", "offer(b,5)"]


def explained(text: str, facts: list[str], atom: str, tick: int = 0, last: int = 0) -> dict[str, Any]:
    """An explanation, which the checker accepts."""
    checked = checked_program(Source("p.lars", text))
    reasoner = Reasoner(compile_plan(checked, explained=True), explain_last=10)
    reasoner.step(0, facts)
    for one in range(1, last + 1):
        reasoner.step(one)
    found: dict[str, Any] = json.loads(json.dumps(reasoner.why(atom, tick).to_dict()))
    stream = [Arrival(0, 0, fact.replace(".", ""), "step(0)") for fact in facts]  # the checker has integers
    assert check_explanation(checked.written, stream, found) == []
    return found


def costs(text: str, facts: list[str], atom: str, tick: int = 0, last: int = 0) -> list[Any]:
    """What an explanation says of costs: that of the answer, and that of the best other one, if it does."""
    (claim,) = explained(text, facts, atom, tick, last)["explains"]
    node = claim if claim["holds"] else claim["rules"][0]
    return [node[key] for key in ("cost", "other") if key in node]


@pytest.mark.parametrize(
    ("atom", "other"),
    [
        ("take(b)", [[2, 0], [1, 7]]),
        ("take(a)", [[2, 0], [1, 7]]),
        ("right", [[2, 1], [1, 5]]),
        ("left", [[2, 1], [1, 5]]),
    ],
)
def test_the_best_answer_stream_in_which_it_is_otherwise(atom: str, other: list[Any]) -> None:
    assert costs(OFFERS, TOLD, atom) == [[[2, 0], [1, 5]], other]


def test_none_without_it() -> None:
    assert costs(OFFERS, ["offer(a,7)"], "take(a)") == [[[1, 7]], None]


def test_at_ticks_before_the_last_one_others_are_not_looked_for() -> None:
    assert costs(OFFERS, TOLD, "take(b)", 0, last=1) == [[[1, 5]]]


def test_nothing_is_said_where_nothing_is_optimised() -> None:
    assert costs("{ a } :- p. b :- not a, p.", ["p"], "a") == []


def test_the_same_tuple_counts_once() -> None:
    text = "1 { a(X) : p(X) }. :~ a(X), p(Y). [3,X] :~ p(Y). [1,Y] #maximize { 2 : a(_) }."
    assert costs(text, ["p(1)", "p(2)"], "a(1)")[0] == [[0, 3 + 1 + 1 - 2]]


def test_wrong_costs_are_refused() -> None:
    checked, stream = (
        checked_program(Source("p.lars", OFFERS)),
        [Arrival(0, 0, one, "step(0)") for one in TOLD],
    )
    for key, value in (("cost", [[1, 7]]), ("cost", None), ("other", [[1, 4]]), ("other", [[2, -1], [1, 9]])):
        for atom in ("take(a)", "take(b)"):
            found = deepcopy(explained(OFFERS, TOLD, atom))
            claim = found["explains"][0]
            (claim if claim["holds"] else claim["rules"][0])[key] = value
            assert check_explanation(checked.written, stream, found), (key, value, atom)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(-2, 4), st.integers(0, 1)), min_size=1, max_size=4), st.integers(0, 3))
def test_random_weights_by_brute_force(offers: list[tuple[int, int]], asked: int) -> None:
    """One of some is taken: the best other one is that with the least costs."""
    text = "1 { take(X) : offer(X,_,_) } 1 :- offer(_,_,_). #minimize { W@L,X : take(X), offer(X,W,L) }."
    facts = [f"offer({n},{weight},{level})" for n, (weight, level) in enumerate(offers)]
    each = [(level * weight, (1 - level) * weight) for weight, level in offers]
    asked %= len(offers)
    cost, *other = costs(text, facts, f"take({asked})")

    def pair(levels: Any) -> tuple[int, int]:
        return dict(levels).get(1, 0), dict(levels).get(0, 0)

    assert pair(cost) == min(each)
    (claim,) = explained(text, facts, f"take({asked})")["explains"]
    rest = each[:asked] + each[asked + 1 :] if claim["holds"] else [each[asked]]
    assert other == [None] if not rest else pair(other[0]) == min(rest)


def test_costs_with_decimals() -> None:
    """All weights of priority 0 have one decimal; those of 1 have none, and of 2 some have."""
    text = """
        #decimals offer(_,1).
        1 { take(X) : offer(X,_) } 1 :- offer(_,_).
        #minimize { P@0,X : take(X), offer(X,P); 1@1,X : take(X) }.
        #minimize { P@2,X : take(X), offer(X,P); 1@2,x : take(_) }.
    """
    assert costs(text, ["offer(a,7.1)", "offer(b,5.0)"], "take(b)") == [
        [[2, 51], [1, 1], [0, "5.0"]],
        [[2, 72], [1, 1], [0, "7.1"]],
    ]
