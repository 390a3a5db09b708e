"""How fast counts grow."""

from collections import deque
from collections.abc import Sequence

RATE_SECONDS = 5.0
"""The time, about, over which rates are taken."""


class RateMeter:
    """The growth of some counts in a second.

    Args:
        size: the number of counts.

    Attributes:
        rates: that of each count, None until it is known.
    """

    def __init__(self, size: int) -> None:
        self.rates: list[float | None] = [None] * size
        self._samples: deque[tuple[float, Sequence[int]]] = deque()

    def take(self, at: float, counts: Sequence[int]) -> None:
        """Takes the counts at a time in seconds."""
        samples = self._samples
        samples.append((at, counts))
        while len(samples) > 2 and at - samples[1][0] >= RATE_SECONDS:
            samples.popleft()
        before, first = samples[0]
        if at > before:
            self.rates = [(now - then) / (at - before) for now, then in zip(counts, first, strict=True)]


def rate_text(rate: float | None) -> str:
    """A rate in a few signs; a dash where it is not known."""
    if rate is None:
        return "-"
    if rate < 100:
        return f"{rate:.1f}"
    if rate < 10_000:
        return f"{rate:.0f}"
    return f"{rate / 1000:.1f}k" if rate < 1_000_000 else f"{rate / 1_000_000:.1f}M"
