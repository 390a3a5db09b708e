"""Terms of RDF as arguments of facts."""

from collections.abc import Sequence
from dataclasses import replace

from lars2asp.analysis.number_forms import NumberForm
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.ground_terms import check_characters
from lars2asp.runtime.sources.row_events import LONGEST_KNOWN, MOST_KNOWN, Found, Wrong
from lars2asp.runtime.sources.survey.column_kinds import column_text
from lars2asp.runtime.sources.tables.row_reader import CellValues, OtherNumberError, argument_of
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Column
from lars2asp.syntax.rdf_terms import NUMERIC, literal_of, string_of
from lars2asp.syntax.source import shown

_PLAIN = ("", "any", "text")


class TermValues(CellValues):
    """What the terms of a place of triples stand for, as a column is declared; None: there is no term.

    A plain column takes a number of XML Schema as the number, and all else as the string that it is;
    `int(V)`, `number(V)`, `time(V)`, `duration(V)` and `constant(V)` read the text of a literal, whatever its
    datatype.
    """

    def __init__(
        self, column: Column, decimals: NumberForm, missing: frozenset[str], timeline: Timeline
    ) -> None:
        super().__init__(column, decimals, missing, timeline)
        is_plain = column.conversion in _PLAIN and column.scale is None
        self._takes_nodes = is_plain and not (column.required is not None and column.required.type.is_number)
        """Whether IRIs and blank nodes are strings as they are."""

    def of(self, texts: Sequence[str | float | None]) -> list[Found]:
        """What many terms stand for, none of which is a bare number."""
        return [*map(self.__getitem__, texts)]

    def __missing__(self, text: str | float | None) -> Found:
        term = str(text or "")
        if not term:
            return self.absent
        value: Found
        if self._takes_nodes and (term[0] != '"' or self._is_string(term)):
            value = term
        else:
            try:
                value = self._value(term)
            except InputError as error:
                is_missing = self._column.or_missing and not isinstance(error, OtherNumberError)
                value = None if is_missing else Wrong(str(error))
            value = self.absent if value is None else value
        if len(self) >= MOST_KNOWN:
            self.clear()
        if len(term) <= LONGEST_KNOWN:
            self[term] = value
        return value

    def _is_string(self, term: str) -> bool:
        """Whether a literal is seen to be the string of itself, as those of most datatypes are."""
        if term[-1] != ">" or "\\" in term or not term.isprintable():
            return False
        end = term.rindex('"')
        is_other = term[end + 4 : -1] not in NUMERIC and self._column.conversion != "text"
        return is_other and not (end > 1 and term[1:end] in self._missing)

    def _value(self, term: str) -> Found:
        column, literal = self._column, literal_of(term) if term[0] == '"' else None
        if literal is not None and literal.text and literal.text in self._missing:
            return None
        number = literal.number if literal is not None else None
        if column.conversion not in _PLAIN or column.scale is not None:
            cell = number or (term if literal is None else literal.text)
            return argument_of(cell, column, self._decimals, self._timeline)
        if number is not None and column.conversion != "text":
            try:
                return argument_of(number, replace(column, conversion=""), self._decimals, self._timeline)
            except InputError:
                if column.conversion != "any":
                    raise
        required = column.required
        if required is not None and required.type.is_number:
            name = column_text(column.name)
            cure = f"any({name}) accepts all terms" if literal is None else f"number({name}) reads its text"
            raise InputError(f"column {column.name}: {required.refusal(shown(term))}; {cure}")
        if literal is None:
            return term
        value = literal.text if number is not None and column.conversion == "text" else string_of(literal)
        check_characters(value)
        return value
