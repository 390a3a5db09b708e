"""Records as JSON lines."""

import io
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.text.numbered_lines import FileLines
from lars2asp.runtime.sources.times.timeline import Timeline
from tests.support.records import in_short

SECONDS = Timeline(1_000_000)


def test_json_lines() -> None:
    lines = [
        '{"time": 3, "facts": ["p(a,1)", "q"]}\n',
        "\n",
        '{"time": 3, "begin": ["on(m)"]}\n',
        '{"time": 9, "end": ["on(m)"], "facts": []}\n',
        '{"time": 9, "facts": ["p(a)"], "until": 12}\n',
        '{"time": "1970-01-01T00:00:20Z"}',
    ]
    rejected: list[Rejected] = []
    records = list(Reading(Format.JSONL, SECONDS).records(lines, "x", rejected.append))
    assert rejected == []
    assert in_short(records) == ["3: p(a,1) q", "3: +on(m)", "9: -on(m)", "9: p(a) until 12", "20: "]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{bad", "broken JSON"),
        ('{"time": 1\n', "broken JSON: Expecting ',' delimiter at column 11"),
        ("[" * 100_000, "broken JSON"),
        ('{"time": ' + "[" * 900 + "]" * 900 + "}", "a list is no integer and no"),
        ('{"k' + "e" * 1000 + '": 1}', r"unknown key 'ke"),
        ("3", "a record is an object"),
        ("{}", "no time"),
        ('{"time": 1, "fact": ["p"]}', "unknown key 'fact'"),
        ('{"time": 1, "facts": "p"}', "facts must be a list"),
        ('{"time": 1, "facts": [1]}', "facts must be a list"),
        ('{"time": 1, "facts": ["p(X)"]}', "contains the variable X"),
        ('{"time": 1.5}', "is no integer and no timestamp"),
        ('{"time": 1, "until": 3}', "until needs facts"),
        ('{"time": 1, "facts": ["p"], "until": null}', "is no integer and no timestamp"),
        ('{"time": 1, "facts": ["p(\\"\udcff\\")"]}', "not UTF-8"),
        ('{"time": 1, "facts": ["p(\\"\\ud800\\")"]}', "not UTF-8"),
        ('{"time": 1, "facts": ["p(\\u0000)"]}', "null character"),
    ],
)
def test_bad_json_lines_are_rejected_and_good_ones_around_them_taken(line: str, reason: str) -> None:
    rejected: list[Rejected] = []
    good = '{"time": 0, "facts": ["p"]}'
    records = list(Reading(Format.JSONL, SECONDS).records([good, line, good], "in.jsonl", rejected.append))
    assert in_short(records) == ["0: p", "0: p"]
    [only] = rejected
    assert reason in only.reason
    assert str(only.origin) == "in.jsonl:2"


LINES = [
    '{"time": 1, "facts": ["p(1)"]}',
    '{"time": 2, "facts": ["p(2)", "q(a)"]}',
    '{"time": 2, "facts": ["p(7)", "p(8)"], "until": 9}',
    '{"facts": ["p(3)"], "time": 3}',
    '{"time": 4, "begin": ["q(b)"], "end": ["p(2,3)"]}',
    '{"time": 5}',
    '{"time": 6, "facts": []}',
    '{"time": 7, "facts": ["p(X)"]}',
    '{"time": 7, "facts": ["r(\\"{\\")"]}',
    '{"time": 8, "facts": [["p"]]}',
    '{"time": 8, "facts": [{}',
    '{}], "facts": ["p(1)"], "time": 3}',
    '{"time": 9, "facts": ["p(4)"]}, {"time": 9, "facts": ["p(5)"]}',
    '{"time": 9, "facts": ["p(4)"]}, 3',
    '{"time": 123456789012345678901, "facts": ["p(1)"]}',
    '{"time": NaN}',
    '{"time": 3, "facts": ["p(\udcff)"]}',
    '{"time": 3, "facts": ["p(\\"\\ud800\\")"]}',
    '{"time": 3, "facts": ["p(1',
    ')"]}',
    "",
    "  ",
    "[]",
    "null",
    "3",
    "x" * 200,
    '{"time": 10, "facts": ["p(1)"]}' + " " * 200,
]


@given(
    st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(["\n", "\n", "\r\n", "\r"]), st.booleans()
)
@example([LINES[0], LINES[10], LINES[11], LINES[12]], "\n", False)
@example([LINES[18], LINES[19]], "\n", False)
@example([LINES[-1]], "\n", False)
@example([LINES[0]] * 9, "\n", True)
def test_lines_of_a_file_are_read_together_as_they_are_one_by_one(
    texts: list[str], end: str, has_mark: bool
) -> None:
    data = ("\ufeff" * has_mark + end.join(texts)).encode(errors="surrogateescape")
    reading = Reading(Format.JSONL, SECONDS, largest_record=100)
    together = read(reading, FileLines(io.BytesIO(data), 100))  # type: ignore[arg-type]
    assert together == read(reading, (line for line in FileLines(io.BytesIO(data), 100)))  # type: ignore[arg-type]
    assert len(together[0]) + len(together[1]) <= len(texts)


def read(reading: Reading, lines: Iterable[str]) -> tuple[list[Any], list[Rejected]]:
    """The records and the rejected ones, with the texts of their lines."""
    rejected: list[Rejected] = []
    records = list(reading.records(lines, "x", rejected.append))
    return [(record.tick, record.events, *told(record)) for record in records], rejected


def told(record: Record) -> tuple[int, str]:
    """The line of a record and its text."""
    assert record.origin is not None
    return record.origin.line, record.origin.text
