"""Literals of rules in an explanation: what makes them true, and why they are not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.explanations.claim_forms import began
from lars2asp.runtime.explanations.growing_tree import Spot
from lars2asp.runtime.explanations.heads import HeadRule
from lars2asp.runtime.explanations.interpretation import cut, joined, known_argument, number_of_ticks
from lars2asp.runtime.explanations.search import BodyLiteral, Part, Search, Sets, is_matched
from lars2asp.runtime.explanations.terms import Binding, is_multiple, with_values
from lars2asp.runtime.explanations.tree import Claim, Element, Instance, LiteralNode, Run, Witness
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Sign, StreamingAtom
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every, variable_names, walk

if TYPE_CHECKING:
    from lars2asp.runtime.explanations.explainer import Explainer

MOST_WITNESSES = 3
"""The number of ticks of a run that are explained one by one."""

_Parts = tuple[tuple[Claim, ...], Witness | None, str, tuple[Element, ...]]
"""The claims, the witness, the value and the elements of a literal."""

_NOTHING: _Parts = ((), None, "", ())


class Literals:
    """Makes the literals of a tree.

    Args:
        search: finds instances.
        explainer: explains the atoms that they rest on.
    """

    def __init__(self, search: Search, explainer: "Explainer") -> None:
        self._search = search
        self._interpretation = search.interpretation
        self._terms = search.terms
        self._explainer = explainer

    # --- true -----------------------------------------------------------------------------------------

    def true(
        self,
        literal: BodyLiteral,
        position: int,
        binding: Binding,
        spot: Spot,
        *,
        rests: bool = True,
    ) -> LiteralNode | None:
        """A literal that is true; None if it would rest on what is being explained."""
        found = self._true(
            literal, position, to_text(with_values(literal, binding)), binding, spot, rests=rests
        )
        return None if found is None else _as_written(found, literal, binding)

    def _true(
        self,
        literal: BodyLiteral,
        position: int,
        text: str,
        binding: Binding,
        spot: Spot,
        *,
        rests: bool,
    ) -> LiteralNode | None:
        if isinstance(literal, nodes.ConditionalLiteral):
            return self._conditional(literal, position, text, binding, spot, rests=rests)
        if is_matched(literal):
            found = self._affirmed(literal.atom, binding, spot, rests=rests)
            return None if found is None else LiteralNode(position, text, True, *found)
        deciding = self._search.deciding(literal, binding, spot.now)
        if deciding is None:
            return None
        return LiteralNode(position, text, True, *self._signed(literal, [deciding], binding, spot))

    def giving(
        self, rule: HeadRule, failing: int, before: Sequence[int], binding: Binding, spot: Spot
    ) -> Iterator[LiteralNode]:
        """The true literals that gave the variables of a comparison that fails their values.

        Args:
            rule: the rule.
            failing: the literal that fails.
            before: the literals that are true before it.
            binding: the values of variables.
            spot: where in the tree.
        """
        names = variable_names(rule.literals[failing])
        if not isinstance(getattr(rule.literals[failing], "atom", None), nodes.Comparison):
            return
        for place in before:
            literal = rule.literals[place]
            if not isinstance(literal, nodes.Literal) or literal.sign is not nodes.Sign.POSITIVE:
                continue
            is_giving = isinstance(literal.atom, nodes.Atom | StreamingAtom)
            if is_giving and not isinstance(literal.atom, nodes.AtMost) and variable_names(literal) & names:
                found = self.true(literal, place, rule.known_at(place, binding), spot, rests=False)
                if found is not None:
                    yield found

    def untrue(self, literal: BodyLiteral, position: int, binding: Binding, spot: Spot) -> LiteralNode:
        """A literal that is not true, whatever values its other variables have."""
        found = self._untrue(literal, position, to_text(with_values(literal, binding)), binding, spot)
        return _as_written(found, literal, binding)

    def elsewhere(self, literal: BodyLiteral, position: int, binding: Binding, spot: Spot) -> LiteralNode:
        """A literal that is true only where the head is another atom than the one that is asked about."""
        kept = spot.tree.size
        found = self.untrue(literal, position, binding, spot)
        if found.children:
            spot.tree.drop(kept)
        return replace(found, children=())

    def _untrue(
        self, literal: BodyLiteral, position: int, text: str, binding: Binding, spot: Spot
    ) -> LiteralNode:
        if isinstance(literal, nodes.ConditionalLiteral):
            return self._failed_conditional(literal, position, text, binding, spot)
        is_atom = isinstance(literal.atom, nodes.Atom | StreamingAtom) and is_matched(literal)
        undefined = self._search.undefined(literal.atom, binding, spot.now)
        if undefined is not None and (is_atom or literal.sign is not Sign.POSITIVE):
            term = to_text(with_values(undefined, binding))
            return LiteralNode(position, text, False, undefined=term)
        atoms = [(literal.atom, binding)]
        several = [one for one in walk(literal.atom) if is_multiple(one)] if is_atom else [literal.atom]
        if not is_matched(literal) or all(self._terms.is_bound(one, binding) for one in several):
            atoms = list(self._search.written_out(literal.atom, binding, spot.now)) or atoms
        return LiteralNode(position, text, False, *self._signed(literal, atoms, binding, spot, holds=False))

    def _signed(
        self,
        literal: nodes.Literal,
        atoms: Iterable[tuple[nodes.LiteralAtom, Binding]],
        binding: Binding,
        spot: Spot,
        *,
        holds: bool = True,
    ) -> _Parts:
        """What makes a literal true, or untrue, by all that it stands for, each with its values."""
        parts = []
        for atom, one in atoms:
            if (literal.sign is Sign.NOT) is holds:
                parts.append(self._denied(atom, one, spot))
            else:
                parts.append(self._affirmed(atom, one, spot, rests=False) or _NOTHING)
        if not parts:
            return _NOTHING
        claims = tuple(claim for found in parts for claim in found[0])
        _, witness, value, elements = parts[0]
        if witness is not None and isinstance(literal.atom, StreamingAtom):
            witness = self._witness(literal.atom, binding, spot.now)
        if isinstance(literal.atom, nodes.Comparison):
            only_calls = (literal.sign is Sign.NOT) is not holds
            value = self._computed(literal.atom, binding, spot.now, only_calls=only_calls)
        return claims, witness, value, elements

    def _affirmed(
        self,
        atom: nodes.LiteralAtom,
        binding: Binding,
        spot: Spot,
        *,
        rests: bool,
    ) -> _Parts | None:
        """What makes an atom of a literal true; None if it would rest on what is being explained."""
        match atom:
            case nodes.Boolean():
                return _NOTHING
            case nodes.Comparison():
                return (), None, self._computed(atom, binding, spot.now, only_calls=True), ()
            case nodes.Atom():
                signature = atom.signature
                for row, _ in self._search.atoms(atom, binding, spot.now):
                    if self._interpretation.holds(signature, row, spot.now, spot.now):
                        claim = self._explainer.holding(signature, row, spot.now, spot, rests=rests)
                        if claim is not None:
                            return (claim,), None, "", ()
                return None
            case nodes.Aggregate() | nodes.SetAggregate():
                return self._aggregated(atom, binding, spot, rests=rests)
            case nodes.AtMost():
                return self._at_most(atom, binding, spot)
            case _:
                kept = spot.tree.size
                for row, one in self._search.streaming(atom, binding, spot.now):
                    claims = self._witnesses(atom, row, one, spot, rests=rests)
                    if claims is not None:
                        return claims, self._witness(atom, binding, spot.now), "", ()
                    spot.tree.drop(kept)
                return None

    def _computed(
        self, atom: nodes.Comparison, binding: Binding, now: int, *, only_calls: bool = False
    ) -> str:
        """The values of the sides of a comparison that do not stand in it."""
        sides = [atom.term, *(guard.term for guard in atom.guards)]
        written = [to_text(with_values(side, binding)) for side in sides]
        found = []
        for side in sides:
            if not self._terms.is_bound(side, binding) or (only_calls and not _calls(side)):
                continue
            values = list(islice(self._terms.values(side, binding, now), 2))
            text = text_of(values[0]) if len(values) == 1 else ""
            if text and text not in (written if only_calls else to_text(with_values(side, binding))):
                found.append(text)
        return ", ".join(found)

    def _witness(self, atom: StreamingAtom, binding: Binding, now: int) -> Witness:
        """What a streaming atom looks at: where any instance of its atom holds."""
        interpretation, inner = self._interpretation, atom.atom
        window, signature = interpretation.window(atom), inner.signature
        of = "" if self._terms.is_bound(inner, binding) else to_text(with_values(inner, binding))
        rows = self._rows(atom, binding, now)
        held = [run for row in rows for run in interpretation.holds_at(window, signature, row, now)]
        if not isinstance(window, LastArrivals):
            return Witness(tuple(interpretation.ticks(window, now)), tuple(joined(held)), of=of)
        if window.group:
            groups = interpretation.groups(window, signature, now)
            by = [inner.arguments[place] for place in window.group]
            chosen = (
                row
                for values, row in groups.items()
                if self._terms.match_all(by, values, binding, now) is not None
            )
            inside = [one for row in chosen for one in interpretation.inside(window, signature, row, now)]
        else:
            inside = interpretation.inside(window, signature, (), now)
        arrived = joined((interval.first, interval.first) for _, interval in inside)
        return Witness(tuple(arrived), tuple(joined(held)), is_tuple_window=True, of=of)

    def _rows(self, atom: StreamingAtom, binding: Binding, now: int) -> list[Row]:
        """The instances of the atom of a streaming atom that may hold in its window."""
        interpretation, inner = self._interpretation, atom.atom
        place, value = known_argument(self._terms, inner, binding, now)
        rows = interpretation.rows_in(interpretation.window(atom), inner.signature, now, place, value)
        return [row for row in rows if self._terms.match_all(inner.arguments, row, binding, now) is not None]

    def _witnesses(
        self,
        atom: StreamingAtom,
        row: Row,
        binding: Binding,
        spot: Spot,
        *,
        rests: bool,
    ) -> tuple[Claim, ...] | None:
        """Why an atom holds at the ticks on which a true streaming atom rests."""
        interpretation, signature = self._interpretation, atom.atom.signature
        window = interpretation.window(atom)
        runs = interpretation.holds_at(window, signature, row, spot.now)
        needed = 1
        match atom:
            case nodes.AtTick():
                if self._terms.is_bound(atom.tick, binding):
                    values = self._terms.values(atom.tick, binding, spot.now)
                    runs = cut(runs, [(one, one) for one in values if type(one) is int])
            case nodes.Box():
                runs = interpretation.box_ticks(window, spot.now, signature, row)
                needed = number_of_ticks(runs)
            case nodes.AtLeast(_, number):
                least = self._terms.value(number, binding, spot.now)
                needed = least if type(least) is int else 1
            case nodes.Count():
                needed = number_of_ticks(runs)
        found: list[Claim] = []
        taken: set[int] = set()
        for tick in chain(_changing(runs, found), _latest(runs)):
            if len(found) == min(needed, MOST_WITNESSES):
                break
            if tick in taken:
                continue
            taken.add(tick)
            claim = self._explainer.holding(signature, row, tick, spot, rests=rests)
            if claim is not None:
                found.append(claim)
            elif isinstance(atom, nodes.Box | nodes.Count):
                return None
        found.sort(key=lambda claim: -claim.tick)
        return tuple(found) if found and len(found) >= min(needed, MOST_WITNESSES) else None

    def _at_most(self, atom: nodes.AtMost, binding: Binding, spot: Spot) -> _Parts:
        """The ticks that are counted, of the atom that holds most often."""
        row, signature = self._most_often(atom, binding, spot.now), atom.atom.signature
        witness = self._witness(atom, binding, spot.now)
        if row is None:
            return self._gaps(atom, binding, witness, spot), witness, "", ()
        window = self._interpretation.window(atom)
        claims = [
            claim
            for tick in _latest(
                self._interpretation.holds_at(window, signature, row, spot.now), MOST_WITNESSES
            )
            if (claim := self._explainer.holding(signature, row, tick, spot, rests=False))
        ]
        return tuple(claims), witness, "", ()

    def _most_often(self, atom: StreamingAtom, binding: Binding, now: int) -> Row | None:
        """The atom that holds at most ticks of a window; None where none holds at any."""
        interpretation, signature = self._interpretation, atom.atom.signature
        window, best, most = interpretation.window(atom), None, 0
        for row in self._rows(atom, binding, now):
            found = number_of_ticks(interpretation.holds_at(window, signature, row, now))
            if found > most:
                best, most = row, found
        return best

    # --- not true -------------------------------------------------------------------------------------

    def _denied(
        self,
        atom: nodes.LiteralAtom,
        binding: Binding,
        spot: Spot,
    ) -> _Parts:
        """Why an atom of a literal is not true."""
        match atom:
            case nodes.Boolean():
                return _NOTHING
            case nodes.Comparison():
                return (), None, self._computed(atom, binding, spot.now), ()
            case nodes.Atom():
                if next(self._search.positive(atom, binding, spot.now), None) is not None:
                    return _NOTHING  # it is true, but not where the head is the atom that is asked about
                return (self._explainer.absent(atom, binding, spot.now, spot),), None, "", ()
            case nodes.Aggregate() | nodes.SetAggregate():
                return self._aggregated(atom, binding, spot, rests=False) or _NOTHING
            case nodes.AtMost():
                return self._at_most(atom, binding, spot)
            case nodes.AtTick(inner, tick) if self._terms.is_bound(tick, binding):
                return self._not_at(atom, inner, tick, binding, spot)
            case _:
                witness = self._witness(atom, binding, spot.now)
                return self._gaps(atom, binding, witness, spot), witness, "", ()

    def _not_at(
        self,
        atom: nodes.AtTick,
        inner: nodes.Atom,
        tick: nodes.Term,
        binding: Binding,
        spot: Spot,
    ) -> _Parts:
        """Why an atom does not hold at a tick that is known, or why the tick is not looked at."""
        interpretation = self._interpretation
        window = interpretation.window(atom)
        witness = self._witness(atom, binding, spot.now)
        ticks = [one for one in self._terms.values(tick, binding, spot.now) if type(one) is int]
        runs = cut([(one, one) for one in ticks], interpretation.ticks(window, spot.now))
        if not runs:
            return (), witness, "", ()
        value = runs[0][0]
        if witness.is_tuple_window and not interpretation.history.knows(inner.signature, value):
            return (), witness, "", ()
        if any(
            interpretation.holds(inner.signature, row, value, spot.now)
            for row in interpretation.rows(inner.signature, [(value, value)], spot.now)
            if self._terms.match_all(inner.arguments, row, binding, spot.now) is not None
        ):
            return (), witness, "", ()  # it holds, but by no arrival in the window, or for another head
        return (self._explainer.absent(inner, binding, value, spot),), witness, "", ()

    def _gaps(self, atom: StreamingAtom, binding: Binding, witness: Witness, spot: Spot) -> tuple[Claim, ...]:
        """Why no instance holds at the last tick of a window at which none does.

        Where some instance holds at each tick, why the one that holds most often does not always.
        """
        if witness.is_tuple_window:
            return ()
        for tick in _latest(witness.window):
            if not any(first <= tick <= last for first, last in witness.holds_at):
                return (self._explainer.absent(atom.atom, binding, tick, spot),)
        row, signature = self._most_often(atom, binding, spot.now), atom.atom.signature
        if row is None:
            return ()
        holds_at = self._interpretation.runs(signature, row, witness.window, spot.now)
        named = [f"_{number}" for number in range(len(row))]
        known = nodes.Atom(atom.atom.name, tuple(map(nodes.Variable, named)), signature.is_positive)
        for tick in _latest(witness.window):
            if not any(first <= tick <= last for first, last in holds_at):
                return (self._explainer.absent(known, dict(zip(named, row, strict=True)), tick, spot),)
        return ()

    # --- conditions and aggregates --------------------------------------------------------------------

    def _conditional(
        self,
        literal: nodes.ConditionalLiteral,
        position: int,
        text: str,
        binding: Binding,
        spot: Spot,
        *,
        rests: bool,
    ) -> LiteralNode | None:
        """A conditional literal that is true: its instances."""
        elements: dict[str, Element] = {}
        for one in self._search.instances(literal.condition, binding, spot.now):
            instance = to_text(with_values(literal.literal, one))
            if instance not in elements:
                met = (each for each in literal.alternatives if self._search.is_true(each, one, spot.now))
                alternative = next(met, literal.alternatives[0])
                found = self.true(alternative, 0, one, spot, rests=rests)
                if found is None and self._is_circular(literal.condition, one, spot):
                    found = self.true(alternative, 0, one, spot, rests=False)
                if found is None:
                    return None
                of = Instance(literal.literal, one, literal.condition)
                elements[instance] = Element(instance, found.claims, of=of)
        return LiteralNode(position, text, True, elements=tuple(elements.values()))

    def _is_circular(self, condition: nodes.Body, binding: Binding, spot: Spot) -> bool:
        """Whether a condition is true by what is being explained alone, which needs no instance then."""
        kept, needed = spot.tree.size, spot.tree.needed
        found = [self.true(one, 0, binding, spot) for one in condition]
        spot.tree.drop(kept)
        spot.tree.needed = needed
        return None in found

    def _failed_conditional(
        self,
        literal: nodes.ConditionalLiteral,
        position: int,
        text: str,
        binding: Binding,
        spot: Spot,
    ) -> LiteralNode:
        """A conditional literal that is not true: its first instance that is not."""
        for one in self._search.instances(literal.condition, binding, spot.now):
            if not self._search.is_met(literal, one, spot.now):
                found = [self.untrue(alternative, 0, one, spot) for alternative in literal.alternatives]
                claims = tuple(claim for each in found for claim in each.claims)
                instance = found[0].text if len(found) == 1 else to_text(with_values(literal.literal, one))
                of = Instance(literal.literal, one, literal.condition)
                return LiteralNode(position, text, False, elements=(Element(instance, claims, of=of),))
        return LiteralNode(position, text, False)

    def _aggregated(self, atom: Sets, binding: Binding, spot: Spot, *, rests: bool) -> _Parts | None:
        """The value of an aggregate, and the elements that count.

        Elements that rest on what is being explained are let pass if the aggregate is true without them.
        """
        elements, rows, founded = [], [], []
        for row, part, one in self._search.elements(atom, binding, spot.now):
            rows.append(row)
            parts = self._supports(part, one, spot, rests=rests)
            if parts is not None:
                founded.append(row)
            else:
                parts = self._supports(part, one, spot, rests=False) or ()
            of: Row | Instance = row
            text = ",".join(map(text_of, row))
            if part.counted is not None:
                text = to_text(with_values(part.counted, one))
                of = Instance(part.counted, one, part.literals)
            elements.append(Element(text, parts, _adds(atom, row), of))
        if (
            rests
            and len(founded) < len(rows)
            and not self._search.is_guarded(atom, founded, binding, spot.now)
        ):
            return None
        return (), None, text_of(self._search.total(atom, rows)), tuple(elements)

    def _supports(self, part: Part, binding: Binding, spot: Spot, *, rests: bool) -> tuple[Claim, ...] | None:
        """What an element that counts rests on; None if it would rest on what is being explained."""
        kept, needed = spot.tree.size, spot.tree.needed
        claims: list[Claim] = []
        for number, literal in enumerate(part.literals):
            found = self.true(literal, number, binding, spot, rests=rests)
            if found is None:
                spot.tree.drop(kept)
                spot.tree.needed = needed
                return None
            claims += found.claims
        return tuple(claims)


def _as_written(node: LiteralNode, literal: BodyLiteral, binding: Binding) -> LiteralNode:
    """A literal with its text as it is written."""
    written = to_text(with_values(literal, binding, as_written=True))
    return replace(node, written="" if written == node.text else written, of=Instance(literal, binding))


def _calls(term: nodes.Term) -> bool:
    """Whether a term calls a function of the user's."""
    return any(one.is_external and one != NOW for one in every(nodes.Function, term))


def _adds(atom: Sets, row: Row) -> bool:
    """Whether the value of an aggregate depends on a tuple."""
    function = "" if isinstance(atom, nodes.SetAggregate) else atom.function
    if function not in ("#sum", "#sum+"):
        return True
    weight = row[0] if row else None
    return type(weight) is int and (weight > 0 or (weight < 0 and function == "#sum"))


def _changing(runs: Sequence[Run], found: Sequence[Claim]) -> Iterator[int]:
    """The ticks of runs, latest first, but for those at which all is as at one of which a claim was found.

    A claim is added to what was found, after its tick was given.
    """
    for first, last in reversed(runs):
        tick = last
        while tick >= first:
            yield tick
            is_explained = bool(found) and found[-1].tick == tick
            tick = min(tick, began(found[-1]) if is_explained else tick) - 1


def _latest(runs: Sequence[Run], most: int | None = None) -> Iterator[int]:
    """The ticks of runs, latest first."""
    given = 0
    for first, last in reversed(runs):
        for tick in range(last, first - 1, -1):
            if given == most:
                return
            given += 1
            yield tick
