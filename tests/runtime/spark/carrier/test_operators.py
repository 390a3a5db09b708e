"""What operators do with packets, without Spark."""

import pyarrow as pa
import pyarrow.compute

from lars2asp import Reasoner
from lars2asp.runtime.sharding.changes import changes_in
from lars2asp.runtime.spark.carrier.operators import evaluator_of_bounded
from lars2asp.runtime.spark.carrier.packet_frames import PACKETS_IN_ARROW, in_arrow, routed
from tests.runtime.spark.levels import FAR, ROWS, program_of_levels


def test_what_is_handed_on_over_several_levels_is_taken_once() -> None:
    program = program_of_levels()
    assert any(
        part.level > 1 and not program.layout.split.parts[0].hands_on.isdisjoint(part.listens)
        for part in program.layout.split.parts
    )
    rows = [(str(tick), atom) for tick, atoms in ROWS.items() for atom in atoms]
    batch = pa.record_batch([pa.array(column) for column in zip(*rows, strict=True)], ["time", "atom"])
    packets = pa.Table.from_batches([], PACKETS_IN_ARROW)
    for level in range(program.layout.split.levels):
        router = program.router(level, is_bounded=True, sends_start=True)
        routes = [packet for some in routed([batch], program.reader, router) for packet in some]
        waiting = pa.concat_tables(
            [packets, pa.Table.from_batches(in_arrow(routes, program), PACKETS_IN_ARROW)]
        )
        waiting = waiting.drop_columns("at")
        evaluate = evaluator_of_bounded(program.pickled(), level)
        shards = pa.compute.unique(waiting.column("shard"))
        groups = (
            (shard, waiting.filter(pa.compute.equal(waiting.column("shard"), shard))) for shard in shards
        )
        packets = pa.concat_tables([evaluate((shard,), table) for shard, table in groups])
    changes = changes_in((data, 0) for data in packets.column("data").to_pylist())
    found = [(one["time"], one["change"], one["atom"]) for one in changes.to_pylist()]
    expected = []
    for answer in Reasoner.from_text(FAR).run(iter(ROWS.items()), emit="every"):
        expected += [(answer.tick, "began", str(atom)) for atom in answer.began.symbols]
        expected += [(answer.tick, "ended", str(atom)) for atom in answer.ended.symbols]
    assert sorted(found) == sorted(expected)
