"""Bytes become lines, however they are cut."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.runtime.connectors.feed import Lines
from lars2asp.runtime.sources.records import LARGEST_RECORD, TRUNCATED_SIZE, Line
from lars2asp.runtime.sources.text.text_files import is_utf8


def lines_of(*pieces: bytes) -> list[Line]:
    """The lines of one source that comes in pieces."""
    lines = Lines("source")
    return [*chain.from_iterable(map(lines.add, pieces)), *lines.end()]


def test_lines_are_counted_and_have_their_ends_apart() -> None:
    found = lines_of(b"one\ntwo\r\n\nfour")
    assert found == [
        Line("source", 1, "one"),
        Line("source", 2, "two", end="\r\n"),
        Line("source", 3, ""),
        Line("source", 4, "four", end=""),
    ]


def test_no_row_goes_on_behind_a_message() -> None:
    lines = Lines("source")
    assert lines.over == []
    assert [*lines.message(b"one\r\ntwo\n")] == [
        Line("source", 1, "one", end="\r\n"),
        Line("source", 2, "two", end=""),
    ]
    assert [*lines.message(b"")] == []
    assert [*lines.message(b"three")] == [Line("source", 3, "three", end="")]
    assert lines.over == [Line("source", 3, "", end=None)]


@given(st.text(max_size=9), st.sampled_from(["utf-16", "utf-16-le", "cp1252", "utf-32"]), st.integers(1, 5))
def test_other_encodings_are_told_or_have_a_mark(text: str, encoding: str, size: int) -> None:
    """However the bytes are cut; messages begin anew."""
    data = f"begin {text}".encode(encoding, errors="replace")
    expected = lines_of(data.decode(encoding).encode())
    known = None if encoding in ("utf-16", "utf-32") else encoding
    lines = Lines("source", encoding=known)
    pieces = (data[begin : begin + size] for begin in range(0, len(data), size))
    assert [*chain.from_iterable(map(lines.add, pieces)), *lines.end()] == expected
    again = [line.text for line in Lines("source", encoding=encoding).message(data)]
    assert again == [line.text for line in expected]
    lines = Lines("source", encoding=encoding)
    assert [line.text for line in chain(lines.message(data), lines.message(data))] == again + again


def test_what_is_no_text_of_its_encoding_makes_its_line_alone_bad() -> None:
    lines = Lines("source", encoding="cp1252")
    found = [*lines.add("gut für\n".encode("cp1252") + b"b\x81d\nlast\n")]
    assert [is_utf8(line.text) for line in found] == [True, False, True]


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\ufeff")), min_size=1), st.data()
)
def test_where_pieces_are_cut_makes_no_difference(given_lines: list[str], data: st.DataObject) -> None:
    whole = "".join(f"{line}\r\n" for line in given_lines).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    pieces = [whole[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert [line.text for line in lines_of(*pieces)] == given_lines


def test_bytes_that_are_no_utf8_make_their_line_alone_bad() -> None:
    good, bad, last = lines_of("gut für ☀\n".encode(), b"b\xe4d\n", b"last")
    assert (good.text, last.text) == ("gut für ☀", "last")
    assert not is_utf8(bad.text)
    assert bad.text.encode(errors="surrogateescape") == b"b\xe4d"


def test_a_byte_order_mark_is_passed_over() -> None:
    assert [line.text for line in lines_of(b"\xef\xbb\xbfone\n\xef\xbb\xbftwo\n")] == ["one", "\ufefftwo"]


MOST = 5000


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_the_longest_line_is_whole(end: bytes) -> None:
    whole = b"x" * MOST + end
    for size in (1, 2999, 2**20):
        lines = Lines("source", MOST)
        pieces = (whole[i : i + size] for i in range(0, len(whole), size))
        found = [*chain.from_iterable(map(lines.add, pieces)), *lines.end()]
        assert found == [Line("source", 1, "x" * MOST, end=end.decode())]


@pytest.mark.parametrize("size", [1, 1000, 2**20])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("line", [b"x" * (MOST + 1), b" " * (3 * MOST), b"\xe2\x98\x80" * MOST])
def test_of_a_line_that_is_too_long_the_beginning_and_the_length_are_given(
    line: bytes, end: bytes, size: int
) -> None:
    whole = b"first" + end + line + end + b"next" + end
    lines = Lines("source", MOST)
    pieces = (whole[i : i + size] for i in range(0, len(whole), size))
    found = list(chain.from_iterable(map(lines.add, pieces)))
    beginning = line[:TRUNCATED_SIZE].decode(errors="ignore")
    assert found == [
        Line("source", 1, "first", end=end.decode()),
        Line("source", 2, beginning, len(line)),
        Line("source", 3, "next", end=end.decode()),
    ]


def test_of_a_line_without_end_no_more_is_held_than_may_be() -> None:
    lines = Lines("source", MOST)
    for _ in range(100):
        assert not list(lines.add(b"x" * MOST))
        assert lines.held <= MOST
    assert list(lines.end()) == [Line("source", 1, "x" * TRUNCATED_SIZE, 100 * MOST, "")]
    assert not list(lines.end())
    assert [line.text for line in lines.add(b"next\n")] == ["next"]


def test_a_usual_line_is_no_longer_than_a_record() -> None:
    assert lines_of(b"x" * (LARGEST_RECORD + 1))[0].length == LARGEST_RECORD + 1
