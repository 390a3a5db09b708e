"""Rules that are joins, evaluated without clingo: instances that fire are counted from the changes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from lars2asp.externals.symbols import Atoms, Row, Rows
from lars2asp.planning.join_rules import JoinBody, JoinRule, JoinTerm

from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.delta.deferred_changes import ChangeFilter
from lars2asp.runtime.evaluators.delta.join_code import Counted, JoinCode
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.syntax.nodes import Signature


class Heads:
    """The atoms of one predicate that joins derive.

    Attributes:
        signature: the predicate.
    """

    def __init__(self, signature: Signature, counted: Counted) -> None:
        self.signature = signature
        self._counted = counted
        self._atoms = Atoms(signature)
        self._made: dict[Row | int, int] = {}

    @property
    def held(self) -> list[int]:
        """The keys of the atoms that were derived at the last call of `changes`."""
        return list(self._made.values())

    def changes(self) -> Changes:
        """The changes of the derived atoms since the last call."""
        changed, made = self._counted.changed, self._made
        if not changed:
            return NO_CHANGES
        began = [row for row, fires in changed.items() if fires]
        ended = [made.pop(row) for row, fires in changed.items() if not fires]
        rows: list[Row] = [(row,) for row in began] if self.signature.arity == 1 else began
        keys = self._atoms(rows)
        made.update(zip(began, keys, strict=True))
        return Changes(keys, ended)


@dataclass
class _AnswerRows:
    """The answers to a lookup that hold: their rows by their keys."""

    read: Rows
    rows: dict[int, Row] = field(default_factory=dict)


class Joins:
    """Evaluates rules.

    Args:
        rules: the rules.
        task: the database, and the rest that an evaluator needs.

    Attributes:
        heads: the derived atoms; there may be several of one predicate.
    """

    def __init__(self, rules: Sequence[JoinRule], task: Task) -> None:
        joins: dict[JoinBody, dict[tuple[JoinTerm, ...], Counted]] = {}
        heads: dict[tuple[Signature, int], Heads] = {}
        for rule in rules:
            counted = joins.setdefault(rule.body, {}).setdefault(rule.terms, Counted(rule.terms))
            heads.setdefault((rule.head, id(counted)), Heads(rule.head, counted))
        self.heads = list(heads.values())
        self._counted = [counted for several in joins.values() for counted in several.values()]
        self._code = JoinCode({body: list(several.values()) for body, several in joins.items()})
        self._answers = {
            member.lookup: _AnswerRows(Rows(len(member.terms) - member.is_pair, is_pair=member.is_pair))
            for body in joins
            for member in (*body.positive, *body.negative)
        }
        holding = {lookup: answers.rows.keys() for lookup, answers in self._answers.items()}
        self._filter = ChangeFilter([[one.lookup for one in body.positive] for body in joins], holding, task)
        self._is_new = True

    @property
    def size(self) -> int:
        """The number of answers and of rows of heads that are kept."""
        answers = sum(len(answers.rows) for answers in self._answers.values())
        return answers + sum(len(counted.counts) + len(counted.changed) for counted in self._counted)

    def load(self, tick: int) -> Sequence[tuple[Signature, Changes]]:
        """The atoms derived when the rules are taken up while the stream goes on, by predicates."""
        return self._take(self._filter.load(tick))

    def step(self, tick: int) -> Sequence[tuple[Signature, Changes]]:
        """The changes of the derived atoms since the tick before, by predicates."""
        changed = self._filter.step(tick)
        return self._take(changed) if changed or self._is_new else ()

    def _take(self, changed: Sequence[tuple[Lookup, Changes]]) -> list[tuple[Signature, Changes]]:
        if self._is_new:
            self._is_new = False
            self._code.start()
        for lookup, changes in changed:
            if changes.ended:
                rows = self._answers[lookup].rows
                self._code.end[lookup](list(map(rows.pop, changes.ended)))
        for lookup, changes in changed:
            if changes.began:
                answers = self._answers[lookup]
                rows_that_begin = answers.read(changes.began)
                answers.rows.update(zip(changes.began, rows_that_begin, strict=True))
                self._code.begin[lookup](rows_that_begin)
        self._filter.defer_if_possible()
        derived = [(heads.signature, heads.changes()) for heads in self.heads]
        for counted in self._counted:
            counted.changed.clear()
        return [one for one in derived if one[1] is not NO_CHANGES]
