"""Lines know where they stand, and reading goes on from there."""

import io
import os
import threading
from collections import deque
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.sources.numbered import MOST_AGAIN, FileLines, Place, numbered


class Pieces(io.RawIOBase):
    """Bytes that can be read once, in pieces as they come."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = list(pieces)

    def read(self, size: int = -1) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""


TEXT = st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r", b"\r\n", b"\xc3\xa4", b"\xff", b""]), max_size=14)


def as_text(data: bytes) -> list[str]:
    """The lines as Python opens a text."""
    return list(io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", "surrogateescape", newline=""))


@given(TEXT)
def test_lines_are_those_of_the_text_however_it_comes(pieces: list[bytes]) -> None:
    full = [piece for piece in pieces if piece]
    lines = FileLines(Pieces(full))
    found = [(lines.number, line) for line in lines]
    assert found == list(enumerate(as_text(b"".join(full)), start=1))


@given(TEXT, st.integers(0, 3), st.integers(0, 14), st.integers(0, 5), st.booleans())
def test_reading_goes_on_from_a_place(
    pieces: list[bytes], head: int, read: int, back: int, can_seek: bool
) -> None:
    """After the lines of the head, wherever the place is."""
    data = b"".join(pieces)
    expected = as_text(data)
    stream = io.BytesIO(data) if can_seek else Pieces([piece for piece in pieces if piece])
    lines = FileLines(stream)  # type: ignore[arg-type]
    head_lines = list(islice(lines, head))
    lines.end_head()
    deque(islice(lines, read))
    number = max(lines.number + 1 - back, len(head_lines) + 1)
    place = lines.place(number)
    again = FileLines(stream)  # type: ignore[arg-type]
    again.begin(Place(place.line, place.offset, place.rest, place.head))
    assert list(islice(again, len(head_lines))) == head_lines
    again.end_head()
    assert again.number == number - 1
    assert list(again) == expected[number - 1 :]
    assert again.number == len(expected)


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
        assert lines.place(2) == Place(2, None, "two\nthr")


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
