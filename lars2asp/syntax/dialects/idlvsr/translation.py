"""Programs of I-DLV-sr in our syntax: statement by statement, by its grammar (`grammar.lark`)."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from lars2asp.syntax import nodes
from lars2asp.syntax.argument_type import TIME
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.dialects.dialect_statements import built, places_in
from lars2asp.syntax.dialects.idlvsr import IDLVSR
from lars2asp.syntax.dialects.idlvsr.builder import IdlvsrBuilder, declared, duration_of
from lars2asp.syntax.dialects.program_dialect import Translated
from lars2asp.syntax.parsing.formulas import Formulas, marked
from lars2asp.syntax.parsing.parse_tables import tables
from lars2asp.syntax.parsing.plain_facts import plain_fact
from lars2asp.syntax.parsing.scripts import script
from lars2asp.syntax.parsing.statement_texts import cut_statements
from lars2asp.syntax.source import Location, Source

_NOW_PART = re.compile(r'"(?:[^"\\\n]|\\.)*+"|%[^\n]*|(@now)\.(?=[a-z])')


def declarations(source: Source) -> Sequence[nodes.Declaration]:
    """The length of a tick, and the zone of timestamps: they name none, and mean no other."""
    place = Location(source, 0, 0)
    unit = IDLVSR.settings_in(source.dialect)["t-unit"]
    return (
        nodes.Tick(duration_of(1, unit, place), location=place),
        nodes.TimeZone(nodes.String("UTC", location=place), location=place),
    )


def translated(source: Source, diagnostics: Diagnostics, formulas: Formulas) -> Iterator[Translated]:
    """The statements of a program, and in the end what they ask for: the calendar, types of times."""
    settings = IDLVSR.settings_in(source.dialect)
    own = tables(Path(__file__).parent)
    times: dict[nodes.Signature, set[int]] = {}
    calendar: dict[str, nodes.Calendar] = {}
    text = _NOW_PART.sub(lambda found: "@now\x1e" if found[1] else found[0], source.text)
    for statement in cut_statements(source, diagnostics, text=text, ends_shows=True):
        fact = plain_fact(source, statement)
        if fact is not None:
            yield fact
            continue
        located = places_in(source, statement)
        if statement.text.startswith("#script"):
            yield from script(statement.text, located, diagnostics)
            continue
        builder = IdlvsrBuilder(located, diagnostics, formulas, settings, statement.text)
        for one in built(marked(statement.text), own, builder.made, located, diagnostics):
            yield builder.completed(one)
        for signature, places in builder.of_times.items():
            times.setdefault(signature, set()).update(places)
        for atom in builder.of_calendar:
            calendar.setdefault(atom.name, declared(atom))
    yield from calendar.values()
    place = Location(source, 0, 0)
    for (name, arity, _), places in times.items():
        types = tuple(TIME if number in places else None for number in range(arity))
        yield nodes.Types(name, types, location=place)
