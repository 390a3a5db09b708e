"""Predicates whose facts are held: `#held p(X,_) by X for 10 min.`"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import resolved_number
from lars2asp.syntax.nodes import Held, Program, Signature
from lars2asp.syntax.values import dataclass

Argument = TypeVar("Argument")


@dataclass(frozen=True, slots=True)
class HeldBy:
    """How long facts of the input hold: until the tick before the next one with the same key.

    Attributes:
        key: the places of the arguments that are the key; without any all facts of the predicate have one.
        longest: the number of ticks after its own at which a fact holds at most; None for any number.
    """

    key: tuple[int, ...]
    longest: int | None

    def key_of(self, row: Sequence[Argument]) -> tuple[Argument, ...]:
        """The key of a fact with these arguments."""
        return tuple(row[place] for place in self.key)

    def last(self, tick: int) -> int:
        """The last tick at which a fact of a tick holds if no other one comes; FOR_EVER without end."""
        return FOR_EVER if self.longest is None else tick + self.longest


def held_facts(program: Program) -> Mapping[Signature, HeldBy]:
    """The predicates of a program whose facts are held; its windows are in ticks."""
    return {
        one.predicate: HeldBy(
            tuple(dict.fromkeys(one.arguments.index(variable) for variable in one.group)),
            None if one.duration is None else resolved_number(one.duration.size),
        )
        for one in program.every(Held)
    }
