"""Records as JSON lines."""

import pytest

from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Rejected
from lars2asp.runtime.sources.timeline import Timeline
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
        ("[" * 100_000, "broken JSON"),
        ('{"time": ' + "[" * 900 + "]" * 900 + "}", "a list is neither an integer nor"),
        ('{"k' + "e" * 1000 + '": 1}', r"unknown key 'ke"),
        ("3", "a record is an object"),
        ("{}", "no time"),
        ('{"time": 1, "fact": ["p"]}', "unknown key 'fact'"),
        ('{"time": 1, "facts": "p"}', "facts must be a list"),
        ('{"time": 1, "facts": [1]}', "facts must be a list"),
        ('{"time": 1, "facts": ["p(X)"]}', "is not ground"),
        ('{"time": 1.5}', "neither an integer nor"),
        ('{"time": 1, "until": 3}', "until needs facts"),
        ('{"time": 1, "facts": ["p"], "until": null}', "neither an integer nor"),
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
