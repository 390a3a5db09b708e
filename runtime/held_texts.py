"""Atoms that hold as text, in clingo's order: each is written once while it holds."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any

from lars2asp.externals.terms.order import (
    AS_VALUES,
    MIXED,
    in_order,
    ranked,
    signature_key,
    sorted_in_parts,
    value_key,
)
from lars2asp.externals.terms.terms import BARE_TERM, Row, Term, Value, columns_of, function
from lars2asp.externals.views import RowChanges, Rows
from lars2asp.syntax.nodes import Signature

WriteAtoms = Callable[[Signature, Sequence[Row]], list[str]]
"""Writes atoms of one predicate, or terms that are shown: a text for each row."""


class HeldTexts:
    """The atoms that hold as text, in clingo's order.

    What a change costs is that of the atoms that change, but for what it takes to move the others.

    Args:
        rows: the atoms.
        write: writes them.
        separator: what stands between them where they are joined.
    """

    def __init__(self, rows: Rows, write: WriteAtoms, separator: str = ", ") -> None:
        self._write = write
        self._separator = separator
        self._groups: dict[Signature, SortedTexts] = {}
        self._of_terms: dict[tuple[Any, ...], SortedTexts] = {}
        """Terms that are shown and are no atoms, by what sorts them among predicates."""
        self._in_order: list[SortedTexts] | None = None
        for signature, found in rows.items():
            if found:
                self._change(signature, found, ())

    def change(self, changes: RowChanges) -> None:
        """Takes the changes of the atoms."""
        for signature, (began, ended) in changes:
            self._change(signature, began, ended)

    def texts(self) -> tuple[str, ...]:
        """The atoms."""
        return tuple(chain.from_iterable([group.texts for group in self._ordered()]))

    def joined(self) -> str:
        """The atoms in one text; those of predicates that have not changed are not joined again."""
        separator = self._separator
        return separator.join([group.joined(separator) for group in self._ordered() if group.texts])

    def _change(self, signature: Signature, began: Collection[Row], ended: Collection[Row]) -> None:
        if signature == BARE_TERM:
            self._change_terms(began, ended)
            return
        group = self._groups.get(signature)
        if group is None:
            group = SortedTexts(signature_key(signature), partial(self._write, signature))
            self._groups[signature], self._in_order = group, None
        group.change(began, ended)

    def _change_terms(self, began: Iterable[Row], ended: Iterable[Row]) -> None:
        """Each kind of terms has its place among predicates: tuples that of functions without a name."""
        changes: dict[tuple[Any, ...], tuple[list[Row], list[Row]]] = {}
        for number, rows in enumerate((began, ended)):
            for (term,) in rows:
                key, row = _placed(term)
                if key not in self._of_terms:
                    self._of_terms[key] = SortedTexts(key, partial(self._terms, _back(term)))
                    self._in_order = None
                changes.setdefault(key, ([], []))[number].append(row)
        for key, (here, gone) in changes.items():
            self._of_terms[key].change(here, gone)

    def _terms(self, back: Callable[[Row], Value], rows: Sequence[Row]) -> list[str]:
        return self._write(BARE_TERM, [(back(row),) for row in rows])

    def _ordered(self) -> list["SortedTexts"]:
        found = self._in_order
        if found is None:
            groups = [*self._groups.values(), *self._of_terms.values()]
            found = self._in_order = sorted(groups, key=lambda group: group.key)
        return found


class SortedTexts:
    """The texts of rows of one length, which clingo's order keeps together.

    Rows are sorted by keys, whose places have what is enough to compare them: numbers, strings and names of
    constants as they are, as long as a place has nothing else.

    Args:
        key: what sorts them among others.
        write: writes rows.

    Attributes:
        key: as above.
        texts: the texts, in order.
    """

    def __init__(self, key: tuple[Any, ...], write: Callable[[Sequence[Row]], list[str]]) -> None:
        self.key = key
        self.texts: list[str] = []
        self._write = write
        self._rows: Sequence[Row] = ()
        """The rows, in order, as long as there are no keys."""
        self._keys: list[Any] | None = None
        self._ranks: tuple[int, ...] = ()
        """By places the rank of the values, where it is that of all (`ranked`)."""
        self._types: tuple[type, ...] | None = None
        """By places the type of the values, where rows are keys themselves."""
        self._joined: str | None = None

    def change(self, began: Collection[Row], ended: Collection[Row]) -> None:
        """Takes rows that are not there, and takes others out, which are."""
        self._joined = None
        if len(ended) == len(self.texts):
            self._rows, self._keys = in_order(began), None
            self.texts = self._write(self._rows) if self._rows else []
            return
        if self._keys is None:
            self._keys = self._first_keys(self._rows)
            self._rows = ()
        rows = [*began]
        texts = self._write(rows) if rows else []
        new, old = self._keys_of(rows), self._keys_of([*ended])
        keys, held = self._keys, self.texts
        if (len(new) + len(old)) * len(keys).bit_length() > len(keys):  # a search for each takes longer
            found = dict(zip(keys, held, strict=True))
            for key in old:
                del found[key]
            found.update(zip(new, texts, strict=True))
            self._keys = keys = sorted_in_parts(found)
            self.texts = [found[key] for key in keys]
            return
        for key in old:
            place = bisect_left(keys, key)
            del keys[place], held[place]
        for key, text in zip(new, texts, strict=True):
            place = bisect_left(keys, key)
            keys.insert(place, key)
            held.insert(place, text)

    def joined(self, separator: str) -> str:
        """The texts, with a separator in between, which is always the same."""
        found = self._joined
        if found is None:
            found = self._joined = separator.join(self.texts)
        return found

    def _first_keys(self, rows: Sequence[Row]) -> list[Any]:
        """The keys of rows, which are all that are there."""
        self._ranks, self._types = (), None
        if not rows[0]:
            return [*rows]
        columns = [ranked(column) for column in columns_of(rows)]
        self._ranks = tuple(rank for rank, _ in columns)
        if all(rank in AS_VALUES for rank in self._ranks):
            self._types = tuple(map(type, rows[0]))
            return [*rows]
        return [*zip(*(keys for _, keys in columns), strict=True)]

    def _keys_of(self, rows: Sequence[Row]) -> Sequence[Any]:
        """The keys of rows; those that are there are made anew if these have other values in a place."""
        if not rows or not rows[0]:
            return rows
        types = self._types
        if types is not None and all(tuple(map(type, row)) == types for row in rows):
            return rows
        columns = [ranked(column) for column in columns_of(rows)]
        keys = zip(*(keys for _, keys in columns), strict=True)
        ranks, known = tuple(rank for rank, _ in columns), self._ranks
        if ranks == known:
            return [*keys]
        common = tuple(one if one == other else MIXED for one, other in zip(known, ranks, strict=True))
        if common != known:
            self._keys = [_widened(key, known, common) for key in self._keys or ()]
            self._ranks, self._types = common, None
        return [_widened(key, ranks, common) for key in keys]


def _placed(term: Value) -> tuple[tuple[Any, ...], Row]:
    """What sorts a term among predicates, and a row that sorts it among terms alike."""
    if isinstance(term, Term):
        key = value_key(term)
        return (key[:-1], term.arguments) if term.arguments else (key, ())
    return value_key(term)[:1], (term,)


def _back(term: Value) -> Callable[[Row], Value]:
    """What gives the terms of such rows, that of one like this."""
    if not isinstance(term, Term):
        return itemgetter(0)
    if not term.arguments:
        return lambda _: term
    return lambda row: function(term.name, row, is_positive=term.is_positive)


def _widened(key: Iterable[Any], ranks: Iterable[int], common: Iterable[int]) -> tuple[Any, ...]:
    """A key for places that have values of more kinds now, as `value_key` sorts them."""
    parts = zip(key, ranks, common, strict=True)
    return tuple((rank, one) if rank != shared else one for one, rank, shared in parts)
