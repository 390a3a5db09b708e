"""The forms in which an answer has its atoms: rows, text and symbols."""

import re

import pytest
from clingo import Function, Number, String, parse_term

from lars2asp import Answer, Reasoner, Signature, constant, function
from lars2asp.externals.terms.terms import BARE_TERM, tuple_term
from lars2asp.runtime.answer import differs
from lars2asp.typing import Fact

FACTS: list[Fact] = [
    *(("p", 1), ("p", "x y"), ("p", constant("c")), ("p", (1, "s")), ("p", Function("f", [Number(-3)]))),
    *("p(-2)", "p(g)", "p(f(a))", "-q", "p((1,2,3))"),
]


@pytest.mark.parametrize("evaluator", ["delta", "oneshot", "external"])
def test_rows_text_and_symbols_are_the_same_atoms(evaluator: str) -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X) in [1]. r(X) :- p(X).", evaluator=evaluator)
    first, last = reasoner.step(0, FACTS), reasoner.step(1, ["p(new)"])
    p = {
        *((1,), ("x y",), (constant("c"),), (tuple_term((1, "s")),), (function("f", (-3,)),), (-2,)),
        *((constant("g"),), (function("f", (constant("a"),)),), (tuple_term((1, 2, 3)),)),
    }
    a, r, new = Signature("a", 1), Signature("r", 1), {(constant("new"),)}
    assert {s: set(rows) for s, rows in first.holds.rows.items()} == {a: p, r: p}
    assert {s: set(rows) for s, rows in last.holds.rows.items()} == {a: p | new, r: new}
    assert {s: set(rows) for s, rows in last.began.rows.items()} == {a: new, r: new}
    assert {s: set(rows) for s, rows in last.ended.rows.items()} == {r: p}
    assert {s: (set(began), set(ended)) for s, (began, ended) in last.row_changes} == {
        a: (new, set()),
        r: (new, p),
    }
    for answer in (first, last):
        assert list(answer.holds.symbols) == sorted(map(parse_term, answer.holds.texts))
        assert list(answer.began.symbols) == sorted(map(parse_term, answer.began.texts))
        assert list(answer.ended.symbols) == sorted(map(parse_term, answer.ended.texts))
        assert len(answer.holds) == len(answer.holds.texts) == sum(map(len, answer.holds.rows.values()))
    assert last.holds.texts[:3] == ("a(-2)", "a(1)", "a(c)")


def test_terms_that_are_no_atoms_have_a_predicate_of_their_own() -> None:
    answer = Reasoner.from_text("#show X : p(X). #show b/0. b :- p(1).").step(
        0, ["p(1)", 'p("t")', "p(b)", "p(c)"]
    )
    assert {s: set(rows) for s, rows in answer.holds.rows.items()} == {
        BARE_TERM: {(1,), ("t",)},
        Signature("b", 0): {()},
        Signature("c", 0): {()},
    }
    assert answer.holds.texts == ("1", "b", "c", '"t"')
    assert answer.holds.symbols == (Number(1), Function("b"), Function("c"), String("t"))


def test_answer_streams_as_text() -> None:
    answer = Reasoner.from_text("{ a(X) } :- p(X).", models=0).step(0, ["p(2)"])
    assert {model.texts for model in answer.models} == {(), ("a(2)",)}
    assert all(tuple(map(str, model.symbols)) == model.texts for model in answer.models)


@pytest.mark.parametrize("evaluator", ["oneshot", "external", "auto"])
def test_answer_streams_that_stay_are_not_listed_to_see_that_they_do(evaluator: str) -> None:
    """While the evaluation stays and what is certain does, whatever else the input tells."""
    reasoner = Reasoner.from_text("{ a(X) } :- p(X) in [9]. c(X) :- r(X).", models=0, evaluator=evaluator)
    told = "p(1)", "q(2)", "q(3)", "r(3)"
    _, first, same, other = (reasoner.step(tick, [fact]) for tick, fact in enumerate(told))

    def streams(answer: Answer) -> set[tuple[str, ...]]:
        return {model.texts for model in answer.models}

    assert streams(first) == streams(same) == {(), ("a(1)",)}
    assert streams(other) == {("c(3)",), ("a(1)", "c(3)")}
    assert differs(other, first, as_models=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Answer, "models", property(lambda _: pytest.fail("they are listed")))
        assert not differs(same, first, as_models=True)


@pytest.mark.parametrize(
    ("before", "now"),
    [("atoms", "holds.texts"), ("added", "began.symbols"), ("removed_atoms", "ended.texts")],
)
def test_what_was_called_otherwise_is_named(before: str, now: str) -> None:
    answer = Reasoner.from_text("a :- p.").step(0, ["p"])
    with pytest.raises(AttributeError, match=re.escape(f"no attribute '{before}': it is {now}")):
        getattr(answer, before)
    with pytest.raises(AttributeError, match=r"no attribute 'nothing'$"):
        answer.nothing  # type: ignore[attr-defined]  # noqa: B018
