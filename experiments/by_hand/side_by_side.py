"""Programs that have nothing in common, written by hand, as one."""

from collections.abc import Callable, Sequence

from experiments.by_hand.program import ByHand
from experiments.engines.engine import Changes, Engine, Fact


class SideBySide(ByHand):
    """Programs that read one predicate each: program number i reads `pi`."""

    def __init__(self, programs: Sequence[Callable[[], Engine]]) -> None:
        self._programs = {f"p{number}": program() for number, program in enumerate(programs)}

    def step(self, tick: int, facts: Sequence[Fact]) -> Changes:
        """Moves on to a tick."""
        by_name: dict[str, list[Fact]] = {name: [] for name in self._programs}
        for fact in facts:
            by_name[fact[0]].append(fact)
        found = [program.step(tick, by_name[name]) for name, program in self._programs.items()]
        return Changes([a for one in found for a in one.began], [a for one in found for a in one.ended])
