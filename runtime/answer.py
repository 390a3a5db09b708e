"""Answers: the output of a program at a tick, and its changes."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, starmap
from typing import TYPE_CHECKING, Any

from lars2asp.externals.terms.order import atom_key, in_order, signature_key
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import BARE_TERM, GroundAtom, Row
from lars2asp.externals.terms.text import Decimals, atom_text, texts_in_order
from lars2asp.externals.views import Changes, RowChanges, Rows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.given_ticks import GivenTicks, next_given
from lars2asp.runtime.output import NOTHING, OutputState, Version, sets_of
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown
from lars2asp.syntax.summaries import counted, html_table, listed

if TYPE_CHECKING:
    from clingo import Symbol


_PREDICATE = re.compile(r"-?_*[a-z][A-Za-z0-9_']*(/[0-9]+)?")


class Atoms:
    """A collection of atoms.

    It offers the atoms in three forms and computes each when you first ask for it: `texts` and `symbols` in
    clingo's order, `rows` in no order. Iteration yields texts, `len` counts, and `in` accepts an atom in any
    form of a fact.

    >>> from lars2asp import Reasoner
    >>> reasoner = Reasoner.from_text("alarm(R) :- hot(R).")
    >>> holds = reasoner.step(0, ["hot(hall)", ("hot", "attic")]).holds
    >>> "alarm(hall)" in holds, ("alarm", "attic") in holds, len(holds)
    (True, True, 2)
    >>> list(holds["alarm/1"])
    ['alarm(hall)', 'alarm("attic")']

    Attributes:
        rows: The atoms as tuples of Python values, by predicate. Terms that are no atoms, from `#show`, are
            under a predicate without a name.
        decimals: How to write the numbers of predicates, for texts.
    """

    def __init__(self, rows: Rows, decimals: Decimals) -> None:
        self.rows = rows
        self.decimals = decimals

    def __len__(self) -> int:
        return sum(map(len, self.rows.values()))

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __contains__(self, atom: object) -> bool:
        """Whether the collection contains an atom: a text, a tuple of name and arguments, or a clingo symbol.

        Raises:
            InputError: For a value that is not an atom.
        """
        try:
            [(signature, [row])] = self._reader.rows([atom])  # type: ignore[list-item]  # it refuses others
        except InputError:
            if BARE_TERM in self.rows:  # such terms are no atoms
                return atom in self.texts or atom in self.symbols
            if isinstance(atom, str) and _PREDICATE.fullmatch(atom) is not None:
                cure = f"write answer.holds[{shown(repr(atom))}]"
                raise InputError(f"{shown(repr(atom))} is a predicate, not an atom: {cure}") from None
            raise
        return row in self.rows.get(signature, ())

    def __getitem__(self, predicate: str | Signature) -> "Atoms":
        """Returns the atoms of a predicate such as `alarm/1`, or of all predicates with a name such as
        `alarm`.

        The result is empty if no such atom holds.

        Raises:
            KeyError: For other texts.
        """
        found = {
            one: rows
            for one, rows in self.rows.items()
            if predicate in (one, str(one), str(one).rpartition("/")[0])
        }
        if not found and not isinstance(predicate, Signature) and not _PREDICATE.fullmatch(str(predicate)):
            raise KeyError(
                f"{shown(repr(predicate))} is no predicate such as 'alarm/1': test an atom with `in`, "
                "and get the first atom with .texts[0]"
            )
        return Atoms(found, self.decimals)

    def __repr__(self) -> str:
        return f"<Atoms: {{{listed(self.texts, len(self))}}}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Atoms, (sets_of(self.rows.items()), self.decimals)

    @cached_property
    def _reader(self) -> FactReader:
        return FactReader(self.decimals)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The atoms as text, with declared decimals, such as `temp(24.1)`."""
        return _texts(self.rows, self.decimals)

    @cached_property
    def symbols(self) -> "tuple[Symbol, ...]":
        """The atoms as clingo's symbols."""
        return tuple(
            _symbols_of((signature, row) for signature, found in _in_order(self.rows) for row in found)
        )


class _OutputAtoms(Atoms):
    """All atoms of a version of the output.

    Texts of atoms that continue to hold are reused.
    """

    def __init__(self, version: Version) -> None:
        self._version = version
        self.decimals = version.decimals

    def __len__(self) -> int:
        return self._version.size

    @cached_property
    def rows(self) -> Rows:  # type: ignore[override]  # it is worked out late
        return self._version.rows()

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return self._version.texts()


class Answer:
    """The answer at a tick: the atoms that hold, and their changes.

    A pickled or copied answer contains the same values, without the reasoner.

    Attributes:
        tick: The tick.
        satisfiable: Whether there is an answer stream at the tick.
        timed_out: Whether there is no answer because the tick took longer than `tick_timeout`.
        failure: Why lars2asp could not compute the tick, with rule and number; empty if it could.
        cost: The cost of the answer stream, as pairs of a priority and a cost, highest priority first. None
            for a program that does not optimise, without an answer stream, and after a snapshot of an earlier
            version.
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
        failure: str = "",
        cost: tuple[tuple[int, int], ...] | None = None,
    ) -> None:
        """An answer.

        Args:
            tick: The tick.
            satisfiable: See Attributes, as for the last two.
            version: The output.
            before: The output of the answer before.
            models: Returns the output atoms of each answer stream, if several were requested.
            timed_out: See Attributes.
            failure: See Attributes.
            cost: See Attributes.
        """
        self.tick = tick
        self.satisfiable = satisfiable
        self.timed_out = timed_out
        self.failure = failure
        self.cost = cost
        self._version = version
        self._before = before
        self._models = models
        self._changes: RowChanges | None = None

    def __repr__(self) -> str:
        holds = f"{{{listed(self.holds.texts, len(self.holds))}}}" if self.satisfiable else "no answer stream"
        return f"<Answer at {self.tick}: {holds}>"

    def __reduce__(self) -> tuple[Any, ...]:
        models = None if self._models is None else [sets_of(one.rows.items()) for one in self.models]
        changes = [(one, Changes([*began], [*ended])) for one, (began, ended) in self.row_changes]
        more = {"timed_out": self.timed_out, "failure": self.failure, "cost": self.cost}
        return _copied, (self.tick, self.satisfiable, self.holds, changes, models, more)

    def _repr_html_(self) -> str:
        number = len(self.holds)
        holds = counted(number, "atom") if self.satisfiable else "no answer stream"
        return html_table(f"Answer at {self.tick}: {holds}", ([atom] for atom in self.holds.texts), number)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            message = f"an answer has no attribute {name!r}"
            if name in _RENAMED:
                raise AttributeError(f"{message}: it is {_RENAMED[name]}")
            raise AttributeError(message, name=name, obj=self)

    @cached_property
    def holds(self) -> Atoms:
        """The output atoms that hold; none if there is no answer stream.

        With `consequences`, the atoms that hold in some or in every answer stream.
        """
        return _OutputAtoms(self._version)

    @cached_property
    def began(self) -> Atoms:
        """The atoms that hold now and did not in the previous answer."""
        return self._changed({signature: began for signature, (began, _) in self.row_changes if began})

    @cached_property
    def ended(self) -> Atoms:
        """The atoms that held in the previous answer and do not now."""
        return self._changed({signature: ended for signature, (_, ended) in self.row_changes if ended})

    def changed_texts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The texts of `began` and `ended`, computed once and not kept."""
        return texts_of_changes(self.row_changes, self._version.decimals)

    def _changed(self, rows: Rows) -> Atoms:
        return Atoms(rows, self._version.decimals)

    @property
    def row_changes(self) -> RowChanges:
        """The rows that began and ended since the previous answer, by predicate; the cheapest form."""
        found = self._changes
        if found is None:
            found = self._changes = self._version.since(self._before)
        return found

    @cached_property
    def models(self) -> tuple[Atoms, ...]:
        """The output atoms of each requested answer stream; the run follows the first."""
        if self._models is None:
            return (self.holds,) if self.satisfiable else ()
        return tuple(Atoms(rows, self._version.decimals) for rows in self._models())


def _copied(
    tick: int, satisfiable: bool, holds: Atoms, changes: RowChanges, models: Any, more: dict[str, Any]
) -> Answer:
    """An answer that was pickled."""
    version = OutputState(decimals=holds.decimals).fix(sets_of(holds.rows.items()))
    answer = Answer(tick, satisfiable, version, version, None if models is None else lambda: models, **more)
    answer._changes = changes
    return answer


def texts_of_changes(changes: RowChanges, decimals: Decimals) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts of the atoms that began, and of the atoms that ended."""
    if len(changes) == 1:
        [(signature, changed)] = changes
        return tuple(texts_in_order(signature, changed.began, decimals)), tuple(
            texts_in_order(signature, changed.ended, decimals)
        )
    began = {signature: changed.began for signature, changed in changes if changed.began}
    ended = {signature: changed.ended for signature, changed in changes if changed.ended}
    return _texts(began, decimals) if began else (), _texts(ended, decimals) if ended else ()


_RENAMED = {
    **{"atoms": "holds.texts", "rows": "holds.rows", "symbols": "holds.symbols", "size": "len(holds)"},
    **{"added": "began.symbols", "added_rows": "began.rows", "added_atoms": "began.texts"},
    **{"removed": "ended.symbols", "removed_rows": "ended.rows", "removed_atoms": "ended.texts"},
    **{"model_atoms": "[one.texts for one in models]", "streams": "len(models)"},
    **{"changes": "began.symbols and ended.symbols", "is_changed": "bool(row_changes)"},
    "decimals": "holds.decimals",
}
"""Earlier names of attributes, and the names now."""


def answer_at(answer: Answer, tick: int) -> Answer:
    """The same answer at a later tick, if nothing changes until then."""
    version, is_late = answer._version, answer.timed_out
    return Answer(
        tick,
        answer.satisfiable,
        version,
        version,
        answer._models,
        timed_out=is_late,
        failure=answer.failure,
        cost=answer.cost,
    )


def count_from(answer: Answer, before: Answer) -> None:
    """Changes the answer that `began` and `ended` refer to; nobody may have asked for them yet."""
    answer._before = before._version


def differs(answer: Answer, before: Answer, *, as_models: bool) -> bool:
    """Whether an answer differs from an earlier answer of the same reasoner.

    Args:
        answer: The answer.
        before: The earlier answer.
        as_models: Whether to compare the answer streams, not the atoms.
    """
    if answer.satisfiable != before.satisfiable:
        return True
    is_same = answer._version is before._version
    if as_models:
        is_same = is_same and answer._models is before._models
        return not is_same and _model_sets(answer) != _model_sets(before)
    return not is_same and answer._version.differs(before._version)


def _model_sets(answer: Answer) -> set[frozenset[GroundAtom]]:
    return {frozenset(_pairs(model.rows)) for model in answer.models}


def state_of(answer: Answer, write: WriteRows) -> dict[str, Any]:
    """An answer as a value for a state."""
    models = None if answer._models is None else [one.rows for one in answer.models]
    return {
        "tick": answer.tick,
        "satisfiable": answer.satisfiable,
        "atoms": written_atoms(answer.holds.rows.items(), write),
        "models": None if models is None else [written_atoms(rows.items(), write) for rows in models],
    }


def restored_answer(state: Mapping[str, Any], read: ReadRows, output: OutputState) -> Answer:
    """The answer in a state; its output is the output of the resumed reasoner."""
    version = output.version_of(sets_of(read_atoms(state["atoms"], read)))
    models = None
    if state["models"] is not None:
        found = [sets_of(read_atoms(model, read)) for model in state["models"]]
        models = lambda: found  # noqa: E731
    return Answer(state["tick"], state["satisfiable"], version, version, models)


NO_ANSWER = Answer(-1, True, NOTHING, NOTHING)
"""Means the answer before the first: no atoms."""


def is_given(answer: Answer, every: GivenTicks, before: Answer, *, as_models: bool) -> bool:
    """Whether an answer is given.

    Args:
        answer: The answer.
        every: A number for answers at its multiples; None for answers that differ from the last given answer;
            ends of windows for both kinds.
        before: The last given answer.
        as_models: Whether to compare the answer streams, not the atoms.
    """
    if isinstance(every, int):
        return answer.tick % every == 0
    if every is not None and next_given(every, answer.tick - 1) == answer.tick:
        return True
    return differs(answer, before, as_models=as_models)


class PreviousAnswer:
    """The answer that a run gave last, which decides whether to give the next answer.

    Args:
        every: See `is_given`; the first answer is compared with the empty answer.
        as_models: See `is_given`.
    """

    def __init__(self, every: GivenTicks, *, as_models: bool) -> None:
        self._every = every
        self._as_models = as_models
        self._last = NO_ANSWER

    def given(self, answer: Answer) -> Answer | None:
        """The answer, with its changes since the last given answer; None if it is not given."""
        last = self._last
        if not is_given(answer, self._every, last, as_models=self._as_models):
            return None
        self._last = answer
        if last is not NO_ANSWER:
            count_from(answer, last)
        return answer

    def follow(self, answer: Answer) -> None:
        """An answer was given, and those before it."""
        self._last = answer

    @property
    def last(self) -> Answer | None:
        """The last given answer; None before the first."""
        return None if self._last is NO_ANSWER else self._last

    def state(self, write: WriteRows) -> dict[str, Any] | None:
        """The last answer as a value for a state; None if there is none."""
        return None if self._last is NO_ANSWER else state_of(self._last, write)

    def restore(self, state: Mapping[str, Any] | None, read: ReadRows, output: OutputState) -> None:
        """Restores a state; the output is the output of the resumed reasoner."""
        if state is not None:
            self._last = restored_answer(state, read, output)


def _pairs(rows: Rows) -> Iterable[GroundAtom]:
    return (GroundAtom(signature, row) for signature, found in rows.items() for row in found)


def _in_order(rows: Rows) -> Iterable[tuple[Signature, Iterable[Row]]]:
    """Atoms in clingo's order, neighbours of one predicate together."""
    if BARE_TERM in rows:
        return ((signature, [row]) for signature, row in sorted(_pairs(rows), key=atom_key))
    return ((signature, in_order(rows[signature])) for signature in sorted(rows, key=signature_key))


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
