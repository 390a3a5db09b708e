"""Heads at other ticks, and rules that later ticks forget, as rules for predicates of their own.

For batches of ticks the rules

    a(X) at T :- b(X,T).        a(X) :- c(X).        #temp a(X) :- d(X).

stand for

    placed(X,T) :- b(X,T).      kept(X) :- c(X).     a(X) :- d(X).
    kept(X) :- arrived(X).      a(X) :- kept(X).

An operator gives the atoms of `placed` to `arrived` at their ticks, and to windows over `a` if their ticks
are over. Windows over `a` remember `kept`. With strict semantics each rule is one that later ticks forget.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from lars2asp.analysis.predicates import HeadAtom, offset_from_now
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.names import Names
from lars2asp.planning.rows.row_rules import LookupPart, RowRule
from lars2asp.syntax.nodes import Rule, Signature, Variable


class Placing(NamedTuple):
    """A predicate of atoms that are placed at ticks: their last arguments.

    Attributes:
        signature: the predicate that they are atoms of, without the tick.
        arrived: the predicate of those whose tick is the current one.
        lasts: whether they stay known when rules derive them no more.
        is_late: whether their ticks may be over, or the current one, when rules derive them.
    """

    signature: Signature
    arrived: Signature
    lasts: bool
    is_late: bool


class HeadsInFlow:
    """The predicates that rules derive in batches of ticks, in place of those of their heads.

    Args:
        analysis: the program.
        names: gives names to predicates.
        is_strict: whether semantics is strict.
        others: predicates whose rules stay as they are.

    Attributes:
        placed: the predicates of heads at ticks, but for the others.
        fading: those of which some rules derive what later ticks forget, but for the others.
        late: those of which more may become known of ticks that are over.
    """

    def __init__(
        self, analysis: ProgramAnalysis, names: Names, *, is_strict: bool, others: Collection[Signature]
    ) -> None:
        self._names, self._is_strict = names, is_strict
        fading, kept, late = set[Signature](), set[Signature](), set[tuple[Signature, bool]]()
        self._placings: dict[tuple[Signature, bool], None] = {}
        for rule, head in analysis.heads:
            signature, lasts = head.atom.signature, not (is_strict or rule.is_temporary)
            if signature in others:
                continue
            (kept if lasts else fading).add(signature)
            if head.tick is not None:
                self._placings[signature, lasts] = None
                if (offset_from_now(head.tick, analysis.constants) or 0) >= 0:
                    late.add((signature, lasts))
        self._late, self._kept = late, kept & fading
        self.placed = frozenset(signature for signature, _ in self._placings)
        self.late = frozenset(signature for signature, _ in late)
        self.fading = frozenset(fading)

    @property
    def special(self) -> frozenset[Signature]:
        """The predicates of which some rules derive others."""
        return self.placed | self.fading

    def of(self, rule: Rule, head: HeadAtom) -> Signature:
        """The predicate that a rule derives for its head."""
        signature, lasts = head.atom.signature, not (self._is_strict or rule.is_temporary)
        if head.tick is not None and signature in self.placed:
            return self._pairs(signature, lasts)
        return self._keeping(signature) if lasts else signature

    def needs(self) -> Iterator[tuple[Signature, Signature]]:
        """Which of the predicates that rules derive depend on which others, apart from their rules."""
        for signature in sorted(self._kept):
            yield signature, self._keeping(signature)
        for signature, lasts in sorted(self._late):
            yield self._top(signature, lasts), self._pairs(signature, lasts)

    def rules(self, derived: Collection[Signature]) -> Iterator[RowRule]:
        """The rules that connect them, of some that are derived together."""
        for signature in sorted(self._kept & {*derived}):
            yield _renaming(signature, self._keeping(signature), derived)
        for (signature, _), placing in self._all_placings().items():
            top = self._top(signature, placing.lasts)
            if top in derived:
                yield _renaming(top, placing.arrived, derived)

    def placings(self, derived: Collection[Signature]) -> dict[Signature, Placing]:
        """Those of predicates that are derived."""
        found = self._all_placings().items()
        return {self._pairs(*key): one for key, one in found if self._pairs(*key) in derived}

    def keeping(self, derived: Collection[Signature]) -> dict[Signature, Signature]:
        """Of predicates that are derived those whose atoms windows over others remember, and which others."""
        found = {self._keeping(signature): signature for signature in self._kept}
        return {one: other for one, other in found.items() if one in derived}

    def others_of(self, derived: Iterable[Signature]) -> frozenset[Signature]:
        """The predicates of heads for which predicates stand."""
        stands_for = {self._keeping(one): one for one in self._kept}
        stands_for |= {self._pairs(*key): key[0] for key in self._placings}
        return frozenset(stands_for.get(one, one) for one in derived)

    def _all_placings(self) -> dict[tuple[Signature, bool], Placing]:
        found = {}
        for signature, lasts in self._placings:
            arrived = self._names.of_head("arrived" if lasts else "passing", signature)
            key = signature, lasts
            found[key] = Placing(signature, signature._replace(name=arrived), lasts, key in self._late)
        return found

    def _pairs(self, signature: Signature, lasts: bool) -> Signature:
        name = self._names.of_head("placed" if lasts else "passed", signature)
        return Signature(name, signature.arity + 1)

    def _keeping(self, signature: Signature) -> Signature:
        if signature not in self._kept:
            return signature
        return Signature(self._names.of_head("kept", signature), signature.arity)

    def _top(self, signature: Signature, lasts: bool) -> Signature:
        """The predicate of the atoms that hold as they are placed at the current tick."""
        return self._keeping(signature) if lasts else signature


def _renaming(one: Signature, other: Signature, derived: Collection[Signature]) -> RowRule:
    terms = tuple(Variable(f"X{place}") for place in range(1, one.arity + 1))
    kind = LookupKind.OWN if other in derived else LookupKind.NOW
    return RowRule(one, terms, (LookupPart(Lookup(kind, other), terms),))
