"""The dialects by their names, and which of them a text is written in."""

from pathlib import Path

from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.dialects.dsr import DSR
from lars2asp.syntax.dialects.idlvsr import IDLVSR
from lars2asp.syntax.dialects.laser import LASER
from lars2asp.syntax.dialects.program_dialect import FIRST_LINES, ProgramDialect
from lars2asp.syntax.dialects.ticker import TICKER
from lars2asp.syntax.source import Source, shown

DIALECTS: dict[str, ProgramDialect] = {one.name: one for one in (IDLVSR, DSR, LASER, TICKER)}
"""All of them."""


def dialect_of(source: Source) -> ProgramDialect:
    """The dialect that a source names."""
    return DIALECTS[source.dialect.partition(":")[0]]


def check_dialect(text: str) -> None:
    """Raises Lars2aspError for what is no dialect, with its settings."""
    dialect = DIALECTS.get(text.partition(":")[0])
    if dialect is None:
        raise Lars2aspError(
            f"--dialect {shown(text)}: dialects are {', '.join(DIALECTS)}, and lars2asp for none"
        )
    dialect.settings_in(text)


def found_dialect(name: str, text: str) -> str:
    """The dialect of a file by the ending of its name, else by its first lines; empty if it is none."""
    if by_ending := dialect_of_ending(name):
        return by_ending
    found = recognised(text)
    return "" if found is None else found.name


def dialect_of_ending(name: str) -> str:
    """The dialect of a file by the ending of its name; empty if it is none."""
    ending = Path(name).suffix.lower()
    return next((one.name for one in DIALECTS.values() if ending in one.endings), "")


def recognised(text: str) -> ProgramDialect | None:
    """The dialect that the first lines of a text can only be written in."""
    return next((one for one in DIALECTS.values() if one.recognises(text[:FIRST_LINES])), None)
