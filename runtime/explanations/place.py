"""Where a statement of the program stands."""

from dataclasses import dataclass
from typing import Any

from lars2asp.syntax.source import Location


@dataclass(frozen=True, slots=True)
class Place:
    """A statement of the program.

    Attributes:
        number: which one, counted from 0 in the checked program (its pools are written out).
        location: where it stands in the user's text.
        label: what a comment in front of it says in words, as it is for the instance; empty without one.
    """

    number: int
    location: Location
    label: str = ""

    @property
    def text(self) -> str:
        """The text of the statement, in one line."""
        source, begin, end = self.location
        return " ".join(source.text[begin:end].split())

    @property
    def where(self) -> str:
        """File and line."""
        return f"{self.location.source.name}:{self.location.line}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        found: dict[str, Any] = {
            "number": self.number,
            "source": self.location.source.name,
            "line": self.location.line,
            "text": self.text,
        }
        return found | ({"label": self.label} if self.label else {})
