"""How far a run is."""

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from lars2asp.runtime.sources.account import Account
from lars2asp.syntax.values import dataclass


class InputTime(NamedTuple):
    """How far one of several live inputs, or a connection of one, has come.

    Attributes:
        name: the input.
        tick: its latest tick; None before its first record.
        is_left_out: whether it is not waited for.
    """

    name: str
    tick: int | None
    is_left_out: bool

    @property
    def text(self) -> str:
        """In words."""
        come = "has sent no record" if self.tick is None else f"is at tick {self.tick}"
        return f"{self.name} {come}{', and is not waited for' if self.is_left_out else ''}"


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
        merged: the number of facts that were equal to another one of their tick.
        share: the part of the input that was read, from 0 to 1; None where its size is not known.
        inputs: of several live inputs how far each has come.
        unfit: the number of records that no `#input` fits.
        accounts: for each input how many records gave facts, and what became of the others.
    """

    tick: int | None = None
    facts: int = 0
    ticks: int = 0
    rejected: int = 0
    late: int = 0
    lag_seconds: float | None = None
    waiting: int = 0
    merged: int = 0
    share: float | None = None
    inputs: tuple[InputTime, ...] = ()
    unfit: int = 0
    accounts: Mapping[str, Account] = field(default_factory=dict)
