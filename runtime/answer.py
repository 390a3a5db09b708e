"""What a reasoner gives at a tick."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from clingo import Symbol

from externals.symbols import key_of


class Output:
    """The atoms of the output as they change from tick to tick."""

    def __init__(self) -> None:
        self.now: dict[int, Symbol] = {}
        """Those that hold now, by their keys."""
        self.version = Version(self.now, (), ())

    def change(self, added: Sequence[Symbol], removed: Sequence[Symbol]) -> "Version":
        """The output after a change; added atoms did not hold, removed ones did."""
        for atom in removed:
            del self.now[key_of(atom)]
        self.now.update(zip(map(key_of, added), added, strict=True))
        self.version.following = self.version = Version(self.now, added, removed)
        return self.version

    def replace(self, atoms: Iterable[Symbol]) -> "Version":
        """The output when it is these atoms."""
        found = {key_of(atom): atom for atom in atoms}
        return self.change(
            [atom for key, atom in found.items() if key not in self.now],
            [atom for key, atom in self.now.items() if key not in found],
        )


class Version:
    """The output after a change.

    Attributes:
        added: the atoms that hold since.
        removed: those that held until then.
        size: how many atoms hold.
        following: the version after, once there is one.
    """

    __slots__ = ("_now", "added", "following", "removed", "size")

    def __init__(self, now: dict[int, Symbol], added: Sequence[Symbol], removed: Sequence[Symbol]) -> None:
        self._now = now
        self.added = added
        self.removed = removed
        self.size = len(now)
        self.following: Version | None = None

    def symbols(self) -> Iterable[Symbol]:
        """All atoms that hold, worked out from those that hold now and what has changed since."""
        found, later = dict(self._now), []
        version = self.following
        while version is not None:
            later.append(version)
            version = version.following
        for version in reversed(later):
            for atom in version.added:
                del found[key_of(atom)]
            found.update(zip(map(key_of, version.removed), version.removed, strict=True))
        return found.values()

    def since(self, before: "Version") -> tuple[Sequence[Symbol], Sequence[Symbol]]:
        """What was added and what removed between an earlier version and this one."""
        if before.following is self:
            return self.added, self.removed
        net: dict[int, tuple[Symbol, bool]] = {}
        while before is not self and before.following is not None:
            before = before.following
            for atoms, is_added in ((before.removed, False), (before.added, True)):
                for atom in atoms:
                    if net.pop(key_of(atom), None) is None:
                        net[key_of(atom)] = atom, is_added
        return (
            [atom for atom, is_added in net.values() if is_added],
            [atom for atom, is_added in net.values() if not is_added],
        )


class Answer:
    """The answer at a tick.

    Atoms are in clingo's order of symbols. All but the changes is worked out when it is first asked for.

    Args:
        tick: the tick.
        satisfiable: whether the program has an answer stream at it.
        version: the output.
        before: the output of the answer before.
        models: gives the output atoms of each answer stream, where more than the one followed was asked for.
    """

    def __init__(
        self,
        tick: int,
        satisfiable: bool,
        version: Version,
        before: Version,
        models: Callable[[], Iterable[Iterable[Symbol]]] | None = None,
    ) -> None:
        self.tick = tick
        self.satisfiable = satisfiable
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
        return tuple(sorted(self._version.symbols()))

    @cached_property
    def atoms(self) -> tuple[str, ...]:
        """The atoms as text."""
        return tuple(map(str, self.symbols))

    @property
    def size(self) -> int:
        """How many atoms hold."""
        return self._version.size

    @cached_property
    def models(self) -> tuple[tuple[Symbol, ...], ...]:
        """The output atoms of each answer stream that was asked for; the first is the one followed."""
        if self._models is not None:
            return tuple(tuple(sorted(model)) for model in self._models())
        return (self.symbols,) if self.satisfiable else ()

    @cached_property
    def added(self) -> tuple[Symbol, ...]:
        """The atoms that hold and did not in the answer before."""
        return tuple(sorted(self._changes[0]))

    @cached_property
    def removed(self) -> tuple[Symbol, ...]:
        """The atoms that held in the answer before and do not now."""
        return tuple(sorted(self._changes[1]))

    @property
    def is_changed(self) -> bool:
        """Whether an atom was added or removed."""
        return any(self._changes)

    @cached_property
    def _changes(self) -> tuple[Sequence[Symbol], Sequence[Symbol]]:
        return self._version.since(self._before)

    def after(self, before: "Answer") -> "Answer":
        """The same answer, its changes those since an earlier one of the same reasoner."""
        return Answer(self.tick, self.satisfiable, self._version, before._version, self._models)
