"""Translates a checked program to ASP with `@`-calls: streaming atoms become plain atoms.

Each streaming atom over p(X), whatever its arguments, is one generated predicate with the arguments of p.
Two rules define it, for the past and for the share of the current tick (only if rules derive p; of other
predicates the database knows the current tick as well). With `q(X) :- p(X).` in the program,

    a(X) :- q(X) in [5].

becomes (the tests have every case)

    a(X) :- lars_in_sliding_5_q(X).
    lars_in_sliding_5_q(X1) :- (X1,) = @lars_in("q",1,"sliding(5)",lars_now).
    lars_in_sliding_5_q(X1) :- q(X1).

which is the translation of Eiter, Ogris, Schekotihin (2019), section 4, taken predicate by predicate.
"""

import dataclasses
from collections.abc import Sequence

from lars2asp.constants import constant_values
from lars2asp.names import Names
from lars2asp.plan import Lookup, LookupKind, Plan, PlanLine
from lars2asp.predicates import (
    all_predicates,
    derived_predicates,
    is_fact,
    reaches,
    shown_predicates,
    window_of,
)
from lars2asp.printer import to_text
from lars2asp.source import NOWHERE, Location
from lars2asp.syntax import (
    NOW,
    Atom,
    AtTick,
    Box,
    Constant,
    Diamond,
    Function,
    Input,
    Literal,
    Node,
    Program,
    Rule,
    Semantics,
    SemanticsChoice,
    Show,
    Signature,
    StreamingAtom,
)
from lars2asp.traversal import map_literals, replace_term, walk
from lars2asp.windows import Fixed, TickWindow, Unbounded, tick_length


def translate(program: Program, semantics: Semantics | None = None) -> Plan:
    """The plan of a checked program; `semantics` goes before the program's own choice.

    Raises nothing for a program that passed the checks.
    """
    return _Translation(program).plan(semantics)


class _Translation:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._constants = constant_values(program)
        self._names = Names(program)
        self._derived = frozenset(derived_predicates(program))
        self._lookups: dict[Lookup, None] = {}
        self._defined: set[str] = set()
        self._lines: list[PlanLine] = []
        self._depends_on_now = False
        self._separates_input = False
        self._shown_as: dict[str, Signature] = {}

    def plan(self, semantics: Semantics | None) -> Plan:
        program = self._program
        chosen = [s.semantics for s in program.statements if isinstance(s, SemanticsChoice)]
        effective = semantics or (chosen[0] if chosen else Semantics.RECORDED)
        has_show = any(isinstance(statement, Show) for statement in program.statements)
        self._separates_input = effective is Semantics.STRICT and not has_show
        constants = [s for s in program.statements if isinstance(s, Constant)]
        for constant in constants:
            self._add(to_text(constant), constant.location)
        for rule in program.rules():
            self._rule(rule)
        self._input_rules()
        self._show()
        reach = reaches(program, self._constants)
        return Plan(
            semantics=effective,
            facts="".join(f"{to_text(s)}\n" for s in [*constants, *filter(is_fact, program.rules())]),
            lines=tuple(self._lines),
            part=self._names.part,
            parameter=self._names.now,
            functions={kind: self._names.function(kind) for kind in LookupKind},
            lookups=tuple(self._lookups),
            shown_as=self._shown_as,
            recorded=frozenset(self._derived & reach.keys())
            if effective is Semantics.RECORDED
            else frozenset(),
            reach=reach,
            depends_on_now=self._depends_on_now,
            tick_length=tick_length(program),
            inputs=tuple(s for s in program.statements if isinstance(s, Input)),
        )

    def _add(self, text: str, origin: Location) -> None:
        self._lines.append(PlanLine(text, origin))

    def _rule(self, rule: Rule) -> None:
        definitions = len(self._lines)
        head = rule.head
        if self._separates_input and isinstance(head, Atom) and head.signature in self._derived:
            head = dataclasses.replace(head, name=self._names.derived(head.signature), is_positive=True)
        body = map_literals(rule.body, self._literal)
        text = to_text(self._with_tick(dataclasses.replace(rule, head=head, body=body)))
        self._lines.insert(definitions, PlanLine(text, rule.location))

    def _with_tick(self, rule: Rule) -> Rule:
        if not any(part == NOW for part in walk(rule)):
            return rule
        self._depends_on_now = True
        return replace_term(rule, NOW, Function(self._names.now))

    def _literal(self, literal: Literal) -> Literal:
        if not isinstance(literal.atom, Diamond | Box | AtTick):
            return literal
        return dataclasses.replace(literal, atom=self._streaming_atom(literal.atom))

    def _streaming_atom(self, streaming: StreamingAtom) -> Atom:
        """The plain atom in place of a streaming atom; sees to the rules that define it."""
        atom = streaming.atom
        window = window_of(streaming, self._constants)
        arguments = atom.arguments
        if isinstance(streaming, Box):
            kind = LookupKind.ALWAYS
        elif isinstance(streaming, AtTick) and (streaming.window or isinstance(window, Unbounded)):
            kind = LookupKind.AT
            arguments = (*arguments, streaming.tick)
        else:
            kind = LookupKind.IN
        name = self._names.streaming_atom(kind, str(window), atom.signature)
        if name not in self._defined:
            self._defined.add(name)
            self._define(name, kind, atom.signature, window, streaming)
        return Atom(name, arguments, location=streaming.location)

    def _define(
        self, name: str, kind: LookupKind, signature: Signature, window: TickWindow, origin: Node
    ) -> None:
        variables = [f"X{i}" for i in range(1, signature.arity + 1)]
        is_derived = signature in self._derived

        def add(head: Sequence[str], *body: str) -> None:
            self._add(f"{_atom(name, head)} :- {', '.join(body)}.", origin.location)

        if kind is LookupKind.AT:
            ticked = [*variables, "T"]
            add(ticked, f"{_tuple(ticked)} = {self._call(kind, signature, window)}")
            if is_derived and _includes_now(window):
                self._depends_on_now = True
                add([*variables, self._names.now], _plain_atom(signature, variables))
        elif kind is LookupKind.ALWAYS and is_derived and _includes_now(window):
            past = self._call(LookupKind.ALWAYS_BEFORE, signature, window)
            add(variables, _plain_atom(signature, variables), f"{_tuple(variables)} = {past}")
            nothing = self._call(LookupKind.NOTHING_BEFORE, None, window)
            add(variables, _plain_atom(signature, variables), f"1 = {nothing}")
        else:
            add(variables, f"{_tuple(variables)} = {self._call(kind, signature, window)}")
            if is_derived and isinstance(window, Fixed):
                self._depends_on_now = True
                add(variables, _plain_atom(signature, variables), f"{window.tick} = {self._names.now}")
            elif is_derived and _includes_now(window):
                add(variables, _plain_atom(signature, variables))

    def _input_rules(self) -> None:
        """For every predicate the rule that brings in what the input tells for the tick."""
        for signature, location in all_predicates(self._program).items():
            variables = [f"X{i}" for i in range(1, signature.arity + 1)]
            told = self._call(LookupKind.TOLD, signature, None)
            self._add(f"{_plain_atom(signature, variables)} :- {_tuple(variables)} = {told}.", location)

    def _show(self) -> None:
        """What is output: with strict semantics, of what the input tells only what rules derive as well.

        That is what Laser and Ticker report: the answer stream without the data stream.
        """
        self._add("#show.", NOWHERE)
        for signature in sorted(shown_predicates(self._program)):
            if not self._separates_input:
                self._add(f"#show {signature}.", NOWHERE)
                continue
            variables = [f"X{i}" for i in range(1, signature.arity + 1)]
            name = self._names.derived(signature)
            self._add(f"{_plain_atom(signature, variables)} :- {_atom(name, variables)}.", NOWHERE)
            self._add(f"#show {name}/{signature.arity}.", NOWHERE)
            self._shown_as[name] = signature

    def _call(self, kind: LookupKind, signature: Signature | None, window: TickWindow | None) -> str:
        self._lookups[Lookup(kind, signature, window)] = None
        arguments = []
        if signature is not None:
            arguments += [f'"{"" if signature.is_positive else "-"}{signature.name}"', str(signature.arity)]
        if window is not None:
            arguments.append(f'"{window}"')
        return f"@{self._names.function(kind)}({','.join([*arguments, self._names.now])})"


def _includes_now(window: TickWindow) -> bool:
    return not isinstance(window, Fixed) and window.includes_now


def _atom(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({','.join(arguments)})" if arguments else name


def _plain_atom(signature: Signature, variables: Sequence[str]) -> str:
    return ("" if signature.is_positive else "-") + _atom(signature.name, variables)


def _tuple(variables: Sequence[str]) -> str:
    return f"({variables[0]},)" if len(variables) == 1 else f"({','.join(variables)})"
