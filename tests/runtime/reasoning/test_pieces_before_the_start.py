"""A stream may come in pieces, also where some lie wholly before the start of the timeline."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp import InputError, Reasoner
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.syntax.diagnostics import ProgramError
from tests.strategies import ALL_PROGRAMS, Case, cases
from tests.support.definition import record
from tests.support.examples import number_of_examples
from tests.support.feeds import ScriptedFeed
from tests.support.records import events

PROGRAM = "a(X) :- p(X). b(X) :- p(X) in [3]. c(X) :- p(X) in [2 #]."

BEGUN = [
    Record(1, events([], begin=["p(1)"])),
    Record(2, events(["p(2)"], until=6)),
    Record(3, events(["p(3)"])),
]
LATER = [Record(5, events(["p(4)"])), Record(7, events([], end=["p(1)"]))]


def said(answers: Sequence[Answer]) -> list[tuple[int, tuple[str, ...]]]:
    return [(answer.tick, answer.holds.texts) for answer in answers]


WHOLE = said([*Reasoner.from_text(PROGRAM, start=5).run([*BEGUN, *LATER], emit="every")])


def test_a_piece_before_the_start_counts() -> None:
    """What begins in it, and facts that last."""
    reasoner = Reasoner.from_text(PROGRAM, start=5)
    assert said([*reasoner.run(BEGUN, emit="every")]) == []
    assert reasoner.now is None
    assert said([*reasoner.run(LATER, emit="every")]) == WHOLE
    assert WHOLE[0][1][:3] == ("a(1)", "a(2)", "a(4)")


@pytest.mark.parametrize("first", [5, 6])
def test_step_goes_on_from_it(first: int) -> None:
    reasoner = Reasoner.from_text(PROGRAM, start=5)
    list(reasoner.run(BEGUN, emit="every"))
    with pytest.raises(InputError, match="is already over"):
        reasoner.step(4)
    with pytest.raises(InputError, match="end"):
        reasoner.step(first, end=["p(9)"])
    whole = Reasoner.from_text(PROGRAM, start=5)
    *_, expected = whole.run([*BEGUN, Record(first, events(["p(4)"]))], emit="every")
    assert reasoner.step(first, ["p(4)"]).holds.texts == expected.holds.texts
    assert reasoner.step(8, end=["p(1)"]).holds.texts == whole.step(8, end=["p(1)"]).holds.texts


def test_a_snapshot_has_it() -> None:
    reasoner, other = (Reasoner.from_text(PROGRAM, start=5) for _ in range(2))
    list(reasoner.run(BEGUN[:2], emit="every"))
    other.resume(reasoner.snapshot())
    list(other.run(BEGUN[2:], emit="every"))
    assert said([*other.run(LATER, emit="every")]) == WHOLE
    with pytest.raises(ValueError, match="this reasoner was already used: call resume"):
        reasoner.resume(other.snapshot())


def test_another_evaluator_may_go_on() -> None:
    reasoner = Reasoner.from_text(PROGRAM, start=5)
    list(reasoner.run(BEGUN, emit="every"))
    reasoner.use("stamped")
    assert said([*reasoner.run(LATER, emit="every")]) == WHOLE


def test_what_a_feed_said_before_the_start_counts() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X) in [9].", start=5)
    feed = ScriptedFeed(['{"time": 1, "begin": ["p(1)"]}', '{"time": 2, "facts": ["p(2)"], "until": 8}'])
    reasoner.run_live(feed, print, reading=Reading(Format.JSONL))
    assert reasoner.step(5).holds.texts == ("a(1)", "a(2)")


def test_time_goes_forward_from_piece_to_piece() -> None:
    reasoner = Reasoner.from_text(PROGRAM, start=5)
    list(reasoner.run(BEGUN, emit="every"))
    rejected: list[Rejected] = []
    assert (
        said(
            [
                *reasoner.run(
                    [Record(2, events(["p(9)"], until=9)), *LATER], on_reject=rejected.append, emit="every"
                )
            ]
        )
        == WHOLE
    )
    assert [one.reason for one in rejected] == ["the time goes backwards: tick 2 after 3"]


def test_of_a_piece_that_breaks_off_the_tick_that_was_not_over_is_forgotten() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X).", start=5)
    told = [Record(1, events([], begin=["p(1)"])), Record(2, events([], begin=["p(2)"]))]
    with pytest.raises(InputError):
        list(reasoner.run([*told, Record(3, events([], end=["p(9)"]))], emit="every", on_reject="stop"))
    assert reasoner.step(5).holds.texts == ("a(1)",)


@settings(max_examples=number_of_examples(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(cases(ALL_PROGRAMS), st.integers(0, 9), st.sets(st.integers(0, 30)), st.sampled_from([0, 2]))
def test_pieces_are_one_stream(case: Case, start: int, cuts: set[int], lateness: int) -> None:
    """Cut between ticks, wherever the timeline starts."""
    note(case.program)
    records = [*map(record, case.records)]
    try:
        whole, parts = (Reasoner.from_text(case.program, start=start) for _ in range(2))
    except ProgramError:
        assume(False)
    expected = said([*whole.run(records, lateness=lateness, emit="every")])
    got: list[tuple[int, tuple[str, ...]]] = []
    edges = [-1, *sorted(cuts), 1000]
    for low, high in pairwise(edges):
        got += said(
            [*parts.run([one for one in records if low < one.tick <= high], lateness=lateness, emit="every")]
        )
    assert got == expected
