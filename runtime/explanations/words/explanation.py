"""The explanation that programs and notebooks get."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from typing import Any

from lars2asp.runtime.explanations.words.claim_json import claim_json
from lars2asp.runtime.explanations.words.claims import Absent, Claim, CutOff
from lars2asp.runtime.explanations.words.html import hint_of, html_of, in_page
from lars2asp.runtime.explanations.words.in_ticks import in_ticks
from lars2asp.runtime.explanations.words.text import WIDTH, text_of
from lars2asp.syntax import nodes
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why atoms hold at a tick, or why an atom does not.

    `print` shows trees; a notebook shows lines that unfold. `Reasoner.why` makes one.

    Attributes:
        claims: A tree for each explained atom; see `lars2asp.explanations`.
        header: Further fields of the JSON form, such as the tick.
        shown_tick: Returns a tick as text.
        hints: Possible mistakes in the question, in words.
        has_times: Whether the program uses times or durations, which are integers in JSON.
    """

    claims: tuple[Claim, ...]
    header: Mapping[str, Any]
    shown_tick: Callable[[int], str]
    hints: tuple[str, ...] = ()
    has_times: bool = False

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        holds = "holds" if self.holds else "does not hold"
        more = f" (and {len(self.claims) - 1} more)" if len(self.claims) > 1 else ""
        return f"<Explanation: {shown(self.atom)}{more} {holds} at {self.tick}, {self._counted}>"

    @property
    def atom(self) -> str:
        """The first explained atom, as text."""
        return self.claims[0].atom

    @property
    def tick(self) -> int:
        """The tick of the question."""
        return self.claims[0].tick

    @property
    def holds(self) -> bool:
        """Whether the first atom holds."""
        return self.claims[0].holds

    @cached_property
    def size(self) -> int:
        """The number of claims in the trees."""
        return sum(1 for claim in self.claims for _ in claim.claims())

    @property
    def lacks_history(self) -> bool:
        """Whether the explanation needs ticks that the reasoner no longer keeps."""
        return any(
            (isinstance(one.reason, CutOff) and one.reason.reason == "not kept")
            or (isinstance(one.reason, Absent) and one.reason.rules_from is not None)
            for claim in self.claims
            for one in claim.claims()
        )

    @property
    def _counted(self) -> str:
        return "1 claim" if self.size == 1 else f"{self.size} claims"

    def to_text(self, depth: int | None = None, *, width: int = WIDTH) -> str:
        """Returns the trees as text, with a blank line between two.

        Args:
            depth: The maximum depth of rules. [default: 12, and about 100 lines]
            width: The approximate number of columns.
        """
        trees = "\n\n".join(
            text_of(claim, self.shown_tick, depth, width=width, is_another=is_another)
            for claim, is_another in self._told_apart()
        )
        return "\n".join([trees, *(f"hint: {shown(hint, 1000)}" for hint in self.hints)])

    def to_html(self, depth: int | None = None, *, as_page: bool = False) -> str:
        """Returns HTML without scripts and other files.

        Args:
            depth: The maximum depth of rules. [default: 100]
            as_page: True for a whole page, False for a fragment.
        """
        found = "".join(
            html_of(claim, self.shown_tick, depth, is_another=is_another)
            for claim, is_another in self._told_apart()
        )
        found += "".join(map(hint_of, self.hints))
        return in_page(found, self.claims[0], self.shown_tick) if as_page else found

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON form; see docs/reference/formats/explanations-json.md."""
        claims = in_ticks(self.claims) if self.has_times else self.claims
        found = {**self.header, "explains": [*map(claim_json, claims)]}
        return found | {"hints": list(self.hints)} if self.hints else found

    def _told_apart(self) -> Iterator[tuple[Claim, bool]]:
        """The claims, and whether one before is about the same atom."""
        for _, claims in groupby(self.claims, lambda claim: claim.of):
            for place, claim in enumerate(claims):
                yield claim, place > 0

    def _repr_html_(self) -> str:
        return self.to_html()


def unknown_atoms(explanation: Explanation) -> list[nodes.Atom]:
    """The atoms whose last record is unknown."""
    found = {
        one.of
        for claim in explanation.claims
        for one in claim.claims()
        if isinstance(one.reason, Absent) and one.reason.known_from is not None
    }
    return [atom.node for atom in sorted(found, key=str)]
