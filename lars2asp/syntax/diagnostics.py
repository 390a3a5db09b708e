"""Diagnostics: errors and warnings about the user's text.

Diagnostics are collected, not thrown at the first. They print in the style of clingo, with the line and a
caret:

    cooling.lars:3:13-14: error: L101: unsafe variable Y
      | high(X) :- p(X), X > Y.
      |                      ^
      hint: ...
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum

from lars2asp.syntax.codes import Code
from lars2asp.syntax.source import Location, Source, shown, visible


class Lars2aspError(Exception):
    """The base of all errors of lars2asp for bad programs, input or use."""


LONGEST_LINE = 400
"""Longer lines are not shown with a message: the place must do."""


LONGEST_MESSAGE = 2000
"""Longer messages, of names without end, are cut off."""


class Severity(StrEnum):
    """How much a diagnostic matters. Only an error keeps a program from running.

    An info describes the meaning of a program; you see it only if you ask.
    """

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Note:
    """A related place of a finding, with a message."""

    location: Location
    message: str

    def __str__(self) -> str:
        """The message with its place, the line and carets below it."""
        return "\n".join([f"  {self.location}: {self.message}", *_marked(self.location)])


@dataclass(frozen=True, slots=True)
class Edit:
    """The edit of a hint: a text in place of a range, which is empty for an insertion."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding about a range of your program.

    Attributes:
        location: The range; the first range if the cause shows at several places.
        message: The problem.
        severity: Error, warning or info.
        hint: The cure.
        also: The other places.
        notes: Related places, each with a message.
        edit: The replacement that the hint proposes, if it is a text.
        subject: The area, such as `syntax` or `safety`.
    """

    location: Location
    message: str
    severity: Severity = Severity.ERROR
    hint: str = ""
    also: tuple[Location, ...] = ()
    notes: tuple[Note, ...] = ()
    edit: Edit | None = field(default=None, compare=False)
    subject: str = field(default="", compare=False)
    code: Code = field(kw_only=True)

    def __str__(self) -> str:
        """The message in clingo's form with the code, carets below the line, other places, and the hint."""
        parts = [f"{self.location}: {self.severity}: {self.code}: {self.message}", *_marked(self.location)]
        if self.also:
            parts.append(f"  also: {_lines(self.location.source, self.also)}")
        parts += map(str, self.notes)
        if self.hint:
            parts.append(f"  hint: {self.hint}")
        return "\n".join(parts)


def _marked(location: Location) -> list[str]:
    """The line of a place, with carets below; nothing if the line is long."""
    source = location.source
    line, column = source.position(location.begin)
    end_line, end_column = source.position(max(location.end, location.begin))
    text = source.line(line)
    last = end_column if end_line == line else len(text) + 1
    if len(text) > LONGEST_LINE:
        return []
    before, marked = visible(text[: column - 1]), visible(text[column - 1 : last - 1])
    indent = "".join("\t" if character == "\t" else " " for character in before)
    return [f"  | {visible(text)}", f"  | {indent}{'^' * max(1, len(marked), last - column)}"]


def _lines(first: Source, places: Iterable[Location]) -> str:
    """The lines of places, by source: `lines 2-27, 31; rooms.lars: line 3`."""
    lines: dict[Source, list[int]] = {}
    for place in places:
        lines.setdefault(place.source, []).append(place.line)
    return "; ".join(
        ("" if source is first else f"{shown(source.name)}: ") + _numbers(sorted(set(found)))
        for source, found in lines.items()
    )


def _numbers(lines: list[int]) -> str:
    """Lines in their order, with stretches of three and more joined."""
    stretches: list[list[int]] = []
    for line in lines:
        if stretches and stretches[-1][-1] == line - 1:
            stretches[-1].append(line)
        else:
            stretches.append([line])
    parts: list[str] = []
    for one in stretches:
        parts += [f"{one[0]}-{one[-1]}"] if len(one) > 2 else map(str, one)
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(parts)}"


class ProgramError(Lars2aspError):
    """A program that cannot run; `diagnostics` lists all errors and warnings."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))

    def __reduce__(self) -> tuple[type, tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


class Diagnostics:
    """Collects findings while a program is read and checked."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []
        self._shared: dict[tuple[Severity, str, str], list[Location]] = {}
        self._told_once: set[Location] = set()
        self.has_errors = False
        """Whether a finding is an error."""
        self._subject = "syntax"

    @contextmanager
    def about(self, subject: str) -> Iterator[None]:
        """Findings within are about this subject, not about syntax."""
        before, self._subject = self._subject, subject
        try:
            yield
        finally:
            self._subject = before

    def error(
        self,
        location: Location,
        message: str,
        hint: str = "",
        *,
        code: Code,
        is_shared: bool = False,
        notes: Sequence[Note] = (),
        edit: Edit | None = None,
    ) -> None:
        """Notes an error; a shared error is reported once, with all its places."""
        self._add(location, message, Severity.ERROR, hint, code, is_shared, notes, edit)

    def error_once(self, location: Location, message: str, hint: str = "", *, code: Code) -> None:
        """Notes an error once for each place: all cells of a table's column share a place."""
        if location not in self._told_once:
            self._told_once.add(location)
            self.error(location, message, hint, code=code)

    def warning(
        self,
        location: Location,
        message: str,
        hint: str = "",
        *,
        code: Code,
        is_shared: bool = False,
        edit: Edit | None = None,
    ) -> None:
        """Notes a warning; a shared warning is reported once, with all its places."""
        self._add(location, message, Severity.WARNING, hint, code, is_shared, edit=edit)

    def info(self, location: Location, message: str, hint: str = "", *, code: Code) -> None:
        """Notes an info."""
        self._add(location, message, Severity.INFO, hint, code, is_shared=False)

    def _add(
        self,
        location: Location,
        message: str,
        severity: Severity,
        hint: str,
        code: Code,
        is_shared: bool,
        notes: Sequence[Note] = (),
        edit: Edit | None = None,
    ) -> None:
        said, advised = (shown(text, LONGEST_MESSAGE) for text in (message, hint))
        found = Diagnostic(
            location, said, severity, advised, (), tuple(notes), edit, self._subject, code=code
        )
        if is_shared:
            places = self._shared.setdefault((severity, said, advised), [])
            places.append(location)
            if len(places) > 1:
                return
        self._found.append(found)
        self.has_errors = self.has_errors or severity is Severity.ERROR

    def __len__(self) -> int:
        """The number of findings so far; a shared finding counts once."""
        return len(self._found)

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """All findings, each once, in the order of the text, source by source.

        Unknown predicates come first if decimals are missing, as that is why.
        """
        shared = (place.source for places in self._shared.values() for place in places)
        sources = list(dict.fromkeys([*(d.location.source for d in self._found), *shared]))
        order = {source: number for number, source in enumerate(sources)}
        found = dict.fromkeys(map(self._whole, self._found))
        first = "predicates" if any(one.subject == "decimals" for one in found) else None
        return tuple(
            sorted(found, key=lambda d: (d.subject != first, order[d.location.source], d.location.begin))
        )

    def _whole(self, found: Diagnostic) -> Diagnostic:
        """A finding with all of its places, the first of the text first."""
        places = self._shared.get((found.severity, found.message, found.hint), [])
        if found.location not in places:
            return found
        first, *others = sorted(
            dict.fromkeys(places),
            key=lambda place: (place.source is not found.location.source, place.source.name, place.begin),
        )
        return replace(found, location=first, also=tuple(others))

    def raise_errors(self) -> None:
        """Raises ProgramError with all findings if any is an error."""
        if self.has_errors:
            raise ProgramError(self.found)
