"""Answers: the output of a program at a tick, and its changes."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import chain, starmap
from typing import TYPE_CHECKING, Any

from lars2asp.externals.terms.order import atom_key, in_order, signature_key
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import BARE_TERM, GroundAtom, Row
from lars2asp.externals.terms.text import Decimals, atom_text, texts_in_order
from lars2asp.externals.views import RowChanges, Rows
from lars2asp.runtime.output import NOTHING, OutputState, Version, sets_of
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.summaries import counted, html_table, listed

if TYPE_CHECKING:
    from clingo import Symbol


class Answer:
    """The answer at a tick.

    Its atoms are there as rows by predicates, in no order, and as text and symbols, in clingo's order. All is
    worked out when it is first asked for.

    Args:
        tick: the tick.
        satisfiable: whether the program has an answer stream at it.
        version: the output.
        before: the output of the answer before.
        models: gives the output atoms of each answer stream, where more than the one followed was asked for.
        timed_out: whether there is none because it took too long to find one.
        cost: what the answer stream costs that is followed, as pairs of a priority and the cost at it, the
            highest priority first, and so do the others in `models`; None where nothing is optimised, or
            there is no answer stream. Of an answer that stays from a snapshot of an earlier version it is not
            known, and None as well.
    """

    def __init__(
        self,
        tick: int,
        satisfiable: bool,
        version: Version,
        before: Version,
        models: Callable[[], Iterable[Rows]] | None = None,
        *,
        timed_out: bool = False,
        cost: tuple[tuple[int, int], ...] | None = None,
    ) -> None:
        self.tick = tick
        self.satisfiable = satisfiable
        self.timed_out = timed_out
        self.cost = cost
        self._version = version
        self._before = before
        self._models = models
        self._changes: RowChanges | None = None

    def __repr__(self) -> str:
        holds = f"{{{listed(self.atoms, self.size)}}}" if self.satisfiable else "no answer stream"
        return f"<Answer at {self.tick}: {holds}>"

    def _repr_html_(self) -> str:
        holds = counted(self.size, "atom") if self.satisfiable else "no answer stream"
        return html_table(f"Answer at {self.tick}: {holds}", ([atom] for atom in self.atoms), self.size)

    @cached_property
    def rows(self) -> Rows:
        """The atoms of the output that hold, as rows of Python values; none where there is no answer stream.

        With consequences asked for, those that hold in some or in every answer stream. Terms that are shown
        and are no atoms stand under a predicate without a name.
        """
        return self._version.rows()

    @cached_property
    def symbols(self) -> "tuple[Symbol, ...]":
        """The same as symbols."""
        return _symbols(self.rows)

    @cached_property
    def atoms(self) -> tuple[str, ...]:
        """The same as text; numbers at places with decimals are what they stand for, such as 24.1.

        What held in the answer of which this was asked before, and goes on to hold, is not written again.
        """
        return self._version.texts()

    @property
    def size(self) -> int:
        """The number of atoms that hold."""
        return self._version.size

    @cached_property
    def models(self) -> "tuple[tuple[Symbol, ...], ...]":
        """The output atoms of each answer stream that was asked for; the first is the one followed."""
        return tuple(map(_symbols, self._streams()))

    @property
    def model_atoms(self) -> tuple[tuple[str, ...], ...]:
        """The same as text."""
        return tuple(map(self._texts, self._streams()))

    @property
    def streams(self) -> int:
        """The number of answer streams in `models`."""
        return sum(1 for _ in self._streams())

    @property
    def decimals(self) -> Decimals:
        """The decimals of predicates, by which their atoms are written as text."""
        return self._version.decimals

    def _texts(self, rows: Rows) -> tuple[str, ...]:
        return _texts(rows, self._version.decimals)

    def _streams(self) -> Iterable[Rows]:
        if self._models is not None:
            return self._models()
        return (self.rows,) if self.satisfiable else ()

    @property
    def row_changes(self) -> RowChanges:
        """The atoms added and removed since the answer before, by predicates; the cheapest form."""
        found = self._changes
        if found is None:
            found = self._changes = self._version.since(self._before)
        return found

    @property
    def added_rows(self) -> Rows:
        """The atoms that hold and did not in the answer before, as rows."""
        return {signature: began for signature, (began, _) in self.row_changes if began}

    @property
    def removed_rows(self) -> Rows:
        """The atoms that held in the answer before and do not now, as rows."""
        return {signature: ended for signature, (_, ended) in self.row_changes if ended}

    @cached_property
    def added(self) -> "tuple[Symbol, ...]":
        """The atoms that hold and did not in the answer before."""
        return _symbols(self.added_rows)

    @cached_property
    def removed(self) -> "tuple[Symbol, ...]":
        """The atoms that held in the answer before and do not now."""
        return _symbols(self.removed_rows)

    @property
    def added_atoms(self) -> tuple[str, ...]:
        """The atoms that were added, as text."""
        return self._texts(self.added_rows)

    @property
    def removed_atoms(self) -> tuple[str, ...]:
        """The atoms that were removed, as text."""
        return self._texts(self.removed_rows)

    @property
    def is_changed(self) -> bool:
        """Whether an atom was added or removed."""
        return bool(self.row_changes)

    @property
    def changes(self) -> "tuple[list[Symbol], list[Symbol]]":
        """The atoms added and removed since the answer before, as symbols, in no order."""
        added, removed = self.added_rows, self.removed_rows
        return [*_symbols_of(_pairs(added))], [*_symbols_of(_pairs(removed))]

    def at(self, tick: int) -> "Answer":
        """The answer at a later tick up to which nothing changes."""
        version = self._version
        answer = Answer(tick, self.satisfiable, version, version, self._models, cost=self.cost)
        answer.timed_out = self.timed_out
        return answer

    def differs(self, before: "Answer", *, as_models: bool) -> bool:
        """Whether it is another answer than an earlier one of the same reasoner.

        Args:
            before: the earlier answer.
            as_models: whether the answer streams are compared, in place of the atoms.
        """
        if self.satisfiable != before.satisfiable:
            return True
        is_same = self._version is before._version
        if as_models:
            is_same = is_same and self._models is before._models
            return not is_same and self._model_sets != before._model_sets
        return not is_same and self._version.differs(before._version)

    @property
    def _model_sets(self) -> set[frozenset[GroundAtom]]:
        return {frozenset(_pairs(rows)) for rows in self._streams()}

    def count_from(self, before: "Answer") -> None:
        """Its changes, not asked for yet, are those since an earlier answer of the same reasoner."""
        self._before = before._version

    def state(self, write: WriteRows) -> dict[str, Any]:
        """The answer as a state has it."""
        return {
            "tick": self.tick,
            "satisfiable": self.satisfiable,
            "atoms": written_atoms(self.rows.items(), write),
            "models": None
            if self._models is None
            else [written_atoms(rows.items(), write) for rows in self._models()],
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any], read: ReadRows, output: OutputState) -> "Answer":
        """The answer that a state has; the output is that of the reasoner that goes on."""
        version = output.version_of(sets_of(read_atoms(state["atoms"], read)))
        answer = cls(state["tick"], state["satisfiable"], version, version)
        if state["models"] is not None:
            models = [sets_of(read_atoms(model, read)) for model in state["models"]]
            answer._models = lambda: models
        return answer


NO_ANSWER = Answer(-1, True, NOTHING, NOTHING)
"""Stands for the answer before the first one: the empty one."""


def is_given(answer: Answer, every: int | None, before: Answer, *, as_models: bool) -> bool:
    """Whether an answer is given.

    Args:
        answer: the answer.
        every: those at ticks that it divides are given; None those that differ from the one given before.
        before: the one given before.
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
        self._last = NO_ANSWER

    def given(self, answer: Answer) -> Answer | None:
        """The answer, its changes those since the last one given; None where it is not given."""
        last = self._last
        if not is_given(answer, self._every, last, as_models=self._as_models):
            return None
        self._last = answer
        if last is not NO_ANSWER:
            answer.count_from(last)
        return answer

    @property
    def last(self) -> Answer | None:
        """The one given last; None before the first."""
        return None if self._last is NO_ANSWER else self._last

    def state(self, write: WriteRows) -> dict[str, Any] | None:
        """The last answer as a state has it; None where there is none."""
        return None if self._last is NO_ANSWER else self._last.state(write)

    def restore(self, state: Mapping[str, Any] | None, read: ReadRows, output: OutputState) -> None:
        """Takes over a state; the output is that of the reasoner that goes on."""
        if state is not None:
            self._last = Answer.restored(state, read, output)


def _pairs(rows: Rows) -> Iterable[GroundAtom]:
    return (GroundAtom(signature, row) for signature, found in rows.items() for row in found)


def _in_order(rows: Rows) -> Iterable[tuple[Signature, Iterable[Row]]]:
    """Atoms in clingo's order, neighbours of one predicate together."""
    if BARE_TERM in rows:
        return ((signature, [row]) for signature, row in sorted(_pairs(rows), key=atom_key))
    return ((signature, in_order(rows[signature])) for signature in sorted(rows, key=signature_key))


def _symbols(rows: Rows) -> "tuple[Symbol, ...]":
    return tuple(_symbols_of((signature, row) for signature, found in _in_order(rows) for row in found))


def _symbols_of(atoms: Iterable[tuple[Signature, Row]]) -> "Iterable[Symbol]":
    from lars2asp.externals.terms.symbols import atom_symbol  # noqa: PLC0415 - it imports clingo

    return starmap(atom_symbol, atoms)


def _texts(rows: Rows, decimals: Decimals) -> tuple[str, ...]:
    if len(rows) == 1:
        [(signature, found)] = rows.items()
        return tuple(texts_in_order(signature, found, decimals))
    if BARE_TERM in rows:
        return tuple(atom_text(*atom, decimals) for atom in sorted(_pairs(rows), key=atom_key))
    signatures = sorted(rows, key=signature_key)
    return tuple(chain.from_iterable(texts_in_order(one, rows[one], decimals) for one in signatures))
