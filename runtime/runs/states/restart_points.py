"""Places of a run from which it can be replayed: the nearer to its end, the nearer to one another."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from lars2asp.runtime.reasoning.snapshot import packed
from lars2asp.runtime.runs.states.state_keeping import State, StateKeeper
from lars2asp.runtime.tuning import Tuning

if TYPE_CHECKING:
    from lars2asp.runtime.reasoning.session import Session


class RestartPoint(NamedTuple):
    """A place from which a run can go on.

    Attributes:
        tick: the last tick that was over.
        state: its state, packed like a snapshot.
    """

    tick: int
    state: bytes


class RestartPoints(StateKeeper):
    """Keeps restart points, in memory.

    From one to the end is at most about twice as far as from the next one, so that there are few, however
    long the run is, and looking further and further back costs about as much as the farthest look. Where a
    program may have several answer streams, points lie only where evaluation begins anew in any run.

    Attributes:
        points: the restart points, in the order of time.
    """

    def __init__(
        self, others: Callable[[], State], tuning: Tuning, *, is_certain: bool, hands_over: bool = False
    ) -> None:
        super().__init__(others=others, tuning=tuning, hands_over=hands_over)
        self.points: list[RestartPoint] = []
        self._is_certain = is_certain
        self._due = 0.0

    def is_due(self, now: int | None) -> bool:
        """Whether a restart point is to be made, or evaluation begins anew."""
        if now is None:
            return False
        return self._is_point_due if self._is_certain else self.work >= self.tuning.work_between_states

    def keep(self, session: "Session", state: Callable[[], State]) -> None:
        """Makes a restart point, if one is due."""
        self.work = 0
        if not self._is_point_due or session.now is None:
            session.renew()
            return
        begin = self.clock()
        self._thin(session.now)
        self.points.append(RestartPoint(session.now, packed(state() | self.others())))
        end = self.clock()
        self._due = end + self.tuning.restart_share * (end - begin)

    @property
    def _is_point_due(self) -> bool:
        return self.clock() >= self._due

    def _thin(self, now: int) -> None:
        """Forgets each point between two others of which the earlier one is not twice as far away."""
        points, place = self.points, 1
        while place + 1 < len(points):
            if now - points[place - 1].tick <= 2 * (now - points[place + 1].tick):
                del points[place]
            else:
                place += 1
