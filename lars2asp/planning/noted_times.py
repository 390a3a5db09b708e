"""What the clock shows as an event comes is noted with it, and not looked up at the ticks of events.

    a(X,H) :- e(X) at T in [60], hour(H) at T.
    ->    noted(X,H) :- e(X), hour(H).    a(X,H) :- noted(X,H) at T in [60].

`hour(H) at T` has another answer at every tick, so that rules that read it are looked at as often; what is
noted changes with the events. What rules derive is left as it is: heads may place it at earlier ticks. So are
programs of which a tick may have no answer stream: it would have events, and nothing that is noted.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from lars2asp.analysis.calendar_atoms import calendar_predicates
from lars2asp.analysis.held_facts import held_facts
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.components import may_fail
from lars2asp.planning.names import Names
from lars2asp.planning.plan import Plan
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import (
    Atom,
    AtTick,
    Literal,
    Node,
    Program,
    Rule,
    Semantics,
    Sign,
    Signature,
    Statement,
    Variable,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import body_of, every, rewrite, with_body

_TERMS = (Atom, nodes.Number, nodes.String, nodes.Function, Variable)
"""What atoms consist of that are noted."""


def noted_program(plan: Plan) -> Program:
    """The program of a plan, with what is noted."""
    if plan.semantics is not Semantics.RECORDED:
        return plan.program
    return with_noted_times(plan.program, Names(plan.program).noted)


def with_noted_times(program: Program, name: Callable[[str], str]) -> Program:
    """The program, in which atoms of the calendar at ticks of events of the input are noted with these.

    `name` gives the name of the predicate for the text of what is noted. To be taken for recorded semantics
    alone.
    """
    calendar = calendar_predicates(program)
    if not calendar:
        return program
    noting = _Noting(program, calendar, name)
    found = program.rewritten(noting.statements)
    if not noting.rules or may_fail(noting.analysis, Semantics.RECORDED):
        return program
    return Program((*found.statements, *noting.rules), found.sources)


class _Noting:
    def __init__(self, program: Program, calendar: frozenset[Signature], name: Callable[[str], str]) -> None:
        self.analysis = analysis = ProgramAnalysis(program)
        self._calendar, self._name = calendar, name
        self._others = {*analysis.derived, *analysis.facts, *analysis.externals, *held_facts(program)}
        self._rules: dict[str, Rule] = {}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Those of the predicates of what is noted."""
        return tuple(self._rules.values())

    def statements(self, statement: Statement) -> list[Statement]:
        """A statement, with what is noted in it."""
        ats = (one.atom.signature for one in every(AtTick, statement) if one.window is None)
        if self._calendar.isdisjoint(ats):
            return [statement]
        inner = rewrite(statement, self._inside)
        body = self._noted(body_of(inner))
        return [inner if body == body_of(inner) else with_body(inner, body)]

    def _inside(self, node: Node) -> Node:
        if isinstance(node, nodes.AggregateElement | nodes.HeadAggregateElement | nodes.ConditionalLiteral):
            return dataclasses.replace(node, condition=self._noted(node.condition))
        return node

    def _noted(self, literals: Sequence[Any]) -> tuple[Any, ...]:
        """Literals of a body or of a condition."""
        found = list(literals)
        for event in literals:
            at = self._at(event)
            if at is None or not self._is_event(at):
                continue
            shown = [one for one in found if self._is_shown(one, at.tick)]
            if shown:
                place = found.index(event)
                found[place] = dataclasses.replace(event, atom=self._with(at, shown))
                found = [one for one in found if one not in shown]
        return tuple(found)

    def _at(self, literal: object) -> AtTick | None:
        """The atom of a literal that says at which tick it holds, by a variable."""
        if not isinstance(literal, Literal) or literal.sign is not Sign.POSITIVE:
            return None
        at = literal.atom
        if not isinstance(at, AtTick) or not isinstance(at.tick, Variable) or at.tick.is_anonymous:
            return None
        parts = list(every(Node, at.atom))
        is_plain = type(at.atom) is Atom and all(isinstance(one, _TERMS) for one in parts)
        calls = any(isinstance(one, nodes.Function) and one.is_external for one in parts)
        return at if is_plain and not calls else None

    def _is_event(self, at: AtTick) -> bool:
        signature, window = at.atom.signature, at.window
        is_timed = window is None or isinstance(window, nodes.DurationWindow | nodes.OffsetWindow)
        return is_timed and signature not in self._others and signature not in self._calendar

    def _is_shown(self, literal: object, tick: nodes.Term) -> bool:
        """Whether a literal asks what the clock shows at a tick."""
        at = self._at(literal)
        is_whole = at is not None and at.window is None and at.tick == tick
        return is_whole and at is not None and at.atom.signature in self._calendar

    def _with(self, at: AtTick, shown: Sequence[Literal]) -> AtTick:
        """An event with what is noted, for which there is a rule from here on."""
        atoms = [at.atom, *(one.atom.atom for one in shown if isinstance(one.atom, AtTick))]
        variables = dict.fromkeys(one for one in every(Variable, *atoms) if not one.is_anonymous)
        text = f"({', '.join(map(to_text, atoms))})"
        name, arguments = self._name(text), tuple(variables)
        body = tuple(Literal(atom, location=atom.location) for atom in atoms)
        head = Atom(name, arguments, location=at.location)
        self._rules.setdefault(text, Rule(head, body, is_of_formula=True, location=at.location))
        names = tuple(one.name for one in arguments)
        noted = nodes.FormulaAtom(name, arguments, names=names, text=text, location=at.location)
        return dataclasses.replace(at, atom=noted)
