"""Patterns of lines of text: `"^{} sshd[{:int}]: Failed password for {user:text} from {ip:ip} port {:int}
ssh2$"`.

A pattern consists of fixed text, places `{name:kind}`, groups `(one|other)`, with `?` after those that are
optional, and a backslash in front of a sign that stands for itself. `^` as its first character and `$` as its
last one hold it to the beginning and the end of a line.

Of several matches the first one counts, compared from left to right: the earliest beginning; a blank takes as
many as it can; optional parts are used before they are left out; alternatives in order; a place without a
kind ends at the first text that may follow and is not tried again; other places are as long as possible. This
is leftmost-first matching, as in RE2. It takes time that is linear in the line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from lars2asp.analysis.line_expressions import NoExpressionError, expression
from lars2asp.analysis.line_matching import FirstMatch
from lars2asp.analysis.pattern_parts import ANY, END, KINDS, Group, Leads, Part, Place, Text, leads
from lars2asp.syntax.nodes import Column, Input
from lars2asp.syntax.values import dataclass

_PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.]*)?(?::([a-z]+))?\}")


class LinePatternError(ValueError):
    """A text that is not a pattern; says why."""


@dataclass(frozen=True)
class _Parsed:
    """A pattern that was read.

    Attributes:
        parts: its parts.
        at_begin: whether it begins with `^`.
        at_end: whether it ends with `$`.
    """

    parts: tuple[Part, ...]
    at_begin: bool
    at_end: bool


@dataclass(frozen=True)
class LinePattern:
    """A pattern. Raises LinePatternError when it is first used, if the text is not a pattern.

    Attributes:
        text: as it is written.
    """

    text: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of its places, each once."""
        return tuple(dict.fromkeys(self._named))

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kinds of the named places that have one."""
        return {one.name: one.kind for one in _places(self._parsed.parts) if one.name and one.kind}

    @property
    def at_begin(self) -> bool:
        """Whether it holds for the beginning of the line alone."""
        return self._parsed.at_begin

    def cells(self, line: str, begin: int = 0) -> Sequence[str | None] | None:
        """What its places have in a line; None for a place in a part that is not used.

        Args:
            line: the line.
            begin: where the line begins for `^`.

        Returns None if it does not fit.
        """
        if self.piece not in line:
            return None
        quick = self._quick
        if quick is not None:
            found = quick.match(line, begin) if self._is_anchored else quick.search(line)
            if found is not None and (cells := found.groups())[-1] is not None:
                return cells[:-1] if self._is_plain else self._together(cells)
            if found is None and not self._is_anchored:
                return None
        at = 0
        for piece in self._pieces:
            at = line.find(piece, at)
            if at < 0:
                return None
            at += len(piece)
        told = self._first_match.cells(line, begin if self._is_anchored else None)
        return None if told is None else [*map(told.get, self.names)]

    def warnings(self) -> list[tuple[str, str]]:
        """What lets the writer of a line decide more than one of its places, each with a cure."""
        parsed, found = self._parsed, list[tuple[str, str]]()
        for place, behind in _followed(parsed.parts, frozenset({END})):
            if not place.kind and behind - {END}:
                said = f"{{{place.name}}}"
                said = f"{said} ends early if its own text looks like the next part of the pattern"
                kinds = ", ".join(
                    f"{{{place.name}:{kind}}}" for kind in ("word", "ip", "int", "quoted", "text")
                )
                found.append((said, f"give it a kind: {kinds}"))
        texts = [one for one in _places(parsed.parts) if one.kind == "text"]
        if texts and not parsed.at_end:
            said = f"{{{texts[0].name}:text}}"
            hint = "end the pattern with $, or use a kind such as word, int, ip or quoted"
            found.append((f"{said} takes too much if the line repeats the rest of the pattern", hint))
        if _has_joined_texts(parsed.parts):
            hint = "put fixed text between them, or declare one as word, as in {user:word}"
            found.append(
                ("no fixed text separates two places of kind text: the first takes everything", hint)
            )
        return found

    def _together(self, cells: Sequence[str | None]) -> Sequence[str | None]:
        """The cells of places by their names, some of which several places have."""
        told = dict[str, str | None].fromkeys(self.names)
        for name, cell in zip(self._named, cells, strict=False):
            if cell is not None:
                told[name] = cell
        return [*told.values()]

    @cached_property
    def _is_plain(self) -> bool:
        """Whether each name is that of one place."""
        return len(self.names) == len(self._named)

    @cached_property
    def _named(self) -> list[str]:
        """The names of all places that have one, from left to right."""
        return [one.name for one in _places(self._parsed.parts) if one.name]

    @cached_property
    def _is_anchored(self) -> bool:
        """Whether there is one place at which it may begin.

        As a place of text takes what is in front of it, it begins there if it begins anywhere.
        """
        first = self._parsed.parts[0]
        return self.at_begin or (isinstance(first, Place) and first.kind in ("", "text", "rest"))

    @cached_property
    def _quick(self) -> re.Pattern[str] | None:
        """Finds the first match of most lines; None if the pattern has no such expression."""
        parsed = self._parsed
        try:
            made = expression(parsed.parts, at_end=parsed.at_end, is_anchored=self._is_anchored)
        except NoExpressionError:
            return None
        return re.compile(made, re.DOTALL)

    @cached_property
    def _first_match(self) -> FirstMatch:
        return FirstMatch(self._parsed.parts, at_end=self._parsed.at_end)

    @cached_property
    def _pieces(self) -> list[str]:
        """Texts that each line has which fits, in this order."""
        texts = [one for one in self._parsed.parts if isinstance(one, Text)]
        return [piece for one in texts for piece in one.pieces if piece != " "]

    @cached_property
    def piece(self) -> str:
        """Text that each line has which fits; empty if there is none."""
        return max(self._pieces, key=len, default="")

    @cached_property
    def _parsed(self) -> _Parsed:
        at_begin = self.text.startswith("^")
        parts, end = _read(self.text, int(at_begin), is_group=False)
        at_end = self.text[end:] == "$"
        if end + at_end < len(self.text):
            raise LinePatternError("`)` without `(`")
        if len(parts) > 1:
            raise LinePatternError("`|` is only allowed inside ( )")
        if not any(one.name for one in _places(parts[0])):
            raise LinePatternError("it needs a place such as {user}")
        for place, behind in _followed(parts[0], frozenset({END})):
            if not place.kind and ANY in behind:
                raise LinePatternError("put text between two places, to show where the first ends")
            if place.kind == "rest" and behind != {END}:
                raise LinePatternError(
                    f"{{{place.name}:rest}} takes the rest of the line: nothing can follow it"
                )
        return _Parsed(parts[0], at_begin, at_end)


_CONVERSIONS = {"int": "int", "number": "number", "ip": "text"}


def with_kinds(declared: Input) -> Input:
    """A declaration whose plain columns are read as the kinds of its places say."""
    if not declared.pattern:
        return declared
    try:
        kinds = LinePattern(declared.pattern).kinds
    except LinePatternError:  # a pass reports it
        return declared

    def read(column: Column) -> Column:
        conversion = _CONVERSIONS.get(kinds.get(column.name, ""), "")
        is_plain = not column.conversion and column.scale is None
        return replace(column, conversion=conversion) if is_plain and conversion else column

    conditions = tuple(
        replace(one, column=read(one.column)) if one.is_number else one for one in declared.conditions
    )
    return replace(declared, columns=tuple(map(read, declared.columns)), conditions=conditions)


def _read(text: str, at: int, *, is_group: bool) -> tuple[list[tuple[Part, ...]], int]:
    """The alternatives from a place on, and where they end."""
    found: list[tuple[Part, ...]] = []
    parts: list[Part] = []
    said = ""

    def end_text() -> None:
        nonlocal said
        if said:
            parts.append(Text(said))
        said = ""

    while at < len(text) and text[at] != ")":
        sign = text[at]
        if sign == "$" and at + 1 == len(text) and not is_group:
            break
        if sign == "\\":
            if at + 1 == len(text):
                raise LinePatternError("a character is missing after \\")
            said, at = said + text[at + 1], at + 2
        elif sign == "{":
            end_text()
            parts.append(_place_at(text, at))
            at = text.index("}", at) + 1
        elif sign == "(":
            end_text()
            inner, at = _read(text, at + 1, is_group=True)
            if at == len(text):
                raise LinePatternError("`(` without `)`")
            is_optional = text[at + 1 : at + 2] == "?"
            parts.append(Group(tuple(inner), is_optional))
            at += 1 + is_optional
        elif sign == "|":
            end_text()
            found.append(tuple(parts))
            parts.clear()
            at += 1
        else:
            said, at = said + sign, at + 1
    end_text()
    return [*found, tuple(parts)], at


def _place_at(text: str, at: int) -> Place:
    """The place that begins there."""
    found = _PLACE.match(text, at)
    if found is None:
        raise LinePatternError("{ starts a place such as {user}; write \\{ for the character")
    name, kind = found[1] or "", found[2] or ""
    if kind and kind not in KINDS:
        raise LinePatternError(f"there is no kind {kind}; the kinds are {', '.join(KINDS)}")
    return Place(name, kind)


def _places(parts: Sequence[Part]) -> Iterator[Place]:
    """All places, from left to right."""
    return (place for place, _ in _followed(parts, frozenset({END})))


def _followed(parts: Sequence[Part], follow: Leads) -> Iterator[tuple[Place, Leads]]:
    """All places, from left to right, each with the texts that may follow it."""
    for number, part in enumerate(parts):
        behind = leads(parts[number + 1 :], follow)
        if isinstance(part, Place):
            yield part, behind
        elif isinstance(part, Group):
            for one in part.parts:
                yield from _followed(one, behind)


def _has_joined_texts(parts: Sequence[Part]) -> bool:
    """Whether two places of text may follow each other without fixed text between them."""
    return bool(_open_texts(parts, (False,))[1])


def _open_texts(parts: Sequence[Part], begun: tuple[bool, ...]) -> tuple[set[bool], bool]:
    """Whether a place of text may be open after parts, and whether two meet."""
    is_open, meet = {*begun}, False
    for part in parts:
        match part:
            case Text(text):
                is_open = {False} if text.strip() else is_open
            case Place(_, "text"):
                meet = meet or True in is_open
                is_open = {True}
            case Group(ways, is_optional):
                after = {*is_open} if is_optional else set[bool]()
                for way in ways:
                    found, met = _open_texts(way, (*is_open,))
                    after |= found
                    meet = meet or met
                is_open = after
    return is_open, meet
