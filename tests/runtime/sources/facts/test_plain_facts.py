"""Records as plain lines of facts."""

import pytest

from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from tests.support.records import in_short

SECONDS = Timeline(1_000_000)


def test_plain_facts() -> None:
    lines = ["3: p(a,1), q\n", "% comment\n", "4:", " 5 : r.\n", '1970-01-01 00:00:06Z: s("a: b").\n']
    rejected: list[Rejected] = []
    assert in_short(list(Reading(Format.FACTS, SECONDS).records(lines, "x", rejected.append))) == [
        "3: p(a,1) q",
        "4: ",
        "5: r",
        '6: s("a: b")',
    ]
    assert rejected == []


@pytest.mark.parametrize(
    "line", ["p(1)", "3 p", "3: p(X)", "3: p q", "x: p", "3: p(1.5)", ": p", "--3: p", "3: p,."]
)
def test_bad_plain_facts(line: str) -> None:
    rejected: list[Rejected] = []
    assert list(Reading(Format.FACTS, SECONDS).records([line], "x", rejected.append)) == []
    assert len(rejected) == 1
