"""The queries in DuckDB, over the whole file.

python -m experiments.jobs.nexmark.duckdb_queries QUERY INPUT OUTPUT
"""

import sys
from collections.abc import Mapping
from pathlib import Path

import duckdb

TABLES: Mapping[str, str] = {
    "events": """
        create table events as
        select epoch(ts)::bigint as tick, * exclude (ts)
        from read_json($source, format='newline_delimited', columns={'ts': 'timestamptz', 'person': 'bigint',
            'name': 'varchar', 'city': 'varchar', 'state': 'varchar', 'auction': 'bigint', 'seller': 'bigint',
            'category': 'bigint', 'expires': 'bigint', 'bid': 'bigint', 'on': 'bigint', 'bidder': 'bigint',
            'price': 'bigint', 'channel': 'varchar'})
    """,
    "persons": """
        create view persons as select tick, person, name, city, state from events where person is not null
    """,
    "auctions": """
        create view auctions as
        select tick, auction, seller, category, expires from events where auction is not null
    """,
    "bids": """
        create view bids as
        select tick, bid, "on" as auction, bidder, price, channel from events where bid is not null
    """,
    "won": """
        create view won as
        select a.expires as tick, a.auction, a.category, arg_max(b, (b.price, -b.bid)) as winner
        from auctions a join bids b on a.auction = b.auction and b.tick <= a.expires
        group by a.expires, a.auction, a.category
    """,
    "minutes": "create view minutes as select *, tick // 60 * 60 + 59 as closing from bids",
    "atom": "create macro atom(name, list) as name || '(' || array_to_string(list, ',') || ')'",
}
"""What queries are of, by names; all are made for each."""

QUERIES: Mapping[str, str] = {
    "q0": "select tick, tick, atom('q0', [bid, auction, bidder, price]) from bids",
    "q1": "select tick, tick, atom('q1', [bid, auction, bidder, price * 908 // 1000]) from bids",
    "q2": "select tick, tick, atom('q2', [bid, auction, price]) from bids where auction % 123 = 0",
    "q3": """
        select a.tick, a.tick, format('q3({},"{}","{}","{}",{})', person, name, city, state, auction)
        from auctions a join persons p on a.seller = p.person and p.tick <= a.tick
        where category = 10 and state in ('OR', 'ID', 'CA')
    """,
    "q4": """
        with changes as (
            select category, tick, sum(price)::bigint as price, sum(number)::bigint as number from (
                select category, tick, winner.price as price, 1 as number from won
                union all select category, tick + 61, -winner.price, -1 from won
            ) group by category, tick
        ), averages as (
            select category, tick, lead(tick) over by_category as later,
                sum(price) over by_category as total, sum(number) over by_category as number
            from changes window by_category as (partition by category order by tick)
        )
        select tick, later - 1, atom('q4', [category, (total // number)::bigint])
        from averages where number > 0
    """,
    "q5": """
        with steps as (
            select unnest(range(tick + 1 + (tick + 1) % 2, tick + 11, 2)) as tick, auction from bids
        ), numbers as (
            select tick, auction, count(*) as number from steps group by tick, auction
        )
        select tick, tick + 1, atom('q5', [auction, number]) from numbers
        qualify rank() over (partition by tick order by number desc) = 1
    """,
    "q7": """
        select tick // 10 * 10 + 9, tick // 10 * 10 + 18, atom('q7', [bid, auction, price]) from bids
        qualify rank() over (partition by tick // 10 order by price desc) = 1
    """,
    "q8": """
        select distinct p.tick // 10 * 10 + 9, p.tick // 10 * 10 + 18, format('q8({},"{}")', person, name)
        from persons p join auctions a on p.person = a.seller and p.tick // 10 = a.tick // 10
    """,
    "q9": "select tick, tick, atom('q9', [auction, winner.bid, winner.bidder, winner.price]) from won",
    "q11": """
        with numbered as (
            select *, sum((tick - before > 10)::int) over (partition by bidder order by tick) as session
            from (select *, lag(tick, 1, tick) over (partition by bidder order by tick) as before from bids)
        )
        select max(tick) + 10, max(tick) + 10, atom('q11', [bidder, min(tick), max(tick), count(*)])
        from numbered group by bidder, session
    """,
    "q13": """
        select tick, tick, format('q13({},{},{},{},"{}")', bid, auction, bidder, price, value)
        from bids join (select unnest(range(10)) as key, 's' || key as value) on auction % 20 = key
    """,
    "q15": """
        select closing, closing + 59, atom('q15', [count(*), count(*) filter (price < 10000),
            count(*) filter (price >= 10000 and price < 1000000), count(*) filter (price >= 1000000),
            count(distinct bidder), count(distinct auction)])
        from minutes group by closing
    """,
    "q16": """
        select closing, closing + 59, format('q16("{}",{},{},{})', channel, count(*),
            count(distinct bidder), count(distinct auction))
        from minutes group by closing, channel
    """,
    "q17": """
        select closing, closing + 59, atom('q17', [auction, count(*), min(price), max(price),
            (sum(price) // count(*))::bigint, sum(price)::bigint])
        from minutes group by closing, auction
    """,
    "q18": """
        select tick, lead(tick) over (partition by auction, bidder order by bid) - 1,
            atom('q18', [bid, auction, bidder, price])
        from bids
    """,
    "q19": """
        with moments as (
            select distinct auction, unnest([tick, tick + 21]) as tick from bids
        ), spans as (
            select *, lead(tick) over (partition by auction order by tick) as later from moments
        )
        select s.tick, s.later - 1, atom('q19', [s.auction, b.bid, b.price])
        from spans s join bids b on s.auction = b.auction and b.tick between s.tick - 20 and s.tick
        qualify row_number() over (partition by s.auction, s.tick order by price desc, bid desc) <= 10
    """,
    "q20": """
        select b.tick, b.tick, atom('q20', [bid, b.auction, bidder, price, seller])
        from bids b join auctions a on b.auction = a.auction and a.tick <= b.tick where category = 10
    """,
}
"""By the names of queries: the first tick of an answer, the last one (null: to the end), the atom."""


def run(name: str, source: Path, target: Path) -> None:
    """Runs a query."""
    with duckdb.connect() as database:
        for text in TABLES.values():
            database.execute(text.replace("$source", f"'{source}'"))
        database.execute(f"copy ({QUERIES[name]}) to '{target}' (format csv, header false)")


if __name__ == "__main__":
    _, query, read_from, written_to = sys.argv
    run(query, Path(read_from), Path(written_to))
