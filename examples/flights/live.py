"""Plays a day of New York's flights on a live page, many times as fast as it was: `make demo-live`."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

import click

from examples.flights.__main__ import NEW_YORK, PROGRAM
from examples.flights.data import data_folder, events
from lars2asp import InputError, Reasoner, Record
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sources.times.timeline import Timeline


def lines(stream: list[Record]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The ticks from the first to the last, each with what is told at it, as `lars2asp run` reads it."""
    told = {tick: [*records] for tick, records in groupby(stream, lambda record: record.tick)}
    for tick in range(stream[0].tick, stream[-1].tick + 1):
        found: list[dict[str, Any]] = [{"time": tick}]
        for record in told.get(tick, ()):
            facts = [text for signature, rows in record.events.facts for text in atom_texts(signature, rows)]
            until = {} if record.events.until is None else {"until": record.events.until}
            found.append({"time": tick, "facts": facts, **until})
        yield tick, found


def play(
    stream: list[Record],
    seconds: float,
    write: Callable[[str], object],
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Writes the lines of a stream, a tick every so many seconds."""
    begin = clock()
    for number, (_, found) in enumerate(lines(stream)):
        sleep(max(0.0, begin + number * seconds - clock()))
        write("".join(f"{json.dumps(line)}\n" for line in found))


@click.command()
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), default="2013-03-08", show_default=True)
@click.option("--speed", type=click.FloatRange(1), default=600.0, show_default=True, help="Times as fast.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
def main(date: datetime, speed: float, port: int) -> None:
    """Play a day of New York's departures and weather in 2013 on a page at PORT; Ctrl-C ends it."""
    begin = date.replace(tzinfo=NEW_YORK).astimezone(UTC)
    tick_length = Reasoner.from_file(PROGRAM).plan.tick_length
    assert tick_length is not None
    try:
        stream = events(data_folder(), Timeline(tick_length), begin, begin + timedelta(days=1))
        if not stream:
            raise InputError("the data has flights of 2013 only")
    except InputError as error:
        sys.exit(f"error: {error}")
    command = [
        sys.executable,
        "-m",
        "lars2asp",
        "run",
        str(PROGRAM),
        "--complete-windows",
        "--serve",
        str(port),
    ]
    shown = ["--timezone", str(NEW_YORK), "--output", os.devnull]
    with subprocess.Popen([*command, *shown], stdin=subprocess.PIPE, text=True) as run:
        assert run.stdin is not None
        pipe = run.stdin

        def write(text: str) -> None:
            pipe.write(text)
            pipe.flush()

        with suppress(KeyboardInterrupt, BrokenPipeError):
            play(stream, tick_length / 1e6 / speed, write)
            pipe.close()
            run.wait()
        with suppress(KeyboardInterrupt, BrokenPipeError):
            pipe.close()
            sys.exit(run.wait())


if __name__ == "__main__":
    main()
