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

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

from clingo import Number, Symbol

from externals.database import IntervalDatabase
from externals.symbols import NewAtoms, Renaming, key_of, symbol_of
from externals.views import NO_CHANGES, Changes
from lars2asp.instances import GroundRule, InstanceText
from lars2asp.lookups import Lookup, LookupKind
from lars2asp.plan import Component
from lars2asp.syntax import Signature
from runtime.evaluators.messages import Messages, OnMessage

SMALL = 4096
"""So many answers are never too many to be known."""

MOST_DEAD = 3
"""A Control that knows so many times as much as holds, and something more, is made again."""


class _Instance:
    """An instance of a rule.

    Attributes:
        head: the key of the atom that it derives.
        lacking: how many of the things that it depends on are not as they must be.
        is_dropped: whether it is forgotten with something that it depends on.
    """

    __slots__ = ("head", "is_dropped", "lacking")

    def __init__(self, head: int) -> None:
        self.head = head
        self.lacking = 0
        self.is_dropped = False


class _Node:
    """An answer to a lookup.

    Attributes:
        holds: whether it is one now.
        instances: those that depend on it.
    """

    __slots__ = ("holds", "instances")

    def __init__(self, *, holds: bool) -> None:
        self.holds = holds
        self.instances: list[_Instance] = []


_Nodes = dict[int, _Node]


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
            self._begin_renamed(renaming, renamed, self._database.answer(lookup, tick))
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
        began = [symbol_of(key) for key, held in self._changed.items() if not held and key in support]
        ended = [symbol_of(key) for key, held in self._changed.items() if held and key not in support]
        return Changes(began, ended) if began or ended else NO_CHANGES

    def _rename(self, tick: int) -> None:
        """What rules do that only give atoms another name, and what the input tells of own predicates."""
        for lookup, renaming, renamed in self._renamings:
            changes = self._database.changes(lookup, tick)
            for key in map(key_of, changes.ended):
                self.withdraw(renamed.pop(key))
            self._begin_renamed(renaming, renamed, changes.began)

    def _begin_renamed(self, renaming: Renaming, renamed: dict[int, int], began: Iterable[Symbol]) -> None:
        for key in map(key_of, began):
            if key not in renamed:
                renamed[key] = head = renaming(key)
                self.support(head)

    def support(self, head: int) -> None:
        """One more instance fires."""
        number = self._support.get(head, 0)
        if not number:
            self._changed.setdefault(head, False)
        self._support[head] = number + 1

    def withdraw(self, head: int) -> None:
        """One instance less fires."""
        number = self._support[head]
        if number == 1:
            del self._support[head]
            self._changed.setdefault(head, True)
        else:
            self._support[head] = number - 1


class _Grounding:
    """A Control, the instances that it has given, and what they depend on."""

    def __init__(
        self,
        heads: Delta,
        text: InstanceText,
        database: IntervalDatabase,
        on_message: OnMessage,
        now: int | None,
    ) -> None:
        self._heads = heads
        self._text = text
        self._database = database
        self._messages = Messages(text.origins, on_message)
        self._positive: dict[Lookup, _Nodes] = {}
        self._negative: dict[Lookup, _Nodes] = {}
        for rule in text.rules:
            self._positive |= {lookup: {} for lookup in rule.positive}
            self._negative |= {lookup: {} for lookup in rule.negative}
        database.watch([*self._positive, *self._negative], now)
        self._new: dict[Lookup, list[Symbol]] = {lookup: [] for lookup in text.new}
        self._holding = 0
        self._free: list[_Instance] = []
        """Instances that depend on nothing that must hold."""
        self._is_fresh = True
        self._begin()

    # --- the Control ----------------------------------------------------------------------------------

    def _begin(self) -> None:
        """A Control that knows what holds."""
        text = self._text
        functions: dict[str, Callable[..., Any]] = {}
        for lookup, name in text.new.items():
            functions[name] = lambda tick, lookup=lookup: self._new[lookup]
        for lookup, name in text.known.items():
            functions[name] = lambda lookup=lookup: [
                symbol_of(key) for key, node in self._positive[lookup].items() if node.holds
            ]
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
                for _ in reader:  # what depends on nothing that must hold, and is known
                    pass

    def withdraw(self) -> None:
        """Nothing fires any more: another grounding takes over."""
        instances = dict.fromkeys(
            instance
            for nodes in (*self._positive.values(), *self._negative.values())
            for node in nodes.values()
            for instance in node.instances
        )
        for instance in (*instances, *(free for free in self._free if free not in instances)):
            if not instance.lacking:
                self._heads.withdraw(instance.head)

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
        nodes = self._positive.get(lookup)
        if nodes is not None:
            self._take_positive(nodes, changes, self._new[lookup])
        nodes = self._negative.get(lookup)
        if nodes is not None:
            self._take_negative(nodes, changes)

    def _take_positive(self, nodes: _Nodes, changes: Changes, new: list[Symbol]) -> None:
        support, withdraw = self._heads.support, self._heads.withdraw
        for atom in changes.ended:
            node = nodes[key_of(atom)]
            node.holds = False
            self._holding -= 1
            for instance in node.instances:
                if not instance.lacking:
                    withdraw(instance.head)
                instance.lacking += 1
        for atom in changes.began:
            key = key_of(atom)
            known = nodes.get(key)
            if known is None:
                nodes[key] = _Node(holds=True)
                new.append(atom)
                self._holding += 1
            elif not known.holds:
                known.holds = True
                self._holding += 1
                for instance in known.instances:
                    instance.lacking -= 1
                    if not instance.lacking:
                        support(instance.head)

    def _take_negative(self, nodes: _Nodes, changes: Changes) -> None:
        support, withdraw = self._heads.support, self._heads.withdraw
        for atom in changes.began:
            node = nodes.setdefault(key_of(atom), _Node(holds=False))
            if node.holds:
                continue
            node.holds = True
            self._holding += 1
            for instance in node.instances:
                if not instance.lacking:
                    withdraw(instance.head)
                instance.lacking += 1
        for atom in changes.ended:
            node = nodes[key_of(atom)]
            node.holds = False
            self._holding -= 1
            for instance in node.instances:
                instance.lacking -= 1
                if not instance.lacking:
                    support(instance.head)

    def _finish(self, tick: int) -> None:
        if not self._readers:
            return
        if any(self._new.values()):
            with self._messages.told():
                self._control.ground([(self._text.tick, [Number(tick)])], self._context)
            for new in self._new.values():
                new.clear()
            self._read()
        elif self._is_fresh:
            self._read()
        self._is_fresh = False
        known = sum(map(len, (*self._positive.values(), *self._negative.values())))
        if known > SMALL + MOST_DEAD * self._holding:
            self._forget()

    def _read(self) -> None:
        """Takes the new instances."""
        for rule, reader in self._readers:
            positive = [self._positive[lookup] for lookup in rule.positive]
            negative = [self._negative[lookup] for lookup in rule.negative]
            last = len(positive) + 1
            for keys in reader:
                instance = _Instance(keys[0])
                for nodes, key in zip(positive, keys[1:last], strict=True):
                    node = nodes[key]
                    node.instances.append(instance)
                    if not node.holds:
                        instance.lacking += 1
                for nodes, key in zip(negative, keys[last:], strict=True):
                    node = nodes.setdefault(key, _Node(holds=False))
                    node.instances.append(instance)
                    if node.holds:
                        instance.lacking += 1
                if not positive:
                    self._free.append(instance)
                if not instance.lacking:
                    self._heads.support(instance.head)

    def _forget(self) -> None:
        """Forgets what does not hold, and all instances that depend on that."""
        for nodes in self._positive.values():
            for node in nodes.values():
                if not node.holds:
                    for instance in node.instances:
                        instance.is_dropped = True
        for lookup, nodes in self._positive.items():
            self._positive[lookup] = kept = {key: node for key, node in nodes.items() if node.holds}
            for node in kept.values():
                node.instances = [instance for instance in node.instances if not instance.is_dropped]
        for lookup, nodes in self._negative.items():
            for node in nodes.values():
                node.instances = [instance for instance in node.instances if not instance.is_dropped]
            self._negative[lookup] = {key: n for key, n in nodes.items() if n.holds or n.instances}
        self._begin()
