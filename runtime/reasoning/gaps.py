"""Records far ahead: how large gaps may be, and whether too many ticks would have to be evaluated."""

from collections.abc import Callable, Iterable
from copy import copy
from operator import index
from typing import SupportsIndex

from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluationError, InputError
from lars2asp.runtime.sources.reordering import GAP_HINT, check_gap
from lars2asp.runtime.tuning import Tuning


class Gaps:
    """Whether records lie too far ahead of those before.

    Args:
        largest: the most ticks from one record to the next; None where that is not limited, but for the
            number of ticks that would have to be evaluated.
        tuning: has that number, `many_ticks`.

    Raises what checked_gap raises.

    Attributes:
        largest: as above.
        harmless: so many ticks after the last one no record lies too far ahead, whatever came.
        is_judging: whether records may lie too far ahead; not so where ticks pass by the clock.
        too_far: records at this tick and later ones are too far ahead; None, as is to be told, when there is
            more input or ticks have passed.
    """

    def __init__(self, largest: SupportsIndex | None, tuning: Tuning) -> None:
        self.largest = checked_gap(largest)
        self.is_judging = True
        self._many = tuning.many_ticks
        self.harmless = self._many if self.largest is None else self.largest
        self.too_far: int | None = None

    def left_to_inputs(self) -> "Gaps":
        """The same where each input judges how far its records lie ahead (`InputClock`)."""
        found = copy(self)
        if self.largest is not None:
            found.largest, found.is_judging, found.harmless = None, False, LARGEST_TICK
        return found

    def check(self, tick: int, last: int | None, start: int | None, too_long: Callable[[int], bool]) -> None:
        """Raises InputError for a record that lies too far ahead of the last one.

        Args:
            tick: the tick of the record.
            last: that of the last record, or the last one that is over; None before the first.
            start: where the timeline starts, if that is known.
            too_long: whether more than `many_ticks` ticks before one would have to be evaluated.
        """
        if (last is not None and tick - last <= 1) or not self.is_judging:
            return
        if self.largest is not None:
            check_gap(tick, last, self.largest)
        elif self.is_too_long(tick, last, start, too_long):
            last = start if last is None else last
            assert last is not None
            raise InputError(
                f"tick {tick} is {tick - last} ticks after {last}, and more than {self._many} ticks "
                f"between them need evaluation: {GAP_HINT}"
            )

    def is_too_long(
        self, tick: int, last: int | None, start: int | None, too_long: Callable[[int], bool]
    ) -> bool:
        """Whether too many ticks would have to be evaluated before one; not where gaps are limited."""
        last = start if last is None else last
        if last is None or tick - last <= self._many or self.largest is not None or not self.is_judging:
            return False
        if self.too_far is None or tick < self.too_far:
            if not too_long(tick):
                return False
            self.too_far = tick
        return True


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
    """The most ticks from one record to the next. Raises ValueError for what is not such a number."""
    if gap is None:
        return None
    if isinstance(gap, bool) or not isinstance(gap, SupportsIndex) or index(gap) < 1:
        raise ValueError("the largest gap must be a number of ticks, 1 or more")
    return index(gap)
