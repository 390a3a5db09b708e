"""A day of flights is played a tick at a time, at the speed that is asked for."""

import json
from datetime import UTC, datetime, timedelta

from examples.flights.data import data_folder, events
from examples.flights.live import play
from lars2asp import Timeline


def test_a_day_is_played_tick_by_tick() -> None:
    begin = datetime(2013, 3, 8, 5, tzinfo=UTC)
    stream = events(data_folder(), Timeline(300_000_000), begin, begin + timedelta(hours=3))
    now = 100.0
    written: list[tuple[float, str]] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    play(stream, 0.5, lambda text: written.append((now, text)), sleep, lambda: now)
    assert [at for at, _ in written] == [100 + n / 2 for n in range(len(written))]
    told = [[json.loads(line) for line in text.splitlines()] for _, text in written]
    assert [lines[0]["time"] for lines in told] == [*range(stream[0].tick, stream[-1].tick + 1)]
    facts = [fact for lines in told for line in lines for fact in line.get("facts", ())]
    assert len(facts) == sum(len(rows) for record in stream for _, rows in record.events.facts)
