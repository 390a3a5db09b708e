"""The protocol of engines that benchmarks compare."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

Argument = int | str
"""An argument of a fact: an integer, or the name of a constant."""

Fact = tuple[Any, ...]
"""A ground atom as benchmarks and native engines have it: its name (str), then its arguments (`Argument`)."""


class RefusedError(Exception):
    """An engine cannot evaluate a program; the text says why."""


class AnswerChanges(NamedTuple):
    """The changes of the answer at a tick, in the engine's own form: of atoms, or of rows of atoms.

    Attributes:
        began: the atoms of the answer that were not in the one before.
        ended: the atoms of the one before that are not in the answer.
    """

    began: Collection[Any]
    ended: Collection[Any]


class Engine(Protocol):
    """Evaluates one program on one stream, tick by tick.

    Each engine has a form of its own for atoms (tuples, rows of a predicate, ...). Facts are put into it by
    `facts` before anything is timed; answers come out in it, and `texts` is called for comparing only.
    The answer at a tick is the set of atoms that hold at it of every predicate that heads a rule.

    Attributes:
        lag: by how many ticks changes come later than the facts that make them.
    """

    @property
    def lag(self) -> int: ...

    @property
    def counts(self) -> Mapping[str, int]:
        """Counts of the engine's own work, summed up since its start."""
        ...

    def facts(self, facts: Sequence[Fact]) -> Sequence[Any]:
        """Facts in the engine's own form."""
        ...

    def step(self, tick: int, facts: Sequence[Any]) -> AnswerChanges:
        """Moves on to a tick, the first of all or the one after the last, with the facts that hold at it."""
        ...

    def texts(self, atoms: Collection[Any]) -> Sequence[str]:
        """Atoms of an answer, as `step` gives them, as clingo writes them, such as `p(1,a)`."""
        ...


def text_of(fact: Fact) -> str:
    """A fact as clingo writes it."""
    name, *arguments = fact
    return f"{name}({','.join(map(str, arguments))})" if arguments else str(name)
