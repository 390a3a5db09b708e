"""L7: programs that mean something else."""

from lars2asp.syntax.message_help.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
