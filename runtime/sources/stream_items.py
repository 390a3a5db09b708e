"""Streams that a Python program hands over: records, or pairs of a tick and facts."""

from collections.abc import Iterable, Iterator

from lars2asp.externals.events import Events
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.atoms import Fact
from lars2asp.runtime.sources.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.records import OnReject, Origin, Record, Rejected
from lars2asp.syntax.nodes import LARGEST_INTEGER
from lars2asp.syntax.source import shown_number

StreamItem = Record | tuple[int, Iterable[Fact]]
"""An item of a stream: a record, or a pair of a tick and the facts that hold at it."""


def records_of(
    stream: Iterable[StreamItem], on_reject: OnReject, facts: FactReader = PLAIN
) -> Iterator[Record]:
    """The records of a stream; items that are none are rejected."""
    for number, item in enumerate(stream, start=1):
        if isinstance(item, Record):
            yield item
            continue
        origin = Origin("<stream>", number, item)
        try:
            if not (isinstance(item, tuple) and len(item) == 2):
                raise InputError(f"{item!r} is neither a record nor a pair of a tick and facts")
            yield Record(checked_tick(item[0]), Events(facts.rows(item[1])), origin)
        except InputError as error:
            on_reject(Rejected(origin, str(error)))


def checked_tick(tick: int) -> int:
    """The tick. Raises InputError where it is none."""
    if not isinstance(tick, int) or isinstance(tick, bool):
        raise InputError(f"the tick {tick!r} is no integer")
    if not 0 <= tick <= LARGEST_INTEGER:
        raise InputError(f"tick {shown_number(tick)} is not between 0 and {LARGEST_INTEGER}")
    return tick
