"""Whole files with tables, in rows of a DataFrame: each is read as `lars2asp run` reads it."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pyarrow as pa

from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import Block
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.fine_ticks import rank_of
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.record_numbers import RecordNumbers
from lars2asp.runtime.sources.records import Record, refuse
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.values import dataclass

PATH, CONTENT = "path", "content"
PART = 10_000
"""So many records, about, of a file are handed on at once, as Spark hands on so many rows."""

_LOCAL = "file:"


@dataclass(frozen=True)
class TableFiles:
    """Rows with a file each, as Spark's `binaryFile` has them: the path, and the content where it is told.

    Without it workers open the files, and hold no more of one than a block of its rows.
    """

    columns: tuple[str, ...]
    timeline: Timeline
    declarations: tuple[Input, ...]
    facts: FactReader = PLAIN

    @property
    def _reading(self) -> Reading:
        return Reading(
            Format.CSV,
            replace(self.timeline.unmarked, is_fine=self.timeline.is_fine),
            self.declarations,
            decimals=self.facts.decimals,
            required=self.facts.required,
        )

    def check(self, file: Path) -> None:
        """Raises InputError for a file whose header, or first row, declarations cannot read."""
        with FileInput(str(file), self._reading, refuse) as source:
            source.open()

    def parts(self, batch: pa.RecordBatch, router: Router) -> Iterator[None]:
        """Adds the facts of files, and stops behind each part of them.

        Raises InputError for a file of which no row can be read.
        """
        for path, *contents in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if not contents:
                yield from self._parts_of(_local(path), router)
            elif content := contents[0]:
                yield from self._parts_in(PurePosixPath(path).name, content, router)

    def _parts_in(self, name: str, content: bytes, router: Router) -> Iterator[None]:
        with tempfile.TemporaryDirectory(prefix="lars2asp-") as folder:
            copy = Path(folder) / name
            copy.write_bytes(content)
            try:
                yield from self._parts_of(copy, router)
            except InputError as error:  # whose place is that of a copy
                raise InputError(str(error).replace(f"{folder}{os.sep}", "")) from None

    def _parts_of(self, file: Path, router: Router) -> Iterator[None]:
        account = router.counts.account
        numbers = RecordNumbers(self.declarations, self.facts.decimals, router.records)
        with FileInput(str(file), self._reading, router.reject, is_quiet=True, account=account) as source:
            number = 0
            for block in source.blocks():
                told = numbers.over(block) if numbers.are_asked else block
                records = told if isinstance(told, RecordColumns) else [*told]
                number += _add(records, router)
                router.tell(records)
                if number >= PART:
                    yield
                    number = 0
        yield


def _local(path: str) -> Path:
    """A path as Spark writes it, on this machine. Raises InputError for another one."""
    if not path.startswith(_LOCAL):
        raise InputError(f"{path} is no file of this machine: keep the column {CONTENT} in the DataFrame")
    return Path("/" + path.removeprefix(_LOCAL).lstrip("/"))


def _add(records: Sequence[Record], router: Router) -> int:
    """Adds records; gives how many."""
    if not isinstance(records, RecordColumns):
        for record in records:
            router.add(record)
        return len(records)
    for tick in (min(records.ticks), max(records.ticks)):
        router.reach(tick)
    for one in records.facts:
        rows, ticks = one.at(records.ticks)
        ranks = None if records.moments is None else [*map(rank_of, one.at(records.moments)[1])]
        if rows:
            atoms = AtomRows(one.signature, [*rows])
            router.add_block(Block.of(PacketSign.FACT, atoms, [*ticks], ranks=ranks))
    return len(records)
