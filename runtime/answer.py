"""What a reasoner gives at a tick."""

from dataclasses import dataclass, field
from functools import cached_property

from clingo import Symbol


@dataclass(frozen=True)
class Answer:
    """The answer at a tick.

    Attributes:
        tick: the tick.
        satisfiable: whether the program has an answer stream at it.
        symbols: the atoms of the output that hold, in clingo's order of symbols; empty where there is none.
            With consequences asked for, those that hold in some or in every answer stream.
        models: the output atoms of each answer stream that was asked for; the first is the one followed.
    """

    tick: int
    satisfiable: bool
    symbols: tuple[Symbol, ...]
    models: tuple[tuple[Symbol, ...], ...] = field(repr=False, default=())
    before: tuple[Symbol, ...] = field(repr=False, compare=False, default=())
    """The output atoms of the answer before."""

    @cached_property
    def atoms(self) -> tuple[str, ...]:
        """The atoms as text."""
        return tuple(map(str, self.symbols))

    @cached_property
    def added(self) -> tuple[Symbol, ...]:
        """The atoms that hold and did not in the answer before."""
        return difference(self.symbols, self.before)

    @cached_property
    def removed(self) -> tuple[Symbol, ...]:
        """The atoms that held in the answer before and do not now."""
        return difference(self.before, self.symbols)


def difference(these: tuple[Symbol, ...], those: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    """The symbols of the first that are not in the second, in their order."""
    if these is those:
        return ()
    left_out = frozenset(those)
    return tuple(symbol for symbol in these if symbol not in left_out)
