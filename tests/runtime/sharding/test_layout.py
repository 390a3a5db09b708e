"""The shards of a program."""

from lars2asp.compiler import checked_program
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.splitting.split import split
from lars2asp.syntax.source import Source


def test_shards_are_spread_by_the_work_of_their_parts() -> None:
    text = """
        a(X) :- p(X,Y), q(X,Y). b(X) :- a(X), not c(X). c(X) :- q(X,_) in [3].
        d(X) :- r(X).
        e(X) :- s(X).
    """
    checked = checked_program(Source("text", text))
    found = split(checked.program, checked.semantics)
    assert [len(part.outputs) for part in found.parts] == [3, 1, 1]
    two = Layout.for_partitions(found, 2)
    assert two.buckets == (1, 1, 1)
    assert two.places(2) == (0, 1, 1)
    eight = Layout.for_partitions(found, 8)
    assert eight.buckets == (3, 3, 3)
    assert sorted(eight.places(8))[-1] == 7
