"""The ASP program with which clingo finds instances of the rules for `delta`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from lars2asp.planning.delta_rules import DeltaRule, DeltaRules, Member
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.names import Names
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import NOWHERE, Location


@dataclass(frozen=True, slots=True)
class GroundRule:
    """How instances of a rule come back from clingo: as atoms whose arguments are the head and its body.

    Attributes:
        name: the predicate of these atoms, and the function that gives those that are kept.
        positive: the lookups whose answers must hold, in the order of the arguments behind the head.
        negative: the lookups whose answers must not hold; their answers are the last arguments.
    """

    name: str
    positive: tuple[Lookup, ...]
    negative: tuple[Lookup, ...]


@dataclass(frozen=True, slots=True)
class JoinedLookup:
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

    Its part `base` has the background data and the rules over background data alone. The parts `others` and
    then `tick` ground the instances with new answers in them: `others` those in which only the last answer is
    new, `tick` the rest. The part `tick` also adds the new answers, the part `load` those that are not new.
    The parameters of the first two are the tick and, for each lookup that is joined, the first generation
    that is joined and the current one.

    Attributes:
        text: the program, a statement a line.
        origins: where each line comes from.
        others: the name of that part; empty where no rule has two that must hold.
        tick: the name of that part.
        load: the name of that part.
        rules: how instances come back.
        new: for each lookup the `@`-function that gives its new answers at a tick.
        joined: the lookups whose answers are joined.
    """

    text: str
    origins: tuple[Location, ...]
    others: str
    tick: str
    load: str
    rules: tuple[GroundRule, ...]
    new: Mapping[Lookup, str]
    joined: Mapping[Lookup, JoinedLookup]


def instance_text(rules: DeltaRules, names: Names, with_input: Collection[Signature]) -> InstanceText:
    """The program for the rules whose instances clingo finds.

    Args:
        rules: the rules.
        names: the generated names.
        with_input: the predicates of background data of which the input has atoms as well.
    """
    writer = _InstanceWriter(names, with_input)
    for rule in rules.rules:
        if rule.is_ground_by_clingo:
            writer.add(rule)
    return writer.written(rules.facts)


class _InstanceWriter:
    def __init__(self, names: Names, with_input: Collection[Signature]) -> None:
        self._names = names
        self._with_input = with_input
        self._numbers: dict[Lookup, int] = {}
        self._joined: dict[Lookup, None] = {}
        self._rules: list[GroundRule] = []
        self._base: list[tuple[str, Location]] = []
        self._load: list[tuple[str, Location]] = []
        self._tick: list[tuple[str, Location]] = []
        self._late: list[tuple[str, Location]] = []

    def add(self, rule: DeltaRule) -> None:
        positive, negative, others = list(rule.positive), list(rule.negative), list(rule.others)
        for literal in rule.background:
            if literal.member.lookup.signature not in self._with_input:
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
        for number, member in enumerate(positive):
            body = [f"{member.pattern} = {self._new(member.lookup)}"]
            for place, other in enumerate(positive):
                if place != number:
                    body += self._join(other, self._names.joined_generation(place))
            is_last_of_several = 0 < number == len(positive) - 1
            (self._late if is_last_of_several else self._tick).append(
                (_rule(head, [*body, *others]), rule.origin)
            )

    def _join(self, member: Member, generation: str) -> list[str]:
        """The literals that join answers to a lookup."""
        self._joined[member.lookup] = None
        number = self._number(member.lookup)
        known = f"{self._names.answer(number)}({member.pattern},{generation})"
        return [known, f"{generation} >= {self._names.horizon(number)}"]

    def _number(self, lookup: Lookup) -> int:
        return self._numbers.setdefault(lookup, len(self._numbers))

    def _new(self, lookup: Lookup) -> str:
        return f"@{self._names.new(self._number(lookup))}({self._names.now})"

    def written(self, facts: str) -> InstanceText:
        names, numbers = self._names, self._numbers
        joined = {
            lookup: JoinedLookup(names.generations(numbers[lookup]), names.answer(numbers[lookup]))
            for lookup in self._joined
        }
        parameters = [names.now]
        loaded, new = [], []
        for lookup, one in joined.items():
            current = names.generation(numbers[lookup])
            parameters += (names.horizon(numbers[lookup]), current)
            loaded.append((f"{one.name}(X,G) :- G = @{one.generations}, X = @{one.name}(G).", NOWHERE))
            new.append((f"{one.name}(X,{current}) :- X = {self._new(lookup)}.", NOWHERE))
        lines = [
            *((fact, NOWHERE) for fact in facts.splitlines()),
            *self._base,
            (f"#program {names.load}.", NOWHERE),
            *loaded,
            *self._load,
            (f"#program {names.part}({','.join(parameters)}).", NOWHERE),
            *new,
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
