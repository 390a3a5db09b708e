"""The queries as SQL of Flink, in batches, in one process of Java.

python -m experiments.jobs.nexmark.flink_sql QUERY INPUT OUTPUT
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from pyflink.table import Table
from pyflink.table.types import CharType, VarCharType

from experiments.jobs.peers.flink_sql import SECONDS, SOURCE, ended, insert, started

COLUMNS = """ts string, person bigint, name string, city string, state string, auction bigint, seller bigint,
    category bigint, expires bigint, bid bigint, `on` bigint, bidder bigint, price bigint, channel string"""

VIEWS: Mapping[str, str] = {
    "persons": f"select {SECONDS} as tick, person, name, city, state from source where person is not null",
    "auctions": f"""
        select {SECONDS} as tick, auction, seller, category, expires from source where auction is not null
    """,
    "bids": f"""
        select {SECONDS} as tick, bid, `on` as auction, bidder, price, channel,
            {SECONDS} / 60 * 60 + 59 as closing
        from source where bid is not null
    """,
    "won": """
        select expires as tick, auction, category, bid, bidder, price from (
            select a.expires, a.auction, a.category, b.bid, b.bidder, b.price,
                row_number() over (partition by a.auction order by b.price desc, b.bid) as place
            from auctions a join bids b on a.auction = b.auction and b.tick <= a.expires
        ) where place = 1
    """,
}

QUERIES: Mapping[str, str] = {
    "q0": "select tick, tick, bid, auction, bidder, price from bids",
    "q1": "select tick, tick, bid, auction, bidder, price * 908 / 1000 from bids",
    "q2": "select tick, tick, bid, auction, price from bids where mod(auction, 123) = 0",
    "q3": """
        select a.tick, a.tick, person, name, city, state, auction
        from auctions a join persons p on a.seller = p.person and p.tick <= a.tick
        where category = 10 and state in ('OR', 'ID', 'CA')
    """,
    "q4": """
        with changes as (
            select category, tick, sum(price) as price, sum(number) as number from (
                select category, tick, price, 1 as number from won
                union all select category, tick + 61, -price, -1 from won
            ) group by category, tick
        ), averages as (
            select category, tick, lead(tick) over (partition by category order by tick) as later,
                sum(price) over (partition by category order by tick) as total,
                sum(number) over (partition by category order by tick) as number
            from changes
        )
        select tick, later - 1, category, total / number from averages where number > 0
    """,
    "q5": """
        with numbers as (
            select tick + later as tick, auction, count(*) as number
            from bids cross join (values 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) as steps (later)
            where mod(tick + later, 2) = 0
            group by tick + later, auction
        )
        select tick, tick + 1, auction, number
        from (select *, rank() over (partition by tick order by number desc) as place from numbers)
        where place = 1
    """,
    "q7": """
        select closing, closing + 9, bid, auction, price from (
            select *, tick / 10 * 10 + 9 as closing,
                rank() over (partition by tick / 10 order by price desc) as place
            from (select tick, bid, auction, price from bids)
        ) where place = 1
    """,
    "q8": """
        select distinct p.tick / 10 * 10 + 9, p.tick / 10 * 10 + 18, person, name
        from persons p join auctions a on p.person = a.seller and p.tick / 10 = a.tick / 10
    """,
    "q9": "select tick, tick, auction, bid, bidder, price from won",
    "q11": """
        with gaps as (
            select bidder, tick, lag(tick, 1, tick) over (partition by bidder order by tick) as before
            from bids
        ), numbered as (
            select bidder, tick, sum(if(tick - before > 10, 1, 0)) over (
                partition by bidder order by tick range between unbounded preceding and current row
            ) as place
            from gaps
        )
        select max(tick) + 10, max(tick) + 10, bidder, min(tick), max(tick), count(*)
        from numbered group by bidder, place
    """,
    "q13": """
        select tick, tick, bid, auction, bidder, price, text
        from bids join (values (0, 's0'), (1, 's1'), (2, 's2'), (3, 's3'), (4, 's4'), (5, 's5'), (6, 's6'),
            (7, 's7'), (8, 's8'), (9, 's9')) as side (number, text)
        on mod(auction, 20) = number
    """,
    "q15": """
        select closing, closing + 59, count(*), count(*) filter (where price < 10000),
            count(*) filter (where price >= 10000 and price < 1000000),
            count(*) filter (where price >= 1000000), count(distinct bidder), count(distinct auction)
        from bids group by closing
    """,
    "q16": """
        select closing, closing + 59, channel, count(*), count(distinct bidder), count(distinct auction)
        from bids group by closing, channel
    """,
    "q17": """
        select closing, closing + 59, auction, count(*), min(price), max(price), sum(price) / count(*),
            sum(price)
        from bids group by closing, auction
    """,
    "q18": """
        select tick, lead(tick) over (partition by auction, bidder order by bid) - 1,
            bid, auction, bidder, price
        from bids
    """,
    "q19": """
        with moments as (
            select auction, tick from bids union select auction, tick + 21 from bids
        ), spans as (
            select *, lead(tick) over (partition by auction order by tick) as later from moments
        )
        select tick, later - 1, auction, bid, price from (
            select s.tick, s.later, s.auction, b.bid, b.price, row_number() over (
                partition by s.auction, s.tick order by b.price desc, b.bid desc
            ) as place
            from spans s join bids b on s.auction = b.auction and b.tick between s.tick - 20 and s.tick
        ) where place <= 10
    """,
    "q20": """
        select b.tick, b.tick, b.bid, b.auction, b.bidder, b.price, a.seller
        from bids b join auctions a on b.auction = a.auction and a.tick <= b.tick where category = 10
    """,
}
"""By the names of queries: the first tick of an answer, the last one (null: to the end), what it is of."""


def run(name: str, source: Path, target: Path) -> None:
    """Runs a query."""
    tables = started()
    tables.execute_sql(SOURCE.format(columns=COLUMNS, path=source, form="json", options=""))
    for view, text in VIEWS.items():
        tables.execute_sql(f"create temporary view {view} as {text}")
    found = tables.sql_query(QUERIES[name])
    values = ", ".join(f"c{number}" for number in range(len(found.get_schema().get_field_names())))
    tables.create_temporary_view("found", found)
    texts = " || ',' || ".join(_texts(found))
    insert(tables, f"select c0, c1, '{name}(' || {texts} || ')' from found as found ({values})", target)
    ended()


def _texts(found: Table) -> Iterator[str]:
    """The values of an atom as texts, strings in quotation marks."""
    for number, kind in [*enumerate(found.get_schema().get_field_data_types())][2:]:
        text = f"cast(c{number} as string)"
        yield f"""'"' || {text} || '"'""" if isinstance(kind, CharType | VarCharType) else text


if __name__ == "__main__":
    _, query, read_from, written_to = sys.argv
    run(query, Path(read_from), Path(written_to))
