"""What code calls where a term has no value: it says so once."""

from collections.abc import Callable

from lars2asp.syntax.source import Location

OnMessage = Callable[[Location, str], None]


class FirstReport:
    """Hands on a message when it is called first."""

    def __init__(self, on_message: OnMessage, location: Location, text: str) -> None:
        self._on_message = on_message
        self._location = location
        self._text = text
        self._is_new = True

    def __call__(self) -> None:
        if self._is_new:
            self._is_new = False
            self._on_message(self._location, self._text)
