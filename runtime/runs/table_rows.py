"""The rows of tables in a run that reads them again, as their files change, or SIGHUP asks for it."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic, time
from typing import Any, NamedTuple

from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import ReadRows, read_atoms
from lars2asp.externals.terms.terms import AtomRows, Row, Term
from lars2asp.externals.terms.text import text_of
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.syntax.diagnostics import Diagnostics, Lars2aspError
from lars2asp.syntax.nodes import Atom, Signature, Table
from lars2asp.syntax.parsing.background_tables import read_table, rounded_fact
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.sheet_addresses import SheetAddress
from lars2asp.syntax.source import visible

LOOK_SECONDS = 1.0
"""How far apart it is looked whether files have changed."""

Rows = Mapping[Row, None]
"""Rows, each once, in the order of the file."""

_KINDS = {int: "numbers", str: "text", Term: "constants"}

_log = logging.getLogger("lars2asp")


class _Stamp(NamedTuple):
    """Tells versions of a file apart."""

    changed: int
    size: int
    number: int

    @property
    def age(self) -> float:
        """For how long it has been so, in seconds, by the clock of the machine."""
        return time() - self.changed / 1e9


class _File:
    """A table and what was read of it.

    Attributes:
        table: the table.
        rows: the rows of its file, as it was read last.
    """

    def __init__(self, table: Table, reader: FactReader) -> None:
        self.table = table
        self._reader = reader
        self._read = self._seen = self._stamp()
        self._kinds: list[set[type]] = [set() for _ in table.columns]
        """The types of the values in each column, as they were at first."""
        self.rows = self._rows()
        self._kinds = _kinds_of(self.rows, len(table.columns))

    @property
    def name(self) -> str:
        """What messages call it."""
        return visible(str(SheetAddress(self.table.path, self.table.sheet)))

    def is_changed(self) -> bool:
        """Whether there is another version of it than the one read last, which is not being written any more.

        That is so where it looks as it did the last time that this was asked, and where it has done so for a
        while by its time.
        """
        before, self._seen = self._seen, self._stamp()
        if self._seen == self._read:
            return False
        return self._seen == before or (self._seen is not None and self._seen.age >= LOOK_SECONDS)

    def read_again(self) -> bool:
        """Reads it; whether it has other rows. Where it cannot be read those before stay."""
        self._read = self._seen = self._stamp()
        try:
            rows = self._rows()
        except Lars2aspError as error:
            _log.warning("%s: it keeps the rows that it had: %s", self.name, visible(str(error)))
            return False
        more, fewer = sum(row not in self.rows for row in rows), sum(row not in rows for row in self.rows)
        if more or fewer:
            _log.warning("%s: read again: %d rows began, %d ended", self.name, more, fewer)
            self.rows = rows
        return bool(more or fewer)

    def _rows(self) -> dict[Row, None]:
        """The rows of the file. Raises Lars2aspError."""
        table = self.table
        forms = self._reader.decimals.get(table.signature, ())
        digits = [form if isinstance(form, int) else 0 for form in forms]
        rules = [
            rounded_fact(one, table, digits) for one in read_table(table, Path(table.file), Diagnostics())
        ]
        texts = [to_text(rule.head) for rule in rules if isinstance(rule.head, Atom)]
        found = dict.fromkeys(row for _, rows in self._reader.rows(texts) for row in rows)
        for number, (known, kinds) in enumerate(
            zip(self._kinds, _kinds_of(found, len(table.columns)), strict=True)
        ):
            if known and not kinds <= known:
                value = next(row[number] for row in found if type(row[number]) not in known)
                had = " or ".join(words for kind, words in _KINDS.items() if kind in known)
                raise InputError(
                    f"the column {table.columns[number].name} now contains {text_of(value)}, but "
                    f"contained only {had} when the run began: start the run again to accept this"
                )
        return found

    def _stamp(self) -> _Stamp | None:
        try:
            found = Path(self.table.file).stat()
        except OSError:
            return None
        return _Stamp(found.st_mtime_ns, found.st_size, found.st_ino)


class KeptRows:
    """Rows of tables that stay, by their predicates.

    Attributes:
        rows: those that hold; another object once they are others.
    """

    def __init__(self, rows: Mapping[Signature, Rows]) -> None:
        self.rows = rows

    def look(self) -> None:
        """Brings them up to date."""

    def name_of(self, signature: Signature) -> str:
        """What explanations call the tables of a predicate."""
        return f"the table of {signature}"


class TableRows(KeptRows):
    """The rows that the tables of a program have in their files.

    Args:
        plan: the program.
        asked: whether they are to be read again at once; asked for with each look.
        clock: the time in seconds.

    Raises Lars2aspError where one cannot be read.
    """

    def __init__(
        self, plan: Plan, asked: Callable[[], bool] = lambda: False, clock: Callable[[], float] = monotonic
    ) -> None:
        reader = FactReader(plan.decimals, plan.required)
        self._files = [_File(table, reader) for table in plan.tables]
        self._asked, self._clock = asked, clock
        self._next = clock() + LOOK_SECONDS
        super().__init__(self._all())

    def look(self) -> None:
        """Reads again what has changed, but now and then alone; what is asked for, at once."""
        if self._asked():
            due = self._files
        elif self._clock() < self._next:
            return
        else:
            due = [file for file in self._files if file.is_changed()]
        self._next = self._clock() + LOOK_SECONDS
        found = [file.read_again() for file in due]
        if any(found):
            self.rows = self._all()

    def name_of(self, signature: Signature) -> str:
        """The files of a predicate."""
        return ", ".join(dict.fromkeys(f.name for f in self._files if f.table.signature == signature))

    def _all(self) -> Mapping[Signature, Rows]:
        found: dict[Signature, dict[Row, None]] = {}
        for file in self._files:
            found.setdefault(file.table.signature, {}).update(file.rows)
        return found


def rows_of_state(state: Mapping[str, Any], read: ReadRows) -> dict[Signature, Rows]:
    """The rows that held where the state of a run was kept."""
    told = read_atoms(state.get("tables", ()), read)
    return {signature: dict.fromkeys(rows) for signature, rows in told}


def row_changes(
    before: Mapping[Signature, Rows], after: Mapping[Signature, Rows]
) -> Iterator[tuple[Signature, Events]]:
    """What begins and ends of each predicate where rows are others than before."""
    for signature in dict.fromkeys((*before, *after)):
        old, new = before.get(signature, {}), after.get(signature, {})
        began, ended = [row for row in new if row not in old], [row for row in old if row not in new]
        if began or ended:
            yield signature, Events(begin=_atoms(signature, began), end=_atoms(signature, ended))


def _atoms(signature: Signature, rows: Sequence[Row]) -> tuple[AtomRows, ...]:
    return (AtomRows(signature, rows),) if rows else ()


def _kinds_of(rows: Rows, width: int) -> list[set[type]]:
    found: list[set[type]] = [set() for _ in range(width)]
    for row in rows:
        for kinds, value in zip(found, row, strict=True):
            kinds.add(type(value))
    return found
