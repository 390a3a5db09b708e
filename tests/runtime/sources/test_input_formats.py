"""The format of each input, by its name and its content."""

import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lars2asp.runtime.reasoning import state_shape
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, PassedOver, Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import run

FAILED = 'failed(text(u)) from "failed {u} from"'
DOOR = "door(text(d)) at ts"
TEXT = "1970-01-01T00:00:17Z sshd: failed ann from 192.0.2.7"
JSON = '{"ts": 18, "d": "hall"}'
ZEEK = "#separator \\x09\n#fields\tts\td\n19\tattic\n"
W3C = "#Version: 1.0\n#Fields: ts d\n19 attic\n"

PROGRAM = f"#input {FAILED}.\n#input {DOOR}.\nf(U) :- failed(U).\nd(D) :- door(D).\n"


def reading(*declarations: str) -> Reading:
    return Reading(
        timeline=Timeline(1_000_000), declarations=[parse_input_declaration(one) for one in declarations]
    )


MIXED = reading(FAILED, DOOR)


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.log", TEXT, Format.LOG),
        ("a", TEXT, Format.LOG),
        ("a.facts", TEXT, Format.FACTS),
        ("a.log", JSON, Format.JSONL),
        ("a.txt", f"\n\n{JSON}", Format.JSONL),
        ("a.log", "\n".join([TEXT] * 9 + [JSON]), Format.JSONL),
        ("a.log", "\n".join([TEXT] * 10 + [JSON]), Format.LOG),
        ("a.log", '{\n "ts": 18,\n "d": "hall"\n}', Format.JSONL),
        ("a.log", "[\n" + JSON + "\n]", Format.JSONL),
        ("a.log", f"[{JSON},{JSON}]", Format.JSONL),
        ("a.log", "[17] failed ann from", Format.LOG),
        ("a.log", "{ a text", Format.LOG),
        ("a.log", ZEEK, Format.CSV),
        ("a.log", W3C, Format.CSV),
        ("a.log", "d,more,ts\nhall,1,18", Format.CSV),
        ("a", "ts;d\n18;hall", Format.CSV),
        ("a.log", "# written by hand\n\nts;d\n18;hall", Format.CSV),
        ("a.log", "room,time\nhall,18\nhall,19", Format.LOG),  # no declaration has this header
        ("a.csv", TEXT, Format.CSV),
        ("a.json", TEXT, Format.JSONL),
        ("a.csv.gz", TEXT, Format.CSV),
        ("a.log", "", Format.LOG),
    ],
)
def test_the_format_follows_the_name_then_the_content(name: str, content: str, form: Format) -> None:
    assert MIXED.format_of(name, content.encode()) is form
    assert replace(MIXED, format=Format.DSR).format_of(name, content.encode()) is Format.DSR


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_the_content_is_known_behind_a_byte_order_mark(encoding: str) -> None:
    assert MIXED.format_of("a.log", JSON.encode(encoding)) is Format.JSONL
    assert MIXED.format_of("a.log", "ts,d\n18,hall".encode(encoding)) is Format.CSV


@pytest.mark.parametrize(
    ("content", "form"),
    [
        ("room,time\nhall,18\nhall,19", Format.CSV),
        (TEXT, Format.JSONL),
        (ZEEK, Format.CSV),
        ("3: p(a)", Format.JSONL),
    ],
)
def test_without_patterns_the_format_is_as_before(content: str, form: Format) -> None:
    assert reading(DOOR).format_of("a.log", content.encode()) is form
    assert Reading().format_of("a.log", content.encode()) is form


def test_each_of_several_files_is_read_in_its_format_and_the_run_says_which(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(f"#tick 1 sec.\n{PROGRAM}")
    (tmp_path / "auth.log").write_text(f"{TEXT}\n")
    (tmp_path / "door.log").write_text(f"{JSON}\n")
    (tmp_path / "conn.log").write_text(ZEEK)
    names = [part for name in ("auth", "door", "conn") for part in ("--input", f"{name}.log")]
    done = run(tmp_path, "run", "p.lars", "--changes", *names)
    assert [line.split('"began": ')[1].split(",")[0] for line in done.stdout.splitlines()] == [
        '["f(\\"ann\\")"]',
        '["d(\\"hall\\")"]',
        '["d(\\"attic\\")"]',
    ]
    assert "auth.log: read as lines of text\n" in done.stderr
    assert "door.log: read as JSON lines\n" in done.stderr
    assert "conn.log: read as a table, with delimiter tab" in done.stderr


@pytest.mark.parametrize(
    ("content", "fact"),
    [(f"{TEXT}\n", "ann"), (f"{JSON}\n", "hall"), (ZEEK, "attic"), ("ts,d\n19,attic\n", "attic")],
)
def test_standard_input_is_read_by_its_content(tmp_path: Path, content: str, fact: str) -> None:
    (tmp_path / "p.lars").write_text(f"#tick 1 sec.\n{PROGRAM}")
    assert fact in run(tmp_path, "run", "p.lars", "--changes", stdin=content).stdout


def test_a_checkpoint_keeps_the_format_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.log"
    file.write_text(f"{TEXT}\n{TEXT}\n")
    with FileInput(str(file), MIXED, no_reject) as begun:
        records = begun.records()
        next(records)
        state = begun.state()
    assert state["format"] == "log"
    file.write_text(f"{' ' * len(TEXT)}\n{JSON}\n")  # its beginning says something else now
    rejected: list[Rejected] = []
    with FileInput(str(file), MIXED, rejected.append) as again:
        again.restore(state)
        assert [*again.records()] == []
    assert [type(one) for one in rejected] == [PassedOver]


def no_reject(rejected: Rejected) -> None:
    raise AssertionError(str(rejected))


class Live:
    """Reads lines of live sources."""

    def __init__(self, how: Reading = MIXED) -> None:
        self.rejected: list[Rejected] = []
        self.reader = LiveReader(how, self.rejected.append)

    def facts(self, source: str, *texts: str, first: int = 1, end: str = "\n") -> list[str]:
        """The facts in the lines of a source, of a message if the last line has no end."""
        ends = ["\n"] * (len(texts) - 1) + [end]
        found: list[Record] = []
        for number, (text, line_end) in enumerate(zip(texts, ends, strict=True), start=first):
            found += self.reader.records(Line(source, number, text, end=line_end))
        return facts_of(found)


def facts_of(records: Sequence[Record]) -> list[str]:
    return [str(row[0]).strip('"') for one in records for atoms in one.events.facts for row in atoms.rows]


def test_each_connection_has_a_format_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    live = Live()
    with caplog.at_level(logging.WARNING):
        assert live.facts("tcp:1", TEXT) == ["ann"]
        assert live.facts("tcp:2", JSON) == ["hall"]
        assert live.facts("tcp:3", "ts,d", "19,attic") == ["attic"]
        assert live.facts("tcp:1", TEXT, first=2) == ["ann"]
        assert live.facts("tcp:2", JSON, first=2) == ["hall"]
        assert live.facts("tcp:3", "20,cellar", first=3) == ["cellar"]
    assert live.rejected == []
    assert [record.getMessage() for record in caplog.records] == [
        "tcp:1: read as lines of text",
        "tcp:2: read as JSON lines",
        "tcp:3: read as a table",
    ]


def test_each_message_has_a_format_of_its_own() -> None:
    live = Live()
    assert live.facts("topic", TEXT, end="") == ["ann"]
    assert live.facts("topic", JSON, first=2, end="") == ["hall"]
    assert live.facts("topic", TEXT, first=3, end="") == ["ann"]
    assert live.facts("topic", "ts,d", "19,attic", first=4, end="") == ["attic"]
    assert live.facts("topic", "20,cellar", first=6, end="") == ["cellar"]  # rows go on behind their header
    assert live.facts("topic", JSON, first=7, end="") == ["hall"]
    assert live.rejected == []


def test_json_behind_lines_that_are_none_is_not_lost() -> None:
    live = Live()
    assert live.facts("http:1", '{"ts": 18, "d": "ha', JSON, JSON) == ["hall", "hall"]
    assert [type(one) for one in live.rejected] == [PassedOver]


def test_lines_with_a_sharp_wait_until_the_columns_are_named() -> None:
    live = Live()
    assert live.facts("tcp:1", "# a comment", TEXT) == ["ann"]
    assert [one.origin.line for one in live.rejected] == [1]
    assert live.facts("tcp:2", "# a comment", "ts,d", "19,attic") == ["attic"]
    assert live.facts("tcp:3", "# a comment") == []
    assert [one.origin.line for one in live.rejected] == [1]
    live.reader.finish()
    assert [one.origin.source for one in live.rejected] == ["tcp:1", "tcp:3"]


def test_a_checkpoint_keeps_the_formats_of_live_sources() -> None:
    live = Live()
    for source, *texts in (("text", TEXT), ("json", JSON), ("table", "ts,d"), ("open", "# a comment")):
        live.facts(source, *texts)
    again = Live()
    again.reader.restore(live.reader.state())
    again.facts("open", "19,attic", first=2)
    assert again.facts("text", TEXT, first=2) == ["ann"]
    assert again.facts("json", JSON, first=2) == ["hall"]
    assert again.facts("table", "19,attic", first=2) == ["attic"]
    assert [one.origin.line for one in again.rejected] == [1, 2]


def test_a_state_of_an_earlier_version_goes_on() -> None:
    live = Live()
    live.reader.restore({})
    assert live.facts("http:1", JSON, first=7) == ["hall"]
    assert live.facts("http:2", TEXT, first=7) == ["ann"]


def test_without_declarations_lines_are_not_looked_at() -> None:
    live = Live(Reading())
    assert live.reader.state() == {}
    assert live.facts("tcp:1", '{"time": 3, "facts": ["p(1)"]}') == ["1"]


def test_a_state_with_formats_and_open_rows_is_taken_over() -> None:
    """What a checkpoint has of the readers of live sources fits together."""
    live = Live()
    live.facts("table", "ts,d", '19,"at')
    live.facts("open", "# a comment")
    state = json.loads(json.dumps(live.reader.state()))
    shape = state_shape._RUN["readers"]
    assert shape([[state, 0, {}]])
    assert not shape([[{**state, "formats": {}}, 0, {}]])
