"""The ten jobs as queries of DuckDB over the whole file."""

import sys
from collections.abc import Mapping
from pathlib import Path

import duckdb

QUERIES: Mapping[str, str] = {
    "alarm": """
        set TimeZone = 'Europe/Vienna';
        create view readings as
        select epoch(timezone('Europe/Vienna', zeit))::bigint as tick, raum as room, temperatur > 24.5 as hot
        from read_csv($source, delim=';', header=true, encoding='latin-1', decimal_separator=',',
            columns={'zeit': 'timestamp', 'raum': 'varchar', 'temperatur': 'double'},
            timestampformat='%d.%m.%Y %H:%M:%S');
        create view turns as
        select * from (select *, lag(hot) over (partition by room order by tick) as before from readings)
        where before is distinct from hot;
        create view runs as
        select *, lead(tick) over (partition by room order by tick) as next from turns;
        create view answers as
        select tick + 600 as first, next - 1 as last, 'alarm("' || room || '")' as atom
        from runs where hot and (next is null or next > tick + 600)
    """,
    "counts": """
        create view readings as
        select time as tick, split_part(unnest(facts)[9:], ',', 1) as sensor
        from read_json($source, format='newline_delimited', columns={'time': 'bigint', 'facts': 'varchar[]'});
        create view changes as
        select sensor, tick, sum(change) as change from (
            select sensor, tick, 1 as change from readings
            union all select sensor, tick + 61, -1 from readings
        ) group by sensor, tick having sum(change) <> 0;
        create view numbers as
        select sensor, tick, lead(tick) over by_sensor as next, (sum(change) over by_sensor)::bigint as number
        from changes window by_sensor as (partition by sensor order by tick);
        create view answers as
        select tick as first, next - 1 as last, 'busy(' || sensor || ',' || number || ')' as atom
        from numbers where number >= 12
    """,
    "logins": """
        create view logins as
        select epoch(ts)::bigint as tick, user, result
        from read_json($source, format='newline_delimited',
            columns={'ts': 'timestamptz', 'user': 'varchar', 'result': 'varchar'});
        create view counted as
        select *, count(*) filter (result = 'failed') over (
            partition by user order by tick range between 300 preceding and current row
        ) as failed from logins;
        create view answers as
        select tick as first, tick as last, 'guessed("' || user || '")' as atom
        from counted where result = 'ok' and failed >= 3
    """,
    "heartbeats": """
        create view beats as
        select epoch(time)::bigint as tick, host
        from read_csv($source, header=true, columns={'time': 'timestamptz', 'host': 'varchar'});
        create view gaps as
        select tick, host, lead(tick) over (partition by host order by tick) as next from beats;
        create view answers as
        select tick + 181 as first, next - 1 as last, 'lost("' || host || '")' as atom
        from gaps where next is null or next > tick + 181
    """,
    "join": """
        create view lines as
        select epoch(ts)::bigint as tick, item, "order", payment
        from read_json($source, format='newline_delimited',
            columns={'ts': 'timestamptz', 'item': 'varchar', 'order': 'bigint', 'payment': 'bigint'});
        create view answers as
        select greatest(o.tick, p.tick) as first, least(o.tick, p.tick) + 30 as last,
            'match(' || o."order" || ',' || p.payment || ')' as atom
        from lines o join lines p on o.item = p.item and p.tick between o.tick - 30 and o.tick + 30
        where o."order" is not null and p.payment is not null
    """,
    "fraud": """
        create table events as
        select epoch(ts)::bigint as tick, payment, card, cents, merchant, country, status, notice
        from read_json($source, format='newline_delimited', columns={'ts': 'timestamptz',
            'payment': 'bigint', 'card': 'varchar', 'cents': 'bigint', 'merchant': 'varchar',
            'country': 'varchar', 'status': 'varchar', 'notice': 'varchar'});
        create view payments as
        select *, lag(tick) over (partition by card order by tick) as before,
            count(*) over hour as hourly, min(country) over hour as one, max(country) over hour as other,
            count(*) filter (status = 'declined') over minutes as declined,
            count(*) over month as monthly, sum(cents) over month as total,
            count(*) over (partition by merchant order by tick
                range between 300 preceding and current row) as crowd
        from events where payment is not null
        window hour as (partition by card order by tick range between 3600 preceding and current row),
            minutes as (partition by card order by tick range between 600 preceding and current row),
            month as (partition by card order by tick range between 2592000 preceding and current row);
        create view noticed as
        select p.*, n.tick as noticed from payments p asof left join
            (select tick, notice from events where notice is not null) n
            on p.card = n.notice and p.tick >= n.tick;
        create view found as
        select tick, payment, unnest([
            case when hourly > 5 then 'velocity' end,
            case when one <> other then 'travel' end,
            case when status = 'ok' and declined >= 3 then 'probing' end,
            case when cents >= 50000 and tick - before > 2592000 then 'dormant' end,
            case when monthly >= 5 and cents * monthly > 5 * total then 'unusual' end,
            case when crowd >= 10 then 'burst' end,
            case when merchant in ('m3', 'm17', 'm40') then 'listed' end,
            case when cents >= 100000 and (noticed is null or noticed < tick - 604800) then 'large' end
        ]) as remark from noticed;
        create view answers as
        select tick as first, tick as last, remark || '(' || payment || ')' as atom
        from found where remark is not null
    """,
    "absence": """
        create table beats as
        select epoch(ts)::bigint as tick, host
        from read_json($source, format='newline_delimited',
            columns={'ts': 'timestamptz', 'host': 'bigint'});
        create view gaps as
        select tick, host, lead(tick) over (partition by host order by tick) as next from (
            select * from beats
            union all select (select min(tick) - 1 from beats), unnest(range(2000))
        );
        create view answers as
        select tick + 181 as first, next - 1 as last, 'silent(' || host || ')' as atom
        from gaps where next is null or next > tick + 181
    """,
    "topten": """
        create table sales as
        select epoch(ts)::bigint // 60 as tick, shop, item
        from read_json($source, format='newline_delimited',
            columns={'ts': 'timestamptz', 'shop': 'bigint', 'item': 'bigint'});
        create view totals as
        select tick, shop, item, count(*) as total from (
            select unnest(range(tick, tick + 10)) as tick, shop, item from sales
        ) group by tick, shop, item;
        create view answers as
        select tick as first, tick as last, 'top(' || shop || ',' || item || ')' as atom from totals
        qualify row_number() over (partition by tick, shop order by total desc, item desc) <= 10
    """,
    "sessions": """
        create view clicks as
        select epoch(ts)::bigint // 60 as tick, user
        from read_json($source, format='newline_delimited',
            columns={'ts': 'timestamptz', 'user': 'bigint'});
        create view numbered as
        select *, sum((tick - before > 30)::int) over (partition by user order by tick) as visit from (
            select *, lag(tick, 1, tick) over (partition by user order by tick) as before from clicks
        );
        create view answers as
        select max(tick) + 30 as first, max(tick) + 30 as last,
            'visit(' || user || ',' || min(tick) || ',' || max(tick) || ',' || count(*) || ')' as atom
        from numbered group by user, visit
    """,
    "closure": """
        create view links as
        select distinct unnest(range(epoch(ts)::bigint, epoch(ts)::bigint + 40)) as tick, "from", "to"
        from read_json($source, format='newline_delimited',
            columns={'ts': 'timestamptz', 'from': 'bigint', 'to': 'bigint'});
        create table at_ticks as select * from links;
        create view answers as
        with recursive paths(tick, one, other) as (
            select * from at_ticks
            union select p.tick, p.one, l."to"
            from paths p join at_ticks l on p.tick = l.tick and p.other = l."from"
        )
        select tick as first, tick as last, 'path(' || one || ',' || other || ')' as atom from paths
    """,
}
"""By jobs."""


def run(name: str, source: Path, target: Path) -> None:
    """Runs a job."""
    with duckdb.connect() as database:
        database.execute(QUERIES[name].replace("$source", f"'{source}'"))
        database.execute(f"copy answers to '{target}' (format csv, header false)")


if __name__ == "__main__":
    _, job, read_from, written_to = sys.argv
    run(job, Path(read_from), Path(written_to))
