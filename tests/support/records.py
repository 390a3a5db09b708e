"""Records as tests compare them."""

from collections.abc import Iterable

from lars2asp.runtime.sources.records import Record


def in_short(records: Iterable[Record]) -> list[str]:
    """Tick, facts, begun (`+`) and ended (`-`) atoms, and the end of the facts, of each record."""
    found = []
    for record in records:
        events = record.events
        until = "" if events.until is None else f" until {events.until}"
        signs = [("", events.facts), ("+", events.begin), ("-", events.end)]
        atoms = [f"{sign}{atom}" for sign, group in signs for atom in group]
        found.append(f"{record.tick}: {' '.join(atoms)}{until}")
    return found
