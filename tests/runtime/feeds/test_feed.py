"""Bytes become lines, however they are cut."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.feeds.feed import LONGEST_LINE, Line, Lines
from runtime.text_files import is_utf8


def lines_of(*pieces: bytes) -> list[Line]:
    """The lines of one source that comes in pieces."""
    lines = Lines("source")
    return [*chain.from_iterable(map(lines.add, pieces)), *lines.end()]


def test_lines_are_counted_and_bear_no_line_ends() -> None:
    found = lines_of(b"one\ntwo\r\n\nfour")
    assert found == [
        Line("source", 1, "one"),
        Line("source", 2, "two"),
        Line("source", 3, ""),
        Line("source", 4, "four"),
    ]


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


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_the_longest_line_is_whole(end: bytes) -> None:
    assert [line.text for line in lines_of(b"x" * LONGEST_LINE + end)] == ["x" * LONGEST_LINE]


@pytest.mark.parametrize("size", [1000, 2**16, 2**30])
@pytest.mark.parametrize("line", [b"x" * (LONGEST_LINE + 1), b" " * (3 * LONGEST_LINE)])
def test_a_line_that_is_too_long_is_cut_and_cannot_be_taken_for_a_record(line: bytes, size: int) -> None:
    whole = b"first\n" + line + b"\nnext\n"
    first, cut, following = lines_of(*(whole[i : i + size] for i in range(0, len(whole), size)))
    assert (first.text, following.text) == ("first", "next")
    assert len(cut.text) == LONGEST_LINE
    assert cut.text.strip()
    assert not is_utf8(cut.text)
    assert [first.number, cut.number, following.number] == [1, 2, 3]


def test_a_line_that_is_too_long_is_given_before_it_ends() -> None:
    """So that no more than one line is held."""
    lines = Lines("source")
    assert len(list(lines.add(b"x" * (LONGEST_LINE + 1)))) == 1
    assert not list(lines.add(b"x" * LONGEST_LINE))
    assert not list(lines.end())
    assert [line.text for line in lines.add(b"next\n")] == ["next"]
