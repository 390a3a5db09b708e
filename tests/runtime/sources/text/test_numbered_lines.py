"""Lines know where they stand, and reading goes on from there."""

import io
import os
import re
import threading
from collections import deque
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from lars2asp.runtime.sources.records import TRUNCATED_SIZE, TruncatedRecord
from lars2asp.runtime.sources.text.numbered_lines import (
    MOST_AGAIN,
    FileLines,
    LinePosition,
    TextLines,
    numbered,
)


class Pieces(io.RawIOBase):
    """Bytes that can be read once, in pieces as they come."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = list(pieces)

    def read(self, size: int = -1) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""


MOST = st.sampled_from([1, 2, 5, 2**20])
TEXT = st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r", b"\r\n", b"\xc3\xa4", b"\xff", b""]), max_size=14)


def as_text(data: bytes) -> list[str]:
    """The lines as Python opens a text."""
    return list(io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", "surrogateescape", newline=""))


def given(lines: Iterable[str]) -> list[tuple[str, int | None]]:
    """Lines, and the lengths of those that are too long."""
    return [(str(line), line.length if isinstance(line, TruncatedRecord) else None) for line in lines]


def expected(data: bytes, most: int) -> list[tuple[str, int | None]]:
    """The same, of a text."""
    cut: list[tuple[str, int | None]] = []
    for line in as_text(data):
        bare = line.rstrip("\r\n").encode(errors="surrogateescape")
        cut.append((line, None) if len(bare) <= most else (line.rstrip("\r\n"), len(bare)))
    return cut


@given_by(TEXT, MOST)
def test_lines_are_those_of_the_text_however_it_comes(pieces: list[bytes], most: int) -> None:
    full = [piece for piece in pieces if piece]
    lines = FileLines(Pieces(full), most)
    found = [(lines.number, given([line])) for line in lines]
    assert found == [(n, [line]) for n, line in enumerate(expected(b"".join(full), most), start=1)]


@given_by(TEXT)
def test_a_carriage_return_within_a_line_of_text_begins_no_line(pieces: list[bytes]) -> None:
    lines = [*TextLines(Pieces([piece for piece in pieces if piece]))]
    whole = b"".join(pieces)
    assert [line.encode(errors="surrogateescape") for line in lines] == re.findall(rb"[^\n]*\n|[^\n]+", whole)


@pytest.mark.parametrize("size", [1, 7, 1000, 2**16])
def test_of_lines_that_are_too_long_no_more_is_held_than_their_beginnings(size: int) -> None:
    most, long = 3000, "\u2600" * 30_000
    data = f"one\n{long}\r\ntwo\n{long}".encode()
    lines = FileLines(Pieces([data[i : i + size] for i in range(0, len(data), size)]), most)
    beginning = (long[: TRUNCATED_SIZE // 3], 90_000)
    assert given(lines) == [("one\n", None), beginning, ("two\n", None), beginning]


@given_by(TEXT, MOST, st.integers(0, 3), st.integers(0, 14), st.integers(0, 5), st.booleans())
def test_reading_goes_on_from_a_place(
    pieces: list[bytes], most: int, head: int, read: int, back: int, can_seek: bool
) -> None:
    """After the lines of the head, wherever the place is; of what cannot be read again not far back."""
    data = b"".join(pieces)
    lines_given = expected(data, most)
    stream = io.BytesIO(data) if can_seek else Pieces([piece for piece in pieces if piece])
    lines = FileLines(stream, most)  # type: ignore[arg-type]
    head_lines = list(islice(lines, head))
    lines.end_head()
    deque(islice(lines, read))
    if not can_seek and most < 2**16:
        back = min(back, 1)
    number = max(lines.number + 1 - back, len(head_lines) + 1)
    place = lines.place(number)
    again = FileLines(stream, most)  # type: ignore[arg-type]
    again.begin(LinePosition(place.line, place.offset, place.rest, place.head))
    assert list(islice(again, len(head_lines))) == head_lines
    again.end_head()
    assert again.number == number - 1
    found, rest = given(again), lines_given[number - 1 :]
    if can_seek:
        assert found == rest
    assert [line for line in found if line[1] is None] == [line for line in rest if line[1] is None]
    assert again.number == len(lines_given)


def test_a_long_line_and_long_ways_back(tmp_path: Path) -> None:
    """A line in many pieces takes no more than its length."""
    text = "x" * 3_000_000 + "\n" + "y\n" * (3 * MOST_AGAIN)
    (tmp_path / "long").write_text(text)
    with io.FileIO(tmp_path / "long") as stream:
        lines = FileLines(stream)
        assert len(next(lines)) == 3_000_001
        assert sum(1 for _ in lines) == 3 * MOST_AGAIN
        assert lines.bytes_read == len(text)
        assert lines.place(lines.number - MOST_AGAIN + 1).offset == len(text) - 2 * MOST_AGAIN


def test_pipes_give_what_they_have() -> None:
    """A line is there as soon as it is written."""
    reading, writing = os.pipe()
    with io.FileIO(reading) as stream, io.FileIO(writing, "w") as other:
        lines = FileLines(stream)
        other.write(b"one\ntwo\nthr")
        assert [next(lines), next(lines)] == ["one\n", "two\n"]
        assert lines.bytes_read is None
        assert lines.place(2) == LinePosition(2, None, "two\nthr")


def test_a_pipe_that_does_not_wait_is_waited_for() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with io.FileIO(reading) as stream, io.FileIO(writing, "w") as other:
        later = threading.Timer(0.1, lambda: other.write(b"one\n"))
        later.start()
        assert next(FileLines(stream)) == "one\n"
        later.join()


@pytest.mark.parametrize("texts", [[], ["a\n", "b"]])
def test_texts_are_numbered(texts: list[str]) -> None:
    lines = numbered(texts)
    assert [(lines.number, text) for text in lines] == list(enumerate(texts, start=1))
    assert numbered(lines) is lines
