"""The evaluator `delta`: instances are ground once, and what fires is counted from what changes.

The semi-naive idea of Laser (Bazoobandi, Beck, Urbani 2017, section 4) with clingo as the one who joins: a
tick grounds only the rule instances with something new in them, against what earlier ticks grounded. Each
comes back with all that it depends on. It fires while the first of these hold and the others do not, so that
from then on a change in the stream costs a look at the instances that it is part of, and nothing is ground
again for what comes back. For how long something holds is the database's to say (externals.views): it is no
part of the instances, which hence bear no ticks.

When the Control knows far more than holds, it is made again for what holds: every so often, so that the cost
for each fact stays the same, and so does what is remembered.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from clingo import Number, Symbol

from externals.database import IntervalDatabase
from externals.symbols import NewAtoms, Renaming, symbol_of
from externals.views import NO_CHANGES, Changes
from lars2asp.instances import GroundRule, InstanceText
from lars2asp.lookups import Lookup, LookupKind
from lars2asp.plan import Component
from lars2asp.syntax import Signature
from runtime.evaluators.messages import Messages, OnMessage

SMALL = 4096
"""So many answers that do not hold are never too many to be known."""

NONE = -1
"""No use."""

MOST_DEAD = 1
"""A Control is made again when what it knows and does not hold is so many times as much as what holds."""


class Delta:
    """Evaluates a component that has rules for it.

    Args:
        component: the component.
        database: holds the stream.
        on_message: takes clingo's messages, each once for a place.
        now: the current tick, where the stream has gone on before.
    """

    def __init__(
        self, component: Component, database: IntervalDatabase, on_message: OnMessage, now: int | None = None
    ) -> None:
        if isinstance(component.instances, str):
            raise ValueError(f"there are no rules for delta: {component.instances}")
        self._instances = component.instances
        self._database = database
        self._on_message = on_message
        self._support: dict[int, int] = {}
        """How many instances fire for each atom that is derived, by the keys of the atoms."""
        self._changed: dict[int, bool] = {}
        """The atoms whose support came or went by this tick, and whether they were derived before."""
        self._told_background: frozenset[Signature] = frozenset()
        self._told = [
            Lookup(LookupKind.TOLD, signature)
            for signature in sorted(component.derives)
            if component.output_has_input
        ]
        self._renamings: list[tuple[Lookup, Renaming, dict[int, int]]] = []
        for rule in self._instances.rules:
            if rule.renames is not None:
                [member] = rule.positive
                self._renamings.append((member.lookup, Renaming(rule.renames), {}))
        for lookup in self._told:
            if lookup.signature is not None:
                self._renamings.append((lookup, Renaming(lookup.signature), {}))
        self._background = [Lookup(LookupKind.TOLD, signature) for signature in self._instances.background]
        database.watch([*(lookup for lookup, _, _ in self._renamings), *self._background], now)
        self._grounding = _Grounding(self, self._instances.text(()), database, on_message, now)
        self._is_late = now is not None

    def step(self, tick: int) -> Changes:
        """What the component derives more and less than at the tick before. Raises EvaluationError."""
        self._changed.clear()
        if self._is_late:
            self._is_late = False
            self._load(tick)
            return self._changes()
        self._rename(tick)
        told = {
            lookup.signature
            for lookup in self._background
            if lookup.signature is not None and self._database.changes(lookup, tick).began
        }
        if told - self._told_background:
            self._told_background |= told
            self._grounding.withdraw()
            text = self._instances.text(self._told_background)
            self._grounding = _Grounding(self, text, self._database, self._on_message, tick)
            self._grounding.load(tick)
        else:
            self._grounding.step(tick)
        return self._changes()

    def _load(self, tick: int) -> None:
        """Takes all that holds at a tick, the first one to be evaluated."""
        for lookup, renaming, renamed in self._renamings:
            self._database.changes(lookup, tick)
            keys = list(set(self._database.answer(lookup, tick)))
            heads = renaming(keys)
            renamed.update(zip(keys, heads, strict=True))
            self.support(heads)
        self._told_background = frozenset(
            lookup.signature
            for lookup in self._background
            if lookup.signature is not None and self._database.answer(lookup, tick)
        )
        if self._told_background:
            text = self._instances.text(self._told_background)
            self._grounding = _Grounding(self, text, self._database, self._on_message, tick)
        self._grounding.load(tick)

    def _changes(self) -> Changes:
        support = self._support
        began = [key for key, held in self._changed.items() if not held and key in support]
        ended = [key for key, held in self._changed.items() if held and key not in support]
        return Changes(began, ended) if began or ended else NO_CHANGES

    def _rename(self, tick: int) -> None:
        """What rules do that only give atoms another name, and what the input tells of own predicates."""
        for lookup, renaming, renamed in self._renamings:
            changes = self._database.changes(lookup, tick)
            if changes.ended:
                self.withdraw([renamed.pop(key) for key in changes.ended])
            if changes.began:
                heads = renaming(changes.began)
                renamed.update(zip(changes.began, heads, strict=True))
                self.support(heads)

    def support(self, heads: Iterable[int]) -> None:
        """One more instance fires for each of these."""
        support, changed = self._support, self._changed
        for head in heads:
            number = support.get(head, 0)
            if not number:
                changed.setdefault(head, False)
            support[head] = number + 1

    def withdraw(self, heads: Iterable[int]) -> None:
        """One instance less fires for each of these."""
        support, changed = self._support, self._changed
        for head in heads:
            number = support[head]
            if number == 1:
                del support[head]
                changed.setdefault(head, True)
            else:
                support[head] = number - 1


class _Known:
    """The answers to a lookup that some instances depend on, by their keys.

    Attributes:
        uses: for each the last of its uses by instances, NONE without any.
        holding: those that hold now.
        new: those that clingo does not know yet.
        symbols: the same as symbols.
    """

    __slots__ = ("holding", "new", "symbols", "uses")

    def __init__(self) -> None:
        self.uses: dict[int, int] = {}
        self.holding: set[int] = set()
        self.new: list[int] = []
        self.symbols: list[Symbol] = []

    def end(self, keys: Sequence[int]) -> list[int]:
        """These hold no more; gives the last uses of each."""
        self.holding.difference_update(keys)
        uses = self.uses
        return [uses[key] for key in keys]

    def begin(self, keys: Sequence[int]) -> tuple[list[int], list[int]]:
        """These hold now, if they did not before; gives the unknown ones, and the last uses of others."""
        holding, uses = self.holding, self.uses
        unknown, known = [], []
        for key in keys:
            if key not in holding:
                holding.add(key)
                if key in uses:
                    known.append(uses[key])
                else:
                    unknown.append(key)
                    uses[key] = NONE
        return unknown, known


class _Grounding:
    """A Control, the instances that it has given, and what they depend on.

    Instances and their uses of answers are numbered; what is known of them stands in lists of integers, which
    keep Python's garbage collector from walking through all of them ever again.
    """

    def __init__(
        self,
        delta: Delta,
        text: InstanceText,
        database: IntervalDatabase,
        on_message: OnMessage,
        now: int | None,
    ) -> None:
        self._delta = delta
        self._text = text
        self._database = database
        self._messages = Messages(text.origins, on_message)
        self._positive: dict[Lookup, _Known] = {}
        self._negative: dict[Lookup, _Known] = {}
        for rule in text.rules:
            self._positive |= {lookup: _Known() for lookup in rule.positive}
            self._negative |= {lookup: _Known() for lookup in rule.negative}
        database.watch([*self._positive, *self._negative], now)
        self._heads: list[int] = []
        """Of each instance the key of the atom that it derives."""
        self._lacking: list[int] = []
        """Of each instance how many of the answers that it depends on are not as they must be."""
        self._used_by: list[int] = []
        """Of each use the instance."""
        self._before: list[int] = []
        """Of each use the use before it of the same answer, or NONE."""
        self._is_fresh = True
        self._begin()

    # --- the Control ----------------------------------------------------------------------------------

    def _begin(self) -> None:
        """A Control that knows what holds."""
        text = self._text
        functions: dict[str, Callable[..., Any]] = {}
        for lookup, name in text.new.items():
            functions[name] = lambda tick, known=self._positive[lookup]: known.symbols
        for lookup, name in text.known.items():
            functions[name] = lambda known=self._positive[lookup]: list(map(symbol_of, known.holding))
        self._context = SimpleNamespace(**functions)
        self._readers: list[tuple[GroundRule, NewAtoms]] = []
        if not text.rules:
            return
        with self._messages.told():
            self._control = self._messages.control([])
            self._control.add("base", [], text.text)
            self._control.ground([("base", []), (text.load, [])], self._context)
        for rule in text.rules:
            arity = 1 + len(rule.positive) + len(rule.negative)
            self._readers.append((rule, NewAtoms(self._control, rule.name, arity)))
        if not self._is_fresh:
            for _, reader in self._readers:
                reader.read()  # what depends on nothing that must hold, and is known

    def withdraw(self) -> None:
        """Nothing fires any more: another grounding takes over."""
        fires = (head for head, lacks in zip(self._heads, self._lacking, strict=True) if not lacks)
        self._delta.withdraw(fires)

    # --- a tick ---------------------------------------------------------------------------------------

    def load(self, tick: int) -> None:
        """The first tick, which is not the first one of the stream."""
        for lookup in dict.fromkeys([*self._positive, *self._negative]):
            self._database.changes(lookup, tick)
            self._take(lookup, Changes(self._database.answer(lookup, tick)))
        self._finish(tick)

    def step(self, tick: int) -> None:
        """A tick."""
        for lookup in self._positive.keys() | self._negative.keys():
            changes = self._database.changes(lookup, tick)
            if changes is not NO_CHANGES:
                self._take(lookup, changes)
        self._finish(tick)

    def _take(self, lookup: Lookup, changes: Changes) -> None:
        known = self._positive.get(lookup)
        if known is not None:
            self._hinder(known.end(changes.ended))
            unknown, uses = known.begin(changes.began)
            self._help(uses)
            known.new += unknown
        known = self._negative.get(lookup)
        if known is not None:
            self._help(known.end(changes.ended))
            self._hinder(known.begin(changes.began)[1])

    def _hinder(self, uses: Iterable[int]) -> None:
        """Answers have changed to what they must not be for the instances that use them."""
        lacking, used_by, before, heads = self._lacking, self._used_by, self._before, self._heads
        withdrawn = []
        for last in uses:
            use = last
            while use != NONE:
                instance = used_by[use]
                lacks = lacking[instance]
                if not lacks:
                    withdrawn.append(heads[instance])
                lacking[instance] = lacks + 1
                use = before[use]
        self._delta.withdraw(withdrawn)

    def _help(self, uses: Iterable[int]) -> None:
        """Answers have changed to what they must be for the instances that use them."""
        lacking, used_by, before, heads = self._lacking, self._used_by, self._before, self._heads
        supported = []
        for last in uses:
            use = last
            while use != NONE:
                instance = used_by[use]
                lacks = lacking[instance] - 1
                if not lacks:
                    supported.append(heads[instance])
                lacking[instance] = lacks
                use = before[use]
        self._delta.support(supported)

    def _finish(self, tick: int) -> None:
        if not self._readers:
            return
        if any(known.new for known in self._positive.values()):
            for known in self._positive.values():
                known.symbols = list(map(symbol_of, known.new))
            with self._messages.told():
                if self._text.others:
                    self._control.ground([(self._text.others, [Number(tick)])], self._context)
                self._control.ground([(self._text.tick, [Number(tick)])], self._context)
            for known in self._positive.values():
                known.new, known.symbols = [], []
            self._read()
        elif self._is_fresh:
            self._read()
        self._is_fresh = False
        all_known = (*self._positive.values(), *self._negative.values())
        holding = sum(len(known.holding) for known in all_known)
        if sum(len(known.uses) for known in all_known) - holding > SMALL + MOST_DEAD * holding:
            self._forget()

    def _read(self) -> None:
        """Takes the new instances."""
        for rule, reader in self._readers:
            rows = reader.read()
            if not rows:
                continue
            members = [(self._positive[lookup], False) for lookup in rule.positive]
            members += [(self._negative[lookup], True) for lookup in rule.negative]
            heads, *columns = zip(*rows, strict=True)
            lacking = [0] * len(rows)
            for (known, is_negated), column in zip(members, columns, strict=True):
                use, uses, last_use = len(self._before), known.uses, self._before.append
                for key in column:
                    last_use(uses.get(key, NONE))
                    uses[key] = use
                    use += 1
                self._used_by += range(len(self._heads), len(self._heads) + len(rows))
                holding = known.holding
                lacking = [
                    lacks + ((key in holding) is is_negated)
                    for lacks, key in zip(lacking, column, strict=True)
                ]
            self._heads += heads
            self._lacking += lacking
            self._delta.support([head for head, lacks in zip(heads, lacking, strict=True) if not lacks])

    def _forget(self) -> None:
        """Forgets what does not hold, and all instances that depend on that."""
        dropped = bytearray(len(self._heads))
        for known in self._positive.values():
            for key, use in known.uses.items():
                if key not in known.holding:
                    for instance in self._users(use):
                        dropped[instance] = True
        kept = [instance for instance, is_dropped in enumerate(dropped) if not is_dropped]
        number = dict(zip(kept, range(len(kept)), strict=True))
        used_by: list[int] = []
        before: list[int] = []
        for all_known, is_negated in ((self._positive, False), (self._negative, True)):
            for known in all_known.values():
                uses: dict[int, int] = {}
                for key, use in known.uses.items():
                    last = NONE
                    for instance in self._users(use):
                        if not dropped[instance]:
                            before.append(last)
                            last = len(used_by)
                            used_by.append(number[instance])
                    if key in known.holding or (is_negated and last != NONE):
                        uses[key] = last
                known.uses = uses
        self._heads = [self._heads[instance] for instance in kept]
        self._lacking = [self._lacking[instance] for instance in kept]
        self._used_by, self._before = used_by, before
        self._begin()

    def _users(self, use: int) -> Iterator[int]:
        """The instances of a use and those before it."""
        while use != NONE:
            yield self._used_by[use]
            use = self._before[use]
