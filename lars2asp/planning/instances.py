"""Rules for the evaluator `delta`, which counts what they derive from what begins and ends to hold.

An instance of such a rule names the atoms of the stream that it depends on. Instances of rules that only
rename atoms, or join them (lars2asp.joins), are found by the evaluator itself. All others are asked of
clingo: an instance is ground once, when the last of its atoms comes up for the first time, and is kept.
"""

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from lars2asp.analysis.constants import has_interval, integer_value
from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.windows import LastArrivals, Unbounded
from lars2asp.planning.join_rules import Asked, JoinRule, join_rule
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.names import Names
from lars2asp.syntax.nodes import (
    NOW,
    AtLeast,
    Atom,
    AtTick,
    Boolean,
    Box,
    Comparison,
    Count,
    Diamond,
    Extremum,
    Function,
    Literal,
    Node,
    Number,
    Pool,
    Rule,
    Sign,
    Signature,
    StreamingAtom,
    String,
    Term,
    Tuple,
    Variable,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.traversal import walk


@dataclass(frozen=True, slots=True)
class Member:
    """What an instance depends on: one of the answers to a lookup.

    Attributes:
        lookup: what is asked.
        pattern: a term for the answer.
    """

    lookup: Lookup
    pattern: str


@dataclass(frozen=True, slots=True)
class Background:
    """A literal over background data.

    Attributes:
        text: the literal.
        is_negated: whether it is negated.
        member: what it is should the input tell atoms of the predicate too.
    """

    text: str
    is_negated: bool
    member: Member


@dataclass(frozen=True, slots=True)
class InstanceRule:
    """A rule for `delta`.

    Attributes:
        derives: the predicate that it derives.
        head: a term for the atom that it derives.
        positive: what must hold.
        negative: what must not.
        background: the literals over background data.
        others: comparisons and the like.
        origin: the place in the user's text.
        is_renaming: whether each atom has the arguments of the one atom that must hold, in their order, and
            nothing else is asked.
        join: the rule as a join; None if it is more than that, or a renaming.
    """

    derives: Signature
    head: str
    positive: tuple[Member, ...]
    negative: tuple[Member, ...]
    background: tuple[Background, ...]
    others: tuple[str, ...]
    origin: Location
    is_renaming: bool = False
    join: JoinRule | None = None

    @property
    def is_ground_by_clingo(self) -> bool:
        """Whether it takes clingo to find its instances."""
        return not self.is_renaming and self.join is None


class NotInstancesError(ValueError):
    """A rule is none whose instances can be kept; says why."""


@dataclass(frozen=True)
class Surroundings:
    """What must be known about the rest of the program to make instance rules of a rule.

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


def instance_rule(rule: Rule, own: Collection[Signature], names: Names, around: Surroundings) -> InstanceRule:
    """The rule for `delta` that stands for a rule.

    Args:
        rule: a rule that derives atoms of `own`.
        own: the predicates that are derived together with its head.
        names: gives names to variables.
        around: the rest of the program.

    Raises:
        NotInstancesError: if there is none.
    """
    return _Maker(rule, own, names, around).made()


def _refuse(node: Node, what: str) -> NoReturn:
    raise NotInstancesError(f"{what} (line {node.location.line})")


class _Maker:
    def __init__(self, rule: Rule, own: Collection[Signature], names: Names, around: Surroundings) -> None:
        self._rule = rule
        self._own = own
        self._names = names
        self._around = around
        self._count = 0
        self._positive: list[Member] = []
        self._negative: list[Member] = []
        self._background: list[Background] = []
        self._others: list[str] = []
        self._asked: list[Asked] = []
        self._asked_negated: list[Asked] = []
        self._comparisons: list[Comparison] = []

    def made(self) -> InstanceRule:
        rule = self._rule
        if not isinstance(rule.head, Atom):
            _refuse(rule, "a head that is not one atom")
        for node in walk(rule):
            if node == NOW:
                _refuse(node, "@now")
            if isinstance(node, Function) and node.is_external:
                _refuse(node, "an @-function")
            if isinstance(node, Atom) and not node.arguments and node.name in self._names.constants:
                _refuse(node, "an atom with the name of a constant")
        for literal in rule.body:
            if not isinstance(literal, Literal):
                _refuse(literal, "a conditional literal")
            self._literal(literal)
        made = InstanceRule(
            rule.head.signature,
            to_text(rule.head),
            tuple(self._positive),
            tuple(self._negative),
            tuple(self._background),
            tuple(self._others),
            rule.location,
        )
        if self._renames(rule.head):
            return dataclasses.replace(made, is_renaming=True)
        return dataclasses.replace(made, join=self._join(rule.head))

    def _join(self, head: Atom) -> JoinRule | None:
        """The rule as a join; None if it is more than that."""
        if len(self._comparisons) < len(self._others):
            return None
        return join_rule(
            head, self._asked, self._asked_negated, self._comparisons, self._names, self._around.constants
        )

    def _renames(self, head: Atom) -> bool:
        """Whether the rule only gives atoms of one predicate another name."""
        if len(self._rule.body) != 1 or len(self._positive) != 1:
            return False
        [literal] = self._rule.body
        inner = literal.atom if isinstance(literal, Literal) else None
        if isinstance(inner, Diamond | Box):
            inner = inner.atom
        if not isinstance(inner, Atom):
            return False
        variables = [argument for argument in inner.arguments if isinstance(argument, Variable)]
        return (
            inner.arguments == head.arguments
            and len(set(variables)) == len(inner.arguments)
            and Variable("_") not in variables
        )

    def _literal(self, literal: Literal) -> None:
        atom = literal.atom
        if isinstance(atom, Comparison | Boolean):
            self._others.append(to_text(literal))
            if isinstance(atom, Comparison) and literal.sign is Sign.POSITIVE:
                self._comparisons.append(atom)
        elif literal.sign is Sign.NOT_NOT:
            _refuse(literal, "a double negation")
        elif isinstance(atom, Atom):
            self._plain(literal, atom)
        elif isinstance(atom, StreamingAtom):
            self._streaming(literal, atom)
        else:
            _refuse(atom, "an aggregate")

    def _plain(self, literal: Literal, atom: Atom) -> None:
        signature, around = atom.signature, self._around
        if signature in self._own:
            _refuse(atom, "recursion")
        lookup = Lookup(LookupKind.NOW, signature)
        if signature in around.derived or signature not in around.with_facts:
            self._add(literal, lookup, atom)
            return
        pattern = self._pattern(atom, literal.sign)
        self._ask(literal, lookup, pattern.arguments)
        member = Member(lookup, to_text(pattern))
        self._background.append(Background(to_text(literal), literal.sign is Sign.NOT, member))

    def _streaming(self, literal: Literal, streaming: StreamingAtom) -> None:
        signature, around = streaming.atom.signature, self._around
        window = window_of(streaming, around.constants)
        if not isinstance(window, LastArrivals) and window.includes_now:
            if signature in self._own:
                _refuse(streaming, "recursion")
            if signature in around.hidden:
                _refuse(streaming, "a window over what rules derive, which is not recorded at once")
        match streaming:
            case Diamond(atom):
                self._add(literal, Lookup(LookupKind.IN, signature, window), atom)
            case Box(atom):
                self._add(literal, Lookup(LookupKind.ALWAYS, signature, window), atom)
            case AtTick(atom, tick, written) if written is not None or isinstance(window, Unbounded):
                self._add(literal, Lookup(LookupKind.AT, signature, window), atom, tick)
            case AtTick(atom):
                self._add(literal, Lookup(LookupKind.IN, signature, window), atom)
            case Count(atom, number):
                self._add(literal, Lookup(LookupKind.COUNT, signature, window), atom, number)
            case AtLeast(atom, number):
                self._at_least(literal, streaming, atom, integer_value(number, around.constants))
            case _:
                _refuse(streaming, "`at most`")

    def _at_least(self, literal: Literal, streaming: AtLeast, atom: Atom, least: int | None) -> None:
        window = window_of(streaming, self._around.constants)
        if least is not None and least <= 1:
            self._add(literal, Lookup(LookupKind.IN, atom.signature, window), atom)
            return
        if least is None:
            _refuse(streaming, "`at least` with a number that varies")
        self._add(literal, Lookup(LookupKind.LEAST, atom.signature, window, least), atom)

    def _add(self, literal: Literal, lookup: Lookup, atom: Atom, more: Term | None = None) -> None:
        pattern = self._pattern(atom, literal.sign)
        text, terms = to_text(pattern), pattern.arguments
        if more is not None:
            number = self._term(more, literal.sign)
            text, terms = f"({text},{to_text(number)})", (*terms, number)
        self._ask(literal, lookup, terms)
        (self._positive if literal.sign is Sign.POSITIVE else self._negative).append(Member(lookup, text))

    def _ask(self, literal: Literal, lookup: Lookup, terms: Sequence[Term]) -> None:
        (self._asked if literal.sign is Sign.POSITIVE else self._asked_negated).append((lookup, terms))

    def _pattern(self, atom: Atom, sign: Sign) -> Atom:
        arguments = tuple(self._term(argument, sign) for argument in atom.arguments)
        return dataclasses.replace(atom, arguments=arguments)

    def _term(self, term: Term, sign: Sign) -> Term:
        """The term, with names for variables without; it must be one that can be matched, or computed."""
        if sign is Sign.NOT:
            if Variable("_") in set(walk(term)):
                _refuse(term, "`_` under `not`")
            if has_interval(term) or any(isinstance(part, Pool) for part in walk(term)):
                _refuse(term, "an interval or a pool under `not`")
            return term
        match term:
            case Variable("_"):
                return self._fresh()
            case Variable() | Number() | String() | Extremum():
                return term
            case Function(_, arguments) | Tuple(arguments):
                inner = tuple(self._term(argument, sign) for argument in arguments)
                return dataclasses.replace(term, arguments=inner)
            case _:
                _refuse(term, "arithmetic in an atom of the body")

    def _fresh(self) -> Variable:
        self._count += 1
        return Variable(self._names.variable(self._count))


@dataclass(frozen=True, slots=True)
class GroundRule:
    """How instances of a rule come back from clingo: as atoms that bear all that they depend on.

    Attributes:
        name: the predicate of these atoms, and the function that gives those that are kept; their arguments
            are the head and then what it depends on.
        positive: of which lookups the answers that must hold are.
        negative: of which those that must not.
    """

    name: str
    positive: tuple[Lookup, ...]
    negative: tuple[Lookup, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """How answers to a lookup that are joined come back into a new Control.

    Attributes:
        generations: the function that gives the generations.
        name: the function that gives those of a generation.
    """

    generations: str
    name: str


@dataclass(frozen=True)
class InstanceText:
    """The program that grounds instances.

    Its part `base` has the background data and the rules that look at nothing else. The parts `others` and
    then `tick` ground the instances with something new in them: those in which only the last of what they
    depend on is new in `others`, the rest in `tick`, which brings in all that is new. The part `load` brings
    in what is not new. The parameters of the first two are the tick and, for each lookup that is joined, the
    generation from which on they are joined and the current one.

    Attributes:
        text: the program, a statement a line.
        origins: where each line comes from.
        others: the name of that part; empty where no rule has two that must hold.
        tick: the name of that part.
        load: the name of that part.
        rules: how instances come back.
        new: for each lookup the `@`-function that gives what is new, which the tick is handed to.
        joined: the lookups whose answers are joined.
    """

    text: str
    origins: tuple[Location, ...]
    others: str
    tick: str
    load: str
    rules: tuple[GroundRule, ...]
    new: Mapping[Lookup, str]
    joined: Mapping[Lookup, Joined]


@dataclass(frozen=True)
class Instances:
    """The rules of a component for `delta`.

    Attributes:
        rules: the rules.
        facts: ASP text of the background data that clingo looks at for them, a statement a line.
        own: the predicates that they derive.
        names: the generated names.
    """

    rules: tuple[InstanceRule, ...]
    facts: str
    own: frozenset[Signature]
    names: Names

    @property
    def background(self) -> tuple[Signature, ...]:
        """The predicates of the background data that rules look at which clingo grounds."""
        rules = (rule for rule in self.rules if rule.is_ground_by_clingo)
        found = (literal.member.lookup.signature for rule in rules for literal in rule.background)
        return tuple(dict.fromkeys(signature for signature in found if signature is not None))

    @property
    def lookups(self) -> tuple[Lookup, ...]:
        """All that may be asked, each once; also what is told of background data and own predicates."""
        background = [literal.member.lookup for rule in self.rules for literal in rule.background]
        told = [Lookup(LookupKind.INPUT, signature) for signature in (*self.background, *sorted(self.own))]
        return tuple(dict.fromkeys([*_lookups(self.rules), *background, *told]))

    @property
    def asked_by_clingo(self) -> tuple[Lookup, ...]:
        """What rules look at besides background data which clingo grounds, each once."""
        return _lookups(rule for rule in self.rules if rule.is_ground_by_clingo)

    def text(self, told: Collection[Signature]) -> InstanceText:
        """The program for the rules whose instances clingo finds.

        Args:
            told: the predicates of background data that the input tells atoms of as well.
        """
        writer = _Writer(self, told)
        for rule in self.rules:
            if rule.is_ground_by_clingo:
                writer.add(rule)
        return writer.written()


def _lookups(rules: Iterable[InstanceRule]) -> tuple[Lookup, ...]:
    """What rules look at besides background data, each once."""
    members = [member.lookup for rule in rules for member in (*rule.positive, *rule.negative)]
    return tuple(dict.fromkeys(members))


class _Writer:
    def __init__(self, instances: Instances, told: Collection[Signature]) -> None:
        self._instances = instances
        self._names = instances.names
        self._told = told
        self._numbers: dict[Lookup, int] = {}
        self._joined: dict[Lookup, None] = {}
        self._rules: list[GroundRule] = []
        self._base: list[tuple[str, Location]] = []
        self._load: list[tuple[str, Location]] = []
        self._tick: list[tuple[str, Location]] = []
        self._late: list[tuple[str, Location]] = []

    def add(self, rule: InstanceRule) -> None:
        positive, negative, others = list(rule.positive), list(rule.negative), list(rule.others)
        for literal in rule.background:
            if literal.member.lookup.signature not in self._told:
                others.append(literal.text)
            else:
                (negative if literal.is_negated else positive).append(literal.member)
        name = self._names.instance(len(self._rules))
        terms = [rule.head, *(member.pattern for member in (*positive, *negative))]
        ground = GroundRule(name, tuple(m.lookup for m in positive), tuple(m.lookup for m in negative))
        self._rules.append(ground)
        head = f"{name}({','.join(terms)})"
        if not positive:
            self._base.append((_rule(head, others), rule.origin))
        else:
            same = f"{name}({','.join(f'X{i}' for i in range(len(terms)))})"
            self._load.append((f"{same} :- {same} = @{name}.", rule.origin))
        for number, new in enumerate(positive):
            body = [f"{new.pattern} = {self._new(new.lookup)}"]
            for other, member in enumerate(positive):
                if other != number:
                    body += self._join(member, self._names.joined_generation(other))
            is_last_of_several = 0 < number == len(positive) - 1
            (self._late if is_last_of_several else self._tick).append(
                (_rule(head, [*body, *others]), rule.origin)
            )

    def _join(self, member: Member, generation: str) -> list[str]:
        """The literals that join answers to a lookup."""
        self._joined[member.lookup] = None
        number = self._number(member.lookup)
        known = f"{self._known(member.lookup)}({member.pattern},{generation})"
        return [known, f"{generation} >= {self._names.horizon(number)}"]

    def _number(self, lookup: Lookup) -> int:
        return self._numbers.setdefault(lookup, len(self._numbers))

    def _known(self, lookup: Lookup) -> str:
        return self._names.asked(self._number(lookup))

    def _new(self, lookup: Lookup) -> str:
        return f"@{self._names.new(self._number(lookup))}({self._names.now})"

    def written(self) -> InstanceText:
        names, numbers = self._names, self._numbers
        joined = {
            lookup: Joined(names.generations(numbers[lookup]), names.asked(numbers[lookup]))
            for lookup in self._joined
        }
        parameters = [names.now]
        loaded, told = [], []
        for lookup, one in joined.items():
            current = names.generation(numbers[lookup])
            parameters += (names.horizon(numbers[lookup]), current)
            loaded.append((f"{one.name}(X,G) :- G = @{one.generations}, X = @{one.name}(G).", NOWHERE))
            told.append((f"{one.name}(X,{current}) :- X = {self._new(lookup)}.", NOWHERE))
        lines = [
            *((fact, NOWHERE) for fact in self._instances.facts.splitlines()),
            *self._base,
            (f"#program {names.load}.", NOWHERE),
            *loaded,
            *self._load,
            (f"#program {names.part}({','.join(parameters)}).", NOWHERE),
            *told,
            *self._tick,
            (f"#program {names.others}({','.join(parameters)}).", NOWHERE),
            *self._late,
        ]
        return InstanceText(
            "".join(f"{text}\n" for text, _ in lines),
            tuple(origin for _, origin in lines),
            names.others if self._late else "",
            names.part,
            names.load,
            tuple(self._rules),
            {lookup: names.new(number) for lookup, number in numbers.items()},
            joined,
        )


def _rule(head: str, body: Sequence[str]) -> str:
    return f"{head} :- {', '.join(body)}." if body else f"{head}."
