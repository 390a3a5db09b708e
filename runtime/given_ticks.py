"""At which ticks answers are given besides those at which they change."""

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from lars2asp.analysis.late_moments import LateMoments
from lars2asp.analysis.windows import SpanWindow, span_window
from lars2asp.planning.plan import Plan
from lars2asp.syntax.nodes import HoppingWindow, TumblingWindow
from lars2asp.syntax.traversal import every as every_node
from lars2asp.syntax.values import dataclass

Every = int | Literal["windows"] | None
"""When answers are given, as a user says it: at ticks that a number divides; when they change; or when they
change and besides when a hopping or tumbling window moves."""


@dataclass(frozen=True, slots=True)
class WindowEnds:
    """The ticks at which hopping and tumbling windows move, where one ends and its answer is due.

    Attributes:
        windows: the windows, of which there is at least one.
        moments: the moments of ticks, if the first record decides the origin; windows count from 1970 then.
    """

    windows: frozenset[SpanWindow]
    moments: LateMoments | None = None

    def next_after(self, tick: int) -> int:
        """The first of these ticks after a tick."""
        before = 0 if self.moments is None else self.moments.tick_of_1970
        return (
            min(move for one in self.windows if (move := one.next_move(tick + before)) is not None) - before
        )


GivenTicks = int | WindowEnds | None
"""The same, once the program is known."""


def given_ticks(every: Every, plan: Plan) -> GivenTicks:
    """When answers of a program are given.

    Raises ValueError for what is not a number of ticks, and for a program that has no windows that move so.
    """
    if every == "windows":
        statements = plan.program.statements
        nodes: Iterator[HoppingWindow | TumblingWindow] = chain(
            every_node(HoppingWindow, *statements), every_node(TumblingWindow, *statements)
        )
        windows = frozenset(map(span_window, nodes))
        if not windows:
            raise ValueError(
                'emit="windows" needs a hopping or tumbling window, such as [9 step 5] or [every 9]'
            )
        return WindowEnds(windows, plan.moments)
    if every is not None and every < 1:
        raise ValueError("every must be a number of ticks, 1 or more")
    return every


def next_given(ticks: int | WindowEnds, now: int) -> int:
    """The first tick after now at which an answer is given whatever it is."""
    return (now // ticks + 1) * ticks if isinstance(ticks, int) else ticks.next_after(now)
