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
"""The maximum depth of rules in a tree."""


@dataclass(frozen=True, slots=True)
class Place:
    """A statement of the program.

    Attributes:
        number: Its number in the checked program, from 0, with pools written out.
        location: Its place in the user's text.
        label: The text of its comment for the instance; empty without a comment.
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
    """A claim about an atom, `of`."""

    __slots__ = ()
    of: ClaimedAtom

    @property
    def atom(self) -> str:
        """The atom as text for people; `str(of)` is its text in the program."""
        return self.of.words


class _OfRule:
    """A claim about an instance of a rule; `bound` gives the values of its variables."""

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
        origin: The record, such as `readings.csv:3`; `step(5)` for facts of a call.
        first: The first tick when the record makes the atom hold.
        last: The last tick; None if it has not ended.
        is_held: Whether the atom holds until the next fact with its key (`#held`).
        may_end_earlier: Whether a later fact with its key can end it before its last tick.
    """

    origin: str
    first: int
    last: int | None
    is_held: bool = False
    may_end_earlier: bool = False


@dataclass(frozen=True, slots=True)
class FromProgram:
    """The atom is a fact of the program.

    Attributes:
        place: The place of the fact.
    """

    place: Place


@dataclass(frozen=True, slots=True)
class Weighed:
    """The reason of an optimisation for or against an atom.

    Attributes:
        cost: The cost of the followed answer stream: priorities and costs, the highest first; a cost with
            decimals as text.
        other: The cost of the best answer stream with the opposite decision; None if there is none.
        is_compared: Whether such a one was looked for.
    """

    cost: tuple[tuple[int, int | str], ...]
    other: tuple[tuple[int, int | str], ...] | None = None
    is_compared: bool = False


@dataclass(frozen=True, slots=True)
class Called:
    """An `@`-function in a head was called.

    Attributes:
        instance: The call, with the values of variables.
        result: Its result.
    """

    instance: Instance
    result: Value

    @property
    def call(self) -> str:
        """The call as text."""
        return str(self.instance)

    @property
    def value(self) -> str:
        """Its result as text."""
        return text_of(self.result)


@dataclass(frozen=True, slots=True)
class FromRule(_OfRule):
    """An instance of a rule derived the atom.

    Attributes:
        place: The rule.
        bound: The values of its variables.
        body: The literals of its body.
        at: The tick of its evaluation.
        is_chosen: Whether the head is a choice or a disjunction, or the atom a free `#external`.
        weighed: The role of the optimisation, if the atom was chosen.
        calls: The calls of `@`-functions in its head.
        condition: The literals of the condition in the head.
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
    """An instance of a rule with a true literal, but with another head than the atom of the question.

    Attributes:
        of: Its head; of several that it has, the nearest; variables without values stay.
        tick: The tick of the head; None until its value is known.
        bound: The values of its variables.
        body: The literals that say which atom the head is.
        count: The number of its heads: intervals and `@`-functions may give several, `4/0` none.
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
        place: The rule.
        at: The tick of that evaluation.
    """

    place: Place
    at: int


@dataclass(frozen=True, slots=True)
class FailedRule(_OfRule):
    """A rule that could have derived the atom, but did not.

    Attributes:
        place: The rule.
        bound: The values of the variables in the closest instance.
        failed: The first literal that is not true; None if all are true, but the atom was not chosen.
        at: The tick of its evaluation.
        met: For a failed comparison, the true literals with its variables.
        weighed: The role of the optimisation, if the atom was not chosen.
        others: Instances for other heads with the failed literal true, nearest first.
        has_more: Whether there are more such instances.
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
    """Other origins of a predicate's atoms than the input."""

    INPUT = "input"
    FACTS = "facts"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class LastTold(_OfAtom):
    """The input told an atom that does not hold any more.

    Attributes:
        tick: The last tick of the record.
        of: The atom.
        origin: The record.
        held_from: The tick of the record, if the atom was held after it; None otherwise.
    """

    tick: int
    of: ClaimedAtom
    origin: str
    held_from: int | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """Neither the input nor a rule made the atom hold.

    Attributes:
        last: The last input fact of the atom; None if unknown.
        rules: Each rule that could have derived it.
        source: Other origins of its atoms than the input.
        known_from: The first tick with known input; None if all is known.
        later: Each rule that could derive it only at a later evaluation.
        rules_from: The first examined tick for rules that place the atom; None if all were examined.
        nearest: The input fact that differs in the fewest arguments.
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
    """There is no answer stream at the tick, so no rule derives anything.

    Attributes:
        instances: Instances of statements that cannot hold together, with the values of their variables; None
            before the last tick.
        excluding: Atoms that would hold together with their classical negations.
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
        number: The number of that claim.
    """

    number: int


@dataclass(frozen=True, slots=True)
class CutOff:
    """The explanation ends here.

    Attributes:
        reason: `depth`: the tree is deep enough; `not kept`: the reasoner does not keep this tick.
        is_deepest: Whether a greater depth shows no more.
    """

    reason: str
    is_deepest: bool = False


@dataclass(frozen=True, slots=True)
class Remembered:
    """It has been so since an earlier tick: a rule derived the atom from itself, or it did not hold.

    Attributes:
        since: The same claim at the first of these ticks.
        place: The rule that derived the atom at the later ticks; None for an atom that does not hold.
        bound: The values of its variables.
        step: The number of ticks from each to the next.
        through: If the rule derived the atom from another atom: that and those it rests on in turn, each with
            its rule, the values of its variables, and how many ticks earlier it held.
        is_ever: Whether the first of them is the first tick of the stream.
    """

    since: "Claim"
    place: Place | None = None
    bound: Bound = NOTHING_BOUND
    step: int = 1
    is_ever: bool = False
    through: tuple[tuple[ClaimedAtom, Place, Bound, int], ...] = ()


Reason = FromInput | FromProgram | FromRule | Absent | NoAnswer | Remembered | Repeated | CutOff


@dataclass(frozen=True, slots=True)
class Claim(_OfAtom):
    """An atom holds at a tick, or does not.

    Attributes:
        number: The number of the claim in its tree.
        of: The atom; if it does not hold, it may contain variables.
        tick: The tick.
        seen_at: The tick of evaluation; rules may place atoms at other ticks.
        holds: Whether the atom holds.
        reason: Why: a FromInput, FromProgram, FromRule, Absent, NoAnswer, Repeated or CutOff.
        label: The text of a `%!trace` comment; empty without it.
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
    """The ticks that a streaming atom looks at.

    Attributes:
        window: The ticks of its window, or of the arrivals in a tuple window, as runs.
        holds_at: The ticks of the window when the atom holds, as runs.
        is_tuple_window: Whether it counts arrivals.
        open: The atom, if it has variables without values: `holds_at` are then the ticks of any instance.
        is_whole: Whether the window is, if it is to be.
        clipped_at: The first tick of the stream, if the window reaches back before it; None otherwise.
    """

    window: tuple[Run, ...]
    holds_at: tuple[Run, ...]
    is_tuple_window: bool = False
    open: Instance | None = None
    is_whole: bool = True
    clipped_at: int | None = None

    @property
    def of(self) -> str:
        """The atom as text, if it has variables without values."""
        return "" if self.open is None else str(self.open)


@dataclass(frozen=True, slots=True)
class Element:
    """An element that counts in an aggregate, or an instance of a conditional literal.

    Attributes:
        of: Its tuple, or the literal of the instance.
        claims: What its condition rests on.
        adds: Whether the value of the aggregate depends on it: `#sum+` adds no negative numbers.
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
        position: Its position in the body or condition, counted from 0.
        of: The literal with the values of its variables.
        holds: Whether it is true.
        children: The claims that decide it; at most three for a run of ticks.
        witness: For streaming atoms, the ticks of the window.
        values: The values of aggregates, calls and sides of comparisons.
        elements: The elements of an aggregate, or the instances of a conditional literal.
        missing: A term under `not` without a value.
        element: The element of the head with this condition, counted from 0; None in bodies.
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
        """Its text with windows as written, if that differs."""
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
        """The text of the term without value."""
        return "" if self.missing is None else str(self.missing)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims that it rests on."""
        return self.children + tuple(claim for element in self.elements for claim in element.claims)
