"""Formulas in brackets under windows, held to LARS's own definition of entailment at a tick."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import ProgramError, compile_program
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.support.command_line import run
from tests.support.evaluating import serving

Stream = Sequence[frozenset[str]]
"""The atoms at ticks 0, 1, ..."""

CONSTANTS = ("1", "2")
ATOMS = [f"{name}({one})" for name in "pq" for one in CONSTANTS] + ["r"]

# A formula is a text, with X in it, and its truth at a tick by definition: of the stream, the tick and X.
literals = st.sampled_from(["p(X)", "q(X)", "r"])
windows = st.sampled_from([("[0]", 0, 0), ("[1]", 0, 1), ("[2]", 0, 2), ("[1..2]", 1, 2), ("{0,2}", 0, 2)])
operators = st.sampled_from(["in", "always", "at least 2 in"])


def _atom(literal: str) -> Any:
    return literal, lambda stream, tick, x: literal.replace("X", x) in stream[tick]


def _under(formula: Any, window: Any, operator: str) -> Any:
    text, holds = formula
    shown, nearest, furthest = window

    @cache
    def true(stream: Stream, tick: int, x: str) -> bool:
        ticks = [tick, tick - 2] if shown.startswith("{") else range(tick - furthest, tick - nearest + 1)
        seen = [holds(stream, one, x) for one in ticks if one >= 0]
        if operator == "always":
            return bool(seen) and all(seen)
        return len([one for one in seen if one]) >= (2 if operator.startswith("at least") else 1)

    return f"({text}) {operator} {shown}", true


def _all(first: Any, others: Sequence[tuple[bool, Any]]) -> Any:
    """A conjunction; the first one, which binds X, is positive."""

    @cache
    def true(stream: Stream, tick: int, x: str) -> bool:
        return bool(first[1](stream, tick, x)) and all(
            one[1](stream, tick, x) is not is_negated for is_negated, one in others
        )

    rest = [f"{'not ' if is_negated else ''}{one[0]}" for is_negated, one in others]
    return ", ".join([first[0], *rest]), true


def _any(parts: Sequence[Any]) -> Any:
    return " or ".join(text for text, _ in parts), lambda stream, tick, x: any(
        holds(stream, tick, x) for _, holds in parts
    )


binding = st.sampled_from(["p(X)", "q(X)"]).map(_atom)


def _larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    conjunctions = st.builds(
        _all, inner, st.lists(st.tuples(st.booleans(), st.one_of(literals.map(_atom), inner)), max_size=2)
    )
    return st.builds(_under, st.lists(conjunctions, min_size=1, max_size=2).map(_any), windows, operators)


formulas = st.recursive(st.builds(_under, binding, windows, operators), _larger, max_leaves=5)
streams = st.lists(st.frozensets(st.sampled_from(ATOMS)), min_size=1, max_size=7).map(tuple)


def answered(program: str, stream: Mapping[int, Any] | Stream, evaluator: str, **options: Any) -> list[str]:
    reasoner = Reasoner.from_text(program, evaluator=evaluator, **options)
    facts = stream if isinstance(stream, Mapping) else dict(enumerate(map(sorted, stream)))
    return [" ".join(answer.holds.texts) for answer in reasoner.run(facts.items(), emit="every")]


@given(formula=formulas, stream=streams)
def test_formulas_are_true_by_definition(formula: Any, stream: Stream) -> None:
    text, holds = formula
    program = f"a(X) :- {text}. b :- c, not ({text.replace('X', '1')}) in [1]. #show a/1. #defined c/0."
    expected = [
        " ".join(f"a({one})" for one in CONSTANTS if holds(stream, tick, one)) for tick in range(len(stream))
    ]
    plan = compile_program(Source("x.lars", program))
    for evaluator in serving(plan):
        assert answered(program, stream, evaluator) == expected


@given(formula=formulas)
def test_printed_formulas_are_read_again(formula: Any) -> None:
    program = parse(Source("x.lars", f"a(X) :- {formula[0]}, not (r, {formula[0]}) always in [3]."))
    assert parse(Source("x.lars", to_text(program))) == program


#   tick       0      1      2      3      4
#   hot(k)     x      x      x      x      x
#   opened(k)         x
def test_an_alarm_unless_the_window_is_open() -> None:
    stream = {0: ["hot(k)"], 1: ["hot(k)", "opened(k)"], 2: ["hot(k)"], 3: ["hot(k)"], 4: ["hot(k)"]}
    program = "alarm(R) :- (hot(R), not opened(R)) always in [1]."
    for evaluator in ("oneshot", "stamped", "external", "delta"):
        assert answered(program, stream, evaluator) == ["alarm(k)", "", "", "alarm(k)", "alarm(k)"]


def test_anonymous_variables_are_any_value_at_each_tick() -> None:
    stream = {0: ["p(1)"], 1: ["p(2)"]}
    program = "one(1) :- p(_) always in [1]. any(1) :- (p(_)) always in [1]."
    assert answered(program, stream, "delta") == ["any(1) one(1)", "any(1)"]


def test_formulas_in_aggregates_and_with_ticks() -> None:
    stream = {0: ["p(1)", "p(2)"], 1: ["p(2)", "q(2)"], 2: ["p(3)"]}
    counted = "n(N) :- N = #count { X : (p(X), not q(X)) in [1] }."
    assert answered(counted, stream, "delta") == ["n(2)", "n(2)", "n(1)"]
    at = "a(X,T) :- (p(X), not q(X)) at T in [2]."
    assert answered(at, stream, "oneshot")[2] == "a(1,0) a(2,0) a(3,2)"


def test_a_term_in_brackets_stays_one() -> None:
    assert answered("a :- p(X), (X+1)*2 = 4, not q((1,2)) in [2].", {0: ["p(1)"]}, "delta") == ["a"]


def test_text_in_strings_is_no_bracket() -> None:
    program = 'a :- (p("x) in [2]"), q) in [1], s = "(".'
    assert answered(program.replace(', s = "("', ""), {0: ['p("x) in [2]")', "q"]}, "delta") == ["a"]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("a :- (p(X), X > L) in [5], l(L).", "unsafe variable L: nothing gives it a value"),
        ("a :- (p(X) or q(Y)) in [5].", "this alternative of `or` does not use Y"),
        ("a :- (p, q).", "expected an atom, not a term"),
        ("a :- (p, q in [5].", "unexpected"),
        ("a :- ((p, q)) in [5].", "expected an atom, not a term"),
        ("#semantics strict. a :- (p, q) in [5].", "with #semantics strict"),
    ],
)
def test_what_is_refused(program: str, said: str) -> None:
    with pytest.raises(ProgramError, match=said):
        compile_program(Source("x.lars", program))


def test_names_of_the_program_stay_its_own() -> None:
    program = "lars_formula_1 :- r. a :- (p, q) in [1], lars_formula_1."
    assert answered(program, {0: ["p", "q"], 1: ["r"]}, "delta") == ["", "a lars_formula_1"]


def test_formulas_are_in_explanations_as_they_were_written(tmp_path: Path) -> None:
    (tmp_path / "x.lars").write_text("alarm(R) :- (hot(R), not opened(R)) always in [1].", encoding="utf-8")
    (tmp_path / "x.jsonl").write_text(
        '{"time": 1, "facts": ["hot(k)"]}\n{"time": 2, "facts": ["hot(k)"]}\n', encoding="utf-8"
    )
    asked = "alarm(k)", "--at", "2", "--input", "x.jsonl"
    done = run(tmp_path, "why", "x.lars", *asked, status=0)
    assert "(hot(k), not opened(k)) at 1" in done.stdout
    assert "lars_" not in done.stdout
    (tmp_path / "why.json").write_text(
        run(tmp_path, "why", "x.lars", *asked, "--output-format", "json", status=0).stdout, encoding="utf-8"
    )
    run(tmp_path, "check-why", "x.lars", "why.json", "--input", "x.jsonl", status=0)


def test_formulas_are_nothing_of_the_output() -> None:
    plan = compile_program(Source("x.lars", "a :- (p, q) in [1]."))
    assert "lars_formula_1" not in [one.name for one in plan.types]
    reasoner = Reasoner(plan)
    assert reasoner.step(0, ["p", "q"]).holds.texts == ("a",)
