"""Streams that a Python program hands over: records, or pairs of a time and facts."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import SupportsIndex, TypeAlias

from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.externals.events import Events
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.facts.atoms import Fact
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.records import OnReject, Origin, Record, Rejected
from lars2asp.syntax.source import shown

Time: TypeAlias = SupportsIndex | date
"""A tick, or a moment: a `datetime`, a `date` (at midnight), pandas' `Timestamp`, numpy's `datetime64`.

The tick of a moment is that of the program's `#tick`; a moment without offset is in its `#timezone`.
"""

StreamItem = Record | tuple[Time, Iterable[Fact]]
"""An item of a stream: a record, or a pair of a time and the facts that hold at its tick."""


def records_of(
    stream: Iterable[StreamItem],
    on_reject: OnReject,
    tick_of: Callable[[Time], int],
    facts: FactReader = PLAIN,
    account: Account | None = None,
) -> Iterator[Record]:
    """The records of a stream, `tick_of` giving the ticks of times; items that are none are rejected.

    They are counted in an account.
    """
    account = account or Account()
    for number, item in enumerate(stream, start=1):
        if isinstance(item, Record) and isinstance(item.tick, int) and 0 <= item.tick <= LARGEST_TICK:
            account.take((item,))
            yield item
            continue
        origin = Origin("<stream>", number, item)
        try:
            if isinstance(item, Record):
                record = item._replace(tick=tick_of(item.tick))
            elif not (isinstance(item, tuple) and len(item) == 2):
                raise InputError(
                    f"{shown(repr(item))} is neither a record nor a pair of a time and facts, "
                    "such as (1, ['p(a)'])"
                )
            else:
                record = Record(tick_of(item[0]), Events(facts.rows(item[1])), origin)
        except InputError as error:
            account.rejected += 1
            on_reject(Rejected(origin, str(error)))
        else:
            account.take((record,))
            yield record
