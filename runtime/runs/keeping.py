"""When the state of a run is kept: in checkpoints, and for a process that goes on with it.

clingo never frees a symbol. A run that meets new constants for ever takes more and more memory, and only
another process can do with less: it goes on from the state, which has only what windows still look at.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from lars2asp.runtime.memory import memory_in_use
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.runs.checkpoints import Checkpoints

EVERY = 1000
"""In ticks: how far checkpoints are apart unless asked for otherwise."""

EVERY_SECONDS = 10.0
"""How far those of a live run are apart besides: so much of it is done once more after an interruption."""

WORK = 20_000
"""In atoms told and ticks evaluated: so often it is looked whether memory has grown."""

GROWTH = 16 * 2**20
"""In bytes: so much memory may grow before another process goes on, or by a quarter if that is more."""

State = dict[str, Any]


class HandOver(Exception):  # noqa: N818 - it is no error
    """Another process is to go on with a run.

    Attributes:
        state: that of the run.
    """

    def __init__(self, state: State) -> None:
        super().__init__("another process is to go on")
        self.state = state


@dataclass(frozen=True)
class Pace:
    """How far checkpoints are apart, at least: so many ticks, or so many seconds, whatever comes first.

    Attributes:
        ticks: None where only time counts.
        seconds: None where only ticks count.
    """

    ticks: int | None = EVERY
    seconds: float | None = None


class Keeper:
    """Keeps the state of a run while nothing is gathered.

    Where a program may have several answer streams, evaluation begins anew at places that depend on the
    stream alone, so that all runs over it follow the same ones, wherever they were interrupted.

    Args:
        checkpoints: where the state is kept, if it is.
        pace: how far checkpoints are apart.
        hands_over: whether another process goes on when memory has grown, which HandOver asks for.
        others: what belongs to the state besides, such as places in files.
        clock: the time in seconds.

    Attributes:
        work: what was done since it was last looked how memory has grown.
    """

    def __init__(
        self,
        checkpoints: Checkpoints | None = None,
        pace: Pace = Pace(),
        *,
        hands_over: bool = False,
        others: Callable[[], State] = dict,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._checkpoints = checkpoints
        self._pace = pace
        self._hands_over = hands_over
        self._others = others
        self._clock = clock
        self._last_checkpoint: int | None = None
        self._last_seconds = clock()
        self._memory: int | None = None
        """In bytes, when it was first looked at."""
        self.work = 0

    def is_due(self, now: int | None) -> bool:
        """Whether it is time to keep the state; at the tick that is over, if there is one."""
        if now is None:
            return False
        if self._last_checkpoint is None:
            self._last_checkpoint = now
        return self.work >= WORK or self._is_checkpoint_due(now)

    def keep(self, reasoner: Reasoner, state: Callable[[], State]) -> None:
        """Keeps the state where it is time to. Raises HandOver."""
        now = reasoner.now
        self.work = 0
        kept = None
        if self._checkpoints is not None and now is not None and self._is_checkpoint_due(now):
            self._last_checkpoint, self._last_seconds = now, self._clock()
            kept = self.save(state)
        if self._hands_over and self._has_grown():
            raise HandOver(kept or state() | self._others())
        if kept is None and not reasoner.is_certain:
            reasoner.renew()

    def hand_over(self, state: Callable[[], State]) -> None:
        """Another process goes on, where one can. Raises HandOver."""
        if self._hands_over:
            raise HandOver(state() | self._others())

    def save(self, state: Callable[[], State]) -> State:
        """Keeps the state in a checkpoint, whether it is time to or not, and gives it.

        When the next one is due does not depend on that.
        """
        assert self._checkpoints is not None
        kept = state() | self._others()
        self._checkpoints.save(kept)
        return kept

    def state(self) -> State:
        """What a state has of it."""
        return {"work": self.work, "last_checkpoint": self._last_checkpoint}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over what a state has."""
        self.work, self._last_checkpoint = state["work"], state["last_checkpoint"]

    def _is_checkpoint_due(self, now: int) -> bool:
        if self._checkpoints is None or self._last_checkpoint is None or now == self._last_checkpoint:
            return False
        pace = self._pace
        return (pace.ticks is not None and now - self._last_checkpoint >= pace.ticks) or (
            pace.seconds is not None and self._clock() - self._last_seconds >= pace.seconds
        )

    def _has_grown(self) -> bool:
        """Whether memory has, since the first time this was asked for."""
        memory = memory_in_use()
        if self._memory is None:
            self._memory = memory
        return memory - self._memory > max(GROWTH, self._memory // 4)
