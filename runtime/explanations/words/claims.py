"""Claims, the values that an explanation is made of: atoms that hold or do not, and literals that say why.

Nothing is decided by their texts: lars2asp.runtime.explanations.words.instances makes these of the values.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from lars2asp.externals.terms.terms import Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.explanations.past.holding import Run
from lars2asp.runtime.explanations.words.instances import (
    NOTHING_BOUND,
    Bound,
    ClaimedAtom,
    ClaimedTuple,
    Instance,
    value_text,
)
from lars2asp.syntax.source import Location
from lars2asp.syntax.values import dataclass

DEEPEST = 60
"""The number of rules that stand upon one another in a tree, at most."""


@dataclass(frozen=True, slots=True)
class Place:
    """A statement of the program.

    Attributes:
        number: which one, counted from 0 in the checked program (its pools are written out).
        location: where it stands in the user's text.
        label: what a comment in front of it says in words, as it is for the instance; empty without one.
    """

    number: int
    location: Location
    label: str = ""

    @property
    def text(self) -> str:
        """The text of the statement, in one line."""
        source, begin, end = self.location
        return " ".join(source.text[begin:end].split())

    @property
    def where(self) -> str:
        """File and line."""
        return f"{self.location.source.name}:{self.location.line}"


class _OfAtom:
    """What is said of an atom, `of`."""

    __slots__ = ()
    of: ClaimedAtom

    @property
    def atom(self) -> str:
        """The atom as text for people; `str(of)` is that of the program."""
        return self.of.words


class _OfRule:
    """What is said of an instance of a rule; `bound` has the values of its variables."""

    __slots__ = ()
    bound: Bound

    @property
    def bindings(self) -> Mapping[str, str]:
        """The values of its variables as text."""
        return self.bound.texts


# --- why an atom holds ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FromInput:
    """The atom is from the input.

    Attributes:
        origin: the record, such as `readings.csv:3`; `step(5)` for facts of a call.
        first: the first tick at which the record makes the atom hold.
        last: the last tick; None if it has not ended.
        is_held: whether the atom holds until the next fact with its key (`#held`).
    """

    origin: str
    first: int
    last: int | None
    is_held: bool = False


@dataclass(frozen=True, slots=True)
class FromProgram:
    """The atom is a fact of the program.

    Attributes:
        place: the place of the fact.
    """

    place: Place


@dataclass(frozen=True, slots=True)
class Weighed:
    """What optimisation says of an atom that was chosen, or was not.

    Attributes:
        cost: what the answer stream costs that was followed: priorities and costs, the highest first; a cost
            with decimals as text.
        other: the same of the best answer stream in which the atom does not hold, or does; None if there is
            none.
        is_compared: whether such a one was looked for.
    """

    cost: tuple[tuple[int, int | str], ...]
    other: tuple[tuple[int, int | str], ...] | None = None
    is_compared: bool = False


@dataclass(frozen=True, slots=True)
class Called:
    """An `@`-function in a head was called.

    Attributes:
        instance: the call, with the values of variables.
        result: what it gave.
    """

    instance: Instance
    result: Value

    @property
    def call(self) -> str:
        """The call as text."""
        return str(self.instance)

    @property
    def value(self) -> str:
        """What it gave as text."""
        return text_of(self.result)


@dataclass(frozen=True, slots=True)
class FromRule(_OfRule):
    """An instance of a rule derived the atom.

    Attributes:
        place: the rule.
        bound: the values of its variables.
        body: the literals of its body.
        at: the tick at which the rule was evaluated.
        is_chosen: whether the head is a choice or a disjunction, or the atom a free `#external`.
        weighed: the role of the optimisation, if the atom was chosen.
        calls: the calls of `@`-functions in its head.
        condition: the literals of the condition in the head.
    """

    place: Place
    bound: Bound
    body: tuple["RuleLiteral", ...]
    at: int
    is_chosen: bool = False
    weighed: Weighed | None = None
    calls: tuple[Called, ...] = ()
    condition: tuple["RuleLiteral", ...] = ()


# --- why an atom does not hold --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OtherHead(_OfAtom, _OfRule):
    """An instance of a rule for which a literal is true, but whose head is another atom than is asked about.

    Attributes:
        of: its head; of several that it has, the nearest; variables without values stay.
        tick: the tick of the head; None as long as it has no value.
        bound: the values of its variables.
        body: the literals that say which atom the head is.
        count: the number of its heads: intervals and `@`-functions may give several, `4/0` none.
    """

    of: ClaimedAtom
    tick: int | None
    bound: Bound
    body: tuple["RuleLiteral", ...]
    count: int = 1


@dataclass(frozen=True, slots=True)
class LateRule:
    """A rule that can place the atom at its tick, but only when it is evaluated later.

    Attributes:
        place: the rule.
        at: the tick at which it is evaluated then.
    """

    place: Place
    at: int


@dataclass(frozen=True, slots=True)
class FailedRule(_OfRule):
    """A rule that could have derived the atom, but did not.

    Attributes:
        place: the rule.
        bound: the values of the variables in the closest instance.
        failed: the first literal that is not true; None if all are true, but the atom was not chosen.
        at: the tick at which the rule was evaluated.
        met: for a failed comparison, the true literals with its variables.
        weighed: the role of the optimisation, if the atom was not chosen.
        others: instances for other heads in which the failed literal is true, nearest first.
        has_more: whether there are more such instances.
    """

    place: Place
    bound: Bound
    failed: "RuleLiteral | None"
    at: int
    met: tuple["RuleLiteral", ...] = ()
    weighed: Weighed | None = None
    others: tuple[OtherHead, ...] = ()
    has_more: bool = False

    @property
    def literals(self) -> tuple["RuleLiteral", ...]:
        """All literals that it shows."""
        failed = () if self.failed is None else (self.failed,)
        return (*self.met, *failed, *(literal for one in self.others for literal in one.body))


class DefinedBy(StrEnum):
    """Where atoms of a predicate can come from besides the input."""

    INPUT = "input"
    FACTS = "facts"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class LastTold(_OfAtom):
    """The input told an atom that does not hold any more.

    Attributes:
        tick: the last tick at which it holds by that.
        of: the atom.
        origin: the record.
    """

    tick: int
    of: ClaimedAtom
    origin: str


@dataclass(frozen=True, slots=True)
class Absent:
    """Neither the input nor a rule made the atom hold.

    Attributes:
        last: the last input fact of the atom; None if unknown.
        rules: each rule that could have derived it.
        source: where its atoms can come from, next to the input.
        known_from: the first tick with known input; None if all is known.
        later: each rule that could derive it only at a later evaluation.
        rules_from: the first examined tick for rules that place the atom; None if all were examined.
        nearest: the input fact that differs in the fewest arguments.
    """

    last: LastTold | None
    rules: tuple[FailedRule, ...]
    source: DefinedBy = DefinedBy.RULES
    known_from: int | None = None
    later: tuple[LateRule, ...] = ()
    rules_from: int | None = None
    nearest: LastTold | None = None


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The tick has no answer stream, so no rule derives anything.

    Attributes:
        instances: instances of statements that cannot hold together, with the values of their variables; None
            before the last tick.
        excluding: atoms that would hold together with their classical negations.
    """

    instances: tuple[tuple[Place, Bound], ...] = ()
    excluding: tuple[ClaimedAtom, ...] = ()

    @property
    def clashing(self) -> tuple[tuple[Place, Mapping[str, str]], ...]:
        """The instances, with values as text."""
        return tuple((place, bound.texts) for place, bound in self.instances)

    @property
    def contraries(self) -> tuple[str, ...]:
        """The atoms with derived classical negations, as text."""
        return tuple(map(str, self.excluding))


# --- claims ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Repeated:
    """The tree explains the same claim elsewhere.

    Attributes:
        number: the number of that claim.
    """

    number: int


@dataclass(frozen=True, slots=True)
class CutOff:
    """The explanation ends here.

    Attributes:
        reason: `depth`: the tree is deep enough; `not kept`: the reasoner does not keep this tick.
        is_deepest: whether a greater depth shows no more.
    """

    reason: str
    is_deepest: bool = False


@dataclass(frozen=True, slots=True)
class Remembered:
    """It has been so since an earlier tick: a rule derived the atom from itself, or it did not hold.

    Attributes:
        since: the same claim at the first of these ticks.
        place: the rule that derived the atom at the later ones; None for an atom that does not hold.
        bound: the values of its variables.
        step: how many ticks lie between one of them and the next.
        is_ever: whether the first of them is that of the stream.
    """

    since: "Claim"
    place: Place | None = None
    bound: Bound = NOTHING_BOUND
    step: int = 1
    is_ever: bool = False


Reason = FromInput | FromProgram | FromRule | Absent | NoAnswer | Remembered | Repeated | CutOff


@dataclass(frozen=True, slots=True)
class Claim(_OfAtom):
    """An atom holds at a tick, or does not.

    Attributes:
        number: the number of the claim in its tree.
        of: the atom; if it does not hold, it may contain variables.
        tick: the tick.
        seen_at: the tick of evaluation; rules may place atoms at other ticks.
        holds: whether the atom holds.
        reason: why: a FromInput, FromProgram, FromRule, Absent, NoAnswer, Repeated or CutOff.
        label: the text of a `%!trace` comment; empty without it.
    """

    number: int
    of: ClaimedAtom
    tick: int
    seen_at: int
    holds: bool
    reason: Reason
    label: str = ""

    @property
    def literals(self) -> tuple["RuleLiteral", ...]:
        """The literals that it rests on."""
        match self.reason:
            case FromRule(body=body, condition=condition):
                return body + condition
            case Absent(rules=rules):
                return tuple(literal for rule in rules for literal in rule.literals)
            case _:
                return ()

    def claims(self) -> Iterator["Claim"]:
        """The claim and all below it."""
        waiting = [self]
        while waiting:
            claim = waiting.pop()
            yield claim
            waiting += [child for literal in claim.literals for child in literal.claims]
            if isinstance(claim.reason, Remembered):
                waiting.append(claim.reason.since)


# --- literals -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Witness:
    """What a streaming atom looks at.

    Attributes:
        window: the ticks of its window, as runs; of a tuple window those of the arrivals in it.
        holds_at: the ticks of the window at which the atom holds, as runs.
        is_tuple_window: whether it counts arrivals.
        open: the atom, where it has variables without values: `holds_at` are then the ticks of any instance.
        is_whole: whether the window is, if it is to be.
    """

    window: tuple[Run, ...]
    holds_at: tuple[Run, ...]
    is_tuple_window: bool = False
    open: Instance | None = None
    is_whole: bool = True

    @property
    def of(self) -> str:
        """The atom as text, where it has variables without values."""
        return "" if self.open is None else str(self.open)


@dataclass(frozen=True, slots=True)
class Element:
    """An element that counts in an aggregate, or an instance of a conditional literal.

    Attributes:
        of: its tuple, or the literal of the instance.
        claims: what its condition rests on.
        adds: whether the value of the aggregate depends on it: `#sum+` adds no negative numbers.
    """

    of: ClaimedTuple | Instance
    claims: tuple[Claim, ...] = ()
    adds: bool = True

    @property
    def text(self) -> str:
        """Its text."""
        return str(self.of)


@dataclass(frozen=True, slots=True)
class RuleLiteral:
    """A literal of an instance of a rule.

    Attributes:
        position: its position in the body or condition, counted from 0.
        of: the literal with the values of its variables.
        holds: whether it is true.
        children: the claims that decide it; at most three for a run of ticks.
        witness: for streaming atoms, the ticks of the window.
        values: the values of aggregates, calls and sides of comparisons.
        elements: the elements of an aggregate, or the instances of a conditional literal.
        missing: a term under `not` without a value.
        element: the element of the head with this condition, counted from 0; None in bodies.
    """

    position: int
    of: Instance
    holds: bool
    children: tuple[Claim, ...] = ()
    witness: Witness | None = None
    values: tuple[Value, ...] = ()
    elements: tuple[Element, ...] = ()
    missing: Instance | None = None
    element: int | None = None

    @property
    def text(self) -> str:
        """Its text, windows in ticks."""
        return str(self.of)

    @property
    def written(self) -> str:
        """Its text with windows as they are written, where that is another one."""
        return "" if self.shown == self.text else self.shown

    @property
    def shown(self) -> str:
        """The text for people: windows as they are written."""
        return self.of.written

    @property
    def value(self) -> str:
        """The values as text."""
        decimals = self.of.numbers.of_total(self.of.atom)
        return ", ".join(value_text(one, decimals) for one in self.values)

    @property
    def undefined(self) -> str:
        """The term that has no value as text."""
        return "" if self.missing is None else str(self.missing)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims that it rests on."""
        return self.children + tuple(claim for element in self.elements for claim in element.claims)
