"""The parts of which a pattern of lines consists, and the texts that may follow one of them."""

import re
from collections.abc import Sequence

from lars2asp.syntax.values import dataclass

KINDS = ("word", "int", "number", "ip", "quoted", "piped", "text", "rest")
"""What may follow the colon of a place: `{user:word}`."""

ANY = None
"""Among leading texts: a place, which may begin with any character."""

END = ""
"""Among leading texts: the end of the pattern."""


@dataclass(frozen=True)
class Text:
    """Fixed text. Each run of blanks in it stands for one or more blanks."""

    text: str

    @property
    def pieces(self) -> list[str]:
        """Its words and, between them, `" "` for each run of blanks."""
        return [" " if one.isspace() else one for one in re.split(r"(\s+)", self.text) if one]


@dataclass(frozen=True)
class Place:
    """`{name:kind}`; both may be empty."""

    name: str
    kind: str = ""


@dataclass(frozen=True)
class Group:
    """`(one|other)`, with `?` after it if it is optional."""

    parts: "tuple[tuple[Part, ...], ...]"
    is_optional: bool


Part = Text | Place | Group

Leads = frozenset[str | None]
"""Fixed texts with which parts may begin; ANY and END are among them."""


def leads(parts: Sequence[Part], follow: Leads) -> Leads:
    """The texts with which parts may begin that something else follows."""
    for number, part in enumerate(parts):
        match part:
            case Text(text):
                return frozenset({text})
            case Place():
                return frozenset({ANY})
            case Group(inner, is_optional):
                rest = leads(parts[number + 1 :], follow)
                begun = Leads().union(*(leads(one, rest) for one in inner))
                return begun | rest if is_optional else begun
    return follow
