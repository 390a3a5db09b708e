"""The demo finds what a plain count over the data finds."""

import csv
import sys
import zipfile
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from io import TextIOWrapper

from examples.flights.data import data_folder
from tests.support.processes import completed


def disrupted_by_hand(day: datetime) -> set[tuple[str, datetime]]:
    """Airport and moment (at five-minute ticks) of at least 20 departures over 45 minutes late in an hour."""
    late: dict[str, list[datetime]] = defaultdict(list)
    path = data_folder() / "flights.csv.zip"
    with zipfile.ZipFile(path) as archive, archive.open("flights.csv") as file:
        for row in csv.DictReader(TextIOWrapper(file)):
            is_of_day = (int(row["month"]), int(row["day"])) == (day.month, day.day)
            if is_of_day and row["dep_delay"] != "NA" and int(row["dep_delay"]) > 45:
                hour = datetime.fromisoformat(row["time_hour"])
                left = hour + timedelta(minutes=int(row["minute"]) + int(row["dep_delay"]))
                late[row["origin"]].append(left)
    found = set()
    for tick in range(288):
        now = day + timedelta(minutes=5 * tick)
        begin, end = now - timedelta(hours=1), now + timedelta(minutes=5)
        for airport, moments in late.items():
            if sum(begin <= moment < end for moment in moments) >= 20:
                found.add((airport, now))
    return found


def test_the_demo_finds_the_disruptions_of_a_snow_day() -> None:
    """8 March 2013; the demo's times are New York's."""
    command = [sys.executable, "-m", "examples.flights", "--from", "2013-03-08", "--days", "1"]
    done = completed(command)
    printed = done.stdout.splitlines()
    begun = {
        (airport, moment.astimezone(UTC))
        for line in printed
        if "disrupted" in line and line.endswith("began")
        for _, date, time, _, airport, _ in [line.split()]
        for moment in [datetime.fromisoformat(f"{date}T{time}-05:00")]
    }
    by_hand = disrupted_by_hand(datetime(2013, 3, 8, 5, tzinfo=UTC))
    five = timedelta(minutes=5)
    assert begun == {(a, m) for a, m in by_hand if (a, m - five) not in by_hand}
    assert begun
    assert f"{len(begun)} disrupted" in printed[-1]
    assert "stormy" in printed[-1]
