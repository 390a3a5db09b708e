"""The five jobs as queries of DuckDB over the whole file."""

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
