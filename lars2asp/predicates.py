"""What static analysis knows about a program's predicates."""

from collections.abc import Iterator, Mapping

from lars2asp.constants import integer_value
from lars2asp.source import Location
from lars2asp.syntax import (
    NOW,
    Atom,
    AtTick,
    BinaryOperation,
    Box,
    Defined,
    Diamond,
    Function,
    Literal,
    Program,
    Rule,
    Show,
    Signature,
    StreamingAtom,
    Term,
)
from lars2asp.traversal import literals_of, walk
from lars2asp.windows import Fixed, Offsets, TickWindow, Unbounded, tick_window


def is_fact(rule: Rule) -> bool:
    """Whether a rule is background data: a ground atom that holds always.

    An atom with an `@`-call may change from tick to tick, so that it is derived and not data.
    """
    return (
        isinstance(rule.head, Atom)
        and not rule.body
        and not any(isinstance(part, Function) and part.is_external for part in walk(rule.head))
    )


def derived_predicates(program: Program) -> tuple[Signature, ...]:
    """The predicates that head a rule other than a fact, in the order of the program."""
    heads = (rule.head for rule in program.rules() if not is_fact(rule))
    return tuple(dict.fromkeys(head.signature for head in heads if isinstance(head, Atom)))


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
        if isinstance(statement, Show | Defined):
            if statement.signature:
                add(statement.signature, statement.location)
            continue
        for part in walk(statement):
            if isinstance(part, Atom):
                add(part.signature, part.location)
    return places


def shown_predicates(program: Program) -> frozenset[Signature]:
    """The predicates of the output: those that `#show` names, without any `#show` the derived ones."""
    shows = [statement for statement in program.statements if isinstance(statement, Show)]
    if shows:
        return frozenset(show.signature for show in shows if show.signature)
    return frozenset(derived_predicates(program))


def streaming_literals(program: Program) -> Iterator[tuple[Literal, StreamingAtom]]:
    """The literals with a streaming atom, those inside aggregates included."""
    for rule in program.rules():
        for literal in literals_of(rule):
            if isinstance(literal.atom, Diamond | Box | AtTick):
                yield literal, literal.atom


def window_of(atom: StreamingAtom, constants: Mapping[str, int]) -> TickWindow:
    """The window of a streaming atom in ticks.

    `a at T` without a window has the whole timeline, but for a tick that is known (`37`) or known from now
    (`@now - 2`), which alone is looked at.
    """
    if not isinstance(atom, AtTick):
        return tick_window(atom.window)
    if atom.window is not None:
        return tick_window(atom.window)
    fixed = integer_value(atom.tick, constants)
    if fixed is not None:
        return Fixed(fixed)
    offset = offset_from_now(atom.tick, constants)
    return Unbounded() if offset is None or offset < 0 else Offsets((offset,))


def offset_from_now(tick: Term, constants: Mapping[str, int]) -> int | None:
    """The d of a tick `@now - d` (0 for `@now`, negative for `@now + n`); None for other terms."""
    match tick:
        case Function() if tick == NOW:
            return 0
        case BinaryOperation("+" | "-" as operator, left, right) if left == NOW:
            value = integer_value(right, constants)
            return value if value is None or operator == "-" else -value
        case _:
            return None


def reaches(program: Program, constants: Mapping[str, int]) -> dict[Signature, int | None]:
    """How many ticks back each predicate under a streaming atom is ever looked at; None is without end.

    Fixed ticks are looked at however long ago they were, and not counted.
    """
    reach: dict[Signature, int | None] = {}
    for _, atom in streaming_literals(program):
        window = window_of(atom, constants)
        signature = atom.atom.signature
        known = reach.get(signature, 0)
        own = None if isinstance(window, Unbounded) else window.reach
        reach[signature] = None if own is None or known is None else max(known, own)
    return reach
