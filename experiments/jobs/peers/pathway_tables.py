"""The five jobs as tables of pathway, over the whole file."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pathway as pw

TIME = "%Y-%m-%dT%H:%M:%SZ"
END = 2**40
"""A tick behind all others."""


class Rows(pw.Schema):
    zeit: str
    raum: str
    temperatur: str


class Facts(pw.Schema):
    time: int
    facts: pw.Json


class Logins(pw.Schema):
    ts: str
    user: str
    result: str


class Beats(pw.Schema):
    time: str
    host: str


class Lines(pw.Schema):
    ts: str
    item: str
    order: int | None = pw.column_definition(default_value=None)
    payment: int | None = pw.column_definition(default_value=None)


def alarm(source: Path) -> pw.Table:
    """The last value of a room was above 24.5 for ten minutes."""
    recoded = source.with_suffix(".utf-8.csv")  # it reads UTF-8 alone
    recoded.write_text(source.read_text(encoding="cp1252"))
    settings = pw.io.csv.CsvParserSettings(delimiter=";")
    rows = pw.io.csv.read(str(recoded), schema=Rows, csv_settings=settings, mode="static")
    readings = rows.select(
        tick=rows.zeit.dt.strptime("%d.%m.%Y %H:%M:%S", contains_timezone=False)
        .dt.to_utc("Europe/Vienna")
        .dt.timestamp(unit="s"),
        room=rows.raum,
        hot=rows.temperatur.str.replace(",", ".").str.parse_float() > 24.5,
    ).with_columns(tick=pw.cast(int, pw.this.tick))
    readings += readings.sort(readings.tick, instance=readings.room)
    before = readings.ix(readings.prev, optional=True)
    turns = readings.filter(pw.coalesce(before.hot != readings.hot, True)).without(pw.this.prev, pw.this.next)
    turns += turns.sort(turns.tick, instance=turns.room)
    following = turns.ix(turns.next, optional=True)
    last = pw.coalesce(following.tick, END) - 1
    runs = turns.select(turns.hot, first=turns.tick + 600, last=last, atom=_atom("alarm", turns.room))
    return runs.filter(runs.hot & (runs.first <= runs.last)).without(pw.this.hot)


def counts(source: Path) -> pw.Table:
    """Sensors with 12 readings and more within 60 seconds, and how many they are."""

    @pw.udf
    def sensors(facts: pw.Json) -> list[str]:
        return [fact.partition(",")[0].removeprefix("reading(") for fact in facts.as_list()]

    @pw.udf
    def numbers(ticks: tuple[int, ...]) -> list[tuple[int, int, int]]:
        return _numbers(ticks)

    lines = pw.io.jsonlines.read(str(source), schema=Facts, mode="static")
    readings = lines.select(tick=lines.time, sensor=sensors(lines.facts)).flatten(pw.this.sensor)
    by_sensor = readings.groupby(readings.sensor).reduce(
        readings.sensor, ticks=pw.reducers.sorted_tuple(readings.tick)
    )
    busy = by_sensor.select(by_sensor.sensor, found=numbers(by_sensor.ticks)).flatten(pw.this.found)
    return busy.select(
        first=busy.found[0],
        last=busy.found[1],
        atom="busy(" + busy.sensor + "," + pw.cast(str, busy.found[2]) + ")",
    )


def _numbers(ticks: Sequence[int]) -> list[tuple[int, int, int]]:
    changes: dict[int, int] = {}
    for tick in ticks:
        changes[tick] = changes.get(tick, 0) + 1
        changes[tick + 61] = changes.get(tick + 61, 0) - 1
    found, number, since = [], 0, 0
    for tick in sorted(changes):
        if number >= 12:
            found.append((since, tick - 1, number))
        number, since = number + changes[tick], tick
    return found


def logins(source: Path) -> pw.Table:
    """Three failed logins, and one that succeeds within five minutes."""
    lines = pw.io.jsonlines.read(str(source), schema=Logins, mode="static")
    events = lines.select(lines.user, lines.result, tick=_tick(lines.ts))
    failed, fine = events.filter(events.result == "failed"), events.filter(events.result == "ok")
    near = pw.temporal.interval(-300, 0)
    pairs = fine.interval_join(failed, fine.tick, failed.tick, near, fine.user == failed.user).select(
        fine.user, fine.tick
    )
    numbers = pairs.groupby(pairs.user, pairs.tick).reduce(pairs.user, pairs.tick, number=pw.reducers.count())
    guessed = numbers.filter(numbers.number >= 3)
    return guessed.select(first=guessed.tick, last=guessed.tick, atom=_atom("guessed", guessed.user))


def heartbeats(source: Path) -> pw.Table:
    """Hosts that were heard of, and not within 180 seconds."""
    rows = pw.io.csv.read(str(source), schema=Beats, mode="static")
    beats = rows.select(rows.host, tick=_tick(rows.time))
    beats += beats.sort(beats.tick, instance=beats.host)
    following = beats.ix(beats.next, optional=True)
    last = pw.coalesce(following.tick, END) - 1
    gaps = beats.select(first=beats.tick + 181, last=last, atom=_atom("lost", beats.host))
    return gaps.filter(gaps.first <= gaps.last)


def join(source: Path) -> pw.Table:
    """Orders and payments of one item within 30 seconds."""
    lines = pw.io.jsonlines.read(str(source), schema=Lines, mode="static")
    events = lines.select(lines.item, lines.order, lines.payment, tick=_tick(lines.ts))
    orders, payments = events.filter(events.order.is_not_none()), events.filter(events.payment.is_not_none())
    near = pw.temporal.interval(-30, 30)
    pairs = orders.interval_join(
        payments, orders.tick, payments.tick, near, orders.item == payments.item
    ).select(orders.order, payments.payment, one=orders.tick, other=payments.tick)
    number, by = pw.cast(str, pw.unwrap(pairs.order)), pw.cast(str, pw.unwrap(pairs.payment))
    return pairs.select(
        first=pw.if_else(pairs.one > pairs.other, pairs.one, pairs.other),
        last=pw.if_else(pairs.one > pairs.other, pairs.other, pairs.one) + 30,
        atom="match(" + number + "," + by + ")",
    )


def _tick(time: pw.ColumnExpression) -> pw.ColumnExpression:
    return pw.cast(int, time.dt.strptime(TIME, contains_timezone=False).dt.timestamp(unit="s"))


def _atom(name: str, key: pw.ColumnExpression) -> pw.ColumnExpression:
    return name + '("' + key + '")'


TABLES: Mapping[str, Callable[[Path], pw.Table]] = {
    "alarm": alarm,
    "counts": counts,
    "logins": logins,
    "heartbeats": heartbeats,
    "join": join,
}
"""By jobs: what makes the intervals of the answer."""

if __name__ == "__main__":
    _, name, read_from, written_to = sys.argv
    pw.io.csv.write(TABLES[name](Path(read_from)), written_to)
    pw.run(monitoring_level=pw.MonitoringLevel.NONE)
