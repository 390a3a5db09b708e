"""What is said of facts that were equal to another one of their tick, and so count once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.terms import AtomRows, Row, turns_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.source import shown
from lars2asp.syntax.summaries import counted


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


def merged_text(merged: Mapping[str, int]) -> str:
    """What is said of facts that count once, by their predicates.

    Args:
        merged: the number of facts that were equal to another one of their tick, by predicates as text.
    """
    told = ", ".join(f"{counted(number, 'fact')} of {name}" for name, number in merged.items())
    return (
        f"{told} repeated another fact of the same tick, which counts once. To count each, add record() to "
        "the columns of #input"
    )


def miscounted(program: Program, merged: Mapping[str, int]) -> Iterator[str]:
    """What is said of the first place of each predicate where ticks of facts are counted that were merged.

    Args:
        program: the program.
        merged: the number of facts that were equal to another one of their tick, by predicates as text.
    """
    left = {name: number for name, number in merged.items() if number}
    for one in ProgramAnalysis(program).streaming_atoms if left else ():
        name = str(one.atom.signature)
        number = left.get(name)
        if number is None or not isinstance(one, nodes.AtLeast | nodes.AtMost | nodes.Count):
            continue
        del left[name]
        place = one.location
        text = " ".join(place.source.text[place.begin : place.end].split())
        yield f"{place}: warning: {shown(text)} counts ticks: {merged_text({name: number})}, and use #count"
