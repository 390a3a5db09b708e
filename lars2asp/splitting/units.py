"""Units: the derived predicates whose rules stay together, by groups or by layers of the dependency graph."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import streaming_atoms
from lars2asp.splitting.keys import Keys, find_keys
from lars2asp.splitting.overview import Overview, head_of
from lars2asp.syntax.nodes import Program, Rule, Signature

MOST_TOPS = 40
"""A group without key in which more predicates than these are looked at by no other is not cut."""
MOST_LAYERS = 300
"""Programs with more layers than these are cut into groups alone."""


@dataclass(eq=False)
class Unit:
    """Derived predicates and their rules.

    Attributes:
        members: the predicates, in the order of the program.
        homes: predicates that no rule derives and that are shown by this unit.
    """

    overview: Overview
    members: tuple[Signature, ...]
    by_key: bool
    homes: list[Signature] = field(default_factory=list)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules for the members, in the order of the program."""
        own = {id(rule) for signature in self.members for rule in self.overview.rules_for[signature]}
        return tuple(rule for rule in self.overview.rules if id(rule) in own)

    @cached_property
    def named(self) -> dict[Signature, None]:
        """The predicates that the rules look at, and those that only this unit shows."""
        found = {signature: None for rule in self.rules for signature in self.overview.named(rule)}
        return found | dict.fromkeys(self.homes)

    @cached_property
    def listens(self) -> frozenset[Signature]:
        """The predicates that other units derive and rules here look at."""
        return frozenset(self.overview.places.keys() & self.named.keys()) - set(self.members)

    @cached_property
    def counts_all(self) -> bool:
        """Whether it looks at the last arrivals of the whole input."""
        return any(map(self.overview.counts_all, self.rules))

    @cached_property
    def keys(self) -> Keys:
        """The keys of its predicates."""
        if not self.by_key:
            return Keys({})
        return find_keys(self.overview, self.rules, self.members, self.homes)

    @property
    def place(self) -> int:
        """Where it comes in the program."""
        return min((self.overview.places[s] for s in self.members), default=len(self.overview.places))


def groups(overview: Overview, *, by_key: bool) -> list[Unit]:
    """Units that share no derived predicate (Pham, Ali, Mileo 2019: they may share the input).

    But for those without key, parts of which have one: these have what they look at apart, derived once more.
    """
    graph: dict[Signature, dict[Signature, None]] = {signature: {} for signature in overview.derived}
    for rule in overview.rules:
        head = head_of(rule).signature
        for named in overview.named(rule).keys() & graph.keys():
            graph[head][named] = graph[named][head] = None
    units = [_unit(overview, members, by_key) for members in strongly_connected(graph)]
    if not by_key:
        return units
    return [one for unit in units for one in ([unit] if unit.keys else _by_tops(unit))]


def _by_tops(unit: Unit) -> list[Unit]:
    """A unit without key cut into such as have one, and a rest; each with all that it depends on."""
    overview, members = unit.overview, set(unit.members)
    graph: dict[Signature, dict[Signature, None]] = {signature: {} for signature in unit.members}
    for rule in unit.rules:
        graph[head_of(rule).signature] |= dict.fromkeys(s for s in overview.named(rule) if s in members)
    below = strongly_connected(graph)
    looked_at = {
        named for part in below for signature in part for named in graph[signature] if named not in part
    }
    tops = [part for part in below if not part & looked_at]
    if not 1 < len(tops) <= MOST_TOPS:
        return [unit]
    kept: list[Unit] = []
    rest: set[Signature] = set()
    for top in tops:
        own = _unit(overview, {s for signature in top for s in _reached(graph, signature)}, True)
        if not own.keys:
            rest |= set(own.members)
            continue
        for number, other in enumerate(kept):
            union = _union(other, own)
            if union is not None:
                kept[number] = union
                break
        else:
            kept.append(own)
    if not kept:
        return [unit]
    return [*kept, _unit(overview, rest, True)] if rest else kept


def layers(overview: Overview, *, by_key: bool) -> list[Unit]:
    """Units of which one may listen to others, merged while nothing is gained by a cut."""
    units = [_unit(overview, members, by_key) for members in strongly_connected(_bound_graph(overview))]
    return _Merging(units).merged() if len(units) <= MOST_LAYERS else groups(overview, by_key=by_key)


def lower(units: Iterable[Unit]) -> dict[Unit, list[Unit]]:
    """For each unit those that it listens to, in their order."""
    units = list(units)
    home = {signature: unit for unit in units for signature in unit.members}
    return {unit: list(dict.fromkeys(home[s] for s in sorted(unit.listens))) for unit in units}


def _unit(overview: Overview, members: Iterable[Signature], by_key: bool) -> Unit:
    return Unit(overview, tuple(sorted(members, key=overview.places.__getitem__)), by_key)


def _bound_graph(overview: Overview) -> Mapping[Signature, dict[Signature, None]]:
    """What each derived predicate looks at, and the other way round where that must stay in one place.

    What is handed on is an interval for each time at which an atom is in the answer. That says less than the
    stream does where the atom was in the answer and is not in the stream later (`#temp`), where it comes into
    the stream for ticks that are over (heads `a at T`), and where a window has arrivals: what is derived is
    none. With strict semantics windows see nothing of what was derived before.
    """
    graph: dict[Signature, dict[Signature, None]] = {signature: {} for signature in overview.derived}
    fleeting = {head_of(rule).signature for rule in overview.rules if rule.is_temporary}
    for rule in overview.rules:
        head = head_of(rule).signature
        windowed = {s.atom.signature for s in streaming_atoms(Program((rule,)))}
        bound = windowed & (fleeting | overview.placed)
        for streaming, window in overview.arrivals(rule):
            bound |= {streaming.atom.signature} | ({window.signature} if window.signature else set())
        for named in overview.named(rule).keys() & graph.keys():
            graph[head][named] = None
            if named in bound or overview.is_strict:
                graph[named][head] = None
    for rule in filter(overview.counts_all, overview.rules):
        head = head_of(rule).signature
        for below in _reached(graph, head):
            graph[below][head] = None
    return graph


def _reached(graph: Mapping[Signature, Iterable[Signature]], begin: Signature) -> list[Signature]:
    found, waiting = {begin: None}, [begin]
    while waiting:
        for other in graph[waiting.pop()]:
            if other not in found:
                found[other] = None
                waiting.append(other)
    return list(found)


# --- merging layers -------------------------------------------------------------------------------


class _Merging:
    """Merges units with those that listen to them, where the cut gains nothing.

    It gains something where the key changes, and, without keys, where several units listen, which can then
    run side by side.
    """

    def __init__(self, units: list[Unit]) -> None:
        self._units = units
        self._unions: dict[tuple[Unit, Unit], Unit | None] = {}

    def merged(self) -> list[Unit]:
        while self._merge_one():
            pass
        return self._units

    def _merge_one(self) -> bool:
        below = lower(self._units)
        above: dict[Unit, list[Unit]] = {unit: [] for unit in self._units}
        for upper, others in below.items():
            for other in others:
                above[other].append(upper)
        for upper, others in below.items():
            for other in others:
                if above[other] != [upper] and (not other.keys or _leads_around(other, upper, above)):
                    continue
                union = self._union(other, upper)
                if union is not None:
                    rest = (unit for unit in self._units if unit is not other)
                    self._units = [union if unit is upper else unit for unit in rest]
                    return True
        return False

    def _union(self, other: Unit, upper: Unit) -> Unit | None:
        """Two units as one, if atoms are distributed there as in each of them."""
        if (other, upper) not in self._unions:
            self._unions[other, upper] = _union(other, upper)
        return self._unions[other, upper]


def _union(other: Unit, upper: Unit) -> Unit | None:
    one, two = other.keys.of, upper.keys.of
    if bool(one) != bool(two):
        return None
    if any(one.get(s) != two.get(s) for s in upper.listens & set(other.members)):
        return None
    union = _unit(other.overview, {*other.members, *upper.members}, other.by_key)
    scopes = [unit.named.keys() | set(unit.members) for unit in (other, upper)]
    if all(one.get(s) == two.get(s) for s in scopes[0] & scopes[1]):  # no rule minds the other ones
        union.keys = Keys({**one, **two}, tuple(dict.fromkeys(other.keys.reasons + upper.keys.reasons)))
        return union
    told = [s for s in (*one, *two) if s not in union.members]
    is_kept = all(s in union.keys.of for s in told) and bool(union.keys) == bool(one)
    return union if is_kept else None


def _leads_around(begin: Unit, end: Unit, above: Mapping[Unit, list[Unit]]) -> bool:
    """Whether a way leads from a unit up to another one by way of a third."""
    seen, waiting = set(), [unit for unit in above[begin] if unit is not end]
    while waiting:
        unit = waiting.pop()
        if unit is end:
            return True
        if unit not in seen:
            seen.add(unit)
            waiting += above[unit]
    return False
