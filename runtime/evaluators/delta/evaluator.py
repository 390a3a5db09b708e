"""The evaluator `delta`: the changes of derived atoms follow from the changes of lookups.

Rules that only rename atoms hand on the answers' rows as they are; all others become code
(lars2asp.runtime.evaluators.delta.code.row_code).
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.planning.rows.row_rules import LookupPart, RowRule
from lars2asp.runtime.evaluators.delta.code.counted import CountedRows
from lars2asp.runtime.evaluators.delta.code.tick_code import TickCode
from lars2asp.runtime.evaluators.delta.deferred_changes import ChangeFilter, LookupChanges
from lars2asp.runtime.evaluators.delta.growth import Growth
from lars2asp.runtime.evaluators.delta.moments import Moments
from lars2asp.runtime.evaluators.delta.user_calls import values_of
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.syntax.nodes import Sign, Signature, Variable


class _Reader(NamedTuple):
    """A lookup that is watched.

    Attributes:
        lookup: the lookup.
        is_in_code: whether the code takes these.
        renamed: the predicates of which the answer's rows are atoms.
        told: the derived predicate of which they are input.
    """

    lookup: Lookup
    is_in_code: bool
    renamed: Sequence[Signature]
    told: Signature | None


class DeltaEvaluator:
    """Evaluates a component that has rules for it.

    Args:
        component: the component.
        task: the database, and the rest that its evaluator needs.

    Attributes:
        code: the code of its rules.
        growth: finds ticks at which answers change that must be evaluated.
    """

    def __init__(self, component: Component, task: Task) -> None:
        rules = component.delta_rules
        if rules.refusal is not None:
            raise ValueError(f"there are no rules for delta: {rules.refusal}")
        self._database = task.database
        self._limit = task.limit
        self._renamed = renamed(rules)
        others = _others(rules, self._renamed)
        self._row_code = self._new_code(
            others,
            {name: values_of(task.functions[name]) for name in rules.functions},
            task.on_message,
            *([] if task.limit is None else [task.limit.check]),
            separates_input=rules.separates_input,
            largest_interval=task.largest_interval,
        )
        self.code = _with_renamings(self._row_code.text, self._renamed)
        self._filter = ChangeFilter(
            self._row_code.guards, self._row_code.begin, self._answer, task.tuning.deferred_least
        )
        inputs = {
            Lookup(LookupKind.INPUT, signature): signature
            for signature in sorted(component.derives - rules.recursive)
            if component.output_has_input
        }
        lookups = list(dict.fromkeys([*self._row_code.begin, *self._renamed.values(), *inputs]))
        names: dict[Lookup, list[Signature]] = {lookup: [] for lookup in lookups}
        for signature, lookup in self._renamed.items():
            names[lookup].append(signature)
        self._inbox = task.inbox
        self._moments = Moments(others, task.arrivals)
        patient = self._moments.lookups.difference(self._renamed.values(), inputs)
        watched = task.watch(lookups, patient, self._moments.guards)
        self._readers = {
            one: _Reader(lookup, lookup in self._row_code.begin, names[lookup], inputs.get(lookup))
            for lookup, one in zip(lookups, watched, strict=True)
        }
        self.growth = Growth(rules, lookups)
        self._support: dict[Signature, CountedRows] = {}
        """The rows that rules or the input tell, of the predicates of which the input has had atoms."""
        self._is_new = True
        self._is_late = task.is_late

    def _new_code(self, rules: Sequence[RowRule], *arguments: Any, **options: Any) -> TickCode:
        return TickCode(rules, *arguments, **options)

    def step(self, tick: int) -> Sequence[tuple[Signature, Changes]]:
        """The changes of the atoms that the component derives: for each predicate one entry.

        Raises EvaluationError where a user's function fails, and TickTimeoutError.
        """
        found: dict[Signature, Changes] = {}
        of_code: LookupChanges = []
        told: dict[Signature, Changes] = {}
        inbox, readers = self._inbox, self._readers
        due, inbox.due = inbox.due, {}
        for watched in readers if self._is_new or self._is_late else due:
            changes = watched.changes(tick)
            if changes is NO_CHANGES and not self._is_late:
                continue
            lookup, is_in_code, renamed, input_of = readers[watched]
            if self._is_late:
                changes = Changes(self._answer(lookup))
            for signature in renamed:
                found[signature] = changes
            if is_in_code:
                of_code.append((lookup, changes))
            if input_of is not None and (changes.began or changes.ended):
                told[input_of] = changes
        if of_code or self._is_new:
            if self._limit is None:
                self._derive(of_code, found)
            else:
                self._limit.interrupted(lambda: self._derive(of_code, found))
        self._is_late = False
        if told or self._support:
            self._add_input(told, found)
        return [one for one in found.items() if one[1].began or one[1].ended] if found else ()

    def held(self, signature: Signature) -> Collection[Row]:
        """The rows of a predicate that the component derives, as of the last step."""
        if signature in self._support:
            return list(self._support[signature].rows)
        return self._held_by_rules(signature)

    @property
    def size(self) -> int:
        """The number of rows that are remembered."""
        return self._row_code.size + self._filter.size + sum(map(len, self._support.values()))

    def _derive(self, changed: LookupChanges, found: dict[Signature, Changes]) -> None:
        """Adds the changes of what the code derives."""
        code = self._row_code
        if self._is_new:
            self._is_new = False
            code.start()
        taken, forgets = self._filter.handed_on(changed)
        if forgets:
            code.forget()
        if taken or not self._filter.is_deferring:
            code.take(taken)
            self._filter.defer_if_possible()
        code.add_changes(found)
        if found and self._moments.guards:
            self._moments.follow(found.items())
            moments = self._database.agenda.moments
            (moments.add if self._moments.number else moments.discard)(self._inbox)

    def _add_input(self, told: dict[Signature, Changes], found: dict[Signature, Changes]) -> None:
        """Adds the atoms of derived predicates that are input."""
        for signature in told:
            if signature not in self._support:
                before = self._held_before(signature, found.get(signature, NO_CHANGES))
                self._support[signature] = CountedRows(before)
        for signature, support in self._support.items():
            sources = [one[signature] for one in (found, told) if signature in one]
            if sources:
                began = support.add([row for one in sources for row in one.began])
                ended = support.remove([row for one in sources for row in one.ended])
                found[signature] = Changes(began, ended)

    def _held_by_rules(self, signature: Signature) -> Collection[Row]:
        if signature in self._renamed:
            return self._answer(self._renamed[signature])
        if signature not in self._row_code.derived or self._filter.is_deferring:
            return []
        return self._row_code.held(signature, self._answer)

    def _answer(self, lookup: Lookup) -> list[Row]:
        """The answer to a lookup now, each row once."""
        return list(set(self._database.answer(lookup, self._database.now)))

    def _held_before(self, signature: Signature, changes: Changes) -> Collection[Row]:
        """The rows that rules derived before the last step, which made these changes."""
        return (set(self._held_by_rules(signature)) - set(changes.began)) | set(changes.ended)


def renamed(rules: DeltaRules) -> dict[Signature, Lookup]:
    """The predicates whose rows are the answers to a lookup as they are."""
    number: dict[Signature, int] = {}
    for rule in rules.rules:
        number[rule.derives] = number.get(rule.derives, 0) + 1
    found = {}
    for rule in rules.rules:
        match rule.body:
            case (LookupPart(lookup, terms, Sign.POSITIVE),) if number[rule.derives] == 1:
                is_plain = all(isinstance(term, Variable) for term in terms) and len(set(terms)) == len(terms)
                if is_plain and terms == rule.terms:
                    found[rule.derives] = lookup
    return found


def row_code(rules: DeltaRules) -> str:
    """The code of rules, as `DeltaEvaluator.code` has it."""
    names = renamed(rules)

    def no_function(*_: Any) -> tuple[()]:
        return ()

    functions: dict[str, Callable[..., Any]] = dict.fromkeys(rules.functions, no_function)
    code = TickCode(
        _others(rules, names),
        functions,
        lambda location, text: None,
        separates_input=rules.separates_input,
    )
    return _with_renamings(code.text, names)


def _others(rules: DeltaRules, names: dict[Signature, Lookup]) -> list[RowRule]:
    return [rule for rule in rules.rules if rule.derives not in names]


def _with_renamings(text: str, names: dict[Signature, Lookup]) -> str:
    lines = [f"# {signature}: the rows of {lookup.title} as they are" for signature, lookup in names.items()]
    return "".join(f"{line}\n" for line in lines) + text
