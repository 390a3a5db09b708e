"""Functions of the user's take and give Python's values."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from clingo import Number, Symbol

from lars2asp import EvaluationError, FunctionError, Reasoner, pure
from lars2asp.__main__ import main

CLOCK = '#tick 1 min. #origin "2026-01-01T00:00Z". '


def given(function: Callable[..., Any], facts: list[str], declared: str = "", **options: Any) -> list[str]:
    """What a function gives for the argument of p, each as the argument of a."""
    program = f"{declared} a(@f(X)) :- p(X)."
    reasoner = Reasoner.from_text(program, functions=SimpleNamespace(f=function), **options)
    return [text.removeprefix("a(").removesuffix(")") for text in reasoner.step(0, facts).holds.texts]


@pytest.mark.parametrize(
    ("result", "texts"),
    [
        (True, ["true"]),
        (False, ["false"]),
        (7, ["7"]),
        ("Hall 2", ['"Hall 2"']),
        (None, []),
        ([], []),
        ([1, "x", None, Number(2)], ["1", "2", '"x"']),
        ((1, 2), ["1", "2"]),
        ([(1, ("x", True))], ['(1,("x",true))']),
        ([(Number(1), ())], ["(1,())"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("evaluator", ["oneshot", "stamped", "external", "delta"])
def test_results(result: Any, texts: list[str], evaluator: str) -> None:
    assert given(pure(lambda _: result), ["p(0)"], evaluator=evaluator) == texts


@pytest.mark.parametrize(
    ("kind", "declared", "facts", "expected"),
    [
        (int, "", ["p(7)"], [7]),
        (int, "#decimals p(1).", ["p(24)"], [24]),
        (str, "", ["p(hall)", 'p("Hall 2")'], ["hall", "Hall 2"]),
        (bool, "", ["p(true)", "p(0)", 'p("false")'], [False, True, False]),
        (float, "#decimals p(1).", ["p(24.1)"], [24.1]),
        (Decimal, "#decimals p(2).", ["p(24.1)"], [Decimal("24.10")]),
        (datetime, CLOCK, ["p(5)"], [datetime(2026, 1, 1, 0, 5, tzinfo=UTC)]),
        (timedelta, CLOCK, ["p(5)"], [timedelta(minutes=5)]),
        (tuple[Any, ...], "", ['p((1,("x",2)))'], [(1, ("x", 2))]),
        (list, "", ['p((1,"x"))'], [[1, "x"]]),
        (int | str, "", ["p(3)", 'p("x")'], [3, "x"]),
        (int | None, "", ["p(3)"], [3]),
        ("int", "", ["p(3)"], [3]),
        ("NotThere", "", ["p(3)"], [Number(3)]),
        (Symbol, "#decimals p(1).", ["p(24.1)"], [Number(241)]),
        (Any, "", ["p(7)"], [Number(7)]),
        (None, "", ["p(7)"], [Number(7)]),
    ],
    ids=str,
)
def test_arguments_are_what_is_annotated(
    kind: Any, declared: str, facts: list[str], expected: list[Any]
) -> None:
    seen: list[Any] = []

    def take(x: Any) -> None:
        seen.append(x)

    take.__annotations__ = {} if kind is None else {"x": kind}
    assert given(take, facts, declared) == []
    assert sorted(seen, key=str) == sorted(expected, key=str)
    assert {*map(type, seen)} == {*map(type, expected)}


def test_numbers_are_what_they_say_where_decimals_are_declared() -> None:
    declared = "#decimals a(2)."
    assert given(lambda _: 0.1 + 0.2, ["p(0)"], declared) == ["0.30"]
    assert given(lambda _: Decimal("24.5"), ["p(0)"], declared) == ["24.50"]
    assert given(lambda _: 24, ["p(0)"], declared) == ["24.00"]
    assert given(lambda _: Number(24), ["p(0)"], declared) == ["0.24"]

    def mean(one: float, other: float) -> float:
        return (one + other) / 2

    program = "#decimals r(_,1), m(2). m(M) :- r(a,X), r(b,Y), M = @mean(X,Y)."
    reasoner = Reasoner.from_text(program, functions=SimpleNamespace(mean=mean))
    assert reasoner.step(0, ["r(a,24.1)", "r(b,24.2)"]).holds.texts == ("m(24.15)",)
    program = "#decimals r(_,1). hot(R) :- r(R,T), @limit(R) < T."
    reasoner = Reasoner.from_text(program, functions=SimpleNamespace(limit=lambda _: 24.15))
    assert reasoner.step(0, ["r(a,24.1)", "r(b,24.3)"]).holds.texts == ("hot(b)",)


def test_times_and_durations() -> None:
    def later(x: datetime) -> datetime:
        return x + timedelta(minutes=7)

    def twice(x: timedelta) -> timedelta:
        return 2 * x

    assert given(later, ["p(5)"], CLOCK) == ['"2026-01-01T00:12:00+00:00"']
    assert given(twice, ["p(5)"], CLOCK) == ['"10 min"']


def to_int(x: int) -> int:
    return x


def to_str(x: str) -> str:
    return x


def as_text(x: Any) -> str:
    return x  # type: ignore[no-any-return]


def to_moment(x: datetime) -> datetime:
    return x


@pytest.mark.parametrize(
    ("function", "fact", "declared", "said"),
    [
        (as_text, "p(1)", "", "@f(1) gave Number(1), which is a number, but the annotation promises text"),
        (
            to_str,
            "p(f(1))",
            "",
            "cannot be called: argument 1 (f(1)) is no text and no name, as the annotation promises",
        ),
        (to_int, "p(2.5)", "#decimals p(1).", "argument 1 (25) is 2.5, but the annotation promises int"),
        (
            to_moment,
            "p(1)",
            "",
            "argument 1 (1) cannot be a datetime, as the annotation promises: the program declares "
            "no tick length: add for example #tick 1 sec.",
        ),
        (lambda _: 2.5, "p(0)", "", "gave 2.5, which is a float, and nothing says its decimals"),
        (lambda _: Decimal("0.125"), "p(0)", "#decimals a(2).", "which has more than 2 decimals"),
        (lambda _: 2.5, "p(0)", "#types a(integer).", "gave 2.5, which is not a whole number"),
        (lambda _: float("nan"), "p(0)", "#decimals a(2).", "gave nan, which is not a number"),
        (lambda _: timedelta(seconds=30), "p(0)", CLOCK, "which is not a number of whole ticks"),
        (
            lambda _: timedelta(seconds=30),
            "p(0)",
            "",
            "which is a duration, but the program declares no tick length: add for example #tick 1 sec.",
        ),
        (lambda _: datetime(2026, 1, 1), "p(0)", CLOCK, "lacks a time zone"),
        (lambda _: "a\0b", "p(0)", "", "null character"),
        (lambda _: [(None,)], "p(0)", "", "contains None inside a tuple: None means no value"),
        (lambda _: [[1]], "p(0)", "", "which is of the type list"),
        (
            lambda _: 1.5,
            "p(0)",
            "#decimals a(1). b(@f(X)) :- p(X).",
            "numbers have 1 decimal and no decimals",
        ),
    ],
)
def test_what_does_not_fit(function: Callable[..., Any], fact: str, declared: str, said: str) -> None:
    with pytest.raises(FunctionError) as raised:
        given(function, [fact], declared)
    assert said in str(raised.value)
    assert str(raised.value).startswith("<text>:1:")
    assert isinstance(raised.value, EvaluationError)


def test_annotations_are_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of functions in modules as of those in scripts; what is not taken is rejected where it comes in."""
    monkeypatch.chdir(tmp_path)
    Path("f.py").write_text("def f(x: int) -> str:\n    return f'no. {x}'\n")
    Path("a.lars").write_text("#input p(x).\na(X) :- p(Y), X = @f(Y).\n")
    Path("p.csv").write_text("time,x\n0,7\n1,seven\n")
    assert main(["check", "--types", "a.lars", "--functions", "f.py"]) == 0
    types = [line.split()[:3] for line in capsys.readouterr().out.splitlines()]
    assert types == [["p/1", "1", "integer"], ["a/1", "1", "text"]]
    assert main(["run", "a.lars", "--functions", "f.py", "--input", "p.csv"]) == 1
    found = capsys.readouterr()
    assert found.out.startswith('{"time": 0, "atoms": ["a(\\"no. 7\\")"]}')
    assert "column x: 'seven' is not a number, which is needed at a.lars:2:22-23" in found.err
    Path("b.lars").write_text("#input p(text(x)).\na(X) :- p(Y), X = @f(Y), X > 3.\n")
    assert main(["check", "b.lars", "--functions", "f.py"]) == 2
    found = capsys.readouterr()
    said = [line for line in (found.out + found.err).splitlines() if not line.startswith("  |")]
    assert said == [
        "b.lars:2:22-23: error: L401: Y is text, but a number is needed here",
        "  b.lars:2:11-12: Y is text here",
        "  b.lars:1:10-17: this is text",
        f"  {tmp_path}/f.py:1:1-22: this is a number: as the function is annotated",
        '  hint: write number("x") in #input, or int("x") if all values are integers',
        "b.lars:2:26-31: error: L401: X is text and 3 is a number: X > 3 is always true",
        f"  {tmp_path}/f.py:1:1-22: this is text: as the function is annotated",
        "  b.lars:2:30-31: this is a number",
    ]


def test_explanations_call_them_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text(
        "#decimals r(_,1), m(_,2).\n"
        "#script (python)\n"
        "def mean(x: float, y: float) -> float: return (x + y) / 2\n"
        "def none(x: str): return None if x == 'hall' else [1, 2]\n"
        "#end.\n"
        "m(R,@mean(X,Y)) :- r(R,X), r(R,Y), X < Y.\n"
        "n(@none(R)) :- r(R,_).\n"
    )
    Path("in.jsonl").write_text('{"time": 0, "facts": ["r(hall,24.1)", "r(hall,24.2)", "r(attic,3)"]}\n')
    for atom in ("m(hall,24.15)", "m(attic,X)", "n(2)", "n(3)"):
        assert main(["why", "p.lars", atom, "--input", "in.jsonl", "--output-format", "json"]) == 0
        Path("why.json").write_text(capsys.readouterr().out)
        assert main(["check-why", "p.lars", "why.json", "--input", "in.jsonl"]) == 0
        assert capsys.readouterr().out == "it is an explanation\n"
