"""What single rules have done and cost."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from lars2asp.syntax.source import Location, shown
from lars2asp.syntax.values import dataclass

MOST_OF_RULE = 100
"""The length at which the text of a rule is cut off."""


MOST_RULES = 20
"""The number of rules that are shown, on the page and in tables."""


@dataclass(frozen=True, slots=True)
class RuleStatistics:
    """What a rule has done and cost.

    Rules that clingo evaluates together are not told apart: each has the steps and the time of all of them.

    Attributes:
        text: the rule on one line, cut off where it is long.
        place: its file and line, as in `rooms.lars:3`; with the column where others begin on that line.
        evaluations: how often its code was run: for each atom of its body once for all rows that begin at a
            tick, and once for all that end (where rows depend on each other, in each round).
        changes: the number of atoms that began to hold by it or ended by it. What several rules derive counts
            for the first by which it begins, and for the last by which it ends.
        rows: the number of rows that are kept for it now: of what its body joins, of groups and tuples of
            aggregates, and atoms of the head where their instances are counted. What rules share counts for
            each.
        seconds: the time of its code, estimated from sampled ticks; what rules share is divided between them.
        held: the number of intervals that its windows reach now; a window that rules share counts for each.
        others: the number of other rules that clingo evaluates together with it; None where it is evaluated
            by itself.
    """

    text: str
    place: str
    evaluations: int = 0
    changes: int = 0
    rows: int = 0
    seconds: float = 0.0
    held: int = 0
    others: int | None = None

    def after(self, other: "RuleStatistics") -> "RuleStatistics":
        """The same with what the rule has done and cost before."""
        return replace(
            self,
            evaluations=self.evaluations + other.evaluations,
            changes=self.changes + other.changes,
            seconds=self.seconds + other.seconds,
        )


class MeasuredRules(Protocol):
    """The rules of a component while one evaluator serves it."""

    def begin_sample(self) -> None:
        """The time of rules is taken from here on."""
        ...

    def end_sample(self, ticks: int) -> None:
        """It is not any more; what was found stands for so many ticks."""
        ...

    @property
    def statistics(self) -> tuple[RuleStatistics, ...]:
        """What they have done and cost."""
        ...


def continued(now: Iterable[RuleStatistics], before: Iterable[RuleStatistics]) -> tuple[RuleStatistics, ...]:
    """The statistics of rules with those of the same rules before; rules that are gone keep no rows."""
    earlier = {(one.place, one.text): replace(one, rows=0, held=0) for one in before}
    found = {(one.place, one.text): one for one in now}
    together = {**earlier, **found}
    return tuple(
        one.after(earlier[key]) if key in found and key in earlier else one for key, one in together.items()
    )


def costliest(rules: Iterable[RuleStatistics]) -> list[RuleStatistics]:
    """The rules, those first that took most time."""
    return sorted(rules, key=by_cost)


def by_cost(rule: RuleStatistics) -> tuple[float, int]:
    """Puts rules into that order; tenths of a second are told apart, as times are sampled."""
    return -round(rule.seconds, 1), -rule.evaluations


def named(locations: Sequence[Location]) -> list[RuleStatistics]:
    """Rules by their places, which have done nothing."""
    lines = [(location.source.name, location.line) for location in locations]
    often = Counter(lines)
    found = []
    for location, line in zip(locations, lines, strict=True):
        text = " ".join(location.source.text[location.begin : location.end].split())
        number, column = location.source.position(location.begin)
        where = f"{number}:{column}" if often[line] > 1 else str(number)
        found.append(RuleStatistics(shown(text, MOST_OF_RULE), f"{shown(location.source.name)}:{where}"))
    return found
