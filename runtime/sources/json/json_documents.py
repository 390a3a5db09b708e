"""Files that are one JSON document over many lines, or one array of records, read a record at a time."""

import io
import json
import re
from collections.abc import Sequence
from functools import partial

import orjson

from lars2asp.runtime.sources.json.json_texts import names_fields, parts_of
from lars2asp.runtime.sources.text.byte_streams import ConvertedStream

LOOKED_AT = 10
"""The number of lines at the beginning of a text one of which says that it has JSON records."""

_SIZE = 2**16

_MOST_NAMES = 2**20
"""In bytes: an array that is longer names no fields."""

_SEPARATOR = b"\x1e"
"""What stands before each record of a JSON text sequence, as RFC 7464 has it."""

_BLANK = b" \t\r\n,\xef\xbb\xbf" + _SEPARATOR
"""What stands between records, a byte order mark included."""

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|["{}\[\]]', re.DOTALL)
_STRING_REST = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)


def is_document(sample: bytes, *, is_whole: bool) -> bool:
    """Whether a file with this beginning has records over several lines, or one array that is a long line.

    Args:
        sample: the beginning.
        is_whole: whether it is the whole file.
    """
    text = sample.lstrip(_BLANK)
    if text[:1] not in (b"{", b"["):
        return False
    if _SEPARATOR in sample[: -len(text)]:
        return True
    line, end, _ = text.partition(b"\n")
    if not end:
        records = [] if text.startswith(b"[") else _records_on(line)
        return (not is_whole and text.startswith(b"[")) or (len(records) > 1 and all(map(_is_json, records)))
    if _is_json(line) or not all(map(_is_json, _records_on(line))):
        return False
    pieces, found = _RecordLines(io.BytesIO(text)), b""
    while b"\n" not in found and (piece := pieces.read(_SIZE)):
        found += piece
    first, is_over, _ = found.partition(b"\n")
    if is_over:
        return first[:1] in (b"{", b"[") and _is_json(first)
    return not is_whole and line.strip() in (b"{", b"[")


def _records_on(line: bytes) -> Sequence[bytes]:
    """The records that begin and end on a line, and each sign that belongs to none."""
    found = b"".join(iter(partial(_RecordLines(io.BytesIO(line)).read, _SIZE), b""))
    return [record for record in found.splitlines(keepends=True) if record.endswith(b"\n")]


def has_json(lines: Sequence[str]) -> bool:
    """Whether a text has JSON records: one of its first lines is a record, or a document begins on the first.

    Of a text of one line only the beginning may be known.
    """
    first = next((line.strip() for line in lines if line.strip()), "")
    is_cut = len(lines) == 1 and first.startswith(('{"', "[{", "[["))
    return is_cut or first in ("{", "[") or any(map(is_json_line, lines[:LOOKED_AT]))


def is_json_line(line: str) -> bool:
    """Whether a line is a JSON object or array."""
    text = line.strip()
    return text[:1] in ("{", "[") and _is_json(text)


def as_record_lines(stream: io.RawIOBase, name: str) -> io.RawIOBase:
    """The records of a document, a line each: objects one after the other, or the elements of arrays."""
    return ConvertedStream(stream, _NamedRows, name)


def _is_json(text: bytes | str) -> bool:
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True


class _RecordLines:
    """Gives each record of a document as a line, and holds no more of one than a piece.

    What stands between records and is none is a line as well, which is rejected when it is read.
    """

    def __init__(self, raw: io.RawIOBase | io.BytesIO) -> None:
        self._raw = raw
        self._left = b""
        self._is_over = False
        self._depth = 0
        self._is_in_array = False
        self._is_in_string = False
        self._is_escaped = False

    def read(self, size: int, /) -> bytes:
        """The next bytes, none at the end."""
        while not self._left and not self._is_over:
            piece = self._raw.read(_SIZE)
            self._is_over = not piece
            self._left = self._lines(piece or b"")
        given, self._left = self._left[:size], self._left[size:]
        return given

    def _lines(self, piece: bytes) -> bytes:
        out: list[bytes] = []
        begin = self._behind_string(piece)
        first = 0
        """Where the record begins that is not whole, or what stands behind the last one."""
        for token in _TOKEN.finditer(piece, begin):
            sign = token[0]
            if sign == b'"':
                self._behind_string(piece, token.end())
                break
            if sign[0] == ord('"'):
                continue
            if sign in b"{[":
                if not self._depth:
                    out.append(_between(piece[first : token.start()]))
                    first = token.start()
                    if sign == b"[" and not self._is_in_array:
                        self._is_in_array = True
                        first = token.end()
                        continue
                self._depth += 1
            elif self._depth:
                self._depth -= 1
                if not self._depth:
                    out += [_on_a_line(piece[first : token.end()]), b"\n"]
                    first = token.end()
            else:
                is_end = self._is_in_array and sign == b"]"
                out.append(_between(piece[first : token.start() if is_end else token.end()]))
                first, self._is_in_array = token.end(), self._is_in_array and not is_end
        rest = piece[first:]
        out.append(_on_a_line(rest) if self._depth else _between(rest))
        return b"".join(out)

    def _behind_string(self, piece: bytes, begin: int | None = None) -> int:
        """Where the string ends in which a piece begins, or that begins in it; the piece may end before."""
        if begin is None and not self._is_in_string:
            return 0
        begin = (begin or 0) + self._is_escaped
        found = _STRING_REST.match(piece, begin)
        end = len(piece) if found is None else found.end()
        self._is_in_string = piece[end : end + 1] != b'"'
        self._is_escaped = piece[end : end + 1] == b"\\"
        return end + 1


class _NamedRows:
    """Gives the records of a document; of arrays the first one names the fields of the others."""

    def __init__(self, raw: io.RawIOBase | io.BytesIO) -> None:
        self._records = _RecordLines(raw)
        self._names: list[str] | None = None
        self._has_begun = self._is_over = False
        self._rest = b""
        """What is not a whole line yet."""
        self._left = b""

    def read(self, size: int, /) -> bytes:
        """The next bytes, none at the end."""
        if not self._has_begun:
            self._begin()
        if self._names is None and not self._left:
            return self._records.read(size)
        while not self._left and not self._is_over:
            piece = self._records.read(_SIZE)
            self._is_over = not piece
            *lines, self._rest = (self._rest + (piece or b"\n")).split(b"\n")
            self._left = b"".join(self._named(line) + b"\n" for line in lines if line)
        given, self._left = self._left[:size], self._left[size:]
        return given

    def _begin(self) -> None:
        """Looks at the first record, which may name fields."""
        self._has_begun, begun = True, b""
        while b"\n" not in begun and begun[:1] in (b"", b"[") and len(begun) < _MOST_NAMES:
            piece = self._records.read(_SIZE)
            if not piece:
                break
            begun += piece
        first, _, rest = begun.partition(b"\n")
        names = orjson.loads(first) if first[:1] == b"[" and _is_json(first) else None
        if names_fields(names):
            self._names, self._rest = names, rest
        else:
            self._left = begun

    def _named(self, line: bytes) -> bytes:
        """The object of an array, with its values as they are written; other lines as they are."""
        assert self._names is not None
        try:
            values = parts_of(line.decode()) if line[:1] == b"[" else []
        except (ValueError, IndexError):
            return line
        if len(values) != len(self._names):
            return line
        pairs = (f"{json.dumps(name)}:{value}" for name, value in zip(self._names, values, strict=True))
        return f"{{{','.join(pairs)}}}".encode()


def _on_a_line(text: bytes) -> bytes:
    return text.replace(b"\n", b" ").replace(b"\r", b" ")


def _between(text: bytes) -> bytes:
    """What stands between records: a line where it is not blank."""
    text = text.strip(_BLANK)
    return _on_a_line(text) + b"\n" if text else b""
