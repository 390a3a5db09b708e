"""Rule instances that clingo grounds, kept: those that fire are counted from the changes.

The semi-naive evaluation of Laser (Bazoobandi, Beck, Urbani 2017, section 4) with clingo for the joins: a
tick grounds only the rule instances with a new answer in them, against the answers of earlier ticks. Each
instance comes back with all answers that it depends on, and fires while the positive ones hold and the
negative ones do not. So a change costs a look at the instances that it is part of, and an answer that comes
back soon is not ground again. Instances bear no ticks: for how long an answer holds is known to the database
(lars2asp.externals.views).

Answers that have not held for long are joined no more; when they come back, they are passed to clingo again.
And when the Control knows far more answers than hold, it is made again for those that hold, so seldom that
the cost of a fact stays the same.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress, repeat
from operator import and_, not_

from lars2asp.externals.symbols import Atoms, NewAtoms, number_key
from lars2asp.planning.instance_text import InstanceText

from lars2asp.externals.grounding import GroundPart, KeyFunctions
from lars2asp.externals.views import Changes
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.delta.deferred_changes import ChangeFilter
from lars2asp.runtime.evaluators.delta.support import Support
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.syntax.nodes import Signature

NONE = -1
"""The number that stands for no use."""

MOST_DEAD = 2
"""A Control is made again when it knows this many times as many answers that do not hold as hold."""


class _KnownAnswers:
    """The answers to a lookup that some instances depend on, by their keys.

    Where they are joined, clingo joins new answers with those that were passed to it in the generation
    `horizon` or later; an answer of an earlier one that comes back must be passed again. Generations are
    numbered from 0 in each Control, as clingo never forgets the answers of a generation.

    Args:
        few: the number of answers that do not hold which are always joined.
        is_joined: whether clingo joins them with new answers.

    Attributes:
        uses: for each the last of its uses by instances, NONE without any.
        holding: those that hold now.
        new: those that are to be passed to clingo.
        horizon: the generation from which on they are joined.
        generation: the current one.
        size: the number of those that clingo knows, some counted more than once.
    """

    __slots__ = (
        "_few",
        "_generations",
        "_holding_of",
        "_is_joined",
        "_joined",
        "_passed",
        "generation",
        "holding",
        "horizon",
        "new",
        "size",
        "uses",
    )

    def __init__(self, few: int, *, is_joined: bool) -> None:
        self._is_joined = is_joined
        self._few = few
        self.uses: dict[int, int] = {}
        self.holding: set[int] = set()
        self.new = array("Q")
        self.horizon = self.generation = 0
        self.size = 0
        self._generations: dict[int, int] = {}
        """The generation of each, where they are joined."""
        self._passed = [0]
        """By generation, the number of those passed to clingo."""
        self._holding_of = [0]
        """By generation, the number of these that hold."""
        self._joined = 0
        """The number of those passed to clingo from the horizon on."""

    def end(self, keys: Sequence[int]) -> list[int]:
        """Ends answers; gives the last use of each."""
        self.holding.difference_update(keys)
        if self._is_joined:
            for generation, number in Counter(map(self._generations.__getitem__, keys)).items():
                self._holding_of[generation] -= number
        return list(map(self.uses.__getitem__, keys))

    def begin(self, keys: Sequence[int]) -> tuple[list[int], list[int]]:
        """Begins those of the answers that did not hold before.

        Gives those to pass to clingo, and the last uses of those that instances depend on already.
        """
        holding, uses = self.holding, self.uses
        unknown = [key for key in keys if key not in holding]
        holding.update(unknown)
        back: list[int] = []
        last_uses: list[int] = []
        if not uses.keys().isdisjoint(unknown):
            back = [key for key in unknown if key in uses]
            unknown = [key for key in unknown if key not in uses]
            last_uses = [uses[key] for key in back]
        uses.update(dict.fromkeys(unknown, NONE))
        for key in back if self._is_joined else ():
            generation = self._generations[key]
            if generation < self.horizon:
                unknown.append(key)
            else:
                self._holding_of[generation] += 1
        self.size += len(unknown)
        if self._is_joined and unknown:
            self._generations.update(dict.fromkeys(unknown, self.generation))
            self._passed[-1] += len(unknown)
            self._holding_of[-1] += len(unknown)
            self._joined += len(unknown)
        return unknown, last_uses

    def look_ahead(self) -> None:
        """Moves the horizon on if many are joined that do not hold."""
        if self._joined - len(self.holding) > self._few + len(self.holding) // 16:
            while self.horizon < self.generation and not self._holding_of[self.horizon]:
                self._joined -= self._passed[self.horizon]
                self.horizon += 1

    def end_generation(self) -> None:
        """Begins another generation after a grounding, if this one is large enough."""
        if self._passed[-1] > self._few + len(self.holding) // 16:
            self.generation += 1
            self._passed.append(0)
            self._holding_of.append(0)

    def by_generation(self) -> dict[int, "array[int]"]:
        """The answers that hold by their generation, which is given by the key of its number."""
        found = [array("Q") for _ in self._passed]
        for key in self.holding:
            found[self._generations[key]].append(key)
        return {number_key(number): keys for number, keys in enumerate(found)}

    def forget(self) -> None:
        """Forgets the answers that do not hold, and all uses."""
        self.uses = dict.fromkeys(self.holding, NONE)
        self.size = self._joined = len(self.holding)
        left = [generation for generation, number in enumerate(self._holding_of) if number]
        number_of = {generation: number for number, generation in enumerate(left)}
        if self._is_joined:
            generations = self._generations
            self._generations = {key: number_of[generations[key]] for key in self.holding}
        self._passed = [*(self._holding_of[generation] for generation in left), 0]
        self._holding_of = list(self._passed)
        self.horizon, self.generation = 0, len(left)


@dataclass(frozen=True)
class _RuleInstances:
    """The instances of a rule.

    Attributes:
        reader: reads the new ones.
        members: the answers that they depend on, and whether these must not hold.
        columns: the keys of the atoms that they derive, then those of the answers that they depend on.
    """

    reader: NewAtoms
    members: list[tuple[_KnownAnswers, bool]]
    columns: list["array[int]"]


class GroundInstances:
    """A Control, the instances that it has given, and the answers that they depend on.

    Instances and their uses of answers are numbered; arrays of integers, which are small and which Python's
    garbage collector does not walk through, have all that is known of them.

    Args:
        text: the program that grounds the instances.
        task: the database, and the rest that an evaluator needs.
        support: counts the instances that fire.
    """

    def __init__(self, text: InstanceText, task: Task, support: Support) -> None:
        self._text = text
        self._support = support
        self._messages = task.messages(text.origins)
        self._spare, few = task.tuning.delta_spare, task.tuning.delta_few
        self._positive: dict[Lookup, _KnownAnswers] = {}
        self._negative: dict[Lookup, _KnownAnswers] = {}
        for rule in text.rules:
            self._positive |= {one: _KnownAnswers(few, is_joined=one in text.joined) for one in rule.positive}
            self._negative |= {one: _KnownAnswers(few, is_joined=False) for one in rule.negative}
        holding = {lookup: known.holding for lookup, known in {**self._negative, **self._positive}.items()}
        self._filter = ChangeFilter([rule.positive for rule in text.rules], holding, task)
        self._clear()
        self._is_fresh = True
        self._rules: list[_RuleInstances] = []
        self._begin()

    @property
    def size(self) -> int:
        """The number of answers that instances depend on."""
        return sum(len(known.uses) for known in (*self._positive.values(), *self._negative.values()))

    @property
    def control_size(self) -> int:
        """The number of atoms that the Control has."""
        return len(self._control.symbolic_atoms)

    @property
    def generation(self) -> int:
        """The largest number of a generation of answers."""
        return max((known.generation for known in self._positive.values()), default=0)

    def _clear(self) -> None:
        """Forgets all instances."""
        self._heads = array("Q")
        """Of each instance the key of the atom that it derives."""
        self._lacking = array("q")
        """Of each instance the number of answers that it depends on and that keep it from firing."""
        self._used_by = array("q")
        """Of each use the instance."""
        self._before = array("q")
        """Of each use the use before it of the same answer, or NONE."""

    # --- the Control ----------------------------------------------------------------------------------

    def _begin(self, kept: Sequence[Sequence[Sequence[int]]] = ()) -> None:
        """Makes a Control that knows the answers that hold, and the instances that are kept, by rules."""
        text = self._text
        functions: dict[str, Callable[..., array[int]]] = {}
        for lookup, name in text.new.items():
            functions[name] = lambda tick, known=self._positive[lookup]: known.new
        for lookup, joined in text.joined.items():
            known = self._positive[lookup].by_generation()
            functions[joined.generations] = lambda known=known: array("Q", known)
            functions[joined.name] = known.__getitem__
        for rule, columns in zip(text.rules, kept or repeat(()), strict=False):
            functions[rule.name] = partial(_atoms_of, rule.name, columns)
        self._functions = KeyFunctions(functions)
        with self._messages.translated_errors():
            self._control = self._messages.control(text.text)
            self._ground(("base", ()), (text.load, ()))
        rules = []
        for rule in text.rules:
            members = [(self._positive[lookup], False) for lookup in rule.positive]
            members += [(self._negative[lookup], True) for lookup in rule.negative]
            reader = NewAtoms(self._control, rule.name, 1 + len(members), 1 + len(members))
            if not self._is_fresh:
                reader.skip()
            rules.append(_RuleInstances(reader, members, [array("Q") for _ in range(1 + len(members))]))
        self._rules = rules

    def _ground(self, *parts: GroundPart) -> None:
        self._messages.ground(lambda: self._functions.ground(self._control, parts))

    def withdraw(self) -> None:
        """Withdraws all that fires, as another grounding takes over."""
        fires = (head for head, lacks in zip(self._heads, self._lacking, strict=True) if not lacks)
        self._support.withdraw(fires)

    # --- a tick ---------------------------------------------------------------------------------------

    def load(self, tick: int) -> None:
        """Evaluates the first tick, while the stream goes on."""
        self._take_all(self._filter.load(tick), tick)

    def step(self, tick: int) -> None:
        """Evaluates a tick."""
        changed = self._filter.step(tick)
        if changed or self._is_fresh:
            self._take_all(changed, tick)

    def _take_all(self, changed: Iterable[tuple[Lookup, Changes]], tick: int) -> None:
        for lookup, changes in changed:
            self._take(lookup, changes)
        self._finish(tick)
        self._filter.defer_if_possible()

    def _take(self, lookup: Lookup, changes: Changes) -> None:
        known = self._positive.get(lookup)
        if known is not None:
            self._count(known.end(changes.ended), 1)
            unknown, uses = known.begin(changes.began)
            self._count(uses, -1)
            known.new.extend(unknown)
        known = self._negative.get(lookup)
        if known is not None:
            self._count(known.end(changes.ended), -1)
            self._count(known.begin(changes.began)[1], 1)

    def _count(self, uses: Iterable[int], more: int) -> None:
        """Adds `more` to the lacking answers of the instances in all uses of which these are the last."""
        lacking, used_by, before, heads = self._lacking, self._used_by, self._before, self._heads
        turned = []
        turning = 0 if more > 0 else 1  # the number for instances that cease to fire now, or begin to
        for last in uses:
            use = last
            while use != NONE:
                instance = used_by[use]
                lacks = lacking[instance]
                if lacks == turning:
                    turned.append(heads[instance])
                lacking[instance] = lacks + more
                use = before[use]
        if more > 0:
            self._support.withdraw(turned)
        else:
            self._support.add(turned)

    def _finish(self, tick: int) -> None:
        if any(known.new for known in self._positive.values()):
            joined = [self._positive[lookup] for lookup in self._text.joined]
            parameters = [number_key(tick)]
            for known in joined:
                known.look_ahead()
                parameters += (number_key(known.horizon), number_key(known.generation))
            with self._messages.translated_errors():
                for part in filter(None, (self._text.others, self._text.tick)):
                    self._ground((part, parameters))
            for known in self._positive.values():
                known.new = array("Q")
            for known in joined:
                known.end_generation()
            self._read()
        elif self._is_fresh:
            self._read()
        self._is_fresh = False
        all_known = (*self._positive.values(), *self._negative.values())
        holding = sum(len(known.holding) for known in all_known)
        if sum(known.size for known in all_known) - holding > self._spare + MOST_DEAD * holding:
            self._forget()

    def _read(self) -> None:
        """Takes the new instances."""
        for rule in self._rules:
            rows = rule.reader.read()
            if rows:
                columns = list(zip(*rows, strict=True))
                first = len(self._heads)
                self._add(rule, columns)
                lacking = self._lacking[first:]
                fires = columns[0] if not any(lacking) else compress(columns[0], map(not_, lacking))
                self._support.add(fires)

    def _add(self, rule: _RuleInstances, columns: Sequence[Sequence[int]]) -> None:
        """Adds instances by the keys of the atoms that they derive and of the answers they depend on."""
        heads, *used = columns
        number = len(heads)
        lacking = [0] * number
        for (known, is_negated), column in zip(rule.members, used, strict=True):
            use, uses = len(self._before), known.uses
            if len(set(column)) == number:
                self._before.extend(map(uses.get, column, repeat(NONE)))
                uses.update(zip(column, range(use, use + number), strict=True))
            else:
                last_use = self._before.append
                for key in column:
                    last_use(uses.get(key, NONE))
                    uses[key] = use
                    use += 1
            self._used_by.extend(range(len(self._heads), len(self._heads) + number))
            holding = known.holding
            if not (holding.isdisjoint(column) if is_negated else holding.issuperset(column)):
                lacking = [
                    lacks + ((key in holding) is is_negated)
                    for lacks, key in zip(lacking, column, strict=True)
                ]
        self._heads.extend(heads)
        self._lacking.extend(lacking)
        for kept, column in zip(rule.columns, columns, strict=True):
            kept.extend(column)

    def _forget(self) -> None:
        """Forgets the answers that do not hold, and all instances that depend on them positively."""
        kept = []
        for rule in self._rules:
            is_kept: Iterable[bool] = repeat(True)
            for (known, is_negated), column in zip(rule.members, rule.columns[1:], strict=True):
                if not is_negated:
                    is_kept = list(map(and_, is_kept, map(known.holding.__contains__, column)))
            kept.append([array("Q", compress(column, is_kept)) for column in rule.columns])
        self._clear()
        for known in (*self._positive.values(), *self._negative.values()):
            known.forget()
        self._begin(kept)
        for rule, columns in zip(self._rules, kept, strict=True):
            self._add(rule, columns)


def _atoms_of(name: str, columns: Sequence[Sequence[int]]) -> "array[int]":
    """The keys of the atoms of a predicate, from the keys of their arguments by columns."""
    return array("Q", Atoms(Signature(name, len(columns)))(zip(*columns, strict=True)))
