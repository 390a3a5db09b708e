"""The view that splitting has of a program: rules, the predicates they name, background data, output."""

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from lars2asp.analysis.calendar_atoms import calendar_predicates
from lars2asp.analysis.graphs import reachable
from lars2asp.analysis.held_facts import held_facts
from lars2asp.analysis.predicates import head_atoms, streaming_atoms, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import LastArrivals
from lars2asp.planning.names import Names
from lars2asp.splitting.tables import is_settled, table_rows
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Rule, Semantics, Signature, StreamingAtom
from lars2asp.syntax.traversal import every, variable_names

_Elements = nodes.Disjunction | nodes.SetAggregate | nodes.HeadAggregate
"""The heads that have several atoms, perhaps."""


class SplittableProgram:
    """A checked program; its rules, each with one atom as its head.

    A rule with another head is looked at as rules for a predicate of its own, which needs all of its atoms
    and is needed by those of the head: so these stay together, and have one key.

    Args:
        analysis: the program.
        semantics: how windows over derived predicates are read.
        is_certain: whether it has one answer stream, whatever the input is; else all of its rules count.
    """

    def __init__(self, analysis: ProgramAnalysis, semantics: Semantics, *, is_certain: bool = True) -> None:
        self._analysis = analysis
        self.program = program = analysis.program
        self.semantics = semantics
        self.is_strict = semantics is Semantics.STRICT
        self.is_certain = is_certain
        self.names = Names(program)
        self.constants = analysis.constants
        self.placed = analysis.placed
        self.shown = analysis.shown
        self._origins: dict[int, Rule] = {}
        """The rules of the program, by the ids of those that they are looked at as."""
        rules = [one for number, rule in enumerate(analysis.rules) for one in self._as_plain(number, rule)]
        self._arrivals = {id(rule): list(self._arrivals_in(rule)) for rule in rules}
        self.looks_at: dict[Signature, dict[Signature, None]] = {}
        """For each predicate that rules derive, the predicates that they look at."""
        for rule in rules:
            self.looks_at.setdefault(head_of(rule).signature, {}).update(self.named(rule))
        derived = dict.fromkeys(head_of(rule).signature for rule in rules)
        needed = frozenset(reachable(self.looks_at, self.shown if is_certain else derived))
        self.derived = tuple(s for s in derived if s in needed)
        """The derived predicates that the output depends on."""
        self.made = frozenset(derived.keys() - analysis.derived)
        """Those of them that stand for rules."""
        self.rules = tuple(rule for rule in rules if head_of(rule).signature in needed)
        """Their rules."""
        self.idle = tuple(rule for rule in rules if head_of(rule).signature not in needed)
        """The other rules."""
        self.facts = analysis.facts
        inputs = program.every(nodes.Input)
        declared = {Signature(s.predicate, len(s.columns)) for s in inputs}
        self.held = held_facts(program)
        declared.update(self.held)
        self.calendar = calendar_predicates(program)
        self.background = frozenset((self.facts.keys() - declared - set(self.derived)) | self.calendar)
        """The predicates of background data and of the calendar, of which the input has no atoms."""

    def _as_plain(self, number: int, rule: Rule) -> tuple[Rule, ...]:
        """The rules that a rule is looked at as."""
        if isinstance(rule.head, nodes.Atom | nodes.AtTick):
            self._origins[id(rule)] = rule
            return (rule,)
        elements = rule.head.elements if isinstance(rule.head, _Elements) else ()
        body = (*rule.body, *(nodes.ConditionalLiteral(e.literal, e.condition) for e in elements))
        fixed = _variables_outside(rule.body)
        terms = dict.fromkeys(
            term
            for atom in every(nodes.Atom, *body)
            for term in atom.arguments
            if is_settled(term) and variable_names(term) <= fixed
        )
        stand_in = nodes.Atom(self.names.rule(number), tuple(terms))
        needs = nodes.Literal(stand_in)
        found = [Rule(stand_in, body, location=rule.location)]
        found += [Rule(head.atom, (needs,), location=rule.location) for head in head_atoms(rule)]
        self._origins |= {id(one): rule for one in found}
        return tuple(found)

    @cached_property
    def tables(self) -> frozenset[Signature]:
        """The predicates of background data whose rows are all known (see `table_rows`)."""
        return frozenset(
            s for s in self.background - self.calendar if table_rows(self._analysis, s) is not None
        )

    def why_no_table(self, signature: Signature) -> str:
        """Why keys cannot lead through background data; empty where they can, and for other predicates."""
        if signature not in self.facts or signature in self.tables:
            return ""
        if signature in self.background:
            return "not all of its facts are written out"
        return "rules derive it" if signature in self.derived else "it is declared with #input"

    @cached_property
    def places(self) -> dict[Signature, int]:
        """For each derived predicate the place of its first rule in the program."""
        return {signature: number for number, signature in enumerate(self.derived)}

    def arrivals(self, rule: Rule) -> list[tuple[StreamingAtom, LastArrivals]]:
        """The streaming atoms over tuple windows of a rule of the program, and these windows."""
        return self._arrivals[id(rule)]

    def _arrivals_in(self, rule: Rule) -> Iterator[tuple[StreamingAtom, LastArrivals]]:
        for streaming in streaming_atoms(Program((rule,))):
            window = window_of(streaming, self.constants)
            if isinstance(window, LastArrivals):
                yield streaming, window

    def named(self, rule: Rule) -> dict[Signature, None]:
        """The predicates that the body of a rule looks at, and those whose arrivals its windows count."""
        found = dict.fromkeys(atom.signature for atom in body_atoms(rule))
        found |= dict.fromkeys(w.signature for _, w in self.arrivals(rule) if w.signature is not None)
        return found

    def counts_all(self, rule: Rule) -> bool:
        """Whether a window of the rule is over the arrivals of the whole input."""
        return any(window.signature is None and not window.group for _, window in self.arrivals(rule))

    def part_of(
        self,
        rules: Iterable[Rule],
        facts: Iterable[Signature],
        shown: Iterable[Signature],
        heard: Collection[Signature],
    ) -> Program:
        """A program of rules and the facts of predicates that shows some predicates, all in order.

        What others hand on to it is heard, and is not held by it.
        """
        kept = {id(self._origins[id(rule)]) for rule in rules}
        kept |= {id(fact) for signature in facts for fact in self.facts.get(signature, ())}
        statements = tuple(
            s
            for s in self.program.statements
            if id(s) in kept
            or (_is_shared(s) and not (isinstance(s, nodes.Held | nodes.Calendar) and s.predicate in heard))
        )
        if self.is_strict and not any(self.program.every(nodes.Show)):
            return Program(statements, self.program.sources)  # else input atoms would be shown
        shows = tuple(map(nodes.Show, sorted(shown))) or (nodes.Show(),)
        return Program((*statements, *shows), self.program.sources)


def _is_shared(statement: nodes.Statement) -> bool:
    """Whether all parts of a program have a statement."""
    return isinstance(statement, nodes.Declaration) and not isinstance(statement, nodes.Show)


def _variables_outside(body: nodes.Body) -> set[str]:
    """The variables of a body that do not only stand in elements of aggregates or in conditions."""
    found: set[str] = set()
    for item in body:
        match item:
            case nodes.Literal(nodes.Aggregate() | nodes.SetAggregate() as aggregate):
                guards = [guard for guard in (aggregate.left, aggregate.right) if guard is not None]
                found |= variable_names(*guards)
            case nodes.Literal():
                found |= variable_names(item)
    return found


def head_of(rule: Rule) -> nodes.Atom:
    """The atom of a rule that has one plain atom in its head, whatever its tick."""
    return next(head_atoms(rule)).atom


def body_atoms(rule: Rule) -> Iterator[nodes.Atom]:
    """The atoms of a rule's body, wherever they stand in it."""
    return every(nodes.Atom, *rule.body)
