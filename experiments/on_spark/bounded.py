"""Three rules over a bounded frame of events, beside the same three questions in Spark SQL: processor time.

python -m experiments.on_spark.bounded WAY FOLDER
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from experiments.on_spark.processor_time import ProcessorTime
from experiments.on_spark.tables import write_head, write_row
from lars2asp.runtime.spark.session.chatter import without_chatter
from lars2asp.spark import answers, local_session

DAY, FILES, EVENTS_OF_USER = 86_400, 8, 150

PROGRAM = """
    #input ok(user) at t where kind = "ok".
    #input failed(user, id) at t where kind = "failed".
    #input payment(user, amount, id) at t where kind = "payment".
    guessed(U) :- ok(U), #count { I : failed(U,I) in [300] } >= 3.
    large(U,A) :- payment(U,A,_), A > 99000.
    burst(U) :- payment(U,_,_), #count { I : payment(U,_,I) in [60] } >= 4.
    #show guessed/1. #show large/2. #show burst/1.
"""

_COUNTED = """
    with counted as (
        select *, sum(int(kind = 'failed')) over (
            partition by user order by t range between 300 preceding and current row) failed,
        sum(int(kind = 'payment')) over (
            partition by user order by t range between 60 preceding and current row) payments
        from events)
"""
QUERIES = (
    f"{_COUNTED} select distinct t, user from counted where kind = 'ok' and failed >= 3",
    "select distinct t, user, amount from events where kind = 'payment' and amount > 99000",
    f"{_COUNTED} select distinct t, user from counted where kind = 'payment' and payments >= 4",
)
AT_ONCE = (
    f"""{_COUNTED} select distinct t, user, question, if(question = 'large', amount, null) from (
        select *, explode(filter(array(
            if(kind = 'ok' and failed >= 3, 'guessed', null),
            if(kind = 'payment' and amount > 99000, 'large', null),
            if(kind = 'payment' and payments >= 4, 'burst', null)), one -> one is not null)) question
        from counted)""",
)
SQL = {"Spark SQL, a query each": QUERIES, "Spark SQL, one query": AT_ONCE}
OURS = "lars2asp"


def bounded(events: int) -> None:
    """Measures, each way in a session of its own; SystemExit if the numbers of answers differ."""
    write_head(
        f"three rules over {events:,} events in one frame, two cores; seconds, without the start of Spark",
        *("way", "wall", "processor", "answers"),
    )
    with tempfile.TemporaryDirectory() as name:
        _write(Path(name), events)
        numbers = set()
        for way in (OURS, *SQL):
            command = [sys.executable, "-m", "experiments.on_spark.bounded", way, name]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, start_new_session=True)
            wall, processor, number = json.loads(done.stdout.splitlines()[-1])
            write_row(way, f"{wall:.1f}", f"{processor:.1f}", number)
            numbers.add(number)
    if len(numbers) > 1:
        sys.exit("three rules: the numbers of answers differ")


def _write(folder: Path, events: int) -> None:
    choose = np.random.default_rng(1)
    kinds = np.array(["ok", "failed", "payment"])
    users = choose.integers(0, max(1, events // EVENTS_OF_USER), events).astype(str)
    table = pa.table(
        {
            "t": np.sort(choose.integers(0, DAY, events)),
            "user": np.char.add("u", users),
            "kind": kinds[choose.choice(3, events, p=[0.1, 0.1, 0.8])],
            "amount": choose.integers(0, 100_000, events),
            "id": np.arange(events),
        }
    )
    size = -(-events // FILES)
    for number in range(FILES):
        pq.write_table(table.slice(number * size, size), folder / f"{number}.parquet")


def main(way: str, folder: str) -> None:
    """One way, in this process's session; writes seconds, those of processors, and the number of answers."""
    processor = ProcessorTime(os.getsid(0))
    with without_chatter():
        spark = local_session("local[2]")
    frame = spark.read.parquet(folder)
    frame.createOrReplaceTempView("events")
    frame.count()
    spark.range(10).mapInArrow(lambda batches: batches, "id long").count()  # Python's workers have started
    begin, before = perf_counter(), processor.sample()
    if way == OURS:
        number = answers(frame, PROGRAM).where("change = 'began'").count()
    else:
        number = sum(spark.sql(query).count() for query in SQL[way])
    sys.stdout.write(f"{json.dumps([perf_counter() - begin, processor.sample() - before, number])}\n")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
