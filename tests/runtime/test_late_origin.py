"""Where ticks are shorter than a second and nothing says when tick 0 begins, the first record does."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from lars2asp import Answer, InputError, Reasoner, SnapshotError
from lars2asp.compiler import compile_program
from lars2asp.runtime.sources.records import Rejected
from lars2asp.syntax.parser import text_source
from tests.support.examples import number_of_examples

MILLISECOND = timedelta(milliseconds=1)
DAY = datetime(2026, 11, 29, tzinfo=UTC)

TEXT = """
#input r(x) at ts.
hot(X) :- r(X) in [300 msec], X > 3.
dry(X) :- r(X) always in [200 msec].
counted(X,N) :- r(X) count N in [800 msec].
now(@now) :- r(X), X > 4.
later(T) :- r(X) at T in [500 msec], not r(X).
block(X) :- r(X) in [every 1 sec].
odd(X) :- r(X) in [every 600 msec from 200 msec].
hopped(X) :- r(X) in [400 msec step 800 msec].
last(X) :- r(X) in [1 #].
since(X) :- r(X) in [since r(2)].
"""

PLANNED = "planned(X) at @now + 3 :- r(X). earlier(X) at @now - 2 :- r(X). seen(X) :- earlier(X) in [1 sec]."

NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)

EVALUATORS = ("auto", "delta", "oneshot", "stamped")

Facts = Sequence[tuple[int, int]]
"""Milliseconds of the day, and values."""

stream = st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 6)), min_size=1, max_size=12).map(sorted)


def told(answers: Iterable[Answer], base: int = 0) -> list[tuple[int, tuple[str, ...]]]:
    """What holds when it changes, ticks counted from a base."""
    return [(answer.tick - base, tuple(sorted(answer.holds.texts))) for answer in answers]


def pairs(facts: Facts, day: datetime = DAY) -> list[tuple[datetime, list[str]]]:
    return [(day + at * MILLISECOND, [f"r({x})"]) for at, x in facts]


@settings(deadline=None, max_examples=number_of_examples(6), phases=NO_SHRINKING)
@given(facts=stream, length=st.sampled_from([1, 10, 50, 100]), evaluator=st.sampled_from(EVALUATORS))
def test_a_stream_of_today_has_the_answers_of_one_with_an_origin(
    facts: Facts, length: int, evaluator: str
) -> None:
    """The origin is the day; blocks of 1.0 sec are those since 1970."""
    program = f"#tick {length} msec.{TEXT}{'' if evaluator == 'delta' else PLANNED}"
    found = told(Reasoner.from_text(program, evaluator=evaluator).run(pairs(facts)))
    fixed = Reasoner.from_text(program, evaluator=evaluator, origin=DAY)
    assert found == told(fixed.run(pairs(facts)))
    ticks = [(at // length, [f"r({x})"]) for at, x in facts]
    assert found == told(Reasoner.from_text(program, evaluator=evaluator).run(ticks))


@settings(deadline=None, max_examples=number_of_examples(5), phases=NO_SHRINKING)
@given(facts=stream, evaluator=st.sampled_from(EVALUATORS), step=st.sampled_from([700, 800, 900, 1100]))
def test_blocks_and_steps_are_counted_from_1970(facts: Facts, evaluator: str, step: int) -> None:
    """What windows hold is what they hold if ticks are counted from 1970; those have 41 bits."""
    program = f"""#tick 10 msec.
    block(X) :- r(X) in [every {step} msec from 130 msec].
    hopped(X) :- r(X) in [400 msec step {step} msec].
    """
    given_day = pairs(facts, DAY + timedelta(hours=7))
    found = [*Reasoner.from_text(program, evaluator=evaluator).run(given_day, emit="windows")]
    epoch = Reasoner.from_text(program, evaluator=evaluator, origin="1970-01-01T00:00:00Z")
    base = int(DAY.timestamp()) * 100
    assert told(found) == told(epoch.run(given_day, emit="windows"), base)


@settings(deadline=None, max_examples=number_of_examples(3), phases=NO_SHRINKING)
@given(facts=stream)
def test_evaluators_agree_on_ticks_of_more_than_32_bits(facts: Facts) -> None:
    """Clingo has no such numbers, and is given them in another form where rules need them."""
    program = f"#tick 1 msec.{TEXT}sum(T+X,T*X) :- r(X) at T in [10 msec], T > 10."
    found = [
        told(Reasoner.from_text(program, evaluator=name, origin="1970-01-01T00:00:00Z").run(pairs(facts)))
        for name in EVALUATORS
    ]
    assert found[0] and all(one == found[0] for one in found)
    base = int(DAY.timestamp()) * 1000
    first, x = facts[0]
    assert (first, x) and f"sum({base + first + x},{(base + first) * x})" in found[0][0][1]


def test_programs_that_clingo_alone_evaluates() -> None:
    """A choice, an optimum and a negation cycle at ticks of 41 bits, whose numbers stay exact."""
    program = """#tick 1 msec.
    1 { take(X) : r(X) in [5 msec] } 1. :~ take(X). [-X]
    even(@now) :- r(X), not odd(@now). odd(@now) :- r(X), not even(@now).
    :- odd(T), T \\ 2 = 0. :- even(T), T \\ 2 = 1.
    """
    base = int(DAY.timestamp()) * 1000
    for evaluator in ("auto", "oneshot"):
        reasoner = Reasoner.from_text(program, evaluator=evaluator, origin="1970-01-01T00:00:00Z")
        answers = told(reasoner.run(pairs([(0, 1), (3, 2)])))
        assert answers[0] == (base, (f"even({base})", "take(1)"))
        assert (base + 3, (f"odd({base + 3})", "take(2)")) in answers


def csv_of(folder: Path, rows: Iterable[tuple[str, int]], name: str = "a.csv") -> Path:
    file = folder / name
    file.write_text("ts,x\n" + "".join(f"{time},{x}\n" for time, x in rows))
    return file


def rejected_of(reasoner: Reasoner, source: Any, **how: Any) -> tuple[list[Answer], list[str]]:
    rejected: list[Rejected] = []
    return [*reasoner.run(source, on_reject=rejected.append, **how)], [one.reason for one in rejected]


SHORT = "#tick 100 msec. #input r(x) at ts. hot(X) :- r(X)."


def ticks_of(reasoner: Reasoner, stream: Iterable[Any]) -> list[int]:
    return [answer.tick for answer in reasoner.run(stream)]


def origin_of(reasoner: Reasoner) -> str:
    return str(reasoner.session.timeline.text(0))


def test_the_day_of_the_first_record_and_the_day_before_within_the_lateness(tmp_path: Path) -> None:
    rows = [("2026-11-29T00:00:05Z", 1), ("2026-11-28T23:59:58Z", 2), ("2026-11-29T00:00:09Z", 3)]
    file = csv_of(tmp_path, rows)
    reasoner = Reasoner.from_text(SHORT)
    answers, rejected = rejected_of(reasoner, file)
    assert origin_of(reasoner) == "2026-11-29T00:00:00.000+00:00" and answers[0].tick == 50
    assert len(rejected) == 1 and "the time goes backwards: tick -20 (2026-11-28T23:59:58" in rejected[0]
    assert reasoner.statistics.inputs[str(file)].late == 1
    reasoner = Reasoner.from_text(SHORT)
    answers, rejected = rejected_of(reasoner, file, lateness=100)
    assert origin_of(reasoner) == "2026-11-28T00:00:00.000+00:00" and not rejected
    assert answers[0].tick == 863_980 and answers[0].holds.texts == ("hot(2)",)


def test_midnight_is_that_of_the_zone() -> None:
    zone = ZoneInfo("Asia/Kolkata")
    reasoner = Reasoner.from_text(SHORT, timezone="Asia/Kolkata")
    answers = [*reasoner.run([(datetime(2026, 11, 28, 20, tzinfo=UTC), ["r(1)"])])]
    assert origin_of(reasoner) == "2026-11-29T00:00:00.000+05:30"
    assert answers[0].tick == 15 * 60 * 60 * 10 // 10 and reasoner.session.timeline.zone == zone


def test_a_day_without_midnight_begins_where_clocks_go_on() -> None:
    """In Cairo clocks went from 0:00 to 1:00 on that day."""
    reasoner = Reasoner.from_text(SHORT, timezone="Africa/Cairo")
    answers = [*reasoner.run([(datetime(2026, 4, 24, 1, 0, 3), ["r(1)"])])]
    assert origin_of(reasoner) == "2026-04-24T01:00:00.000+03:00" and answers[0].tick == 30


def test_a_first_record_with_a_wrong_clock_does_not_decide(tmp_path: Path) -> None:
    right = [(f"2026-11-29T07:00:0{second}Z", second) for second in range(1, 6)]
    for wrong in ("1970-01-01T00:00:07Z", "2031-01-01T00:00:00Z"):
        reasoner = Reasoner.from_text(SHORT)
        answers, rejected = rejected_of(reasoner, csv_of(tmp_path, [(wrong, 9), *right]))
        assert origin_of(reasoner) == "2026-11-29T00:00:00.000+00:00"
        assert len(rejected) == 1 and "clock" in rejected[0]
        assert answers[0].tick == 252_010 and answers[0].holds.texts == ("hot(1)",)


def test_the_earliest_of_several_files_decides(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    csv_of(folder, [("2026-11-29T07:00:00Z", 1)], "a.csv")
    csv_of(folder, [("2026-11-27T07:00:00Z", 2)], "b.csv")
    reasoner = Reasoner.from_text(SHORT)
    answers, _ = rejected_of(reasoner, folder)
    assert origin_of(reasoner) == "2026-11-27T00:00:00.000+00:00" and answers[0].holds.texts == ("hot(2)",)


def test_streams_without_times_and_of_1970_are_as_before() -> None:
    reasoner = Reasoner.from_text(SHORT)
    assert ticks_of(reasoner, [(3, ["r(1)"]), (5, ["r(2)"])])[0] == 3
    assert origin_of(reasoner) == "1970-01-01T00:00:00.000+00:00"
    reasoner = Reasoner.from_text(SHORT)
    assert ticks_of(reasoner, [(datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC), ["r(1)"])])[0] == 20


def test_ticks_of_a_second_count_from_1970() -> None:
    reasoner = Reasoner.from_text("#tick 1 sec. hot(X) :- r(X).")
    assert ticks_of(reasoner, pairs([(5000, 1)]))[0] == int(DAY.timestamp()) + 5


TIMED = """#tick 10 msec. #types seen(any,time), past(any).
#input seen(x, time(at)) at ts.
past(X) :- seen(X,T), T < "2026-11-29T06:00:00Z".
late(X) :- seen(X,T), T < @now.
#calendar hour(H).
at(H,X) :- seen(X,_), hour(H).
#timezone "Europe/Vienna".
"""


def test_times_among_arguments_and_in_rules_and_the_calendar(tmp_path: Path) -> None:
    """The time of the record decides, and not one among its arguments that is read before."""
    file = tmp_path / "a.jsonl"
    file.write_text(
        '{"x":1,"at":"2026-11-20T05:00:00Z","ts":"2026-11-29T07:00:00Z"}\n'
        '{"x":2,"at":"2026-11-29T07:00:01Z","ts":"2026-11-29T07:00:01Z"}\n'
    )
    for evaluator in EVALUATORS:
        reasoner = Reasoner.from_text(TIMED, evaluator=evaluator)
        answers = [*reasoner.run(file)]
        assert origin_of(reasoner) == "2026-11-29T00:00:00.00+01:00"[:20] + "000+01:00"
        assert [texts for _, texts in told(answers)][0::2] == [
            ("at(8,1)", "late(1)", "past(1)"),
            ("at(8,2)",),
        ]


def test_snapshots_keep_the_origin_over_midnight() -> None:
    """A run that goes on the next day counts from the same origin, and knows it from one with another."""
    today, tomorrow = pairs([(500, 1), (900, 5)]), pairs([(100, 6), (900, 1)], DAY + timedelta(days=1))
    program = f"#tick 100 msec.{TEXT}"
    whole = Reasoner.from_text(program)
    expected = told(whole.run([*today, *tomorrow]))
    before = Reasoner.from_text(program)
    found = told(before.run(today))
    after = Reasoner.from_text(program)
    after.resume(before.snapshot())
    assert found + told(after.run(tomorrow)) == expected
    assert origin_of(after) == "2026-11-29T00:00:00.000+00:00"
    same = Reasoner.from_text(program, origin=DAY)
    same.resume(before.snapshot())
    assert told(same.run(tomorrow)) == expected[len(found) :]
    with pytest.raises(SnapshotError, match="tick 0 is 2026-11-29T00:00:00"):
        Reasoner.from_text(program, origin="1970-01-01T00:00:00Z").resume(before.snapshot())


def test_a_snapshot_of_another_program_leaves_the_reasoner_as_it_was() -> None:
    before = Reasoner.from_text(f"#tick 100 msec.{TEXT}")
    [*before.run(pairs([(500, 1)]))]
    after = Reasoner.from_text(SHORT)
    with pytest.raises(SnapshotError, match="another program"):
        after.resume(before.snapshot())
    assert ticks_of(after, pairs([(500, 1)], datetime(2027, 1, 1, tzinfo=UTC)))[0] == 5


def test_step_and_until_and_why() -> None:
    reasoner = Reasoner.from_text(SHORT, explain_last=100)
    later = DAY + timedelta(days=2)
    answer = reasoner.step(DAY + 700 * MILLISECOND, ["r(1)"], until=later)
    assert answer.tick == 7 and origin_of(reasoner) == "2026-11-29T00:00:00.000+00:00"
    assert "2026-11-29 00:00:00.700" in reasoner.why("hot(1)", DAY + 700 * MILLISECOND).to_text()
    reasoner = Reasoner.from_text(SHORT)
    answers = [*reasoner.run(iter(pairs([(500, 1), (900, 2)])), until=later)]
    assert answers[0].tick == 5 and reasoner.now == 2 * 864_000
    with pytest.raises(InputError, match="until must be a tick number here: for a time add #origin"):
        Reasoner.from_text(SHORT).run_live("-", lambda _: None, until=later, on_reject="stop")


def test_a_start_before_the_first_record_decides(tmp_path: Path) -> None:
    file = csv_of(tmp_path, [("2026-11-29T07:00:00Z", 1)])
    reasoner = Reasoner.from_text(SHORT, start=DAY - timedelta(days=1))
    rejected_of(reasoner, file)
    assert origin_of(reasoner) == "2026-11-28T00:00:00.000+00:00" and reasoner.start == 0


def test_two_reasoners_of_one_plan_have_origins_of_their_own() -> None:
    plan = compile_program(text_source(SHORT, None))
    days = [DAY, DAY + timedelta(days=3)]
    reasoners = [Reasoner(plan) for _ in days]
    for reasoner, day in zip(reasoners, days, strict=True):
        assert ticks_of(reasoner, pairs([(500, 1)], day))[0] == 5
    assert [origin_of(one)[:10] for one in reasoners] == ["2026-11-29", "2026-12-02"]
