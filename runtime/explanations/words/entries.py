"""The lines of an explanation, before they are drawn as text or HTML."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from lars2asp.runtime.explanations.words.lanes import Lane


@dataclass(slots=True)
class Entry:
    """A line of an explanation; all texts are in one line each, with nothing that steers a terminal.

    Attributes:
        text: the atom, the literal or the rule; of a rule that has a label, the label.
        lead: words in front of it.
        where: file and line of a rule, between the words and the text.
        tail: words right behind the text.
        note: words in a column of their own.
        lane: where in its window the literal holds.
        holds: whether it is true.
        is_code: whether the text is in the language, and not in words.
        children: the lines below.
        explains: the numbers of the claims that are explained here.
        sees: the numbers of those that are explained elsewhere.
    """

    text: str
    lead: str = ""
    where: str = ""
    tail: str = ""
    note: str = ""
    lane: Lane | None = None
    holds: bool = True
    is_code: bool = True
    children: list["Entry"] = field(default_factory=list)
    explains: list[int] = field(default_factory=list)
    sees: list[int] = field(default_factory=list)

    def add_note(self, words: str) -> None:
        """Puts words behind the others of the note."""
        self.note = "; ".join(filter(None, (self.note, words)))

    def below(self, *entries: "Entry") -> None:
        """Puts lines below."""
        self.children += entries

    def all_entries(self) -> Iterator["Entry"]:
        """The line and those below it, as they are drawn from top to bottom."""
        waiting = [self]
        while waiting:
            entry = waiting.pop()
            yield entry
            waiting += reversed(entry.children)
