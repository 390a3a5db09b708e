"""Shifts and steps by the clock of a zone, on days on which clocks change: every evaluator, and explanations.

What is expected is worked out quarter by quarter with zoneinfo alone.
"""

import json
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.support.command_line import lines, run

QUARTER = timedelta(minutes=15)
PROGRAM = """
#tick 15 min.
#timezone "{zone}".
#input used(int(v), int(n)) at ts.
shift(S) :- S = #sum {{ V,N : used(V,N) in [every 8 hour from 6 hour] }}.
part(S) :- S = #sum {{ V,N : used(V,N) in [every 1 hour] }}.
half(S) :- S = #sum {{ V,N : used(V,N) in [1 tick .. 12 hour step 6 hour] }}.
"""
DAYS = {
    "Europe/Vienna": "2026-10-24",
    "America/New_York": "2026-03-07",
    "Asia/Kolkata": "2026-05-01",
    "Australia/Lord_Howe": "2026-04-04",
    "Africa/Casablanca": "2026-02-14",
}


def _data(folder: Path, zone: str) -> list[tuple[datetime, int]]:
    """Records of three days, one each quarter of an hour; and what they say."""
    begin = datetime.fromisoformat(DAYS[zone]).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    told = [(begin + QUARTER * number, number * 37 % 101) for number in range(4 * 24 * 3)]
    (folder / "p.lars").write_text(PROGRAM.format(zone=zone), encoding="utf-8")
    text = "".join(
        json.dumps({"ts": when.isoformat(), "v": value, "n": number}) + "\n"
        for number, (when, value) in enumerate(told)
    )
    (folder / "used.jsonl").write_text(text, encoding="utf-8")
    return told


def _blocks(told: list[tuple[datetime, int]], zone: ZoneInfo, hours: int, base: int) -> dict[datetime, int]:
    """The sum of each block that is over, by the moment at which it ends.

    For these days and lengths no border is shown twice but by blocks of an hour, for which the offset counts.
    """

    def block(one: tuple[datetime, int]) -> object:
        local = one[0].astimezone(zone)
        shown = local.replace(tzinfo=None) - timedelta(hours=base)
        number = (shown - datetime(1970, 1, 1)) // timedelta(hours=hours)
        return (number, local.fold) if hours == 1 else number

    groups = [[*group] for _, group in groupby(told, block)]
    return {group[-1][0]: sum(value for _, value in group) for group in groups[1:-1]}


@pytest.mark.parametrize(
    ("zone", "evaluator"),
    [
        *((zone, "flow") for zone in DAYS),
        ("Australia/Lord_Howe", "delta"),
        ("Europe/Vienna", "external"),
        ("America/New_York", "oneshot"),
    ],
)
def test_shifts_and_hours_are_those_of_the_clock(tmp_path: Path, zone: str, evaluator: str) -> None:
    told = _data(tmp_path, zone)
    output = run(
        tmp_path, "run", "p.lars", "--input", "used.jsonl", "--evaluator", evaluator, "--emit", "every"
    ).stdout
    begin = told[0][0]
    held = {
        begin + QUARTER * (line["time"] - int(begin.timestamp()) // 900): {
            one[:-1].split("(")[0]: int(one[:-1].split("(")[1]) for one in line["atoms"]
        }
        for line in lines(output)
    }
    shifts = _blocks(told, ZoneInfo(zone), 8, 6)
    assert len(shifts) >= 7
    assert {when: held[when]["shift"] for when in shifts} == shifts
    hours = _blocks(told, ZoneInfo(zone), 1, 0)
    if zone == "Australia/Lord_Howe":  # its half hour that comes again belongs to the hour before
        [again] = [when for when in hours if when.astimezone(ZoneInfo(zone)).fold]
        before = again - 2 * QUARTER
        hours[again] += hours.pop(before)
    assert {when: held[when]["part"] for when in hours} == hours
    values = dict(told)
    for when in values:
        local = when.astimezone(ZoneInfo(zone))
        if local.hour % 6 == local.minute == 0 and when - timedelta(hours=12) >= begin:
            assert held[when]["half"] == sum(values[when - QUARTER * ago] for ago in range(1, 49))
            assert held[when]["half"] == held[when + 2 * QUARTER].get("half")


@pytest.mark.parametrize("zone", ["Europe/Vienna", "Australia/Lord_Howe"])
def test_explanations_of_blocks_by_the_clock_are_right(tmp_path: Path, zone: str) -> None:
    told = _data(tmp_path, zone)
    shifts = _blocks(told, ZoneInfo(zone), 8, 6)
    when = [*shifts][3]
    at = str(int(when.timestamp()) // 900)
    asked = (f"shift({shifts[when]})", "--input", "used.jsonl", "--at", at, "--output-format", "json")
    (tmp_path / "why.json").write_text(run(tmp_path, "why", "p.lars", *asked).stdout, encoding="utf-8")
    run(tmp_path, "check-why", "p.lars", "why.json", "--input", "used.jsonl")
