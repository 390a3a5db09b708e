"""Records that almost contain an atom: a condition after `where` or an empty cell leaves them out.

Or they come soon after the tick of the question.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice

from lars2asp.analysis.held_facts import HeldBy, held_facts
from lars2asp.analysis.number_forms import NumberForm
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.externals.terms.terms import Term as TermValue
from lars2asp.externals.terms.text import atom_text
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.explanations.past.terms import Known, Terms, with_values
from lars2asp.runtime.explanations.words.claims import Absent, RuleLiteral
from lars2asp.runtime.explanations.words.explanation import Explanation
from lars2asp.runtime.explanations.words.instances import ClaimedAtom
from lars2asp.runtime.explanations.words.question import where
from lars2asp.runtime.explanations.words.tick_texts import TickTexts
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.sources.tables.row_reader import argument_of, condition_cells, value_timeline
from lars2asp.syntax.nodes import Atom, Column, Condition, Function, Input, Program, Signature, String, Term
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import shown
from lars2asp.syntax.traversal import every

MOST_SOUGHT = 3
"""So many atoms are looked for."""

_STAND_INS = ("0", "a", "2000-01-01T00:00:00Z", "0 sec", "")
"""One of them is a value of each type."""


def hints_of_records(
    found: Explanation, program: Program, inputs: Sequence[str], reading: Reading
) -> Iterator[str]:
    """For each atom without a record: the nearest record in time that almost contains it.

    No record is named if a later one gives the atom, or replaces it, before the tick of the question.

    Args:
        found: an explanation that the atoms are absent.
        program: the program that is explained.
        inputs: the files, which are read again.
        reading: how they are read.
    """
    asked = _asked(found)
    relaxed: list[_Relaxed] = []
    for declared in reading.declarations:
        wider = _Relaxed(declared, f"near{len(relaxed)}", reading)
        if wider.is_of_interest and any(atom.signature == wider.signature for atom in asked):
            relaxed.append(wider)
    if not relaxed:
        return
    by_signature, held = {one.relaxed_signature: one for one in relaxed}, held_facts(program)
    sought = [
        *islice(
            (atom for atom in asked if any(atom.signature == one.signature for one in relaxed)), MOST_SOUGHT
        )
    ]
    analysis = ProgramAnalysis(program)
    terms = Terms(analysis.constant_terms, analysis.constants, {})
    reading = replace(
        reading,
        declarations=[one.input for one in relaxed],
        decimals={**reading.decimals, **{name: one.decimals for name, one in by_signature.items()}},
    )
    nearest = dict[Atom, tuple[int, str]]()
    shown_tick = _shown_tick(found)
    before, after = dict[Atom, int](), dict[Atom, int]()
    with open_inputs(inputs, reading, lambda _: None, is_quiet=True) as source:
        for record in source.records():
            for facts in record.events.facts:
                of = by_signature.get(facts.signature)
                for atom in sought if of is not None else ():
                    if of is None or atom.signature != of.signature:
                        continue
                    far = record.tick - asked[atom]
                    by = held.get(atom.signature)
                    if any(of.gives(row, atom, terms, by) for row in facts.rows):
                        if far <= 0:
                            before[atom] = max(far, before.get(atom, far))
                        if far >= 0:
                            after[atom] = min(far, after.get(atom, far))
                    if abs(far) > abs(nearest.get(atom, (far,))[0]):
                        continue
                    said = next(filter(None, (of.near(row, atom, terms) for row in facts.rows)), "")
                    if said:
                        nearest[atom] = far, f"{record.origin} at {shown_tick(+record.tick)} {said}"
    for atom, (far, said) in ((atom, nearest[atom]) for atom in sought if atom in nearest):
        if not (far < 0 and before.get(atom, far) > far) and not (far > 0 and after.get(atom, far) < far):
            yield said


def hints_of_later(found: Explanation, program: Program, records: Iterable[Record]) -> Iterator[str]:
    """For each atom whose rule fails because it has no record: the next record of it.

    Args:
        found: an explanation that the atoms are absent.
        program: the program that is explained.
        records: the first records after the tick of the question.
    """
    analysis = ProgramAnalysis(program)
    terms = Terms(analysis.constant_terms, analysis.constants, {})
    sought = [*islice(dict.fromkeys(_lacking(found)), MOST_SOUGHT)]
    shown_tick = _shown_tick(found)
    for record in records:
        for signature, rows in (*record.events.facts, *record.events.begin):
            for atom in [one for one in sought if one.signature == signature]:
                asked = atom.node.arguments
                if any(terms.match_all([*map(_as_text, asked, row)], row, {}, 0) is not None for row in rows):
                    sought.remove(atom)
                    now, then = shown_tick(found.tick), shown_tick(+record.tick)
                    yield f"no record of {atom.words} at {now}; the next is at {then} ({record.origin})"
        if not sought:
            return


def _shown_tick(found: Explanation) -> Callable[[int], str]:
    """How ticks are shown, as seen from that of the question."""
    one = found.shown_tick
    return one.seen_from(found.tick) if isinstance(one, TickTexts) else one


def _asked(found: Explanation) -> dict[Atom, int]:
    """The atoms without a record, with their ticks, also if their window is empty or looks at arrivals."""
    asked = dict[Atom, int]()
    for claim in found.claims:
        for one in claim.claims():
            if isinstance(one.reason, Absent):
                asked.setdefault(one.of.node, one.tick)
            for literal in filter(_lacks_arrivals, one.literals):
                for atom in every(Atom, with_values(literal.of.node, literal.of.binding)):
                    asked.setdefault(atom, one.tick)
    return asked


def _lacks_arrivals(literal: RuleLiteral) -> bool:
    """Whether the window of a false literal is empty, or looks at arrivals: no claim names the record."""
    witness = literal.witness
    if witness is None or literal.holds or literal.of.is_negated:
        return False
    return witness.is_tuple_window or not witness.window


def _lacking(found: Explanation) -> Iterator[ClaimedAtom]:
    """The atoms without a record because of which rules fail at the tick of the question."""
    waiting = deque(found.claims)
    while waiting:
        claim = waiting.popleft()
        if isinstance(claim.reason, Absent) and claim.tick == found.tick:
            if not claim.reason.rules:
                yield claim.of
            failed = [rule.failed for rule in claim.reason.rules if rule.failed is not None]
            waiting += [one for literal in failed if not literal.of.is_negated for one in literal.children]


class _Relaxed:
    """A declaration that takes records whatever its conditions and empty cells, with the texts of these.

    Args:
        declared: the declaration.
        name: the predicate of what it takes.
        reading: how the input is read.

    Attributes:
        signature: the predicate of the declaration.
        is_of_interest: whether a cell can be missing, or a condition leave records out.
        input: the declaration that takes more records.
        relaxed_signature: its predicate.
        decimals: the forms of numbers of its arguments.
    """

    def __init__(self, declared: Input, name: str, reading: Reading) -> None:
        columns = declared.columns
        self._declared = declared
        self._reading = reading
        self.signature = Signature(declared.predicate, len(columns))
        may_lack = bool(declared.conditions) or any(map(_may_lack, columns))
        self.is_of_interest = may_lack and not declared.rdf_property
        self._numbers = reading.decimals.get(self.signature, (0,) * len(columns))
        self._shown = [*columns, *(one.column for one in declared.conditions)]
        filled = map(self._filled, columns, self._numbers)
        texts = [*chain.from_iterable(map(_texts_of, self._shown))]
        self.input = replace(declared, predicate=name, columns=(*filled, *texts), conditions=())
        self.relaxed_signature = Signature(name, len(columns) + len(texts))
        self.decimals = (*self._numbers, *(0 for _ in texts))

    def _filled(self, column: Column, numbers: NumberForm) -> Column:
        """The column with a value in place of missing cells."""
        for text in _STAND_INS if _may_lack(column) else ():
            with suppress(InputError):
                if self._value(text, column, numbers) is not None:
                    return replace(column, otherwise=text)
        return column

    def _value(self, text: str, column: Column, numbers: NumberForm) -> Value | None:
        timeline = self._reading.timeline
        timeline = value_timeline(column, timeline) if column.conversion == "time" else timeline
        return argument_of(text, column, numbers, timeline)

    def gives(self, row: Row, atom: Atom, terms: Terms, by: HeldBy | None) -> bool:
        """Whether a record contains the atom or, if it is held, another atom with its key."""
        columns = self._declared.columns
        places = range(len(columns)) if by is None else by.key
        arguments = [_as_text(atom.arguments[place], row[place]) for place in places]
        if terms.match_all(arguments, tuple(row[place] for place in places), {}, 0) is None:
            return False
        cells, empty = self._cells(row)
        of_conditions = zip(self._declared.conditions, cells[len(columns) :], strict=True)
        return not empty and not any(self._fails(one, cell) for one, cell in of_conditions)

    def _cells(self, row: Row) -> tuple[list[str], list[int]]:
        """The texts of the cells of a record, and the places of the missing ones."""
        columns, texts = self._declared.columns, iter(row[len(self._declared.columns) :])
        cells = [" ".join(str(next(texts)) for _ in one.names) if one.is_cell else "" for one in self._shown]
        found = zip(columns, self._numbers, cells, strict=False)
        return cells, [place for place, one in enumerate(found) if self._lacks(*one)]

    def near(self, row: Row, atom: Atom, terms: Terms) -> str:
        """Why a record does not contain an atom; empty if it does, or if it is about another one."""
        columns, conditions = self._declared.columns, self._declared.conditions
        own = row[: len(columns)]
        cells, empty = self._cells(row)
        wanted = [place for place in range(len(columns)) if place not in empty]
        values = tuple(own[place] for place in wanted)
        arguments = [_as_text(atom.arguments[place], own[place]) for place in wanted]
        if not wanted or terms.match_all(arguments, values, {}, 0) is None:
            return ""
        of_conditions = zip(conditions, cells[len(columns) :], strict=True)
        failed = [(one, cell) for one, cell in of_conditions if self._fails(one, cell)]
        place = where(self._declared.location)
        if failed and len(empty) <= 1:
            told = "fit" if empty else f"be {atom_text(self.signature, own, self._reading.decimals)}"
            said = ", ".join(to_text(one) for one, _ in failed)
            cell = ", ".join(shown(cell.strip() or "empty") for _, cell in failed)
            return (
                f"would {told}, but #input ({place}) accepts only records with {said}, and here it is {cell}"
            )
        if not failed and len(empty) == 1:
            cell = cells[empty[0]]
            lack = f"missing ({shown(cell)})" if cell.strip() else "empty"
            return f"fits #input ({place}), but {shown(str(columns[empty[0]].name))} is {lack}"
        return ""

    def _lacks(self, column: Column, numbers: NumberForm, cell: str) -> bool:
        """Whether the cell of a column is missing."""
        if not _may_lack(column):
            return False
        if cell.strip() in self._missing:
            return True
        try:
            return self._value(cell, column, numbers) is None
        except InputError:
            return False

    def _fails(self, condition: Condition, cell: str) -> bool:
        return condition_cells(condition, self._missing, self._reading.timeline)[cell] is False

    @property
    def _missing(self) -> frozenset[str]:
        return self._reading.dialect.missing | {""}


def _as_text(term: Term, value: Value) -> Term:
    """A name as the text that it is in a question, if it is compared with a text."""
    if not isinstance(term, Function) or not isinstance(value, str) or term.arguments or term.is_external:
        return term
    if isinstance(term, Known) and (not isinstance(term.value, TermValue) or term.value.arguments):
        return term
    return String(term.name)


def _may_lack(column: Column) -> bool:
    """Whether a record can have nothing for a column."""
    return column.is_cell and column.otherwise is None


def _texts_of(column: Column) -> Iterator[Column]:
    """The cells of a column as texts, empty ones for missing cells."""
    plain = Column(column.name, conversion="text", otherwise="", location=column.location)
    for name in column.names if column.is_cell else ():
        yield replace(plain, name=name)
