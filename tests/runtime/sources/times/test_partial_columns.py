"""Times that name no year, or no date, are the same in columns as one by one."""

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain, islice
from pathlib import Path
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.partial_ticks import PartialTicks
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.times.time_texts import TimeTexts

SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
FORMS = ["%b %d %H:%M:%S", "%H:%M:%S", "%d.%m. %H:%M", "%b %d %H:%M:%S.%f %a"]
STEPS = [
    0 * DAY,
    SECOND,
    7 * SECOND,
    20 * 60 * SECOND,
    HOUR,
    5 * HOUR,
    20 * HOUR,
    DAY,
    40 * DAY,
    170 * DAY,
    200 * DAY,
]
STEPS += [-SECOND, -HOUR, -4 * HOUR, -8 * HOUR, -DAY, -100 * DAY, -190 * DAY]
BEGINS = [
    datetime(2026, 12, 31, 23, 58),
    datetime(2027, 6, 1, 12),
    datetime(2028, 2, 28, 20),
    datetime(2027, 2, 28, 20),
    datetime(2027, 10, 31, 0, 30),
    datetime(2027, 3, 28, 1, 30),
]
BAD = [
    "Feb 30 10:00:00",
    "Feb 29 10:00:00",
    "Jan  5 24:00:00",
    "24:00:00",
    "31.12. 24:00",
    "x",
    "",
    "10:60:00",
]
RUNS = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(1, 40)), min_size=1, max_size=6)
WRITERS = {
    "log": ("{time} in u{v}", 'q(v) from "^{time:text} in u{v:int}$" at time', ""),
    "syslog": ("{time} host in u{v}", 'q(v) from "^{} in u{v:int}$" at', ""),
    "csv": ("{time},{v}", "q(v) at time", "time,v"),
    "jsonl": ('{{"time": "{time}", "v": {v}}}', "q(v) at time", ""),
}


def reading_of(kind: str, form: str, zone: str, more: str) -> Reading:
    program = f'#tick 2 sec. #timezone "{zone}". {more} #input {WRITERS[kind][1]} "{form}". a(X) :- q(X).'
    return Reasoner.from_text(program).reading


def texts_of(
    form: str, begin: datetime, runs: Sequence[tuple[timedelta, int]], bad: dict[int, str]
) -> list[str]:
    at, texts = begin, list[str]()
    for step in chain.from_iterable([step] * number for step, number in runs):
        at = max(datetime(1990, 1, 1), at + step)
        text = f"{at:{form}}"
        texts.append(text.replace(" 0", "  ", 1) if form == FORMS[0] and at.minute % 2 else text)
    for place, text in bad.items():
        if place < len(texts):
            texts[place] = text
    return texts


def found(file: Path, reading: Reading, stop: int | None = None) -> list[object]:
    """What is read, after an interruption behind so many records."""
    read: list[Record | Rejected] = []
    with FileInput(str(file), reading, read.append) as source:
        source.in_columns = stop is None
        if stop is None:
            for part in source.parts():
                read += part
        else:
            read += islice(source.records(), stop)
            state = source.state()
    if stop is not None:
        with FileInput(str(file), reading, read.append) as source:
            source.restore(state)
            read += source.records()
    return [*map(shown, read)]


def shown(one: Record | Rejected) -> object:
    if isinstance(one, Rejected):
        return type(one), one.reason, one.origin.line
    assert one.origin is not None
    return int(one.tick), type(one.tick), getattr(one.tick, "moment", None), one.events, one.origin.line


@example(
    kind="log",
    form=FORMS[0],
    zone="Europe/Vienna",
    begin=BEGINS[0],
    runs=[(SECOND, 40), (HOUR, 40)],
    bad={},
    is_known=True,
    lateness=0,
    stop=30,
    is_fine=True,
)
@given(
    kind=st.sampled_from([*WRITERS]),
    form=st.sampled_from(FORMS),
    zone=st.sampled_from(["Europe/Vienna", "UTC", "Asia/Kolkata"]),
    begin=st.sampled_from(BEGINS),
    runs=RUNS,
    bad=st.dictionaries(st.integers(0, 100), st.sampled_from(BAD), max_size=2),
    is_known=st.booleans(),
    lateness=st.sampled_from([0, 300, 200 * 43200, 500 * 43200]),
    stop=st.integers(0, 100),
    is_fine=st.booleans(),
)
def test_columns_are_as_one_by_one(
    kind: str,
    form: str,
    zone: str,
    begin: datetime,
    runs: list[tuple[timedelta, int]],
    bad: dict[int, str],
    is_known: bool,
    lateness: int,
    stop: int,
    is_fine: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    line, _, header = WRITERS[kind]
    texts = texts_of(form, begin, runs, bad)
    file = tmp_path_factory.mktemp("log") / f"a.{kind}"
    lines = [line.format(time=text, v=v) for v, text in enumerate(texts)]
    file.write_text("".join(f"{one}\n" for one in ([header] if header else []) + lines))
    changed = (begin + sum((step * number for step, number in runs), HOUR)).replace(tzinfo=ZoneInfo(zone))
    os.utime(file, (changed.timestamp(),) * 2)
    reading = reading_of(kind, form, zone, '#origin "2026-01-01T00:00:00".' if is_known else "")
    timeline = replace(reading.timeline, is_fine=is_fine)
    reading = replace(reading, timeline=timeline, lateness=lateness, format=reading.format_of(file.name))
    with patch.object(TimeTexts, "partial_ticks", lambda *_: None):
        expected = found(file, reading)
    assert found(file, reading) == expected
    assert found(file, reading, stop) == expected


@pytest.mark.parametrize("kind", [*WRITERS])
def test_times_of_one_year_are_columns(kind: str, tmp_path: Path) -> None:
    line, _, header = WRITERS[kind]
    file = tmp_path / f"a.{kind}"
    texts = texts_of(FORMS[0], BEGINS[0], [(SECOND, 300)], {})
    file.write_text(
        "".join(
            f"{one}\n" for one in [*filter(None, [header]), *(line.format(time=one, v=1) for one in texts)]
        )
    )
    reading = reading_of(kind, FORMS[0], "Europe/Vienna", '#origin "2026-01-01T00:00:00".')
    with FileInput(
        str(file), replace(reading, format=reading.format_of(file.name)), lambda _: None
    ) as source:
        source.in_columns = True
        blocks = [block for block in source.parts() if isinstance(block, RecordColumns)]
        assert not any(isinstance(block.ticks, PartialTicks) for block in blocks)
    assert sum(map(len, blocks)) == 298  # the first record of a file, and of a year, stand by themselves
