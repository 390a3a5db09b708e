"""Late records where nothing waits for them: all go on as they come, and the watermark says what is final."""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cached_property

from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.sources.reordering import Reordering, Watermark


class EarlyRecords(Reordering):
    """Records in the order of their arrival, without those that come too late; see Reordering.

    Of live sources the watermark stands behind all that came at once, also where it has not moved.
    """

    @cached_property
    def _come(self) -> deque[Record]:
        """Those that have not been given on."""
        return deque()

    def add(self, tick: int, record: Record) -> None:
        """A record goes on."""
        self._come.append(record)

    def __len__(self) -> int:
        """The number of those."""
        return len(self._come)

    def left(self) -> Iterator[Record]:
        """See WaitingRecords."""
        return self._given_on()

    def _in_order(self, records: Iterable[Record]) -> Iterator[Record | Watermark]:
        for record in records:
            before = self._latest
            self._take(record)
            if self._latest != before:
                yield from self._ready()
            else:
                yield from self._given_on()

    def _ready(self) -> Iterator[Record | Watermark]:
        yield from self._given_on()
        if self._latest is not None:
            self._open_from = max(self._open_from, self._latest - self._lateness)
            yield Watermark(self._open_from - 1)

    def _given_on(self) -> Iterator[Record]:
        while self._come:
            yield self._come.popleft()

    def _in_turn(self) -> list[tuple[int, Record]]:
        return [(record.tick, record) for record in self._come]
