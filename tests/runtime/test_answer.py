"""The forms in which an answer has its atoms: rows, text and symbols."""

import pytest
from clingo import Function, Number, String, parse_term

from lars2asp import Answer, Fact, Reasoner, Signature, constant, function
from lars2asp.externals.terms.terms import BARE_TERM, tuple_term

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
    assert {s: set(rows) for s, rows in first.rows.items()} == {a: p, r: p}
    assert {s: set(rows) for s, rows in last.rows.items()} == {a: p | new, r: new}
    assert {s: set(rows) for s, rows in last.added_rows.items()} == {a: new, r: new}
    assert {s: set(rows) for s, rows in last.removed_rows.items()} == {r: p}
    assert {s: (set(began), set(ended)) for s, (began, ended) in last.row_changes} == {
        a: (new, set()),
        r: (new, p),
    }
    for answer in (first, last):
        assert list(answer.symbols) == sorted(map(parse_term, answer.atoms))
        assert list(answer.added) == sorted(map(parse_term, answer.added_atoms))
        assert list(answer.removed) == sorted(map(parse_term, answer.removed_atoms))
        assert (sorted(answer.changes[0]), sorted(answer.changes[1])) == (
            list(answer.added),
            list(answer.removed),
        )
        assert answer.size == len(answer.atoms) == sum(map(len, answer.rows.values()))
    assert last.atoms[:3] == ("a(-2)", "a(1)", "a(c)")


def test_terms_that_are_no_atoms_have_a_predicate_of_their_own() -> None:
    answer = Reasoner.from_text("#show X : p(X). #show b/0. b :- p(1).").step(
        0, ["p(1)", 'p("t")', "p(b)", "p(c)"]
    )
    assert {s: set(rows) for s, rows in answer.rows.items()} == {
        BARE_TERM: {(1,), ("t",)},
        Signature("b", 0): {()},
        Signature("c", 0): {()},
    }
    assert answer.atoms == ("1", "b", "c", '"t"')
    assert answer.symbols == (Number(1), Function("b"), Function("c"), String("t"))


def test_answer_streams_as_text() -> None:
    answer = Reasoner.from_text("{ a(X) } :- p(X).", models=0).step(0, ["p(2)"])
    assert set(answer.model_atoms) == {(), ("a(2)",)}
    assert {tuple(map(str, model)) for model in answer.models} == set(answer.model_atoms)


@pytest.mark.parametrize("evaluator", ["oneshot", "external", "auto"])
def test_answer_streams_that_stay_are_not_listed_to_see_that_they_do(evaluator: str) -> None:
    """While the evaluation stays and what is certain does, whatever else the input tells."""
    reasoner = Reasoner.from_text("{ a(X) } :- p(X) in [9]. c(X) :- r(X).", models=0, evaluator=evaluator)
    told = "p(1)", "q(2)", "q(3)", "r(3)"
    _, first, same, other = (reasoner.step(tick, [fact]) for tick, fact in enumerate(told))
    assert {*first.model_atoms} == {*same.model_atoms} == {(), ("a(1)",)}
    assert {*other.model_atoms} == {("c(3)",), ("a(1)", "c(3)")}
    assert other.differs(first, as_models=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Answer, "_model_sets", property(lambda _: pytest.fail("they are listed")))
        assert not same.differs(first, as_models=True)
