"""Keys: by which argument the atoms of rules can be distributed so that what is joined meets.

For a rule whose head has a key, each atom in its body either goes to every bucket or has the same term by its
key as the head; a rule whose head goes to every bucket looks only at what does. Sought is the choice that
distributes the most predicates of the input, of equal ones that by earlier arguments.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lars2asp.analysis.constants import has_interval
from lars2asp.splitting.overview import Overview, body_atoms, head_of
from lars2asp.splitting.parts import Remark, place
from lars2asp.syntax.nodes import Atom, Function, Rule, Signature, Term, Variable
from lars2asp.syntax.traversal import walk

EVERYWHERE = -1
"""In place of a position: atoms go to every bucket."""
MOST_STEPS = 2000
"""So many choices are tried."""

Domains = dict[Signature, frozenset[int]]


@dataclass(frozen=True)
class Keys:
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
    overview: Overview, rules: Sequence[Rule], members: Iterable[Signature], more: Iterable[Signature] = ()
) -> Keys:
    """Keys for the predicates of some rules; none where no predicate that is told would have one.

    Args:
        overview: the program.
        rules: some of its rules.
        members: the predicates that they derive.
        more: predicates that no rule looks at.
    """
    return _Search(overview, rules, members, more).found()


@dataclass(frozen=True, eq=False)
class _Link:
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
    return not has_interval(term) and not any(
        (isinstance(part, Variable) and part.is_anonymous)
        or (isinstance(part, Function) and part.is_external)
        for part in walk(term)
    )


class _Search:
    def __init__(
        self,
        overview: Overview,
        rules: Sequence[Rule],
        members: Iterable[Signature],
        more: Iterable[Signature],
    ) -> None:
        self._links = [
            _Link(rule, head_of(rule), atom) for rule in rules for atom in dict.fromkeys(body_atoms(rule))
        ]
        self._at: dict[Signature, list[_Link]] = {}
        for link in self._links:
            for signature in {link.head.signature, link.atom.signature}:
                self._at.setdefault(signature, []).append(link)
        self._members = dict.fromkeys(members)
        named = {signature: None for rule in rules for signature in overview.named(rule)}
        self._told = [s for s in {**named, **dict.fromkeys(more)} if s not in self._members]
        self._wanted = [s for s in self._told if s not in overview.background]
        self._why: dict[tuple[Signature, int], _Link | Remark] = {}
        self._domains: Domains = {
            s: frozenset(range(EVERYWHERE, s.arity)) for s in [*self._told, *self._members]
        }
        for rule in rules:
            self._restrict(overview, rule)
        self._narrow(self._domains, self._domains, self._why)

    def _restrict(self, overview: Overview, rule: Rule) -> None:
        """Tuple windows count arrivals that must all be there."""
        for streaming, window in overview.arrivals(rule):
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

    def found(self) -> Keys:
        best, score = self._all_everywhere, self._score(self._all_everywhere)
        order = [*self._wanted, *(s for s in self._domains if s not in self._wanted)]
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
        return Keys(keys, self._reasons(keys))

    @cached_property
    def _all_everywhere(self) -> Domains:
        return dict.fromkeys(self._domains, frozenset({EVERYWHERE}))

    def _score(self, domains: Domains) -> tuple[int, int]:
        """How many predicates of the input have, or may yet get, a key; and how many do at all."""
        able = [signature for signature, positions in domains.items() if positions != {EVERYWHERE}]
        wanted = set(self._wanted)
        return sum(signature in wanted for signature in able), len(able)

    def _narrow(
        self,
        domains: Domains,
        changed: Iterable[Signature],
        why: dict[tuple[Signature, int], "_Link | Remark"] | None = None,
    ) -> _Link | None:
        """Takes out what goes with nothing else (arc consistency); gives a link at which nothing is left."""
        links = dict.fromkeys(link for signature in changed for link in self._at.get(signature, ()))
        waiting = deque(links)
        queued = set(waiting)
        while waiting:
            link = waiting.popleft()
            queued.discard(link)
            for signature, kept in self._fitting(link, domains):
                gone = domains[signature] - kept
                if not gone:
                    continue
                if why is not None:
                    for position in gone:
                        why.setdefault((signature, position), link)
                if not kept:
                    return link
                domains[signature] = kept
                for other in self._at[signature]:
                    if other not in queued:
                        queued.add(other)
                        waiting.append(other)
        return None

    def _fitting(self, link: _Link, domains: Domains) -> Iterable[tuple[Signature, frozenset[int]]]:
        head, atom = link.head.signature, link.atom.signature
        if head == atom:
            own = domains[head]
            yield head, frozenset(p for p in own if p == EVERYWHERE or (p, p) in link.shared)
            return
        heads, atoms = domains[head], domains[atom]
        heads = frozenset(
            one for one in heads if EVERYWHERE in atoms or any((one, other) in link.shared for other in atoms)
        )
        yield head, heads
        yield (
            atom,
            frozenset(
                other
                for other in atoms
                if other == EVERYWHERE or any((one, other) in link.shared for one in heads)
            ),
        )

    # --- reasons --------------------------------------------------------------------------------------

    def _reasons(self, keys: Mapping[Signature, int]) -> tuple[Remark, ...]:
        """Why predicates of the input have no key."""
        found: dict[Remark, None] = {}
        for signature in self._wanted:
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
        why: dict[tuple[Signature, int], _Link | Remark] = {}
        conflict = self._narrow(domains, [signature], why)
        if conflict is None:
            return Remark(f"{by} does not go with the keys of other predicates")
        head = conflict.head.signature
        rules = [link.rule for (s, _), link in why.items() if s == head and isinstance(link, _Link)]
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


def _joined(link: _Link, position: int) -> Remark:
    """Why a rule gives the head no key that goes with an atom's."""
    head, atom, term = link.head.signature, link.atom.signature, link.atom.arguments[position]
    name = term.name if isinstance(term, Variable) and not term.is_anonymous else ""
    inside = set(link.head.arguments)
    if name and term in inside:
        return Remark(
            f"{head} and {atom}, which it looks at, share {name} by different arguments", link.rule.location
        )
    if not name:
        return Remark(
            f"{atom} has no variable of the head {head} as its {ordinal(position)} argument",
            link.rule.location,
        )
    meeting = [other.signature for other in body_atoms(link.rule) if term in other.arguments]
    if len(meeting) > 1:
        joined = f"{', '.join(map(str, meeting[:-1]))} and {meeting[-1]}"
        text = f"{head} joins {joined} on {name}, which is not an argument of the head"
    else:
        argument = f"{name} as its {ordinal(position)} argument"
        text = f"{atom} has {argument}, which is not an argument of the head {head}"
    return Remark(text, link.rule.location)
