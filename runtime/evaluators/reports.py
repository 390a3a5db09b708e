"""What says once that a term has no value, or that a number is compared with another value."""

from collections.abc import Callable

from lars2asp.analysis.arithmetic.intervals import CURE, too_many
from lars2asp.externals.terms.order import less
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.errors import UncomputableError
from lars2asp.syntax.source import Location, shown, shown_number, visible

OnMessage = Callable[[Location, str], None]

MESSAGE_LIMIT = 1000
"""The number of messages of an evaluator that are looked at."""


class FirstReport:
    """Hands on a message when it is called first.

    Attributes:
        is_told: whether it was.
    """

    def __init__(self, on_message: OnMessage, location: Location, text: str) -> None:
        self._on_message = on_message
        self._location = location
        self._text = text
        self.is_told = False

    def __call__(self) -> None:
        self.tell(self._text)

    def tell(self, message: str) -> None:
        """Hands on a message, if none was before."""
        if not self.is_told:
            self.is_told = True
            self._on_message(self._location, message)


class SettledReport(FirstReport):
    """Hands on a message, first when it is called more often for what begins than for what ends.

    What begins and ends within a tick, until all changes are taken, is no reason for it.

    Args:
        on_message: takes the message.
        location: where it belongs.
        text: the message.
        waiting: those that were called since all were settled.
    """

    def __init__(
        self, on_message: OnMessage, location: Location, text: str, waiting: "list[SettledReport]"
    ) -> None:
        super().__init__(on_message, location, text)
        self._waiting = waiting
        self._number = 0

    def __call__(self) -> None:
        self._count(1)

    def less(self) -> None:
        """It is called for what ends."""
        self._count(-1)

    def settle(self) -> None:
        """All changes of a tick are taken."""
        number, self._number = self._number, 0
        if number > 0:
            self.tell(self._text)

    def _count(self, more: int) -> None:
        if not self.is_told:
            if not self._number:
                self._waiting.append(self)
            self._number += more


class Mixed:
    """Compares values that are not both integers; a number with another value is told once."""

    def __init__(self, on_message: OnMessage, location: Location, text: str) -> None:
        self._report = FirstReport(on_message, location, text)
        self._text = text

    def __call__(self, one: Value, other: Value) -> bool:
        self.look(one, other)
        return less(one, other)

    @property
    def is_told(self) -> bool:
        """Whether something was told."""
        return self._report.is_told

    def look(self, one: Value, other: Value) -> None:
        """Tells if just one of two values is a number."""
        kinds = type(one), type(other)
        if int in kinds and kinds != (int, int) and not {INFIMUM, SUPREMUM} & {one, other}:
            number, value = (one, other) if kinds[0] is int else (other, one)
            self._report.tell(
                f"{self._text} compares the number {text_of(number)} with {shown(text_of(value))}, "
                f"which is {'above' if less(number, value) else 'below'} all numbers; #types declares what "
                "the input must be"
            )


class Enumeration:
    """Gives the numbers of an interval.

    Args:
        location: the place in the user's text.
        text: the interval.
        most: the number of values that it may have.
    """

    def __init__(self, location: Location, text: str, most: int) -> None:
        self._location, self._text, self._most = location, text, most

    def __call__(self, low: int, end: int, around: int, *values: object) -> range:
        """The numbers from one to below another.

        Args:
            low: the first one.
            end: the number behind the last one.
            around: how many combinations of numbers the intervals around this one have.
            values: the values of its variables.

        Raises:
            UncomputableError: if there are too many.
        """
        number = end - low
        if number * max(around, 1) > self._most:
            text, most = visible(self._text), self._most
            said = too_many(text, shown_number(number), most)
            if number <= most:
                together = shown_number(number * around)
                said = f"the interval {text} and others of its rule have {together} values, more than {most}"
            ends = f", for {shown_number(low)}..{shown_number(end - 1)}"
            raise UncomputableError(f"{said}{ends}: {CURE}", self._location, values)
        return range(low, end)
