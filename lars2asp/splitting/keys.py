"""Keys: by which argument the atoms of rules can be distributed so that what is joined meets.

For a rule whose head has a key, each atom in its body either goes to every bucket or has the same term as
its key argument as the head, or one from which tables lead to that; a rule whose head goes to every bucket
looks only at atoms that do as well. The choice of keys found distributes the most predicates of the input;
among equal choices it is by keys without tables, and by earlier arguments.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from lars2asp.splitting.parts import Key, Remark, TableStep, place
from lars2asp.splitting.splittable_program import SplittableProgram, body_atoms, head_of
from lars2asp.splitting.tables import MOST_LOOKUPS, atoms_with_tables, is_settled, ways
from lars2asp.syntax.nodes import (
    AtLeast,
    Atom,
    AtTick,
    Box,
    Diamond,
    Held,
    Literal,
    Rule,
    Sign,
    Signature,
    Variable,
)
from lars2asp.syntax.values import dataclass

EVERYWHERE = Key(-1)
"""The key of a predicate without one, whose atoms go to every bucket."""
MOST_STEPS = 2000
"""The number of choices that are tried at most."""

Domains = dict[Signature, frozenset[Key]]


@dataclass(frozen=True)
class PartKeys:
    """The keys of predicates, and why predicates of the input have none."""

    of: Mapping[Signature, Key]
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
    *,
    is_certain: bool = True,
) -> PartKeys:
    """Keys for the predicates of some rules; none where no predicate of the input would have one.

    Rules that may have several answer streams, or none, have those of each bucket only if no rule says
    anything of a key without atoms of it: each needs one that the input tells, or another rule derives. All
    that they derive has a key, which leads through no table, so that one bucket alone chooses.

    Args:
        splittable: the program.
        rules: some of its rules.
        members: the predicates that they derive.
        more: predicates that no rule looks at.
        is_certain: whether the rules have one answer stream, whatever the input is.
    """
    if is_certain:
        return _KeySearch(splittable, rules, members, more, splittable.tables).found()
    found = _KeySearch(splittable, rules, members, more, frozenset()).found()
    reasons = tuple(dict.fromkeys(_why_not_by_key(splittable, rules, found.of)))
    return PartKeys({}, reasons) if reasons else PartKeys(found.of)


def _why_not_by_key(
    splittable: SplittableProgram, rules: Sequence[Rule], keys: Mapping[Signature, Key]
) -> Iterator[Remark]:
    """Why the answer streams of some rules are not those of each key."""
    members = {head_of(rule).signature for rule in rules}
    if not members <= keys.keys():
        yield Remark("no key is shared by all atoms of rules that choose or exclude, and of what they need")
        return
    for rule in rules:
        needed = {
            item.atom.signature if isinstance(item.atom, Atom) else item.atom.atom.signature
            for item in rule.body
            if isinstance(item, Literal)
            and item.sign is Sign.POSITIVE
            and isinstance(item.atom, Atom | Diamond | Box | AtTick | AtLeast)
        }
        if not needed & keys.keys() - splittable.facts.keys():
            yield Remark("the rule needs no atom with the key that is not background data", rule.location)
    for signature in sorted(members & splittable.facts.keys()):
        yield Remark(f"{signature} has facts, in every bucket", splittable.facts[signature][0].location)


@dataclass(frozen=True, eq=False)
class _HeadBodyPair:
    """A rule's head, an atom in its body, and the atoms of tables without which that does not count."""

    rule: Rule
    head: Atom
    atom: Atom
    tables: tuple[Atom, ...]

    @cached_property
    def links(self) -> frozenset[tuple[int, Key]]:
        """The positions in the head, each with a key of the atom that leads to the same value."""
        return frozenset(
            (one, Key(position, lookups))
            for position, argument in enumerate(self.atom.arguments)
            if is_settled(argument)
            for term, lookups in ways(argument, self.tables)
            for one, other in enumerate(self.head.arguments)
            if term == other
        )

    def below(self, key: Key) -> frozenset[Key]:
        """The keys of the atom that go with one of the head, except for none."""
        return frozenset(
            Key(own.position, own.lookups + key.lookups) for one, own in self.links if one == key.position
        )

    def above(self, key: Key) -> Iterator[Key]:
        """The keys of the head that go with one of the atom."""
        for one, own in self.links:
            first = len(own.lookups)
            if own.position == key.position and own.lookups == key.lookups[:first]:
                yield Key(one, key.lookups[first:])


class _KeySearch:
    def __init__(
        self,
        splittable: SplittableProgram,
        rules: Sequence[Rule],
        members: Iterable[Signature],
        more: Iterable[Signature],
        tables: frozenset[Signature],
    ) -> None:
        self._splittable = splittable
        self._pairs = [
            _HeadBodyPair(rule, head_of(rule), atom, () if atom.signature in tables else needed)
            for rule in rules
            for atom, needed in dict.fromkeys(atoms_with_tables(rule, tables))
        ]
        self._at: dict[Signature, list[_HeadBodyPair]] = {}
        for pair in self._pairs:
            for signature in {pair.head.signature, pair.atom.signature}:
                self._at.setdefault(signature, []).append(pair)
        self._members = dict.fromkeys(members)
        named = {signature: None for rule in rules for signature in splittable.named(rule)}
        self._inputs = [s for s in {**named, **dict.fromkeys(more)} if s not in self._members]
        self._from_sources = [s for s in self._inputs if s not in splittable.background]
        self._why: dict[tuple[Signature, Key], _HeadBodyPair | Remark] = {}
        self._domains: Domains = {
            s: frozenset(map(Key, range(EVERYWHERE.position, s.arity)))
            for s in [*self._inputs, *self._members]
        }
        if any(pair.tables for pair in self._pairs):
            self._add_lookups()
        for rule in rules:
            self._restrict(splittable, rule)
        for one in splittable.program.every(Held):
            if one.predicate in self._domains:
                why = Remark("is held by other arguments", one.location)
                self._keep(one.predicate, frozenset(splittable.held[one.predicate].key), why)
        self._narrow(self._domains, self._domains, self._why)

    def _add_lookups(self) -> None:
        """Adds the keys through tables that some rule could use."""
        waiting = [(signature, key) for signature, keys in self._domains.items() for key in keys]
        for signature, key in waiting:
            found: list[tuple[Signature, Key]] = []
            for pair in self._at.get(signature, ()):
                head, atom = pair.head.signature, pair.atom.signature
                found += [(atom, new) for new in pair.below(key) if head == signature]
                found += [(head, new) for new in pair.above(key) if atom == signature]
            for other, new in found:
                if len(new.lookups) <= MOST_LOOKUPS and new not in self._domains[other]:
                    self._domains[other] |= {new}
                    waiting.append((other, new))

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
        for key in self._domains[signature] - {EVERYWHERE}:
            if key.position not in positions:
                self._why.setdefault((signature, key), why)
                self._domains[signature] -= {key}

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
            for key in sorted(domains[open_], key=_order, reverse=True):  # the last is next
                narrowed = {**domains, open_: frozenset({key})}
                if self._narrow(narrowed, [open_]) is None:
                    waiting.append(narrowed)
        keys = {s: key for s, (key,) in best.items() if key != EVERYWHERE} if score[0] else {}
        return PartKeys(keys, self._reasons(keys))

    @cached_property
    def _all_everywhere(self) -> Domains:
        return dict.fromkeys(self._domains, frozenset({EVERYWHERE}))

    def _score(self, domains: Domains) -> tuple[int, int]:
        """The numbers of predicates of the input, and of all, that have a key or may yet get one."""
        able = [signature for signature, keys in domains.items() if keys != {EVERYWHERE}]
        from_sources = set(self._from_sources)
        return sum(signature in from_sources for signature in able), len(able)

    def _narrow(
        self,
        domains: Domains,
        changed: Iterable[Signature],
        why: dict[tuple[Signature, Key], "_HeadBodyPair | Remark"] | None = None,
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
                    for key in gone:
                        why.setdefault((signature, key), pair)
                if not kept:
                    return pair
                domains[signature] = kept
                for other in self._at[signature]:
                    if other not in queued:
                        queued.add(other)
                        waiting.append(other)
        return None

    def _fitting(self, pair: _HeadBodyPair, domains: Domains) -> Iterable[tuple[Signature, frozenset[Key]]]:
        head, atom = pair.head.signature, pair.atom.signature
        if head == atom:
            yield head, frozenset(key for key in domains[head] if key == EVERYWHERE or key in pair.below(key))
            return
        atoms = domains[atom]
        heads = frozenset(key for key in domains[head] if EVERYWHERE in atoms or pair.below(key) & atoms)
        yield head, heads
        yield atom, atoms & frozenset({EVERYWHERE}).union(*map(pair.below, heads))

    # --- reasons --------------------------------------------------------------------------------------

    def _reasons(self, keys: Mapping[Signature, Key]) -> tuple[Remark, ...]:
        """Why predicates of the input have no key."""
        found: dict[Remark, None] = {}
        for signature in self._from_sources:
            if signature in keys:
                continue
            if not signature.arity:
                found[Remark(f"{signature} is without arguments")] = None
            for key in map(Key, range(signature.arity)):
                found[self._reason(signature, key)] = None
        return tuple(found)

    def _reason(self, signature: Signature, key: Key) -> Remark:
        if key not in self._domains[signature]:
            return self._root_reason(signature, key, set())
        by = f"{signature} by its {ordinal(key.position)} argument"
        domains = {**self._domains, signature: frozenset({key})}
        why: dict[tuple[Signature, Key], _HeadBodyPair | Remark] = {}
        conflict = self._narrow(domains, [signature], why)
        if conflict is None:
            return Remark(f"{by} does not go with the keys of other predicates")
        head = conflict.head.signature
        rules = [pair.rule for (s, _), pair in why.items() if s == head and isinstance(pair, _HeadBodyPair)]
        others = ", ".join(dict.fromkeys(place(rule.location) for rule in rules))
        return Remark(f"{by} would need {head} by several arguments: see {others}", conflict.rule.location)

    def _root_reason(self, signature: Signature, key: Key, seen: set[tuple[Signature, Key]]) -> Remark:
        """Follows what took a key out, up to a rule that says it by itself."""
        seen.add((signature, key))
        why = self._why[signature, key]
        if isinstance(why, Remark):
            return Remark(f"{signature} {why.text}", why.location)
        if why.atom.signature == signature:
            for above in sorted(why.above(key)):
                own = (why.head.signature, above)
                if own in self._why and own not in seen:
                    return self._root_reason(*own, seen)
        return self._joined(why, key.position)

    def _joined(self, pair: _HeadBodyPair, position: int) -> Remark:
        """Why a rule gives the head no key that goes with an atom's."""
        head, atom, term = pair.head.signature, pair.atom.signature, pair.atom.arguments[position]
        name = term.name if isinstance(term, Variable) and not term.is_anonymous else ""
        inside = set(pair.head.arguments)
        if name and term in inside:
            return Remark(
                f"{head} and {atom}, which it looks at, share {name} by different arguments",
                pair.rule.location,
            )
        if not name:
            return Remark(
                f"the {ordinal(position)} argument of {atom} is no variable of the head {head}",
                pair.rule.location,
            )
        meeting = [other.signature for other in body_atoms(pair.rule) if term in other.arguments]
        if len(meeting) > 1:
            joined = f"{', '.join(map(str, meeting[:-1]))} and {meeting[-1]}"
            text = f"{head} joins {joined} on {name}, which is not an argument of the head"
            no_tables = ((signature, self._splittable.why_no_table(signature)) for signature in meeting)
            text += "".join(f" ({signature} is not a table: {why})" for signature, why in no_tables if why)
        else:
            argument = f"{name} as its {ordinal(position)} argument"
            text = f"{atom} has {argument}, which is not an argument of the head {head}"
        return Remark(text, pair.rule.location)


def _order(key: Key) -> tuple[bool, int, int, tuple[TableStep, ...]]:
    """Keys without tables and of earlier arguments come first, EVERYWHERE last."""
    return key == EVERYWHERE, len(key.lookups), key.position, key.lookups
