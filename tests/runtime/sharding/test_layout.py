"""The shards of a program."""

from lars2asp.runtime.sharding.layout import Layout, weight
from tests.support.splits import split_of


def shares_of(layout: Layout, count: int) -> list[list[float]]:
    """For each level the expected share of its work at each of so many places."""
    places = layout.places(count)
    found = [[0.0] * count for _ in range(layout.split.levels)]
    for shard, place in zip(layout.shards, places, strict=True):
        found[shard.part.level][place] += weight(shard.part) / shard.buckets
    return [[load / sum(loads) for load in loads] for loads in found]


def test_parts_with_keys_have_a_bucket_for_each_partition() -> None:
    found = split_of("a(X) :- p(X,Y), q(X,Y). b(X) :- a(X), not q(X,_) in [3]. d(X) :- r(X). e(Y) :- q(_,Y).")
    assert [len(part.outputs) for part in found.parts] == [2, 1, 1]
    layout = Layout.for_partitions(found, 4)
    assert layout.buckets == (4, 4, 4)
    [shares] = shares_of(layout, 4)
    assert all(abs(share - 0.25) < 0.001 for share in shares)
    assert [sorted(layout.places(4)[first : first + 4]) for first in (0, 4, 8)] == [[0, 1, 2, 3]] * 3
    assert Layout.for_partitions(found, 1).buckets == (1, 1, 1)


def test_buckets_are_spread_around_a_part_in_one_bucket() -> None:
    found = split_of("a(X) :- p(X), q(X). n(N) :- N = #count { X : r(X) }.")
    assert [part.is_keyed for part in found.parts] == [True, False]
    layout = Layout.for_partitions(found, 2)
    assert layout.buckets == (4, 1)
    assert all(0.4 < share < 0.6 for share in shares_of(layout, 2)[0])
