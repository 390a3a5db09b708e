"""The ASP program for rules that are evaluated together, with what evaluators must know of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

from lars2asp.analysis.arithmetic.constants import integer_term
from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.analysis.predicates import HeadAtom, head_atoms
from lars2asp.planning.asp.computed_rules import ComputedRules
from lars2asp.planning.asp.gated_intervals import Gates
from lars2asp.planning.asp.number_ranges import NumberRanges
from lars2asp.planning.asp.safe_arithmetic import made_safe
from lars2asp.planning.asp.wide_arithmetic import DIGITS, Operation, WideStatements
from lars2asp.planning.lookups import Lookup, LookupKind, RelevantAnswers
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import (
    LARGEST_INTEGER,
    SMALLEST_INTEGER,
    Node,
    Rule,
    Signature,
    Statement,
    Term,
    Variable,
    node,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.traversal import rewrite
from lars2asp.syntax.values import dataclass


@node
class LookupLiteral(nodes.Literal):
    """A literal of a generated rule that makes a lookup: `pattern = @call`.

    Attributes:
        lookup: the lookup.
    """

    atom: nodes.Comparison
    lookup: Lookup = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One line of generated text.

    Attributes:
        text: the text, with `@`-calls.
        origin: the place in the user's text that it comes from.
        written: the statement that it is.
        statement: the same, but for background data.
        background: for a fact of the background data, its predicate.
    """

    text: str
    origin: Location
    written: Statement
    statement: Statement | None = None
    background: Signature | None = None


class Draft(NamedTuple):
    """A translated statement, before it is made safe for clingo and printed.

    Attributes:
        statement: the statement.
        origin: the place in the user's text that it comes from.
        background: for a fact of the background data, its predicate.
    """

    statement: Statement
    origin: Location
    background: Signature | None = None


@dataclass(frozen=True)
class AspProgram:
    """The ASP program for rules that are evaluated together.

    Attributes:
        drafts: the program of a tick, as it was translated.
        constants: the integers that constants stand for.
        values: the terms that constants stand for.
        facts: ASP text of the background data.
        wide_facts: the same where numbers may have any size, if they need it.
        names: the generated names.
        lookups: the lookups of the program, each once.
        relevant_answers: for lookups of which only some answers matter, those.
        shown_as: for generated predicates in the output, the predicates whose atoms they stand for.
        recorded: the predicates whose atoms are put into the stream, and the predicate that they are there;
            only such as later ticks look at.
        placed: the predicates whose atoms are put into the stream at the tick that is their last argument,
            and the predicate that they are there.
        longest_reach: in ticks, how far back windows look that do not look back without end.
        depends_on_now: whether the answer may change with the tick alone, all lookups being the same.
        optimizes: whether answer streams are compared by weak constraints.
        priorities: those of weak constraints that are known before there is input, the highest first.
        has_externals: whether atoms may be true that neither rules derive nor the input has.
        shows_terms: whether terms are output that need not be atoms.
        guides_solver: whether the program has heuristics for the solver.
        projects: whether the whole program says on which atoms answer streams may be projected.
    """

    drafts: tuple[Draft, ...]
    constants: Mapping[str, int]
    values: Mapping[str, Term]
    facts: str
    wide_facts: "WideText | None"
    names: Names
    lookups: tuple[Lookup, ...]
    relevant_answers: Mapping[Lookup, tuple[RelevantAnswers, ...]]
    shown_as: Mapping[str, Signature]
    recorded: Mapping[Signature, Signature]
    placed: Mapping[Signature, Signature]
    longest_reach: int
    depends_on_now: bool
    optimizes: bool
    priorities: tuple[int, ...]
    has_externals: bool
    shows_terms: bool
    guides_solver: bool
    projects: bool

    @cached_property
    def _safe(self) -> tuple[tuple[PlanLine, ...], Mapping[tuple[Location, str], str]]:
        lines: list[PlanLine] = []
        meant: dict[tuple[Location, str], str] = {}
        for statement, origin, background in self.drafts:
            safe = made_safe(statement, self.constants, self.names)
            meant |= {(origin, said): text for said, text in safe.meant.items()}
            kept = safe.statement if background is None else None
            lines.append(PlanLine(to_text(safe.statement), origin, safe.statement, kept, background))
        return tuple(lines), meant

    @property
    def lines(self) -> tuple[PlanLine, ...]:
        """The program of a tick, to be grounded as the part `names.part` with the tick as `names.now`."""
        return self._safe[0]

    @property
    def meant(self) -> Mapping[tuple[Location, str], str]:
        """For what clingo may say about a place in the user's text, what it would say of the text there."""
        return self._safe[1]

    @property
    def text(self) -> str:
        """The text, one statement a line."""
        return "".join(f"{line.text}\n" for line in self.lines)

    @cached_property
    def ranges(self) -> NumberRanges:
        """The ranges of the numbers in it."""
        statements = [draft.statement for draft in self.drafts]
        return NumberRanges(ComputedRules(statements, self.constants, self.values, self.names.now, lookup_of))

    @cached_property
    def checks(self) -> tuple[PlanLine, ...]:
        """Lines that derive `names.left` where a number leaves the range in which it is looked at."""
        found = []
        left = nodes.Atom(self.names.left)
        for signature, place, most in self.ranges.grown:
            variables = [Variable(self.names.variable(number)) for number in range(1, signature.arity + 1)]
            atom = nodes.Atom(signature.name, tuple(variables), signature.is_positive)
            for low, high in ((most, LARGEST_INTEGER), (SMALLEST_INTEGER, -most)):
                guards = nodes.Guard("<=", variables[place]), nodes.Guard("<=", integer_term(high))
                range_ = nodes.Comparison(integer_term(low), guards)
                rule = Rule(left, (nodes.Literal(atom), nodes.Literal(range_)))
                found.append(PlanLine(to_text(rule), NOWHERE, rule, rule))
        return tuple(found)

    @property
    def checked_text(self) -> str:
        """The text with the checks behind it."""
        return self.text + "".join(f"{line.text}\n" for line in self.checks)

    def wide(
        self,
        digits: int = DIGITS,
        uncertain: frozenset[Signature] = frozenset(),
        largest_interval: int = LARGEST_INTERVAL,
    ) -> "WideText":
        """The text in which numbers may have any size; see `wide_arithmetic`.

        Args:
            digits: the number of digits that sums are divided into.
            uncertain: the predicates of which it is not known before the search what holds.
            largest_interval: the number of values that an interval may have.
        """
        drafts = [(draft.statement, draft.origin) for draft in self.drafts]
        return wide_text(drafts, self.constants, self.values, self.names, digits, uncertain, largest_interval)

    @property
    def origins(self) -> tuple[Location, ...]:
        """Where each line of the text comes from."""
        return tuple(line.origin for line in self.lines)

    @property
    def functions(self) -> dict[LookupKind, str]:
        """The `@`-function that each kind of lookup is called by."""
        return {kind: self.names.function(kind) for kind in LookupKind}

    @property
    def answer_predicates(self) -> dict[Lookup, str]:
        """For each lookup a predicate that the program does not have, for atoms that bear its answers."""
        return {lookup: self.names.answer(number) for number, lookup in enumerate(self.lookups)}


@dataclass(frozen=True)
class WideText:
    """Text in which numbers may have any size.

    Attributes:
        text: the text, one statement a line.
        origins: where each line comes from.
        names: the generated names.
        operations: what is computed, by the numbers that `@`-calls bear.
        digits: the number of digits that sums are divided into.
        quiet: the numbers of the lines of which clingo may say that something is undefined which is not.
    """

    text: str
    origins: tuple[Location, ...]
    names: Names
    operations: tuple[Operation, ...]
    digits: int
    quiet: frozenset[int]


def wide_text(
    statements: Iterable[tuple[Statement, Location]],
    constants: Mapping[str, int],
    values: Mapping[str, Term],
    names: Names,
    digits: int = DIGITS,
    uncertain: frozenset[Signature] = frozenset(),
    largest_interval: int = LARGEST_INTERVAL,
) -> WideText:
    """The text of statements in which numbers may have any size; see `AspProgram.wide`."""
    gates = Gates(names, constants, uncertain, largest_interval)
    wide = WideStatements(names, constants, values, uncertain, gates, digits)
    found = [(origin, *one) for statement, origin in statements for one in wide.written(statement, origin)]
    text = "".join(f"{to_text(statement)}\n" for _, statement, _ in found)
    quiet = frozenset(number for number, (_, _, is_quiet) in enumerate(found, 1) if is_quiet)
    origins = tuple(origin for origin, _, _ in found)
    return WideText(text, origins, names, tuple(wide.operations), digits, quiet)


def wide_facts(
    facts: Iterable[Statement], constants: Mapping[str, int], values: Mapping[str, Term], names: Names
) -> WideText | None:
    """The text of background data with numbers that clingo has not; None where there are none."""
    given = [*facts]
    if NumberRanges(ComputedRules(given, constants, values, names.now, lookup_of)).fits(0, 0, 0):
        return None
    return wide_text([(one, one.location) for one in given], constants, values, names)


def lookup_of(literal: Node) -> Lookup | None:
    """The lookup that a literal makes, if it makes one."""
    return literal.lookup if isinstance(literal, LookupLiteral) else None


def with_answer_atoms(statement: Statement, predicates: Mapping[Lookup, str]) -> Statement:
    """The statement with an atom that bears the answer in place of each lookup."""

    def changed(node: Node) -> Node:
        if isinstance(node, LookupLiteral):
            return nodes.Literal(nodes.Atom(predicates[node.lookup], (node.atom.term,)))
        return node

    return rewrite(statement, changed)


def atoms_made_true(statement: Statement) -> Iterator[HeadAtom]:
    """The atoms that a statement may make true; for other statements than rules and externals none."""
    if isinstance(statement, nodes.External):
        yield HeadAtom(statement.atom, is_chosen=True)
    elif isinstance(statement, Rule):
        yield from head_atoms(statement)


def head_predicates(statement: Statement) -> frozenset[Signature]:
    """The predicates of these atoms."""
    return frozenset(head.atom.signature for head in atoms_made_true(statement))


def term_of(atom: nodes.Atom) -> Term:
    """The term that is written as the atom is."""
    term = nodes.Function(atom.name, atom.arguments)
    return term if atom.is_positive else nodes.UnaryOperation("-", term)
