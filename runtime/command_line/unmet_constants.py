"""What is said of constants of a program that no record has at their places."""

from collections.abc import Iterator

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.events import Events
from lars2asp.externals.terms.text import text_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import shown
from lars2asp.syntax.traversal import body_of, every

MOST_VALUES = 12
"""At a place with more values, one that no record has is no surprise."""


class UnmetConstants:
    """The texts and names that rules look for in predicates of the input, and what records have there.

    Args:
        program: the program that reads the records.
    """

    def __init__(self, program: Program) -> None:
        analysis = ProgramAnalysis(program)
        self._wanted: dict[tuple[Signature, int], dict[str, nodes.Term]] = {}
        self._values: dict[tuple[Signature, int], set[str]] = {}
        for statement in program.but_plain_facts:
            for atom in every(nodes.Atom, *body_of(statement)):
                if atom.signature in analysis.derived or atom.signature in analysis.facts:
                    continue
                for place, term in enumerate(atom.arguments):
                    if _is_word(term) and to_text(term) not in analysis.constants:
                        wanted = self._wanted.setdefault((atom.signature, place), {})
                        wanted.setdefault(to_text(term), term)
        self._places: dict[Signature, list[int]] = {}
        for signature, place in self._wanted:
            self._places.setdefault(signature, []).append(place)

    def take(self, events: Events) -> None:
        """Takes the facts of a record."""
        for signature, rows in (*events.facts, *events.begin):
            for place in self._places.get(signature, ()):
                values = self._values.setdefault((signature, place), set())
                if len(values) <= MOST_VALUES:
                    values.update(text_of(row[place]) for row in rows)

    def said(self) -> Iterator[str]:
        """What is said of each of them that no record has."""
        for (signature, place), wanted in self._wanted.items():
            values = self._values.get((signature, place), set())
            if not values or len(values) > MOST_VALUES:
                continue
            for text, term in wanted.items():
                if text not in values:
                    found = ", ".join(map(shown, sorted(values)))
                    yield (
                        f"{term.location}: warning: no record has {shown(text)} as argument {place + 1} of "
                        f"{signature}: it has {found}"
                    )


def _is_word(term: nodes.Term) -> bool:
    match term:
        case nodes.String():
            return True
        case nodes.Function(_, (), False):
            return True
    return False
