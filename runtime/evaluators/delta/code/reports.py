"""What code calls where a term has no value, or one of more than 32 bits: it says so once."""

from collections.abc import Callable

from lars2asp.analysis.arithmetic.wrapping import wrapped, wrapping_message
from lars2asp.externals.terms.arithmetic import power
from lars2asp.syntax.source import Location

MOST_EXACT = 64
"""Powers with larger exponents are not worked out exactly: they may have any number of digits."""

OnMessage = Callable[[Location, str], None]


class FirstReport:
    """Hands on a message when it is called first."""

    def __init__(self, on_message: OnMessage, location: Location, text: str) -> None:
        self._on_message = on_message
        self._location = location
        self._text = text
        self._is_new = True

    def __call__(self) -> None:
        self.tell(self._text)

    def tell(self, message: str) -> None:
        """Hands on a message, if none was before."""
        if self._is_new:
            self._is_new = False
            self._on_message(self._location, message)


class Wrapping:
    """Wraps a number of more than 32 bits around, which is told once; `text` is the term."""

    def __init__(self, on_message: OnMessage, location: Location, text: str) -> None:
        self._report = FirstReport(on_message, location, text)
        self._text = text

    def __call__(self, number: int) -> int:
        found = wrapped(number)
        self._report.tell(wrapping_message(self._text, number, found))
        return found


class Power:
    """A power, None where it is undefined; one of more than 32 bits wraps around, which is told once."""

    def __init__(self, on_message: OnMessage, location: Location, text: str) -> None:
        self._report = FirstReport(on_message, location, text)
        self._text = text

    def __call__(self, one: int, other: int) -> int | None:
        found = power(one, other)
        if found is not None and other > 1 and abs(one) > 1:
            number = one**other if other <= MOST_EXACT else None
            if number != found:
                self._report.tell(wrapping_message(self._text, number, found))
        return found
