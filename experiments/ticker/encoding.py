"""The static encoding of a program, made once (Beck, Eiter, Folie 2017, algorithm 1).

With

    q(A) :- p(A,B) in [20], not r(B).

comes

    q(A) :- w_in_20_p(A,B), not r(B).
    w_in_20_p(X1,X2) :- now(N), start(S), p_at(X1,X2,T), N-20 <= T, T <= N, S <= T.
    r(X1) :- now(N), r_at(X1,N).

and the rules that bring in the stream. What a program does not need is left out: `a(X) :- now(N), a_at(X,N)`
where no rule reads a(X), its converse where no window sees what rules derive.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from experiments.ticker.reach import Reach, reaches_of
from experiments.ticker.templates import filled
from experiments.ticker.ticker_fragment import check_fragment
from experiments.ticker.ticker_names import TickerNames, new_variables
from experiments.ticker.window_atoms import Ticked, WindowAtoms, general_atom
from lars2asp.analysis.arithmetic.constants import constant_values
from lars2asp.analysis.predicates import (
    HeadAtom,
    all_predicates,
    head_atoms,
    head_atoms_of,
    is_fact,
    merge_windows,
    streaming_atoms,
)
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.compiler import CheckedProgram
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import (
    NOW,
    Atom,
    AtTick,
    Body,
    Box,
    Comparison,
    ConditionalLiteral,
    Constant,
    Defined,
    Diamond,
    Disjunction,
    Function,
    Guard,
    Head,
    HeadAggregate,
    HeadAggregateElement,
    Input,
    Literal,
    Node,
    ProjectSignature,
    Rule,
    SemanticsChoice,
    SetAggregate,
    Show,
    Sign,
    Signature,
    Statement,
    Term,
    Tick,
    TimeZone,
    Tuple,
    TupleWindow,
    Variable,
    WeakConstraint,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import body_of, rewrite, walk, with_body

ElementT = TypeVar("ElementT", ConditionalLiteral, HeadAggregateElement)

_NOT_FOR_THE_SOLVER = Tick | TimeZone | Input | SemanticsChoice | Show
"""Statements that mean nothing to the solver, or are written anew."""


@dataclass(frozen=True)
class Encoding:
    """The input of a solver call besides the stream.

    Attributes:
        text: the encoding.
        output: what is output.
        separated_output: what is output at ticks at which the input has atoms of predicates in `separated`.
        separated: derived predicates of which the input may make atoms true; those are not output.
        reaches: the predicates whose atoms solver calls get with their tick, as `p/2`.
        counted: the predicates whose atoms they get with their number.
        arrivals: how many arrivals tuple windows look back to.
        is_optimising: whether answers are optimal ones.
        common: the predicates that say to a solver call where time and input have come to, by their words
            in the templates.
    """

    text: str
    output: str
    separated_output: str
    separated: frozenset[str]
    reaches: Mapping[str, Reach]
    counted: frozenset[str]
    arrivals: int
    is_optimising: bool
    common: Mapping[str, str]


def encode(checked: CheckedProgram) -> Encoding:
    """The encoding of a program.

    Raises:
        ProgramError: if the program has what Ticker has not.
    """
    diagnostics = Diagnostics()
    check_fragment(checked.program, checked.semantics, diagnostics)
    diagnostics.raise_errors()
    return _Encoder(checked).encoding()


class _Encoder:
    def __init__(self, checked: CheckedProgram) -> None:
        program = self._program = checked.program
        self._names = TickerNames(program)
        self._ticked = Ticked(self._names)
        self._windows = WindowAtoms(self._names, self._ticked)
        self._signatures = frozenset(all_predicates(program))
        self._facts: dict[Signature, list[Atom]] = {}
        for rule in program.rules():
            if isinstance(rule.head, Atom) and is_fact(rule):
                self._facts.setdefault(rule.head.signature, []).append(rule.head)
        self._rules = [s for s in program.but_plain_facts if isinstance(s, Rule) and not is_fact(s)]
        heads = [head for rule in self._rules for head in head_atoms(rule)]
        self._placed = {head.atom.signature for head in heads if head.tick is not None}
        """The predicates of heads `a at T`."""
        self._read: set[Signature] = set()
        """The predicates of which atoms stand for the current tick, but for heads that bodies force."""

    def encoding(self) -> Encoding:
        program, constants = self._program, constant_values(self._program)
        lines = [line for statement in program.statements for line in self._statement(statement)]
        seen = {s.atom.signature for s in streaming_atoms(program) if not isinstance(s.window, TupleWindow)}
        analysis = ProgramAnalysis(program)
        derived, shown = analysis.derived, analysis.shown
        has_show = any(isinstance(statement, Show) for statement in program.statements)
        from_input = seen | self._read | merge_windows(program, constants).keys()
        held_now = self._read | (self._placed & shown)
        if has_show:
            from_input |= shown
            held_now |= shown
        all_reaches = reaches_of(program, constants, from_input | self._placed)
        for signature in sorted(self._placed | seen):
            lines += self._background(signature, all_reaches.get(signature))
        separated = [] if has_show else [s for s in derived if s in from_input & held_now]
        separated_output = [line for s in separated for line in self._separated(s)]
        lines += self._windows.rules()
        for signature in sorted(held_now):
            lines += self._filled("now_of_at", signature)
        for signature in sorted(seen.intersection(derived) - self._placed):
            lines += self._filled("at_of_now", signature)
        for signature in sorted(from_input):
            lines += self._filled("stream", signature)
        for signature in sorted(self._windows.counted()):
            lines += self._filled("counted", signature)
        output = ["#show.", *(f"#show {signature}." for signature in sorted(shown))]
        rest = [f"#show {signature}." for signature in sorted(shown.difference(separated))]
        return Encoding(
            text=_text(lines),
            output=_text(output),
            separated_output=_text(["#show.", *rest, *separated_output]),
            separated=frozenset(map(str, separated)),
            reaches={str(s): all_reaches[s] for s in sorted(from_input)},
            counted=frozenset(map(str, self._windows.counted())),
            arrivals=self._windows.longest_tuple_window(),
            is_optimising=any(isinstance(s, WeakConstraint) for s in program.statements),
            common=self._ticked.common,
        )

    # --- statements -----------------------------------------------------------------------------------

    def _statement(self, statement: Statement) -> Iterator[str]:
        """A statement as the solver gets it."""
        if isinstance(statement, _NOT_FOR_THE_SOLVER):
            return
        new: Statement = statement
        if isinstance(statement, Rule) and not is_fact(statement):
            new = self._rule(statement)
        elif not isinstance(statement, Rule | Constant | Defined):
            new = self._encoded(statement)
        self._note_reading(new)
        yield to_text(new)

    def _note_reading(self, encoded: Statement) -> None:
        if isinstance(encoded, Rule) and isinstance(encoded.head, Atom):
            encoded = dataclasses.replace(encoded, head=None)
        elif isinstance(encoded, ProjectSignature):
            self._read.add(encoded.signature)
        atoms = {node.signature for node in walk(encoded) if isinstance(node, Atom)}
        self._read |= atoms & self._signatures

    def _rule(self, rule: Rule) -> Statement:
        """A rule; without a future or a past that is recorded, temporary rules are like others."""
        return self._encoded(dataclasses.replace(rule, head=self._head(rule.head), is_temporary=False))

    def _encoded(self, statement: Statement) -> Statement:
        """A statement, whose head has been seen to, without streaming atoms."""
        (now,) = new_variables(1, statement)

        def change(node: Node) -> Node:
            match node:
                case Function() if node == NOW:
                    return now
                case AtTick(atom, tick, None) if atom.signature not in self._placed:
                    return self._ticked.at(atom, tick)
                case Diamond() | Box() | AtTick():
                    return self._windows.encoded(node)
                case _:
                    return node

        changed = rewrite(statement, change)
        if now not in walk(changed):
            return changed
        is_now = Literal(Atom(self._ticked.common["now"], (now,)))
        return with_body(changed, (is_now, *body_of(changed)))

    def _head(self, head: Head | None) -> Head | None:
        """A head: `a at T` becomes a_at(X,T), and so does a for T = now where both may be the same atom."""
        match head:
            case Atom() | AtTick():
                return self._head_atom(head)
            case Disjunction() | SetAggregate() | HeadAggregate():
                elements: Any = tuple(map(self._head_element, head.elements))
                return dataclasses.replace(head, elements=elements)
            case _:
                return head

    def _head_element(self, element: ElementT) -> ElementT:
        literal = element.literal
        if literal.sign is Sign.POSITIVE and isinstance(literal.atom, Atom | AtTick):
            literal = dataclasses.replace(literal, atom=self._head_atom(literal.atom))
        return dataclasses.replace(element, literal=literal)

    def _head_atom(self, head: Atom | AtTick) -> Atom:
        if isinstance(head, AtTick):
            return self._ticked.at(head.atom, head.tick)
        return self._ticked.at(head, NOW) if head.signature in self._placed else head

    # --- what connects predicates ---------------------------------------------------------------------

    def _filled(self, template: str, signature: Signature, **more: str) -> list[str]:
        """The rules of a template for a predicate."""
        atom = general_atom(signature)
        return filled(
            template,
            atom=to_text(atom),
            arguments=to_text(Tuple(atom.arguments)),
            key=str(signature),
            at=to_text(self._ticked.at(atom)),
            at_now=to_text(self._ticked.at(atom, Variable("N"))),
            counted=to_text(self._ticked.counted(atom)),
            background=to_text(self._renamed("{}_always", atom)),
            input=to_text(self._renamed("input_{}", atom)),
            derived=to_text(self._renamed("derived_{}", atom)),
            **self._ticked.common,
            **more,
        )

    def _renamed(self, base: str, atom: Atom) -> Atom:
        return Atom(self._names.of(base, atom.signature), atom.arguments)

    def _background(self, signature: Signature, reach: Reach | None) -> Iterator[str]:
        """For facts of the program of a predicate: they hold at all ticks that are looked at."""
        facts = self._facts.get(signature, [])
        for atom in facts:
            yield to_text(Rule(self._renamed("{}_always", atom)))
        if facts and reach is not None:
            is_near = reach.back is not None and not reach.fixed
            yield from self._filled("background", signature, first=f"N-{reach.back}" if is_near else "S")

    # --- output ---------------------------------------------------------------------------------------

    def _separated(self, signature: Signature) -> Iterator[str]:
        """The output of a predicate without what the input alone makes true."""
        yield from self._filled("output", signature)
        for atom in self._facts.get(signature, []):
            yield to_text(Rule(self._renamed("derived_{}", atom)))
        for rule in self._rules:
            for head in head_atoms(rule):
                if head.atom.signature == signature:
                    yield to_text(self._encoded(self._deriving(rule, head)))

    def _deriving(self, rule: Rule, head: HeadAtom) -> Rule:
        """A rule for the atoms of the input that are in a head whose body is true.

        What else a disjunction offers (`not a`, a comparison) counts as its contrary in the body.
        """
        variables = tuple(new_variables(len(head.atom.arguments), rule))
        pairs: list[tuple[Term, Term]] = list(zip(variables, head.atom.arguments, strict=True))
        if head.tick is not None:
            pairs.append((NOW, head.tick))
        arrived = dataclasses.replace(head.atom, arguments=variables)
        body: Body = (
            Literal(self._renamed("input_{}", arrived)),
            *(Literal(Comparison(left, (Guard("=", right),))) for left, right in pairs),
            *head.condition,
            *rule.body,
        )
        if isinstance(rule.head, Disjunction):
            body += tuple(
                _contrary(element) for element in rule.head.elements if not any(head_atoms_of(element))
            )
        return Rule(self._renamed("derived_{}", arrived), body)


def _contrary(element: ConditionalLiteral) -> ConditionalLiteral | Literal:
    """The contrary of an element of a disjunction."""
    sign = Sign.NOT_NOT if element.literal.sign is Sign.NOT else Sign.NOT
    literal = dataclasses.replace(element.literal, sign=sign)
    return dataclasses.replace(element, literal=literal) if element.condition else literal


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in dict.fromkeys(lines))
