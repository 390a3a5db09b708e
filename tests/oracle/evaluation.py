"""The answer streams of a program, tick by tick."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from lars2asp.analysis.calendar_atoms import calendar_of
from lars2asp.analysis.declared_time import needs_whole_windows
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.held_facts import held_facts
from lars2asp.analysis.passes.window_sizes import resolve_windows
from lars2asp.analysis.predicates import head_atoms, is_fact
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.definition.bodies import NaiveBodies
from lars2asp.definition.given import Given, background
from lars2asp.definition.windows import Look, NaiveWindows
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Atom, Program, Rule, Signature
from lars2asp.syntax.traversal import every
from tests.oracle.grounding import Grounder
from tests.oracle.rules import GroundRule, TooManyError, answer_sets
from tests.oracle.stream import Item, Pair, arrivals, atom_text, ground, signature_of

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
        program = resolve_windows(ProgramAnalysis(program), Diagnostics())
        self._records = records
        self._start = start
        self._is_strict = is_strict
        self._complete_windows = complete_windows or needs_whole_windows(program)
        self._bodies = NaiveBodies({}, {}, lambda atom, now: Look((), {}))
        rules = list(program.rules())
        self._held = held_facts(program)
        self._background = background(filter(is_fact, rules), {}, {})
        self._calendar = calendar_of(program)
        self._rules = [rule for rule in rules if not is_fact(rule)]
        shown = (rule for rule in self._rules if not rule.is_of_formula)
        self._shown = {signature for rule in shown for signature in _head_predicates(rule)}
        self._derived = {signature for rule in self._rules for signature in _head_predicates(rule)}
        self._layers = _layers(self._rules)
        self._negated = {atom.signature for atom in every(Atom, *rules) if not atom.is_positive}
        """The predicates -p that the program speaks of: it excludes p then."""

    def answer_streams(self, tick: int, recorded: frozenset[Pair] = frozenset()) -> list[AnswerStream]:
        """All answer streams at a tick, after what was recorded before.

        Raises TooManyError and UnstratifiedError.
        """
        given = Given(arrivals(self._records, tick, self._held), self._background, self._calendar)
        settled = recorded.union(
            (ground(signature, arguments), each)
            for signature in {*given.told, *given.facts, *given.calendar}
            if signature is not None
            for each in range(self._start, tick + 1)
            for arguments in given.rows(signature, each)
        )
        windows_of = partial(
            NaiveWindows,
            self._start,
            given.told,
            complete_windows=self._complete_windows,
        )
        found: list[tuple[frozenset[Pair], list[GroundRule]]] = [(settled, [])]
        for layer in self._layers:
            grown = []
            for decided, below in found:
                rules, bounds = Grounder(windows_of, self._bodies, tick, decided).ground(layer)
                grown += [
                    (model, below + rules)
                    for model in answer_sets(rules, decided)
                    if all(bound.are_met(model) for bound in bounds)
                ]
            found = grown
            if len(found) > MOST_STREAMS:
                raise TooManyError
        return [
            AnswerStream(
                self._output(tick, model, rules),
                recorded if self._is_strict else recorded | self._recorded(model, rules),
            )
            for model, rules in found
            if not self._is_contradictory(model, tick)
        ]

    def _is_contradictory(self, model: frozenset[Pair], now: int) -> bool:
        """Whether an atom and its classical negation hold now."""
        return any(
            ((atom[0].removeprefix("-"), atom[1]), now) in model
            for atom, tick in model
            if tick == now and signature_of(atom) in self._negated
        )

    def _output(self, tick: int, model: frozenset[Pair], rules: Sequence[GroundRule]) -> frozenset[str]:
        """The atoms that hold now of derived predicates; strict, the input's own are left out."""
        holding = {atom for atom, each in model if each == tick and signature_of(atom) in self._shown}
        if self._is_strict:
            headed = {atom for atom, each in _headed(rules, model) if each == tick}
            holding &= headed.union(
                ground(one, row) for one, rows in self._background.items() for row in rows
            )
        return frozenset(map(atom_text, holding))

    def _recorded(self, model: frozenset[Pair], rules: Sequence[GroundRule]) -> frozenset[Pair]:
        """What a rule that is not temporary derives, on the timeline or ahead."""
        lasting = [rule for rule in rules if not rule.is_temporary]
        return frozenset(pair for pair in _headed(lasting, model) & model if pair[1] >= self._start)


def _headed(rules: Iterable[GroundRule], model: frozenset[Pair]) -> frozenset[Pair]:
    """What stands in the heads of rules whose bodies are true."""
    return frozenset(pair for rule in rules if rule.fires(model) for pair in rule.heads)


def _head_predicates(rule: Rule) -> set[Signature]:
    """The predicates that a rule may derive."""
    return {head.atom.signature for head in head_atoms(rule)}


def _layers(rules: Sequence[Rule]) -> list[list[Rule]]:
    """The rules cut into layers: each depends on its own and earlier predicates only, constraints come last.

    Answer sets can be found layer by layer (Lifschitz and Turner 1994, the splitting set theorem).
    """
    depends: dict[Signature, set[Signature]] = {}
    for rule in rules:
        named = {atom.signature for atom in every(Atom, rule)}
        for head in _head_predicates(rule):
            depends.setdefault(head, set()).update(named)
    heads = {head: named & depends.keys() for head, named in depends.items()}
    layers = [
        [rule for rule in rules if _head_predicates(rule) & component]
        for component in strongly_connected(heads)
    ]
    return [*layers, [rule for rule in rules if not _head_predicates(rule)]]
