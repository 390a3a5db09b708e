"""What is given back is taken first, the last of it at first; nothing is taken twice."""

from itertools import islice

from lars2asp.runtime.sources.pushback import Pushback


def test_what_is_given_back_comes_first() -> None:
    items = Pushback(range(5))
    assert [*islice(items, 2)] == [0, 1]
    items.give_back([1])
    items.give_back(iter([7, 0]))
    items.give_back([])
    assert [*items] == [7, 0, 1, 2, 3, 4]
    items.give_back([9])
    assert [*items] == [9]


def test_such_a_stream_stays_the_same() -> None:
    items = Pushback([1])
    assert Pushback.of(items) is items
    assert [*Pushback.of([1])] == [1]
