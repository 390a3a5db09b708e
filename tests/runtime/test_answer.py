"""The forms in which an answer has its atoms: rows, text and symbols."""

import pickle
import re
import sys
from collections.abc import Callable, Collection
from copy import copy, deepcopy
from subprocess import run
from typing import Any

import pytest
from clingo import Function, Number, String, parse_term

from lars2asp import Answer, Final, InputError, Reasoner, Revised, Signature, constant, function
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


# --- atoms as a collection ------------------------------------------------------------------------

SHOWN = """
    #tick 1 sec.  #timezone "UTC".  #decimals p(_,_,1).  #input p(time(T),duration(D),X) at t.
    a(T,D,X) :- p(T,D,X).  -b(X) :- p(_,_,X).  c(f(X),"s") :- q(X).
    #show a/3.  #show -b/1.  #show c/2.  #show X : p(_,_,X).
"""
SHOWN_FACTS: list[Fact] = [("p", "2026-01-01", "3 sec", 2.5), ("p", "2026-01-02", "1 min", 7), "q(z)", "q(1)"]


def test_atoms_are_a_collection() -> None:
    reasoner = Reasoner.from_text(SHOWN)
    reasoner.step(0, ["q(2)"])
    answer = reasoner.step(1, SHOWN_FACTS)
    for atoms in (answer.holds, answer.began, answer.ended):
        assert (*atoms,) == atoms.texts and len([*atoms]) == len(atoms) > 0
        assert isinstance(atoms, Collection) and all(one in atoms for one in (*atoms.texts, *atoms.symbols))
        assert all(("-b", 2.5) in one for one in [atoms] if one is not answer.ended)
    assert "-b( 2.50 )" in answer.holds and "-b(7)" in answer.holds and ("c", (1,), "s") not in answer.holds
    assert "-b(25)" not in answer.holds and "b(2.5)" not in answer.holds and "-b" not in answer.holds
    assert parse_term("-b(25)") in answer.holds and parse_term("-b(2)") not in answer.holds
    assert 'c(f(2),"s")' in answer.ended and 'c(f(2),"s")' not in answer.holds
    assert repr(answer.began["-b/1"]) == "<Atoms: {-b(2.5), -b(7.0)}>"


def test_the_atoms_of_a_predicate() -> None:
    holds = Reasoner.from_text("a(1) :- c.  a(1,2) :- c.  -a(3) :- c.  b :- c.").step(0, ["c"]).holds
    for predicate, texts in {
        "a/1": ("a(1)",),
        "a/2": ("a(1,2)",),
        "-a/1": ("-a(3)",),
        "a": ("a(1)", "a(1,2)"),
        "b": ("b",),
        "b/0": ("b",),
        "a/3": (),
        "other": (),
    }.items():
        assert holds[predicate].texts == texts
        assert all(atom in holds[predicate] for atom in texts)
    assert holds[Signature("a", 2)].rows == {Signature("a", 2): {(1, 2)}}
    assert len(holds["a"]["a/2"]) == 1 and "a(1)" not in holds["a/2"]
    for other in ("a(1)", "A", "a/", "a/1 ", "", 0, None):
        with pytest.raises(KeyError, match="is no predicate such as 'alarm/1'"):
            holds[other]  # type: ignore[index]


@pytest.mark.parametrize("other", ["a(X)", "a(", 1, None, 2.5, ("a", 2.5), [], "a(1..2)"])
def test_what_is_no_atom_is_refused_by_name(other: object) -> None:
    atoms = Reasoner.from_text("a(1) :- c.").step(0, ["c"]).holds
    with pytest.raises(InputError, match=r"not|decimal|variable"):
        _ = other in atoms


# --- copies ---------------------------------------------------------------------------------------

COPIES: list[Callable[[Any], Any]] = [copy, deepcopy, lambda value: pickle.loads(pickle.dumps(value))]


def values(answer: Answer) -> list[object]:
    """All that an answer says."""
    return [
        *(answer.tick, answer.satisfiable, answer.timed_out, answer.failure, answer.cost),
        *(repr(answer), answer.changed_texts(), {one.texts for one in answer.models}),
        *(
            (atoms.texts, atoms.symbols, {one: {*rows} for one, rows in atoms.rows.items()})
            for atoms in (answer.holds, answer.began, answer.ended)
        ),
    ]


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize(
    ("program", "options"),
    [
        (SHOWN, {}),
        ("{ a(X) } :- q(X). :- q(2), q(z).", {"models": 0}),
        ("{ a(X) } :- q(X).  :~ q(X), not a(X). [1@2, X]", {"evaluator": "oneshot"}),
        ("a(X) :- q(X) in [3]. a(X) :- p(_,_,X). h(X) :- a(X). #show h/1.", {"explain_last": 5}),
    ],
)
def test_copies_of_answers_have_their_values(
    copied: Callable[[Answer], Answer], program: str, options: dict[str, Any]
) -> None:
    reasoner = Reasoner.from_text(program, **options)
    facts = [one for one in SHOWN_FACTS if "#decimals" in program or not isinstance(one, tuple)]
    answers = [reasoner.step(0, facts), reasoner.step(1, ["q(2)"]), reasoner.step(2, ["q(2)", "q(z)"])]
    copies = [*map(copied, answers)]  # before anything was asked of them
    assert [*map(values, copies)] == [*map(values, answers)]
    assert [*map(values, map(copied, copies))] == [*map(values, answers)]
    assert any(one.holds or len(one.models) > 1 for one in copies) and reasoner.step(3, []).tick == 3


def test_answers_go_to_other_processes() -> None:
    """The bytes have the values alone: they do not grow with what the reasoner holds."""
    reasoner = Reasoner.from_text("a(X) :- p(X) in [10].  n(N) :- N = #count { X : a(X) }.  #show n/1.")
    few = pickle.dumps(reasoner.step(0, ["p(1)"]))
    many = pickle.dumps(reasoner.step(1, [("p", number) for number in range(1000)]))
    assert len(many) < len(few) + 100
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).holds.texts)"
    done = run([sys.executable, "-c", program], input=many, capture_output=True, check=True)
    assert done.stdout.decode().strip() == "('n(1000)',)"


@pytest.mark.parametrize("copied", COPIES)
def test_a_reasoner_is_not_copied(copied: Callable[[Reasoner], Reasoner]) -> None:
    with pytest.raises(TypeError, match=r"pickle reasoner\.snapshot\(\).* resume\(\)"):
        copied(Reasoner.from_text("a :- b."))


def test_the_iterator_of_a_run_says_how_it_is_used() -> None:
    reasoner = Reasoner.from_text("a :- b.")
    assert "iterate: for answer in reasoner.run(...)" in str(reasoner.run([]))
    assert "iterate: for answer in reasoner.run(...)" in repr(reasoner.run([], revise=2))
    for value in (Revised("a", 1, None, True), Final(3)):
        assert all(copied(value) == value for copied in COPIES)
