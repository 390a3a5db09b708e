"""Literals of rules in an explanation: what makes them true, and why they are not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple, Protocol

from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.explanations.past.holding import Interval, Run
from lars2asp.runtime.explanations.past.interpretation import (
    cut,
    joined,
    known_argument,
    number_of_ticks,
    shared,
)
from lars2asp.runtime.explanations.past.terms import Binding, is_multiple, with_values
from lars2asp.runtime.explanations.reasons.growing_tree import Spot
from lars2asp.runtime.explanations.reasons.heads import HeadRule
from lars2asp.runtime.explanations.reasons.search import Part, Search, Sets, is_matched
from lars2asp.runtime.explanations.words.claim_forms import began
from lars2asp.runtime.explanations.words.claims import Claim, Element, RuleLiteral, Witness
from lars2asp.runtime.explanations.words.instances import ClaimedTuple, Instance
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Sign, Signature, StreamingAtom
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every, variable_names, walk

MOST_WITNESSES = 3
"""The number of ticks of a run that are explained one by one."""


class _Parts(NamedTuple):
    """What a literal rests on; see RuleLiteral."""

    children: tuple[Claim, ...] = ()
    witness: Witness | None = None
    values: tuple[Value, ...] = ()
    elements: tuple[Element, ...] = ()
    missing: Instance | None = None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims of it."""
        return self.children + tuple(claim for element in self.elements for claim in element.claims)


_NOTHING = _Parts()


class Claims(Protocol):
    """Explains atoms."""

    def holding(
        self, signature: Signature, row: Row, tick: int, spot: Spot, *, rests: bool = True
    ) -> Claim | None:
        """Why an atom holds at a tick; None if that would rest on itself.

        Args:
            signature: the predicate.
            row: the arguments.
            tick: the tick.
            spot: where in the tree.
            rests: whether what is above rests on it: not so under `not`.
        """

    def absent(self, atom: nodes.Atom, binding: Binding, tick: int, spot: Spot) -> Claim:
        """Why no instance of an atom holds at a tick."""


class Literals:
    """Makes the literals of a tree.

    Args:
        search: finds instances.
        claims: explains the atoms that they rest on.
    """

    def __init__(self, search: Search, claims: Claims) -> None:
        self._search = search
        self._interpretation = search.interpretation
        self._terms = search.terms
        self._claims = claims

    # --- literals of rules ----------------------------------------------------------------------------

    def true(
        self, rule: HeadRule, place: int, binding: Binding, spot: Spot, *, rests: bool = True
    ) -> RuleLiteral | None:
        """A literal of a rule that is true; None if it would rest on what is being explained."""
        of = _instance(rule, place, binding)
        parts = self._true(of, spot, rests=rests)
        return None if parts is None else _made(rule, place, of, parts, holds=True)

    def untrue(self, rule: HeadRule, place: int, binding: Binding, spot: Spot) -> RuleLiteral:
        """A literal of a rule that is not true, whatever values its other variables have."""
        of = _instance(rule, place, binding)
        return _made(rule, place, of, self._untrue(of, spot), holds=False)

    def elsewhere(self, rule: HeadRule, place: int, binding: Binding, spot: Spot) -> RuleLiteral:
        """A literal that is true only where the head is another atom than the one that is asked about."""
        kept = spot.tree.size
        found = self.untrue(rule, place, binding, spot)
        if found.children:
            spot.tree.drop(kept)
        return replace(found, children=())

    def giving(
        self, rule: HeadRule, failing: int, before: Sequence[int], binding: Binding, spot: Spot
    ) -> dict[int, RuleLiteral]:
        """The true literals that gave the variables of a comparison that fails their values, by their places.

        Of equations and aggregates it is the first to be taken that gives a variable; what gave an equation
        its variables comes with it.

        Args:
            rule: the rule.
            failing: the literal that fails.
            before: the literals that are true before it.
            binding: the values of variables.
            spot: where in the tree.
        """
        found: dict[int, RuleLiteral] = {}
        names = variable_names(rule.literals[failing])
        if not isinstance(getattr(rule.literals[failing], "atom", None), nodes.Comparison):
            return found
        gives = {place: _gives(rule.literals[place]) for place in before}
        first = {name: place for place in reversed(before) for name in gives[place]}
        giving: list[int] = []
        for place in reversed(before):
            atom = getattr(rule.literals[place], "atom", None)
            is_atom = isinstance(atom, nodes.Atom | StreamingAtom)
            if any(is_atom or first[name] == place for name in gives[place] & names):
                giving.append(place)
                names |= gives[place] if isinstance(atom, nodes.Comparison) else set()
        for place in reversed(giving):
            given = self.true(rule, place, binding, spot, rests=False)
            if given is not None:
                found[place] = given
        return found

    # --- true -----------------------------------------------------------------------------------------

    def _true(self, of: Instance, spot: Spot, *, rests: bool) -> _Parts | None:
        """What a literal that is true rests on; None if it would rest on what is being explained."""
        literal, binding = of.node, dict(of.binding)
        if isinstance(literal, nodes.ConditionalLiteral):
            return self._conditional(of, literal, binding, spot, rests=rests)
        assert isinstance(literal, nodes.Literal)
        if is_matched(literal):
            return self._affirmed(of, literal.atom, binding, spot, rests=rests)
        deciding = self._search.deciding(literal, binding, spot.now)
        return None if deciding is None else self._signed(of, literal, [deciding], binding, spot)

    def _untrue(self, of: Instance, spot: Spot) -> _Parts:
        """Why a literal is not true, whatever values its other variables have."""
        literal, binding = of.node, dict(of.binding)
        if isinstance(literal, nodes.ConditionalLiteral):
            return self._failed_conditional(of, literal, binding, spot)
        assert isinstance(literal, nodes.Literal)
        is_atom = isinstance(literal.atom, nodes.Atom | StreamingAtom) and is_matched(literal)
        undefined = self._search.undefined(literal.atom, binding, spot.now)
        if undefined is not None and (is_atom or literal.sign is not Sign.POSITIVE):
            return _Parts(missing=of.part(undefined))
        if isinstance(literal.atom, StreamingAtom) and not self._search.has_whole_window(
            literal, binding, spot.now
        ):
            witness = self._witness(of, literal.atom, binding, spot.now)
            return _Parts(witness=replace(witness, is_whole=False))
        atoms = [(literal.atom, binding)]
        several = [one for one in walk(literal.atom) if is_multiple(one)] if is_atom else [literal.atom]
        if not is_matched(literal) or all(self._terms.is_bound(one, binding) for one in several):
            atoms = list(self._search.written_out(literal.atom, binding, spot.now)) or atoms
        return self._signed(of, literal, atoms, binding, spot, holds=False)

    def _signed(
        self,
        of: Instance,
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
                parts.append(self._denied(of, atom, one, spot))
            else:
                parts.append(self._affirmed(of, atom, one, spot, rests=False) or _NOTHING)
        if not parts:
            return _NOTHING
        found = parts[0]._replace(children=tuple(claim for one in parts for claim in one.children))
        if found.witness is not None and isinstance(literal.atom, StreamingAtom):
            found = found._replace(witness=self._witness(of, literal.atom, binding, spot.now))
        if isinstance(literal.atom, nodes.Comparison):
            only_calls = (literal.sign is Sign.NOT) is not holds
            computed = self._computed(literal.atom, binding, spot.now, only_calls=only_calls)
            found = found._replace(values=computed)
        return found

    def _affirmed(
        self,
        of: Instance,
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
                return _Parts(values=self._computed(atom, binding, spot.now, only_calls=True))
            case nodes.Atom():
                signature = atom.signature
                for row, _ in self._search.atoms(atom, binding, spot.now):
                    if self._interpretation.holds(signature, row, spot.now, spot.now):
                        claim = self._claims.holding(signature, row, spot.now, spot, rests=rests)
                        if claim is not None:
                            return _Parts((claim,))
                return None
            case nodes.Aggregate() | nodes.SetAggregate():
                return self._aggregated(of, atom, binding, spot, rests=rests)
            case nodes.AtMost():
                return self._at_most(of, atom, binding, spot)
            case _:
                kept = spot.tree.size
                for row, one in self._search.streaming(atom, binding, spot.now):
                    claims = self._witnesses(atom, row, one, spot, rests=rests)
                    if claims is not None:
                        return _Parts(claims, self._witness(of, atom, binding, spot.now))
                    spot.tree.drop(kept)
                return None

    def _computed(
        self, atom: nodes.Comparison, binding: Binding, now: int, *, only_calls: bool = False
    ) -> tuple[Value, ...]:
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
                found.append(values[0])
        return tuple(found)

    def _witness(self, of: Instance, atom: StreamingAtom, binding: Binding, now: int) -> Witness:
        """What a streaming atom looks at: where any instance of its atom holds."""
        interpretation, inner = self._interpretation, atom.atom
        window, signature = interpretation.window(atom), inner.signature
        is_open = not self._terms.is_bound(inner, binding)
        about = replace(of, node=inner, binding=binding) if is_open else None
        rows = self._rows(atom, binding, now)
        held = [run for row in rows for run in interpretation.holds_at(window, signature, row, now)]
        if not isinstance(window, LastArrivals):
            ticks = self._ticks(atom, binding, now)
            start = interpretation.start
            is_clipped = not isinstance(window, Since) and not window.is_whole(now, start)
            holding = tuple(cut(joined(held), ticks))
            return Witness(tuple(ticks), holding, open=about, clipped_at=start if is_clipped else None)
        inside = self._arrivals(atom, window, binding, now)
        arrived = joined((interval.first, interval.first) for _, interval in inside)
        return Witness(tuple(arrived), tuple(joined(held)), is_tuple_window=True, open=about)

    def _arrivals(
        self, atom: StreamingAtom, window: LastArrivals, binding: Binding, now: int
    ) -> list[tuple[Signature, Interval]]:
        """The arrivals in the tuple window of a streaming atom, in all groups that it may be about."""
        interpretation, signature, inner = self._interpretation, atom.atom.signature, atom.atom
        if not window.group:
            return interpretation.inside(window, signature, (), now)
        by = [inner.arguments[place] for place in window.group]
        return [
            one
            for values, row in interpretation.groups(window, signature, now).items()
            if self._terms.match_all(by, values, binding, now) is not None
            for one in interpretation.inside(window, signature, row, now)
        ]

    def _ticks(self, atom: StreamingAtom, binding: Binding, now: int) -> list[Run]:
        """The ticks of the window of a streaming atom."""
        window = self._interpretation.window(atom)
        known = shared(self._terms, atom.atom, window, binding, now)
        return self._interpretation.ticks(window, now, known)

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
            claim = self._claims.holding(signature, row, tick, spot, rests=rests)
            if claim is not None:
                found.append(claim)
            elif isinstance(atom, nodes.Box | nodes.Count):
                return None
        found.sort(key=lambda claim: -claim.tick)
        return tuple(found) if found and len(found) >= min(needed, MOST_WITNESSES) else None

    def _at_most(self, of: Instance, atom: nodes.AtMost, binding: Binding, spot: Spot) -> _Parts:
        """The ticks that are counted, of the atom that holds most often."""
        row, signature = self._most_often(atom, binding, spot.now), atom.atom.signature
        witness = self._witness(of, atom, binding, spot.now)
        if row is None:
            return _Parts(self._gaps(atom, binding, witness, spot), witness)
        window = self._interpretation.window(atom)
        claims = [
            claim
            for tick in _latest(
                self._interpretation.holds_at(window, signature, row, spot.now), MOST_WITNESSES
            )
            if (claim := self._claims.holding(signature, row, tick, spot, rests=False))
        ]
        return _Parts(tuple(claims), witness)

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
        of: Instance,
        atom: nodes.LiteralAtom,
        binding: Binding,
        spot: Spot,
    ) -> _Parts:
        """Why an atom of a literal is not true."""
        match atom:
            case nodes.Boolean():
                return _NOTHING
            case nodes.Comparison():
                return _Parts(values=self._computed(atom, binding, spot.now))
            case nodes.Atom():
                if next(self._search.positive(atom, binding, spot.now), None) is not None:
                    return _NOTHING  # it is true, but not where the head is the atom that is asked about
                return _Parts((self._claims.absent(atom, binding, spot.now, spot),))
            case nodes.Aggregate() | nodes.SetAggregate():
                return self._aggregated(of, atom, binding, spot, rests=False) or _NOTHING
            case nodes.AtMost():
                return self._at_most(of, atom, binding, spot)
            case nodes.AtTick(inner, tick) if self._terms.is_bound(tick, binding):
                return self._not_at(of, atom, inner, tick, binding, spot)
            case _:
                witness = self._witness(of, atom, binding, spot.now)
                return _Parts(self._gaps(atom, binding, witness, spot), witness)

    def _not_at(
        self,
        of: Instance,
        atom: nodes.AtTick,
        inner: nodes.Atom,
        tick: nodes.Term,
        binding: Binding,
        spot: Spot,
    ) -> _Parts:
        """Why an atom does not hold at a tick that is known, or why the tick is not looked at."""
        interpretation = self._interpretation
        witness = self._witness(of, atom, binding, spot.now)
        ticks = [one for one in self._terms.values(tick, binding, spot.now) if type(one) is int]
        runs = cut([(one, one) for one in ticks], self._ticks(atom, binding, spot.now))
        if not runs:
            return _Parts(witness=witness)
        value = runs[0][0]
        if witness.is_tuple_window and not interpretation.history.knows(inner.signature, value):
            return _Parts(witness=witness)
        if any(
            interpretation.holds(inner.signature, row, value, spot.now)
            for row in interpretation.rows(inner.signature, [(value, value)], spot.now)
            if self._terms.match_all(inner.arguments, row, binding, spot.now) is not None
        ):
            return _Parts(witness=witness)  # it holds, but by no arrival in the window, or for another head
        return _Parts((self._claims.absent(inner, binding, value, spot),), witness)

    def _gaps(self, atom: StreamingAtom, binding: Binding, witness: Witness, spot: Spot) -> tuple[Claim, ...]:
        """Why no instance holds at the last tick of a window at which none does.

        If some instance holds at each tick: why the one that holds most often does not always. In a tuple
        window without any instance: what arrived last instead.
        """
        window = self._interpretation.window(atom)
        if isinstance(window, LastArrivals):
            inside = [] if witness.holds_at else self._arrivals(atom, window, binding, spot.now)
            return tuple(
                claim
                for signature, one in islice(reversed(inside), MOST_WITNESSES)
                if self._interpretation.holds(signature, one.row, one.first, spot.now)
                and (claim := self._claims.holding(signature, one.row, one.first, spot, rests=False))
            )
        for tick in _latest(witness.window):
            if not any(first <= tick <= last for first, last in witness.holds_at):
                return (self._claims.absent(atom.atom, binding, tick, spot),)
        row, signature = self._most_often(atom, binding, spot.now), atom.atom.signature
        if row is None:
            return ()
        holds_at = self._interpretation.runs(signature, row, witness.window, spot.now)
        named = [f"_{number}" for number in range(len(row))]
        known = nodes.Atom(atom.atom.name, tuple(map(nodes.Variable, named)), signature.is_positive)
        for tick in _latest(witness.window):
            if not any(first <= tick <= last for first, last in holds_at):
                return (self._claims.absent(known, dict(zip(named, row, strict=True)), tick, spot),)
        return ()

    # --- conditions and aggregates --------------------------------------------------------------------

    def _conditional(
        self, of: Instance, literal: nodes.ConditionalLiteral, binding: Binding, spot: Spot, *, rests: bool
    ) -> _Parts | None:
        """What a conditional literal that is true rests on: its instances."""
        elements: dict[str, Element] = {}
        for one in self._search.instances(literal.condition, binding, spot.now):
            instance = of.within(literal.literal, one, literal.condition)
            if str(instance) not in elements:
                met = (each for each in literal.alternatives if self._search.is_true(each, one, spot.now))
                alternative = next(met, literal.alternatives[0])
                found = self._true(Instance(alternative, one), spot, rests=rests)
                if found is None and self._is_circular(literal.condition, one, spot):
                    found = self._true(Instance(alternative, one), spot, rests=False)
                if found is None:
                    return None
                elements[str(instance)] = Element(instance, found.claims)
        return _Parts(elements=tuple(elements.values()))

    def _is_circular(self, condition: nodes.Body, binding: Binding, spot: Spot) -> bool:
        """Whether a condition is true by what is being explained alone, which needs no instance then."""
        kept, needed = spot.tree.size, spot.tree.needed
        found = [self._true(Instance(one, binding), spot, rests=True) for one in condition]
        spot.tree.drop(kept)
        spot.tree.needed = needed
        return None in found

    def _failed_conditional(
        self, of: Instance, literal: nodes.ConditionalLiteral, binding: Binding, spot: Spot
    ) -> _Parts:
        """Why a conditional literal is not true: its first instance that is not."""
        for one in self._search.instances(literal.condition, binding, spot.now):
            if not self._search.is_met(literal, one, spot.now):
                found = [self._untrue(Instance(each, one), spot) for each in literal.alternatives]
                claims = tuple(claim for each in found for claim in each.claims)
                return _Parts(elements=(Element(of.within(literal.literal, one, literal.condition), claims),))
        return _NOTHING

    def _aggregated(
        self, of: Instance, atom: Sets, binding: Binding, spot: Spot, *, rests: bool
    ) -> _Parts | None:
        """The value of an aggregate, and the elements that count.

        Elements that rest on what is being explained are let pass if the aggregate is true without them.
        """
        elements, rows, founded = [], [], []
        decimals = of.numbers.of_tuples(atom)
        for row, part, one in self._search.elements(atom, binding, spot.now):
            rows.append(row)
            parts = self._supports(part, one, spot, rests=rests)
            if parts is not None:
                founded.append(row)
            else:
                parts = self._supports(part, one, spot, rests=False) or ()
            counted: ClaimedTuple | Instance = ClaimedTuple(row, decimals)
            if part.counted is not None:
                counted = of.within(part.counted, one, part.literals)
            elements.append(Element(counted, parts, _adds(atom, row)))
        if (
            rests
            and len(founded) < len(rows)
            and not self._search.is_guarded(atom, founded, binding, spot.now)
        ):
            return None
        return _Parts(values=(self._search.total(atom, rows),), elements=tuple(elements))

    def _supports(self, part: Part, binding: Binding, spot: Spot, *, rests: bool) -> tuple[Claim, ...] | None:
        """What an element that counts rests on; None if it would rest on what is being explained."""
        kept, needed = spot.tree.size, spot.tree.needed
        claims: list[Claim] = []
        for literal in part.literals:
            found = self._true(Instance(literal, binding), spot, rests=rests)
            if found is None:
                spot.tree.drop(kept)
                spot.tree.needed = needed
                return None
            claims += found.claims
        return tuple(claims)


def _instance(rule: HeadRule, place: int, binding: Binding) -> Instance:
    """A literal of a rule with the values of its variables."""
    return Instance(rule.literals[place], rule.known_at(place, binding), rule.numbers_at(place))


def _made(rule: HeadRule, place: int, of: Instance, parts: _Parts, *, holds: bool) -> RuleLiteral:
    position, element = rule.standing(place)
    return RuleLiteral(position, of, holds, *parts, element)


def _gives(literal: nodes.Literal | nodes.ConditionalLiteral) -> set[str]:
    """The variables to which a literal may give values."""
    if not isinstance(literal, nodes.Literal) or literal.sign is not Sign.POSITIVE:
        return set()
    match literal.atom:
        case nodes.Aggregate(left=left, right=right) | nodes.SetAggregate(left=left, right=right):
            return variable_names(*(one for one in (left, right) if one and one.comparison == "="))
        case nodes.Comparison(guards=guards) if not any(one.comparison == "=" for one in guards):
            return set()
        case nodes.AtMost() | nodes.Boolean():
            return set()
        case atom:
            return variable_names(atom)


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
