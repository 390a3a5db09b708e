"""Memory: since when an atom holds by a rule over the atom itself, or does not hold.

    open(D) :- open(D) in {1}, not closed(D).

An instance of such a rule derives the atom from the same atom some ticks before; or from another one, which
rests on the atom in turn. If it does so tick after tick, one claim is about all of these ticks, and names the
first: what the atom rests on is explained there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.terms.terms import Row
from lars2asp.runtime.explanations.past.holding import Run
from lars2asp.runtime.explanations.past.interpretation import Interpretation, cut, joined
from lars2asp.runtime.explanations.past.terms import Binding, Terms
from lars2asp.runtime.explanations.reasons.foundations import Derivation, needed_by
from lars2asp.runtime.explanations.reasons.heads import HeadRule, Requirements
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Sign, Signature
from lars2asp.syntax.traversal import walk

LEAST = 2
"""So many steps back, at least, become one claim."""


class Link(NamedTuple):
    """An instance that derives an atom.

    Attributes:
        signature: the predicate of the atom.
        row: its arguments.
        way: the instance.
        step: how many ticks before that it rests on another atom.
    """

    signature: Signature
    row: Row
    way: Derivation
    step: int


class Memory:
    """Finds since when atoms hold by rules over themselves, or do not hold.

    Args:
        requirements: says which instances are true.
        interpretation: what holds when.
        terms: what terms stand for.
        groups: for predicates that rest on themselves all that rest on each other.
        check: is called again and again; may raise where an explanation takes too long.
    """

    def __init__(
        self,
        requirements: Requirements,
        interpretation: Interpretation,
        terms: Terms,
        groups: Mapping[Signature, frozenset[Signature]],
        check: Callable[[], None],
    ) -> None:
        self._requirements = requirements
        self._interpretation = interpretation
        self._terms = terms
        self._groups = groups
        self._check = check

    def held_since(self, links: Sequence[Link]) -> int | None:
        """The first of the ticks over which instances derive an atom from the atom some ticks before.

        Args:
            links: the instance that derives the atom, at the last of these ticks, and those on which it rests
                in turn; the last one rests on the atom itself.

        The instances derive the atom at all of the ticks but the first. None if these are few.
        """
        last = links[0].way[2]
        first = max(self._interpretation.start, self._interpretation.history.kept_from)
        tied, at, step = list[_Tied](), last, sum(one.step for one in links)
        for link, below in zip(links, (*links[1:], links[0]), strict=True):
            found = self._tied(link, below, at, first)
            if found is None:
                return None
            tied.append(found)
            at -= link.step
        at = last
        while at - step >= first and self._derives(tied, at, first):
            at -= step
        return at if last - at >= LEAST * step else None

    def _tied(self, link: Link, below: Link, last: int, first: int) -> "_Tied | None":
        """An instance that rests on one atom alone of those that rest on each other; None for others."""
        rule, binding, _ = link.way
        is_plain = not (rule.head.tick or rule.head.condition or rule.is_open)
        if not is_plain or not self._is_steady(link.signature):
            return None
        own = self._own_literal(rule, binding, below.signature, below.row, last)
        if own is None:
            return None
        held = _Runs(self._interpretation.runs(below.signature, below.row, [(first, last)], last))
        others = [one for one in rule.body if one is not own]
        return _Tied(link, own, held, self._true_at(others, binding, (first, last)))

    def _derives(self, tied: Iterable["_Tied"], at: int, first: int) -> bool:
        """Whether instances derive an atom at a tick, each from the atom of the next."""
        for (_, row, (rule, binding, _), step), own, held, true in tied:
            if at - step < first or not held.has(at - step) or not self._looks_at(own, binding, at, step):
                return False
            if true is None:
                self._check()
                if next(self._requirements.instances(rule, binding, at), None) is None:
                    return False
            elif not true.has(at):
                return False
            if self._terms.row(rule.head.atom.arguments, binding, at) != row:
                return False
            if not self._interpretation.history.has_answer(at):
                return False
            at -= step
        return True

    def absent_since(self, atom: nodes.Atom, binding: Binding, last: int) -> int | None:
        """The first of the ticks up to one at which no instance of an atom holds; None if these are few."""
        signature = atom.signature
        if not self._is_steady(signature):
            return None
        earliest = max(self._interpretation.start, self._interpretation.history.kept_from)
        held = self._runs(atom, binding, (earliest, last))
        first = max((end for _, end in held), default=earliest - 1) + 1
        return first if last - first >= LEAST else None

    # --- rules ----------------------------------------------------------------------------------------

    def _is_steady(self, signature: Signature) -> bool:
        """Whether what holds of a predicate at a tick is the same from wherever it is looked at."""
        return not self._interpretation.is_strict and self._interpretation.is_steady(signature)

    def _own_literal(
        self, rule: HeadRule, binding: Binding, signature: Signature, row: Row, at: int
    ) -> nodes.Literal | None:
        """The literal of a rule that is about an atom; None where others may rest on the atom too."""
        group = self._groups.get(signature, frozenset())
        found = [one for one in rule.body if not group.isdisjoint(needed_by([one]))]
        match found:
            case [
                nodes.Literal(
                    nodes.Diamond(atom) | nodes.AtTick(atom) | (nodes.Atom() as atom), Sign.POSITIVE
                ) as literal
            ]:
                is_own = atom.signature == signature and self._terms.is_bound(atom, binding)
                return literal if is_own and self._terms.row(atom.arguments, binding, at) == row else None
            case _:
                return None

    def _looks_at(self, literal: nodes.Literal, binding: Binding, at: int, step: int) -> bool:
        """Whether a literal is true by its atom some ticks before."""
        streaming = literal.atom
        if isinstance(streaming, nodes.Atom):
            return not step
        assert isinstance(streaming, nodes.Diamond | nodes.AtTick)
        window = self._interpretation.window(streaming)
        if isinstance(window, LastArrivals | Since):
            return False
        if (
            isinstance(streaming, nodes.AtTick)
            and self._terms.value(streaming.tick, binding, at) != at - step
        ):
            return False
        return _Runs(self._interpretation.ticks(window, at)).has(at - step)

    def _true_at(self, body: Iterable[nodes.Node], binding: Binding, within: Run) -> "_Runs | None":
        """The ticks at which literals are true; None if they are to be looked at tick by tick."""
        found = [within]
        for literal in body:
            match literal:
                case nodes.Literal(nodes.Comparison()) if NOW not in walk(literal):
                    continue
                case nodes.Literal(nodes.Atom() as atom, Sign.POSITIVE | Sign.NOT as sign) if (
                    self._interpretation.is_steady(atom.signature) and NOW not in walk(atom)
                ):
                    runs = self._runs(atom, binding, within)
                    found = cut(found, _between(runs, within) if sign is Sign.NOT else runs)
                case _:
                    return None
        return _Runs(found)

    def _runs(self, atom: nodes.Atom, binding: Binding, within: Run) -> list[Run]:
        """The runs of ticks at which some instance of an atom holds."""
        interpretation, signature, last = self._interpretation, atom.signature, within[1]
        rows = (
            row
            for row in interpretation.rows(signature, [within], last)
            if self._terms.match_all(atom.arguments, row, binding, last) is not None
        )
        return joined(run for row in rows for run in interpretation.runs(signature, row, [within], last))


class _Tied(NamedTuple):
    """An instance and the atom on which it rests.

    Attributes:
        link: the instance.
        own: its literal about that atom.
        held: when that atom holds.
        true: when its other literals are true; None if they are to be looked at tick by tick.
    """

    link: Link
    own: nodes.Literal
    held: "_Runs"
    true: "_Runs | None"


class _Runs(NamedTuple):
    """Runs of ticks in order."""

    runs: list[Run]

    def has(self, tick: int) -> bool:
        """Whether a tick is in one of them."""
        return any(first <= tick <= last for first, last in self.runs)


def _between(runs: Iterable[Run], within: Run) -> list[Run]:
    """The ticks that are in none of some runs, which are in order."""
    found, begin = [], within[0]
    for first, last in runs:
        found.append((begin, first - 1))
        begin = last + 1
    return [one for one in (*found, (begin, within[1])) if one[0] <= one[1]]
