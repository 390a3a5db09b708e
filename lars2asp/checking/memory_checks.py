"""Checks of claims that something has been so since an earlier tick.

The atom did not hold at any of the ticks; or an instance of a rule derived it at each of them but the first,
from the same atom some ticks before, or from another one that rests on the atom in turn. No other positive
literal of these rules may rest on the atom.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import head_atoms
from lars2asp.checking.explanation_shapes import Json, atom_of, need
from lars2asp.definition.bodies import outer_names
from lars2asp.definition.stream import NaiveStream, is_choice
from lars2asp.definition.terms import Bindings, row
from lars2asp.definition.windows import parts_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Node, Rule, Sign, Signature
from lars2asp.syntax.traversal import children


def checked_beginning(claim: Json, stream: NaiveStream) -> Json:
    """The claim about the first of the ticks. Raises FaultError."""
    since: Json = claim["since"]
    is_same = atom_of(since) == atom_of(claim) and since["holds"] is claim["holds"]
    need(is_same, "it was about another atom before")
    need(stream.is_recorded, "windows see no earlier answers")
    first, tick = since["tick"], claim["tick"]
    need(stream.start <= first < tick == claim["seen_at"], "it did not begin before")
    return since


class Remembering(NamedTuple):
    """An instance of a rule that derives an atom from another one, or from the atom itself.

    Attributes:
        atom: the atom.
        rule: the rule.
        values: the values of its variables.
        ago: how many ticks before the claim's the atom holds.
    """

    atom: nodes.Atom
    rule: Rule
    values: Bindings
    ago: int


def check_remembering(claim: Json, stream: NaiveStream, instances: Sequence[Remembering]) -> None:
    """Checks that instances of rules derived an atom from itself since an earlier tick.

    Args:
        claim: the claim.
        stream: what holds when.
        instances: that which derives the atom, and those on whose atoms it rests in turn; the last one rests
            on the atom itself.
    """
    since, step = claim["since"], claim.get("step", 1)
    need(step > 0 and (claim["tick"] - since["tick"]) % step == 0, "its ticks do not lie so far apart")
    own = [_own_literal(one, stream) for one in instances]
    order = [0, *(one.ago for one in instances[1:]), step]
    need(order == sorted(order), "its atoms do not hold one before the other")
    seen = [(derived_by(one.atom), one.ago) for one in (*instances[1:], instances[0]._replace(ago=step))]
    for tick in range(since["tick"] + step, claim["tick"] + 1, step):
        for one, literal, (below, ago) in zip(instances, own, seen, strict=True):
            now, derived = tick - one.ago, derived_by(one.atom)
            known = {**one.values, **stream.bindings(now)}
            need(stream.has_answer(now), f"tick {now} has no answer stream")
            made = {*stream.bodies.derived(next(head_atoms(one.rule)), known)}
            need((*derived, now) in made, "the instance has another head")
            is_true = all(stream.bodies.holds(each, known) for each in one.rule.body)
            need(is_true, f"the instance does not derive it at tick {now}")
            is_seen = _sees(stream, literal, known, below, tick - ago, now)
            need(is_seen, f"the rule does not look at {tick - ago}")


def derived_by(atom: nodes.Atom) -> tuple[Signature, Any]:
    """The predicate of an atom, and its arguments."""
    return atom.signature, row(atom.arguments, {})


def _own_literal(one: Remembering, stream: NaiveStream) -> Node:
    """The literal of a rule that asks for what rests on the atom. Raises FaultError."""
    rule, values = one.rule, one.values
    heads = list(head_atoms(rule))
    need(len(heads) == 1 and not is_choice(rule) and not rule.is_temporary, "the rule does not remember")
    need(not (heads[0].tick or heads[0].condition), "the rule does not remember")
    missing = outer_names(rule.body) - values.keys()
    need(not missing, f"the variables {', '.join(sorted(missing))} have no values")
    own = [each for each in rule.body if _rests_on(stream, each, one.atom.signature)]
    need(len(own) == 1, "not one literal of the rule is about its own atom")
    return own[0]


def is_beginning(claim: Json, kept_from: int) -> bool:
    """Whether the instance did not derive the atom at the first tick too, from itself a step before."""
    since, before = claim["since"], claim["since"]["tick"] - claim.get("step", 1)
    same = [since.get(key) == claim[key] for key in ("statement", "bindings")]
    if not all(same) or since.get("at", since["tick"]) != since["tick"] or before < kept_from:
        return True
    level = [since]
    for _ in (0, *claim.get("through", ())):
        literals = (literal for one in level for literal in one.get("body", ()))
        level = [one for literal in literals for one in literal.get("claims", ())]
    return not any((one["atom"], one["tick"]) == (claim["atom"], before) for one in level)


def _sees(
    stream: NaiveStream, literal: Any, known: Bindings, derived: tuple[Signature, Any], tick: int, now: int
) -> bool:
    """Whether a literal is true by an atom at a tick alone, seen from another one."""
    atom = getattr(literal, "atom", None)
    if isinstance(atom, nodes.Atom):
        is_same = (atom.signature, row(atom.arguments, known)) == derived
        return literal.sign is Sign.POSITIVE and tick == now and is_same
    is_simple = isinstance(atom, nodes.Diamond | nodes.AtTick) and literal.sign is Sign.POSITIVE
    if not is_simple or (parts_of(atom)[0].signature, row(parts_of(atom)[0].arguments, known)) != derived:
        return False
    return any(one.row == derived[1] and tick in one.ticks for one in stream.bodies.demands(atom, known))


def _rests_on(stream: NaiveStream, literal: Node, signature: Signature) -> bool:
    """Whether a literal asks for atoms that may rest on those of a predicate."""
    needs: dict[Signature, set[Signature]] = {}
    for rule in stream.rules.values():
        positive = set(_positive(*rule.body))
        for head in head_atoms(rule):
            needs.setdefault(head.atom.signature, set()).update(positive, _positive(*head.condition))
    graph = {one: [other for other in found if other in needs] for one, found in needs.items()}
    group = next((set(part) for part in strongly_connected(graph) if signature in part), {signature})
    return not group.isdisjoint(_positive(literal))


def _positive(*literals: Node) -> Iterator[Signature]:
    """The predicates of atoms that are not under `not`."""
    waiting = [*literals]
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.Literal) and node.sign is not Sign.POSITIVE:
            continue
        if isinstance(node, nodes.Atom):
            yield node.signature
        else:
            waiting += children(node)
