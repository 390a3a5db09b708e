"""The types that the arguments of predicates have."""

from typing import NamedTuple, Self

from lars2asp.syntax.terms import MOST_DECIMALS


class ArgumentType(NamedTuple):
    """The type of an argument.

    Attributes:
        name: `integer`, `decimal`, `text`, `name` (a constant), `time`, `duration`, `term` (a function with
            arguments, or a tuple) or `any`.
        digits: those behind the point, of a decimal.
    """

    name: str
    digits: int = 0

    @classmethod
    def named(cls, name: str, digits: int | None = None) -> Self | None:
        """The type that is written so; None where there is none."""
        if name == "decimal":
            return cls(name, digits) if digits is not None and 1 <= digits <= MOST_DECIMALS else None
        return cls(name) if name in _PLAIN and digits is None else None

    @property
    def is_number(self) -> bool:
        """Whether its values are integers in the program."""
        return self.name in _NUMBERS

    def __str__(self) -> str:
        return f"{self.name}({self.digits})" if self.digits else self.name


class Required(NamedTuple):
    """What an argument of the input must be.

    Attributes:
        type: its type.
        taken_at: where a rule takes it so, if no declaration says it.
    """

    type: ArgumentType
    taken_at: str = ""

    def refusal(self, said: str) -> str:
        """Why what is said is refused."""
        why = f", which is needed at {self.taken_at}" if self.taken_at else ""
        return f"{said} is not {_WORDS[self.type.name]}{why}"


_WORDS = {
    "integer": "a number",
    "decimal": "a number",
    "time": "a time",
    "duration": "a duration",
    "text": "a text in quotes",
    "name": "a name (a constant)",
    "term": "a function or a tuple",
    "any": "a value",
}

_NUMBERS = ("integer", "decimal", "time", "duration")
_PLAIN = ("integer", "text", "name", "time", "duration", "term", "any")

TYPE_WORDS = ("integer", "decimal(k)", *_PLAIN[1:])
"""The types as a program writes them."""

INTEGER, TEXT, NAME, TIME, DURATION, TERM, ANY = map(ArgumentType, _PLAIN)


def decimal(digits: int) -> ArgumentType:
    """The type of numbers with so many digits behind the point; integer for none."""
    return ArgumentType("decimal", digits) if digits else INTEGER
