"""A reasoner that takes over a snapshot goes on as the one that made it."""

from collections.abc import Iterator
from functools import cache
from itertools import permutations

import pytest
from clingo import Function, Symbol
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.compiler import read_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.reasoning.snapshot import FORMAT, packed, unpacked
from lars2asp.syntax.source import Source
from tests.oracle import Oracle, TooManyError, UnstratifiedError
from tests.strategies import (
    ALL_PROGRAMS,
    COUNTING,
    TUPLES,
    WINDOWS,
    Case,
    cases,
    choosing_programs,
    conditional_programs,
    cyclic_programs,
    placing_programs,
    programs,
    recursive_programs,
    sparse_cases,
    with_held,
)
from tests.support.changed_states import changed
from tests.support.definition import follow, record
from tests.support.evaluating import serving
from tests.support.examples import number_of_examples
from tests.support.plans import compiled
from tests.support.running import made, run_on
from tests.support.symbols import SYMBOLS

EXAMPLES = number_of_examples(8)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(
    sparse_cases(ALL_PROGRAMS) | with_held(sparse_cases(ALL_PROGRAMS)),
    st.integers(0, 10),
    st.lists(st.integers(0, 60), max_size=6),
    st.sampled_from([1, 0]),
)
def test_a_reasoner_that_resumes_goes_on_alike(
    case: Case, number: int, snapshots: list[int], models: int
) -> None:
    """Also where it has a choice, as both begin anew with the snapshot."""
    note(case.program)
    plan = compiled(case)
    names = serving(plan)
    name = names[number % len(names)]
    note(name)
    one, other = made(case, plan, name, models), made(case, plan, name, models)
    first = case.records[0].tick
    ends = sorted({first + tick for tick in snapshots if first + tick < case.last})
    for last in (*ends, case.last):
        expected = run_on(one, case, first, last)
        assert run_on(other, case, first, last) == expected
        first = last + 1
        other = made(case, plan, name, models)
        other.resume(one.snapshot())
        assert other.now == one.now


def test_the_fingerprint_of_program_and_options_stays() -> None:
    """Snapshots and checkpoints that were made under other names of classes are taken over."""
    reasoner = Reasoner.from_text("a :- b in [3].", consequences="brave", start=2)
    expected = "7e98e0ba21b6bcc9c9e4ab77d9f3037bad22d6b943eb798c44963d1f271312a2"
    assert reasoner.session.execution.fingerprint(2) == expected


def test_a_reasoner_that_resumes_passes_over_the_same_ticks() -> None:
    """Each tick that is evaluated may lead to another answer stream where `@now` is in the rules."""
    program = """
        a(X) :- p(X) in [0], not b(X).
        b(X) :- p(X) in [0], not a(X).
        c(X) :- e(X), W = @now.
        d(N) :- e(X), N = #count { U : p(X) at U in [0] }.
        """
    one, other = (Reasoner.from_text(program, evaluator="stamped") for _ in range(2))
    one.step(0, ["p(0)"], until=2)
    other.resume(one.snapshot())
    expected, found = (
        [answer.holds.texts for answer in each.run([], until=5, emit="every")] for each in (one, other)
    )
    assert found == expected
    assert other.counts == one.counts


def test_a_choice_stays_over_a_snapshot_while_nothing_changes() -> None:
    """What is recorded at its tick is not taken for news of the next one."""
    program = """
        a(X) :- p(X) in [0], not b(X) in [0].
        b(X) :- p(X) in [0], not a(X).
        """
    one, other = (Reasoner.from_text(program, evaluator="stamped") for _ in range(2))
    one.step(0, begin=["p(0)"])
    other.resume(one.snapshot())
    expected, found = (
        [each.step(tick, begin=["p(1)"] if tick == 4 else []).holds.texts for tick in range(1, 5)]
        for each in (one, other)
    )
    assert found == expected
    assert other.counts == one.counts


def test_parts_that_go_on_from_the_whole_program_have_its_arrivals() -> None:
    """Each window its own, in whatever order the parts ask for them."""
    program = """
        a(T) :- e at T in [1 # e/0], T < 1.
        b :- not a(0) at least 1 in [1 #].
        a(0) :- a(0) at _, not a(0).
        """
    whole, parts = Reasoner.from_text(program, evaluator="oneshot"), Reasoner.from_text(program)
    whole.step(0, ["e"], begin=["r"], until=1)
    parts.resume(whole.snapshot())
    assert parts.step(1).holds.texts == whole.step(1).holds.texts == ("b", "a(0)")


PROGRAMS = st.one_of(
    cases(programs()),
    cases(COUNTING),
    cases(WINDOWS, complete=2),
    cases(TUPLES, complete=3),
    cases(placing_programs()),
    cases(choosing_programs()),
    cases(conditional_programs()),
    cases(cyclic_programs()),
    cases(recursive_programs()),
    with_held(cases(ALL_PROGRAMS) | sparse_cases(ALL_PROGRAMS)),
)


def handed_over(
    case: Case, plan: Plan, start: int, last: int, names: tuple[EvaluatorName, EvaluatorName]
) -> Iterator[Answer]:
    """One evaluator gives the answers up to a tick, and another one goes on from its snapshot."""
    first, second = (made(case, plan, name, 0) for name in names)
    yield from first.run(
        [record(told) for told in case.records if told.tick <= last], until=last, emit="every"
    )
    second.resume(first.snapshot())
    yield from second.run(
        [record(told) for told in case.records if told.tick > last], until=case.last, emit="every"
    )


@settings(
    max_examples=EXAMPLES // 2,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(PROGRAMS, st.integers(0, 30))
def test_any_evaluator_goes_on_from_the_snapshot_of_any_other(case: Case, part: int) -> None:
    """With the answers of the definition; where there is a choice, with those of a stream that goes on."""
    note(case.program)
    plan = compiled(case)
    start = case.records[0].tick if case.start is None else case.start
    oracle = Oracle(
        read_program(Source("random.lars", case.program)),
        case.records,
        start=start,
        is_strict=case.semantics == "strict",
        complete_windows=case.complete_windows,
    )
    by_definition = cache(oracle.answer_streams)
    last = start + part % max(case.last - start, 1)
    try:
        for names in permutations(serving(plan), 2):
            note(names)
            follow(case, start, handed_over(case, plan, start, last, names), by_definition)
    except (TooManyError, UnstratifiedError):
        assume(False)


def test_a_snapshot_knows_what_it_is_of() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X) in [3].")
    reasoner.step(4, ["p(1)"])
    snapshot = reasoner.snapshot()
    for program, options in (
        ("a(X) :- p(X) in [4].", {}),
        ("a(X) :- p(X) in [3].", {"start": 2}),
        ("a(X) :- p(X) in [3].", {"models": 0}),
        ("a(X) :- p(X) in [3].", {"clingo": ["--seed=3"]}),
    ):
        with pytest.raises(SnapshotError, match="another program, or of other options"):
            Reasoner.from_text(program, **options).resume(snapshot)
    for damaged in (snapshot[:-1], snapshot.replace(b'"p"', b'"r"'), snapshot + b" "):
        with pytest.raises(SnapshotError, match="damaged"):
            Reasoner.from_text("a(X) :- p(X) in [3].").resume(damaged)
    for other in (b"", b"\xff", b"{}"):
        with pytest.raises(SnapshotError, match="not a snapshot of the format"):
            Reasoner.from_text("a(X) :- p(X) in [3].").resume(other)
    older = snapshot.replace(FORMAT.encode(), b"lars2asp-snapshot-0")
    with pytest.raises(SnapshotError, match=r"snapshot-0, .*use the version that made it"):
        Reasoner.from_text("a(X) :- p(X) in [3].").resume(older)
    with pytest.raises(ValueError, match="this reasoner was already used: call resume"):
        reasoner.resume(snapshot)


def test_another_evaluator_may_take_over_a_snapshot_of_certain_components() -> None:
    one = Reasoner.from_text("a(X) :- p(X) in [3]. b(X) :- a(X) in [2].", evaluator="delta")
    one.step(0, ["p(1)"])
    other = Reasoner.from_text("a(X) :- p(X) in [3]. b(X) :- a(X) in [2].", evaluator="stamped")
    other.resume(one.snapshot())
    for tick in range(1, 9):
        assert other.step(tick).holds.texts == one.step(tick).holds.texts


@pytest.mark.parametrize("models", [1, 0])
def test_changes_are_told_over_a_snapshot(models: int) -> None:
    """They are those since the answer that the reasoner of the snapshot gave."""
    program = "a(X) :- p(X) in [2]. b :- not c. c :- not b. #show a/1."
    one = Reasoner.from_text(program, models=models)
    list(one.run([(0, ["p(1)"]), (1, ["p(2)"])], emit=2))
    other = Reasoner.from_text(program, models=models)
    other.resume(one.snapshot())
    for reasoner in (one, other):
        [answer] = reasoner.run([(2, [])], emit=None)
        assert (answer.tick, *answer.began.texts) == (2, "a(2)")
        last = Reasoner.from_text(program, models=models)
        last.resume(reasoner.snapshot())
        assert list(last.run([(2 + 1, ["p(1)"])], emit=None)) == []


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SYMBOLS, min_size=1, max_size=4), st.sampled_from(["auto", "oneshot"]))
def test_arguments_come_back_as_the_very_same_symbols(symbols: list[Symbol], evaluator: str) -> None:
    """Also those that clingo could not read from their text, in whatever a snapshot has of them."""
    program = """
        a(X) :- p(X) in [3]. b(X) at @now+2 :- p(X). c(X) :- o(X). d(X) :- p(X) in [2 #]. e(X) :- a(X) in [2].
        """
    one, other = (Reasoner.from_text(program, evaluator=evaluator) for _ in range(2))
    one.step(0, [("p", symbol) for symbol in symbols], begin=[("o", symbol) for symbol in symbols])
    other.resume(one.snapshot())
    for tick in range(1, 7):
        ended = [("o", symbol) for symbol in symbols] if tick == 4 else []
        expected, found = one.step(tick, end=ended), other.step(tick, end=ended)
        assert (found.holds.symbols, found.began.symbols, found.ended.symbols) == (
            expected.holds.symbols,
            expected.began.symbols,
            expected.ended.symbols,
        )
    assert expected.holds.symbols
    assert {symbol.arguments[0] for symbol in expected.holds.symbols} <= set(symbols)


def test_symbols_that_functions_make_come_back() -> None:
    class Functions:
        def named(self, text: Symbol) -> Symbol:
            return Function(text.string)

    program = "a(@named(X)) :- p(X). b(X) :- a(X) in [3]."
    one, other = (Reasoner.from_text(program, functions=Functions()) for _ in range(2))
    one.step(0, [("p", "New York"), ("p", "1"), ("p", "x,y"), ("p", "X")])
    other.resume(one.snapshot())
    names = {symbol.arguments[0] for symbol in other.step(1).holds.symbols}
    assert names == {Function("New York"), Function("1"), Function("x,y"), Function("X")}


# --- states that somebody has changed ---------------------------------------------------------------

CHANGED = """
    a(X) :- p(X) in [3].
    b(X) :- a(X) always in [2], not p(X) in [1].
    c(N) at T+2 :- p(N) at T in [2].
    d(X) :- p(X) at least 2 in [4].
    e(X) :- p(X) in [2 # p/1].
    {f} :- p(1) in [2].
"""


def test_what_is_told_and_derived_at_once_is_counted_once_by_parts_that_go_on() -> None:
    program = "q :- r. c(N) :- q count N in [7]. #show c/1."
    reasoner, other = Reasoner.from_text(program, evaluator="oneshot"), Reasoner.from_text(program)
    reasoner.step(0, ["q", "r"])
    other.resume(reasoner.snapshot())
    assert [other.step(tick).holds.texts for tick in (1, 7, 8)] == [("c(1)",), ("c(1)",), ()]


@cache
def state_of(evaluator: str) -> bytes:
    """A snapshot between two ticks at which all windows hold something."""
    reasoner = Reasoner.from_text(CHANGED, evaluator=evaluator)
    for tick in range(9):
        reasoner.step(tick, [f"p({tick % 3})"], begin=["p(7)"] if tick == 4 else [], until=tick + tick % 2)
    return reasoner.snapshot()


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.data(), st.sampled_from(["auto", "oneshot"]), st.sampled_from(["auto", "oneshot"]))
def test_a_state_that_was_changed_is_refused_or_taken(draw: st.DataObject, before: str, now: str) -> None:
    """Although its checksum is right."""
    state = changed(draw, unpacked(state_of(before)))
    other = Reasoner.from_text(CHANGED, evaluator=now)
    try:
        other.resume(packed(state))
    except SnapshotError:
        assert other.now is None
        assert "a(1)" in other.step(0, ["p(1)"]).holds.texts
