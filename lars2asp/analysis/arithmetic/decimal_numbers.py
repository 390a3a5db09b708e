"""Numbers with a point, and the integers that stand for them at a place with that many decimals.

With d decimals the integer n stands for n / 10**d. All of it is arithmetic of digits and integers, none of
floats.
"""

import re

from lars2asp.syntax.nodes import MOST_DIGITS
from lars2asp.syntax.source import shown

_NUMBER = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?")


class NotScaledError(ValueError):
    """A number for which no integer stands; the text says why.

    Attributes:
        digits: the decimals that it would need, None where more of them do not help.
    """

    def __init__(self, reason: str, digits: int | None = None) -> None:
        super().__init__(reason)
        self.digits = digits


def scaled(text: str, decimals: int) -> int:
    """The integer for a number such as `24`, `-24.1`, `24.10` or `2.41e1` at a place with so many decimals.

    Raises NotScaledError if there is none.
    """
    found = _NUMBER.fullmatch(text)
    if found is None or not (found[2] or found[3]):
        raise NotScaledError(f"'{shown(text)}' is not a number")
    sign, whole, behind, exponent = found.groups("")
    digits = (whole + behind).rstrip("0")
    zeros = len(whole) + int(exponent or 0) - len(digits)  # to be added behind the digits, or a point before
    digits = digits.lstrip("0")
    if not digits:
        return 0
    if zeros + decimals < 0:
        needed = -zeros if -zeros <= MOST_DIGITS else None
        raise NotScaledError(f"{shown(text)} has more than {counted(decimals)}", needed)
    if len(digits) + zeros + decimals > MOST_DIGITS:
        raise NotScaledError(f"{shown(text)} is longer than {MOST_DIGITS} digits")
    number: int = int(digits) * 10 ** (zeros + decimals)
    return -number if sign == "-" else number


def decimal_text(number: int, decimals: int) -> str:
    """The number for which an integer stands at a place with so many decimals, all of which are written."""
    if not decimals:
        return str(number)
    whole, behind = divmod(abs(number), 10**decimals)
    return f"{'-' if number < 0 else ''}{whole}.{behind:0{decimals}}"


def counted(decimals: int) -> str:
    """A number of decimals in words."""
    return "no decimals" if not decimals else "1 decimal" if decimals == 1 else f"{decimals} decimals"
