"""The graph that is drawn: the predicates of a program, how rules look at them, and the components.

It is the stream dependency graph, with all windows: those over the past alone as well, by which components
are not bound together.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from lars2asp.analysis.argument_types.type_texts import type_lines
from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.plan import Plan
from lars2asp.runtime.evaluators.choice import Assignment
from lars2asp.runtime.evaluators.costs.meter import Cost
from lars2asp.syntax import nodes
from lars2asp.syntax.node import Node
from lars2asp.syntax.nodes import Sign, Signature, Statement, StreamingAtom
from lars2asp.syntax.source import Location
from lars2asp.syntax.summaries import counted
from lars2asp.syntax.traversal import body_of, children
from lars2asp.syntax.values import dataclass

MOST_RULES = 60
"""The number of rules of a program up to which their texts are drawn; of more their number is."""

MOST_TEXT = 400
"""The number of characters of a rule that are drawn."""


class CardKind(StrEnum):
    """What a card is of."""

    INPUT = "input"
    """A predicate that the stream tells."""
    FACTS = "facts"
    """A predicate of background data."""
    DERIVED = "derived"
    """A predicate that rules derive."""
    STATEMENT = "statement"
    """A statement that derives nothing: a constraint, or what is minimized."""


@dataclass(frozen=True)
class RuleText:
    """A rule as it is written; `line` is its first line."""

    line: int
    text: str


@dataclass(frozen=True)
class Card:
    """A predicate, or a statement that derives nothing.

    Attributes:
        kind: what it is.
        title: the predicate, or what the statement is.
        rules: the rules that derive it, or the statement; where there are very many, they are not drawn.
        remark: what is said of it besides; else empty.
        types: the types of its arguments, and what says so; empty where that is not known.
        is_shown: whether the output has it.
        box: the component that it belongs to, counted from 0; None outside.
    """

    kind: CardKind
    title: str
    rules: tuple[RuleText, ...] = ()
    remark: str = ""
    types: str = ""
    is_shown: bool = False
    box: int | None = None


@dataclass(frozen=True)
class Arrow:
    """Rules of a card look at a predicate.

    Attributes:
        source: the number of the card that is looked at.
        target: that of the card with the rules.
        label: the windows, and how they are looked at; empty for what holds now.
        is_negative: whether they look at what does not hold.
    """

    source: int
    target: int
    label: str = ""
    is_negative: bool = False


@dataclass(frozen=True)
class Box:
    """A component, or the rules that are left out.

    Attributes:
        evaluator: what evaluates it.
        reason: why it does.
        streams: how many answer streams it may have, in words.
        cost: what it has cost in a run; None where that is not known.
        share: the part of that in the cost of all, from 0 to 1.
    """

    evaluator: str
    reason: str
    streams: str
    cost: Cost | None = None
    share: float = 0.0


@dataclass(frozen=True)
class StreamGraph:
    """The graph.

    Attributes:
        cards: the predicates, and statements that derive nothing.
        arrows: what looks at what.
        boxes: the components, lowest first; behind them, if there are any, the rules that are left out.
        has_rules: whether the texts of rules are drawn.
    """

    cards: tuple[Card, ...]
    arrows: tuple[Arrow, ...]
    boxes: tuple[Box, ...]
    has_rules: bool


def stream_graph(
    plan: Plan, assignments: Sequence[Assignment], costs: Sequence[Cost | None] | None = None
) -> StreamGraph:
    """The graph of a plan.

    Args:
        plan: the plan.
        assignments: its components with their evaluators.
        costs: what these have cost in a run.
    """
    finder = _GraphFinder(plan, assignments)
    cards, arrows = finder.graph()
    rules = sum(len(card.rules) for card in cards)
    boxes = _boxes(plan, assignments, costs or [None] * len(assignments))
    return StreamGraph(tuple(cards), tuple(arrows), tuple(boxes), rules <= MOST_RULES)


def _boxes(plan: Plan, assignments: Sequence[Assignment], costs: Sequence[Cost | None]) -> Iterator[Box]:
    whole = sum(cost.seconds for cost in costs if cost is not None)
    for one, cost in zip(assignments, costs, strict=True):
        component = one.component
        if component is plan.whole:
            streams = "the whole program, with all its answer streams"
        else:
            streams = "one answer stream" if component.is_certain else "several answer streams or none"
        share = cost.seconds / whole if cost is not None and whole else 0.0
        yield Box(str(one.evaluator), one.reason, streams, cost, share)
    if plan.left_out:
        yield Box("left out", "no answer depends on it", "nothing evaluates it")


class _GraphFinder:
    def __init__(self, plan: Plan, assignments: Sequence[Assignment]) -> None:
        self._types = plan.types
        self._analysis = analysis = ProgramAnalysis(plan.program)
        self._derived = dict.fromkeys((*analysis.derived, *sorted(analysis.externals)))
        self._box: dict[Signature, int] = {}
        for number, one in enumerate(assignments):
            derives = self._derived if one.component is plan.whole else one.component.derives
            self._box |= dict.fromkeys(derives, number)
        gone = (head.atom.signature for rule in plan.left_out for head in head_atoms(rule))
        self._box |= dict.fromkeys(gone, len(assignments))
        self._last = len(assignments) - 1
        self._shown = analysis.shown | plan.shown_input
        self._rules: dict[Signature, list[RuleText]] = {signature: [] for signature in self._derived}
        self._statements: list[Card] = []
        self._seen: dict[tuple[Signature, Signature | int, bool], dict[str, None]] = {}
        """The labels of arrows: from a predicate to another one, or to a statement that derives nothing."""

    def graph(self) -> tuple[list[Card], list[Arrow]]:
        """Cards and arrows."""
        facts = {id(fact) for facts in self._analysis.facts.values() for fact in facts}
        for statement in self._analysis.program.statements:
            if id(statement) not in facts:
                self._take(statement)
        named = [needed for needed, _, _ in self._seen if needed not in self._derived]
        shown = [one for one in sorted(self._shown) if one not in self._derived]
        below = [self._below(one) for one in dict.fromkeys((*named, *shown))]
        derived = [self._of_derived(one) for one in self._derived]
        number = {one: place for place, one in enumerate((*dict.fromkeys((*named, *shown)), *self._derived))}
        cards = [*below, *derived, *self._statements]
        first = len(below) + len(derived)
        arrows = [
            Arrow(
                number[needed],
                first + target if isinstance(target, int) else number[target],
                ", ".join(label or "now" for label in labels) if len(labels) > 1 else next(iter(labels)),
                is_negative,
            )
            for (needed, target, is_negative), labels in self._seen.items()
        ]
        return cards, arrows

    def _take(self, statement: Statement) -> None:
        """Takes the rules of a statement, and what it looks at."""
        targets: list[Signature | int] = []
        text = RuleText(statement.location.line, _text(statement.location))
        uses = [*_uses(body_of(statement))]
        match statement:
            case nodes.Rule():
                for head in head_atoms(statement):
                    targets.append(head.atom.signature)
                    uses += _uses(head.condition)
            case nodes.External(atom):
                targets.append(atom.signature)
        for target in dict.fromkeys(targets):
            if isinstance(target, Signature):
                self._rules[target].append(text)
        if not targets:
            if not isinstance(statement, nodes.Rule | nodes.WeakConstraint):
                return
            title = "constraint" if isinstance(statement, nodes.Rule) else "as cheap as possible"
            targets.append(len(self._statements))
            self._statements.append(Card(CardKind.STATEMENT, title, (text,), box=self._last))
        for target in dict.fromkeys(targets):
            for needed, label, is_negative in uses:
                self._seen.setdefault((needed, target, is_negative), {})[label] = None

    def _below(self, signature: Signature) -> Card:
        """A predicate that no rule derives."""
        facts = len(self._analysis.facts.get(signature, ()))
        kind = CardKind.FACTS if facts else CardKind.INPUT
        remark = counted(facts, "fact") if facts else ""
        return Card(
            kind,
            str(signature),
            remark=remark,
            types=self._types_of(signature),
            is_shown=signature in self._shown,
        )

    def _types_of(self, signature: Signature) -> str:
        return "\n".join(type_lines({signature: self._types[signature]})) if signature in self._types else ""

    def _of_derived(self, signature: Signature) -> Card:
        facts = len(self._analysis.facts.get(signature, ()))
        return Card(
            CardKind.DERIVED,
            str(signature),
            tuple(dict.fromkeys(self._rules[signature])),  # pools make several rules of one text
            f"and {counted(facts, 'fact')}" if facts else "",
            self._types_of(signature),
            signature in self._shown,
            self._box.get(signature),
        )


def _uses(body: Sequence[Node]) -> Iterator[tuple[Signature, str, bool]]:
    """The predicates in a body, how they are looked at, and whether it excludes them."""
    pending = [(node, Sign.POSITIVE, "") for node in reversed(body)]
    while pending:
        node, sign, within = pending.pop()
        match node:
            case nodes.Literal(atom, own):
                pending.append((atom, max(sign, own), within))
            case nodes.Atom():
                yield node.signature, f"{'not ' * sign}{within}".strip(), sign is not Sign.POSITIVE
            case _ if isinstance(node, StreamingAtom):
                window = _text(node.location._replace(begin=node.atom.location.end))
                is_negative = sign is not Sign.POSITIVE
                word = "" if window.startswith("at most") else "not " * sign
                yield node.atom.signature, f"{word}{within}{window}".strip(), is_negative
                if isinstance(node.window, nodes.SinceWindow):  # looked at for its beginnings alone
                    yield node.window.atom.signature, "after" if node.window.is_after else "since", False
            case nodes.Aggregate(function) | nodes.HeadAggregate(function):
                pending += ((child, sign, f"{function} ") for child in reversed(children(node)))
            case _:
                pending += ((child, sign, within) for child in reversed(children(node)))


def _text(location: Location) -> str:
    """What is written there, in one line."""
    return " ".join(location.source.text[location.begin : location.end].split())
