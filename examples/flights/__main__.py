"""Runs flights.lars on some days of 2013 and prints when each situation began and ended."""

import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from examples.flights.data import data_folder, events, number_of_facts
from lars2asp import InputError, Lars2aspError, Reasoner
from lars2asp.externals.terms.order import in_order
from lars2asp.externals.terms.terms import Row
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Signature

PROGRAM = Path(__file__).parent / "flights.lars"
MOMENTS = ("inherited",)
"""Situations that happen rather than last."""

NEW_YORK = ZoneInfo("America/New_York")

Situation = tuple[str, Row]
"""Its name, and the airport (and aircraft)."""


class Report:
    """Prints situations as they begin and end, and adds them up."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._since: dict[Situation, int] = {}
        self.count: Counter[str] = Counter()
        self.lasted: Counter[str] = Counter()

    def begin(self, situation: Situation, tick: int) -> None:
        """Prints that a situation began; of what happens at one moment, that it did."""
        name, _ = situation
        self._since[situation] = tick
        self.count[name] += 1
        self._print(situation, tick, "" if name in MOMENTS else "began")

    def end(self, situation: Situation, tick: int) -> None:
        """Prints that a situation ended and how long it lasted."""
        name, _ = situation
        ticks = tick - self._since.pop(situation)
        self.lasted[name] += ticks
        if name not in MOMENTS:
            self._print(situation, tick, f"ended after {self.length(ticks)}")

    def finish(self, tick: int) -> None:
        """Adds up what still holds at the end."""
        for (name, _), since in self._since.items():
            self.lasted[name] += tick - since

    def length(self, ticks: int) -> str:
        """Ticks in hours and minutes."""
        hours, minutes = divmod(ticks * (self._timeline.tick_length or 0) // 60_000_000, 60)
        return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min"

    def _print(self, situation: Situation, tick: int, what: str) -> None:
        moment = self._timeline.moment(tick).astimezone(NEW_YORK)
        name, row = situation
        where = " ".join(map(str, row))
        click.echo(f"{moment:%a %Y-%m-%d %H:%M}  {name:<11} {where:<11} {what}".rstrip())


def situations(rows: Mapping[Signature, Collection[Row]]) -> Iterator[Situation]:
    """Situations in an order that is always the same."""
    for signature in sorted(rows, key=lambda signature: (signature.arity, signature.name)):
        for row in in_order(rows[signature]):
            yield signature.name, row


@click.command()
@click.option("--from", "first", type=click.DateTime(["%Y-%m-%d"]), default="2013-03-04", show_default=True)
@click.option("--days", type=click.IntRange(1, 366), default=7, show_default=True)
def main(first: datetime, days: int) -> None:
    """Run flights.lars on DAYS days of New York's departures and weather in 2013."""
    begin = first.replace(tzinfo=NEW_YORK)
    end = (first + timedelta(days=days)).replace(tzinfo=NEW_YORK)
    try:
        reasoner = Reasoner.from_file(PROGRAM, complete_windows=True)
        timeline = Timeline(reasoner.plan.tick_length)
        last = first + timedelta(days=days - 1)
        click.echo(f"{PROGRAM.name} on New York's flights and weather, {first:%Y-%m-%d} to {last:%Y-%m-%d}")
        stream = events(data_folder(), timeline, begin.astimezone(UTC), end.astimezone(UTC))
        if not stream:
            raise InputError("the data has flights of 2013 only")
        report = Report(timeline)
        started, ticks = time.perf_counter(), 0
        for answer in reasoner.run(stream, emit="every"):
            ticks += 1
            for situation in situations(answer.ended.rows):
                report.end(situation, answer.tick)
            for situation in situations(answer.began.rows):
                report.begin(situation, answer.tick)
    except Lars2aspError as error:
        sys.exit(f"error: {error}")
    if reasoner.now is not None:
        report.finish(reasoner.now + 1)
    found = ", ".join(
        f"{count} {name}" + (f" ({report.length(report.lasted[name])})" if name not in MOMENTS else "")
        for name, count in sorted(report.count.items())
    )
    seconds = time.perf_counter() - started
    facts = number_of_facts(stream)
    click.echo(f"{facts} facts at {ticks} ticks in {seconds:.1f} s: {found or 'no situations'}.")


if __name__ == "__main__":
    main()
