"""L2: windows and time."""

from lars2asp.syntax.message_help.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
