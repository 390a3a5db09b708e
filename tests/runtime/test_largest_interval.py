"""Intervals with too many values, across modules: the tick has no answer, and the run goes on."""

import json
import logging
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp import ProgramError, Reasoner, SnapshotError, check, compile_program
from lars2asp.compiler import Overrides
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.syntax.source import Source
from tests.support.command_line import run

EVALUATORS = (EvaluatorName.AUTO, EvaluatorName.ONESHOT, EvaluatorName.EXTERNAL, EvaluatorName.STAMPED)
BOUND_BY_INPUT = "p(X) :- q(Y), X = 1..Y."
CHOSEN = "{ p(1..Y) : q(Y) }. :- q(Y), X = 1..Y, not p(X)."


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize(
    "program", [BOUND_BY_INPUT, "p(1..Y) :- q(Y).", CHOSEN, "p(X) :- q(Y), X = -Y..-1, r."]
)
def test_a_tick_with_too_many_values_has_no_answer(
    program: str, evaluator: EvaluatorName, caplog: pytest.LogCaptureFixture
) -> None:
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    assert len(reasoner.step(0, ["q(3)", "r"]).holds) == 3
    with caplog.at_level(logging.WARNING, "lars2asp"):
        answer = reasoner.step(1, ["q(5000000000)", "r"])
    assert not answer.satisfiable
    assert not answer.timed_out
    assert "5000000000 values, more than 1000000" in answer.failure
    assert "<text>:1:" in answer.failure
    assert answer.failure.endswith("bound by q(5000000000)")
    assert f"tick 1 has no answer: {answer.failure}" in caplog.messages
    assert len(reasoner.step(2, ["q(2)", "r"]).holds) == 2


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize(
    ("program", "needed"),
    [
        ("a(1..10**12) :- p(1).", "p(1)"),
        ("a(X) :- p(1), X = 0..9000000000.", "p(1)"),
        ("n(10**12). a(1..N) :- n(N), p(1).", "p(1)"),
        ("n(10**12). a(X) :- p(1), not p(2), n(N), X = 1..N.", "p(1)"),
        ("n(10**12). a(X) :- p(Y), Y > 4, n(N), X = 1..N.", "p(5)"),
        ("n(10**12). a(X) :- p(Y), #sum { Z : p(Z) } > 4, n(N), X = 1..N.", "p(5)"),
        ("n(10**12). a(X) :- p(Y), Y+1 = N, n(M), X = 1..M*(N/6).", "p(5)"),
        ("n(10**12). a(S) :- S = #sum { X : n(N), X = 1..N, p(5) }.", "p(5)"),
        ("n(10**12). a(S) :- p(5), S = #count { X : n(N), X = 1..N }.", "p(5)"),
        ("n(10**12). { a(X) : n(N), X = 1..N, p(5) }.", "p(5)"),
        ("n(10**12). { a(1..N) : n(N) } :- p(5).", "p(5)"),
        ("n(10**12). a(X) : n(N), X = 1..N, p(5); b :- p(_).", "p(5)"),
        ("n(10**12). a :- n(N), p(_), b(X) : X = 1..N, p(5). b(1).", "p(5)"),
        ("n(10**12). { b }. :- n(N), X = 1..N, p(5), b.", "p(5)"),
        ("n(10**12). { b }. :~ n(N), X = 1..N, p(5). [1,X]", "p(5)"),
    ],
)
def test_an_interval_counts_if_the_rest_of_the_body_is_true(
    program: str, needed: str, evaluator: EvaluatorName
) -> None:
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    assert not reasoner.step(0, ["p(2)"]).failure
    failure = reasoner.step(1, [needed]).failure
    assert "000000" in failure
    assert "values, more than 1000000" in failure
    assert not reasoner.step(2, ["p(3)"]).failure


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("a(X) :- q(X), X = 1..10**12.", ["a(3)", "a(5000000000)"]),
        ("a(X) :- q(X), b(Y), X = Y..10**12. b(4).", ["a(5000000000)"]),
        ("a :- q(1..10**12).", ["a"]),
        ("a(X) :- b(X), q(X..10**12). b(1). b(10**11).", ["a(1)"]),
        ("a(X) :- q(Y), X = 0..Y, X = Y-1.", ["a(2)", "a(4999999999)"]),
        ("a(S) :- S = #sum { X : q(X), X = 4..10**12 }.", ["a(5000000000)"]),
        ("{ a } :- q(1..10**12). :- q(4..10**12), not a.", ["a"]),
    ],
)
def test_no_value_is_enumerated_to_look_whether_a_number_is_in_an_interval(
    program: str, expected: list[str], evaluator: EvaluatorName
) -> None:
    reasoner = Reasoner.from_text(f"#show a/0. #show a/1. {program}", evaluator=evaluator)
    answer = reasoner.step(0, ["q(3)", "q(5000000000)"])
    assert not answer.failure
    assert sorted(answer.holds.texts) == expected


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("X = 0..Y, X < 3", [0, 1, 2]),
        ("X = 0..Y, not X >= 3", [0, 1, 2]),
        ("X = 0..Y, 2*X <= 5", [0, 1, 2]),
        ("X = 0..Y, 3 > X", [0, 1, 2]),
        ("X = 0..Y, Y - X < 2", [4999999999, 5000000000]),
        ("X = 0..Y, Z = X+7, Z < 9", [0, 1]),
        ("X = 0..Y, Z = 0..Y, X+Z < 2", [0, 1]),
        ("X = -Y..Y, -2 < X < 2", [-1, 0, 1]),
        ("X = 0..Y, s(Z), X <= Z, X < 2", [0, 1]),
        ("X = 0..Y, N = #count { Z : r(Z) }, X <= N, X < 4", [0, 1, 2]),
        ("X = 0..Y, N = #count { Z : r(Z), Z <= X }, X <= N, X < 4", [0, 1, 2]),
    ],
)
def test_comparisons_narrow_intervals_of_wide_numbers(
    body: str, expected: list[int], evaluator: EvaluatorName
) -> None:
    """A value that is no number limits nothing."""
    reasoner = Reasoner.from_text(f"a(X) :- q(Y), {body}. r(1). r(-1). s(1). s(none).", evaluator=evaluator)
    answer = reasoner.step(0, ["q(5000000000)"])
    assert not answer.failure
    assert sorted(int(text[2:-1]) for text in answer.holds.texts) == expected


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_few_values_far_from_0_are_enumerated(evaluator: EvaluatorName) -> None:
    reasoner = Reasoner.from_text("a(T..T+2) :- t(T).", evaluator=evaluator, largest_interval=3)
    assert len(reasoner.step(0, ["t(1700000000000)"]).holds) == 3


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_the_largest_interval_is_an_option(evaluator: EvaluatorName) -> None:
    reasoner = Reasoner.from_text(BOUND_BY_INPUT, evaluator=evaluator, largest_interval=4)
    assert len(reasoner.step(0, ["q(4)"]).holds) == 4
    assert "5 values, more than 4" in reasoner.step(1, ["q(5)"]).failure


def test_while_nothing_changes_there_is_no_answer_either() -> None:
    reasoner = Reasoner.from_text("p(X) :- q(Y) in [2], X = 1..Y.", largest_interval=4)
    found = [reasoner.step(tick, ["q(5)"] if tick == 0 else []) for tick in range(4)]
    assert [bool(one.failure) for one in found] == [True, True, True, False]
    assert found[-1].satisfiable


def test_a_fact_with_too_many_values_is_an_error() -> None:
    source = Source("p.lars", "a(1..10**12). b(1..1000000). { c(1..2000000) }.")
    assert [one.message for one in check(source)] == [
        "the interval 1..10**12 contains 1000000000000 values, more than 1000000",
        "the interval 1..2000000 contains 2000000 values, more than 1000000",
    ]
    with pytest.raises(ProgramError):
        compile_program(source)
    assert not check(Source("p.lars", "b(1..2000000)."), overrides=Overrides(largest_interval=2000000))


def test_the_largest_interval_is_part_of_the_state() -> None:
    reasoner = Reasoner.from_text(BOUND_BY_INPUT, largest_interval=7)
    reasoner.step(0, ["q(1)"])
    state = reasoner.snapshot()
    Reasoner.from_text(BOUND_BY_INPUT, largest_interval=7).resume(state)
    with pytest.raises(SnapshotError):
        Reasoner.from_text(BOUND_BY_INPUT).resume(state)
    with pytest.raises(ValueError, match="largest_interval"):
        Reasoner.from_text(BOUND_BY_INPUT, largest_interval=-1)


def test_a_run_names_the_record_and_goes_on(tmp_path: Path) -> None:
    program, stream = tmp_path / "p.lars", tmp_path / "q.jsonl"
    program.write_text(BOUND_BY_INPUT, encoding="utf-8")
    ticks = [(1, 2), (2, 9), (3, 1)]
    stream.write_text(
        "".join(json.dumps({"time": tick, "facts": [f"q({number})"]}) + "\n" for tick, number in ticks),
        encoding="utf-8",
    )
    arguments = ["run", "p.lars", "--input", "q.jsonl", "--output", "a.jsonl", "--largest-interval", "4"]
    result = run(tmp_path, *arguments, "--checkpoint", "states")
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [one.get("satisfiable", True) for one in lines] == [True, False, True]
    assert "bound by q(9) of q.jsonl:2" in result.stderr
    other = run(tmp_path, *arguments[:-1], "5", "--checkpoint", "states", status=2)
    assert "--largest-interval was 4, is 5" in other.stderr


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_intervals_count_together_for_one_instance_of_the_rest(evaluator: EvaluatorName) -> None:
    """Also at a tick with a number of more than 32 bits, at which clingo asks for each interval."""
    program = "p(X,Y) :- q(N,M), X = 1..N, Y = 1..M. r(X+1) :- s(X)."
    reasoner = Reasoner.from_text(program, evaluator=evaluator, largest_interval=40)
    facts = ["q(1,40)", "q(40,1)", "q(2,20)", "q(20,2)", "s(5000000000)"]
    answer = reasoner.step(0, facts)
    assert not answer.failure
    assert len(answer.holds) == 1 + len(
        {(x, y) for n, m in [(1, 40), (40, 1), (2, 20), (20, 2)] for x in range(n) for y in range(m)}
    )
    assert "42 values, more than 40" in reasoner.step(1, [*facts, "q(6,7)"]).failure


def test_a_tick_at_which_the_body_is_false_has_an_answer() -> None:
    """Whatever begins or ends with it: `delta` takes one change after the other."""
    reasoner = Reasoner.from_text("p(X) :- z(Y), not q(Y), X = 1..Y.", largest_interval=9)
    for tick, facts in enumerate(
        [["z(5)"], ["z(10)", "q(10)"], ["z(3)"], ["z(10)", "q(10)", "q(1)"], ["z(2)"]]
    ):
        answer = reasoner.step(tick, facts)
        assert not answer.failure
        assert len(answer.holds) == [5, 0, 3, 0, 2][tick]


def test_blocks_take_no_larger_intervals_than_ticks_do() -> None:
    """What has too many values with another limit is told at its tick, however long the input is."""
    program = "p(X) :- z, X = 1..500, X < 3."
    reasoner = Reasoner.from_text(program, evaluator="flow", largest_interval=500)
    assert len(next(iter(reasoner.run([(0, ["z"])]))).holds) == 2
    many = Reasoner.from_text("p(X) :- z(Y), X = 1..2000000, X < Y.", largest_interval=2_000_000)
    many.use("flow")
    assert len(next(iter(many.run([(0, ["z(3)"])]))).holds) == 2


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize(
    "program",
    [
        "p(X,Y) :- q(N), X = 1..N, Y = 1..N.",
        "p(1..N,1..N) :- q(N).",
        "p(X,1..N) :- q(N), X = 1..N.",
        "{ p(X,Y) } = 1 :- q(N), X = 1..N, Y = 1..N.",
    ],
)
def test_the_values_of_several_intervals_are_bounded_together(program: str, evaluator: EvaluatorName) -> None:
    reasoner = Reasoner.from_text(program, evaluator=evaluator, largest_interval=40)
    assert len(reasoner.step(0, ["q(6)"]).holds) == 36
    failure = reasoner.step(1, ["q(7)"]).failure
    assert "1..N and others of its rule have 49 values, more than 40" in failure
    assert failure.endswith("bound by q(7)")
    assert len(reasoner.step(2, ["q(2)", "q(5)"]).holds) == 25
    few = Reasoner.from_text(
        "p(X,Y) :- q(N), X = 1..N, Y = 1..N, X+Y < 4.", evaluator=evaluator, largest_interval=40
    )
    assert len(few.step(0, ["q(40)"]).holds) == 3


@pytest.mark.parametrize("evaluator", [*EVALUATORS, EvaluatorName.DELTA])
def test_a_million_values_are_the_most_that_a_rule_enumerates(evaluator: EvaluatorName) -> None:
    """9,000,000 atoms at a tick would take minutes, in which nobody could end the run."""
    program = "q(X,Y) :- X = 1..3000, Y = 1..3000, p(1)."
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    assert not reasoner.step(0, ["p(2)"]).failure
    assert "9000000 values, more than 1000000" in reasoner.step(1, ["p(1)"]).failure
    assert not reasoner.step(2, ["p(3)"]).failure


def test_intervals_are_enumerated_by_the_tightest_bound() -> None:
    """Each pair of numbers by itself would take days; blocks go through no more of them than ticks do."""
    program = "p(X,Z) :- z, X = 0..{0}, Z = 0..{0}, X+Z < 3."
    expected = ("p(0,0)", "p(0,1)", "p(0,2)", "p(1,0)", "p(1,1)", "p(2,0)")
    [answer] = Reasoner.from_text(program.format(900000)).run([(0, ["z"])])
    assert answer.holds.texts == expected
    [answer] = Reasoner.from_text(program.format(900), evaluator="flow").run([(0, ["z"])])
    assert answer.holds.texts == expected


@settings(deadline=None)
@given(
    st.sampled_from(
        [
            "X = {0}",
            "X = {0}, X < 3",
            "r(X), X = {0}",
            "not X != {1}, X = {0}",
            "X = {0}, X = {1}",
            "r(X), not X < {1}",
        ]
    ),
    st.sampled_from(["0..Y", "Z..Y", "Y..Z", "Y-1..Y+1", "-Y..2*Z", "1..3"]),
    st.sampled_from(["Y", "1..Y", "Z..2"]),
    st.lists(st.tuples(st.integers(-4, 9), st.integers(-4, 4)), min_size=3, max_size=3),
    st.sampled_from(["", ", not s", ", s", ", #count { V : r(V), V < Z } < 2", "; r(V) : V = Y..Z, s"]),
    st.booleans(),
    st.sampled_from(EVALUATORS),
)
def test_answers_are_those_without_a_bound(
    body: str,
    one: str,
    other: str,
    ticks: list[tuple[int, int]],
    rest: str,
    is_wide: bool,
    evaluator: EvaluatorName,
) -> None:
    """If a tick has an answer, it is the right one; small intervals never fail, nor those of a false body.

    So it is at ticks with a number of more than 32 bits.
    """
    program = f"p(X) :- q(Y,Z), {body.format(one, other)}{rest}. r(0..3). #show p/1. w(N+1) :- v(N)."
    if ".." in other and "not X" in body:
        program = program.replace(other, "Y")
    bounded = Reasoner.from_text(program, evaluator=evaluator, largest_interval=5)
    free = Reasoner.from_text(program, evaluator=EvaluatorName.ONESHOT)
    for tick, (first, second) in enumerate(ticks):
        facts = [f"q({first},{second})"]
        expected = free.step(tick, facts)
        answer = bounded.step(tick, [*facts, *(["v(5000000000)"] if is_wide else [])])
        if max(abs(first), abs(second)) <= 1 or rest == ", s":
            assert not answer.failure
        if not answer.failure:
            assert answer.holds.texts == expected.holds.texts
