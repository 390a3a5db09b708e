"""What became of the rows of an input: counted where they are read, and judged late where time is known."""

from collections import Counter
from collections.abc import Collection, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import Record, SharedOrigin, TimeAlone

_EARLY = -1
"""Stands for the ticks before the start; there is no other before 0."""

_NUMBERS = len(Account().state())


class RowCounts:
    """Counts rows, and notes the ticks of their facts as long as these may be late.

    Args:
        start: facts of ticks before it are late; None where nothing says it.
        is_asked: whether ticks are noted at all.

    Attributes:
        account: the counts so far.
    """

    def __init__(self, start: int | None = None, *, is_asked: bool = True) -> None:
        self.account = Account()
        self.is_asked = is_asked
        self._start = start
        self._told = Counter[tuple[int, int]]()
        """The number of facts, by their ticks and the latest of their rows; at that one rows are counted."""

    def refuse(self, number: int = 1) -> None:
        """Rows whose facts the router refuses."""
        self.account.rejected += number

    def take(self, ticks: pa.Array, *, lasts: bool = False) -> None:
        """Rows with facts, each at one tick.

        Args:
            ticks: those of the rows.
            lasts: whether they hold longer, so that those from before the start count as well.
        """
        if not self.is_asked:
            return
        if self._start is not None and not lasts:
            ticks = pc.if_else(pc.less(ticks, self._start), _EARLY, ticks)
        self.account.gave_facts += len(ticks)
        for tick, number in zip(*map(pa.Array.to_pylist, pc.value_counts(ticks).flatten()), strict=True):
            self._told[tick, tick] += number

    def take_row(self, ticks: Collection[int], *, lasts: bool = False) -> None:
        """A row with facts at ticks, one at least."""
        self.account.gave_facts += 1
        self._tell(ticks, lasts=lasts)

    def take_time(self, events: TimeAlone, number: int) -> None:
        """Rows without facts, of which the time was read."""
        self.account.take([Record(0, events)] * number)

    def tell(self, records: Sequence[Record]) -> None:
        """Notes the ticks of records that were counted, the parts of each together."""
        if not self.is_asked:
            return
        if isinstance(records, RecordColumns):
            without = {*records.without_facts}
            for tick, many in Counter(
                tick for place, tick in enumerate(records.ticks) if place not in without
            ).items():
                self._tell((tick,), many)
            return
        shared = dict[int, tuple[SharedOrigin, bool, list[int]]]()
        alone: dict[bool, list[int]] = {False: [], True: []}
        for tick, (facts, begin, end, until), origin in records:
            if not (facts or begin or end):
                continue
            lasts = bool(begin or end) or until is not None
            if type(origin) is SharedOrigin:
                _, _, ticks = shared.setdefault(id(origin), (origin, lasts, []))
                ticks += [+tick] * sum(len(rows) for _, rows in (*facts, *begin, *end))
            else:
                alone[lasts].append(+tick)
        for lasts, ticks in alone.items():
            for tick, many in Counter(ticks).items():
                self._tell((tick,), many, lasts=lasts)
        for origin, lasts, ticks in shared.values():
            self._tell(ticks, origin.gave_facts, lasts=lasts)

    def _tell(self, ticks: Collection[int], rows: int = 1, *, lasts: bool = False) -> None:
        """Notes the ticks of the facts of a row, or of several, that count as those that gave facts."""
        if self._start is not None and not lasts:
            ticks = [tick if tick >= self._start else _EARLY for tick in ticks]
        latest = max(ticks)
        self._told[latest, latest] += rows
        for tick in ticks:
            if tick < latest:
                self._told[tick, latest] += 1

    @property
    def numbers(self) -> list[int]:
        """The account, and the ticks: `judged` makes an account of them."""
        ticks = (number for (tick, latest), many in self._told.items() for number in (tick, latest, many))
        return [*self.account.state(), *ticks]


def account_of(numbers: Sequence[int]) -> Account:
    """The account in such numbers."""
    return Account(*numbers[:_NUMBERS])


def judged(numbers: Sequence[int], late: int | None) -> Account:
    """The account of rows, given by `RowCounts.numbers`, where facts up to a tick come too late."""
    account, late = account_of(numbers), _EARLY if late is None else late
    told = iter(numbers[_NUMBERS:])
    for tick, latest, many in zip(told, told, told, strict=True):
        if latest <= late and tick == latest:
            account.gave_facts -= many
            account.late += many
        elif tick <= late < latest:
            account.late_facts += many
    return account
