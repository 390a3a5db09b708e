"""The formats of live sources, by what they say first: of each connection, or of each message."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from lars2asp.runtime.sources.json.json_documents import LOOKED_AT, is_json_line
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line
from lars2asp.runtime.sources.tables.table_form import MOST_BEFORE, is_headed, names_columns
from lars2asp.syntax.source import visible
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")


@dataclass
class _Source:
    """What is known of a source.

    Attributes:
        form: its format.
        looked_at: the number of its lines that may have decided it.
        is_decided: whether one of them did.
        begins: whether a message begins.
    """

    form: Format
    looked_at: int = 0
    is_decided: bool = False
    begins: bool = True


class LiveFormats:
    """Finds the format of each source by its first lines, in the order of `Reading.format_in`.

    Later lines cannot be waited for: a source of text turns to JSON if one of its first ten lines is JSON.
    A `#` line waits for the next line, because columns may be named in one that follows. A message without
    a sign of its own, such as rows without a header, is in the format of the one before.

    Args:
        reading: how the sources are read; it says no format.
        is_quiet: whether nothing is said of what is found.
    """

    def __init__(self, reading: Reading, *, is_quiet: bool = False) -> None:
        self._reading = reading
        self._unnamed = reading.unnamed
        self._headers = reading.headers if reading.of_fields else ()
        self._is_quiet = is_quiet
        self._sources: dict[str, _Source] = {}
        self._held: dict[str, list[Line]] = {}
        """Lines whose format the next line decides."""
        self._said: set[Format] = set()

    def of(self, line: Line) -> tuple[Format, Sequence[Line]]:
        """The format of a source, and the lines that can be read: this one, and those that waited for it."""
        known = self._sources.get(line.source)
        if line.end is None:
            held = self._held.pop(line.source, [])
            return (self._sources.pop(line.source).form if known else self._unnamed), [*held, line]
        if known is None:
            known = self._sources[line.source] = _Source(self._unnamed)
        if known.begins or line.number == 1:
            known.looked_at, known.is_decided = 0, False
        known.begins = not line.end
        if known.looked_at >= LOOKED_AT or known.is_decided:
            return known.form, [line]
        lines = self._looked_at(line, known)
        return known.form, lines

    def _looked_at(self, line: Line, known: _Source) -> Sequence[Line]:
        text, held = line.text, self._held.pop(line.source, [])
        if not text.strip():
            return [*held, line]
        is_first = not known.looked_at
        if is_first and self._headers and text.startswith("#") and not names_columns(text) and line.end:
            if len(held) < MOST_BEFORE:
                self._held[line.source] = [*held, line]
                return []
        elif is_json_line(text):
            self._decide(known, Format.JSONL, line)
        elif is_first and self._headers and is_headed([text], self._reading.dialect, self._headers):
            self._decide(known, Format.CSV, line)
        elif is_first and known.form is not Format.CSV:
            known.form = Format.JSONL if text.strip() in ("{", "[") else self._unnamed
            self._say(known.form, line)
        known.looked_at += 1
        return [*held, line]

    def _decide(self, known: _Source, form: Format, line: Line) -> None:
        known.form, known.is_decided = form, True
        self._say(form, line)

    def _say(self, form: Format, line: Line) -> None:
        """Says once which format a source is in, if there are several."""
        words = self._reading.said_of(form)
        if words and form not in self._said and not self._is_quiet:
            _log.warning("%s: read as %s", visible(line.source), words)
        self._said.add(form)

    def finish(self) -> list[tuple[Format, Line]]:
        """The lines that still wait, with their formats."""
        held = [line for lines in self._held.values() for line in lines]
        self._held.clear()
        return [(self._sources[line.source].form, line) for line in held]

    def state(self) -> dict[str, Any]:
        """What later lines are read by, as JSON has it."""
        sources = {
            name: [str(one.form), one.looked_at, one.is_decided, one.begins]
            for name, one in self._sources.items()
        }
        return {"sources": sources, "held": [[*line] for lines in self._held.values() for line in lines]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        self._sources = {
            name: _Source(Format(form), *rest) for name, (form, *rest) in state["sources"].items()
        }
        self._held = {}
        for line in (Line(*parts) for parts in state["held"]):
            self._held.setdefault(line.source, []).append(line)
