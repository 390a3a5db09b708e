"""A run from a source to a sink, which goes on from its checkpoints."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from runtime.answer import Answer, Given
from runtime.checkpoints import Checkpoints
from runtime.errors import SnapshotError
from runtime.order import Order
from runtime.reasoner import Reasoner
from runtime.records import OnReject, Record
from runtime.snapshot import Symbols, Texts

EVERY = 1000
"""In ticks: how far checkpoints are apart unless asked for otherwise."""


@dataclass(frozen=True)
class Position:
    """How far a source is read.

    Attributes:
        source: the name of the source.
        line: the line of the last record that was read, 0 before the first.
        number: how many records were read that stand at this line.
    """

    source: str
    line: int = 0
    number: int = 0


class Run:
    """A run of a reasoner.

    Args:
        reasoner: the reasoner, not used yet.
        given: which answers are written.
        order: puts the records into order.
        write: takes the answers that are given.
        on_reject: takes records that are not valid.

    Attributes:
        position: how far the source is read.
    """

    def __init__(
        self,
        reasoner: Reasoner,
        given: Given,
        order: Order,
        write: Callable[[Answer], None],
        on_reject: OnReject,
    ) -> None:
        self._reasoner = reasoner
        self._given = given
        self._order = order
        self._write = write
        self._on_reject = on_reject
        self._checkpoints: Checkpoints | None = None
        self._every = EVERY
        self._last_checkpoint = -1
        self._others: Callable[[], dict[str, Any]] = dict
        self.position = Position("")

    def keep(self, checkpoints: Checkpoints, every: int, others: Callable[[], dict[str, Any]]) -> None:
        """From here on checkpoints are kept.

        Args:
            checkpoints: where.
            every: how many ticks they are apart, at least.
            others: says what belongs in a checkpoint besides, when it is made.
        """
        self._checkpoints, self._every, self._others = checkpoints, every, others
        self._last_checkpoint = self._reasoner.now or 0

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from the state in a checkpoint; to be called first. Raises SnapshotError."""
        key = Texts(state["symbols"]).key
        self._reasoner.restore(state["reasoner"], key)
        self._given.restore(state["given"], key, self._reasoner.output)
        self._order.restore(state["order"], key)
        self.position = Position(*state["position"])

    def over(self, records: Iterable[Record], name: str, every: int | None, until: int | None) -> None:
        """Runs over the records of a source.

        Args:
            records: the records; those before the position of a checkpoint must be left out.
            name: the name of the source.
            every: see `Given`.
            until: the last tick. By default the last time of the stream.

        Raises:
            InputError: from `on_reject`, or if the source cannot be read.
            EvaluationError: if clingo refuses the program.
            SnapshotError: if the checkpoint is of another source.
        """
        if self.position.source not in ("", name):
            raise SnapshotError(f"the checkpoints are of the input {self.position.source}, not of {name}")
        with self._reasoner.gathering():
            for record in self._in_order(records, name):
                if until is not None and record.tick > until:
                    break
                told = self._reasoner.accepted(record, self._on_reject)
                if told is not None:
                    self._finish(told.tick - 1, every)
                    self._checkpoint()
                    self._reasoner.tell(told)
            self._finish(until, every)

    def _in_order(self, records: Iterable[Record], name: str) -> Iterator[Record]:
        yield from self._order.ready()  # they waited at the checkpoint
        for record in self._after_position(records):
            line = record.origin.line if record.origin is not None else 0
            number = self.position.number + 1 if line == self.position.line else 1
            self.position = Position(name, line, number)
            self._order.take(record)
            yield from self._order.ready()
        yield from self._order.rest()

    def _after_position(self, records: Iterable[Record]) -> Iterator[Record]:
        passed, position = 0, self.position
        for record in records:
            is_known = record.origin is not None and record.origin.line == position.line
            if is_known and passed < position.number:
                passed += 1
            else:
                yield record

    def _finish(self, tick: int | None, every: int | None) -> None:
        for answer in self._reasoner.finish(tick, every):
            given = self._given.given(answer)
            if given is not None:
                self._write(given)

    def _checkpoint(self) -> None:
        """Keeps a checkpoint if it is time for one; nothing is gathered."""
        now = self._reasoner.now
        if self._checkpoints is None or now is None or now - self._last_checkpoint < self._every:
            return
        self._last_checkpoint = now
        symbols = Symbols()
        position = self.position
        state = {
            "position": [position.source, position.line, position.number],
            "reasoner": self._reasoner.state(symbols.number),
            "given": self._given.state(symbols.number),
            "order": self._order.state(symbols.number),
            "others": self._others(),
        }
        self._checkpoints.save(state | {"symbols": symbols.texts})


def after(lines: Iterable[str], position: Position, *, has_header: bool) -> Iterator[str]:
    """Lines of a source, with blank ones for those of records that were read before.

    Args:
        lines: all lines.
        position: how far they were read.
        has_header: whether the first line that is not blank names the columns of a table, and is kept.
    """
    for number, line in enumerate(lines, start=1):
        if number >= position.line:
            yield line
        elif has_header and line.strip():
            has_header = line.count('"') % 2 == 1  # it goes on in the next line
            yield line
        else:
            yield "\n"
