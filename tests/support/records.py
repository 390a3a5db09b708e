"""Records as tests compare them."""

from collections.abc import Iterable

from lars2asp.externals.events import Events
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sources.facts.atoms import Fact, to_rows
from lars2asp.runtime.sources.records import Record


def events(
    facts: Iterable[Fact] = (),
    *,
    begin: Iterable[Fact] = (),
    end: Iterable[Fact] = (),
    until: int | None = None,
) -> Events:
    """Events of one tick."""
    return Events(to_rows(facts), to_rows(begin), to_rows(end), until)


def in_short(records: Iterable[Record]) -> list[str]:
    """Tick, facts, begun (`+`) and ended (`-`) atoms, and the end of the facts, of each record."""
    found = []
    for record in records:
        events = record.events
        until = "" if events.until is None else f" until {events.until}"
        signs = [("", events.facts), ("+", events.begin), ("-", events.end)]
        atoms = [f"{sign}{text}" for sign, parts in signs for part in parts for text in atom_texts(*part)]
        found.append(f"{record.tick}: {' '.join(atoms)}{until}")
    return found
