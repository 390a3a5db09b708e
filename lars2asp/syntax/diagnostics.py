"""Diagnostics: errors and warnings about the user's text.

Diagnostics are collected, not thrown at the first, and print as clingo does, with the line and a caret
below it:

    cooling.lars:3:13-14: error: unsafe variable Y
      | high(X) :- p(X), X > Y.
      |                      ^
      hint: ...
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from lars2asp.syntax.source import Location, shown, visible


class Lars2aspError(Exception):
    """The base of every error that lars2asp raises for bad programs, input or use."""


LONGEST_LINE = 400
"""Longer lines are not shown with a message: the place must do."""


LONGEST_MESSAGE = 2000
"""Longer messages, of names without end, are cut off."""


class Severity(StrEnum):
    """How much a diagnostic matters: only an error keeps a program from running."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a range of the user's text."""

    location: Location
    message: str
    severity: Severity = Severity.ERROR
    hint: str = ""

    def __str__(self) -> str:
        """The message in clingo's form, the line with carets below it, and the hint."""
        source = self.location.source
        line, column = source.position(self.location.begin)
        end_line, end_column = source.position(max(self.location.end, self.location.begin))
        text = source.line(line)
        last = end_column if end_line == line else len(text) + 1
        parts = [f"{self.location}: {self.severity}: {self.message}"]
        if len(text) <= LONGEST_LINE:
            before, marked = visible(text[: column - 1]), visible(text[column - 1 : last - 1])
            indent = "".join("\t" if character == "\t" else " " for character in before)
            parts += [f"  | {visible(text)}", f"  | {indent}{'^' * max(1, len(marked), last - column)}"]
        if self.hint:
            parts.append(f"  hint: {self.hint}")
        return "\n".join(parts)


class ProgramError(Lars2aspError):
    """A program that cannot run; `diagnostics` holds every finding, errors and warnings."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))


class Diagnostics:
    """Collects findings while a program is read and checked."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []
        self.has_errors = False
        """Whether one of the findings is an error."""

    def error(self, location: Location, message: str, hint: str = "") -> None:
        """Notes an error."""
        self._add(location, message, Severity.ERROR, hint)

    def warning(self, location: Location, message: str, hint: str = "") -> None:
        """Notes a warning."""
        self._add(location, message, Severity.WARNING, hint)

    def _add(self, location: Location, message: str, severity: Severity, hint: str) -> None:
        said, advised = (shown(text, LONGEST_MESSAGE) for text in (message, hint))
        self._found.append(Diagnostic(location, said, severity, advised))
        self.has_errors = self.has_errors or severity is Severity.ERROR

    def __len__(self) -> int:
        """The number of findings so far."""
        return len(self._found)

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """All findings, each once, in the order of the text, source by source."""
        sources = list(dict.fromkeys(d.location.source for d in self._found))
        found = dict.fromkeys(self._found)
        return tuple(sorted(found, key=lambda d: (sources.index(d.location.source), d.location.begin)))

    def raise_errors(self) -> None:
        """Raises ProgramError with all findings if one of them is an error."""
        if self.has_errors:
            raise ProgramError(self.found)
