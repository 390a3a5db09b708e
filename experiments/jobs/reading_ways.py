"""One way of making facts of rows, in a process of its own that prints the CPU seconds that it took.

    python -m experiments.jobs.reading_ways FORM WAY FOLDER ROWS

is what `python -m experiments jobs reading` starts. A fact is a tick (of a minute), a room and tenths of
degrees; the time that it takes to import libraries does not count.
"""

import csv
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from lars2asp import Record

ZONE = ZoneInfo("Europe/Vienna")
TIME_FORMAT = "%d.%m.%Y %H:%M:%S"

Fact = tuple[int, str, int]


def product(form: str, folder: Path) -> Callable[[], int] | None:
    """Records of the product; gives how many there are."""
    next(records(form, folder))  # imports what it needs
    coming = records(form, folder)
    return lambda: sum(1 for _ in coming)


def records(form: str, folder: Path) -> "Iterator[Record]":
    """The records of a form."""
    from lars2asp import Format, Reading, Reasoner, Timeline, read_file  # noqa: PLC0415 - not for the others

    plan = Reasoner.from_file(folder / ("csv.lars" if form == "csv" else "parquet.lars")).plan
    format_ = Format.JSONL if form in ("fields", "facts") else None
    reading = Reading(
        format_,
        timeline=Timeline.of(plan),
        declarations=plan.inputs,
        decimals=plan.decimals,
    )
    return read_file(folder / f"table.{form}", reading)


def loop(form: str, folder: Path) -> Callable[[], int] | None:
    """A plain loop; gives the number of facts."""
    path = folder / f"table.{form}"
    next(iter(LOOPS[form](path)))  # imports what it needs
    return lambda: sum(1 for _ in LOOPS[form](path))


class _Hours(dict[str | int, int]):
    """The minutes since 1970 at which local hours begin, each worked out once: by its text, or its number."""

    def __missing__(self, hour: str | int) -> int:
        if isinstance(hour, int):
            local = datetime(1970, 1, 1) + timedelta(hours=hour)
        elif hour[2] == ".":
            local = datetime.strptime(hour, "%d.%m.%Y %H")
        else:
            local = datetime.fromisoformat(hour)
        self[hour] = minute = int(local.replace(tzinfo=ZONE).timestamp()) // 60
        return minute


def _csv(path: Path) -> Iterator[Fact]:
    hours = _Hours()
    with path.open(newline="") as file:
        rows = csv.reader(file, delimiter=";")
        next(rows)
        for time, room, celsius in rows:
            yield hours[time[:13]] + int(time[14:16]), room, round(10 * float(celsius.replace(",", ".")))


def _parquet(path: Path) -> Iterator[Fact]:
    from pyarrow import parquet  # noqa: PLC0415 - for this form alone

    hours, an_hour, a_minute = _Hours(), 3_600_000, 60_000
    for batch in parquet.ParquetFile(path).iter_batches():
        times, rooms, temperatures = batch.columns
        columns = times.cast("int64").to_pylist(), rooms.to_pylist(), temperatures.to_pylist()
        for moment, room, celsius in zip(*columns, strict=True):
            tick = hours[moment // an_hour] + moment % an_hour // a_minute
            yield tick, room, round(10 * celsius)


def _fields(path: Path) -> Iterator[Fact]:
    import orjson  # noqa: PLC0415 - for two forms alone

    hours = _Hours()
    with path.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            time = record["zeit"]
            yield hours[time[:13]] + int(time[14:16]), record["raum"], round(10 * record["temp"])


def _facts(path: Path) -> Iterator[Fact]:
    import orjson  # noqa: PLC0415 - for two forms alone

    atom = re.compile(r'reading\("([^"]*)",(-?\d+)\)')
    with path.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            for text in record["facts"]:
                match = atom.fullmatch(text)
                if match is not None:
                    yield record["time"], match[1], int(match[2])


LOOPS: Mapping[str, Callable[[Path], Iterable[Fact]]] = {
    "csv": _csv,
    "parquet": _parquet,
    "fields": _fields,
    "facts": _facts,
}


def in_polars(form: str, folder: Path) -> Callable[[], int] | None:
    """Columns of polars, ticks and tenths of degrees among them; gives how many rows there are."""
    try:
        import polars as pl  # noqa: PLC0415 - not for the others
    except ImportError:
        return None
    if form == "facts":
        return None

    def rows() -> int:
        path, zeit = folder / f"table.{form}", pl.col("zeit")
        table: Any
        if form == "csv":
            table = pl.read_csv(path, separator=";", decimal_comma=True)
            zeit = zeit.str.to_datetime(TIME_FORMAT)
        elif form == "parquet":
            table = pl.read_parquet(path)
        else:
            table = pl.read_ndjson(path)
            zeit = zeit.str.to_datetime("%Y-%m-%d %H:%M:%S")
        tick = zeit.dt.replace_time_zone(str(ZONE), ambiguous="earliest").dt.epoch("s") // 60
        tenths = (pl.col("temp") * 10).round().cast(pl.Int64)
        return len(table.select(tick, "raum", tenths))

    return rows


WAYS: Mapping[str, Callable[[str, Path], Callable[[], int] | None]] = {
    "lars2asp": product,
    "plain loop": loop,
    "polars": in_polars,
}
"""What gets ready to read a form, and gives what then reads it; None if it does not."""


def main(form: str, way: str, folder: Path, rows: int) -> float | None:
    """The CPU seconds; None if the way does not read the form. Raises ValueError if rows are missing."""
    read = WAYS[way](form, folder)
    if read is None:
        return None
    began = process_time()
    found = read()
    took = process_time() - began
    if found != rows:
        raise ValueError(f"{way} read {found} of {rows} rows of {form}")
    return took


if __name__ == "__main__":
    _, one, other, name, expected = sys.argv
    json.dump(main(one, other, Path(name), int(expected)), sys.stdout)
