"""Groups of rules that stay together: those that share no derived predicate, or layers of these."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import cache, cached_property

from lars2asp.analysis.graphs import reachable, strongly_connected
from lars2asp.analysis.predicates import streaming_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.components import components_of
from lars2asp.splitting.keys import PartKeys, find_keys
from lars2asp.splitting.splittable_program import SplittableProgram, head_of
from lars2asp.syntax.nodes import Program, Rule, Signature, atoms_of
from lars2asp.syntax.values import dataclass

MOST_TOPS = 40
"""The number of predicates that no other one of a group looks at up to which a group without key is cut."""
MOST_LAYERS = 300
"""The number of layers up to which a program is cut into them; longer ones into independent groups."""


@dataclass(eq=False)
class RuleGroup:
    """Derived predicates and their rules.

    Attributes:
        members: the predicates, in the order of the program.
        shown_only: predicates that no rule derives and that are shown by this group.
    """

    splittable: SplittableProgram
    members: tuple[Signature, ...]
    by_key: bool
    shown_only: list[Signature] = field(default_factory=list)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules for the members, in the order of the program."""
        members = set(self.members)
        return tuple(rule for rule in self.splittable.rules if head_of(rule).signature in members)

    @cached_property
    def named(self) -> dict[Signature, None]:
        """The predicates that the rules look at, and those that only this group shows."""
        found = {signature: None for rule in self.rules for signature in self.splittable.named(rule)}
        return found | dict.fromkeys(self.shown_only)

    @cached_property
    def listens(self) -> frozenset[Signature]:
        """The predicates that other groups derive and rules here look at."""
        return frozenset(self.splittable.places.keys() & self.named.keys()) - set(self.members)

    @cached_property
    def counts_all(self) -> bool:
        """Whether it looks at the last arrivals of the whole input."""
        return any(map(self.splittable.counts_all, self.rules))

    @cached_property
    def keys(self) -> PartKeys:
        """The keys of its predicates."""
        if not self.by_key:
            return PartKeys({})
        is_certain = self.is_certain
        return find_keys(self.splittable, self.rules, self.members, self.shown_only, is_certain=is_certain)

    @cached_property
    def is_certain(self) -> bool:
        """Whether the rules have one answer stream, whatever their input is."""
        splittable = self.splittable
        if splittable.is_certain:
            return True
        program = splittable.part_of(self.rules, {*self.members, *self.named}, (), ())
        components = components_of(ProgramAnalysis(program), splittable.semantics)
        return all(component.is_certain for component in components.rules)

    @property
    def place(self) -> int:
        """The place of its first rule among those of the program."""
        return min((self.splittable.places[s] for s in self.members), default=len(self.splittable.places))


def independent_groups(splittable: SplittableProgram, *, by_key: bool) -> list[RuleGroup]:
    """Groups that share no derived predicate (Pham, Ali, Mileo 2019: they may share the input).

    One without key is cut further where parts of it have a key: each derives for itself what it looks at.
    """
    graph: dict[Signature, dict[Signature, None]] = {signature: {} for signature in splittable.derived}
    for rule in splittable.rules:
        head = head_of(rule).signature
        for named in splittable.named(rule).keys() & graph.keys():
            graph[head][named] = graph[named][head] = None
    groups = [_group(splittable, members, by_key) for members in strongly_connected(graph)]
    if not by_key:
        return groups
    stays = (group.keys or not group.is_certain for group in groups)
    return [
        one
        for group, stay in zip(groups, stays, strict=True)
        for one in ([group] if stay else _by_tops(group))
    ]


def _by_tops(group: RuleGroup) -> list[RuleGroup]:
    """A group without key as groups with one and a rest, each with all that it depends on."""
    splittable, members = group.splittable, set(group.members)
    graph = {s: [named for named in splittable.looks_at[s] if named in members] for s in group.members}
    below = strongly_connected(graph)
    looked_at = {
        named for part in below for signature in part for named in graph[signature] if named not in part
    }
    tops = [part for part in below if not part & looked_at]
    if not 1 < len(tops) <= MOST_TOPS:
        return [group]
    kept: list[RuleGroup] = []
    rest: set[Signature] = set()
    for top in tops:
        own = _group(splittable, {s for signature in top for s in reachable(graph, [signature])}, True)
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
        return [group]
    return [*kept, _group(splittable, rest, True)] if rest else kept


def layered_groups(splittable: SplittableProgram, *, by_key: bool) -> list[RuleGroup]:
    """Groups of which one may listen to others, merged while nothing is gained by a cut."""
    groups = [_group(splittable, members, by_key) for members in strongly_connected(_bound_graph(splittable))]
    return (
        _merged(groups, cache(_union))
        if len(groups) <= MOST_LAYERS
        else independent_groups(splittable, by_key=by_key)
    )


def joined_by_input(groups: Iterable[RuleGroup]) -> list[RuleGroup]:
    """Groups with keys as one where they share input and can distribute all of it alike.

    So a fact is told once, and each bucket has its share of all their rules. Groups of several levels stay
    apart.
    """
    groups = list(groups)
    levels = levels_of(groups)
    kept: list[RuleGroup] = []
    for group in groups:
        for number, other in enumerate(kept):
            if levels[other] == levels[group] and _may_be_joined(other, group):
                union = _union(other, group, searches=len(groups) <= MOST_TOPS)
                if union is not None:
                    levels[union] = levels[group]
                    kept[number] = union
                    break
        else:
            kept.append(group)
    return kept


def levels_of(groups: Iterable[RuleGroup]) -> dict[RuleGroup, int]:
    """The length of the longest chain of groups below each group."""
    below = groups_below(groups)
    levels: dict[RuleGroup, int] = {}
    for (group,) in strongly_connected(below):  # those below come first
        levels[group] = max((levels[other] + 1 for other in below[group]), default=0)
    return levels


def groups_below(groups: Iterable[RuleGroup]) -> dict[RuleGroup, list[RuleGroup]]:
    """For each group those that it listens to, in their order."""
    groups = list(groups)
    group_of = {signature: group for group in groups for signature in group.members}
    return {group: list(dict.fromkeys(group_of[s] for s in sorted(group.listens))) for group in groups}


def _group(splittable: SplittableProgram, members: Iterable[Signature], by_key: bool) -> RuleGroup:
    return RuleGroup(splittable, tuple(sorted(members, key=splittable.places.__getitem__)), by_key)


def _bound_graph(splittable: SplittableProgram) -> Mapping[Signature, dict[Signature, None]]:
    """The dependencies of derived predicates, both ways where one group must have the two.

    Handed on is an interval for each time during which an atom is in the answer. That says less than the
    stream does where the atom was in the answer and is not in the stream later (`#temp`), where it enters the
    stream for ticks that are over (heads `a at T`), and where a window has arrivals, as derived atoms are
    none. With strict semantics windows see nothing of what was derived before.
    """
    graph: dict[Signature, dict[Signature, None]] = {signature: {} for signature in splittable.derived}
    fleeting = {head_of(rule).signature for rule in splittable.rules if rule.is_temporary}
    for rule in splittable.rules:
        head = head_of(rule).signature
        seen = (atom for s in streaming_atoms(Program((rule,))) for atom in atoms_of(s))
        windowed = {atom.signature for atom in seen}
        bound = windowed & (fleeting | splittable.placed)
        for streaming, window in splittable.arrivals(rule):
            bound |= {streaming.atom.signature} | ({window.signature} if window.signature else set())
        for named in splittable.named(rule).keys() & graph.keys():
            graph[head][named] = None
            if named in bound or splittable.is_strict:
                graph[named][head] = None
    for rule in filter(splittable.counts_all, splittable.rules):
        head = head_of(rule).signature
        for below in reachable(graph, [head]):
            graph[below][head] = None
    return graph


# --- merging layers -------------------------------------------------------------------------------


def _merged(
    groups: list[RuleGroup], union_of: Callable[[RuleGroup, RuleGroup], RuleGroup | None]
) -> list[RuleGroup]:
    """Merges groups with those that listen to them, where the cut gains nothing.

    It gains something where the key changes, and, without keys, where several groups listen, which can then
    run side by side.
    """
    pairs = [(lower, upper) for upper, others in groups_below(groups).items() for lower in others]
    above: dict[RuleGroup, list[RuleGroup]] = {group: [] for group in groups}
    for lower, upper in pairs:
        above[lower].append(upper)
    for lower, upper in pairs:
        if above[lower] == [upper] or (lower.keys and not _leads_around(lower, upper, above)):
            union = union_of(lower, upper)
            if union is not None:
                rest = (group for group in groups if group is not lower)
                return _merged([union if group is upper else group for group in rest], union_of)
    return groups


def _may_be_joined(one: RuleGroup, other: RuleGroup) -> bool:
    """Whether two certain groups with keys share a predicate that none derives, background data aside."""
    if not (one.keys and other.keys and one.is_certain and other.is_certain):
        return False
    shared = one.named.keys() & other.named.keys()
    return not shared <= {*one.members, *other.members, *one.splittable.background}


def _union(other: RuleGroup, upper: RuleGroup, *, searches: bool = True) -> RuleGroup | None:
    """Two groups as one, if atoms are distributed there as in each of them.

    Where the keys that they have do not agree, others are searched for, which distribute as much.
    """
    one, two = other.keys.of, upper.keys.of
    if bool(one) != bool(two):
        return None
    if any(one.get(s) != two.get(s) for s in upper.listens & set(other.members)):
        return None
    union = _group(other.splittable, {*other.members, *upper.members}, other.by_key)
    if union.counts_all and union.listens:  # it is told the whole input, in which what it listens to may be
        return None
    scopes = [group.named.keys() | set(group.members) for group in (other, upper)]
    if all(one.get(s) == two.get(s) for s in scopes[0] & scopes[1]):  # no rule minds the other ones
        union.keys = PartKeys({**one, **two}, tuple(dict.fromkeys(other.keys.reasons + upper.keys.reasons)))
        return union
    if not searches:
        return None
    inputs = [s for s in (*one, *two) if s not in union.members]
    is_kept = all(s in union.keys.of for s in inputs) and bool(union.keys) == bool(one)
    is_kept &= all(  # tables may have few rows, and direct keys many values
        s not in union.keys.of or len(union.keys.of[s].lookups) <= len(key.lookups)
        for s, key in (*one.items(), *two.items())
    )
    return union if is_kept else None


def _leads_around(begin: RuleGroup, end: RuleGroup, above: Mapping[RuleGroup, list[RuleGroup]]) -> bool:
    """Whether a path leads from a group up to another one through a third."""
    return end in reachable(above, (group for group in above[begin] if group is not end))
