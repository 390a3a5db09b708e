"""Rules over rows from text, and a database that only answers lookups, for tests."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.externals.database import Inbox, Watched
from lars2asp.externals.database.agenda import Agenda
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.planning.rows.row_rules import (
    AggregatePart,
    BodyPart,
    ConditionPart,
    ElementPart,
    LookupPart,
    RowRule,
)
from lars2asp.runtime.evaluators.delta.evaluator import DeltaEvaluator
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Sign, Signature
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Location, Source

_CONTRARY = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED = {"=": "=", "!=": "!=", "<": ">", ">=": "<=", ">": "<", "<=": ">="}


def row_rules(text: str) -> tuple[RowRule, ...]:
    """The rules of a text without windows: atoms are looked up as they hold now."""
    program = parse(Source("rules.lars", text))
    return tuple(map(_row_rule, program.rules()))


def lookup(name: str, arity: int) -> Lookup:
    """The lookup of an atom in a text."""
    return Lookup(LookupKind.NOW, Signature(name, arity))


def _row_rule(rule: nodes.Rule) -> RowRule:
    assert isinstance(rule.head, nodes.Atom)
    parts = [part for literal in rule.body for part in _parts(literal)]
    return RowRule(rule.head.signature, rule.head.arguments, tuple(parts), rule.location)


def _parts(literal: nodes.Node) -> Iterable[BodyPart]:
    assert isinstance(literal, nodes.Literal)
    match literal.atom:
        case nodes.Atom(_, arguments) as atom:
            found = Lookup(LookupKind.NOW, atom.signature)
            yield LookupPart(found, arguments, literal.sign, literal.location)
        case nodes.Comparison(left, guards):
            for guard in guards:
                is_contrary = literal.sign is Sign.NOT
                sign = _CONTRARY[guard.comparison] if is_contrary else guard.comparison
                yield ConditionPart(left, sign, guard.term, literal.location)
                left = guard.term
        case nodes.Aggregate(function, elements, left_guard, right):
            found_elements = tuple(
                ElementPart(element.terms, tuple(part for one in element.condition for part in _parts(one)))
                for element in elements
            )
            guards_ = [(_TURNED[left_guard.comparison], left_guard.term)] if left_guard else []
            guards_ += [(right.comparison, right.term)] if right else []
            yield AggregatePart(function, found_elements, tuple(guards_), literal.sign, literal.location)
        case _:
            raise TypeError(literal)


def lookups_of(rules: Iterable[RowRule]) -> list[Lookup]:
    """The lookups that rules make, each once."""
    return list(DeltaRules(rules=tuple(rules)).lookups)


class AnswersOnly:
    """Answers to lookups, which tests set."""

    def __init__(self) -> None:
        self.agenda = Agenda(0)
        self.answers: dict[Lookup, set[Row]] = {}
        self.now = 0

    def answer(self, lookup: Lookup, now: int) -> list[Row]:
        """The rows of an answer."""
        return list(self.answers.get(lookup, ()))

    def changes(self, lookup: Lookup) -> "_AnswerChanges":
        """What gives the changes of an answer from tick to tick."""
        return _AnswerChanges(self, lookup)


class _AnswerChanges:
    def __init__(self, database: AnswersOnly, lookup: Lookup) -> None:
        self._database = database
        self._lookup = lookup
        self._before: set[Row] = set()

    def changes(self, now: int) -> Changes:
        """The changes by a tick."""
        here, last = set(self._database.answers.get(self._lookup, ())), self._before
        self._before = here
        return Changes(list(here - last), list(last - here)) if here != last else NO_CHANGES

    def is_pending(self, now: int) -> bool:
        """Nothing comes late."""
        return False

    def is_due(self, tick: int) -> bool:
        """Nothing changes by time alone."""
        return False


@dataclass
class Delta:
    """The evaluator of rules over a database that only answers lookups.

    Attributes:
        rules: the rules.
        functions: the user functions.
        is_late: whether the evaluator is taken up late.
        tuning: the thresholds.
        messages: what was remarked.
        output: what holds by the changes that were handed out.
        most: the largest number of rows of a predicate that held.
    """

    rules: Sequence[RowRule]
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    is_late: bool = False
    tuning: Tuning = field(default_factory=Tuning)
    messages: list[tuple[Location, str]] = field(default_factory=list)
    output: dict[Signature, set[Row]] = field(default_factory=dict)
    most: int = 0

    def __post_init__(self) -> None:
        self.database = AnswersOnly()
        self._inbox = Inbox()
        self._watched: list[Watched] = []
        derives = frozenset(rule.derives for rule in self.rules)
        task = SimpleNamespace(
            largest_interval=LARGEST_INTERVAL,
            database=self.database,
            inbox=self._inbox,
            watch=self._watch,
            functions=self.functions,
            on_message=lambda location, text: self.messages.append((location, text)),
            arrivals=dict.fromkeys(derives, frozenset()),
            is_late=self.is_late,
            tuning=self.tuning,
            limit=None,
        )
        delta_rules = DeltaRules(rules=tuple(self.rules), own=derives)
        component = SimpleNamespace(delta_rules=delta_rules, derives=derives, output_has_input=True)
        self.evaluator = DeltaEvaluator(cast(Any, component), cast(Any, task))
        self._tick = -1

    def _watch(self, lookups: Sequence[Lookup], *_: Collection[Lookup | Signature]) -> list[Watched]:
        self._watched = [Watched(self.database.changes(one)) for one in lookups]
        for watched in self._watched:
            watched.inboxes[self._inbox] = False
        return self._watched

    def step(self, answers: Mapping[Lookup, set[Row]]) -> dict[Signature, set[Row]]:
        """What holds at the next tick."""
        self._tick += 1
        self.database.answers = {one: set(rows) for one, rows in answers.items()}
        for watched in self._watched:
            watched.rouse()
        names = []
        for signature, changes in self.evaluator.step(self._tick):
            names.append(signature)
            held = self.output.setdefault(signature, set())
            began, ended = set(changes.began), set(changes.ended)
            assert len(began) == len(changes.began), "a row begins twice"
            assert len(ended) == len(changes.ended), "a row ends twice"
            assert began or ended
            assert not began & held, "what begins was there"
            assert ended <= held, "what ends was not there"
            held -= ended
            held |= began
            self.most = max(self.most, len(held))
        assert len(set(names)) == len(names)
        return self.output
