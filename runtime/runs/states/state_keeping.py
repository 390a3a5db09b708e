"""When the state of a run is kept: in checkpoints, and for another process that goes on with the run.

clingo never frees a symbol. Where clingo evaluates a component and the input always has new constants, a run
takes more and more memory, and only another process needs less: it goes on from the state, which holds only
what windows still look at. Where it evaluates none, nothing stays that no window looks at.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, field
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from lars2asp.runtime.reasoning.memory import MemoryGrowth
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from lars2asp.runtime.reasoning.session import Session
    from lars2asp.runtime.runs.states.checkpoints import Checkpoints

CHECKPOINT_TICKS = 1000
"""The ticks between two checkpoints, unless an option says otherwise."""

CHECKPOINT_SECONDS = 10.0
"""The seconds between two checkpoints; about so much is done again after an interruption."""

CHECKPOINT_TIMES = 20
"""Two checkpoints are so many times as far apart as the first one took to be written, at least."""

State = dict[str, Any]


class HandOver(Exception):  # noqa: N818 - it is not an error
    """Another process is to go on with a run, from `state`."""

    def __init__(self, state: State) -> None:
        super().__init__("another process is to go on")
        self.state = state


@dataclass(frozen=True)
class CheckpointInterval:
    """The least distance of two checkpoints: in ticks or in seconds, whichever is over first.

    Attributes:
        ticks: infinite where only seconds count.
        seconds: infinite where only ticks count.
        times: not before so many times the seconds are over that the last one took.
    """

    ticks: float = CHECKPOINT_TICKS
    seconds: float = inf
    times: int = 0


SPARING = CheckpointInterval(inf, CHECKPOINT_SECONDS, CHECKPOINT_TIMES)
"""What it is where nobody says otherwise, and no answer depends on where checkpoints are."""


@dataclass(eq=False)
class StateKeeper:
    """Keeps the state of a run, between ticks.

    Where a program may have several answer streams, evaluation begins anew at places that depend on the
    stream alone, so that all runs over it follow the same ones, wherever they were interrupted.

    Attributes:
        checkpoints: where the state is kept, if it is.
        interval: the distance of checkpoints.
        hands_over: whether HandOver is raised when the memory of this process has grown.
        others: gives the rest of the state, such as positions in files.
        tuning: how much work lies between two states, and how much memory may grow.
        clock: the time in seconds.
        work: facts and ticks since the last state, or since memory was last compared.
    """

    checkpoints: "Checkpoints | None" = None
    interval: CheckpointInterval = CheckpointInterval()
    _: KW_ONLY
    hands_over: bool = False
    others: Callable[[], State] = dict
    tuning: Tuning = DEFAULT
    clock: Callable[[], float] = monotonic
    work: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._last_checkpoint: int | None = None
        self._last_seconds = self.clock()
        self._lasted = 0.0
        """How many seconds the last checkpoint took."""
        self._growth = MemoryGrowth(self.tuning.memory_growth)

    def is_due(self, now: int | None) -> bool:
        """Whether the state is to be kept; `now` is the last tick that is over, if there is one."""
        if now is None:
            return False
        if self._last_checkpoint is None:
            self._last_checkpoint = now
        if self.work >= self.tuning.work_between_states:
            return True
        return self.checkpoints is not None and self._is_checkpoint_due(now)

    def keep(self, session: "Session", state: Callable[[], State]) -> None:
        """Keeps the state as far as it is due. Raises HandOver."""
        now = session.now
        self.work = 0
        kept = None
        if self.checkpoints is not None and now is not None and self._is_checkpoint_due(now):
            self._last_checkpoint, begun = now, self.clock()
            kept = self.save(state)
            self._last_seconds = self.clock()
            self._lasted = self._last_seconds - begun
        if self.hands_over and self._has_grown(session):
            raise HandOver(kept or state() | self.others())
        if kept is None and not session.is_certain:
            session.renew()

    def hand_over(self, state: Callable[[], State]) -> None:
        """Raises HandOver, if runs are handed over."""
        if self.hands_over:
            raise HandOver(state() | self.others())

    def save(self, state: Callable[[], State]) -> State:
        """Keeps the state in a checkpoint now, and returns it; the next one is due when it was."""
        assert self.checkpoints is not None
        kept = state() | self.others()
        self.checkpoints.save(kept)
        return kept

    def state(self) -> State:
        """The part of the state that is the keeper's own."""
        return {"work": self.work, "last_checkpoint": self._last_checkpoint}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over its part of a state."""
        self.work, self._last_checkpoint = state["work"], state["last_checkpoint"]

    def _is_checkpoint_due(self, now: int) -> bool:
        if self.checkpoints is None or self._last_checkpoint is None or now == self._last_checkpoint:
            return False
        ticks, seconds = now - self._last_checkpoint, self.clock() - self._last_seconds
        is_far = ticks >= self.interval.ticks or seconds >= self.interval.seconds
        return is_far and seconds >= self.interval.times * self._lasted

    def _has_grown(self, session: "Session") -> bool:
        """Whether the memory of this process has grown too much since the first call, by clingo's symbols."""
        is_always = not self.tuning.memory_growth
        return is_always or (session.execution.makes_symbols and self._growth.is_too_much())
