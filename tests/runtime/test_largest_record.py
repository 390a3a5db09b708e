"""Records that are too long are rejected and never held; those that are taken cost a few times their size."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from lars2asp.__main__ import main
from lars2asp.externals.terms.terms import CONSTANTS
from lars2asp.runtime.connectors.clock import MachineClock
from lars2asp.runtime.connectors.inbox import LineInbox
from lars2asp.runtime.connectors.text_feed import TextFeed
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.runs.follow import feed_at
from lars2asp.runtime.runs.processes.feed_process import FeedProcess
from lars2asp.runtime.sources.facts.atoms import LONGEST_KEPT, parse_list, to_atom
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import TRUNCATED_SIZE, Line, Rejected
from lars2asp.runtime.sources.tables.table import MOST_LINES
from lars2asp.runtime.sources.text.text_files import open_bytes
from lars2asp.syntax.parser import parse, parse_input_declaration
from lars2asp.syntax.source import Source
from tests.support.command_line import run as run_command
from tests.support.records import in_short

MIB = 2**20
SIZE = 2**17


def peak(action: Callable[[], object]) -> int:
    """How many bytes of Python's memory an action takes at most."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# --- long texts -----------------------------------------------------------------------------------

LONG_ATOMS = [
    'p("' + "x" * SIZE + '")',
    'p("' + r"\n" * (SIZE // 2) + '")',
    'p("' + r"\"" * (SIZE // 2) + '", 1)',
    "p(" + "1," * (SIZE // 2) + "1)",
    "p(" + "a, " * (SIZE // 3) + "a)",
    "p(" + "a" * SIZE + ")",
]


@pytest.mark.parametrize("text", LONG_ATOMS, ids=lambda text: text[:8])
def test_a_long_atom_takes_some_of_its_size(text: str) -> None:
    assert peak(lambda: to_atom(text)) < 10 * len(text)


@pytest.mark.parametrize("text", ["p(" + "- " * (SIZE // 2) + "1)", 'p("' + "x" * SIZE, "p(" + "(" * SIZE])
def test_what_is_no_atom_takes_no_more(text: str) -> None:
    def read() -> None:
        with pytest.raises(InputError):
            to_atom(text)

    assert peak(read) < 8 * len(text)


@pytest.mark.parametrize(
    "text",
    [
        *(f"{text}." for text in LONG_ATOMS[:3]),
        'a("' + "x" * SIZE + '") :- b.',
        "%* " + "x" * SIZE + " *% a.",
        ":~ a. [1, " + '"' + "x" * SIZE + '"]',
    ],
    ids=lambda text: text[:8],
)
def test_long_strings_and_comments_of_programs_take_no_more(text: str) -> None:
    source = Source("program", text)
    parse(Source("program", 'a("x") :- b.'))  # so that the grammar is read before
    assert peak(lambda: parse(source)) < 20 * len(text)


def test_long_atoms_are_not_kept() -> None:
    texts = [f'p("{"x" * 100_000}{number}")' for number in range(30)]

    def kept(read: Callable[[str], object]) -> int:
        read('p("first")')
        tracemalloc.start()
        for text in texts:
            read(f"{text} ")
        size = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        return size

    assert kept(to_atom) < 200_000
    assert kept(parse_list) < 200_000
    assert to_atom("p(" + "a" * LONGEST_KEPT + ")").row == (CONSTANTS["a" * LONGEST_KEPT],)


# --- records of files -----------------------------------------------------------------------------

LIMIT = 40
LONG = "x" * 5000


def read(
    path: Path, kind: Format | None = None, table: str = "p(a, text(b))", limit: int = LIMIT
) -> tuple[list[str], list[tuple[int, str, str]]]:
    """The atoms of a file, and line, reason and text of what is rejected."""
    rejected: list[Rejected] = []
    reading = Reading(kind, declarations=[parse_input_declaration(table)], largest_record=limit)
    records = read_file(path, reading, rejected.append)
    atoms = in_short(records)
    return atoms, [(found.origin.line, found.reason, found.origin.text) for found in rejected]


def too_long(length: int) -> str:
    return f"the record is too long: {length} bytes; to read it, add --largest-record {length}"


def test_the_largest_record_is_taken_and_a_longer_one_is_not(tmp_path: Path) -> None:
    """JSON lines; what counts are bytes without line end."""
    path = tmp_path / "s.jsonl"
    taken = '{"time": 1, "facts": ["p(\\"\u2600xxxx\\")"]}'
    assert len(taken.encode()) == LIMIT
    longer = '{"time": 2, "facts": ["p(\\"\u2600xxxxx\\")"]}'
    path.write_bytes(f"{taken}\r\n{longer}\n{LONG}\n{taken}".encode())
    atoms, rejected = read(path)
    assert atoms == ['1: p("\u2600xxxx")'] * 2
    assert rejected == [
        (2, too_long(LIMIT + 1), longer),
        (3, too_long(len(LONG)), LONG[:TRUNCATED_SIZE]),
    ]


def test_plain_facts(tmp_path: Path) -> None:
    """Comments may be as long as they like, blank lines not: who knows what stands behind the beginning."""
    path = tmp_path / "s.facts"
    path.write_text(f"1: p(1)\n%{LONG}\n2: p({LONG})\n{' ' * 5000}\n3: p(3)\n")
    atoms, rejected = read(path, Format.FACTS)
    assert atoms == ["1: p(1)", "3: p(3)"]
    assert [(line, reason) for line, reason, _ in rejected] == [(3, too_long(5006)), (4, too_long(5000))]


def test_all_files_of_a_folder(tmp_path: Path) -> None:
    for name in ("1.jsonl", "2.jsonl"):
        (tmp_path / name).write_text(f'{LONG}\n{{"time": 1, "facts": ["p"]}}\n')
    atoms, rejected = read(tmp_path)
    assert atoms == ["1: p"] * 2
    assert [(line, reason) for line, reason, _ in rejected] == [(1, too_long(5000))] * 2


def test_rows_of_a_table(tmp_path: Path) -> None:
    """In one line, in several, and in quotes that are not closed before a line that is too long."""
    path = tmp_path / "s.csv"
    more = "more\n" * 8
    path.write_text(
        f'time,a,b\n1,1,one\n2,2,{LONG}\n3,3,"three\nlines\nhere"\n4,4,"{more}"\n5,5,"open\n'
        f"6,6,six\n{LONG}\n7,7,seven\n"
    )
    atoms, rejected = read(path)
    assert atoms == [
        *('1: p(1,"one")', r'3: p(3,"three\nlines\nhere")', '6: p(6,"six")', '7: p(7,"seven")'),
    ]
    assert [found for found in rejected if found[0] in (3, 7, 16, 18)] == [
        (3, too_long(5004), f"2,2,{LONG}"[:TRUNCATED_SIZE]),
        (
            7,
            f"broken row: it is longer than {LIMIT} bytes: close its quotes, or raise --largest-record",
            '4,4,"more',
        ),
        (16, "broken row: one line of the row is too long", '5,5,"open'),
        (18, too_long(5000), LONG[:TRUNCATED_SIZE]),
    ]
    assert len(rejected) == 4 + len(["more"] * 7 + ['"'])


def test_a_header_that_is_too_long(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(f"time,a,{LONG}\n1,1,1\n")
    with pytest.raises(InputError, match=r"s.csv:1: error: the record is too long: 5007 bytes"):
        read(tmp_path / "s.csv")


def test_a_cell_may_be_as_long_as_a_record(tmp_path: Path) -> None:
    cell = "x" * 200_000
    (tmp_path / "s.csv").write_text(f"time,a,b\n1,1,{cell}\n")
    assert read(tmp_path / "s.csv", limit=MIB) == ([f'1: p(1,"{cell}")'], [])


def test_a_row_has_so_many_lines_at_most(tmp_path: Path) -> None:
    """Whatever they have."""
    (tmp_path / "s.csv").write_text('time,a,b\n1,1,"' + "\n" * MOST_LINES + '"\n2,2,two\n')
    atoms, rejected = read(tmp_path / "s.csv", limit=MIB)
    assert atoms == ['2: p(2,"two")']
    assert (
        rejected[0][1]
        == f"broken row: the row is longer than {MOST_LINES} lines: is a closing quote missing?"
    )


@pytest.mark.parametrize("kind", [Format.JSONL, Format.FACTS, Format.CSV])
def test_of_a_long_line_no_more_is_held_than_a_record_may_have(tmp_path: Path, kind: Format) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"time,a,b\n" + b"x" * (20 * MIB) + b"\n")
    assert peak(lambda: read(path, kind, limit=MIB)) < 4 * MIB


def test_a_long_record_that_is_taken_takes_some_of_its_size(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"time": 1, "facts": ["p(\\"' + "x" * (4 * MIB) + '\\")"]}\n')
    assert peak(lambda: list(read_file(path))) < 10 * 4 * MIB


# --- live sources ---------------------------------------------------------------------------------


def test_a_file_that_grows(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(f'{LONG}\n{{"time": 1, "facts": ["p"]}}\n')
    lines: list[Line] = []
    opened = TextFeed("s", lambda: open_bytes(str(path)), is_followed=False, largest_record=LIMIT)
    opened.run(lines.append, Event())
    assert lines[0] == Line("s", 1, LONG[:TRUNCATED_SIZE], 5000)
    rejected: list[Rejected] = []
    reader = LiveReader(Reading(largest_record=LIMIT), rejected.append)
    assert [len(reader.records(line)) for line in lines] == [0, 1]
    assert [(found.reason, found.origin.text) for found in rejected] == [
        (too_long(5000), LONG[:TRUNCATED_SIZE])
    ]


def test_lines_of_any_feed() -> None:
    """Also of those that do not look at their length."""
    rejected: list[Rejected] = []
    assert not LiveReader(Reading(largest_record=LIMIT), rejected.append).records(Line("mine", 7, LONG))
    assert [(str(found.origin), found.reason) for found in rejected] == [("mine:7", too_long(5000))]


def test_all_feeds_are_told_how_long_a_record_may_be() -> None:
    for address in ("-", "tcp:0", "mqtt://broker/topic"):
        feed = feed_at(address, is_followed=True, largest_record=77)
        assert vars(feed)["largest_record"] == 77


class Long:
    """A feed of long lines, which counts those that were taken from it."""

    name = "long"

    def __init__(self, count: int, size: int) -> None:
        self._count = count
        self._size = size
        self.emitted = 0

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines of digits."""
        for number in range(self._count):
            emit(Line(self.name, number + 1, str(number % 10) * self._size))
            self.emitted += 1


def test_bytes_hold_the_source_back_as_lines_do() -> None:
    """Two lines of 1000 bytes reach 2000, and one more is in the hands of the feed; nothing is lost."""
    feed = Long(50, 1000)
    with LineInbox(feed, MachineClock(), size_in_bytes=2000) as inbox:
        lines = inbox.lines()
        texts = []
        for line in lines:
            texts.append(line.text)
            assert len(inbox) <= 2
            assert feed.emitted <= len(texts) + 2
    assert texts == [str(number % 10) * 1000 for number in range(50)]


def test_lines_are_handed_over_by_bytes() -> None:
    """What was received and not taken yet is no more than so many bytes, and one line."""
    with FeedProcess(Long(100, 1000), MachineClock(), most_bytes=5000) as process:
        texts = []
        for line in process.lines():
            texts.append(line.text)
            assert process.waiting <= 5
    assert len(texts) == 100


# --- the command line -----------------------------------------------------------------------------


@pytest.mark.parametrize("more", [[], ["--follow", "--until", "9"]], ids=["file", "follow"])
def test_the_command_line(tmp_path: Path, more: list[str]) -> None:
    (tmp_path / "p.lars").write_text("a(X) :- p(X).\n")
    (tmp_path / "s.jsonl").write_text(f'{LONG}\n{{"time": 9, "facts": ["p(1)"]}}\n{{"time": 10}}\n')
    arguments = ["run", "p.lars", "--input", "s.jsonl", "--rejects", "r.jsonl", "--largest-record", "4 kB"]
    done = run_command(tmp_path, *arguments, *more, status=1)
    assert '"a(1)"' in done.stdout
    assert json.loads((tmp_path / "r.jsonl").read_text()) == {
        "source": "s.jsonl",
        "line": 1,
        "reason": too_long(5000),
        "record": LONG[:TRUNCATED_SIZE],
    }


@pytest.mark.parametrize(
    ("size", "length", "is_taken"),
    [
        *(("100", 100, True), ("100", 101, False), ("100B", 101, False), ("1kB", 1000, True)),
        *(("1 kB", 1001, False), ("1 KiB", 1024, True), ("1kib", 1025, False), ("1 MB", 100_000, True)),
        ("1 GiB", 100_000, True),
    ],
)
def test_sizes(tmp_path: Path, size: str, length: int, is_taken: bool) -> None:
    (tmp_path / "p.lars").write_text("a :- p.\n")
    line = '{"time": 1, "facts": ["p"]}'
    (tmp_path / "s.jsonl").write_text(line + " " * (length - len(line)) + "\n")

    arguments = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "s.jsonl"), "--output"]
    status = main([*arguments, str(tmp_path / "out"), "--largest-record", size])
    assert status == (0 if is_taken else 1)


@pytest.mark.parametrize("size", ["0", "-1", "x", "1.5 MiB", "16 MX", "9" * 30, ""])
def test_what_is_no_size(tmp_path: Path, size: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.lars").write_text("a.\n")
    assert main(["run", str(tmp_path / "p.lars"), "--largest-record", size]) == 2
    assert "is not a size such as 1000000 (bytes), '500 kB' or '16 MiB'" in " ".join(
        capsys.readouterr().err.split()
    )
