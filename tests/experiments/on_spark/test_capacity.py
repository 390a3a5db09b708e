"""The capacity model, and the streams of which it is made."""

import pyarrow.parquet as pq

from experiments.on_spark.capacity import Costs
from experiments.on_spark.tables import stream_of_shard, stream_of_work


def test_a_shard_has_all_rows_of_its_keys() -> None:
    with stream_of_work("join", 2, 2000) as (folder, _):
        whole = pq.read_table(folder)
    with stream_of_shard("join", 2, 2000, 2) as (folder, _, facts):
        part = pq.read_table(folder)
        assert len([*folder.glob("*.parquet")]) == 2
    keys = {*part.column("key").to_pylist()}
    assert 0 < len(keys) < len({*whole.column("key").to_pylist()})
    assert part.num_rows == sum(key in keys for key in whole.column("key").to_pylist())
    assert facts == part.num_rows  # two facts a row, two batches


def test_what_a_batch_takes_anyway_is_counted_once() -> None:
    costs = Costs(overhead=0.3, fixed=0.4, fact=4.0, change=2.0, row=1.0)
    processor = costs.processor(10.0, 3.0, is_table=False)
    assert processor == 20.0
    assert costs.processor(10.0, 3.0, is_table=True) == 17.0
    assert costs.seconds(100_000, processor, 2) == 1.3
