"""The output of a program as it changes from tick to tick."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.terms.text import NO_DECIMALS, Decimals, atom_texts
from lars2asp.externals.views import Changes, RowChanges, Rows, together
from lars2asp.runtime.held_texts import HeldTexts
from lars2asp.syntax.nodes import Signature


class OutputState:
    """The atoms of the output as they change from tick to tick.

    They are either followed, and then others hold them, or fixed.

    Args:
        held: gives those that are followed, as they are by the last changes.
        hidden: predicates that are worked out for explanations, and are not in what is given.
        decimals: how the numbers of predicates are written.

    Attributes:
        version: the last version.
        whole: the same with hidden predicates.
        is_followed: whether they are followed.
        hidden: the predicates that are not in what is given.
        decimals: how the numbers of predicates are written, for atoms as text.
    """

    def __init__(
        self,
        held: Callable[[], Rows] = dict,
        hidden: Collection[Signature] = (),
        decimals: Decimals = NO_DECIMALS,
    ) -> None:
        self._held = held
        self.hidden = hidden
        self.decimals = decimals
        self._fixed: dict[Signature, set[Row]] | None = None
        self.is_followed = True
        self.version = Version(self, (), 0, 0)
        self.whole = Version(self, (), 0, 0) if hidden else self.version
        self._kept: tuple[Version, HeldTexts] | None = None
        """A version and its texts, while less has changed since than they are."""

    @property
    def now(self) -> Rows:
        """Those that hold now."""
        return self._held() if self._fixed is None else self._fixed

    def change(self, changes: RowChanges) -> "Version":
        """The output after changes: atoms that began did not hold, and those that ended did."""
        if not changes:
            return self.version
        if self.hidden:
            self.whole = self.whole.then(changes)
            changes = [one for one in changes if one[0] not in self.hidden]
            if not changes:
                return self.version
        self.version = version = self.version.then(changes)
        if not self.hidden:
            self.whole = version
        if self._kept is not None:
            written, _ = self._kept
            if version.moved - written.moved > written.size:
                self._kept = None
        return version

    def change_all(self, several: Sequence[RowChanges]) -> "Version":
        """The output after the changes of several ticks, of which none are hidden."""
        self.whole = self.version = version = self.version.then_all(several)
        self._kept = None
        return version

    def texts_of(self, version: "Version") -> tuple[str, ...]:
        """The atoms of a version as text, in clingo's order.

        An atom that held in the version asked for before is not written again. From one that is older all
        are.
        """
        kept, self._kept = self._kept, None  # who is interrupted in between leaves none
        if kept is None or version.moved < kept[0].moved:
            texts = HeldTexts(version.rows(), partial(_written, self.decimals))
        else:
            before, texts = kept
            texts.change(version.since(before))
        self._kept = version, texts
        return texts.texts()

    def fix(self, fixed: dict[Signature, set[Row]]) -> "Version":
        """The output when it is these atoms; of atoms that were followed all changes must be in it."""
        changes = differences(self.now, fixed)
        self._fixed, self.is_followed = fixed, False
        return self.change(changes)

    def follow(self, held: Callable[[], Rows]) -> "Version":
        """The output when it is what others hold, from now on."""
        changes = differences(self.now, held())
        self._held, self._fixed, self.is_followed = held, None, True
        return self.change(changes)

    def version_of(self, atoms: Rows) -> "Version":
        """A version before now, of these atoms."""
        changes = differences(self.now, atoms)
        version = self.change(changes)
        self.change([(signature, Changes(ended, began)) for signature, (began, ended) in changes])
        return version


class Version:
    """The output after changes, with hidden predicates or without.

    Attributes:
        size: the number of atoms that hold.
        moved: the number of atoms that began or ended, in all versions up to this one.
        following: the version after, once there is one.
    """

    __slots__ = ("_changes", "_output", "_several", "following", "moved", "size")

    def __init__(
        self,
        output: OutputState,
        changes: RowChanges,
        size: int,
        moved: int,
        several: Sequence[RowChanges] = (),
    ) -> None:
        self._output = output
        self._changes = changes
        self._several = several
        """The changes of several ticks, until they are asked for as one."""
        self.size = size
        self.moved = moved
        self.following: Version | None = None

    @property
    def changes(self) -> RowChanges:
        """Those since the version before."""
        if self._several:
            self._changes, self._several = _as_one(self._several), ()
        return self._changes

    @property
    def decimals(self) -> Decimals:
        """How the numbers of predicates are written, for atoms as text."""
        return self._output.decimals

    def then(self, changes: RowChanges) -> "Version":
        """The output after changes of this one, which is the last one."""
        size, moved = self.size, self.moved
        for _, (began, ended) in changes:
            more, less = len(began), len(ended)
            size += more - less
            moved += more + less
        self.following = version = Version(self._output, changes, size, moved)
        return version

    def then_all(self, several: Sequence[RowChanges]) -> "Version":
        """The output after the changes of several ticks behind this one, which is the last one."""
        all_of = [one for changes in several for _, one in changes]
        more, less = sum([len(began) for began, _ in all_of]), sum([len(ended) for _, ended in all_of])
        size, moved = self.size + more - less, self.moved + more + less
        self.following = version = Version(self._output, (), size, moved, several)
        return version

    def texts(self) -> tuple[str, ...]:
        """All atoms that hold as text, in clingo's order."""
        return self._output.texts_of(self)

    def rows(self) -> dict[Signature, set[Row]]:
        """All atoms that hold, but for those of hidden predicates.

        They are worked out from those that hold now and what has changed since.
        """
        output, later = self._output, []
        found = {one: set(rows) for one, rows in output.now.items() if one not in output.hidden}
        version = self.following
        while version is not None:
            later.append(version.changes)
            version = version.following
        for changes in reversed(later):
            for signature, (began, ended) in changes:
                rows = found.setdefault(signature, set())
                rows.difference_update(began)
                rows.update(ended)
        return {signature: rows for signature, rows in found.items() if rows}

    def differs(self, before: "Version") -> bool:
        """Whether it has other atoms than an earlier version, or NOTHING."""
        if before is self or before is NOTHING:
            return before is not self and self.size > 0
        return before.following is self or bool(self.since(before))

    def since(self, before: "Version") -> RowChanges:
        """The changes between an earlier version, or NOTHING, and this one."""
        if before is self:
            return ()
        if before.following is self:
            return self.changes
        if before is NOTHING:
            return everything(self.rows()) if self.size else ()
        return _as_one(self._after(before))

    def _after(self, before: "Version") -> Iterator[RowChanges]:
        """The changes from an earlier version to this one, in order."""
        while before is not self and before.following is not None:
            before = before.following
            yield before.changes


def _as_one(several: Iterable[RowChanges]) -> RowChanges:
    """Changes that follow each other as one."""
    by_predicate: dict[Signature, list[Changes]] = {}
    for changes in several:
        for signature, one in changes:
            by_predicate.setdefault(signature, []).append(one)
    merged = ((signature, together(changes)) for signature, changes in by_predicate.items())
    return [(signature, changes) for signature, changes in merged if any(changes)]


def _written(decimals: Decimals, signature: Signature, rows: Sequence[Row]) -> list[str]:
    return atom_texts(signature, rows, decimals)


NOTHING = OutputState().version
"""The empty output, from which every other one comes."""


def everything(rows: Rows) -> RowChanges:
    """The changes from nothing to some atoms."""
    return [(signature, Changes(list(found))) for signature, found in rows.items() if found]


def differences(before: Rows, here: Rows) -> RowChanges:
    """The changes from some atoms to others."""
    found = []
    for signature in dict.fromkeys((*before, *here)):
        old, new = _set(before.get(signature, ())), _set(here.get(signature, ()))
        if old != new:
            found.append((signature, Changes(list(new - old), list(old - new))))
    return found


def _set(rows: Collection[Row]) -> AbstractSet[Row]:
    return rows if isinstance(rows, set | frozenset) else set(rows)


def sets_of(atoms: Iterable[tuple[Signature, Iterable[Row]]]) -> dict[Signature, set[Row]]:
    """Atoms by their predicates, each once."""
    found: dict[Signature, set[Row]] = {}
    for signature, rows in atoms:
        found.setdefault(signature, set()).update(rows)
    return found
