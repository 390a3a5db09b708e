"""Places in texts as the protocol has them: lines from 0, and units of an encoding within a line."""

from typing import NamedTuple

from lars2asp.syntax.source import Source
from lars2asp.syntax.values import dataclass

_ENCODINGS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Place(NamedTuple):
    """A line and a column, counted from 0."""

    line: int
    column: int


@dataclass(frozen=True)
class TextPlaces:
    """The places of a text.

    Attributes:
        source: the text.
        encoding: the one whose units columns count.
    """

    source: Source
    encoding: str = "utf-16"

    def place(self, offset: int) -> Place:
        """Where an offset is."""
        line, column = self.source.position(offset)
        before = self.source.line(line)[: column - 1]
        return Place(line - 1, self._units(before))

    def offset(self, place: Place) -> int:
        """The offset of a place; of one behind the end of a line the end of the line."""
        text = self.source.text
        begin = 0
        for _ in range(place.line):
            end = text.find("\n", begin)
            if end < 0:
                return len(text)
            begin = end + 1
        end = text.find("\n", begin)
        line = text[begin : len(text) if end < 0 else end]
        if line.isascii():
            return begin + min(place.column, len(line))
        units = 0
        for number, character in enumerate(line):
            if units >= place.column:
                return begin + number
            units += self._units(character)
        return begin + len(line)

    @property
    def end(self) -> Place:
        """Where the text ends."""
        last = self.source.text.rpartition("\n")[2]
        return Place(self.source.text.count("\n"), self._units(last))

    def _units(self, text: str) -> int:
        if text.isascii():
            return len(text)
        name, size = _ENCODINGS[self.encoding]
        return len(text.encode(name, "surrogatepass")) // size
