"""A run in data time: ticks pass as the times of the records do, as fast as these can be read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from math import inf
from typing import TYPE_CHECKING

from lars2asp.externals.terms.table import same_rows
from lars2asp.externals.views import TickChanges
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.reasoning.memory import IN_BLOCKS, collecting_for_rows, look_through_no_more
from lars2asp.runtime.runs.run import Run
from lars2asp.runtime.sources.input_watermarks import FromInput, InputWatermarks
from lars2asp.runtime.sources.pushback import Pushback
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.sources.reordering import Reordering, Watermark
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from lars2asp.runtime.reasoning.blocks import Item, Items


TOGETHER = 1000
"""The number of ticks whose changes are written at once: their texts stay in the caches of a processor."""


def _nothing() -> None:
    """Nothing waits to be written."""


@dataclass(eq=False)
class DataTimeRun(Run):
    """A run by the times of the records; see Run.

    Attributes:
        inputs: the watermarks of several live inputs; None where there is one, or they are files.
        reached: see Reordering.
        in_blocks: takes the answers of a block of ticks; None where none of the stream may be in blocks.
        changes: takes of such answers what changes at their ticks; None where more of them is needed.
        drains: whether what came is evaluated (`drain`) where the run is asked to end.
    """

    inputs: InputWatermarks | None = field(default=None, kw_only=True)
    reached: Callable[[], int] | None = field(default=None, kw_only=True)
    in_blocks: Callable[[Iterable[Answer]], None] | None = field(default=None, kw_only=True)
    changes: Callable[[Sequence[TickChanges]], None] | None = field(default=None, kw_only=True)
    drains: bool = field(default=False, kw_only=True)
    records: Reordering = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._so_far = _nothing
        self._stretch = self.session.execution.tuning.between_blocks
        """After so many records tick by tick blocks are tried again, where there are not more in windows."""
        self.records = Reordering(
            *(self.lateness or 0, self.on_reject, self.session.gaps.largest, self.words),
            *(self.inputs, self.reached),
        )

        if self.tables is not None and self.records.waits:
            self.records.on_arrival = self._look

    @property
    def _newest(self) -> int:
        """See Run."""
        newest = self.records.newest if self.records.waits else None
        return -1 if newest is None else newest

    def over(self, records: Iterable[Record], until: int | None) -> None:
        """Runs over the records of a source.

        Args:
            records: the records, without those before the state from which the run goes on.
            until: the last tick. By default the last time of the stream.

        Raises:
            InputError: from `on_reject`, or if the source cannot be read.
            EvaluationError: if clingo refuses the program.
            HandOver: from the keeper.
            KeyboardInterrupt, Terminated: if a signal asks the run to end.
        """
        self._over(self.records.moving(records), until)

    def over_blocks(self, blocks: Iterable[Iterable[Record]], until: int | None) -> None:
        """The same for records that come some at a time, and may be in columns."""
        self._over(self.records.moving_columns(blocks), until)

    def over_batches(self, batches: Iterable[Sequence[Record]], until: int | None) -> None:
        """The same for a live source, of which a line may make several records at once."""
        self._over(self.records.moving_batches(batches), until)

    def over_inputs(self, batches: Iterable[FromInput], until: int | None) -> None:
        """The same for several live sources."""
        self._over(self.records.moving_inputs(batches), until)

    def _over(self, items: "Items", until: int | None) -> None:
        with self.session:
            left: Pushback[Item] | None = Pushback(items)
            while left is not None:
                if self.in_blocks is not None and self.session.may_begin_blocks:
                    left = self._over_blocks(left, until, self.in_blocks)
                    if left is None:
                        return
                else:
                    self._go_on()
                left = self._over_ticks(left, until)

    def _over_ticks(self, stream: "Pushback[Item]", until: int | None) -> "Pushback[Item] | None":
        """Goes on tick by tick; gives what is left where blocks are worth it again, None for nothing."""
        session = self.session
        back_at = inf if self.in_blocks is None else self._stretch
        number = 0
        for some in stream:
            single, columns = ((), some) if isinstance(some, RecordColumns) else ((some,), None)
            for place, item in enumerate(single if columns is None else columns):
                if number >= back_at:
                    if self._goes_back(number):
                        stream.give_back(single if columns is None else [columns[place:]])
                        return stream
                    back_at = 2 * number
                if isinstance(item, Watermark):
                    if until is not None and item.tick >= until:
                        break
                    self._pass_to(item.tick)
                elif until is not None and item.tick > until:
                    break
                else:
                    self._take(item)
                    number += 1
                    if columns is not None:
                        self.records.taken(1)
            else:
                continue
            break
        else:
            until = session.last_without_records(until)
        self._finish(until)
        session.settle(until)
        return None

    def _goes_back(self, number: int) -> bool:
        """Whether blocks go on behind so many records; if so, those of the open tick are for them."""
        session = self.session
        execution = session.execution
        if session.now is None or (execution.flow is None and number < len(execution.database)):
            return False
        self._again.extendleft(reversed(self._open))
        self._open.clear()
        session.forget()
        return True

    def _over_blocks(
        self,
        items: "Pushback[Item]",
        until: int | None,
        write: Callable[[Iterable[Answer]], None],
    ) -> "Pushback[Item] | None":
        """Goes on in blocks as long as it can; gives what is left, None for nothing."""
        from lars2asp.runtime.reasoning.blocks import Blocks  # noqa: PLC0415 - few ask

        session, stop, keeper = self.session, self.stop, self.keeper
        items.give_back([*self._again])
        self._again.clear()
        blocks = Blocks(
            session,
            self.given_ticks,
            self.on_reject,
            lambda tick: stop.asked is not None or stop.has_errands or keeper.is_due(tick),
            self.records.each,
            self.records.taken,
            to=self,
        )
        facts = session.counts[2]
        self._so_far = lambda: write(self._unless_stopped(blocks.so_far()))
        try:
            with collecting_for_rows(IN_BLOCKS):
                for answers in blocks.over(items, until):
                    write(self._unless_stopped(answers))
                if blocks.is_over:
                    look_through_no_more()
            self._between(session.counts[2] - facts)
        finally:
            self._so_far = _nothing
            self._again.extend(blocks.open)
            self._given.restore(self._given.state(same_rows), same_rows, self.session.output)
        if blocks.is_over:
            return None
        self._go_on()
        return blocks.rest

    def _between(self, facts: int) -> None:
        """So many facts were in blocks: how many records go tick by tick before the next ones."""
        if facts < 4 * self._stretch:
            self._stretch *= 2
        else:
            self._stretch = self.session.execution.tuning.between_blocks

    @property
    def is_gathering(self) -> bool:
        """Whether records are evaluated many at once."""
        return self._so_far is not _nothing

    def answer(self) -> None:
        """Writes the answers at the ticks that are over, also those of a block that is not full."""
        self._so_far()

    def _unless_stopped(self, answers: Iterable[Answer]) -> Iterator[Answer]:
        """Those of a block that are given; a run that is asked to end meanwhile ends between two of them.

        Where records wait that may be evaluated yet, or the run is kept, it ends behind the block.
        """
        was_asked = self.stop.asked
        for answer in answers:
            given = self._given.given(answer)
            if given is not None:
                yield given
            self._end_if_asked_since(was_asked)

    def takes_changes(self, before: Answer) -> bool:
        """Whether the changes behind an answer are all that is needed, which was given."""
        return self.changes is not None and self._given.last is before

    def take_changes(self, changes: Sequence[TickChanges], last: Answer) -> None:
        """Writes changes, some at a time; between these, the run ends as between answers."""
        assert self.changes is not None
        self._given.follow(last)
        was_asked = self.stop.asked
        for first in range(0, len(changes), TOGETHER):
            self.changes(changes[first : first + TOGETHER])
            self._end_if_asked_since(was_asked)

    def _end_if_asked_since(self, was_asked: int | None) -> None:
        stop = self.stop
        if (
            stop.asked is was_asked or self.keeper.checkpoints is not None
        ):  # mostly: looked at behind each answer
            return
        if not (self.records.waits or self.drains):
            stop.check()

    def _keep(self) -> None:
        """Not at the end of the input, where records are no longer waited for: it may grow again."""
        if not self.records.is_ending:
            super()._keep()

    @property
    def is_wholly_kept(self) -> bool:
        """Whether a run that goes on from a state kept here has the same answers."""
        return super().is_wholly_kept and not (self.records.is_ending and self.records.waits)
