"""Atoms of one predicate at many ticks as Arrow columns, from which the very same rows come back.

A block is a record batch: a column of ticks, and one for each argument, named by a letter for its values and
its place:

    tick  i0  s1  c2
    3     1   x   a       p(1,"x",a) at tick 3
    4     2   y   b       p(2,"y",b) at tick 4

Where the order of the atoms of a tick matters, the ranks of their times are in a column more, `rank`. Facts
that hold longer have their last ticks in one behind it, `until`.

The letters say that a column has integers (i), strings (s) or names of constants (c). Where it has values of
several kinds, or other terms, it has numbers of entries in a table of terms (t), which stands in its field.
"""

import json
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self, cast

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.analysis.number_forms import NumberForm
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.externals.terms.terms import CONSTANTS, AtomRows, Row, Term, Value, columns_of
from lars2asp.externals.terms.text import argument_text, cell_text, text_of
from lars2asp.runtime.sources.fine_ticks import rank_of
from lars2asp.syntax.nodes import Signature

INTEGERS, STRINGS, _NAMES, _BY_TABLE = "isct"
_BLOCK, _TABLE = b"block", b"table"
_WHOLE = re.compile(r"\s*[+-]?0*[0-9]{1,19}\s*", re.ASCII)
_ESCAPED = r'["\\\n]'

_RANK, _MOMENT, _UNTIL = "rank", "moment", "until"

NO_ATOMS = Signature("", 0)
"""Stands for the predicate of blocks that only have ticks."""


class Block(NamedTuple):
    """Atoms of one predicate, to which the same happens.

    Attributes:
        sign: what happens (see PacketSign).
        signature: the predicate.
        columns: the ticks, the arguments, the times, and the last ticks at which facts hold, where these are
            told.
    """

    sign: str
    signature: Signature
    columns: pa.RecordBatch

    @classmethod
    def of(
        cls,
        sign: str,
        atoms: AtomRows,
        ticks: Sequence[int],
        until: Sequence[int] | None = None,
        ranks: Sequence[int] | None = None,
    ) -> Self:
        """The block of atoms, one at least: their ticks, and their last ones and times if these are told."""
        signature, rows = atoms
        arguments = [arguments_of(column) for column in columns_of(rows)]
        last, times = (None if one is None else integer_array(one, "q") for one in (until, ranks))
        return cls.from_columns(sign, signature, integer_array(ticks, "q"), arguments, last, times)

    @classmethod
    def from_columns(
        cls,
        sign: str,
        signature: Signature,
        ticks: pa.Array,
        arguments: "Iterable[Arguments]",
        until: pa.Array | None = None,
        ranks: pa.Array | None = None,
    ) -> Self:
        """The block of atoms given by columns: ticks of 64 bits, the arguments at each place, and the others.

        Ranks are those of times (`rank_of`), of 64 bits.
        """
        arrays, fields = [ticks], [_TICKS]
        for place, (kind, values, table) in enumerate(arguments):
            arrays.append(values)
            fields.append(pa.field(f"{kind}{place}", values.type, metadata=table))
        for values, told in ((ranks, _RANKS), (until, _LAST_TICKS)):
            if values is not None:
                arrays.append(values)
                fields.append(told)
        return cls(sign, signature, pa.record_batch(arrays, schema=pa.schema(fields)))

    @classmethod
    def at(cls, tick: int, sign: str) -> Self:
        """The block that says that something happens at a tick, without atoms."""
        return cls.of(sign, AtomRows(NO_ATOMS, [()]), [tick])

    @property
    def ticks(self) -> list[int]:
        """The tick of each atom."""
        return _integers(self.columns.column(0))

    @property
    def until(self) -> list[int] | None:
        """The last tick at which each fact holds; None where that is its own."""
        return _integers(self.columns.columns[-1]) if self.has_until else None

    @property
    def ranks(self) -> list[int] | None:
        """The rank of the time of each atom; None where they are not told."""
        place, names = self.signature.arity + 1, self.columns.schema.names
        if len(names) <= place or names[place] not in (_RANK, _MOMENT):
            return None
        found = _integers(self.columns.column(place))
        return found if names[place] == _RANK else [*map(rank_of, found)]  # a journal of 0.3.0

    @property
    def has_until(self) -> bool:
        """Whether facts hold until ticks that are told."""
        return bool(self.columns.schema.names[-1] == _UNTIL)

    @property
    def rows(self) -> list[Row]:
        """The arguments of each atom."""
        if not self.signature.arity:
            return [()] * self.columns.num_rows
        return list(zip(*map(self.values, range(self.signature.arity)), strict=True))

    def values(self, place: int) -> list[Value]:
        """The arguments at one place."""
        column = self.columns.column(place + 1)
        if self._kind(place) == INTEGERS:
            return _integers(column)
        values = column.dictionary_encode()
        return [*map(self._decoded(place, values.dictionary).__getitem__, _integers(values.indices))]

    def distinct(self, place: int) -> tuple[list[Value], pa.Array]:
        """The different arguments at one place, and for each atom the number of its own among them."""
        values = self.columns.column(place + 1).dictionary_encode()
        return self._decoded(place, values.dictionary), values.indices

    def where(self, mask: pa.Array) -> Self:
        """The atoms for which a mask is true."""
        return self._replace(columns=self.columns.filter(mask))

    def chosen(self, flags: Sequence[bool], numbers: pa.Array) -> Self:
        """The atoms whose numbers, as `distinct` gives them, have a true flag."""
        return self.where(pa.array(flags).take(numbers))

    def texts(self, place: int, *, has_quotes: bool, decimals: NumberForm = 0) -> pa.Array:
        """The arguments at one place as clingo writes them, strings with quotes or as they are.

        Numbers at a place with decimals are what they stand for.
        """
        column = self.columns.column(place + 1)
        if decimals and self._kind(place) in (INTEGERS, _BY_TABLE):
            values, numbers = self.distinct(place)
            written = argument_text if has_quotes else cell_text
            said = [written(one, decimals) for one in values]
            return pa.array(said, pa.string()).take(numbers)
        match self._kind(place):
            case "i":
                return column.cast(pa.string())
            case "s" if has_quotes and pc.any(pc.match_substring_regex(column, _ESCAPED)).as_py():
                return pa.array(map(text_of, column.to_pylist()), pa.string())
            case "s" if has_quotes:
                return pc.binary_join_element_wise('"', column, '"', "")
            case "t":
                values, numbers = self.distinct(place)
                texts = [one if isinstance(one, str) and not has_quotes else text_of(one) for one in values]
                return pa.array(texts, pa.string()).take(numbers)
        return column

    def has_no_strings(self, place: int) -> bool:
        """Whether the arguments at one place are integers or names, and have no quotes either way."""
        return self._kind(place) in (INTEGERS, _NAMES)

    def integers(self, place: int) -> pa.Array:
        """The arguments at one place as integers of 64 bits; missing where they are written otherwise."""
        column = self.columns.column(place + 1)
        if self._kind(place) == INTEGERS:
            return column.cast(pa.int64())
        values, numbers = self.distinct(place)
        return pa.array(map(_integer, values), pa.int64()).take(numbers)

    def _kind(self, place: int) -> str:
        """The letter of the column of the arguments at one place."""
        return str(self.columns.schema.names[place + 1][0])

    def _decoded(self, place: int, column: pa.Array) -> list[Value]:
        match self._kind(place):
            case "i":
                return _integers(column)
            case "c":
                return [*map(CONSTANTS.__getitem__, column.to_pylist())]
            case "t":
                table = json.loads(self.columns.schema.field(place + 1).metadata[_TABLE])
                return [value for (value,) in TermReader(table).read(zip(_integers(column)))]
        return list(column.to_pylist())


_TICKS, _RANKS, _LAST_TICKS = (pa.field(name, pa.int64()) for name in ("tick", _RANK, _UNTIL))


def written(blocks: Iterable[Block]) -> bytes:
    """Blocks one behind the other, each as a stream of Arrow's."""
    sink = pa.BufferOutputStream()
    for sign, signature, columns in blocks:
        head = orjson.dumps([sign, *signature])
        schema = columns.schema.with_metadata({_BLOCK: head})
        with pa.ipc.new_stream(sink, schema) as stream:
            stream.write_batch(columns)
    return bytes(sink.getvalue())


def read(data: bytes) -> Iterator[Block]:
    """The blocks that were written."""
    source = pa.BufferReader(data)
    while source.tell() < len(data):
        with pa.ipc.open_stream(source) as stream:
            sign, *signature = orjson.loads(stream.schema.metadata[_BLOCK])
            for columns in stream:
                yield Block(sign, Signature(*signature), columns)


class Arguments(NamedTuple):
    """The arguments at one place.

    Attributes:
        kind: the letter of the column.
        values: the column.
        table: the table of terms where values go by one, as metadata of the column's field; else None.
    """

    kind: str
    values: pa.Array
    table: dict[bytes, bytes] | None = None


def arguments_of(column: Sequence[Value]) -> Arguments:
    """Values, one at least, as a column."""
    if type(column[0]) is int:
        for code in "iq":  # of 64 bits where 32 do not do
            with suppress(TypeError, OverflowError):  # there are other values, or larger ones
                return Arguments(INTEGERS, integer_array(cast(Sequence[int], column), code))
    kinds = set(map(type, column))
    if kinds == {str}:
        return Arguments(STRINGS, pa.array(column, pa.string()))
    if kinds == {Term}:
        names = {term: _name(cast(Term, term)) for term in set(column)}
        if all(names.values()):
            return Arguments(_NAMES, pa.array([*map(names.__getitem__, column)], pa.string()))
    table = TermTable()
    numbers = [number for (number,) in table.write(zip(column))]
    return Arguments(_BY_TABLE, integer_array(numbers), {_TABLE: json.dumps(table.table).encode()})


def _integer(value: Value) -> int | None:
    """An integer of 64 bits, or the one that a string is."""
    number = int(value) if isinstance(value, str) and _WHOLE.fullmatch(value) else value
    return number if isinstance(number, int) and -(2**63) <= number < 2**63 else None


def _name(term: Term) -> str:
    """The name of a constant; empty for other terms."""
    return "" if term.arguments or not term.is_positive or term.name[:1] == "#" else term.name


def integer_array(numbers: Iterable[int], code: str = "i") -> pa.Array:
    """Integers of 32 (i) or 64 (q) bits; in two thirds of the time of `pa.array`."""
    kind, data = pa.int32() if code == "i" else pa.int64(), array(code, numbers)
    return pa.Array.from_buffers(kind, len(data), [None, pa.py_buffer(data)])


def _integers(column: pa.Array) -> list[Any]:
    """The values of a column of integers none of which is missing."""
    width = column.type.bit_width // 8
    data = memoryview(column.buffers()[1])[column.offset * width : (column.offset + len(column)) * width]
    return (data.cast("i") if width == 4 else data.cast("q")).tolist()
