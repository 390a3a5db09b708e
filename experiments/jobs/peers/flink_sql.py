"""The jobs as SQL of Flink, in batches, in one process of Java; with MATCH_RECOGNIZE where it fits."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from pyflink.java_gateway import get_gateway
from pyflink.table import EnvironmentSettings, TableEnvironment

SOURCE = """
    create temporary table source ({columns}) with (
        'connector' = 'filesystem', 'path' = '{path}', 'format' = '{form}'{options}
    )
"""
TARGET = """
    create temporary table target (begin_at bigint, end_at bigint, atom string) with (
        'connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv'
    )
"""
SECONDS = "unix_timestamp(ts, 'yyyy-MM-dd''T''HH:mm:ss''Z''')"

COLUMNS: Mapping[str, str] = {
    "alarm": "zeit string, raum string, temperatur string",
    "counts": "`time` bigint, facts array<string>",
    "logins": "ts string, `user` string, `result` string",
    "heartbeats": "ts string, host string",
    "join": "ts string, item string, `order` bigint, payment bigint",
    "fraud": "ts string, payment bigint, card string, cents bigint, merchant string, country string, "
    "status string, notice string",
    "absence": "ts string, host bigint",
    "topten": "ts string, shop bigint, item bigint",
    "sessions": "ts string, `user` bigint",
}
"""Those of the streams, by jobs."""

QUERIES: Mapping[str, str] = {
    "alarm": """
        with readings as (
            select unix_timestamp(zeit, 'dd.MM.yyyy HH:mm:ss') as tick, raum as room,
                cast(replace(temperatur, ',', '.') as double) > 24.5 as hot
            from source where zeit <> 'zeit'
        ), turns as (
            select * from (
                select *, lag(hot) over (partition by room order by tick) as before from readings
            ) where before is distinct from hot
        ), runs as (
            select *, lead(tick) over (partition by room order by tick) as later from turns
        )
        select tick + 600, later - 1, 'alarm("' || room || '")'
        from runs where hot and (later is null or later > tick + 600)
    """,
    "counts": """
        with readings as (
            select `time` as tick, split_index(substring(fact, 9), ',', 0) as sensor
            from source cross join unnest(facts) as told (fact)
        ), changes as (
            select sensor, tick, sum(change) as change from (
                select sensor, tick, 1 as change from readings
                union all select sensor, tick + 61, -1 from readings
            ) group by sensor, tick having sum(change) <> 0
        ), numbers as (
            select sensor, tick, lead(tick) over (partition by sensor order by tick) as later,
                sum(change) over (partition by sensor order by tick) as number
            from changes
        )
        select tick, later - 1, 'busy(' || sensor || ',' || cast(number as string) || ')'
        from numbers where number >= 12
    """,
    "logins": """
        with counted as (
            select tick, `user`, `result`, sum(failed) over (
                partition by `user` order by tick range between 300 preceding and current row
            ) as failed
            from (
                select {seconds} as tick, `user`, `result`,
                    case `result` when 'failed' then 1 else 0 end as failed
                from source
            )
        )
        select tick, tick, 'guessed("' || `user` || '")' from counted where `result` = 'ok' and failed >= 3
    """,
    "heartbeats": """
        with gaps as (
            select tick, host, lead(tick) over (partition by host order by tick) as later
            from (select {seconds} as tick, host from source where host <> 'host')
        )
        select tick + 181, later - 1, 'lost("' || host || '")'
        from gaps where later is null or later > tick + 181
    """,
    "join": """
        with lines as (select {seconds} as tick, item, `order`, payment from source)
        select greatest(o.tick, p.tick), least(o.tick, p.tick) + 30,
            'match(' || cast(o.`order` as string) || ',' || cast(p.payment as string) || ')'
        from lines o join lines p on o.item = p.item and p.tick between o.tick - 30 and o.tick + 30
        where o.`order` is not null and p.payment is not null
    """,
    "fraud": """
        with events as (
            select *, {seconds} as tick, to_timestamp_ltz({seconds}, 0) as at_time from source
        ), payments as (
            select *,
                count(*) over (partition by card order by tick
                    range between 3600 preceding and current row) as hourly,
                min(country) over (partition by card order by tick
                    range between 3600 preceding and current row) as least,
                max(country) over (partition by card order by tick
                    range between 3600 preceding and current row) as greatest,
                sum(case status when 'declined' then 1 else 0 end) over (partition by card order by tick
                    range between 600 preceding and current row) as declined,
                lag(tick) over (partition by card order by tick) as before,
                count(*) over (partition by card order by tick
                    range between 2592000 preceding and current row) as monthly,
                sum(cents) over (partition by card order by tick
                    range between 2592000 preceding and current row) as total,
                count(*) over (partition by merchant order by tick
                    range between 300 preceding and current row) as crowd
            from events where payment is not null
        ), unnoticed as (
            select p.tick, p.payment from payments p left join events n
                on p.card = n.notice and n.tick between p.tick - 604800 and p.tick
            where p.cents >= 100000 and n.notice is null
        ), found as (
            select 'velocity' as remark, tick, payment from payments where hourly > 5
            union all select 'travel', tick, payment from payments where least <> greatest
            union all select 'probing', tick, payment from payments where status = 'ok' and declined >= 3
            union all select 'dormant', tick, payment from payments
                where cents >= 50000 and tick - before > 2592000
            union all select 'unusual', tick, payment from payments
                where monthly >= 5 and cents * monthly > 5 * total
            union all select 'burst', tick, payment from payments where crowd >= 10
            union all select 'listed', tick, payment from payments where merchant in ('m3', 'm17', 'm40')
            union all select 'large', tick, payment from unnoticed
        )
        select tick, tick, remark || '(' || cast(payment as string) || ')' from found
    """,
    "absence": """
        with beats as (select {seconds} as tick, host from source),
        gaps as (
            select tick, host, lead(tick) over (partition by host order by tick) as later from (
                select tick, host from beats
                union all select begins.tick, known.host
                from (select min(tick) - 1 as tick from beats) as begins
                cross join ({hosts}) as known
            )
        )
        select tick + 181, later - 1, 'silent(' || cast(host as string) || ')'
        from gaps where later is null or later > tick + 181
    """,
    "topten": """
        with sales as (select {seconds} / 60 as tick, shop, item from source),
        totals as (
            select tick + later as tick, shop, item, count(*) as total
            from sales cross join (values 0, 1, 2, 3, 4, 5, 6, 7, 8, 9) as ticks (later)
            group by tick + later, shop, item
        )
        select tick, tick, 'top(' || cast(shop as string) || ',' || cast(item as string) || ')'
        from (
            select *, row_number() over (partition by tick, shop order by total desc, item desc) as place
            from totals
        ) where place <= 10
    """,
    "sessions": """
        with clicks as (
            select `user`, {seconds} / 60 as tick from source
            union all select distinct `user`, 4000000000 from source
        )
        select last_click + 30, last_click + 30,
            'visit(' || cast(`user` as string) || ',' || cast(first_click as string) || ','
                || cast(last_click as string) || ',' || cast(number as string) || ')'
        from (select *, to_timestamp_ltz(tick, 0) as at_time from clicks) match_recognize (
            partition by `user` order by at_time
            measures first(A.tick) as first_click, coalesce(last(B.tick), A.tick) as last_click,
                1 + count(B.tick) as number
            one row per match after match skip to last C
            pattern (A B* C)
            define B as B.tick - coalesce(last(B.tick, 1), A.tick) <= 30,
                C as C.tick - coalesce(last(B.tick), A.tick) > 30
        )
    """,
}
"""By jobs."""


def started(zone: str = "UTC") -> TableEnvironment:
    """Begins Flink: batches, in one thread."""
    tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    settings = tables.get_config()
    settings.set("parallelism.default", "1")
    settings.set("table.local-time-zone", zone)
    return tables


def insert(tables: TableEnvironment, query: str, target: Path) -> None:
    """Writes what a query finds into one file."""
    parts = target.with_suffix(".parts")
    tables.execute_sql(TARGET.format(path=parts))
    tables.execute_sql(f"insert into target {query}").wait()
    with target.open("wb") as written:
        for part in sorted(parts.rglob("*")):
            if part.is_file() and not part.name.startswith(("_", ".")):
                written.write(part.read_bytes())
    shutil.rmtree(parts, ignore_errors=True)


def ended() -> None:
    """Ends Java, and waits for it, so that its time counts."""
    get_gateway().shutdown()
    os.wait()


def run(name: str, source: Path, target: Path) -> None:
    """Runs a job."""
    tables = started("Europe/Vienna" if name == "alarm" else "UTC")
    form, options, read = "json", "", source
    if source.suffix == ".csv":
        form, options = "csv", f", 'csv.field-delimiter' = '{';' if name == 'alarm' else ','}'"
        if name == "alarm":  # it reads UTF-8 alone
            read = source.with_suffix(".utf-8.csv")
            read.write_text(source.read_text(encoding="cp1252"))
    tables.execute_sql(SOURCE.format(columns=COLUMNS[name], path=read, form=form, options=options))
    query = QUERIES[name].format(
        seconds=SECONDS,
        hosts="select host from (values " + ", ".join(map(str, range(2000))) + ") as hosts (host)",
    )
    insert(tables, query, target)
    ended()


if __name__ == "__main__":
    _, job, read_from, written_to = sys.argv
    run(job, Path(read_from), Path(written_to))
