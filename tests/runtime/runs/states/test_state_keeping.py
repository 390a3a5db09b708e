"""When checkpoints come."""

from typing import Any, cast

from lars2asp import Reasoner
from lars2asp.runtime.runs.states.state_keeping import SPARING, StateKeeper


class SlowCheckpoints:
    """Takes states, each of which takes some seconds of its clock to be written.

    Attributes:
        now: the time.
        times: when states were taken.
    """

    def __init__(self, seconds: float) -> None:
        self.now = 0.0
        self.times: list[float] = []
        self._seconds = seconds

    def clock(self) -> float:
        return self.now

    def save(self, _: Any) -> None:
        self.times.append(self.now)
        self.now += self._seconds


def times_of(seconds: float) -> list[float]:
    """When states are taken if each takes so long, in two minutes of a tick each second."""
    checkpoints = SlowCheckpoints(seconds)
    keeper = StateKeeper(cast("Any", checkpoints), SPARING, clock=checkpoints.clock)
    reasoner = Reasoner.from_text("a :- p.")
    for tick in range(120):
        checkpoints.now = max(checkpoints.now, float(tick))
        reasoner.step(tick, ["p"])
        if keeper.is_due(reasoner.session.now):
            keeper.keep(reasoner.session, dict)
    return checkpoints.times


def test_checkpoints_come_by_time_and_take_a_twentieth_of_it_at_most() -> None:
    assert times_of(0.0) == [float(tick) for tick in range(10, 120, 10)]
    assert times_of(2.0) == [10.0, 52.0, 94.0]  # 40 seconds behind the end of the one before
