"""The tree of an explanation: claims about atoms, and literals of rules that support or refute them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lars2asp.externals.terms.terms import Row, Value
from lars2asp.runtime.explanations.place import Place
from lars2asp.syntax.nodes import Literal, Node

Run = tuple[int, int]
"""The first and the last of ticks that follow one another."""


@dataclass(frozen=True, slots=True)
class Told:
    """The input told the atom.

    Attributes:
        origin: the record, such as `readings.csv:3`; `step(5)` for one that a program handed over.
        first: the first tick at which the atom holds by it.
        last: the last one; None as long as its end has not come.
    """

    origin: str
    first: int
    last: int | None

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"because": "input", "record": self.origin, "first": self.first, "last": self.last}


@dataclass(frozen=True, slots=True)
class Background:
    """The atom is a fact of the program."""

    place: Place

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"because": "background", "statement": self.place.to_dict()}


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

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        found: dict[str, Any] = {"cost": [list(one) for one in self.cost]}
        if self.is_compared:
            found["other"] = None if self.other is None else [list(one) for one in self.other]
        return found


@dataclass(frozen=True, slots=True)
class Called:
    """An `@`-function in a head was called.

    Attributes:
        call: the call, with the values of variables.
        value: what it gave.
    """

    call: str
    value: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"call": self.call, "value": self.value}


@dataclass(frozen=True, slots=True)
class Derived:
    """An instance of a rule derived the atom.

    Attributes:
        place: the rule.
        bindings: the values of its variables, as text.
        body: its body, each literal with what makes it true.
        condition: so the condition of the head's element that the atom is.
        at: the tick at which the rule was evaluated.
        is_chosen: whether the head leaves it open which of its atoms hold (a choice or a disjunction), or
            an `#external` that is free.
        weighed: what optimisation says of it, if it was chosen.
        calls: the calls of `@`-functions in its head.
    """

    place: Place
    bindings: Mapping[str, str]
    body: tuple["LiteralNode", ...]
    at: int
    is_chosen: bool = False
    weighed: Weighed | None = None
    calls: tuple[Called, ...] = ()
    condition: tuple["LiteralNode", ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "because": "choice" if self.is_chosen else "rule",
            "statement": self.place.to_dict(),
            "bindings": dict(self.bindings),
            "at": self.at,
            "body": [literal.to_dict() for literal in self.body],
            **({"condition": [literal.to_dict() for literal in self.condition]} if self.condition else {}),
            **({} if self.weighed is None else self.weighed.to_dict()),
            **({"calls": [call.to_dict() for call in self.calls]} if self.calls else {}),
        }


@dataclass(frozen=True, slots=True)
class OtherHead:
    """An instance of a rule for which a literal is true, but whose head is another atom than is asked about.

    Attributes:
        atom: its head; of several that it has, the nearest; variables without values stay.
        tick: the tick of the head; None as long as it has no value.
        bindings: the values of its variables, as text.
        body: the literals that say which atom the head is.
        count: the number of its heads: intervals and `@`-functions may give several, `4/0` none.
    """

    atom: str
    tick: int | None
    bindings: Mapping[str, str]
    body: tuple["LiteralNode", ...]
    count: int = 1

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "atom": self.atom,
            "tick": self.tick,
            "bindings": dict(self.bindings),
            "body": [literal.to_dict() for literal in self.body],
            **({} if self.count == 1 else {"count": self.count}),
        }


@dataclass(frozen=True, slots=True)
class LateRule:
    """A rule that can place the atom at its tick, but only when it is evaluated later.

    Attributes:
        place: the rule.
        at: the tick at which it is evaluated then.
    """

    place: Place
    at: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"statement": self.place.to_dict(), "at": self.at}


@dataclass(frozen=True, slots=True)
class FailedRule:
    """A rule that could have derived the atom, and did not.

    Attributes:
        place: the rule.
        bindings: the values of the variables in the instance that got furthest, as text.
        failed: the first literal that is not true, of the body or of the condition of the head's element;
            None where all are, but the atom was not chosen.
        at: the tick at which the rule was evaluated.
        met: where a comparison failed, the true literals that gave its variables their values.
        weighed: what optimisation says of it, if the atom was not chosen.
        others: where the literal that failed is true with other heads, some of these instances, the nearest
            first.
        has_more: whether there are more of them.
    """

    place: Place
    bindings: Mapping[str, str]
    failed: "LiteralNode | None"
    at: int
    met: tuple["LiteralNode", ...] = ()
    weighed: Weighed | None = None
    others: tuple[OtherHead, ...] = ()
    has_more: bool = False

    @property
    def literals(self) -> tuple["LiteralNode", ...]:
        """All literals that it shows."""
        failed = () if self.failed is None else (self.failed,)
        return (*self.met, *failed, *(literal for one in self.others for literal in one.body))

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "statement": self.place.to_dict(),
            "bindings": dict(self.bindings),
            "at": self.at,
            "failed": None if self.failed is None else self.failed.to_dict(),
            **({"met": [literal.to_dict() for literal in self.met]} if self.met else {}),
            **({} if self.weighed is None else self.weighed.to_dict()),
            **({"others": [other.to_dict() for other in self.others]} if self.others else {}),
            **({"more": True} if self.has_more else {}),
        }


class DefinedBy(StrEnum):
    """Where atoms of a predicate can come from besides the input."""

    INPUT = "input"
    FACTS = "facts"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class LastTold:
    """The input told an atom that does not hold any more.

    Attributes:
        tick: the last tick at which it holds by that.
        atom: the atom, as text.
        origin: the record.
    """

    tick: int
    atom: str
    origin: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"atom": self.atom, "tick": self.tick, "record": self.origin}


@dataclass(frozen=True, slots=True)
class Absent:
    """Nothing told or derived the atom.

    Attributes:
        last: what the input told of it last; None if it did not, as far back as is known.
        rules: each rule that could have derived it.
        source: where its atoms can come from besides the input.
        known_from: the first tick of which it is known what the input told; None if that is all of it.
        later: each rule that could derive it only when it is evaluated later.
        rules_from: the first tick of evaluation that was looked at of rules that place it; None if all were.
        nearest: where the input did not tell it, what it told that differs from it in the fewest arguments.
    """

    last: LastTold | None
    rules: tuple[FailedRule, ...]
    source: DefinedBy = DefinedBy.RULES
    known_from: int | None = None
    later: tuple[LateRule, ...] = ()
    rules_from: int | None = None
    nearest: LastTold | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "because": "nothing",
            "last_told": None if self.last is None else self.last.tick,
            **({} if self.last is None else {"last_atom": self.last.atom, "last_record": self.last.origin}),
            **({} if self.known_from is None else {"known_from": self.known_from}),
            "defined_by": str(self.source),
            "rules": [rule.to_dict() for rule in self.rules],
            **({"later": [rule.to_dict() for rule in self.later]} if self.later else {}),
            **({} if self.rules_from is None else {"rules_from": self.rules_from}),
            **({} if self.nearest is None else {"nearest": self.nearest.to_dict()}),
        }


@dataclass(frozen=True, slots=True)
class Seen:
    """The same claim is explained elsewhere in the tree."""

    number: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"because": "seen", "see": self.number}


@dataclass(frozen=True, slots=True)
class Cut:
    """The claim is not explained.

    Attributes:
        reason: `depth`: the tree is cut off here; `not kept`: it lies before what is kept.
        is_deepest: whether no tree has more below one another, whatever depth is asked for.
    """

    reason: str
    is_deepest: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"because": self.reason}


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The tick has no answer stream, so that nothing is derived at it.

    Attributes:
        clashing: instances of statements that cannot hold together: their places and the values of their
            variables, as text. None where they were not looked for, as at ticks before the last one.
        contraries: atoms that would hold together with their classical negations, as text.
    """

    clashing: tuple[tuple[Place, Mapping[str, str]], ...] = ()
    contraries: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        clashing = [{"statement": p.to_dict(), "bindings": dict(found)} for p, found in self.clashing]
        found = {"because": "no answer", "clashing": clashing}
        return found | ({"contraries": [*self.contraries]} if self.contraries else {})


Reason = Told | Background | Derived | Absent | NoAnswer | Seen | Cut


@dataclass(frozen=True, slots=True)
class Claim:
    """An atom holds at a tick, or it does not.

    Attributes:
        number: tells the claims of a tree apart.
        atom: the atom as text; for one that does not hold it may have variables, and then no instance holds.
        tick: the tick.
        seen_at: the tick of evaluation from which it is looked at: heads may place atoms at earlier ticks.
        holds: whether it holds.
        reason: why.
        label: what a `%!trace` comment says of the atom in words; empty without one.
    """

    number: int
    atom: str
    tick: int
    seen_at: int
    holds: bool
    reason: Reason
    label: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "id": self.number,
            "atom": self.atom,
            "tick": self.tick,
            "seen_at": self.seen_at,
            "holds": self.holds,
            **({"label": self.label} if self.label else {}),
            **self.reason.to_dict(),
        }

    @property
    def literals(self) -> tuple["LiteralNode", ...]:
        """The literals that it rests on."""
        match self.reason:
            case Derived(body=body, condition=condition):
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


@dataclass(frozen=True, slots=True)
class Witness:
    """What a streaming atom looks at.

    Attributes:
        window: the ticks of its window, as runs; of a tuple window those of the arrivals in it.
        holds_at: the ticks of the window at which the atom holds, as runs.
        is_tuple_window: whether it counts arrivals.
        of: the atom, where it has variables without values: `holds_at` are then the ticks of any instance.
    """

    window: tuple[Run, ...]
    holds_at: tuple[Run, ...]
    is_tuple_window: bool = False
    of: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "ticks": [list(run) for run in self.window],
            "holds_at": [list(run) for run in self.holds_at],
            "tuples": self.is_tuple_window,
            **({"of": self.of} if self.of else {}),
        }


@dataclass(frozen=True, slots=True)
class Instance:
    """A literal with the values of its variables.

    Attributes:
        node: the literal.
        binding: the values.
        condition: the other literals that say what its variables are.
    """

    node: Node
    binding: Mapping[str, Value]
    condition: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True)
class Element:
    """An element that counts in an aggregate, or an instance of a conditional literal.

    Attributes:
        text: its tuple, or the literal of the instance.
        claims: what its condition rests on.
        adds: whether the value of the aggregate depends on it: `#sum+` adds no negative numbers.
        of: what the text says: the values of a tuple, or the literal; None where that is not known.
    """

    text: str
    claims: tuple[Claim, ...] = ()
    adds: bool = True
    of: Row | Instance | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        found: dict[str, Any] = {"text": self.text, "claims": [claim.to_dict() for claim in self.claims]}
        return found if self.adds else found | {"adds": False}


@dataclass(frozen=True, slots=True)
class LiteralNode:
    """A literal of a rule, for an instance.

    Attributes:
        position: which one of the body, or of the condition of an element of the head, counted from 0.
        text: the literal with the values of its variables, windows in ticks; variables that have none stay.
        written: the same with windows as they are written, where that is another text.
        holds: whether it is true.
        children: the claims that make it true, or untrue; of a run of ticks at most three.
        witness: for streaming atoms, what they look at.
        value: for aggregates their value, for calls of `@`-functions what they gave; empty for others.
        elements: for aggregates the elements that count, for conditional literals the instances; where it
            is not true the instance that fails first.
        undefined: a term under `not` that has no value, so that there is no such instance of the rule; empty
            for others.
        element: the element of the head in whose condition it stands, counted from 0; None in bodies.
        of: what the text says; None where that is not known.
    """

    position: int
    text: str
    holds: bool
    children: tuple[Claim, ...] = ()
    witness: Witness | None = None
    value: str = ""
    elements: tuple[Element, ...] = field(default=())
    written: str = ""
    undefined: str = ""
    element: int | None = None
    of: Instance | None = field(default=None, compare=False)

    @property
    def shown(self) -> str:
        """The text for people."""
        return self.written or self.text

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims that it rests on."""
        return self.children + tuple(claim for element in self.elements for claim in element.claims)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        found: dict[str, Any] = {"position": self.position, "literal": self.text, "holds": self.holds}
        if self.element is not None:
            found["element"] = self.element
        if self.written:
            found["written"] = self.written
        if self.children:
            found["claims"] = [claim.to_dict() for claim in self.children]
        if self.witness is not None:
            found["window"] = self.witness.to_dict()
        if self.value:
            found["value"] = self.value
        if self.elements:
            found["elements"] = [element.to_dict() for element in self.elements]
        if self.undefined:
            found["undefined"] = self.undefined
        return found
