"""Records far ahead: whether too many ticks would have to be evaluated before one."""

from collections.abc import Iterator
from typing import Protocol

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.tuning import Tuning


class Trial(Protocol):
    """A copy of a session, which goes ahead."""

    def finish(self, until: int | None) -> Iterator[Answer]:
        """The answers at the ticks up to one that are evaluated if there is no more input."""
        ...

    def calm_from(self, tick: int) -> int:
        """The tick after which no window holds what is known at a tick."""
        ...


def takes_too_long(trial: Trial, until: int, tuning: Tuning) -> bool:
    """Whether more than `many_ticks` ticks before one would have to be evaluated if there is no more input.

    Once the input, and what is known to lie ahead, has left the windows, as far as rules do not go round in
    circles, a sample of ticks says how many are left.
    """
    calm_from, sample_from, number, number_before = None, 0, 0, 0
    try:
        for answer in trial.finish(until - 1):
            if answer.timed_out:  # the session itself meets that as well
                return False
            number += 1
            if number >= tuning.many_ticks:
                return True
            if calm_from is None:
                calm_from = trial.calm_from(answer.tick)
            if answer.tick < calm_from:
                sample_from, number_before = answer.tick, number
            elif number - number_before == tuning.gap_sample:
                left = (until - answer.tick) * tuning.gap_sample // (answer.tick - sample_from)
                return number + left > tuning.many_ticks
    except EvaluationError:  # which the session itself meets as well
        return False
    return False
