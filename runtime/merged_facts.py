"""Messages on facts that repeat another fact of their tick, and so count once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.terms import AtomRows, Row, turns_of
from lars2asp.externals.terms.text import Decimals, atom_text
from lars2asp.runtime.sources.records import Origin
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.source import shown
from lars2asp.syntax.summaries import counted


class MergedFacts:
    """Counts facts that repeat another fact of their tick, over records in the order of ticks.

    Attributes:
        count: their number, by predicates.
        first: of each predicate the first such fact and its record, as text.
    """

    def __init__(self) -> None:
        self.count = Counter[Signature]()
        self.first: dict[Signature, str] = {}
        self._tick = -1
        self._known: dict[Signature, set[Row]] = {}

    def take(self, tick: int, facts: Iterable[AtomRows], origin: Origin | None, decimals: Decimals) -> None:
        """Takes the facts of a record; decimals say how its numbers are written."""
        if tick != self._tick:
            self._tick, self._known = tick, {}
        for signature, rows in turns_of(facts):
            known = self._known.setdefault(signature, set())
            for row in rows:
                if row in known:
                    self.count[signature] += 1
                    if signature not in self.first:
                        place = "" if origin is None else f" at {origin}"
                        self.first[signature] = f"{shown(atom_text(signature, row, decimals))}{place}"
                known.add(row)


def merged_text(merged: Mapping[str, int], first: Mapping[str, str] = MappingProxyType({})) -> str:
    """The message on facts that count once.

    Args:
        merged: the number of facts that repeated another fact of their tick, by predicates as text.
        first: the first such fact of a predicate and its place, if known.
    """
    told = ", ".join(
        f"{counted(number, 'fact')} of {name}{f' (the first is {first[name]})' if name in first else ''}"
        for name, number in merged.items()
    )
    return (
        f"{told} repeated another fact of the same tick, which counts once. To count each, add record() to "
        "the columns of #input"
    )


def miscounted(
    program: Program, merged: Mapping[str, int], first: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """The warnings on rules that count ticks of facts that count once, one for each predicate.

    Args:
        program: the program.
        merged: see `merged_text`.
        first: see `merged_text`.
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
        cure = (
            "and use #count"
            if name in first
            else "and use #count. `lars2asp check --input` names the first fact"
        )
        yield f"{place}: warning: {shown(text)} counts ticks: {merged_text({name: number}, first)}, {cure}"
