"""Rules over rows tick by tick: what begins and ends at one, and what holds behind it."""

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import Any, NamedTuple

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.rows.row_rules import RowRule
from lars2asp.runtime.evaluators.delta.code.aggregate_code import AggregateCode
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.heads import DerivedRows
from lars2asp.runtime.evaluators.delta.code.partial_code import PartialCode
from lars2asp.runtime.evaluators.delta.code.rank_code import RankCode
from lars2asp.runtime.evaluators.delta.code.relations import Relation
from lars2asp.runtime.evaluators.delta.code.row_code import RowCode, is_answer
from lars2asp.runtime.evaluators.delta.code.search import search
from lars2asp.runtime.evaluators.delta.code.steps import as_row, targets
from lars2asp.runtime.evaluators.delta.rules.bodies import Member, RowBody
from lars2asp.syntax.nodes import Signature, Term


class _Affected(NamedTuple):
    """What the changes of lookups may change, by numbers: aggregates and joins, and what is derived.

    Attributes:
        stages: the former.
        outcomes: the latter.
        waiting: what is empty if these have no changes.
        more: of that what begins.
        less: of that what ends.
        number: the number of both.
    """

    stages: Sequence[int]
    outcomes: Sequence[int]
    waiting: Sequence[tuple[Sequence[Row], Sequence[Row]]]
    more: Sequence[Sequence[Row]]
    less: Sequence[Sequence[Row]]
    number: int

    @property
    def changed(self) -> list[int]:
        """The outcomes that have changes, or may have."""
        outcomes = self.outcomes
        began, ended = [*compress(outcomes, self.more)], [*compress(outcomes, self.less)]
        return sorted({*began, *ended}) if began and ended else began or ended


class TickCode(RowCode):
    """The functions of rules, for one tick after the other.

    Takes what RowCode takes.
    """

    def __init__(self, rules: Sequence[RowRule], *arguments: Any, **options: Any) -> None:
        self._starts: dict[DerivedRows, Lookup | None] = {}
        super().__init__(rules, *arguments, **options)
        names = self._names
        self._visits: list[Callable[[], None]] = [names[stage.name] for stage in self._stages]
        self._outcomes: list[tuple[Callable[[], Changes], list[Signature]]] = [
            (derived.changes, signatures) for derived, signatures in self._signatures.items()
        ]
        """What gives the changes of rows, and the predicates that have them."""
        self._waiting = [derived.waiting for derived in self._signatures]
        """What is empty where there are none."""
        self._everything = self._affecting(range(len(self._stages)), range(len(self._outcomes)))
        self._affected_by = {
            lookup: self._everything if self._recursive else self._affecting(*numbers)
            for lookup, numbers in self._affected().items()
        }
        self._touched: _Affected | None = None
        """What may have changed and was not looked at."""
        self._held: dict[DerivedRows, tuple[Lookup | None, Callable[[Iterable[Row]], list[Row]]]] = {
            derived: (lookup, names[f"held{derived.number}"]) for derived, lookup in self._starts.items()
        }

    def start(self) -> None:
        """Counts the instances that fire while nothing holds; to be called once, before all else."""
        super().start()
        self._visit(self._everything)

    def _visit(self, affected: "_Affected") -> None:
        """Visits what is affected by the changes that were taken."""
        visits = self._visits
        for number in affected.stages:
            visits[number]()
        if self._recursive:
            self._settle()
        before = self._touched
        self._touched = (
            affected if before is None or before is affected else self._together([before, affected])
        )

    def _affecting(self, stages: Sequence[int], outcomes: Sequence[int]) -> _Affected:
        waiting = [self._waiting[one] for one in outcomes]
        more, less = [more for more, _ in waiting], [less for _, less in waiting]
        return _Affected(stages, outcomes, waiting, more, less, len(stages) + len(outcomes))

    def _together(self, several: Sequence[_Affected]) -> _Affected:
        """What the changes of several lookups may change."""
        return self._affecting(
            sorted({number for one in several for number in one.stages}),
            sorted({number for one in several for number in one.outcomes}),
        )

    def take(self, changed: Sequence[tuple[Lookup, Changes]]) -> None:
        """Takes the changes of lookups."""
        if len(changed) > 1 and self._scope.enumerates:
            changed = sorted(changed, key=lambda one: one[0] not in self._negated)
        for lookup, changes in reversed(changed):  # the last to begin met all others: the first to end does
            if changes.ended:
                for end in self.end[lookup]:
                    end(changes.ended)
        for lookup, changes in changed:
            if changes.began:
                for begin in self.begin[lookup]:
                    begin(changes.began)
        if len(changed) == 1:
            self._visit(self._affected_by[changed[0][0]])
        elif changed:
            several = [self._affected_by[lookup] for lookup, _ in changed]
            named = 0
            for one in several:
                named += one.number
            everything = self._everything
            self._visit(everything if named >= everything.number else self._together(several))

    def add_changes(self, found: dict[Signature, Changes]) -> None:
        """Adds the changes of what is derived since the last call, by predicate."""
        if self._scope.waiting:
            self._scope.settle()
        outcomes, touched, self._touched = self._outcomes, self._touched, None
        for number in () if touched is None else touched.changed:
            changes_of, signatures = outcomes[number]
            changes = changes_of()
            if changes is not NO_CHANGES:
                for signature in signatures:
                    found[signature] = changes

    def forget(self) -> None:
        """Forgets all answers, while no rule can fire."""
        for kept in self._kept:
            kept.forget()
        self._start()
        self._visit(self._everything)

    @property
    def size(self) -> int:
        """The number of rows that are kept."""
        return sum(kept.size for kept in (*self._signatures, *self._kept))

    @property
    def _kept(self) -> list[Relation | AggregateCode | PartialCode | RankCode]:
        """What keeps rows besides the heads."""
        return [*self._relations.values(), *self._stages]

    def held(self, signature: Signature, answer: Callable[[Lookup], Iterable[Row]]) -> list[Row]:
        """The rows that hold; `answer` gives those of a lookup."""
        derived = self.derived[signature]
        if derived.is_counted:
            return derived.held()
        if derived not in self._held:
            return list(self.facts.get(signature, ()))
        lookup, function = self._held[derived]
        found: list[Row] = function(() if lookup is None else answer(lookup))
        return found

    def _write_more(self, lines: CodeLines) -> None:
        """Writes the functions that find what holds."""
        for joined in self._joined.values():
            for head in joined.heads:
                target = head.target
                if isinstance(target, DerivedRows) and target in self._signatures and not target.is_counted:
                    self._write_held(lines, target, joined.body, head.terms)

    def _write_held(
        self, lines: CodeLines, derived: DerivedRows, body: RowBody, terms: tuple[Term, ...]
    ) -> None:
        """Writes the function that finds all rows that are derived, as they are kept nowhere."""
        members = [
            (place, part)
            for place, part in enumerate(body.parts)
            if isinstance(part, Member) and not part.is_negative
        ]
        place, member = min(members, key=lambda one: not is_answer(one[1]), default=(None, None))
        bindings = search(body, place, self._relations, self._scope, is_change=False)
        codes = [bindings.value(term) for term in terms]
        self._starts[derived] = None

        def found() -> None:
            bindings.steps.write(lines, lambda: lines.line(f"found.append({as_row(codes)})"))

        with lines.block(f"def held{derived.number}(rows):"):
            lines.line("found = []")
            if member is None:
                found()
            elif is_answer(member):
                relation = self._relations[member.relation]
                self._starts[derived] = relation.lookup
                relation.write_rows(lines)
                with lines.block(f"for {targets(relation.columns)} in rows:"):
                    found()
            else:
                relation = self._relations[member.relation]
                columns = ", ".join(relation.columns) or "[]"
                with lines.block(f"for {columns} in {relation.index(())}:"):
                    found()
            lines.line("return found")
        lines.line()
