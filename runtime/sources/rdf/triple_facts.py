"""Triples with ticks become facts, as `#input` declares."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from operator import itemgetter
from typing import Any

from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.rdf.timed_triples import Timed, TimedTriples
from lars2asp.runtime.sources.rdf.triple_texts import Quad, Triples
from lars2asp.runtime.sources.record_columns import FactColumn, RecordColumns
from lars2asp.runtime.sources.records import NO_FACT, PASSED_OVER, Origin, Record, Rejected
from lars2asp.runtime.sources.row_events import RowFact, Wrong, fact_of
from lars2asp.runtime.sources.tables.row_reader import RowReader, timeline_of
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.rdf_terms import GENERATED_AT, is_iri

_TIME = "\0time"
"""The name of a column that no declaration has."""

_OF_PROPERTY = (0, 2, 3)
"""The places of subject, object and graph in a quad: what columns are where a property is named."""

_OF_ALL = (0, 1, 2, 3)

Made = tuple[Sequence[Record], Sequence[tuple[int, Rejected]]]
"""Records, and what is rejected before how many of them."""


class TripleFacts:
    """Makes records of triples.

    Args:
        declarations: those that say which facts triples are; they have been checked.
        name: that of what is read.
        reader: makes the reader of a declaration by the names of its columns.
        timeline: how times are read.

    Attributes:
        wanted: the properties of triples that are facts; None for all.

    Raises InputError where nothing is declared, or a time that is no property.
    """

    def __init__(
        self,
        declarations: Sequence[Input],
        name: str,
        reader: Callable[[Input, Sequence[str]], RowReader],
        timeline: Timeline,
    ) -> None:
        if not declarations:
            raise InputError(
                f"{name}: the program does not declare how triples become facts: add for example "
                "#input triple(S,P,any(O)). or #input speed(S,V) from <http://example.org/speed> at "
                "<http://www.w3.org/ns/sosa/resultTime>."
            )
        self._makers = [_Maker(one, reader) for one in declarations]
        properties = {one.rdf_property for one in declarations}
        self.wanted = None if "" in properties else frozenset(properties)
        self._times = _times(declarations, name, timeline)
        named = any(is_iri(one.time) for one in declarations)
        self._arrival = timeline.arrived if timeline.arrival is not None and not named else None
        self._is_each_once = len({one.reader.signature for one in self._makers}) == len(self._makers)
        self._is_numbered = any(one.is_numbered for one in declarations)

    def timed(self) -> TimedTriples:
        """What gives the triples of one source their ticks."""
        return TimedTriples(self._times, self.wanted, self._arrival)

    def take(self, told: Triples, triples: TimedTriples, timed: Timed) -> None:
        """Gives triples their ticks; a line that says another time than it may is rejected."""
        tick = None
        if told.time is not None:
            try:
                tick = next(iter(self._times.values()))(told.time)
            except InputError as error:
                timed.reject(Rejected(told.origins[0], str(error)))
                return
        triples.add(told, timed, tick)

    def records(self, timed: Timed, *, in_columns: bool) -> Made:
        """The records of triples, in columns only where they may be."""
        plain = not self._is_numbered and self._is_each_once and {int}.issuperset(map(type, timed.ticks))
        if plain and (columns := self._columns(timed)) is not None:
            return columns if in_columns else [*columns], timed.rejected
        return self._each(timed)

    def _columns(self, timed: Timed) -> RecordColumns | None:
        """The records in columns; None where one of them is rejected."""
        facts = []
        for maker in self._makers:
            found = maker.column(timed.quads)
            if found is None:
                return None
            facts.append(found)
        columns = RecordColumns(timed.ticks, facts, timed.origins)
        columns.pass_over([place for place, quad in enumerate(timed.quads) if quad is None])
        return columns

    def _each(self, timed: Timed) -> Made:
        """The records, one after the other."""
        records, rejected = list[Record](), list[tuple[int, Rejected]]()
        others = iter([*timed.rejected, (len(timed.quads) + 1, None)])
        place, other = next(others)
        for number, (quad, tick, origin) in enumerate(
            zip(timed.quads, timed.ticks, timed.origins, strict=True)
        ):
            while other is not None and place <= number:
                rejected.append((len(records), other))
                place, other = next(others)
            facts = self._facts(quad, origin)
            wrong = next((one for one in facts if type(one) is Wrong), None)
            if wrong is not None:
                rejected.append((len(records), Rejected(origin, wrong.reason)))
            else:
                atoms = tuple(one for one in facts if type(one) is AtomRows)
                without = PASSED_OVER if quad is None else NO_FACT
                records.append(Record(tick, Events(atoms) if atoms else without, origin))
        while other is not None:
            rejected.append((len(records), other))
            place, other = next(others)
        return records, rejected

    def _facts(self, quad: Quad | None, origin: Origin) -> Sequence[RowFact]:
        if quad is None:
            return ()
        own = (self._makers[0].reader.numbers.of(origin), origin.source, 0) if self._is_numbered else ()
        return [one.fact(quad, own) for one in self._makers]


class _Maker:
    """Makes facts as one declaration says.

    Attributes:
        reader: the reader of its columns.
    """

    def __init__(self, declared: Input, reader: Callable[[Input, Sequence[str]], RowReader]) -> None:
        places = _OF_PROPERTY if declared.rdf_property else _OF_ALL
        names = [column.name for column in declared.cells]
        plain = replace(declared, time=_TIME, joined=(), time_format="", other_times=())
        self.reader = reader(plain, [*names, _TIME])
        self._property = declared.rdf_property
        own = len(names) + 1
        self._places = [4 + place - own if place >= own else places[place] for (place,) in self.reader.places]

    def column(self, quads: Sequence[Quad | None]) -> FactColumn | None:
        """The facts of triples, none of which has a number; None where a term is wrong."""
        own: Sequence[Any] = quads
        places: Sequence[int] | None = None
        chosen = [*map(self._is_of, quads)]
        if not all(chosen):
            own, places = [*compress(quads, chosen)], [*compress(range(len(quads)), chosen)]
        return self.reader.facts([[*map(itemgetter(at), own)] for at in self._places], len(own), places)

    def fact(self, quad: Quad, own: Sequence[object]) -> RowFact:
        """The fact of a triple, behind which its number and source stand; None where it gives none."""
        if not self._is_of(quad):
            return None
        cells: Sequence[Any] = (*quad, *own)
        values = [values[cells[place]] for values, place in zip(self.reader.cells, self._places, strict=True)]
        return fact_of(self.reader.signature, values)

    def _is_of(self, quad: Quad | None) -> bool:
        return quad is not None and (not self._property or quad[1] == self._property)


def _times(
    declarations: Sequence[Input], name: str, timeline: Timeline
) -> Mapping[str, Callable[[str], int]]:
    """For each property that says times what reads them. Raises InputError."""
    times: dict[str, Callable[[str], int]] = {}
    for one in declarations:
        if is_iri(one.time):
            found = one.time
        elif one.times == ("time",):
            continue
        else:
            raise InputError(
                f"{name}: #input {one.predicate}: {' + '.join(one.times)} is no property of triples: "
                "write for example at <http://www.w3.org/ns/sosa/resultTime>"
            )
        own = timeline_of(one, timeline)
        times.setdefault(found, own.tick_of_text)
    return times or {GENERATED_AT: timeline.tick_of_text}
