"""Derivations that rest on themselves are none: which instances of recursive rules rest on others.

Of the atoms that a claim about a recursive predicate may rest on at one tick of evaluation, each gets a rank:
one more than those of the atoms that an instance of a rule for it needs. The instance that is found first has
the lowest rank, and explanations that follow ranks downwards have no circles (Beck, Dao-Tran, Eiter 2018,
definition 9: answer streams are minimal models of the reduct).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.externals.terms.terms import Row
from lars2asp.runtime.explanations.past.interpretation import number_of_ticks
from lars2asp.runtime.explanations.past.terms import Binding
from lars2asp.runtime.explanations.reasons.heads import HeadRule
from lars2asp.runtime.explanations.reasons.search import BodyLiteral, Search
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Node, Sign, Signature, StreamingAtom
from lars2asp.syntax.traversal import children


class Atom(NamedTuple):
    """An atom at a tick, seen from the tick of evaluation."""

    signature: Signature
    row: Row
    tick: int


class Derivation(NamedTuple):
    """An instance of a rule, evaluated at a tick."""

    rule: HeadRule
    binding: Binding
    at: int


Needed = list[list[Atom]]
"""Of each of these lists an atom must hold."""


class _Waiting(NamedTuple):
    """A derivation of an atom, the first, second, ... one, and what it needs."""

    atom: Atom
    turn: int
    derivation: Derivation
    needed: Needed


Derivations = Callable[[Signature, Row, int, int], Iterable[Derivation]]


class Foundations:
    """Finds derivations of atoms of recursive predicates that do not rest on themselves.

    Args:
        rules: the rules by the predicates that they derive.
        search: finds instances.
        derivations: gives the derivations of an atom at a tick, seen from a tick of evaluation.

    Attributes:
        groups: for predicates that rest on themselves all that rest on each other.
    """

    def __init__(
        self, rules: Mapping[Signature, Iterable[HeadRule]], search: Search, derivations: Derivations
    ) -> None:
        self._search = search
        self._derivations = derivations
        graph = {
            head: [one for rule in own for one in needed_by(rule.literals) if one in rules]
            for head, own in rules.items()
        }
        self.groups = {
            member: frozenset(members)
            for members in strongly_connected(graph)
            for member in members
            if len(members) > 1 or member in graph[member]
        }
        self._found: dict[tuple[Atom, int], Derivation] = {}

    def derivation(self, signature: Signature, row: Row, tick: int, seen_at: int) -> Derivation | None:
        """The derivation of an atom of lowest rank; None where it is not recursive, or has none."""
        if signature not in self.groups:
            return None
        atom = Atom(signature, row, tick)
        if (atom, seen_at) not in self._found:
            self._rank(atom, seen_at)
        return self._found.get((atom, seen_at))

    def _rank(self, atom: Atom, seen_at: int) -> None:
        """Ranks the atoms that one may rest on, those nearest to it first, until it has a rank."""
        seen = set[Atom]()
        waiting: dict[Atom, list[_Waiting]] = {}
        level = [atom]
        while level:
            following: dict[Atom, None] = {}
            settled: list[Atom] = []
            ready: list[_Waiting] = []
            for one in level:
                if one not in seen and (one, seen_at) not in self._found:
                    seen.add(one)
                    instances = self._instances(one, seen_at)
                    if (one, seen_at) in self._found:
                        settled.append(one)
                    for turn, (derivation, needed) in enumerate(instances):
                        found = _Waiting(one, turn, derivation, needed)
                        following.update(dict.fromkeys(other for others in needed for other in others))
                        for other in {other for others in needed for other in others}:
                            waiting.setdefault(other, []).append(found)
                        if self._is_met(found, seen_at):
                            ready.append(found)
            self._settle(waiting, settled, ready, seen_at)
            if (atom, seen_at) in self._found:
                return
            level = list(following)

    def _instances(self, atom: Atom, seen_at: int) -> list[tuple[Derivation, Needed]]:
        """The derivations of an atom and what they need; none where one needs nothing: it is taken."""
        found = []
        for derivation in self._derivations(atom.signature, atom.row, atom.tick, seen_at):
            needed = list(self._needed(atom, derivation, seen_at))
            if not needed:
                self._found[atom, seen_at] = derivation
                return []
            found.append((derivation, needed))
        return found

    def _settle(
        self,
        waiting: Mapping[Atom, list["_Waiting"]],
        settled: list[Atom],
        ready: list["_Waiting"],
        seen_at: int,
    ) -> None:
        """Takes the derivations of which all that they need has one, as long as there are such.

        Args:
            waiting: the derivations that need an atom.
            settled: the atoms that got theirs without needing anything.
            ready: the derivations that need nothing more.
            seen_at: the tick of evaluation.
        """
        while settled or ready:
            ready += [
                one
                for atom in settled
                for one in waiting.get(atom, ())
                if (one.atom, seen_at) not in self._found and self._is_met(one, seen_at)
            ]
            ranked = {(one.atom, seen_at): one.derivation for one in sorted(ready, key=_turn, reverse=True)}
            settled, ready = [atom for atom, _ in ranked], []
            self._found.update(ranked)

    def _is_met(self, waiting: "_Waiting", seen_at: int) -> bool:
        """Whether all that a derivation needs has one."""
        return all(any((one, seen_at) in self._found for one in others) for others in waiting.needed)

    def _needed(self, atom: Atom, derivation: Derivation, seen_at: int) -> Iterator[list[Atom]]:
        """What a derivation needs of the atoms that are recursive with its head."""
        if derivation.at != seen_at:
            return
        group = self.groups[atom.signature]
        rule = derivation.rule
        for place, literal in enumerate(rule.literals):
            binding = rule.known_at(place, derivation.binding)
            yield from self._needed_by_literal(literal, binding, seen_at, group)

    def _needed_by_literal(
        self, literal: BodyLiteral, binding: Binding, at: int, group: frozenset[Signature]
    ) -> Iterator[list[Atom]]:
        if isinstance(literal, nodes.ConditionalLiteral):
            for one in self._search.instances(literal.condition, binding, at):
                needs = [
                    [*self._needed_by_literal(alternative, one, at, group)]
                    for alternative in literal.alternatives
                    if self._search.is_true(alternative, one, at)
                ]
                if len(needs) == 1:
                    yield from needs[0]
                elif all(needs):
                    yield [atoms[0] for each in needs for atoms in each[:1]]
            return
        if literal.sign is not Sign.POSITIVE:
            return
        if isinstance(literal.atom, StreamingAtom):
            streaming = literal.atom
            if streaming.atom.signature in group:
                found = [
                    [
                        Atom(streaming.atom.signature, row, tick)
                        for tick in self._ticks(streaming, row, one, at)
                    ]
                    for row, one in self._search.streaming(streaming, binding, at)
                ]
                yield from self._alternatives(found, at)
            return
        match literal.atom:
            case nodes.Atom() as atom if atom.signature in group:
                rows = [row for row, _ in self._search.atoms(atom, binding, at)]
                yield from self._alternatives([[Atom(atom.signature, row, at)] for row in rows], at)
            case nodes.Aggregate() | nodes.SetAggregate() as atom:
                for _, part, one in self._search.elements(atom, binding, at):
                    for inner in part.literals:
                        yield from self._needed_by_literal(inner, one, at, group)

    def _alternatives(self, found: list[list[Atom]], at: int) -> Iterator[list[Atom]]:
        """Of some lists of atoms one must hold; those that are decided before this evaluation do."""
        interpretation = self._search.interpretation
        left = []
        for atoms in found:
            open_ = [
                one
                for one in atoms
                if interpretation.viewpoint(one.signature, one.row, one.tick, at) == at
                and interpretation.told(one.signature, one.row, one.tick) is None
                and one.row not in interpretation.background.get(one.signature, ())
                and interpretation.holds(one.signature, one.row, one.tick, at)
            ]
            if not open_:
                if atoms:
                    return
                continue
            left.append(open_)
        if len(left) == 1:
            yield from ([one] for one in left[0])
        elif left:
            yield [atoms[0] for atoms in left]  # nearly always one tick each

    def _ticks(self, atom: StreamingAtom, row: Row, binding: Binding, at: int) -> list[int]:
        """The ticks at which a true streaming atom needs an atom to hold."""
        interpretation, signature = self._search.interpretation, atom.atom.signature
        window = interpretation.window(atom)
        runs = interpretation.holds_at(window, signature, row, at)
        ticks = [tick for first, last in runs for tick in range(first, last + 1)]
        match atom:
            case nodes.Box():
                needed = interpretation.box_ticks(window, at, signature, row)
                return [tick for first, last in needed for tick in range(first, last + 1)]
            case nodes.AtTick(_, tick):
                value = self._search.terms.value(tick, binding, at)
                return [value] if type(value) is int else ticks[:1]
            case nodes.AtLeast(_, number):
                least = self._search.terms.value(number, binding, at)
                return ticks[: least if type(least) is int else 1]
            case nodes.Count():
                return ticks[: number_of_ticks(runs)]
            case _:
                return ticks[:1]


def _turn(waiting: _Waiting) -> int:
    return waiting.turn


def needed_by(body: Iterable[Node]) -> Iterator[Signature]:
    """The predicates of atoms that are not under `not`."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.Literal) and node.sign is not Sign.POSITIVE:
            continue
        if isinstance(node, nodes.Atom):
            yield node.signature
        else:
            waiting += children(node)
