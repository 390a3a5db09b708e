"""Patterns of lines as they are defined: all matches, in the order in which they count.

It shares nothing with the product but the syntax of the text that it writes.
"""

import re
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from typing import NamedTuple

INTEGER = re.compile("-?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Words(NamedTuple):
    text: str

    def __str__(self) -> str:
        return re.sub(r"([{}()|\\^$])", r"\\\1", self.text)


class Hole(NamedTuple):
    name: str
    kind: str = ""

    def __str__(self) -> str:
        return f"{{{self.name}:{self.kind}}}" if self.kind else f"{{{self.name}}}"


class Ways(NamedTuple):
    ways: Sequence[Sequence["Piece"]]
    is_optional: bool = False

    def __str__(self) -> str:
        return f"({'|'.join(''.join(map(str, way)) for way in self.ways)}){'?' * self.is_optional}"


Piece = Words | Hole | Ways
Cells = dict[str, str]


def first_match(pieces: Sequence[Piece], line: str, *, at_begin: bool, at_end: bool) -> Cells | None:
    """What the places of a pattern have in a line, those of parts that are not used left out."""
    held = at_begin or (isinstance(pieces[0], Hole) and not pieces[0].kind)
    for begin in range(1 if held else len(line) + 1):
        for end, cells in _matches(pieces, line, begin):
            if not at_end or end == len(line):
                return cells
    return None


def _matches(pieces: Sequence[Piece], line: str, at: int) -> Iterator[tuple[int, Cells]]:
    """The ends of all matches that begin at a place, and their cells; the first one counts most."""
    if not pieces:
        yield at, {}
        return
    first, rest = pieces[0], pieces[1:]
    if isinstance(first, Ways):
        for way in [*first.ways, *([()] if first.is_optional else [])]:
            yield from _matches([*way, *rest], line, at)
    elif isinstance(first, Words):
        for end in words_ends(first.text, line, at):
            yield from _matches(rest, line, end)
    else:
        for end in _hole_ends(first.kind, rest, line, at):
            for last, cells in _matches(rest, line, end):
                yield last, {first.name: line[at:end]} | cells if first.name else cells


def words_ends(text: str, line: str, at: int) -> Iterator[int]:
    """Where fixed text ends: the first run of blanks is as long as possible first."""
    begun, blanks, rest = re.fullmatch(r"(\S*)(\s*)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    if line.startswith(begun, at):
        at += len(begun)
        ends = [end for end in range(len(line), at, -1) if line[at:end].isspace()] if blanks else [at]
        for end in ends:
            yield from words_ends(rest, line, end) if rest else [end]


def _hole_ends(kind: str, rest: Sequence[Piece], line: str, at: int) -> Sequence[int]:
    if kind:
        return [end for end in range(len(line), at - 1, -1) if _is_of(kind, line[at:end], end == len(line))]
    texts = leads(rest)
    for end in range(at, len(line) + 1):
        may_end = "" in texts and (end == len(line) or line[end].isspace())
        if may_end or end == len(line) or any(one and any(words_ends(one, line, end)) for one in texts):
            return [end] if end > at else []
    raise AssertionError


def leads(pieces: Sequence[Piece]) -> set[str]:
    """The texts with which pieces may begin: `""` for the end, `"{"` for a place."""
    if not pieces:
        return {""}
    first, rest = pieces[0], pieces[1:]
    if isinstance(first, Words):
        return {first.text}
    if isinstance(first, Hole):
        return {"{"}
    ways = [*first.ways, *([()] if first.is_optional else [])]
    return set[str]().union(*(leads([*way, *rest]) for way in ways))


def _is_of(kind: str, text: str, at_end: bool) -> bool:
    match kind:
        case "word":
            return bool(text) and not any(map(str.isspace, text))
        case "int":
            return bool(INTEGER.fullmatch(text))
        case "number":
            return bool(NUMBER.fullmatch(text))
        case "ip":
            return is_address(text)
        case "quoted":
            return '"' not in (bare := re.sub(r"\\.", "", text, flags=re.DOTALL)) and "\\" not in bare
        case "piped":
            return "|" not in (bare := re.sub(r"\\.", "", text, flags=re.DOTALL)) and "\\" not in bare
        case "rest":
            return at_end
        case _:
            return True


def is_address(text: str) -> bool:
    """Whether a text is an address of IPv4 or IPv6, by the standard library."""
    if (
        not text.isascii()
        or not text.isprintable()
        or re.search(r"%(?![0-9A-Za-z_-]{1,15}(\.[0-9]{1,4})?$)", text)
    ):
        return False
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
