"""Keys: by which argument the atoms of rules can be distributed so that what is joined meets.

For a rule whose head has a key, each atom in its body either goes to every bucket or has the same term as
its key argument as the head; a rule whose head goes to every bucket looks only at atoms that do as well. The
choice of keys found distributes the most predicates of the input; among equal choices, by earlier arguments.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lars2asp.analysis.constants import has_call, has_interval
from lars2asp.splitting.parts import Remark, place
from lars2asp.splitting.splittable_program import SplittableProgram, body_atoms, head_of
from lars2asp.syntax.nodes import Atom, Rule, Signature, Term, Variable
from lars2asp.syntax.traversal import every

EVERYWHERE = -1
"""The position of a predicate without key, whose atoms go to every bucket."""
MOST_STEPS = 2000
"""The number of choices that are tried at most."""

Domains = dict[Signature, frozenset[int]]


@dataclass(frozen=True)
class PartKeys:
    """The keys of predicates, and why predicates of the input have none."""

    of: Mapping[Signature, int]
    reasons: tuple[Remark, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.of)


def ordinal(position: int) -> str:
    """The name of an argument's position, which is counted from 0."""
    number = position + 1
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def find_keys(
    splittable: SplittableProgram,
    rules: Sequence[Rule],
    members: Iterable[Signature],
    more: Iterable[Signature] = (),
) -> PartKeys:
    """Keys for the predicates of some rules; none where no predicate of the input would have one.

    Args:
        splittable: the program.
        rules: some of its rules.
        members: the predicates that they derive.
        more: predicates that no rule looks at.
    """
    return _KeySearch(splittable, rules, members, more).found()


@dataclass(frozen=True, eq=False)
class _HeadBodyPair:
    """A rule's head and an atom in its body."""

    rule: Rule
    head: Atom
    atom: Atom

    @cached_property
    def shared(self) -> frozenset[tuple[int, int]]:
        """The positions in head and atom that have the same term."""
        return frozenset(
            (one, other)
            for one, term in enumerate(self.head.arguments)
            if _is_settled(term)
            for other, argument in enumerate(self.atom.arguments)
            if argument == term
        )


def _is_settled(term: Term) -> bool:
    """Whether a term has one value in an instance of a rule."""
    has_any = any(variable.is_anonymous for variable in every(Variable, term))
    return not (has_any or has_call(term) or has_interval(term))


class _KeySearch:
    def __init__(
        self,
        splittable: SplittableProgram,
        rules: Sequence[Rule],
        members: Iterable[Signature],
        more: Iterable[Signature],
    ) -> None:
        self._pairs = [
            _HeadBodyPair(rule, head_of(rule), atom)
            for rule in rules
            for atom in dict.fromkeys(body_atoms(rule))
        ]
        self._at: dict[Signature, list[_HeadBodyPair]] = {}
        for pair in self._pairs:
            for signature in {pair.head.signature, pair.atom.signature}:
                self._at.setdefault(signature, []).append(pair)
        self._members = dict.fromkeys(members)
        named = {signature: None for rule in rules for signature in splittable.named(rule)}
        self._inputs = [s for s in {**named, **dict.fromkeys(more)} if s not in self._members]
        self._from_sources = [s for s in self._inputs if s not in splittable.background]
        self._why: dict[tuple[Signature, int], _HeadBodyPair | Remark] = {}
        self._domains: Domains = {
            s: frozenset(range(EVERYWHERE, s.arity)) for s in [*self._inputs, *self._members]
        }
        for rule in rules:
            self._restrict(splittable, rule)
        self._narrow(self._domains, self._domains, self._why)

    def _restrict(self, splittable: SplittableProgram, rule: Rule) -> None:
        """Tuple windows count arrivals that must all be there."""
        for streaming, window in splittable.arrivals(rule):
            location = streaming.location
            if window.group:
                why = "is looked at in a window of the last arrivals by other arguments"
                self._keep(streaming.atom.signature, window.positions, Remark(why, location))
            elif window.signature is not None:
                why = "is looked at in a window of its last arrivals, whatever their arguments"
                self._keep(window.signature, frozenset(), Remark(why, location))
            else:
                why = "is in a group with a window of the last arrivals of the whole input"
                for signature in self._domains:
                    self._keep(signature, frozenset(), Remark(why, location))

    def _keep(self, signature: Signature, positions: frozenset[int], why: Remark) -> None:
        for position in self._domains[signature] - positions - {EVERYWHERE}:
            self._why.setdefault((signature, position), why)
            self._domains[signature] -= {position}

    # --- search ---------------------------------------------------------------------------------------

    def found(self) -> PartKeys:
        best, score = self._all_everywhere, self._score(self._all_everywhere)
        order = [*self._from_sources, *(s for s in self._domains if s not in self._from_sources)]
        waiting, steps = [self._domains], 0
        while waiting and steps < MOST_STEPS:
            domains = waiting.pop()
            steps += 1
            if self._score(domains) <= score:
                continue
            open_ = next((signature for signature in order if len(domains[signature]) > 1), None)
            if open_ is None:
                best, score = domains, self._score(domains)
                continue
            for position in sorted(domains[open_], key=lambda p: (p != EVERYWHERE, -p)):  # the last is next
                narrowed = {**domains, open_: frozenset({position})}
                if self._narrow(narrowed, [open_]) is None:
                    waiting.append(narrowed)
        keys = {s: position for s, (position,) in best.items() if position != EVERYWHERE} if score[0] else {}
        return PartKeys(keys, self._reasons(keys))

    @cached_property
    def _all_everywhere(self) -> Domains:
        return dict.fromkeys(self._domains, frozenset({EVERYWHERE}))

    def _score(self, domains: Domains) -> tuple[int, int]:
        """The numbers of predicates of the input, and of all, that have a key or may yet get one."""
        able = [signature for signature, positions in domains.items() if positions != {EVERYWHERE}]
        from_sources = set(self._from_sources)
        return sum(signature in from_sources for signature in able), len(able)

    def _narrow(
        self,
        domains: Domains,
        changed: Iterable[Signature],
        why: dict[tuple[Signature, int], "_HeadBodyPair | Remark"] | None = None,
    ) -> _HeadBodyPair | None:
        """Removes positions that fit no other (arc consistency); returns a pair for which none is left."""
        pairs = dict.fromkeys(pair for signature in changed for pair in self._at.get(signature, ()))
        waiting = deque(pairs)
        queued = set(waiting)
        while waiting:
            pair = waiting.popleft()
            queued.discard(pair)
            for signature, kept in self._fitting(pair, domains):
                gone = domains[signature] - kept
                if not gone:
                    continue
                if why is not None:
                    for position in gone:
                        why.setdefault((signature, position), pair)
                if not kept:
                    return pair
                domains[signature] = kept
                for other in self._at[signature]:
                    if other not in queued:
                        queued.add(other)
                        waiting.append(other)
        return None

    def _fitting(self, pair: _HeadBodyPair, domains: Domains) -> Iterable[tuple[Signature, frozenset[int]]]:
        head, atom = pair.head.signature, pair.atom.signature
        if head == atom:
            own = domains[head]
            yield head, frozenset(p for p in own if p == EVERYWHERE or (p, p) in pair.shared)
            return
        heads, atoms = domains[head], domains[atom]
        heads = frozenset(
            one for one in heads if EVERYWHERE in atoms or any((one, other) in pair.shared for other in atoms)
        )
        yield head, heads
        yield (
            atom,
            frozenset(
                other
                for other in atoms
                if other == EVERYWHERE or any((one, other) in pair.shared for one in heads)
            ),
        )

    # --- reasons --------------------------------------------------------------------------------------

    def _reasons(self, keys: Mapping[Signature, int]) -> tuple[Remark, ...]:
        """Why predicates of the input have no key."""
        found: dict[Remark, None] = {}
        for signature in self._from_sources:
            if signature in keys:
                continue
            if not signature.arity:
                found[Remark(f"{signature} has no argument")] = None
            for position in range(signature.arity):
                found[self._reason(signature, position)] = None
        return tuple(found)

    def _reason(self, signature: Signature, position: int) -> Remark:
        if position not in self._domains[signature]:
            return self._root_reason(signature, position, set())
        by = f"{signature} by its {ordinal(position)} argument"
        domains = {**self._domains, signature: frozenset({position})}
        why: dict[tuple[Signature, int], _HeadBodyPair | Remark] = {}
        conflict = self._narrow(domains, [signature], why)
        if conflict is None:
            return Remark(f"{by} does not go with the keys of other predicates")
        head = conflict.head.signature
        rules = [pair.rule for (s, _), pair in why.items() if s == head and isinstance(pair, _HeadBodyPair)]
        others = ", ".join(dict.fromkeys(place(rule.location) for rule in rules))
        return Remark(f"{by} would need {head} by several arguments: see {others}", conflict.rule.location)

    def _root_reason(self, signature: Signature, position: int, seen: set[tuple[Signature, int]]) -> Remark:
        """Follows what took a position out, up to a rule that says it by itself."""
        seen.add((signature, position))
        why = self._why[signature, position]
        if isinstance(why, Remark):
            return Remark(f"{signature} {why.text}", why.location)
        if why.atom.signature == signature:
            for one, other in sorted(why.shared):
                above = (why.head.signature, one)
                if other == position and above in self._why and above not in seen:
                    return self._root_reason(*above, seen)
        return _joined(why, position)


def _joined(pair: _HeadBodyPair, position: int) -> Remark:
    """Why a rule gives the head no key that goes with an atom's."""
    head, atom, term = pair.head.signature, pair.atom.signature, pair.atom.arguments[position]
    name = term.name if isinstance(term, Variable) and not term.is_anonymous else ""
    inside = set(pair.head.arguments)
    if name and term in inside:
        return Remark(
            f"{head} and {atom}, which it looks at, share {name} by different arguments", pair.rule.location
        )
    if not name:
        return Remark(
            f"{atom} has no variable of the head {head} as its {ordinal(position)} argument",
            pair.rule.location,
        )
    meeting = [other.signature for other in body_atoms(pair.rule) if term in other.arguments]
    if len(meeting) > 1:
        joined = f"{', '.join(map(str, meeting[:-1]))} and {meeting[-1]}"
        text = f"{head} joins {joined} on {name}, which is not an argument of the head"
    else:
        argument = f"{name} as its {ordinal(position)} argument"
        text = f"{atom} has {argument}, which is not an argument of the head {head}"
    return Remark(text, pair.rule.location)
