"""How far a run is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Counters:
    """How far a run is.

    Attributes:
        tick: the current tick, None before the first one.
        facts: the number of facts in the input.
        ticks: the number of ticks that have passed.
        rejected: the number of records that were rejected because they are not valid.
        late: the number of those that came too late.
        lag_seconds: how far it is behind; None where the input is not live.
        waiting: the number of records that wait.
        share: the part of the input that was read, from 0 to 1; None where its size is not known.
    """

    tick: int | None = None
    facts: int = 0
    ticks: int = 0
    rejected: int = 0
    late: int = 0
    lag_seconds: float | None = None
    waiting: int = 0
    share: float | None = None
