"""Checks what an explanation says cannot hold together at a tick without answer stream.

What is derived at such a tick is not known. So each instance is held to what input, background and earlier
ticks say of it; that the whole cannot hold together is taken as it is told.
"""

from typing import Any

from lars2asp.checking.claim_checks import checked_statement
from lars2asp.checking.explanation_shapes import Json, need, shaped
from lars2asp.definition.stream import NaiveStream
from lars2asp.definition.terms import Bindings, read_atom, read_row
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Sign
from lars2asp.syntax.traversal import body_of, every, variable_names


def check_clash(program: Program, stream: NaiveStream, claim: Json) -> None:
    """Checks the statements and the contraries of a claim about a tick that has no answer stream."""
    tick, seen = claim["tick"], list[Any]()
    for one in claim["clashing"]:
        need(one not in seen, "it names an instance twice")
        seen.append(one)
        _check_instance(program, stream, one, tick)
    contraries = claim.get("contraries", [])
    need(all(isinstance(text, str) for text in contraries), "an atom is not text")
    need(len(contraries) == len(set(contraries)), "it names contraries twice")
    for text in contraries:
        _check_contraries(stream, text, tick)
    told = [text for text in contraries if all(_is_given(stream, text, sign, tick) for sign in (True, False))]
    need(not told or len(seen) + len(contraries) == 1, "contraries that are told clash by themselves")


def _check_instance(program: Program, stream: NaiveStream, one: Any, tick: int) -> None:
    """Checks an instance of a statement: that there is one, and that it demands something."""
    number = checked_statement(program, shaped(one, "clashing")["statement"])
    statement, bindings = program.statements[number], one["bindings"]
    names = bindings.keys() - variable_names(statement)
    need(not names, f"the statement has no variables {', '.join(sorted(names))}")
    need(_demands(statement), "the statement demands nothing")
    body = body_of(statement)
    missing = {name for literal in body for name in _told_apart_by(literal)} - bindings.keys()
    need(not missing, f"the variables {', '.join(sorted(missing))} have no values")
    need(all(isinstance(text, str) for text in bindings.values()), "a binding is not text")
    values = {name: read_row(f"v({text})") for name, text in bindings.items()}
    need(all(len(found) == 1 for found in values.values()), "a binding is not a value")
    known: Bindings = {**stream.bindings(tick), **{name: found for name, (found,) in values.items()}}
    for literal in body:
        if variable_names(literal) <= bindings.keys() and not _is_derived(stream, literal):
            need(stream.bodies.holds(literal, known), "a literal of the instance is not true")


def _demands(statement: nodes.Statement) -> bool:
    """Whether a statement can make that there is no answer stream."""
    match statement:
        case nodes.Rule(nodes.SetAggregate() | nodes.HeadAggregate() as head):
            return bool(head.left or head.right)
        case nodes.Rule(nodes.Atom() | nodes.AtTick(), body):
            return bool(body)
        case nodes.Rule() | nodes.Edge():
            return True
        case _:
            return False


def _told_apart_by(literal: nodes.Literal | nodes.ConditionalLiteral) -> set[str]:
    """The variables of a literal by whose values instances are told apart."""
    if isinstance(literal, nodes.ConditionalLiteral) or literal.sign is not Sign.POSITIVE:
        return set()
    match literal.atom:
        case nodes.Atom() as atom:
            return variable_names(atom)
        case nodes.Diamond(atom) | nodes.Box(atom):
            return variable_names(atom)
        case _:
            return set()


def _is_derived(stream: NaiveStream, literal: nodes.Node) -> bool:
    """Whether rules may derive what a literal speaks of: it is not known at a tick without answer stream."""
    return any(atom.signature in stream.derived for atom in every(nodes.Atom, literal))


def _check_contraries(stream: NaiveStream, text: str, tick: int) -> None:
    """Checks that an atom and its classical negation may both hold at a tick."""
    atom = read_atom(text)
    need(atom.is_positive and not variable_names(atom), f"`{text}` is not an atom with a contrary")
    for is_positive in (True, False):
        is_possible = atom.signature._replace(is_positive=is_positive) in stream.derived
        is_given = is_possible or _is_given(stream, text, is_positive, tick)
        need(is_given, f"nothing tells or derives {'' if is_positive else '-'}{text}")


def _is_given(stream: NaiveStream, text: str, is_positive: bool, tick: int) -> bool:
    """Whether input or background tell an atom, or its classical negation, at a tick."""
    signature = read_atom(text).signature._replace(is_positive=is_positive)
    return read_row(text) in stream.given(signature, tick)
