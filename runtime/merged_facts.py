"""What is said of facts that were equal to another one of their tick, and so count once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.terms import AtomRows, Row, turns_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.source import shown

_CURE = "record() among the columns of #input keeps them apart"


class MergedFacts:
    """Counts facts that are equal to another one of their tick, of records in the order of their ticks.

    Attributes:
        count: their number, by predicates.
    """

    def __init__(self) -> None:
        self.count = Counter[Signature]()
        self._tick = -1
        self._known: dict[Signature, set[Row]] = {}

    def take(self, tick: int, facts: Iterable[AtomRows]) -> None:
        """Takes the facts of a record."""
        if tick != self._tick:
            self._tick, self._known = tick, {}
        for signature, rows in turns_of(facts):
            known = self._known.setdefault(signature, set())
            before = len(known)
            known.update(rows)
            self.count[signature] += before + len(rows) - len(known)


def merged_text(count: int) -> str:
    """What is said of so many facts."""
    said = "fact was" if count == 1 else "facts were"
    return f"{count} {said} equal to another one of their tick, and count once: {_CURE}"


def miscounted(program: Program, merged: Mapping[str, int]) -> Iterator[str]:
    """What is said of the first place of each predicate where ticks of facts are counted that were merged.

    Args:
        program: the program.
        merged: the number of facts that were equal to another one of their tick, by predicates as text.
    """
    left = {name: number for name, number in merged.items() if number}
    for one in ProgramAnalysis(program).streaming_atoms if left else ():
        number = left.get(str(one.atom.signature))
        if number is None or not isinstance(one, nodes.AtLeast | nodes.AtMost | nodes.Count):
            continue
        del left[str(one.atom.signature)]
        place = one.location
        text = " ".join(place.source.text[place.begin : place.end].split())
        yield f"{place}: warning: {shown(text)} counts ticks: {merged_text(number)}, and #count counts each"
