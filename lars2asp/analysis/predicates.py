"""The predicates of a program: which rules derive, the output shows, windows look at, and how far back."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, get_args

from lars2asp.analysis.arithmetic.constants import has_call, integer_value
from lars2asp.analysis.windows import Fixed, Offsets, TickWindow, Unbounded, tick_window
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import (
    NOW,
    Node,
    Program,
    Rule,
    Sign,
    Signature,
    Statement,
    StreamingAtom,
    Term,
    is_plain_fact,
)
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import atoms_in, outermost


class HeadAtom(NamedTuple):
    """An atom that a rule may derive.

    Attributes:
        atom: the atom.
        tick: the T of `a at T`, None for the current tick.
        condition: under which it may be derived, besides the body.
        is_chosen: whether it stands in a choice or disjunction, so that a true body does not force it.
        element: which element of the head it is, counted from 0; None where the head is the atom.
    """

    atom: nodes.Atom
    tick: Term | None = None
    condition: tuple[nodes.Literal, ...] = ()
    is_chosen: bool = False
    element: int | None = None


def head_atoms(rule: Rule) -> Iterator[HeadAtom]:
    """The atoms that a rule may derive, in the order of its head."""
    match rule.head:
        case nodes.Atom():
            yield HeadAtom(rule.head)
        case nodes.AtTick(atom, tick):
            yield HeadAtom(atom, tick)
        case (
            nodes.Disjunction(elements)
            | nodes.SetAggregate(elements)
            | nodes.HeadAggregate(elements=elements)
        ):
            for number, element in enumerate(elements):
                assert isinstance(element, nodes.ConditionalLiteral | nodes.HeadAggregateElement)
                yield from (found._replace(element=number) for found in head_atoms_of(element))


def head_atoms_of(element: nodes.ConditionalLiteral | nodes.HeadAggregateElement) -> Iterator[HeadAtom]:
    """The atoms that an element of a head may derive: none for comparisons and negated literals."""
    for literal in nodes.alternatives_of(element.literal):
        match literal:
            case nodes.Literal(nodes.Atom() as atom, Sign.POSITIVE):
                yield HeadAtom(atom, None, element.condition, True)
            case nodes.Literal(nodes.AtTick(atom, tick, None), Sign.POSITIVE):
                yield HeadAtom(atom, tick, element.condition, True)


def is_fact(rule: Rule) -> bool:
    """Whether a rule is background data: a ground atom that holds always.

    An atom with an `@`-call may change from tick to tick, so that it is derived and not data.
    """
    return is_plain_fact(rule) or (
        isinstance(rule.head, nodes.Atom)
        and not rule.body
        and not rule.is_temporary
        and not has_call(rule.head)
    )


def all_predicates(program: Program) -> dict[Signature, Location]:
    """Every predicate that the program names and where it does so first, in the order of the program.

    Where `-p` is named so is p: the two exclude each other.
    """
    places: dict[Signature, Location] = {}

    def add(signature: Signature, location: Location) -> None:
        places.setdefault(signature, location)
        if not signature.is_positive:
            places.setdefault(signature._replace(is_positive=True), location)

    for statement in program.statements:
        if isinstance(statement, nodes.Show | nodes.Defined | nodes.ProjectSignature):
            if statement.signature:
                add(statement.signature, statement.location)
            continue
        if (
            isinstance(statement, Rule)
            and isinstance(statement.head, nodes.Atom)
            and is_plain_fact(statement)
        ):
            add(statement.head.signature, statement.head.location)
            continue
        for atom in atoms_in(statement):
            add(atom.signature, atom.location)
    return places


def named_plainly(program: Program) -> frozenset[Signature]:
    """The predicates of atoms that are not under a streaming operator, and of `#defined` and `#project`."""
    found: set[Signature] = set()
    for statement in program.statements:
        if isinstance(statement, nodes.Defined | nodes.ProjectSignature):
            found.add(statement.signature)
        else:
            found.update(node.signature for node in outer_atoms(statement) if isinstance(node, nodes.Atom))
    return frozenset(found)


def outer_atoms(statement: Statement) -> Iterator[nodes.Atom | StreamingAtom]:
    """The atoms and streaming atoms of a statement; not the atoms within the latter."""
    for node in outermost(_PLAIN_AND_STREAMING, statement):
        if isinstance(node, nodes.Atom | StreamingAtom):
            yield node


def streaming_atoms(program: Program) -> Iterator[StreamingAtom]:
    """The streaming atoms of bodies and conditions, wherever they stand."""
    for statement in program.but_plain_facts:
        yield from streaming_atoms_of(statement)


def streaming_atoms_of(statement: Statement) -> Iterator[StreamingAtom]:
    """Those of a statement."""
    heads = head_atoms(statement) if isinstance(statement, Rule) else ()
    placed = {id(head.atom) for head in heads if head.tick is not None}
    for node in outermost(_STREAMING, statement):
        if isinstance(node, StreamingAtom) and id(node.atom) not in placed:
            yield node


_STREAMING = frozenset[type[Node]](get_args(StreamingAtom))
_PLAIN_AND_STREAMING = _STREAMING | {nodes.Atom, nodes.FormulaAtom}


def window_of(streaming: StreamingAtom, constants: Mapping[str, int]) -> TickWindow:
    """The window of a streaming atom in ticks.

    `a at T` without a window has the whole timeline, but for a tick that is known (`37`) or known from now
    (`@now - 2`), which alone is looked at.
    """
    if streaming.window is not None:
        return tick_window(streaming.window, streaming.atom)
    return _ticks_at(streaming.tick, constants)


def _ticks_at(tick: Term, constants: Mapping[str, int]) -> Unbounded | Offsets | Fixed:
    """The ticks up to now that a term may stand for."""
    fixed = integer_value(tick, constants)
    if fixed is not None:
        return Fixed(fixed)
    offset = offset_from_now(tick, constants)
    return Unbounded() if offset is None or offset < 0 else Offsets((offset,))


def merge_windows(
    program: Program, constants: Mapping[str, int]
) -> dict[Signature, tuple[Unbounded | Offsets | Fixed, ...]]:
    """For predicates that heads choose at ticks, the ticks at which they may do so, up to now.

    What holds there already must be known for choosing it to be no other answer stream.
    """
    windows: dict[Signature, dict[Unbounded | Offsets | Fixed, None]] = {}
    for rule in program.but_plain_facts:
        for head in head_atoms(rule) if isinstance(rule, Rule) else ():
            if not head.is_chosen or head.tick is None:
                continue
            found = windows.setdefault(head.atom.signature, {})
            offset = offset_from_now(head.tick, constants)
            if offset is None or offset > 0:
                found[_ticks_at(head.tick, constants)] = None
    return {
        signature: (Unbounded(),) if Unbounded() in found else tuple(found)
        for signature, found in windows.items()
    }


def offset_from_now(tick: Term, constants: Mapping[str, int]) -> int | None:
    """The d of a tick `@now - d` (0 for `@now`, negative for `@now + n`); None for other terms."""
    match tick:
        case nodes.Function() if tick == NOW:
            return 0
        case nodes.BinaryOperation("+" | "-" as operator, left, right) if left == NOW:
            value = integer_value(right, constants)
            return value if value is None or operator == "-" else -value
        case _:
            return None


def needs_whole_window(literal: nodes.Literal) -> bool:
    """Whether a literal is false where its window is not whole, in programs that demand whole windows.

    So are `not a in W`, `not a at least K in W` and `a at most K in W`, but for windows over arrivals.
    """
    kinds = (nodes.Diamond, nodes.AtLeast) if literal.sign is Sign.NOT else nodes.AtMost
    return isinstance(literal.atom, kinds) and not isinstance(literal.atom.window, nodes.TupleWindow)
