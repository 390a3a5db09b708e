"""Numbers with a point, and the integers that stand for them at a place with that many decimals.

With d decimals the integer n stands for n / 10**d. All of it is arithmetic of digits and
integers, none of floats.
"""

import re

from lars2asp.syntax.nodes import LARGEST_INTEGER

_NUMBER = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?")

LONGEST_NUMBER = 40
"""In characters: longer numbers are taken for more than 32 bits, or for too many decimals."""


class NotScaledError(ValueError):
    """A number that is no integer of 32 bits where it stands; the text says why.

    Attributes:
        digits: the decimals that it would need, None where more of them do not help.
    """

    def __init__(self, reason: str, digits: int | None = None) -> None:
        super().__init__(reason)
        self.digits = digits


def scaled(text: str, decimals: int) -> int:
    """The integer for a number such as `24`, `-24.1` or `24.10` at a place with so many decimals.

    Raises NotScaledError if there is none.
    """
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise NotScaledError(f"'{text}' is no number")
    sign, whole, behind = found.group(1, 2, 3)
    behind = (behind or "").rstrip("0")
    if len(behind) > decimals:
        raise NotScaledError(f"{text} has more than {counted(decimals)}", len(behind))
    digits = (whole + behind.ljust(decimals, "0")).lstrip("0") or "0"
    if len(digits) > LONGEST_NUMBER or int(digits) > LARGEST_INTEGER:
        raise NotScaledError(f"{text} with {counted(decimals)} has more than 32 bits")
    return -int(digits) if sign == "-" else int(digits)


def decimal_text(number: int, decimals: int) -> str:
    """The number for which an integer stands at a place with so many decimals, all of which are written."""
    if not decimals:
        return str(number)
    digits = str(abs(number)).rjust(decimals + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-decimals]}.{digits[-decimals:]}"


def counted(decimals: int) -> str:
    """A number of decimals in words."""
    return "no decimals" if not decimals else "1 decimal" if decimals == 1 else f"{decimals} decimals"
