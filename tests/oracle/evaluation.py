"""The answer streams of a program, tick by tick."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from lars2asp.syntax.nodes import (
    Atom,
    AtTick,
    Disjunction,
    Function,
    Node,
    Number,
    Program,
    Rule,
    SetAggregate,
    Sign,
    String,
)
from lars2asp.syntax.traversal import walk
from tests.oracle.grounding import Grounder
from tests.oracle.interpretation import Predicate, name_of, predicate_in, predicate_of
from tests.oracle.rules import GroundRule, TooManyError, answer_sets
from tests.oracle.stream import Item, Pair, arrivals, data_stream
from tests.oracle.values import Value, atom_text, contrary, evaluate_all, text_of
from tests.oracle.windows import Timeline

MOST_STREAMS = 200
"""More answer streams than these are too many."""


@dataclass(frozen=True)
class AnswerStream:
    """An answer stream at a tick.

    Attributes:
        output: the atoms of the output, as text.
        recorded: what rules put into the stream up to now and for later ticks (empty in strict semantics).
    """

    output: frozenset[str]
    recorded: frozenset[Pair]


class Oracle:
    """Evaluates a program on a stream by definition.

    What is recorded for later ticks holds at them, so that heads that place it there anew change nothing.
    Atoms that heads place where nothing sees them (before the start; later than now in strict semantics)
    make the head true all the same.
    """

    def __init__(
        self,
        program: Program,
        records: Sequence[Item],
        *,
        start: int,
        is_strict: bool = False,
        complete_windows: bool = False,
    ) -> None:
        self._records = records
        self._start = start
        self._is_strict = is_strict
        self._complete_windows = complete_windows
        rules = list(program.rules())
        facts = [rule for rule in rules if _is_fact(rule)]
        self._rules = [rule for rule in rules if rule not in facts]
        self._background = [
            (name_of(rule.head), values)
            for rule in facts
            if isinstance(rule.head, Atom)
            and (values := evaluate_all(rule.head.arguments, {}, 0)) is not None
        ]
        self._derived = {predicate for rule in self._rules for predicate in _head_predicates(rule)}
        self._layers = _layers(self._rules)
        self._nodes = [node for rule in rules for node in walk(rule)]
        self._negated = {predicate_in(node) for node in self._nodes if _is_negative(node)}
        """The predicates -p that the program speaks of: it excludes p then."""

    def answer_streams(self, tick: int, recorded: frozenset[Pair] = frozenset()) -> list[AnswerStream]:
        """All answer streams at a tick, after what was recorded before.

        Raises TooManyError and UnstratifiedError.
        """
        arrived = arrivals(self._records, tick)
        timeline = Timeline(self._start, tick, arrived, self._complete_windows)
        ticks = timeline.ticks(None)
        settled = data_stream(arrived, self._start, tick).union(
            recorded,
            ((atom, each) for atom in self._background for each in ticks),
        )
        domain = self._domain([*settled, *recorded], tick)
        partial: list[tuple[frozenset[Pair], list[GroundRule]]] = [(settled, [])]
        for layer in self._layers:
            grown = []
            for decided, below in partial:
                rules, bounds = Grounder(timeline, domain, decided).ground(layer)
                grown += [
                    (model, below + rules)
                    for model in answer_sets(rules, decided)
                    if all(bound.are_met(model) for bound in bounds)
                ]
            partial = grown
            if len(partial) > MOST_STREAMS:
                raise TooManyError
        return [
            AnswerStream(
                self._output(tick, model, rules),
                recorded if self._is_strict else recorded | self._recorded(model, rules),
            )
            for model, rules in partial
            if not self._is_contradictory(model, tick)
        ]

    def _is_contradictory(self, model: frozenset[Pair], now: int) -> bool:
        """Whether an atom and its classical negation hold now."""
        return any(
            ((name.removeprefix("-"), values), now) in model
            for (name, values), tick in model
            if tick == now and (name, len(values)) in self._negated
        )

    def _output(self, tick: int, model: frozenset[Pair], rules: Sequence[GroundRule]) -> frozenset[str]:
        """The atoms that hold now of derived predicates; strict, the input's own are left out."""
        holding = {atom for atom, each in model if each == tick and predicate_of(atom) in self._derived}
        if self._is_strict:
            headed = {atom for atom, each in _headed(rules, model) if each == tick}
            holding &= headed.union(self._background)
        return frozenset(map(atom_text, holding))

    def _recorded(self, model: frozenset[Pair], rules: Sequence[GroundRule]) -> frozenset[Pair]:
        """What a rule that is not temporary derives, on the timeline or ahead."""
        lasting = [rule for rule in rules if not rule.is_temporary]
        return frozenset(pair for pair in _headed(lasting, model) & model if pair[1] >= self._start)

    def _domain(self, pairs: Iterable[Pair], now: int) -> list[Value]:
        """The values of program and stream, their contraries, and numbers near to theirs."""
        numbers = {self._start, now}
        others: set[Value] = set()
        for node in self._nodes:
            match node:
                case Function(name, (), False):
                    others.add((name, ()))
                case String(text):
                    others.add(('"', text))
                case Number(number):
                    numbers.add(number)
        for atom, _ in pairs:
            for value in atom[1]:
                if isinstance(value, int):
                    numbers.add(value)
                else:
                    others.add(value)
        others |= {found for value in others if (found := contrary(value)) is not None}
        return [*range(min(numbers) - 3, max(numbers) + 4), *sorted(others, key=text_of)]


def _headed(rules: Iterable[GroundRule], model: frozenset[Pair]) -> frozenset[Pair]:
    """What stands in the heads of rules whose bodies are true."""
    return frozenset(pair for rule in rules if rule.fires(model) for pair in rule.heads)


def _is_negative(node: Node) -> TypeGuard[Atom]:
    return isinstance(node, Atom) and not node.is_positive


def _is_fact(rule: Rule) -> bool:
    """Whether a rule is background data, which holds always."""
    return (
        isinstance(rule.head, Atom)
        and not rule.body
        and not rule.is_temporary
        and not any(isinstance(node, Function) and node.is_external for node in walk(rule))
    )


def _head_predicates(rule: Rule) -> set[Predicate]:
    """The predicates that a rule may derive."""
    head = rule.head
    if isinstance(head, SetAggregate | Disjunction):
        literals = [element.literal for element in head.elements]
        atoms = [literal.atom for literal in literals if literal.sign is Sign.POSITIVE]
    else:
        atoms = [head] if isinstance(head, Atom | AtTick) else []
    plain = [atom.atom if isinstance(atom, AtTick) else atom for atom in atoms]
    return {predicate_in(atom) for atom in plain if isinstance(atom, Atom)}


def _layers(rules: Sequence[Rule]) -> list[list[Rule]]:
    """The rules cut into layers: each depends on its own and earlier predicates only, constraints come last.

    Answer sets can be found layer by layer (Lifschitz and Turner 1994, the splitting set theorem).
    """
    depends: dict[Predicate, set[Predicate]] = {}
    for rule in rules:
        named = {predicate_in(node) for node in walk(rule) if isinstance(node, Atom)}
        for head in _head_predicates(rule):
            depends.setdefault(head, set()).update(named)
    reached = {head: {head} for head in depends}
    for _ in depends:
        for known in reached.values():
            known |= {named for other in known & depends.keys() for named in depends[other]}
    components = sorted(
        {frozenset(p for p in depends if p in reached[head] and head in reached[p]) for head in depends},
        key=lambda component: min((len(reached[head]), head) for head in component),
    )
    layers = [[rule for rule in rules if _head_predicates(rule) & component] for component in components]
    return [*layers, [rule for rule in rules if not _head_predicates(rule)]]
