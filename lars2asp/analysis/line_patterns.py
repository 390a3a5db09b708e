"""Patterns of lines of text: `"Failed password for (invalid user )?{user} from {ip}"`.

What stands in a pattern stands for itself, but for places `{name}`, groups `(one|other)`, with `?` behind
those that may be left out, and `\\` before a sign that stands for itself. A place is a text of at least one
character, up to the first one behind it that may follow; the last one ends before a blank. Patterns become
regular expressions that never go back into what a place or a group has taken, so that a line is looked at
once from each place at which the beginning of the pattern stands.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from lars2asp.syntax.values import dataclass

_NAME = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.]*)?\}")
_ANY = "."
"""Stands for what a place begins with."""


class LinePatternError(ValueError):
    """A text that is not a pattern; says why."""


@dataclass(frozen=True)
class _Text:
    text: str


@dataclass(frozen=True)
class _Place:
    name: str


@dataclass(frozen=True)
class _Group:
    parts: "tuple[tuple[_Part, ...], ...]"
    is_optional: bool


_Part = _Text | _Place | _Group


@dataclass(frozen=True)
class LinePattern:
    """A pattern. Raises LinePatternError when it is first used, for a text that is none.

    Attributes:
        text: as it is written.
    """

    text: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of its places, each once."""
        return tuple(dict.fromkeys(name for name in self._compiled[1] if name))

    def cells(self, line: str) -> Sequence[str] | None:
        """What stands at its places in a line, empty for a group left out; None where it does not fit."""
        pattern, names = self._compiled
        found = pattern.search(line)
        if found is None:
            return None
        cells = dict.fromkeys(self.names, "")
        for name, cell in zip(names, found.groups(), strict=True):
            if name and cell is not None:
                cells[name] = cell
        return [*cells.values()]

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], list[str]]:
        parts, end = _parsed(self.text, 0, is_group=False)
        if end < len(self.text):
            raise LinePatternError("it has a ) without its (")
        if len(parts) > 1:
            raise LinePatternError("| stands in ( ) alone")
        names: list[str] = []
        begins = bool(parts[0]) and isinstance(parts[0][0], _Place)
        pattern = _regex(parts[0], frozenset({""}), names)
        if not any(names):
            raise LinePatternError("it has no place, such as {user}")
        return re.compile(("^" if begins else "") + pattern), names


def _parsed(text: str, at: int, *, is_group: bool) -> tuple[list[tuple[_Part, ...]], int]:
    """The alternatives from a place on, and where they end."""
    found: list[tuple[_Part, ...]] = []
    parts: list[_Part] = []
    said = ""

    def end_text() -> None:
        nonlocal said
        if said:
            parts.append(_Text(said))
        said = ""

    while at < len(text) and text[at] != ")":
        sign = text[at]
        if sign == "\\":
            if at + 1 == len(text):
                raise LinePatternError("\\ stands before the sign that it makes stand for itself")
            said, at = said + text[at + 1], at + 2
        elif sign == "{":
            place = _NAME.match(text, at)
            if place is None:
                raise LinePatternError("{ begins a place, such as {user}; \\{ stands for itself")
            end_text()
            parts.append(_Place(place[1] or ""))
            at = place.end()
        elif sign == "(":
            end_text()
            inner, at = _parsed(text, at + 1, is_group=True)
            if at == len(text):
                raise LinePatternError("it has a ( without its )")
            is_optional = text[at + 1 : at + 2] == "?"
            parts.append(_Group(tuple(inner), is_optional))
            at += 1 + is_optional
        elif sign == "|":
            end_text()
            found.append(tuple(parts))
            parts.clear()
            at += 1
        else:
            said, at = said + sign, at + 1
    end_text()
    if at < len(text) and not is_group:
        raise LinePatternError("it has a ) without its (")
    return [*found, tuple(parts)], at


def _regex(parts: Sequence[_Part], follow: frozenset[str], names: list[str]) -> str:
    """The regular expression for parts behind which one of some expressions stands, "" for the end."""
    made = ""
    for number, part in enumerate(parts):
        match part:
            case _Text(text):
                made += _literal(text)
            case _Place(name):
                made += f"({_place(_first(parts[number + 1 :], follow))})"
                names.append(name)
            case _Group(inner, is_optional):
                behind = _first(parts[number + 1 :], follow)
                alternatives = "|".join(_regex(one, behind, names) for one in inner)
                made += f"(?>{alternatives})" + ("?+" if is_optional else "")
    return made


def _literal(text: str) -> str:
    return "".join(
        r"\s++" if part.isspace() else re.escape(part) for part in re.split(r"(\s+)", text) if part
    )


def _place(behind: frozenset[str]) -> str:
    """The expression for a place with these behind it."""
    if _ANY in behind:
        raise LinePatternError("two places have no text between them that would end the first")
    ahead = "|".join(sorted(one for one in behind if one))
    sign = r"\S" if "" in behind else "."
    return f"(?:(?!{ahead}){sign})++" if ahead else r"\S++"


def _first(parts: Sequence[_Part], follow: frozenset[str]) -> frozenset[str]:
    """What parts may begin with."""
    for number, part in enumerate(parts):
        match part:
            case _Text(text):
                return frozenset({_literal(text)})
            case _Place():
                return frozenset({_ANY})
            case _Group(inner, is_optional):
                rest = _first(parts[number + 1 :], follow)
                begun = frozenset[str]().union(*(_first(one, rest) for one in inner))
                return begun | rest if is_optional else begun
    return follow
