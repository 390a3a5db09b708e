"""L5: directives, constants, files and options."""

from lars2asp.syntax.message_help.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
