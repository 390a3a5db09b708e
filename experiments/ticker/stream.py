"""The part of the stream that some window still sees, as solver calls ask for it."""

from collections import deque
from collections.abc import Iterable, Sequence

from clingo import Function, Number, Symbol

from experiments.ticker.encoding import Encoding
from experiments.ticker.reach import Reach

TickerFact = tuple[str, Symbol]
"""A fact: its predicate, as `p/2`, and its arguments, as a tuple."""


class SeenStream:
    """Keeps what is seen in time order; the functions that the encoding calls are its methods."""

    def __init__(self, encoding: Encoding) -> None:
        self._kept = {key: _SeenPredicate(reach) for key, reach in encoding.reaches.items()}
        self._counted = encoding.counted
        self._last: deque[tuple[str, Symbol, Symbol]] = deque(maxlen=encoding.arrivals)
        self.now = 0
        """The current tick."""
        self.arrived = 0
        """The number of facts so far, if there are tuple windows."""

    def take(self, tick: int, facts: Sequence[TickerFact]) -> None:
        """Brings in the facts of a tick, and drops those that no window sees any more."""
        self.now = tick
        arrived: dict[str, list[Symbol]] = {}
        for key, arguments in facts:
            arrived.setdefault(key, []).append(arguments)
        for key, predicate in self._kept.items():
            predicate.take(tick, arrived.get(key))
        if self._last.maxlen:
            self._count(tick, facts)

    def _count(self, tick: int, facts: Sequence[TickerFact]) -> None:
        arrivals = list(dict.fromkeys(facts))  # duplicates at a tick are one
        self.arrived += len(arrivals)
        recent = arrivals[-(self._last.maxlen or 0) :]
        for number, (key, arguments) in enumerate(recent, self.arrived - len(recent) + 1):
            place = Number(tick), Number(number)
            counted = Function("", [arguments, *place]) if key in self._counted else arguments
            self._last.append((key, counted, Function("", place)))

    def tells_now(self, keys: Iterable[str]) -> bool:
        """Whether the input has facts of one of the predicates at the current tick."""
        return any(self._kept[key].holds_at(self.now) for key in keys)

    @property
    def size(self) -> int:
        """The number of atoms that a solver call gets."""
        counted = sum(key in self._counted for key, *_ in self._last)
        return sum(predicate.size for predicate in self._kept.values()) + counted

    # --- what the encoding asks -----------------------------------------------------------------------

    def ticks(self, key: Symbol) -> Sequence[Symbol]:
        """The ticks at which the input had atoms of a predicate."""
        return self._kept[key.string].ticks()

    def atoms(self, key: Symbol, tick: Symbol) -> Sequence[Symbol]:
        """The arguments of the atoms of a predicate that the input had at a tick."""
        return self._kept[key.string].atoms(tick.number)

    def arrivals(self, key: Symbol) -> Sequence[Symbol]:
        """The last arrivals of a predicate: arguments, tick and number."""
        return [counted for own, counted, _ in self._last if own == key.string]

    def arrival_ticks(self) -> Sequence[Symbol]:
        """The last arrivals of the whole input: tick and number."""
        return [place for *_, place in self._last]


class _SeenPredicate:
    """The atoms of one predicate that some window still sees, by ticks."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._atoms: dict[int, list[Symbol]] = {}
        self.size = 0

    def take(self, tick: int, atoms: list[Symbol] | None) -> None:
        if self._reach.back is not None:
            past = tick - self._reach.back - 1
            if past not in self._reach.fixed:
                self.size -= len(self._atoms.pop(past, ()))
        if atoms:
            self._atoms[tick] = atoms
            self.size += len(atoms)

    def holds_at(self, tick: int) -> bool:
        return tick in self._atoms

    def ticks(self) -> list[Symbol]:
        return [Number(tick) for tick in self._atoms]

    def atoms(self, tick: int) -> list[Symbol]:
        return self._atoms.get(tick, [])
