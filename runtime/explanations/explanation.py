"""An explanation as programs and notebooks have it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lars2asp.runtime.explanations.html import html_of, page_of
from lars2asp.runtime.explanations.text import WIDTH, text_of
from lars2asp.runtime.explanations.tick_texts import tick_texts
from lars2asp.runtime.explanations.tree import Claim
from lars2asp.syntax.source import shown

__all__ = ["Explanation", "tick_texts"]


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why an atom holds at a tick, or why not.

    `print` shows it as a tree, a notebook as lines that unfold.

    Attributes:
        claim: the atom, the tick, and why; the tree of the explanation.
        header: what else its JSON has: the tick and the start of the stream, say.
        shown_tick: a tick as text.
    """

    claim: Claim
    header: Mapping[str, Any]
    shown_tick: Callable[[int], str]

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        holds = "holds" if self.holds else "does not hold"
        return f"<Explanation: {shown(self.atom)} {holds} at {self.tick}, {self._counted}>"

    @property
    def atom(self) -> str:
        """The atom that is explained, as text."""
        return self.claim.atom

    @property
    def tick(self) -> int:
        """The tick at which it holds, or not."""
        return self.claim.tick

    @property
    def holds(self) -> bool:
        """Whether it does."""
        return self.claim.holds

    @cached_property
    def size(self) -> int:
        """The number of claims in the tree."""
        return sum(1 for _ in self.claim.claims())

    @property
    def _counted(self) -> str:
        return "1 claim" if self.size == 1 else f"{self.size} claims"

    def to_text(self, depth: int | None = None, *, width: int = WIDTH) -> str:
        """A tree in box characters.

        Args:
            depth: the number of rules below one another that are drawn; None for 100.
            width: the columns of a line, about.
        """
        return text_of(self.claim, self.shown_tick, depth, width=width)

    def to_html(self, depth: int | None = None, *, as_page: bool = False) -> str:
        """HTML that needs no scripts and no other file.

        Args:
            depth: the number of rules below one another that are drawn; None for 100.
            as_page: whether it is a whole page, and not a fragment to be put into one.
        """
        return (page_of if as_page else html_of)(self.claim, self.shown_tick, depth)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**self.header, "explains": self.claim.to_dict()}

    def _repr_html_(self) -> str:
        return self.to_html()
