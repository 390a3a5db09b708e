"""Finds the first match of a pattern in a line, in time that is linear in the line.

Two passes. The first one goes through the parts from the last to the first: from the positions at which all
that follows a part fits it works out those at which the part itself fits. A set of positions is an integer,
and each part takes a fixed number of operations on such integers (and of scans of the line). The second one
goes forward: with these sets each part knows which of its choices lead to a match, and takes the first of
them. Nothing is tried twice.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache

from lars2asp.analysis.pattern_parts import END, Group, Leads, Part, Place, Text, leads

_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = rf"(?:{_OCTET}\.){{3}}{_OCTET}"
_HEX = "[0-9A-Fa-f]{1,4}"


def _shortened(before: int) -> str:
    """An IPv6 address with so many groups in front of `::`, at most seven in all."""
    first = f"(?:{_HEX}:){{{before - 1}}}{_HEX}" if before else ""
    most = 7 - before
    last = f"(?:{_HEX}:){{0,{most - 2}}}{_IPV4}|" if most >= 2 else ""
    last += f"{_HEX}(?::{_HEX}){{0,{most - 1}}}|" if most else ""
    return f"{first}::(?:{last})"


_IPV6 = "|".join([f"(?:{_HEX}:){{6}}{_IPV4}|(?:{_HEX}:){{7}}{_HEX}", *map(_shortened, range(8))])
ADDRESS = rf"(?>{_IPV4}|(?:{_IPV6})(?:%[0-9A-Za-z_-]{{1,15}}(?:\.[0-9]{{1,4}})?)?)"
"""The longest address of IPv4 or IPv6 at a place: no two of the forms fit the same text."""


@cache
def _address() -> re.Pattern[str]:
    return re.compile(ADDRESS)


@cache
def _addresses() -> re.Pattern[str]:
    return re.compile(rf"(?=[0-9A-Fa-f]{{0,4}}[.:][0-9A-Fa-f:])(?=({ADDRESS}))")


_CLASSES = {
    name: re.compile(signs) for name, signs in (("blank", r"\s"), ("word", r"\S"), ("digit", "[0-9]"))
}
_OF_BYTES = {
    name: bytes(48 + bool(one.match(chr(code))) for code in range(256)) for name, one in _CLASSES.items()
}
"""For each class a table of the first 256 characters: `1` for those that belong to it."""


class _Line:
    """A line, and what is known of its positions.

    The position p of a line of n characters is bit n-p of a set, so that a set written in binary digits has
    the order of the line.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.length = len(text)
        self.all = (1 << (self.length + 1)) - 1
        self.after: dict[int, int] = {}
        """For each part, by its number: where what follows it fits."""
        self._known: dict[str, int] = {}
        self._bytes: bytes | None = None
        with suppress(UnicodeEncodeError):
            self._bytes = text.encode("latin-1")

    def having(self, starts: Iterable[int]) -> int:
        """The set of some positions."""
        digits = bytearray(b"0") * (self.length + 1)
        for start in starts:
            digits[start] = 49
        return int(digits, 2)

    def of_class(self, name: str) -> int:
        """The positions whose character belongs to a class."""
        if name not in self._known:
            if self._bytes is not None:
                self._known[name] = int(self._bytes.translate(_OF_BYTES[name]) + b"0", 2)
            else:
                self._known[name] = self.having(map(re.Match.start, _CLASSES[name].finditer(self.text)))
        return self._known[name]

    def occurrences(self, text: str) -> int:
        """The positions at which a text begins."""
        key = f"'{text}"
        if key not in self._known:
            starts, at = list[int](), self.text.find(text)
            while at >= 0:
                starts.append(at)
                at = self.text.find(text, at + 1)
            self._known[key] = self.having(starts) if starts else 0
        return self._known[key]

    def digits(self, positions: int) -> str:
        """A set as text: the sign at p is `1` if p belongs to it."""
        return f"{positions:0{self.length + 1}b}"

    def has(self, positions: int, at: int) -> bool:
        """Whether a position belongs to a set."""
        return bool(positions >> (self.length - at) & 1)

    def next_of(self, positions: int, at: int) -> int:
        """The first position of a set from `at` on; there is one."""
        rest = positions & ((1 << (self.length - at + 1)) - 1)
        return self.length + 1 - rest.bit_length()

    def last_of(self, positions: int, end: int) -> int:
        """The last position of a set up to `end`; there is one."""
        rest = positions >> (self.length - end)
        return end + 1 - (rest & -rest).bit_length()


def _reaching(ends: int, inner: int) -> int:
    """The positions from which characters of a class lead to one of some ends; one character at least.

    The carry of an addition runs through the ones of a class.
    """
    begun = ends << 1 & inner
    return ((inner + begun ^ inner) | begun) & inner


class _Step:
    """A part as both passes see it."""

    def __init__(self, number: int) -> None:
        self.number = number

    def before(self, line: _Line, after: int) -> int:
        """Where the part fits so that what follows it does."""
        raise NotImplementedError

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        """Takes the first choice that leads to a match; the position after it."""
        raise NotImplementedError


class _Fixed(_Step):
    def __init__(self, number: int, text: str) -> None:
        super().__init__(number)
        self._text = text

    def before(self, line: _Line, after: int) -> int:
        return line.occurrences(self._text) & (after << len(self._text))

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        return at + len(self._text)


class _Run(_Step):
    """As many characters of a class as lead to a match, one at least."""

    def __init__(self, number: int, name: str) -> None:
        super().__init__(number)
        self._class = name

    def before(self, line: _Line, after: int) -> int:
        return _reaching(after, line.of_class(self._class))

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        end = line.next_of(line.all ^ line.of_class(self._class), at)
        return line.last_of(line.after[self.number], end)


class _Any(_Step):
    """As much text as leads to a match."""

    def before(self, line: _Line, after: int) -> int:
        lowest = (after & -after).bit_length() - 1
        return line.all >> lowest << lowest if after else 0

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        return line.last_of(line.after[self.number], line.length)


class _UpTo(_Step):
    """A place without a kind: one character at least, up to what may follow."""

    def __init__(self, number: int, stops: "Sequence[_Sequence]", *, may_end: bool) -> None:
        super().__init__(number)
        self._stops = stops
        self._may_end = may_end

    def _ends(self, line: _Line) -> int:
        ends = line.of_class("blank") if self._may_end else 0
        for stop in self._stops:
            ends |= stop.before(line, line.all)
        return ends | 1

    def before(self, line: _Line, after: int) -> int:
        ends = self._ends(line)
        return _reaching(after & ends, line.all ^ ends)

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        return line.next_of(self._ends(line), at)


class _Quoted(_Step):
    """Characters but a sign, or a backslash and the next one; as many as lead to a match."""

    def __init__(self, number: int, sign: str) -> None:
        super().__init__(number)
        self._sign = sign

    def before(self, line: _Line, after: int) -> int:
        quotes = line.occurrences(self._sign)
        if "\\" not in line.text:
            return after | _reaching(after, line.all ^ quotes ^ 1)
        fits = bytearray(line.digits(after), "ascii")
        for at in range(line.length - 1, -1, -1):
            if fits[at] == 48 and (sign := line.text[at]) != self._sign:
                behind = at + 1 + (sign == "\\")
                fits[at] = fits[behind] if behind <= line.length else 48
        return int(fits, 2)

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        fits, found = line.digits(line.after[self.number]), at
        while at <= line.length:
            if fits[at] == "1":
                found = at
            if line.text[at : at + 1] in (self._sign, ""):
                break
            at += 1 + (line.text[at] == "\\")
        return found


class _Address(_Step):
    """The longest address that leads to a match."""

    def before(self, line: _Line, after: int) -> int:
        fits = line.digits(after)
        found = (found.span(1) for found in _addresses().finditer(line.text))
        return line.having(begin for begin, end in found if self._end(line.text, begin, end, fits))

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        found = _address().match(line.text, at)
        assert found is not None
        return self._end(line.text, at, found.end(), line.digits(line.after[self.number]))

    @staticmethod
    def _end(text: str, begin: int, end: int, fits: str) -> int:
        """The last place up to an end at which an address ends and the rest fits; 0 for none."""
        for one in range(end, begin, -1):
            if fits[one] == "1" and (one == end or _address().fullmatch(text, begin, one)):
                return one
        return 0


class _LineEnd(_Step):
    def before(self, line: _Line, after: int) -> int:
        return after & 1

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        return at


class _Kept(_Step):
    """A place whose text is kept."""

    def __init__(self, number: int, name: str, inner: _Step) -> None:
        super().__init__(number)
        self._name = name
        self._inner = inner

    def before(self, line: _Line, after: int) -> int:
        line.after[self._inner.number] = after
        return self._inner.before(line, after)

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        end = self._inner.take(line, at, cells)
        cells[self._name] = line.text[at:end]
        return end


class _Sequence(_Step):
    def __init__(self, number: int, steps: Sequence[_Step]) -> None:
        super().__init__(number)
        self._steps = steps

    def before(self, line: _Line, after: int) -> int:
        for step in reversed(self._steps):
            line.after[step.number] = after
            after = step.before(line, after)
            if not after:
                break
        return after

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        for step in self._steps:
            at = step.take(line, at, cells)
        return at


class _Choice(_Step):
    """One of several, the first ones first; or none, after them, if it is optional."""

    def __init__(self, number: int, ways: Sequence[_Sequence], *, is_optional: bool) -> None:
        super().__init__(number)
        self._ways = ways
        self._is_optional = is_optional

    def before(self, line: _Line, after: int) -> int:
        fits = after if self._is_optional else 0
        for way in self._ways:
            line.after[way.number] = found = way.before(line, after)
            fits |= found
        return fits

    def take(self, line: _Line, at: int, cells: dict[str, str | None]) -> int:
        for way in self._ways:
            if line.has(line.after[way.number], at):
                return way.take(line, at, cells)
        return at


class FirstMatch:
    """Finds the first match of a pattern.

    Args:
        parts: the pattern.
        at_end: whether the match ends where the line does.
    """

    def __init__(self, parts: Sequence[Part], *, at_end: bool) -> None:
        self._count = 0
        steps = self._steps(parts, frozenset({END}))
        self._whole = _Sequence(self._next(), [*steps, *([_LineEnd(self._next())] if at_end else [])])

    def cells(self, text: str, begin: int | None, first: int = 0) -> dict[str, str | None] | None:
        """What its places have, by their names; None if nothing fits.

        Args:
            text: the line.
            begin: where the match begins; None for any place.
            first: the first place at which it may begin then.
        """
        line = _Line(text)
        fits = self._whole.before(line, line.all)
        if begin is None:
            fits &= (1 << (line.length - first + 1)) - 1
            if not fits:
                return None
            begin = line.next_of(fits, first)
        elif not line.has(fits, begin):
            return None
        cells = dict[str, str | None]()
        self._whole.take(line, begin, cells)
        return cells

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _steps(self, parts: Sequence[Part], follow: Leads) -> list[_Step]:
        found = list[_Step]()
        for number, part in enumerate(parts):
            match part:
                case Text():
                    found += self._fixed(part.text)._steps
                case Place(name, kind):
                    step = self._place(kind, leads(parts[number + 1 :], follow))
                    found.append(_Kept(self._next(), name, step) if name else step)
                case Group(inner, is_optional):
                    behind = leads(parts[number + 1 :], follow)
                    ways = [_Sequence(self._next(), self._steps(one, behind)) for one in inner]
                    found.append(_Choice(self._next(), ways, is_optional=is_optional))
        return found

    def _fixed(self, text: str) -> _Sequence:
        steps = [
            _Run(self._next(), "blank") if one == " " else _Fixed(self._next(), one)
            for one in Text(text).pieces
        ]
        return _Sequence(self._next(), steps)

    def _place(self, kind: str, behind: Leads) -> _Step:
        match kind:
            case "word":
                return _Run(self._next(), "word")
            case "int":
                return self._all(self._maybe(self._text("-")), self._digits())
            case "number":
                fraction = self._all(self._text("."), self._digits())
                whole = self._all(self._digits(), self._maybe(fraction))
                power = [self._all(self._text(e), self._sign(), self._digits()) for e in "eE"]
                first = _Choice(
                    self._next(), [whole, self._all(self._text("."), self._digits())], is_optional=False
                )
                return self._all(self._sign(), first, self._maybe(*power))
            case "ip":
                return _Address(self._next())
            case "quoted":
                return _Quoted(self._next(), '"')
            case "piped":
                return _Quoted(self._next(), "|")
            case "text" | "rest":
                return _Any(self._next())
            case _:
                stops = [self._fixed(one) for one in behind if one]
                return _UpTo(self._next(), stops, may_end=END in behind)

    def _digits(self) -> _Step:
        return _Run(self._next(), "digit")

    def _text(self, text: str) -> _Step:
        return _Fixed(self._next(), text)

    def _sign(self) -> _Step:
        return self._maybe(self._all(self._text("+")), self._all(self._text("-")))

    def _all(self, *steps: _Step) -> _Sequence:
        return _Sequence(self._next(), steps)

    def _maybe(self, *ways: _Step) -> _Step:
        whole = [one if isinstance(one, _Sequence) else self._all(one) for one in ways]
        return _Choice(self._next(), whole, is_optional=True)
