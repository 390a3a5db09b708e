"""The calendar in runs: what it costs, states, parts, and what the input may not tell of it."""

from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.errors import InputError, SnapshotError
from tests.support.splits import described_parts

NIGHT = """
#tick 1 sec.
#timezone "Europe/Vienna".
#origin "2025-10-26T00:00".
#calendar hour(H), date(Y,M,D).
seen(X,H) :- v(X), hour(H).
past(H) :- hour(H) in [1 hour], v(_) in [2 hour].
before(H) :- hour(H) in [1 hour], not hour(H).
"""


@pytest.mark.parametrize("evaluator", ["delta", "external"])
def test_an_hour_that_comes_twice_is_one_interval(evaluator: str) -> None:
    """Hour 2 of the night has the ticks from 7200 to 14399."""
    reasoner = Reasoner.from_text(NIGHT, evaluator=evaluator, start=7000)
    ticks = (7100, 7200, 14399, 14400, 17999, 18000)
    found = [reasoner.step(tick, ["v(1)"]).holds.texts for tick in ticks]
    assert [[one for one in texts if one[0] != "p"] for texts in found] == [
        ["seen(1,1)"],
        ["before(1)", "seen(1,2)"],
        ["seen(1,2)"],
        ["before(2)", "seen(1,3)"],
        ["before(2)", "seen(1,3)"],
        ["before(3)", "seen(1,4)"],
    ]


def test_only_what_rules_read_is_looked_at_and_when_it_changes() -> None:
    """Five hours with two ticks each at which `before` changes, out of 18,000."""
    reasoner = Reasoner.from_text(NIGHT.replace("date(Y,M,D)", "minute_of_day(M)"), start=0)
    reasoner.step(0)
    reasoner.step(18_000)
    assert reasoner.statistics.ticks <= 12


def test_a_state_goes_on_within_an_hour() -> None:
    whole, first, second = (Reasoner.from_text(NIGHT) for _ in range(3))
    for reasoner in (whole, first):
        reasoner.step(3000, ["v(1)"])
    second.resume(first.snapshot())
    for tick in (3500, 3600, 7300, 12000, 16000):
        assert second.step(tick, ["v(2)"]).holds.texts == whole.step(tick, ["v(2)"]).holds.texts


def test_a_state_is_of_a_zone() -> None:
    reasoner = Reasoner.from_text(NIGHT)
    reasoner.step(3000, ["v(1)"])
    with pytest.raises(SnapshotError, match="of another program"):
        Reasoner.from_text(NIGHT.replace("Vienna", "Paris")).resume(reasoner.snapshot())


def test_the_input_tells_nothing_of_the_calendar() -> None:
    with pytest.raises(InputError, match="hour/1 is part of the calendar: #calendar computes its atoms"):
        Reasoner.from_text(NIGHT).step(0, ["hour(3)"])


def test_all_parts_have_the_calendar() -> None:
    """It is no input that keys must lead to."""
    assert described_parts(NIGHT) == ["seen1 from hour v1", "past from hour v", "before from hour"]


def test_holidays_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "days.csv").write_text('date,name\n2025-10-26,"National Day, Austria"\n', encoding="utf-8")
    program = tmp_path / "days.lars"
    program.write_text(
        '#tick 1 hour. #timezone "Europe/Vienna". #origin "2025-10-25T00:00".\n'
        '#calendar holiday(N) from "days.csv".\nday(N) :- holiday(N).\n',
        encoding="utf-8",
    )
    reasoner = Reasoner.from_file(program)
    found = [reasoner.step(tick).holds.texts for tick in (23, 24, 48, 49)]
    assert [len(texts) for texts in found] == [0, 1, 1, 0]
    assert list(found[1]) == ['day("National Day, Austria")']
