"""What follows from pieces of a text in which somebody spells something as another language does."""

import re
from collections.abc import Mapping
from fractions import Fraction

from lars2asp.syntax.advice.foreign_units import meant, milliseconds
from lars2asp.syntax.advice.other_spellings import PARTS

MOST_TICKS = 20
"""The number of ticks of a window that are written out."""

_BLANKS = re.compile(rf"({PARTS['STRING']})|\s+")
_TOP = re.compile(rf"(?:[^()\",;:]|{PARTS['STRING']}|\({PARTS['WITHIN']}\))+")
_OPERAND = re.compile(PARTS["OPERAND"])
_ATOM = re.compile(rf"(?:not\s+)*{PARTS['ATOM']}")
_VARIABLE = re.compile(rf"{PARTS['STRING']}|(?<![\w'])(_*[A-Z][\w']*)")
_REMAINDER = re.compile(rf"({PARTS['OPERAND']})\s+(?:mod|rem)\s+")
_CALLED = re.compile(r"(?<![\w'@])mod\(([^(),]*),([^(),]*)\)")
_RELATIONS = {**dict.fromkeys(("=/=", "\\==", "\\=", "~=", "/="), "!="), "=>": ">=", "=<": "<=", "===": "="}


def derived(groups: Mapping[str, str | None], tick: int | None) -> dict[str, str]:
    """Groups of a match, without breaks of lines, and what follows from them.

    - `above` and `below`: the numbers beside `number`;
    - `size` and `step_size`: durations as they are written here;
    - `spanned`: the window, or one of a `span` with its unit;
    - `half_open`: from `size` ticks ago to a tick ago, as others have it before each step;
    - `stepped`: a window of `number` and `step`, or `ago`, if the number is less, one of the ticks between;
    - `ticks`: a duration in ticks of the length `tick`, and `ticks_are` what is to be said of them;
    - `small` and `capital`: the mark with such a letter first; `relation`: a comparison;
    - `left_operand` and `right_operand`: terms that can stand beside an operator;
    - `calculated`: the right side without foreign operators;
    - `windowed`: elements whose atoms stand under a window;
    - `since`: an atom with the variables of the right side;
    - `digits`: the number of those behind a point;
    - `multiplied`, or `undivided` with its `divisor`: a column times a factor.

    What follows from nothing is not there.
    """
    known = {
        name: _BLANKS.sub(lambda part: part[1] or " ", text or "").strip() for name, text in groups.items()
    }
    number, unit, mark = (known.get(name, "") for name in ("number", "unit", "mark"))
    known["above"], known["below"] = (
        (str(int(number) + 1), str(int(number) - 1)) if number.isdecimal() else (f"{number}+1", f"{number}-1")
    )
    known["small"] = mark[:1].lower() + mark[1:]
    known["capital"] = mark[:1].upper() + mark[1:]
    known["size"] = meant(number, unit)
    known["spanned"] = known.get("window") or f"[{meant(known.get('span', ''), known.get('span_unit', ''))}]"
    known["step_size"] = meant(known.get("step", ""), known.get("step_unit", ""))
    has_unit = any(known.get(name) for name in ("unit", "step_unit"))
    known["half_open"] = f"1 tick .. {known['size']}" if has_unit else f"1..{known['size']}"
    known["bound"] = f" {known['bound']}" if known.get("bound") else ""
    known["relation"] = _RELATIONS.get(known.get("sign", ""), known.get("sign", ""))
    left, right = known.get("left", ""), known.get("right", "")
    known["left_operand"], known["right_operand"] = (
        one if _OPERAND.fullmatch(one) else f"({one})" for one in (left, right)
    )
    known["calculated"] = _CALLED.sub(r"\1 \\ \2", _REMAINDER.sub(r"\1 \\ ", right)).replace("//", "/")
    known["windowed"] = _windowed(known.get("elements", ""), known.get("window", ""))
    known["truth"] = "0" if known.get("negated") else "1"
    if number.isdecimal() and known.get("step", "").isdecimal():
        first, last = int(number), int(known["step"])
        if first >= last:
            known["stepped"] = f"[{number} step {known['step']}]"
        elif last - first < MOST_TICKS:
            known["ago"] = "{" + ",".join(map(str, range(first, last + 1))) + "}" if first else f"[{last}]"
    if "factor" in known:
        known |= _factors(known["column"], known["sign"], known["factor"])
    if "." in number:
        known["digits"] = str(len(number.partition(".")[2]))
    variables = dict.fromkeys(found for found in _VARIABLE.findall(right) if found)
    known["since"] = f"since({','.join(variables)})" if variables else "since"
    known["ticks"], known["ticks_are"] = _ticks(number, unit, tick)
    return known


def _factors(column: str, sign: str, text: str) -> dict[str, str]:
    """A column times or divided by a number as `multiplied`, or as `undivided` with its `divisor`."""
    factor = Fraction(text)
    if not factor:
        return {}
    factor = factor if sign == "*" else 1 / factor
    times = f"{column}*{factor.numerator}" if factor.numerator > 1 else column
    if factor.denominator == 1:
        return {"multiplied": times}
    return {"undivided": times, "divisor": str(factor.denominator)}


def _windowed(elements: str, window: str) -> str:
    """The elements of an aggregate with a window behind each of their atoms."""
    found = []
    for element in _parts(elements, ";"):
        terms, *condition = _parts(element, ":")
        literals = (
            f"{literal} in {window}" if _ATOM.fullmatch(literal) else literal
            for literal in (_parts(condition[0], ",") if condition else ())
        )
        found.append(f" {terms}: {', '.join(literals)}")
    return ";".join(found)


def _parts(text: str, sign: str) -> list[str]:
    """The parts of a text between signs that stand in no parentheses and no string."""
    parts = [""]
    at = 0
    while at < len(text):
        piece = _TOP.match(text, at)
        found = piece[0] if piece else text[at]
        at += len(found)
        if found == sign:
            parts.append("")
        else:
            parts[-1] += found
    return [part.strip() for part in parts]


def _ticks(number: str, unit: str, tick: int | None) -> tuple[str, str]:
    """A duration in ticks, and what is to be said of it."""
    length = milliseconds(number, unit) if unit else None
    if length is None:
        return number, f"where {number} is in ticks"
    if tick is not None and length % tick == 0:
        ticks = str(length // tick)
        return ticks, f"where {ticks} is in ticks"
    small, own = meant("1", unit), meant(number, unit)
    if tick is None:
        return number, f"with #tick {small}."
    return number, f"with #tick {small}., as {own} is not a whole number of ticks"
