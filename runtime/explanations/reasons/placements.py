"""What heads `a at T` placed at other ticks than that at which they were evaluated."""

from collections.abc import Iterator, Mapping, Sequence

from lars2asp.runtime.explanations.past.history import History
from lars2asp.runtime.explanations.past.interpretation import Interpretation, Placement
from lars2asp.runtime.explanations.past.terms import Binding
from lars2asp.runtime.explanations.reasons.heads import HeadRule, Requirements
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature

_DEEPEST = 8
"""So many evaluations are worked out within one another; what lies further back is worked out before them."""


class _TooDeepError(Exception):
    """An evaluation rests on another one, which is to be worked out first.

    Attributes:
        at: the tick of the other one.
    """

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


class Placements:
    """Finds what was placed.

    Args:
        rules: the rules by the predicates that they derive.
        requirements: finds instances of rules.
        interpretation: what holds when.
        history: what was told and answered.
    """

    def __init__(
        self,
        rules: Mapping[Signature, Sequence[HeadRule]],
        requirements: Requirements,
        interpretation: Interpretation,
        history: History,
    ) -> None:
        self._rules, self._requirements, self._history = rules, requirements, history
        self._interpretation, self._terms = interpretation, interpretation.terms
        self._found: dict[int, list[Placement]] = {}
        self._depth = 0

    def at(self, at: int) -> Sequence[Placement]:
        """What heads `a at T` place at ticks up to that of evaluation, or at later ones without answer."""
        known = self._found.get(at)
        if known is not None:
            return known
        if self._depth == _DEEPEST:
            raise _TooDeepError(at)
        if self._depth:
            return self._worked_out(at)
        waiting = [at]
        while waiting:
            try:
                self._worked_out(waiting[-1])
                waiting.pop()
            except _TooDeepError as error:
                waiting.append(error.at)
        return self._found[at]

    def _worked_out(self, at: int) -> Sequence[Placement]:
        """What heads place when they are evaluated at a tick, which may look at what others placed before."""
        self._found[at] = []
        self._depth += 1
        try:
            while True:  # what is placed may be looked at by rules that place
                found = list(dict.fromkeys(self._made_placements(at)))
                if len(found) == len(self._found[at]):
                    return found
                self._found[at] = found
        except _TooDeepError:
            del self._found[at]
            raise
        finally:
            self._depth -= 1

    def _made_placements(self, at: int) -> Iterator[Placement]:
        for signature, rules in self._rules.items():
            for rule in rules:
                if rule.head.tick is not None:
                    for binding in self._requirements.instances(rule, {}, at):
                        yield from self._placements_by(rule, rule.head.tick, signature, binding, at)

    def _placements_by(
        self, rule: HeadRule, term: nodes.Term, signature: Signature, binding: Binding, at: int
    ) -> Iterator[Placement]:
        """What an instance of a rule places, `term` being the tick."""
        for tick in self._terms.values(term, binding, at):
            if type(tick) is int and self._interpretation.start <= tick and self._is_seen(tick, at):
                for row in self._terms.rows(rule.head.atom.arguments, binding, at):
                    if not rule.head.is_chosen or self._history.was_placed(at, tick, signature, row):
                        yield Placement(signature, row, tick, at, not rule.is_temporary)

    def _is_seen(self, tick: int, at: int) -> bool:
        """Whether what is placed at a tick is seen by no answer of the tick itself."""
        return tick <= at or not (self._interpretation.is_strict or self._history.has_answer(tick))

    def chosen(self, last: int) -> list[Placement]:
        """What choices placed at other ticks up to one.

        Of evaluations before what is kept it is what any rule placed. What holds at its tick without that is
        left out, and what an answer stream of its tick has.
        """
        interpretation, found = self._interpretation, []
        for at, tick, signature, row in self._history.placements(last):
            if tick < at:
                is_new = tick >= interpretation.start
                is_new = is_new and not interpretation.holds(signature, row, tick, at - 1)
            else:
                is_new = not self._history.has_answer(tick)
            rules = (rule for rule in self._rules.get(signature, ()) if rule.head.tick)
            if is_new and any(rule.is_open or at < self._history.kept_from for rule in rules):
                found.append(Placement(signature, row, tick, at, True))
        return found
