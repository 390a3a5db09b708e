"""Runs by the clock; the clock is advanced by hand."""

import io
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

import pytest

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.connectors.clock import MachineClock
from lars2asp.runtime.connectors.inbox import ArrivedLine, LineInbox
from lars2asp.runtime.connectors.text_feed import TextFeed
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.given_ticks import Every
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.runs.wall_time import WallTimeRun
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, Rejected, refuse
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.tuning import DEFAULT, Tuning

SECOND = 1_000_000


@dataclass
class Script:
    """A clock, and lines that arrive at moments (in seconds); the next one when the clock comes to it."""

    lines: list[tuple[float, str]]
    ends_at: float
    now: int = 0
    waits: list[float | None] = field(default_factory=list)

    def microseconds(self) -> int:
        return self.now

    def take(self, until: int | None) -> ArrivedLine | None:
        self.waits.append(None if until is None else until / SECOND)
        at = int((self.lines[0][0] if self.lines else self.ends_at) * SECOND)
        if until is not None and at >= until and at > self.now:
            self.now = max(self.now, until)
            return None
        self.now = max(self.now, at)
        if not self.lines:
            self.ends_at = 1e9
            return ArrivedLine(at, None)
        _, text = self.lines.pop(0)
        return ArrivedLine(at, Line("script", len(self.waits), text))


def run(
    program: str,
    lines: Sequence[tuple[float, str]],
    *,
    lateness: int = 0,
    every: Every = None,
    until: int | None = None,
    ends_at: float = 60,
    kind: Format = Format.FACTS,
    largest_gap: int | None = None,
    tuning: Tuning = DEFAULT,
) -> tuple[list[tuple[float, int, str]], list[str], Script]:
    """What is written, with the time by the clock; what is rejected; and the script."""
    script = Script(list(lines), ends_at)
    written: list[tuple[float, int, str]] = []
    rejected: list[Rejected] = []
    reasoner = Reasoner.from_text(program, start=0, largest_gap=largest_gap, tuning=tuning)
    reading = Reading(kind, Timeline(SECOND), reasoner.plan.inputs)

    def write(answer: Answer) -> None:
        written.append((script.now / SECOND, answer.tick, " ".join(answer.holds.texts)))

    WallTimeRun(
        reasoner.session,
        every,
        write,
        rejected.append,
        reading=reading,
        reader_of=partial(LiveReader, on_reject=rejected.append),
        clock=script,
        lateness=lateness,
    ).over(script, until)
    return written, [each.reason for each in rejected], script


def test_answers_change_on_time_without_input() -> None:
    """A record without a time is told for the next tick that begins."""
    written, rejected, script = run(
        "#tick 1 sec. box(X) :- on(X) always in [5], on(X) in {5}. seen(X) :- p(X) in [3]. "
        "later at T+9 :- p(_) at T in [2].",
        [(2.3, '{"begin": ["on(1)"]}'), (2.4, '{"facts": ["p(1)"]}'), (10.5, '{"end": ["on(1)"]}')],
        kind=Format.JSONL,
    )
    assert written == [
        (3, 3, "seen(1)"),
        (7, 7, ""),
        (8, 8, "box(1)"),
        (11, 11, ""),
        (12, 12, "later"),
        (13, 13, ""),
    ]
    assert not rejected
    assert len(script.waits) < 20


def test_nothing_to_do_means_waiting_without_end() -> None:
    *_, script = run("#tick 1 sec. a(X) :- p(X) in [2].", [(1.5, "p(1)")], ends_at=1000)
    assert script.waits[-1] is None
    assert len(script.waits) < 8


def test_records_with_times_wait_for_their_tick() -> None:
    """A tick is over when it begins, or so much later as late records are waited for."""
    program = "#tick 1 sec. a(X) :- p(X)."
    lines = [(0.5, "9: p(9)"), (4.2, "5: p(5)"), (4.3, "4: p(4)"), (4.4, "p(0)"), (9.7, "8: p(8)")]
    written, rejected, _ = run(program, lines)
    assert written == [(5, 5, "a(0) a(5)"), (6, 6, ""), (9, 9, "a(9)"), (10, 10, "")]
    assert rejected == [
        "late: tick 4 (1970-01-01T00:00:04+00:00) was already over; to accept all records so far, "
        "add --lateness '1 sec'",
        "late: tick 8 (1970-01-01T00:00:08+00:00) was already over; to accept all records so far, "
        "add --lateness '2 sec'",
    ]
    written, rejected, _ = run(program, lines, lateness=2)
    assert written == [
        (6, 4, "a(4)"),
        (7, 5, "a(0) a(5)"),
        (8, 6, ""),
        (10, 8, "a(8)"),
        (11, 9, "a(9)"),
        (12, 10, ""),
    ]
    assert not rejected


def test_a_reasoner_that_is_behind_goes_by_the_times_of_arrival() -> None:
    """No record comes too late because the ones before it took long."""

    class Slow(Script):
        def take(self, until: int | None) -> ArrivedLine | None:
            arrived = super().take(until)
            if arrived is not None and arrived.line is not None:
                self.now = max(self.now, 30 * SECOND)
            return arrived

    script = Slow([(1.5, "p(1)"), (3.5, "p(3)"), (3.6, "7: p(7)"), (8.5, "p(8)")], 60)
    written: list[tuple[int, tuple[str, ...]]] = []
    rejected: list[Rejected] = []
    WallTimeRun(
        Reasoner.from_text("#tick 1 sec. a(X) :- p(X).", start=0).session,
        None,
        lambda answer: written.append((answer.tick, answer.holds.texts)),
        rejected.append,
        reading=Reading(Format.FACTS, Timeline(SECOND)),
        reader_of=partial(LiveReader, on_reject=rejected.append),
        clock=script,
    ).over(script, None)
    assert written == [
        (2, ("a(1)",)),
        (3, ()),
        (4, ("a(3)",)),
        (5, ()),
        (7, ("a(7)",)),
        (8, ()),
        (9, ("a(8)",)),
        (10, ()),
    ]
    assert not rejected


def test_every_and_until() -> None:
    written, _, script = run(
        "#tick 1 sec. a(X) :- p(X) in [2].", [(2.5, "p(1)")], every=2, until=7, ends_at=3.0
    )
    assert written == [(0, 0, ""), (2, 2, ""), (4, 4, "a(1)"), (6, 6, "")]
    assert script.now == 7 * SECOND


#   tick     0   1 | 2   3 | 4   5 | 6   7 | 8   9     the last tick of a block is answered when it begins
#   p              |     a |       |       |           what arrives at 2.5 is told at 3
def test_a_window_that_ends_is_an_event_by_the_clock() -> None:
    program = "#tick 1 sec. n(N) :- N = #count{ X : p(X) in [every 2] }."
    written, _, _ = run(program, [(2.5, "p(a)")], every="windows", until=9, ends_at=2.6)
    assert written == [
        (float(tick), tick, f"n({n})") for tick, n in ((0, 0), (1, 0), (3, 1), (5, 0), (7, 0), (9, 0))
    ]


def test_bad_records_and_tables() -> None:
    written, rejected, _ = run("#tick 1 sec. a(X) :- p(X).", [(0.5, "p(1) q"), (0.6, "p(2)")])
    assert written == [(1, 1, "a(2)"), (2, 2, "")]
    assert len(rejected) == 1
    with pytest.raises(
        InputError, match="the program does not declare how the rows of a live table become facts"
    ):
        run("#tick 1 sec. a(X) :- p(X).", [(0.5, "p(1)")], kind=Format.CSV)
    with pytest.raises(
        InputError, match=r"format parquet cannot be followed.* a live format \(jsonl, csv, facts"
    ):
        run("#tick 1 sec. a(X) :- p(X).", [(0.5, "p(1)")], kind=Format.PARQUET)


def test_rows_without_a_time_have_that_of_their_arrival() -> None:
    """So have JSON records with fields of their own; not where the declaration names the time."""
    rows = [(0.2, "x"), (0.5, "1"), (2.5, "2"), (2.6, "x")]
    records = [(0.5, '{"x": 1}'), (2.5, '{"x": 2, "time": 3}'), (2.6, '{"x": 3}')]
    program = "#tick 1 sec. #input p(x). a(X) :- p(X)."
    written, rejected, _ = run(program, rows, kind=Format.CSV)
    assert written == [(1, 1, "a(1)"), (2, 2, ""), (3, 3, 'a(2) a("x")'), (4, 4, "")]
    assert rejected == []
    written, rejected, _ = run(program, records, kind=Format.JSONL)
    assert written == [(1, 1, "a(1)"), (2, 2, ""), (3, 3, "a(2) a(3)"), (4, 4, "")]
    assert rejected == []
    named = program.replace("p(x)", "p(x) at ts")
    assert run(named, rows, kind=Format.CSV)[1][0].startswith("no column 'ts' for #input p")
    assert run(named, records, kind=Format.JSONL)[1][0].startswith("no field 'ts' for #input p")


def test_the_machines_clock_does_not_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = MachineClock()
    before = clock.microseconds()
    monkeypatch.setattr("time.time_ns", lambda: 0)
    assert 0 <= clock.microseconds() - before < 60 * SECOND


def test_the_inbox_holds_the_source_back() -> None:
    """So many lines wait, and one more is in the hands of the feed; nothing is lost."""
    emitted = 0

    class Fast:
        name = "fast"

        def run(self, emit: object, stop: threading.Event) -> None:
            nonlocal emitted
            for number in range(500):
                emit(Line("fast", number, str(number)))  # type: ignore[operator]
                emitted += 1

    with LineInbox(Fast(), MachineClock(), size=7) as inbox:
        lines = inbox.lines()
        assert next(lines).number == 0
        assert emitted <= 9
        assert len(inbox) <= 7
        assert [line.number for line in lines] == list(range(1, 500))


def test_the_inbox_hands_on_what_went_wrong() -> None:
    class Broken:
        name = "broken"

        def run(self, emit: object, stop: threading.Event) -> None:
            raise InputError("broken: mend it")

    with LineInbox(Broken(), MachineClock()) as inbox, pytest.raises(InputError, match="mend it"):
        list(inbox.lines())


def test_a_file_that_grows() -> None:
    reader, writer = os.pipe()
    found: list[str] = []
    stop = threading.Event()

    class Growing(io.RawIOBase):
        """Has no more for now, at first, and then again."""

        def read(self, size: int = -1) -> bytes | None:
            piece = b"" if len(pieces) % 2 else os.read(reader, size)
            pieces.append(piece)
            if len(pieces) > 8:
                stop.set()
            return piece

    pieces: list[bytes] = []
    for text in (b"one\ntw", b"o\n", b"\xffthree\nrest", b" of it"):
        os.write(writer, text)
    os.close(writer)
    TextFeed("growing", Growing, is_followed=True).run(lambda line: found.append(line.text), stop)
    os.close(reader)
    assert found == ["one", "two", "\udcffthree"]
    with io.FileIO(os.open(os.devnull, os.O_RDONLY)) as empty:
        TextFeed("empty", lambda: empty, is_followed=False).run(lambda line: found.append(line.text), stop)
    assert len(found) == 3


def test_by_the_clock_no_gap_is_too_large() -> None:
    """It is real time."""
    tuning = Tuning(many_ticks=10, gap_sample=5)
    program = "#tick 1 sec. a(X) :- p(X). b at @now+1 :- q in [50]."
    lines = [(0.5, "q"), (40.5, "p(1)")]
    for largest_gap in (None, 1):
        written, rejected, _ = run(program, lines, until=42, largest_gap=largest_gap, tuning=tuning)
        assert (41, 41, "b a(1)") in written or (41, 41, "a(1) b") in written
        assert not rejected


def test_days_of_ticks_are_over_by_the_clock() -> None:
    """The day on which clocks are put forward has 23 hours, also where late records are waited for."""
    begin = datetime.fromisoformat("2026-03-28T00:00+01:00").timestamp()
    program = '#tick 1 day. #timezone "Europe/Vienna". #origin "2026-03-28". a(X) :- p(X) in {1}.'
    lines = [(begin + 60, "p(1)"), (begin + 46.5 * 3600, "p(2)")]
    for lateness, hours in ((0, [47, 71, 95]), (1, [71, 95, 119])):
        reasoner = Reasoner.from_text(program, start=0)
        written: list[tuple[float, int, tuple[str, ...]]] = []
        script = Script([*lines], begin + 10**6)

        def write(answer: Answer, to: list[Any] = written, script: Script = script) -> None:
            to.append(((script.now / SECOND - begin) / 3600, answer.tick, answer.holds.texts))

        WallTimeRun(
            reasoner.session,
            None,
            write,
            refuse,
            reading=Reading(Format.FACTS, reasoner.session.timeline),
            reader_of=partial(LiveReader, on_reject=refuse),
            clock=script,
            lateness=lateness,
        ).over(script, None)
        assert written == [*zip(hours, [2, 3, 4], [("a(1)",), ("a(2)",), ()], strict=True)]
