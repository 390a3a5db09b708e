"""How long the atoms of a predicate are needed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lars2asp.analysis.predicates import merge_windows, streaming_atoms, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import Fixed
from lars2asp.syntax.nodes import Program, Signature


@dataclass(frozen=True)
class Reach:
    """The ticks of a predicate that windows ever look at.

    Attributes:
        back: the number of ticks back from now; all where None.
        fixed: besides, these ticks.
    """

    back: int | None
    fixed: frozenset[int]


def reaches_of(
    program: Program, constants: Mapping[str, int], signatures: Iterable[Signature]
) -> dict[Signature, Reach]:
    """How far back predicates are looked at, the current tick alone where no window sees them."""
    fixed: dict[Signature, set[int]] = {}
    windows = [(s.atom.signature, window_of(s, constants)) for s in streaming_atoms(program)]
    for signature, merged in merge_windows(program, constants).items():
        windows += [(signature, window) for window in merged]
    for signature, window in windows:
        if isinstance(window, Fixed):
            fixed.setdefault(signature, set()).add(window.tick)
    back = ProgramAnalysis(program).reach
    return {s: Reach(back.get(s, 0), frozenset(fixed.get(s, ()))) for s in signatures}
