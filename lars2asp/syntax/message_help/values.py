"""L4: values, types and decimals."""

from lars2asp.syntax.message_help.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
