"""Whole files with tables, in rows of a DataFrame: each is read as `lars2asp run` reads it."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import pyarrow as pa

from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import Block
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import Record, refuse
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.values import dataclass

PATH, CONTENT = "path", "content"


@dataclass(frozen=True)
class TableFiles:
    """Rows with the path and the content of a file each, as Spark's `binaryFile` has them."""

    columns: tuple[str, ...]
    timeline: Timeline
    declarations: tuple[Input, ...]
    facts: FactReader = PLAIN

    @property
    def _reading(self) -> Reading:
        return Reading(
            Format.CSV,
            self.timeline.unmarked,
            self.declarations,
            decimals=self.facts.decimals,
            required=self.facts.required,
        )

    def check(self, file: Path) -> None:
        """Raises InputError for a file whose header, or first row, declarations cannot read."""
        with FileInput(str(file), self._reading, refuse) as source:
            source.open()

    def route(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds the facts of files. Raises InputError for one of which no row can be read."""
        for path, content in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if content:
                self._route_file(path, content, router)

    def _route_file(self, path: str, content: bytes, router: Router) -> None:
        with tempfile.TemporaryDirectory(prefix="lars2asp-") as folder:
            copy = Path(folder) / PurePosixPath(unquote(path)).name
            copy.write_bytes(content)
            try:
                with FileInput(str(copy), self._reading, router.reject, is_quiet=True) as source:
                    for records in source.blocks():
                        _add(records, router)
            except InputError as error:
                raise InputError(str(error).replace(f"{folder}{os.sep}", "")) from error


def _add(records: Iterable[Record], router: Router) -> None:
    if not isinstance(records, RecordColumns):
        for record in records:
            router.add(record)
        return
    for tick in (min(records.ticks), max(records.ticks)):
        router.reach(tick)
    for one in records.facts:
        rows, ticks = one.at(records.ticks)
        if rows:
            router.add_block(Block.of(PacketSign.FACT, AtomRows(one.signature, [*rows]), [*ticks]))
