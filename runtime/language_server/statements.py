"""The statements of texts as they are while somebody writes: what did not change is not read again."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import NamedTuple

from lars2asp.analysis.predicates import head_atoms
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.directives import terminals_with
from lars2asp.syntax.parser import Read, is_stream, read_statement
from lars2asp.syntax.parsing.formulas import Formulas, marked
from lars2asp.syntax.parsing.parse_tables import Token, tables
from lars2asp.syntax.parsing.prefixed_names import with_names
from lars2asp.syntax.parsing.statement_texts import StatementText, cut_statements
from lars2asp.syntax.parsing.tree import Include, Prefix, ProgramPart
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import every
from lars2asp.syntax.values import dataclass


class Occurrence(NamedTuple):
    """The name of a predicate in a text.

    Attributes:
        name: the name; that of `-p` is p.
        arity: the number of its arguments.
        begin: where the name begins.
        end: where it ends.
        is_definition: whether what stands there makes atoms true: a head, a fact, a declaration of input.
    """

    name: str
    arity: int
    begin: int
    end: int
    is_definition: bool


class KnownStatement(NamedTuple):
    """What is known of a statement's text, with places in it.

    Attributes:
        occurrences: the names of predicates.
        prefix: the name of the prefix that it declares, and what it stands for.
    """

    occurrences: tuple[Occurrence, ...]
    prefix: tuple[str, str] | None = None


class PlacedStatement(NamedTuple):
    """A statement in a text; what is known of it is None where it has mistakes."""

    text: StatementText
    known: KnownStatement | None

    @property
    def occurrences(self) -> Iterator[Occurrence]:
        """The names of predicates, with their places in the whole text."""
        first = self.text.begin
        for one in self.known.occurrences if self.known else ():
            yield one._replace(begin=one.begin + first, end=one.end + first)


@dataclass
class StatementReader:
    """Reads texts; statements that it has read without mistakes are kept by what they say."""

    _known: dict[tuple[str, frozenset[tuple[str, str]]], KnownStatement] = field(default_factory=dict)
    """By the text of a statement, and the prefixes before it."""

    def statements(self, source: Source, diagnostics: Diagnostics) -> list[PlacedStatement]:
        """The statements of a text; their mistakes are reported. There are none of another dialect."""
        found: list[PlacedStatement] = []
        if source.dialect:
            return found
        prefixes: dict[str, str] = {}
        for statement in cut_statements(source, diagnostics):
            if not found and statement.text[0] in "{0123456789" and is_stream(source, statement, diagnostics):
                break
            key = statement.text, frozenset(prefixes.items())
            known = self._known.get(key)
            if known is None:
                before = len(diagnostics)
                said = read_statement(source, statement, diagnostics, Formulas(), prefixes)
                if len(diagnostics) == before:
                    prefix = next(((one.name, one.iri) for one in said if isinstance(one, Prefix)), None)
                    known = KnownStatement(tuple(_occurrences(statement, said, prefixes)), prefix)
                    if len(self._known) >= MOST_KEPT:
                        self._known.clear()
                    self._known[key] = known
            if known is not None and known.prefix is not None:
                prefixes |= [known.prefix]
            found.append(PlacedStatement(statement, known))
        return found


MOST_KEPT = 100_000
"""The number of statements that are kept at most."""


def _occurrences(
    statement: StatementText, said: list[Read], prefixes: Mapping[str, str]
) -> Iterator[Occurrence]:
    text, first = statement.text, statement.begin
    if text.startswith("#script"):
        return
    found: dict[tuple[int, int], Occurrence] = {}
    for one in said:
        if isinstance(one, Include | ProgramPart | Prefix):
            continue
        of_formula = nodes.is_of_formula(one)
        heads = {id(head.atom) for head in head_atoms(one)} if isinstance(one, nodes.Rule) else set()
        for atom in every(nodes.Atom, one):
            if isinstance(atom, nodes.FormulaAtom) or (of_formula and id(atom) in heads):
                continue
            begin = text.index(atom.name, atom.location.begin - first)
            is_definition = id(atom) in heads or isinstance(one, nodes.External)
            place = Occurrence(
                atom.name,
                len(atom.arguments),
                begin,
                begin + len(atom.name),
                is_definition and not of_formula,
            )
            found.setdefault((begin, place.arity), place)
    if "#" in text:
        for place in _named(tables().tokens(marked(with_names(text, prefixes))), said):
            found.setdefault((place.begin, place.arity), place)
    yield from sorted(found.values(), key=lambda one: one.begin)


_SHOWING = terminals_with("signature")


def _named(tokens: list[Token], said: list[Read]) -> Iterator[Occurrence]:
    """The predicates that stand in no atom: `p/2`, and those of declarations."""
    for number, (name, slash, arity) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        if (name.terminal, slash.terminal, arity.terminal) != ("IDENTIFIER", "SLASH", "NUMBER"):
            continue
        before = [one.terminal for one in tokens[max(0, number - 2) : number] if one.terminal != "MINUS"]
        is_shown = tokens[0].terminal in _SHOWING and before == [tokens[0].terminal]
        if is_shown or before[-1:] == ["_HASH"]:
            yield Occurrence(str(name), int(arity, 0), name.begin, name.end, False)
    names = [one for one in tokens if one.terminal == "IDENTIFIER"]
    begins = iter(names)
    for one in said:
        match one:
            case nodes.Input(predicate, columns):
                arity_of, is_definition = len(columns), True
            case nodes.Table(predicate, columns):
                arity_of, is_definition = len(columns), True
            case nodes.Decimals(predicate, places):
                arity_of, is_definition = len(places), False
            case nodes.Types(predicate, places):
                arity_of, is_definition = len(places), False
            case nodes.Held(nodes.Signature(predicate, arity_of)):
                is_definition = False
            case nodes.Calendar(nodes.Signature(predicate, arity_of)):
                is_definition = True
            case _:
                continue
        token = next((token for token in begins if token == predicate), None)
        if token is not None:
            yield Occurrence(predicate, arity_of, token.begin, token.end, is_definition)
