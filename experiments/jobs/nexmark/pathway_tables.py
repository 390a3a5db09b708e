"""The queries as tables of pathway, over the whole file.

python -m experiments.jobs.nexmark.pathway_tables QUERY INPUT OUTPUT
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pathway as pw

TIME = "%Y-%m-%dT%H:%M:%SZ"
END = 2**40
"""A tick behind all others."""

EVENTS = pw.schema_builder(
    {"ts": pw.column_definition(dtype=str)}
    | {
        name: pw.column_definition(dtype=int | None, default_value=None)
        for name in ("person", "auction", "seller", "category", "expires", "bid", "on", "bidder", "price")
    }
    | {
        name: pw.column_definition(dtype=str | None, default_value=None)
        for name in ("name", "city", "state", "channel")
    }
)


def q0(source: Path) -> pw.Table:
    """All bids."""
    bids = _bids(source)
    return bids.select(**_at(bids.tick, bids.tick, "q0", bids.bid, bids.auction, bids.bidder, bids.price))


def q1(source: Path) -> pw.Table:
    """Prices in euros."""
    bids = _bids(source)
    euros = bids.price * 908 // 1000
    return bids.select(**_at(bids.tick, bids.tick, "q1", bids.bid, bids.auction, bids.bidder, euros))


def q2(source: Path) -> pw.Table:
    """Bids on some auctions."""
    bids = _bids(source)
    some = bids.filter(bids.auction % 123 == 0)
    return some.select(**_at(some.tick, some.tick, "q2", some.bid, some.auction, some.price))


def q3(source: Path) -> pw.Table:
    """Auctions of a category by persons of three states."""
    auctions, persons = _auctions(source), _persons(source)
    offered = auctions.filter(auctions.category == 10)
    near = persons.filter((persons.state == "OR") | (persons.state == "ID") | (persons.state == "CA"))
    pairs = offered.join(near, offered.seller == near.person).select(
        near.person, near.name, near.city, near.state, offered.auction, offered.tick, since=near.tick
    )
    found = pairs.filter(pairs.since <= pairs.tick)
    texts = [_quoted(one) for one in (found.name, found.city, found.state)]
    return found.select(**_at(found.tick, found.tick, "q3", found.person, *texts, found.auction))


def q4(source: Path) -> pw.Table:
    """Average price by category, of auctions that were over within a minute."""

    @pw.udf
    def averages(sold: tuple[tuple[int, int], ...]) -> list[tuple[int, int, int]]:
        changes: dict[int, list[int]] = {}
        for tick, price in sold:
            for at, sign in ((tick, 1), (tick + 61, -1)):
                change = changes.setdefault(at, [0, 0])
                change[0] += sign * price
                change[1] += sign
        found, total, number, since = [], 0, 0, 0
        for tick in sorted(changes):
            if number:
                found.append((since, tick - 1, total // number))
            total, number, since = total + changes[tick][0], number + changes[tick][1], tick
        return found

    won = _won(source)
    sold = won.groupby(won.category).reduce(
        won.category, sold=pw.reducers.sorted_tuple(pw.make_tuple(won.tick, won.price))
    )
    spans = sold.select(sold.category, one=averages(sold.sold)).flatten(pw.this.one)
    return spans.select(**_at(spans.one[0], spans.one[1], "q4", spans.category, spans.one[2]))


def q5(source: Path) -> pw.Table:
    """Auctions with the most bids of ten seconds, every two seconds."""
    bids = _bids(source)
    windows = pw.temporal.sliding(hop=2, duration=10)
    numbers = bids.windowby(bids.tick, window=windows, instance=bids.auction).reduce(
        auction=pw.this._pw_instance, tick=pw.this._pw_window_end, number=pw.reducers.count()
    )
    most = numbers.groupby(numbers.tick).reduce(numbers.tick, number=pw.reducers.max(numbers.number))
    hot = numbers.join(most, numbers.tick == most.tick, numbers.number == most.number).select(
        numbers.tick, numbers.auction, numbers.number
    )
    return hot.select(**_at(hot.tick, hot.tick + 1, "q5", hot.auction, hot.number))


def q7(source: Path) -> pw.Table:
    """The highest bids of ten seconds."""
    bids = _bids(source).with_columns(closing=pw.this.tick // 10 * 10 + 9)
    highest = bids.groupby(bids.closing).reduce(bids.closing, price=pw.reducers.max(bids.price))
    found = bids.join(highest, bids.closing == highest.closing, bids.price == highest.price).select(
        bids.closing, bids.bid, bids.auction, bids.price
    )
    return found.select(**_at(found.closing, found.closing + 9, "q7", found.bid, found.auction, found.price))


def q8(source: Path) -> pw.Table:
    """New persons who opened auctions in the same ten seconds."""
    persons = _persons(source).with_columns(closing=pw.this.tick // 10 * 10 + 9)
    auctions = _auctions(source).with_columns(closing=pw.this.tick // 10 * 10 + 9)
    both = persons.join(
        auctions, persons.person == auctions.seller, persons.closing == auctions.closing
    ).select(persons.person, persons.name, persons.closing)
    new = both.groupby(both.person, both.name, both.closing).reduce(both.person, both.name, both.closing)
    return new.select(**_at(new.closing, new.closing + 9, "q8", new.person, _quoted(new.name)))


def q9(source: Path) -> pw.Table:
    """The bids that win."""
    won = _won(source)
    return won.select(**_at(won.tick, won.tick, "q9", won.auction, won.bid, won.bidder, won.price))


def q11(source: Path) -> pw.Table:
    """How often somebody bids before ten seconds without a bid."""
    bids = _bids(source)
    sessions = bids.windowby(bids.tick, window=pw.temporal.session(max_gap=11), instance=bids.bidder).reduce(
        bidder=pw.this._pw_instance,
        first=pw.reducers.min(pw.this.tick),
        last=pw.reducers.max(pw.this.tick),
        number=pw.reducers.count(),
    )
    values = sessions.bidder, sessions.first, sessions.last, sessions.number
    return sessions.select(**_at(sessions.last + 10, sessions.last + 10, "q11", *values))


def q13(source: Path) -> pw.Table:
    """Bids with what a table says."""
    bids = _bids(source).with_columns(place=pw.this.auction % 20)
    side = pw.debug.table_from_rows(
        pw.schema_from_types(number=int, text=str), [(number, f"s{number}") for number in range(10)]
    )
    found = bids.join(side, bids.place == side.number).select(*bids, side.text)
    values = found.bid, found.auction, found.bidder, found.price, _quoted(found.text)
    return found.select(**_at(found.tick, found.tick, "q13", *values))


def q15(source: Path) -> pw.Table:
    """Bids, bidders and auctions of a minute, by ranks of prices."""
    bids = _of_minutes(source)
    low, high = bids.price < 10_000, bids.price >= 1_000_000
    found = bids.groupby(bids.closing).reduce(
        bids.closing,
        number=pw.reducers.count(),
        low=pw.reducers.sum(pw.cast(int, low)),
        middle=pw.reducers.sum(pw.cast(int, ~low & ~high)),
        high=pw.reducers.sum(pw.cast(int, high)),
        bidders=pw.reducers.count_distinct(bids.bidder),
        auctions=pw.reducers.count_distinct(bids.auction),
    )
    values = found.number, found.low, found.middle, found.high, found.bidders, found.auctions
    return found.select(**_at(found.closing, found.closing + 59, "q15", *values))


def q16(source: Path) -> pw.Table:
    """Bids, bidders and auctions of a minute, by channels."""
    bids = _of_minutes(source)
    found = bids.groupby(bids.closing, bids.channel).reduce(
        bids.closing,
        bids.channel,
        number=pw.reducers.count(),
        bidders=pw.reducers.count_distinct(bids.bidder),
        auctions=pw.reducers.count_distinct(bids.auction),
    )
    values = _quoted(found.channel), found.number, found.bidders, found.auctions
    return found.select(**_at(found.closing, found.closing + 59, "q16", *values))


def q17(source: Path) -> pw.Table:
    """Bids of a minute, by auctions: number, least, greatest, average and sum of prices."""
    bids = _of_minutes(source)
    found = bids.groupby(bids.closing, bids.auction).reduce(
        bids.closing,
        bids.auction,
        number=pw.reducers.count(),
        least=pw.reducers.min(bids.price),
        greatest=pw.reducers.max(bids.price),
        total=pw.reducers.sum(bids.price),
    )
    average = found.total // found.number
    values = found.auction, found.number, found.least, found.greatest, average, found.total
    return found.select(**_at(found.closing, found.closing + 59, "q17", *values))


def q18(source: Path) -> pw.Table:
    """The last bid of each bidder on each auction."""
    bids = _bids(source)
    bids += bids.sort(bids.bid, instance=pw.make_tuple(bids.auction, bids.bidder))
    following = bids.ix(bids.next, optional=True)
    last = pw.coalesce(following.tick, END) - 1
    return bids.select(**_at(bids.tick, last, "q18", bids.bid, bids.auction, bids.bidder, bids.price))


def q19(source: Path) -> pw.Table:
    """The ten highest bids on each auction, of twenty seconds."""

    @pw.udf
    def best(bids: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
        return [*bids[-10:]]

    bids = _bids(source)
    windows = pw.temporal.sliding(hop=1, duration=21)
    recent = bids.windowby(bids.tick, window=windows, instance=bids.auction).reduce(
        auction=pw.this._pw_instance,
        tick=pw.this._pw_window_end - 1,
        bids=pw.reducers.sorted_tuple(pw.make_tuple(pw.this.price, pw.this.bid)),
    )
    top = recent.select(recent.auction, recent.tick, one=best(recent.bids)).flatten(pw.this.one)
    return top.select(**_at(top.tick, top.tick, "q19", top.auction, top.one[1], top.one[0]))


def q20(source: Path) -> pw.Table:
    """Bids with their auctions, of a category."""
    bids, auctions = _bids(source), _auctions(source)
    some = auctions.filter(auctions.category == 10)
    pairs = bids.join(some, bids.auction == some.auction).select(*bids, some.seller, since=some.tick)
    found = pairs.filter(pairs.since <= pairs.tick)
    values = found.bid, found.auction, found.bidder, found.price, found.seller
    return found.select(**_at(found.tick, found.tick, "q20", *values))


def _persons(source: Path) -> pw.Table:
    events = _events(source)
    return events.filter(events.person.is_not_none()).select(
        pw.this.tick, **{name: pw.unwrap(pw.this[name]) for name in ("person", "name", "city", "state")}
    )


def _auctions(source: Path) -> pw.Table:
    events = _events(source)
    return events.filter(events.auction.is_not_none()).select(
        pw.this.tick,
        **{name: pw.unwrap(pw.this[name]) for name in ("auction", "seller", "category", "expires")},
    )


def _bids(source: Path) -> pw.Table:
    events = _events(source)
    return events.filter(events.bid.is_not_none()).select(
        pw.this.tick,
        auction=pw.unwrap(pw.this["on"]),
        **{name: pw.unwrap(pw.this[name]) for name in ("bid", "bidder", "price", "channel")},
    )


def _of_minutes(source: Path) -> pw.Table:
    return _bids(source).with_columns(closing=pw.this.tick // 60 * 60 + 59)


def _won(source: Path) -> pw.Table:
    """Auctions when they are over, with the bids that win: the first of the highest."""
    auctions, bids = _auctions(source), _bids(source)
    pairs = auctions.join(bids, auctions.auction == bids.auction).select(
        auctions.auction, auctions.category, auctions.expires, bids.tick, bids.bid, bids.bidder, bids.price
    )
    fair = pairs.filter(pairs.tick <= pairs.expires)
    best = fair.groupby(fair.auction, fair.category, fair.expires).reduce(
        fair.auction,
        fair.category,
        tick=fair.expires,
        winner=pw.reducers.max(pw.make_tuple(fair.price, -fair.bid, fair.bidder)),
    )
    return best.select(
        best.auction,
        best.category,
        best.tick,
        price=best.winner[0],
        bid=-best.winner[1],
        bidder=best.winner[2],
    )


def _events(source: Path) -> pw.Table:
    lines = pw.io.jsonlines.read(str(source), schema=EVENTS, mode="static")
    time = lines.ts.dt.strptime(TIME, contains_timezone=False)
    return lines.with_columns(tick=pw.cast(int, time.dt.timestamp(unit="s")))


def _at(
    first: pw.ColumnExpression, last: pw.ColumnExpression, name: str, *values: pw.ColumnExpression
) -> dict[str, pw.ColumnExpression]:
    """The columns of an answer."""
    text: pw.ColumnExpression = name + "("
    for number, value in enumerate(values):
        text = text + ("," if number else "") + pw.cast(str, value)
    return {"first": first, "last": last, "atom": text + ")"}


def _quoted(text: pw.ColumnExpression) -> pw.ColumnExpression:
    return '"' + text + '"'


TABLES: Mapping[str, Callable[[Path], pw.Table]] = {
    "q0": q0,
    "q1": q1,
    "q2": q2,
    "q3": q3,
    "q4": q4,
    "q5": q5,
    "q7": q7,
    "q8": q8,
    "q9": q9,
    "q11": q11,
    "q13": q13,
    "q15": q15,
    "q16": q16,
    "q17": q17,
    "q18": q18,
    "q19": q19,
    "q20": q20,
}
"""By the names of queries: what makes the intervals of the answer."""

if __name__ == "__main__":
    _, query, read_from, written_to = sys.argv
    pw.io.csv.write(TABLES[query](Path(read_from)), written_to)
    pw.run(monitoring_level=pw.MonitoringLevel.NONE)
