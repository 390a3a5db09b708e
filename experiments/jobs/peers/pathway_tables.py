"""The jobs as tables of pathway, over the whole file."""

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


class Events(pw.Schema):
    ts: str
    payment: int | None = pw.column_definition(default_value=None)
    card: str | None = pw.column_definition(default_value=None)
    cents: int | None = pw.column_definition(default_value=None)
    merchant: str | None = pw.column_definition(default_value=None)
    country: str | None = pw.column_definition(default_value=None)
    status: str | None = pw.column_definition(default_value=None)
    notice: str | None = pw.column_definition(default_value=None)


class HostBeats(pw.Schema):
    ts: str
    host: int


class Sales(pw.Schema):
    ts: str
    shop: int
    item: int


class Clicks(pw.Schema):
    ts: str
    user: int


Links = pw.schema_from_types(**{"ts": str, "from": int, "to": int})


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


def fraud(source: Path) -> pw.Table:
    """Eight rules about payments of cards."""
    lines = pw.io.jsonlines.read(str(source), schema=Events, mode="static")
    events = lines.with_columns(tick=_tick(lines.ts))
    notices = events.filter(events.notice.is_not_none())
    payments = events.filter(events.payment.is_not_none()).select(
        payment=pw.unwrap(pw.this.payment),
        card=pw.unwrap(pw.this.card),
        cents=pw.unwrap(pw.this.cents),
        merchant=pw.unwrap(pw.this.merchant),
        country=pw.unwrap(pw.this.country),
        status=pw.unwrap(pw.this.status),
        tick=pw.this.tick,
    )
    others = payments.copy()

    def within(seconds: int, own: pw.ColumnReference, other: pw.ColumnReference) -> pw.Table:
        """The pairs of a payment and one that was no longer ago, itself as well."""
        near = pw.temporal.interval(-seconds, 0)
        return payments.interval_join(others, payments.tick, others.tick, near, own == other).select(
            payments.payment,
            payments.cents,
            payments.status,
            payments.tick,
            is_other=payments.country != others.country,
            is_declined=pw.cast(int, others.status == "declined"),
            before=others.cents,
        )

    hour = within(3600, payments.card, others.card)
    hourly = hour.groupby(hour.payment, hour.tick).reduce(
        hour.payment,
        hour.tick,
        number=pw.reducers.count(),
        others=pw.reducers.sum(pw.cast(int, hour.is_other)),
    )
    minutes = within(600, payments.card, others.card)
    tried = minutes.filter(minutes.status == "ok")
    declined = tried.groupby(tried.payment, tried.tick).reduce(
        tried.payment, tried.tick, number=pw.reducers.sum(tried.is_declined)
    )
    month = within(2_592_000, payments.card, others.card)
    monthly = month.groupby(month.payment, month.tick, month.cents).reduce(
        month.payment,
        month.tick,
        month.cents,
        number=pw.reducers.count(),
        total=pw.reducers.sum(month.before),
    )
    crowd = within(300, payments.merchant, others.merchant)
    crowds = crowd.groupby(crowd.payment, crowd.tick).reduce(
        crowd.payment, crowd.tick, number=pw.reducers.count()
    )
    ordered = payments + payments.sort(payments.tick, instance=payments.card)
    earlier = ordered.ix(ordered.prev, optional=True)
    asleep = ordered.select(
        ordered.payment, ordered.tick, ordered.cents, since=pw.coalesce(earlier.tick, ordered.tick)
    )
    large = payments.filter(payments.cents >= 100_000)
    noticed = large.interval_join_left(
        notices, large.tick, notices.tick, pw.temporal.interval(-604_800, 0), large.card == notices.notice
    ).select(large.payment, large.tick, notices.notice)
    remarkable = {
        "velocity": hourly.filter(hourly.number > 5),
        "travel": hourly.filter(hourly.others > 0),
        "probing": declined.filter(declined.number >= 3),
        "dormant": asleep.filter((asleep.cents >= 50_000) & (asleep.tick - asleep.since > 2_592_000)),
        "unusual": monthly.filter(
            (monthly.number >= 5) & (monthly.cents * monthly.number > 5 * monthly.total)
        ),
        "burst": crowds.filter(crowds.number >= 10),
        "listed": payments.filter(
            (payments.merchant == "m3") | (payments.merchant == "m17") | (payments.merchant == "m40")
        ),
        "large": noticed.filter(noticed.notice.is_none()),
    }
    found = [
        table.select(first=table.tick, last=table.tick, atom=f"{remark}(" + pw.cast(str, table.payment) + ")")
        for remark, table in remarkable.items()
    ]
    return pw.Table.concat_reindex(*found)


def absence(source: Path) -> pw.Table:
    """Hosts that are known and were not heard of within 180 seconds, or not since the start."""

    @pw.udf
    def hosts(tick: int) -> list[tuple[int, int]]:
        return [(tick - 1, host) for host in range(2000)]

    lines = pw.io.jsonlines.read(str(source), schema=HostBeats, mode="static")
    told = lines.select(lines.host, tick=_tick(lines.ts))
    start = told.reduce(tick=pw.reducers.min(told.tick))
    known = start.select(one=hosts(start.tick)).flatten(pw.this.one)
    beats = told.concat_reindex(known.select(host=known.one[1], tick=known.one[0]))
    beats += beats.sort(beats.tick, instance=beats.host)
    following = beats.ix(beats.next, optional=True)
    last = pw.coalesce(following.tick, END) - 1
    atom = "silent(" + pw.cast(str, beats.host) + ")"
    gaps = beats.select(first=beats.tick + 181, last=last, atom=atom)
    return gaps.filter(gaps.first <= gaps.last)


def topten(source: Path) -> pw.Table:
    """The ten items that each shop sold most often within ten minutes."""

    @pw.udf
    def best(items: tuple[tuple[int, int], ...]) -> list[int]:
        return [item for _, item in items[-10:]]

    lines = pw.io.jsonlines.read(str(source), schema=Sales, mode="static")
    sales = lines.select(lines.shop, lines.item, tick=_tick(lines.ts) // 60)
    windows = pw.temporal.sliding(hop=1, duration=10)
    totals = sales.windowby(
        sales.tick, window=windows, instance=pw.make_tuple(sales.shop, sales.item)
    ).reduce(
        shop=pw.this._pw_instance[0],
        item=pw.this._pw_instance[1],
        tick=pw.this._pw_window_end - 1,
        total=pw.reducers.count(),
    )
    ranked = totals.groupby(totals.shop, totals.tick).reduce(
        totals.shop,
        totals.tick,
        items=pw.reducers.sorted_tuple(pw.make_tuple(totals.total, pw.unwrap(pw.cast(int, totals.item)))),
    )
    top = ranked.select(ranked.shop, ranked.tick, item=best(ranked.items)).flatten(pw.this.item)
    atom = "top(" + pw.cast(str, top.shop) + "," + pw.cast(str, top.item) + ")"
    return top.select(first=top.tick, last=top.tick, atom=atom)


def sessions(source: Path) -> pw.Table:
    """Visits that are over: the first and the last click, and how many there were."""
    lines = pw.io.jsonlines.read(str(source), schema=Clicks, mode="static")
    clicks = lines.select(lines.user, tick=_tick(lines.ts) // 60)
    visits = clicks.windowby(
        clicks.tick, window=pw.temporal.session(max_gap=31), instance=clicks.user
    ).reduce(
        user=pw.this._pw_instance,
        begin=pw.reducers.min(pw.this.tick),
        end=pw.reducers.max(pw.this.tick),
        number=pw.reducers.count(),
    )
    parts = [pw.cast(str, one) for one in (visits.user, visits.begin, visits.end, visits.number)]
    atom = "visit(" + parts[0] + "," + parts[1] + "," + parts[2] + "," + parts[3] + ")"
    return visits.select(first=visits.end + 30, last=visits.end + 30, atom=atom)


def closure(source: Path) -> pw.Table:
    """Which nodes are reached from which others over the links of 40 seconds, at each tick."""

    @pw.udf
    def ticks(tick: int) -> list[int]:
        return [*range(tick, tick + 40)]

    def longer(paths: pw.Table, links: pw.Table) -> dict[str, pw.Table]:
        found = paths.join(links, paths.tick == links.tick, paths.other == links.one).select(
            paths.tick, paths.one, links.other
        )
        both = paths.concat_reindex(found)
        return {
            "paths": both.groupby(both.tick, both.one, both.other).reduce(both.tick, both.one, both.other),
            "links": links,
        }

    renamed = {"one": "from", "other": "to"}
    rows = pw.io.jsonlines.read(str(source), schema=Links, mode="static")
    seen = rows.select(one=rows[renamed["one"]], other=rows[renamed["other"]], tick=ticks(_tick(rows.ts)))
    each = seen.flatten(pw.this.tick)
    links = each.groupby(each.tick, each.one, each.other).reduce(each.tick, each.one, each.other)
    paths = pw.iterate(longer, paths=pw.iterate_universe(links), links=links).paths
    atom = "path(" + pw.cast(str, paths.one) + "," + pw.cast(str, paths.other) + ")"
    return paths.select(first=paths.tick, last=paths.tick, atom=atom)


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
    "fraud": fraud,
    "absence": absence,
    "topten": topten,
    "sessions": sessions,
    "closure": closure,
}
"""By jobs: what makes the intervals of the answer."""

if __name__ == "__main__":
    _, name, read_from, written_to = sys.argv
    pw.io.csv.write(TABLES[name](Path(read_from)), written_to)
    pw.run(monitoring_level=pw.MonitoringLevel.NONE)
