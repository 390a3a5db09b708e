"""Answers: the output of a program at a tick, and its changes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from clingo import Symbol

from lars2asp.externals.symbol_table import numbers_of
from lars2asp.externals.symbols import symbol_of
from lars2asp.externals.views import NO_CHANGES, Changes, together


class OutputState:
    """The atoms of the output, by their keys, as they change from tick to tick."""

    def __init__(self) -> None:
        self.now: set[int] = set()
        """Those that hold now."""
        self.version = Version(self.now, NO_CHANGES)

    def change(self, changes: Changes) -> "Version":
        """The output after changes: atoms that began did not hold, and those that ended did."""
        if not any(changes):
            return self.version
        self.now.difference_update(changes.ended)
        self.now.update(changes.began)
        self.version.following = self.version = Version(self.now, changes)
        return self.version

    def replace(self, keys: Iterable[int]) -> "Version":
        """The output when it is these atoms."""
        found = set(keys)
        return self.change(Changes(list(found - self.now), list(self.now - found)))


class Version:
    """The output after changes.

    Attributes:
        changes: those since the version before, by the keys of atoms.
        size: the number of atoms that hold.
        following: the version after, once there is one.
    """

    __slots__ = ("_now", "changes", "following", "size")

    def __init__(self, now: set[int], changes: Changes) -> None:
        self._now = now
        self.changes = changes
        self.size = len(now)
        self.following: Version | None = None

    def keys(self) -> set[int]:
        """All atoms that hold, worked out from those that hold now and what has changed since."""
        found, later = set(self._now), []
        version = self.following
        while version is not None:
            later.append(version.changes)
            version = version.following
        for changes in reversed(later):
            found.difference_update(changes.began)
            found.update(changes.ended)
        return found

    def since(self, before: "Version") -> Changes:
        """The changes between an earlier version, or NOTHING, and this one."""
        if before is self:
            return NO_CHANGES
        if before.following is self:
            return self.changes
        if before is NOTHING:
            return Changes(list(self.keys()), [])
        return together(self._after(before))

    def _after(self, before: "Version") -> Iterator[Changes]:
        """The changes from an earlier version to this one, in order."""
        while before is not self and before.following is not None:
            before = before.following
            yield before.changes


NOTHING = Version(set(), NO_CHANGES)
"""The empty output, from which every other one comes."""


class Answer:
    """The answer at a tick.

    Atoms are in clingo's order of symbols. All but the changes is worked out when it is first asked for.

    Args:
        tick: the tick.
        satisfiable: whether the program has an answer stream at it.
        version: the output.
        before: the output of the answer before.
        models: gives the keys of the output atoms of each answer stream, where more than the one followed
            was asked for.
        timed_out: whether there is none because it took too long to find one.
    """

    def __init__(
        self,
        tick: int,
        satisfiable: bool,
        version: Version,
        before: Version,
        models: Callable[[], Iterable[Iterable[int]]] | None = None,
        *,
        timed_out: bool = False,
    ) -> None:
        self.tick = tick
        self.satisfiable = satisfiable
        self.timed_out = timed_out
        self._version = version
        self._before = before
        self._models = models

    def __repr__(self) -> str:
        holds = f"{{{', '.join(self.atoms)}}}" if self.satisfiable else "no answer stream"
        return f"<Answer at {self.tick}: {holds}>"

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The atoms of the output that hold; none where there is no answer stream.

        With consequences asked for, those that hold in some or in every answer stream.
        """
        return _in_order(self._version.keys())

    @cached_property
    def atoms(self) -> tuple[str, ...]:
        """The atoms as text."""
        return tuple(map(str, self.symbols))

    def keys(self) -> set[int]:
        """The keys of the atoms."""
        return self._version.keys()

    @property
    def size(self) -> int:
        """The number of atoms that hold."""
        return self._version.size

    @cached_property
    def models(self) -> tuple[tuple[Symbol, ...], ...]:
        """The output atoms of each answer stream that was asked for; the first is the one followed."""
        if self._models is not None:
            return tuple(map(_in_order, self._models()))
        return (self.symbols,) if self.satisfiable else ()

    @property
    def streams(self) -> int:
        """The number of answer streams in `models`."""
        if self._models is not None:
            return sum(1 for _ in self._models())
        return 1 if self.satisfiable else 0

    @cached_property
    def added(self) -> tuple[Symbol, ...]:
        """The atoms that hold and did not in the answer before."""
        return _in_order(self.changed_keys.began)

    @cached_property
    def removed(self) -> tuple[Symbol, ...]:
        """The atoms that held in the answer before and do not now."""
        return _in_order(self.changed_keys.ended)

    @cached_property
    def changed_keys(self) -> Changes:
        """The atoms added and removed since the answer before, by their keys, in no order."""
        return self._version.since(self._before)

    @property
    def is_changed(self) -> bool:
        """Whether an atom was added or removed."""
        return any(self.changed_keys)

    @property
    def changes(self) -> tuple[list[Symbol], list[Symbol]]:
        """The atoms added and removed since the answer before, in no order."""
        began, ended = self.changed_keys
        return list(map(symbol_of, began)), list(map(symbol_of, ended))

    def at(self, tick: int) -> "Answer":
        """The answer at a later tick up to which nothing changes."""
        return self._moved(tick, self._version)

    def differs(self, before: "Answer | None", *, as_models: bool) -> bool:
        """Whether it is another answer than an earlier one of the same reasoner.

        Args:
            before: the earlier answer; None stands for the empty one.
            as_models: whether the answer streams are compared, in place of the atoms.
        """
        if self.satisfiable != (before is None or before.satisfiable):
            return True
        if as_models:
            return set(self.models) != ({()} if before is None else set(before.models))
        return self.size > 0 if before is None else any(self._version.since(before._version))

    def after(self, before: "Answer") -> "Answer":
        """The same answer, its changes those since an earlier one of the same reasoner."""
        return self._moved(self.tick, before._version)

    def _moved(self, tick: int, before: Version) -> "Answer":
        satisfiable, version, models = self.satisfiable, self._version, self._models
        return Answer(tick, satisfiable, version, before, models, timed_out=self.timed_out)

    def count_from(self, before: "Answer") -> None:
        """Its changes, not asked for yet, are those since an earlier answer of the same reasoner."""
        self._before = before._version

    def state(self, number: Callable[[int], int]) -> dict[str, Any]:
        """The answer as JSON has it, atoms as their numbers."""
        atoms = [*map(number, self.keys())]
        models = None
        if self._models is not None:
            models = [numbers_of(model, number) for model in self.models]
        return {"tick": self.tick, "satisfiable": self.satisfiable, "atoms": atoms, "models": models}

    @classmethod
    def restored(cls, state: Mapping[str, Any], key: Callable[[int], int], output: OutputState) -> "Answer":
        """The answer that a state has; the output is that of the reasoner that goes on."""
        now = set(output.now)
        version = output.replace(map(key, state["atoms"]))
        output.replace(now)
        answer = cls(state["tick"], state["satisfiable"], version, version)
        if state["models"] is not None:
            models = [[*map(key, model)] for model in state["models"]]
            answer._models = lambda: models
        return answer


NO_ANSWER = Answer(-1, True, NOTHING, NOTHING)
"""Stands for the answer before the first one: the empty one."""


def is_given(answer: Answer, every: int | None, before: Answer | None, *, as_models: bool) -> bool:
    """Whether an answer is given.

    Args:
        answer: the answer.
        every: those at ticks that it divides are given; None those that differ from the one given before.
        before: the one given before; None stands for the empty one.
        as_models: whether they differ where the answer streams do, in place of the atoms.
    """
    if every is not None:
        return answer.tick % every == 0
    return answer.differs(before, as_models=as_models)


def check_every(every: int | None) -> None:
    """Raises ValueError for what is no number of ticks."""
    if every is not None and every < 1:
        raise ValueError("every is a number of ticks, 1 or more")


class PreviousAnswer:
    """The answer of a run that was given last, which decides whether the next one is given.

    Args:
        every: those at ticks that it divides; None those that differ from the one given before (before the
            first, the empty one).
        as_models: whether they differ where the answer streams do, in place of the atoms.
    """

    def __init__(self, every: int | None, *, as_models: bool) -> None:
        check_every(every)
        self._every = every
        self._as_models = as_models
        self._last: Answer | None = None

    def given(self, answer: Answer) -> Answer | None:
        """The answer, its changes those since the last one given; None where it is not given."""
        last = self._last
        if not is_given(answer, self._every, last, as_models=self._as_models):
            return None
        self._last = answer
        return answer if last is None else answer.after(last)

    def state(self, number: Callable[[int], int]) -> dict[str, Any] | None:
        """The last answer as JSON has it, atoms as their numbers; None where there is none."""
        return None if self._last is None else self._last.state(number)

    def restore(
        self, state: Mapping[str, Any] | None, key: Callable[[int], int], output: OutputState
    ) -> None:
        """Takes over a state; the output is that of the reasoner that goes on."""
        if state is not None:
            self._last = Answer.restored(state, key, output)


def _in_order(keys: Iterable[int]) -> tuple[Symbol, ...]:
    return tuple(sorted(map(symbol_of, keys)))
