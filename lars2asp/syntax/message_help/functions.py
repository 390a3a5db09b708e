"""L9: functions and scripts."""

from lars2asp.syntax.message_help.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
