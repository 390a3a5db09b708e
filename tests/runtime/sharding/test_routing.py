"""Atoms go to the shards of their keys, and records become blocks."""

from collections.abc import Sequence
from zlib import crc32

import pytest

from lars2asp.externals.events import Events
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import Block, read
from lars2asp.runtime.sharding.layout import Layout, Routes
from lars2asp.runtime.sharding.packets import OUTPUT, PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.facts.atoms import parse_atoms
from lars2asp.runtime.sources.records import Record
from lars2asp.splitting.parts import Key, Part, Split
from lars2asp.syntax.nodes import Program, Signature
from tests.runtime.sharding.packet_texts import texts_of
from tests.support.splits import split_of

P, Q, A = Signature("p", 2), Signature("q", 1), Signature("a", 0)
BUCKETS = 5


def routes() -> Routes:
    """Five buckets by the last argument of p/2, each of which gets all of q/1 and a/0."""
    part = Part(
        0, 0, Program(()), frozenset((P, Q, A)), False, frozenset(), {P: Key(1)}, frozenset(), frozenset()
    )
    return Layout(Split((part,)), (BUCKETS,)).input_routes(0)


@pytest.mark.parametrize(
    "key", ["0", "-17", "x", "-x", '"x"', '"a,b"', '"\\"\\n"', "f(x,-1)", "(1,)", "()", "#inf"]
)
def test_a_bucket_is_the_checksum_of_the_key_as_clingo_writes_it(key: str) -> None:
    atoms = block_of([f"p(1,{key})"])
    [(bucket, here)] = routes().targets(atoms).items()
    assert bucket == crc32(key.encode()) % BUCKETS
    assert here == atoms


def test_atoms_of_one_predicate_are_divided_by_their_keys() -> None:
    atoms = block_of([f"p({number},{number % 3})" for number in range(9)])
    found = routes().targets(atoms)
    assert len(found) > 1
    for number, here in found.items():
        assert here.signature == P
        assert here.rows == [row for row in atoms.rows if crc32(str(row[1]).encode()) % BUCKETS == number]
        assert here.ticks == [row[0] for row in here.rows]
    assert sum(len(here.rows) for here in found.values()) == 9


def test_what_has_no_key_goes_to_all_and_what_is_not_read_to_none() -> None:
    for text, count in (("q(1)", BUCKETS), ("a", BUCKETS), ("b", 0)):
        assert len(routes().targets(block_of([text]))) == count


def block_of(texts: Sequence[str]) -> Block:
    """Facts of one predicate, at ticks 0, 1 and so on."""
    [atoms] = parse_atoms(texts)
    return Block.of(PacketSign.FACT, atoms, range(len(texts)))


def test_records_become_a_block_for_each_sign_and_predicate() -> None:
    router = Router(routes())
    router.add(Record(3, Events(facts=parse_atoms(["q(1)", "q(2)", "a"]))))
    router.add(Record(4, Events(facts=parse_atoms(["q(1)"]), until=9)))
    router.add(Record(3, Events(parse_atoms(["q(3)"]), parse_atoms(["q(4)"]), parse_atoms(["q(5)"]))))
    packets = router.packets()
    assert [packet.target for packet in packets] == [*range(BUCKETS)]
    assert {packet.tick for packet in packets} == {4}
    assert sorted(texts_of(packets[0].data)) == [
        (3, "b", ["q(4)"]),
        (3, "e", ["q(5)"]),
        (3, "f", ["a"]),
        (3, "f", ["q(1)"]),
        (3, "f", ["q(2)"]),
        (3, "f", ["q(3)"]),
        (4, "f9", ["q(1)"]),
    ]
    assert len([*read(packets[0].data)]) == 5


def test_a_record_that_goes_nowhere_moves_the_watermark() -> None:
    router = Router(routes())
    router.add(Record(7, Events(parse_atoms(["b"]))))
    assert [(packet.target, packet.tick, packet.data) for packet in router.packets()] == [(OUTPUT, 7, b"")]


def test_a_tick_behind_the_last_is_refused() -> None:
    router = Router(routes(), last_tick=9)
    with pytest.raises(InputError, match="later than 9, the last tick"):
        router.add(Record(10, Events(parse_atoms(["a"]))))
    assert router.packets() == []


def test_atoms_go_to_the_buckets_of_what_tables_have_for_their_keys() -> None:
    """Those without a row go to the bucket of the key itself; the answer of the first bucket counts."""
    program = "bad(R) :- reading(S,T), region(S,R). region(s1,n). region(s1,m). region(s2,w). #const w = 7."
    layout = Layout(split_of(program), (50,))
    texts = ["reading(s1,0)", "reading(s2,0)", "reading(s3,0)"]
    block = block_of(texts)
    expected: dict[int, list[str]] = {}
    for key, sensor in (("n", "s1"), ("m", "s1"), ("7", "s2"), ("s3", "s3")):
        expected.setdefault(crc32(key.encode()) % 50, []).append(f"reading({sensor},0)")
    found = layout.input_routes(0).targets(block)
    assert {number: atom_texts(here.signature, here.rows) for number, here in found.items()} == expected
    owned = ((number, shard.owned(block)) for number, shard in enumerate(layout.shards))
    owners = {text: number for number, own in owned for text in atom_texts(own.signature, own.rows)}
    assert owners == {
        f"reading({sensor},0)": min(crc32(key.encode()) % 50 for key in keys)
        for sensor, keys in (("s1", ["n", "m"]), ("s2", ["7"]), ("s3", ["s3"]))
    }


def test_the_input_has_no_atoms_of_tables() -> None:
    program = "bad(R) :- reading(S,T), region(S,R). region(s1,n)."
    router = Router(Layout(split_of(program), (2,)).input_routes(0))
    router.add(Record(4, Events(facts=parse_atoms(["region(s2,n)"]))))
    [packet] = router.packets()
    assert packet.target == OUTPUT
    [(_, _, [text])] = texts_of(packet.data)
    assert "region/2 is background data that the split depends on" in text
