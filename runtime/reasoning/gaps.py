"""Records far ahead: how large gaps may be, and whether too many ticks would have to be evaluated."""

from collections.abc import Callable, Iterable
from operator import index
from typing import SupportsIndex

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.tuning import Tuning


def takes_too_long(
    answers: Iterable[Answer], until: int, calm_after: Callable[[int], int], tuning: Tuning
) -> bool:
    """Whether more than `many_ticks` ticks before one would have to be evaluated if there is no more input.

    Args:
        answers: those at the ticks that are evaluated then, as they are worked out.
        until: the tick.
        calm_after: the tick after which no window holds what is known at a tick, as far as rules do not go
            round in circles. From there on a sample of ticks says how many are left.
        tuning: `many_ticks`, and the size of the sample.
    """
    calm_from, sample_from, number, number_before = None, 0, 0, 0
    try:
        for answer in answers:
            if answer.timed_out:  # the session itself meets that as well
                return False
            number += 1
            if number >= tuning.many_ticks:
                return True
            if calm_from is None:
                calm_from = calm_after(answer.tick)
            if answer.tick < calm_from:
                sample_from, number_before = answer.tick, number
            elif number - number_before == tuning.gap_sample:
                left = (until - answer.tick) * tuning.gap_sample // (answer.tick - sample_from)
                return number + left > tuning.many_ticks
    except EvaluationError:  # which the session itself meets as well
        return False
    return False


def checked_gap(gap: SupportsIndex | None) -> int | None:
    """The most ticks from one record to the next. Raises ValueError for what is no such number."""
    if gap is None:
        return None
    if isinstance(gap, bool) or not isinstance(gap, SupportsIndex) or index(gap) < 1:
        raise ValueError("the largest gap is a number of ticks, 1 or more")
    return index(gap)
