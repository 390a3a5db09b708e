"""Rules for the evaluator `delta`, which counts how often atoms are derived, from changes of their bodies.

An instance of such a rule names the atoms of the stream that it depends on. The evaluator itself finds the
instances of rules that only rename atoms, or join them (`join_rules`). clingo finds all others
(`instance_text`): it grounds an instance once, when the last of its atoms comes up for the first time.
"""

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from lars2asp.analysis.constants import has_interval, integer_value
from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.windows import LastArrivals, Unbounded
from lars2asp.planning.join_rules import JoinRule, TermMember, join_rule
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import walk


@dataclass(frozen=True, slots=True)
class Member:
    """One of the answers to a lookup, on which instances depend.

    Attributes:
        lookup: the lookup.
        pattern: a term for the answer.
    """

    lookup: Lookup
    pattern: str


@dataclass(frozen=True, slots=True)
class BackgroundLiteral:
    """A literal over background data.

    Attributes:
        text: the literal.
        is_negated: whether it is negated.
        member: its meaning when the input has atoms of the predicate as well.
    """

    text: str
    is_negated: bool
    member: Member


@dataclass(frozen=True, slots=True)
class DeltaRule:
    """A rule for `delta`.

    Attributes:
        derives: the predicate that it derives.
        head: a term for the atom that it derives.
        positive: the answers that must hold.
        negative: the answers that must not hold.
        background: the literals over background data.
        others: comparisons and the like.
        origin: the place in the user's text.
        is_renaming: whether each atom has the arguments of the one atom that must hold, in their order, and
            that is the whole body.
        join: the rule as a join; None if it is more than that, or a renaming.
    """

    derives: Signature
    head: str
    positive: tuple[Member, ...]
    negative: tuple[Member, ...]
    background: tuple[BackgroundLiteral, ...]
    others: tuple[str, ...]
    origin: Location
    is_renaming: bool = False
    join: JoinRule | None = None

    @property
    def is_ground_by_clingo(self) -> bool:
        """Whether it takes clingo to find its instances."""
        return not self.is_renaming and self.join is None


class NotForDeltaError(ValueError):
    """The reason why the evaluator `delta` cannot serve a rule."""


@dataclass(frozen=True)
class RestOfProgram:
    """The findings about the rest of the program on which the rules for `delta` depend.

    Attributes:
        constants: the values of integer constants.
        with_facts: the predicates of background data.
        derived: the predicates that rules derive.
        hidden: those of them whose atoms of the current tick are not in the stream yet.
    """

    constants: Mapping[str, int]
    with_facts: Collection[Signature]
    derived: Collection[Signature]
    hidden: Collection[Signature]


def delta_rule(rule: nodes.Rule, own: Collection[Signature], names: Names, rest: RestOfProgram) -> DeltaRule:
    """The rule for `delta` that stands for a rule.

    Args:
        rule: a rule that derives atoms of `own`.
        own: the predicates that are derived together with its head.
        names: gives names to variables.
        rest: the rest of the program.

    Raises:
        NotForDeltaError: if there is none.
    """
    return _DeltaRuleMaker(rule, own, names, rest).made()


def _refuse(node: nodes.Node, what: str) -> NoReturn:
    raise NotForDeltaError(f"{what} (line {node.location.line})")


class _DeltaRuleMaker:
    def __init__(
        self, rule: nodes.Rule, own: Collection[Signature], names: Names, rest: RestOfProgram
    ) -> None:
        self._rule = rule
        self._own = own
        self._names = names
        self._rest = rest
        self._count = 0
        self._positive: list[Member] = []
        self._negative: list[Member] = []
        self._background: list[BackgroundLiteral] = []
        self._others: list[str] = []
        self._positive_terms: list[TermMember] = []
        self._negative_terms: list[TermMember] = []
        self._comparisons: list[nodes.Comparison] = []

    def made(self) -> DeltaRule:
        rule = self._rule
        if not isinstance(rule.head, nodes.Atom):
            _refuse(rule, "a head that is not one atom")
        for node in walk(rule):
            if node == nodes.NOW:
                _refuse(node, "@now")
            if isinstance(node, nodes.Function) and node.is_external:
                _refuse(node, "an @-function")
            if isinstance(node, nodes.Atom) and not node.arguments and node.name in self._names.constants:
                _refuse(node, "an atom with the name of a constant")
        for literal in rule.body:
            if not isinstance(literal, nodes.Literal):
                _refuse(literal, "a conditional literal")
            self._literal(literal)
        is_renaming = self._renames(rule.head)
        return DeltaRule(
            rule.head.signature,
            to_text(rule.head),
            tuple(self._positive),
            tuple(self._negative),
            tuple(self._background),
            tuple(self._others),
            rule.location,
            is_renaming,
            None if is_renaming else self._join(rule.head),
        )

    def _join(self, head: nodes.Atom) -> JoinRule | None:
        """The rule as a join; None if it is more than that."""
        if len(self._comparisons) < len(self._others):
            return None
        return join_rule(
            head,
            self._positive_terms,
            self._negative_terms,
            self._comparisons,
            self._names,
            self._rest.constants,
        )

    def _renames(self, head: nodes.Atom) -> bool:
        """Whether the rule only gives atoms of one predicate another name."""
        if len(self._rule.body) != 1 or len(self._positive) != 1:
            return False
        [literal] = self._rule.body
        inner = literal.atom if isinstance(literal, nodes.Literal) else None
        if isinstance(inner, nodes.Diamond | nodes.Box):
            inner = inner.atom
        if not isinstance(inner, nodes.Atom):
            return False
        variables = [argument for argument in inner.arguments if isinstance(argument, nodes.Variable)]
        return (
            inner.arguments == head.arguments
            and len(set(variables)) == len(inner.arguments)
            and nodes.Variable("_") not in variables
        )

    def _literal(self, literal: nodes.Literal) -> None:
        atom = literal.atom
        if isinstance(atom, nodes.Comparison | nodes.Boolean):
            self._others.append(to_text(literal))
            if isinstance(atom, nodes.Comparison) and literal.sign is nodes.Sign.POSITIVE:
                self._comparisons.append(atom)
        elif literal.sign is nodes.Sign.NOT_NOT:
            _refuse(literal, "a double negation")
        elif isinstance(atom, nodes.Atom):
            self._plain(literal, atom)
        elif isinstance(atom, nodes.StreamingAtom):
            self._streaming(literal, atom)
        else:
            _refuse(atom, "an aggregate")

    def _plain(self, literal: nodes.Literal, atom: nodes.Atom) -> None:
        signature, rest = atom.signature, self._rest
        if signature in self._own:
            _refuse(atom, "recursion")
        lookup = Lookup(LookupKind.NOW, signature)
        if signature in rest.derived or signature not in rest.with_facts:
            self._add(literal, lookup, atom)
            return
        pattern = self._pattern(atom, literal.sign)
        self._add_terms(literal, lookup, pattern.arguments)
        member = Member(lookup, to_text(pattern))
        self._background.append(BackgroundLiteral(to_text(literal), literal.sign is nodes.Sign.NOT, member))

    def _streaming(self, literal: nodes.Literal, streaming: nodes.StreamingAtom) -> None:
        signature, rest = streaming.atom.signature, self._rest
        window = window_of(streaming, rest.constants)
        if not isinstance(window, LastArrivals) and window.includes_now:
            if signature in self._own:
                _refuse(streaming, "recursion")
            if signature in rest.hidden:
                _refuse(streaming, "a window over what rules derive, which is not recorded at once")
        match streaming:
            case nodes.Diamond(atom):
                self._add(literal, Lookup(LookupKind.IN, signature, window), atom)
            case nodes.Box(atom):
                self._add(literal, Lookup(LookupKind.ALWAYS, signature, window), atom)
            case nodes.AtTick(atom, tick, written) if written is not None or isinstance(window, Unbounded):
                self._add(literal, Lookup(LookupKind.AT, signature, window), atom, tick)
            case nodes.AtTick(atom):
                self._add(literal, Lookup(LookupKind.IN, signature, window), atom)
            case nodes.Count(atom, number):
                self._add(literal, Lookup(LookupKind.COUNT, signature, window), atom, number)
            case nodes.AtLeast(atom, number):
                least = integer_value(number, rest.constants)
                if least is None:
                    _refuse(streaming, "`at least` with a number that varies")
                is_in = least <= 1
                kind = LookupKind.IN if is_in else LookupKind.LEAST
                self._add(literal, Lookup(kind, signature, window, None if is_in else least), atom)
            case _:
                _refuse(streaming, "`at most`")

    def _add(
        self, literal: nodes.Literal, lookup: Lookup, atom: nodes.Atom, more: nodes.Term | None = None
    ) -> None:
        pattern = self._pattern(atom, literal.sign)
        text, terms = to_text(pattern), pattern.arguments
        if more is not None:
            number = self._term(more, literal.sign)
            text, terms = f"({text},{to_text(number)})", (*terms, number)
        self._add_terms(literal, lookup, terms)
        is_positive = literal.sign is nodes.Sign.POSITIVE
        (self._positive if is_positive else self._negative).append(Member(lookup, text))

    def _add_terms(self, literal: nodes.Literal, lookup: Lookup, terms: Sequence[nodes.Term]) -> None:
        is_positive = literal.sign is nodes.Sign.POSITIVE
        (self._positive_terms if is_positive else self._negative_terms).append((lookup, terms))

    def _pattern(self, atom: nodes.Atom, sign: nodes.Sign) -> nodes.Atom:
        arguments = tuple(self._term(argument, sign) for argument in atom.arguments)
        return dataclasses.replace(atom, arguments=arguments)

    def _term(self, term: nodes.Term, sign: nodes.Sign) -> nodes.Term:
        """The term, with names for variables without; it must be one that can be matched, or computed."""
        if sign is nodes.Sign.NOT:
            if nodes.Variable("_") in set(walk(term)):
                _refuse(term, "`_` under `not`")
            if has_interval(term):  # pools are written out before
                _refuse(term, "an interval or a pool under `not`")
            return term
        match term:
            case nodes.Variable("_"):
                self._count += 1
                return nodes.Variable(self._names.variable(self._count))
            case nodes.Variable() | nodes.Number() | nodes.String() | nodes.Extremum():
                return term
            case nodes.Function(_, arguments) | nodes.Tuple(arguments):
                inner = tuple(self._term(argument, sign) for argument in arguments)
                return dataclasses.replace(term, arguments=inner)
            case _:
                _refuse(term, "arithmetic in an atom of the body")


@dataclass(frozen=True)
class DeltaRules:
    """The rules of a component for `delta`.

    Attributes:
        refusal: why `delta` cannot serve the component; None where it can. If it cannot, there are no rules.
        rules: the rules.
        facts: ASP text of the background data that clingo looks at for them, a statement a line.
        own: the predicates that they derive.
    """

    refusal: str | None = None
    rules: tuple[DeltaRule, ...] = ()
    facts: str = ""
    own: frozenset[Signature] = frozenset()

    @property
    def background(self) -> tuple[Signature, ...]:
        """The predicates of background data in rules that clingo grounds, each once."""
        rules = (rule for rule in self.rules if rule.is_ground_by_clingo)
        found = (literal.member.lookup.signature for rule in rules for literal in rule.background)
        return tuple(dict.fromkeys(signature for signature in found if signature is not None))

    @property
    def lookups(self) -> tuple[Lookup, ...]:
        """All lookups that may be made, each once; also for input of background data and own predicates."""
        background = [literal.member.lookup for rule in self.rules for literal in rule.background]
        as_input = [
            Lookup(LookupKind.INPUT, signature) for signature in (*self.background, *sorted(self.own))
        ]
        return tuple(dict.fromkeys([*_lookups(self.rules), *background, *as_input]))

    @property
    def lookups_by_clingo(self) -> tuple[Lookup, ...]:
        """The lookups of rules that clingo grounds but for background data, each once."""
        return _lookups(rule for rule in self.rules if rule.is_ground_by_clingo)


def _lookups(rules: Iterable[DeltaRule]) -> tuple[Lookup, ...]:
    """The lookups of rules but for background data, each once."""
    members = [member.lookup for rule in rules for member in (*rule.positive, *rule.negative)]
    return tuple(dict.fromkeys(members))
