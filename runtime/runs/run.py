"""What all runs of a reasoner have in common: answers go to a sink, and the state is kept now and then."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from lars2asp.externals.symbol_table import SymbolKeys, Symbols
from lars2asp.runtime.answer import Answer, Given
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.runs.state_keeping import StateKeeper
from lars2asp.runtime.runs.stop import Stop
from lars2asp.runtime.sources.order import record_state, restored_record
from lars2asp.runtime.sources.records import OnReject, Record


class Run(ABC):
    """A run of a reasoner.

    Args:
        reasoner: the reasoner, not used yet.
        every: answers are given at ticks that this number divides; None: those that differ from the one
            given before. See `Given`.
        write: takes the answers that are given.
        on_reject: takes records that are not valid.
        keeper: keeps the state of the run.
        stop: says when the run is asked to end; it does so where `save` can keep its state.
    """

    def __init__(
        self,
        reasoner: Reasoner,
        every: int | None,
        write: Callable[[Answer], None],
        on_reject: OnReject,
        keeper: StateKeeper | None = None,
        stop: Stop | None = None,
    ) -> None:
        self._reasoner = reasoner
        self._every = every
        self._given = Given(every, as_models=reasoner.gives_models)
        self._write = write
        self._on_reject = on_reject
        self._keeper = keeper or StateKeeper()
        self._stop = stop or Stop()
        self._told: list[Record] = []
        """Those that were told for a tick that is not over."""
        self._again: deque[Record] = deque()
        """Those that had been when the run was interrupted."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state; to be called first. Raises SnapshotError."""
        key = SymbolKeys(state["symbols"]).key
        self._reasoner.restore(state["reasoner"], key)
        self._given.restore(state["given"], key, self._reasoner.output)
        self._keeper.restore(state["keeper"])
        self._again.extend(restored_record(record, key) for record in state["told"])
        self._restore_waiting(state["waiting"], key)

    def save(self) -> None:
        """Keeps the state of a run that has not begun, or was asked to end."""
        self._keeper.save(self._state)

    @property
    def is_wholly_kept(self) -> bool:
        """Whether a state that is kept where the run is asked to end leads to the same answers.

        Where there may be several answer streams, those that are followed depend on where evaluation began.
        """
        return self._reasoner.is_certain

    def _go_on(self) -> None:
        """Takes the records of the tick that was not over when the run was interrupted."""
        while self._again:
            self._take(self._again[0])
            self._again.popleft()

    def _take(self, record: Record) -> None:
        """A record comes next; the ticks before its own are over."""
        self._stop.check()
        told = self._reasoner.accepted(record, self._on_reject)
        if told is None:
            return
        self._finish(told.tick - 1)
        self._keep()
        events = told.events
        self._keeper.work += len(events.facts) + len(events.begin) + len(events.end)
        self._reasoner.tell(told)
        self._told.append(record)

    def _finish(self, tick: int | None) -> None:
        """The ticks up to one are over; None for the latest that was told."""
        for answer in self._reasoner.finish(tick, self._every):
            if self._told and not self._reasoner.is_gathering:
                self._told.clear()
            self._keeper.work += 1
            given = self._given.given(answer)
            if given is not None:
                self._write(given)
            self._stop.check()
            if answer.timed_out and self._reasoner.is_stuck:
                self._keeper.hand_over(self._state)  # only the end of this process ends what clingo does

    def _keep(self) -> None:
        """Keeps the state if it is time to, and no tick has begun that is not over."""
        if self._keeper.is_due(self._reasoner.now) and not self._reasoner.is_gathering:
            self._keeper.keep(self._reasoner, self._state)

    def _state(self) -> dict[str, Any]:
        """All that the rest of the run depends on, but for its source and its sinks, as JSON has it.

        What was told for a tick that is not over is in it as records.
        """
        symbols = Symbols()
        state = {
            "reasoner": self._reasoner.state(symbols.number),
            "given": self._given.state(symbols.number),
            "keeper": self._keeper.state(),
            "waiting": self._waiting_state(symbols.number),
            "told": [record_state(record, symbols.number) for record in (*self._told, *self._again)],
        }
        return state | {"symbols": symbols.table}

    @property
    @abstractmethod
    def late(self) -> int:
        """How many records came later than they are waited for."""

    @property
    @abstractmethod
    def waiting(self) -> int:
        """How many records wait for their tick to be over."""

    @property
    def tick(self) -> int | None:
        """The tick that time has come to."""
        return self._reasoner.now

    @abstractmethod
    def _waiting_state(self, number: Callable[[int], int]) -> Any:
        """The records that wait, as JSON has it; atoms as their numbers, which are given by their keys."""

    @abstractmethod
    def _restore_waiting(self, state: Any, key: Callable[[int], int]) -> None:
        """Takes over the records that wait."""
