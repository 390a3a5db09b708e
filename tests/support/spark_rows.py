"""What rows of a DataFrame tell a shard, without a session of Spark."""

from typing import NamedTuple

import pyarrow as pa

from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sharding.blocks import read
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.packets import OUTPUT
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.spark.carrier.rows import RowsReader
from lars2asp.runtime.spark.carrier.table_files import TableFiles
from lars2asp.splitting.parts import Part, Split
from lars2asp.syntax.nodes import Program

EVERYTHING = Part(0, 0, Program(()), frozenset(), True, frozenset(), {}, frozenset(), frozenset())


class Routed(NamedTuple):
    """Atoms with ticks, rejected rows with reasons, the latest tick, and the counts."""

    atoms: set[tuple[int, str]]
    rejected: list[tuple[str, str]]
    latest: int
    account: Account


def routed_by(reader: RowsReader, batch: pa.RecordBatch, last_tick: int = 10**9) -> Routed:
    """What a reader tells of the columns of a batch that it needs."""
    assert not isinstance(reader, TableFiles)
    router = Router(Layout(Split((EVERYTHING,)), (1,)).input_routes(0), last_tick=last_tick, counts=True)
    reader.route(batch.select([*reader.columns]), router)
    atoms, rejected, latest = set[tuple[int, str]](), list[tuple[str, str]](), 0
    for packet in router.packets():
        latest = max(latest, packet.tick)
        for block in read(packet.data):
            if packet.target == OUTPUT:
                rejected += [(str(reason), str(text)) for reason, text in block.rows]
            else:
                atoms |= {*zip(block.ticks, atom_texts(block.signature, block.rows), strict=True)}
    return Routed(atoms, sorted(rejected), latest, router.counts.account)
