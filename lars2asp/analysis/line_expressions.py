"""Regular expressions that find the first match of a pattern in most lines.

Such an expression takes the first choice at each part and never goes back into what an unlimited part has
taken, so it looks at each character a fixed number of times. If it fits, it has taken the first choice
everywhere: this is the first match. If it does not fit, the line may still have a match, which
`line_matching` finds.

Within a group an alternative may be given up for the next one only if no other choice within it would fit.
Patterns whose groups cannot promise that have no expression.
"""

import re
from collections.abc import Sequence

from lars2asp.analysis.line_matching import ADDRESS
from lars2asp.analysis.pattern_parts import ANY, END, Group, Leads, Part, Place, Text, leads

_MOST_INNER = 3
"""The number of groups within a group: each may double the ways that are tried."""

_NUMBER = r"[+-]?+(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+"
_KINDS = {
    "word": (r"\S++", r"\S"),
    "int": ("-?+[0-9]++", "[0-9]"),
    "number": (_NUMBER, "[0-9.eE]"),
    "ip": (ADDRESS, "[0-9A-Za-z.:%_-]"),
    "quoted": (r'(?:[^"\\]++|\\.)*+', r'[^"]'),
    "piped": (r"(?:[^|\\]++|\\.)*+", r"[^|]"),
}
"""For each kind its longest text, and the characters that may follow a shorter one."""

_NEVER_BLANK = ("", "word", "int", "number", "ip")
"""Kinds of places before which blanks are taken whole: they begin with no blank, or `_fixed` leaves one."""

_BLANKS = r"\s++"
_LAST_BLANK_LEFT = r"\s(?:\s(?=\s))*+"
"""All but the last of several blanks."""


class NoExpressionError(Exception):
    """The first choices of a pattern cannot be said by such an expression."""


def expression(parts: Sequence[Part], *, at_end: bool, is_anchored: bool) -> str:
    """The expression for a pattern; a group for each named place, and one for the whole match at its end.

    If it is anchored, it is to be matched where the pattern begins. Else it finds the first place at which
    the pattern may begin; if the match does not go on from there, its last group takes part in no match.

    Raises NoExpressionError.
    """
    end = r"\Z" if at_end else ""
    if is_anchored:
        return _sequence(parts, frozenset({END}), end) + "()"
    first, rest = parts[0], parts[1:]
    if isinstance(first, Text):
        head = _fixed(first.pieces, rest, frozenset({END}))
        head = rf"(?<!\s){head}" if first.text[0].isspace() else head
        return f"{head}(?:{_sequence(rest, frozenset({END}), end)}()|)"
    if isinstance(first, Place) and first.kind in ("word", "int", "number", "ip"):
        return f"{_place(first, rest, frozenset({END}))}(?:{_sequence(rest, frozenset({END}), end)}()|)"
    begun = leads(parts, frozenset({END}))
    if isinstance(first, Place) or {ANY, END} & begun:
        raise NoExpressionError
    heads = "|".join(
        (r"(?<!\s)" if one[0].isspace() else "") + literal(one) for one in sorted(filter(None, begun))
    )
    return f"(?={heads})(?:{_sequence(parts, frozenset({END}), end)}()|)"


def literal(text: str) -> str:
    """The expression for fixed text."""
    return "".join(map(_piece, Text(text).pieces))


def _piece(piece: str) -> str:
    return _BLANKS if piece == " " else re.escape(piece)


def _fixed(pieces: Sequence[str], rest: Sequence[Part], follow: Leads) -> str:
    """The expression for pieces of fixed text that other parts follow.

    Blanks leave the last one to a place without a kind after them that would be empty without it.
    """
    if pieces[-1] == " " and rest and isinstance(rest[0], Place) and not rest[0].kind:
        behind = sorted(one for one in leads(rest[1:], follow) if one and not one[0].isspace())
        if behind:
            stops = "|".join(map(literal, behind))
            begun = "".join(map(_piece, pieces[:-1]))
            return rf"{begun}(?>{_BLANKS}(?!{stops})|{_LAST_BLANK_LEFT})"
    return "".join(map(_piece, pieces))


def _sequence(parts: Sequence[Part], follow: Leads, end: str) -> str:
    """The expression for parts outside of groups."""
    made, number = "", 0
    while number < len(parts):
        part, rest = parts[number], parts[number + 1 :]
        number += 1
        match part:
            case Text():
                made += _fixed(part.pieces, rest, follow)
            case Place(_, "text" | "word" as kind) if (
                rest and isinstance(rest[0], Text) and (kind == "text" or rest[0].pieces[0] != " ")
            ):
                pieces, begun = rest[0].pieces, ""
                if pieces[0] == " ":  # as the text is as long as possible, it leaves one blank
                    pieces, begun = pieces[1:], r"\s"
                last = begun + (_fixed(pieces, rest[1:], follow) if pieces else "")
                signs = ".*" if kind == "text" else r"\S+"
                made += f"(?>{_kept(part, signs)}{last}{'' if rest[1:] else end})"
                number += 1
            case Place(_, "text" | "rest"):
                if rest:
                    raise NoExpressionError
                made += _kept(part, ".*+")
            case Place():
                made += _place(part, rest, follow)
            case Group(ways, is_optional):
                behind = leads(rest, follow)
                made += (
                    f"(?>{_ways(ways, behind, frozenset({END}), is_optional=is_optional, most=_MOST_INNER)})"
                )
    return made + end


def _ways(
    ways: Sequence[Sequence[Part]], follow: Leads, local: Leads, *, is_optional: bool, most: int
) -> str:
    """The expression for one of several; `local` has what follows within the outermost group, END after
    it."""
    return "|".join([*(_inner(one, follow, local, most) for one in ways), *([""] if is_optional else [])])


def _inner(parts: Sequence[Part], follow: Leads, local: Leads, most: int) -> str:
    """The expression for parts of a group: if it does not fit, no other choices within the group do."""
    made = ""
    for number, part in enumerate(parts):
        rest = parts[number + 1 :]
        next_local = leads(rest, local)
        match part:
            case Text(text):
                made += _fixed(part.pieces, rest, follow)
                is_decided = bool(rest) and isinstance(rest[0], Place) and rest[0].kind in _NEVER_BLANK
                if text[-1].isspace() and not is_decided:
                    _check(r"\s", next_local)
            case Place(_, "word") if next_local != {END} and _is_bounded(rest) and local == {END}:
                made += _kept(part, r"\S+")
            case Place(_, kind):
                made += _place(part, rest, follow)
                if kind:
                    _check(_KINDS[kind][1], next_local)
            case Group(ways, is_optional):
                if most <= 0:
                    raise NoExpressionError
                most -= 1
                behind = leads(rest, follow)
                made += f"(?:{_ways(ways, behind, next_local, is_optional=is_optional, most=most)})"
    return made


def _is_bounded(rest: Sequence[Part]) -> bool:
    """Whether all ends of a word can be tried in front of the rest of a group.

    Together that takes time that is linear in the word: each digit is looked at after one of the ends.
    """
    match [*rest]:
        case [Text(_)]:
            return True
        case [Text(text), Place(_, "int"), Text(last)]:
            return not re.search(r"[\s0-9-]", text) and not re.match(r"[0-9]", last)
    return False


def _check(signs: str, local: Leads) -> None:
    """Raises NoExpressionError if a shorter text of these characters could be followed by one of some
    texts."""
    if ANY in local or any(re.match(signs, one) for one in local if one):
        raise NoExpressionError


def _place(place: Place, rest: Sequence[Part], follow: Leads) -> str:
    if place.kind in ("text", "rest"):
        raise NoExpressionError
    if place.kind:
        return _kept(place, _KINDS[place.kind][0])
    return _kept(place, _up_to(leads(rest, follow)))


def _kept(place: Place, expression: str) -> str:
    return f"({expression})" if place.name else f"(?:{expression})"


def _up_to(behind: Leads) -> str:
    """One character at least, up to what may follow. Of a run of blanks only the first one is looked at."""
    texts = sorted(one for one in behind if one)
    stops = "|".join(map(literal, texts))
    signs = "".join(sorted({re.escape(one[0]) for one in texts if not one[0].isspace()}))
    if END in behind:
        return rf"(?:[^\s{signs}]++|(?!{stops})\S)++" if signs else r"\S++"
    if not any(one[0].isspace() for one in texts):
        return rf"(?:[^{signs}]++|(?!{stops}).)++"
    return rf"(?:[^\s{signs}]++|(?!{stops})(?:\s++|\S))++"
