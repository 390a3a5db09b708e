"""Bytes of files that are packed, or text that is not UTF-8."""

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from select import select
from typing import Any, Protocol, cast

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.text.encodings import encoding_of

PACKED = (".bz2", ".gz", ".xz", ".zst")
"""The endings of the names of packed files."""

PACKED_ENDING = rf"(?:{'|'.join(map(re.escape, PACKED))})"
"""A regular expression for one of them."""

_SIZE = 2**16

_PACKED_SIZE = 2**11
"""In bytes: so much is unpacked at once, as it may become 30,000 times as much."""


class Readable(Protocol):
    """Gives bytes, none at the end."""

    def read(self, size: int, /) -> bytes: ...


class ConvertedStream(io.RawIOBase):
    """What is made of the bytes of a stream; a place in it is found by reading from the beginning.

    Args:
        source: the stream.
        convert: makes of it, at its beginning, what is read in its place.
        name: that of the file, for messages.
    """

    def __init__(self, source: io.RawIOBase, convert: Callable[[io.RawIOBase], Readable], name: str) -> None:
        self._source = source
        self._convert = convert
        self._name = name
        self._reader = convert(source)
        self._given = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._source.seekable()

    def fileno(self) -> int:
        return self._source.fileno()

    def tell(self) -> int:
        return self._given

    @property
    def bytes_read(self) -> int | None:
        """How much of the file has been read."""
        return bytes_read_of(self._source)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, none at the end. Raises InputError where the file is damaged."""
        try:
            piece = self._reader.read(_SIZE if size < 0 else size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(f"{self._name}: the compressed file is damaged: {error}") from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise InputError(f"{self._name}: the compressed file is damaged: {error}") from error
        except Exception as error:
            if type(error).__name__ not in ("ZstdError", "LZMAError", "BadZipFile"):
                raise
            raise InputError(f"{self._name}: the compressed file is damaged: {error}") from error
        self._given += len(piece)
        return piece

    def readinto(self, buffer: Any, /) -> int:
        piece = self.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Goes to a place, or to the end where there is less."""
        if offset < self._given:
            self._source.seek(0)
            self._reader, self._given = self._convert(self._source), 0
        while self._given < offset and self.read(min(_SIZE, offset - self._given)):
            pass
        return self._given

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()


class BegunStream(io.RawIOBase):
    """A stream that cannot be read again, of which the first lines were looked at.

    Attributes:
        beginning: what was read of it and not given yet: a line at least, if there is one.
    """

    def __init__(self, source: io.RawIOBase, wait_for: Callable[[io.RawIOBase], None]) -> None:
        self._source = source
        self.beginning = b""
        while b"\n" not in self.beginning and len(self.beginning) < _SIZE:
            wait_for(source)
            piece = source.read(_SIZE)
            if piece is None:  # the stream does not wait by itself
                select([source], [], [])
            elif piece:
                self.beginning += piece
            else:
                break

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._source.fileno()

    def read(self, size: int = -1, /) -> bytes | None:
        """The next bytes."""
        if not self.beginning:
            return self._source.read(size)
        given = self.beginning if size < 0 else self.beginning[:size]
        self.beginning = self.beginning[len(given) :]
        return given


def bytes_read_of(stream: io.RawIOBase) -> int | None:
    """How much of the file that a stream reads has been read; None where that is not known."""
    if isinstance(stream, ConvertedStream):
        return stream.bytes_read
    return stream.tell() if stream.seekable() else None


def beginning_of(stream: io.RawIOBase, size: int) -> bytes:
    """The next bytes of a stream, so many if there are; a single read of what is packed gives less."""
    found = bytearray()
    while len(found) < size and (piece := stream.read(size - len(found))):
        found += piece
    return bytes(found)


def lines_up_to(stream: io.RawIOBase, size: int) -> Iterator[bytes]:
    """The lines in the next bytes of a stream, so many if there are."""
    rest = b""
    while size > 0 and (piece := stream.read(min(size, _SIZE))):
        size -= len(piece)
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines


def plain_name(name: str) -> str:
    """The name of a file without the ending that says that it is packed."""
    path = Path(name)
    return str(path.with_suffix("")) if path.suffix.lower() in PACKED else name


def unpacked(stream: io.RawIOBase, name: str) -> io.RawIOBase:
    """The bytes that are packed in a file, or those of a file that is not packed. Raises InputError."""
    match Path(name).suffix.lower():
        case ".gz":
            return ConvertedStream(stream, lambda raw: gzip.GzipFile(fileobj=raw), name)
        case ".bz2":
            from bz2 import BZ2File  # noqa: PLC0415 - few need it

            return ConvertedStream(stream, cast("Callable[[io.RawIOBase], Readable]", BZ2File), name)
        case ".xz":
            from lzma import LZMAFile  # noqa: PLC0415 - few need it

            return ConvertedStream(stream, cast("Callable[[io.RawIOBase], Readable]", LZMAFile), name)
        case ".zst":
            zstandard: Any = needed("zstandard", "tables", name)
            one = zstandard.ZstdDecompressor().decompressobj
            return ConvertedStream(stream, lambda raw: _FrameReader(raw, one), name)
        case _:
            return stream


class _FrameReader:
    """Unpacks frames of Zstandard, and sees where the last one is cut off; the package's reader does not."""

    def __init__(self, raw: io.RawIOBase, make: Callable[[], Any]) -> None:
        self._raw = raw
        self._make = make
        self._frame: Any = None
        self._packed = self._left = b""

    def read(self, size: int, /) -> bytes:
        """The next bytes. Raises EOFError where a frame is cut off."""
        while not self._left:
            self._packed = self._packed or self._raw.read(_PACKED_SIZE) or b""
            if not self._packed:
                if self._frame is not None:
                    raise EOFError("the end of the file is missing")
                return b""
            self._frame = self._frame or self._make()
            self._left = self._frame.decompress(self._packed)
            self._packed = b""
            if self._frame.eof:
                self._packed, self._frame = self._frame.unused_data, None
        given, self._left = self._left[:size], self._left[size:]
        return given


def as_utf8(stream: io.RawIOBase, encoding: str, name: str) -> io.RawIOBase:
    """The text of a stream in UTF-8. What is not text of its encoding stays none."""
    if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
        return stream
    return ConvertedStream(stream, lambda raw: _Transcoder(raw, encoding), name)


class _Transcoder:
    """Gives bytes of UTF-8."""

    def __init__(self, raw: io.RawIOBase, encoding: str) -> None:
        self._raw = raw
        self._decoder = codecs.getincrementaldecoder(encoding)(NO_TEXT)
        self._left = b""
        self._is_over = False

    def read(self, size: int, /) -> bytes:
        while not self._left and not self._is_over:
            piece = self._raw.read(_SIZE) or b""
            self._is_over = not piece
            text = self._decoder.decode(piece, self._is_over)
            self._left = text.encode(errors="surrogateescape")
        given, self._left = self._left[:size], self._left[size:]
        return given


class Recoder:
    """Makes UTF-8 of the bytes of a live source, piece by piece. What is not text of its encoding stays none.

    Args:
        encoding: that of the bytes; None: UTF-8, but for a byte order mark of another one at their beginning.
    """

    def __init__(self, encoding: str | None) -> None:
        self._begun: bytes | None = b"" if encoding is None else None
        """The first bytes, while it is not known whether they are a mark."""
        self._decoder: codecs.IncrementalDecoder | None = None
        if encoding is not None:
            self._decode(encoding)

    @property
    def passes(self) -> bool:
        """Whether bytes are given as they come."""
        return self._begun is None and self._decoder is None

    def utf8(self, piece: bytes | bytearray) -> bytes | bytearray:
        """What can be said of the bytes so far and was not given yet."""
        if self._begun is not None:
            piece = self._begun + piece
            if len(piece) < _LONGEST_MARK and piece[:1] in (b"", b"\xff", b"\xfe", b"\0"):
                self._begun = bytes(piece)
                return b""
            self._begun = None
            self._decode(encoding_of(bytes(piece[:_LONGEST_MARK]), is_table=False))
        return self._decoded(piece) if self._decoder is not None else piece

    def end(self) -> bytes:
        """The rest; what comes then begins anew."""
        rest, self._begun = self._begun or b"", None if self._begun is None else b""
        if self._decoder is None:
            return rest
        last = self._decoded(b"", is_over=True)
        self._decoder.reset()
        return last

    def _decode(self, encoding: str) -> None:
        if codecs.lookup(encoding).name not in ("utf-8", "utf-8-sig"):
            self._decoder = codecs.getincrementaldecoder(encoding)(NO_TEXT)

    def _decoded(self, piece: bytes | bytearray, *, is_over: bool = False) -> bytes:
        assert self._decoder is not None
        return self._decoder.decode(bytes(piece), is_over).encode(errors="surrogateescape")


_LONGEST_MARK = 4

NO_TEXT = "lars2asp.no_text"
"""The way to decode by which a byte that is not text stands for what is none in UTF-8 either."""


def _no_text(error: UnicodeError) -> tuple[str, int]:
    """A byte that is not UTF-8 stands for what is not text, so that the record that holds it is rejected."""
    assert isinstance(error, UnicodeDecodeError)
    return "\udcff", error.end


codecs.register_error(NO_TEXT, _no_text)
