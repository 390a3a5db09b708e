"""The fragment of programs that the encoding serves."""

from collections.abc import Iterable, Iterator

from lars2asp.analysis.predicates import head_atoms
from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import (
    NOW,
    AtLeast,
    Atom,
    Box,
    ConditionalLiteral,
    Count,
    External,
    Function,
    Held,
    HoppingWindow,
    Literal,
    Node,
    OffsetWindow,
    Program,
    Rule,
    Script,
    Semantics,
    Sign,
    Signature,
    SlidingWindow,
    TumblingWindow,
    TupleWindow,
    Window,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE
from lars2asp.syntax.traversal import walk

_FOREIGN: dict[type[Node], str] = {
    AtLeast: "`at least` and `at most`",
    Count: "`count`",
    HoppingWindow: "hopping windows",
    TumblingWindow: "tumbling windows",
    OffsetWindow: "windows of offsets",
    External: "`#external`",
    Held: "facts that are held",
    Script: "scripts",
}


def check_fragment(program: Program, semantics: Semantics, diagnostics: Diagnostics) -> None:
    """Reports what the encoding is not for."""
    if semantics is not Semantics.STRICT:
        place = program.statements[0].location if program.statements else NOWHERE
        diagnostics.error(
            place,
            "Ticker knows the strict semantics alone",
            "choose it: #semantics strict.",
            code=codes.DIALECT_RULE,
        )
    for statement in program.but_plain_facts:
        for node in walk(statement):
            foreign = _foreign(node)
            if foreign:
                diagnostics.error(
                    node.location, f"Ticker knows no {foreign}: {to_text(node)}", code=codes.DIALECT_RULE
                )
    _check_boxes(program, diagnostics)


def _foreign(node: Node) -> str | None:
    """The name of a node if it is outside of the fragment."""
    match node:
        case TupleWindow(_, signature, group) if signature or group:
            return "tuple windows of a predicate or by groups"
        case Function(is_external=True) if node != NOW:
            return "@-functions"
        case _ if isinstance(node, Window) and not isinstance(node, SlidingWindow | TupleWindow):
            return _FOREIGN.get(type(node), "windows of this kind")
        case _:
            return _FOREIGN.get(type(node))


def _check_boxes(program: Program, diagnostics: Diagnostics) -> None:
    """Reports boxes that would be true by themselves.

    A box is encoded as what is not spoiled, and what is not missing in the past need not be founded: in

        a at @now-1 :- b.    b :- a always in [1].

    nothing founds `a` at the tick before now, but it makes the box true that makes it true.
    """
    rules = [statement for statement in program.but_plain_facts if isinstance(statement, Rule)]
    read_by: dict[Signature, set[Signature]] = {}
    placing: dict[Signature, list[Rule]] = {}
    for rule in rules:
        for head in head_atoms(rule):
            known = read_by.setdefault(head.atom.signature, set())
            known |= _positive((*rule.body, *head.condition))
            if head.tick is not None:
                placing.setdefault(head.atom.signature, []).append(rule)
    for rule in rules:
        heads = {head.atom.signature for head in head_atoms(rule)}
        for box in (node for node in walk(rule) if isinstance(node, Box)):
            for other in placing.get(box.atom.signature, ()):
                if other is rule or heads & _reached(_positive([other]), read_by):
                    diagnostics.error(
                        box.location,
                        f"Ticker cannot found what a box that depends on itself needs: {to_text(box)}",
                        "a rule places its atom at a tick because of it",
                        code=codes.DIALECT_RULE,
                    )
                    break


def _positive(parts: Iterable[Node]) -> set[Signature]:
    """The predicates of the atoms in bodies and conditions that are not negated, whatever they stand in."""
    return {atom.signature for part in parts for atom in _unnegated(part)}


def _unnegated(node: Node) -> Iterator[Atom]:
    match node:
        case Rule(body=body):
            conditions = (part.condition for part in walk(node) if isinstance(part, ConditionalLiteral))
            for part in (*body, *(literal for condition in conditions for literal in condition)):
                yield from _unnegated(part)
        case Literal(sign=sign) if sign is not Sign.POSITIVE:
            return
        case _:
            yield from (part for part in walk(node) if isinstance(part, Atom))


def _reached(found: set[Signature], read_by: dict[Signature, set[Signature]]) -> set[Signature]:
    """Predicates, and all that they depend on."""
    pending = set(found)
    while pending:
        below = read_by.get(pending.pop(), set()) - found
        found |= below
        pending |= below
    return found
