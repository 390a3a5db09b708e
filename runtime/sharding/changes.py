"""What shards send to the output, as Arrow columns: a row for each change of the answer."""

from array import array
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.externals.terms.terms import BARE_TERM
from lars2asp.externals.terms.text import NO_DECIMALS, Decimals
from lars2asp.runtime.sharding.blocks import Block, integer_array, read
from lars2asp.runtime.sharding.packets import REJECTION, PacketSign
from lars2asp.syntax.nodes import Signature

CHANGES = pa.schema(
    [
        ("time", pa.int64()),
        ("atom", pa.string()),
        ("change", pa.string()),
        ("predicate", pa.string()),
        ("arguments", pa.list_(pa.string())),
        ("partition", pa.int32()),
        ("reason", pa.string()),
    ]
)
"""`time` is a tick, missing for records whose time could not be read. `change` is `began`, `ended`,
`unsatisfiable` and `satisfiable` (from this tick on there is no answer stream, there is one again) or
`rejected`: then `atom` is the text of the record, and `reason` says why.

Of an atom `predicate` is such as `alarm/2`, and `arguments` are texts: strings without quotes, all else as
programs write it. `partition` is the shard; it is missing for records that came to none."""

CHANGE_NAMES = {
    PacketSign.BEGAN: "began",
    PacketSign.ENDED: "ended",
    PacketSign.UNSATISFIABLE: "unsatisfiable",
    PacketSign.SATISFIABLE: "satisfiable",
    PacketSign.REJECTED: "rejected",
}
"""The values of `change`."""


def changes_in(packets: Iterable[tuple[bytes, int]], decimals: Decimals = NO_DECIMALS) -> pa.Table:
    """The changes in the data of packets for the output, each with the number of its shard (-1: none).

    They are in the order of ticks; at each what ends comes first, then what begins, by the texts of atoms.
    """
    batches = [_changes(block, source, decimals) for data, source in packets for block in read(data)]
    found = pa.Table.from_batches(batches, CHANGES)
    return found.sort_by([("time", "ascending"), ("change", "descending"), ("atom", "ascending")])


def predicate_changes(
    packets: Iterable[bytes], signature: Signature, schema: pa.Schema, decimals: Decimals = NO_DECIMALS
) -> Iterator[pa.RecordBatch]:
    """The changes of one predicate in the data of packets for the output.

    Args:
        packets: the data.
        signature: the predicate.
        schema: has columns for the time (a tick), the change, and each argument: integers of 64 bits, where
            other values are missing, or texts as in CHANGES.
        decimals: how the numbers of predicates are written.
    """
    places = decimals.get(signature, (0,) * signature.arity)
    for data in packets:
        for block in read(data):
            if block.signature == signature and block.sign in (PacketSign.BEGAN, PacketSign.ENDED):
                change = pa.repeat(CHANGE_NAMES[PacketSign(block.sign)], block.columns.num_rows)
                arguments = [
                    block.integers(place)
                    if kind.type == pa.int64()
                    else block.texts(place, has_quotes=False, decimals=places[place])
                    for place, kind in enumerate([*schema][2:])
                ]
                yield pa.record_batch([block.columns.column(0), change, *arguments], schema=schema)


def rejected_in(packets: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """The reason and the text of each record that was rejected, in the data of packets for the output."""
    for data in packets:
        for block in read(data):
            if block.signature == REJECTION:
                reasons, texts = block.columns.columns[1:]
                yield from zip(reasons.to_pylist(), texts.to_pylist(), strict=True)


def _changes(block: Block, source: int, decimals: Decimals) -> pa.RecordBatch:
    number = block.columns.num_rows
    ticks = block.columns.column(0)
    columns = {
        "time": pc.if_else(pc.less(ticks, 0), None, ticks),
        "change": pa.repeat(CHANGE_NAMES[PacketSign(block.sign)], number),
        "partition": pa.repeat(None if source < 0 else source, number),
    }
    if block.signature == REJECTION:
        columns["reason"], columns["atom"] = block.columns.columns[1:]
    elif block.sign in (PacketSign.BEGAN, PacketSign.ENDED):
        columns |= _atoms(block, number, decimals)
    arrays = [
        columns[kind.name].cast(kind.type) if kind.name in columns else pa.nulls(number, kind.type)
        for kind in CHANGES
    ]
    return pa.record_batch(arrays, schema=CHANGES)


def _atoms(block: Block, number: int, decimals: Decimals) -> dict[str, pa.Array]:
    """The columns for atoms, or for terms that are shown."""
    signature = block.signature
    places = [*enumerate(decimals.get(signature, (0,) * signature.arity))]
    texts = [block.texts(place, has_quotes=True, decimals=digits) for place, digits in places]
    if signature == BARE_TERM:
        return {"atom": texts[0]}
    plain = [
        text if block.has_no_strings(place) else block.texts(place, has_quotes=False, decimals=digits)
        for (place, digits), text in zip(places, texts, strict=True)
    ]
    name = signature.name if signature.is_positive else f"-{signature.name}"
    arguments = plain[0] if signature.arity == 1 else _interleaved(plain, number)
    ends = range(0, signature.arity * number + 1, signature.arity) if signature.arity else [0] * (number + 1)
    return {
        "atom": _joined(name, texts) if texts else pa.repeat(name, number),
        "predicate": pa.repeat(str(signature), number),
        "arguments": pa.ListArray.from_arrays(integer_array(ends), arguments),
    }


def _joined(name: str, texts: list[pa.Array]) -> pa.Array:
    """The texts of atoms."""
    arguments = pc.binary_join_element_wise(*texts, ",")
    return pc.binary_join_element_wise(f"{name}(", arguments, ")", "")


def _interleaved(columns: list[pa.Array], number: int) -> pa.Array:
    """The values of columns row by row."""
    if not columns:
        return pa.nulls(0, pa.string())
    places = array("i", bytes(4 * number * len(columns)))
    for place in range(len(columns)):
        places[place :: len(columns)] = array("i", range(place * number, (place + 1) * number))
    return pa.concat_arrays(columns).take(integer_array(places))
