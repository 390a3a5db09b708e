"""Logs of Zeek and W3C, and tables by blanks: read alike from files and live, and taken up in the middle."""

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, Record, Rejected
from lars2asp.runtime.sources.tables.table_form import BLANKS, delimiter_of
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.records import in_short

ZEEK = (
    "#separator \\x09\n#set_separator\t,\n#unset_field\t-\n#path\tconn\n"
    "#fields\tts\tid.orig_h\tagent\tbytes\n#types\ttime\taddr\tstring\tcount\n"
)
W3C = "#Software: Internet Information Services 10.0\n#Version: 1.0\n#Date: 2026-02-01 14:05:06\n"
HIT = 'hit(text("c-ip"), "sc-status") at date + time "%Y-%m-%d %H:%M:%S"'
BEGIN = 1_769_954_707
"""2026-02-01T14:05:07Z."""


SECONDS = Timeline(1_000_000, zone=ZoneInfo("UTC"))


def reading_of(declared: str, **more: Any) -> Reading:
    return Reading(format=Format.CSV, declarations=[parse_input_declaration(declared)], **more)


def from_file(path: Path, reading: Reading) -> tuple[list[str], list[str]]:
    """The records of a file, also if the run ends behind each of them and another one goes on."""
    rejected: list[Rejected] = []
    with FileInput(str(path), reading, rejected.append, is_quiet=True) as source:
        whole = [*source.records()]
    state, found = None, list[Record]()
    while True:
        with FileInput(str(path), reading, lambda _: None, is_quiet=True) as source:
            if state is not None:
                source.restore(json.loads(state))
            record = next(source.records(), None)
            if record is None:
                break
            found.append(record)
            state = json.dumps(source.state())
    assert in_short(found) == in_short(whole)
    return in_short(whole), [one.reason for one in rejected]


def live(text: str, reading: Reading, *, is_one_text: bool) -> tuple[list[str], list[str]]:
    """The records of lines that come one by one; after each of them the state goes to another reader."""
    rejected, found, state = list[Rejected](), list[Record](), "{}"
    for number, line in enumerate([*text.splitlines(), None], start=1):
        reader = LiveReader(reading, rejected.append, is_one_text=is_one_text)
        reader.restore(json.loads(state))
        found += reader.finish() if line is None else reader.records(Line("a.log", number, line))
        state = json.dumps(reader.state())
    return in_short(found), [one.reason for one in rejected]


def read(tmp_path: Path, text: str, declared: str, **more: Any) -> tuple[list[str], list[str]]:
    reading, path = reading_of(declared, **more), tmp_path / "a.log"
    path.write_text(text)
    found = from_file(path, reading)
    for is_one_text in (False, True):
        assert live(text, reading, is_one_text=is_one_text) == found
    return found


def test_zeek(tmp_path: Path) -> None:
    """Comments may stand anywhere, a rotated file begins again, and quotes are characters."""
    rows = '3.5\t10.1.0.1\t"x\t7\n4\t10.1.0.2\t-\t8\n', "5\t-\ty\t-\n6\t10.1.0.3\t(empty)\t9\n"
    text = ZEEK + rows[0] + "#close\t2026-02-01\n" + ZEEK + rows[1]
    assert read(tmp_path, text, 'p(text(id.orig_h), agent) at ts "%s"', timeline=SECONDS) == (
        ['3: p("10.1.0.1","\\"x")', "4: ", "5: ", '6: p("10.1.0.3","(empty)")'],
        [],
    )
    numbers = read(tmp_path, text, 'p(int(bytes)) at ts "%s"', timeline=SECONDS)
    assert numbers == (["3: p(7)", "4: p(8)", "5: ", "6: p(9)"], [])


@pytest.mark.parametrize("sign", [" ", "\t"])
def test_w3c(tmp_path: Path, sign: str) -> None:
    """A later line names other columns; dates that are anew do nothing."""
    rows = [
        "#Fields: date time c-ip cs-uri-query sc-status",
        "2026-02-01 14:05:07 192.0.2.1 - 200".replace(" ", sign),
        "2026-02-01 14:05:08 192.0.2.2 a=#b 404".replace(" ", sign),
        "#Date: 2026-02-01 14:05:09",
        "#Fields: date time sc-status c-ip",
        "2026-02-01 14:05:09 500 192.0.2.3".replace(" ", sign),
        "2026-02-01 14:05:10 - 192.0.2.4".replace(" ", sign),
        "2026-02-01 14:05:11 500 192.0.2.5 7".replace(" ", sign),
        "#Fields: time date sc-status c-ip x",
        "14:05:12 2026-02-01 503 192.0.2.6 -".replace(" ", sign),
    ]
    text = W3C + "".join(f"{row}\n" for row in rows)

    found, told = read(tmp_path, text, HIT, timeline=SECONDS)
    assert found == [
        f'{BEGIN}: hit("192.0.2.1",200)',
        f'{BEGIN + 1}: hit("192.0.2.2",404)',
        f'{BEGIN + 2}: hit("192.0.2.3",500)',
        f"{BEGIN + 3}: ",
        f'{BEGIN + 5}: hit("192.0.2.6",503)',
    ]
    assert told == ["the row has 5 cells, but the header has 4"]


def test_tables_by_blanks(tmp_path: Path) -> None:
    """A run of blanks is one delimiter, also at the beginning and the end of a row, but not in quotes."""
    text = '  ts   room \t temp  \n   3  hall   7\n4\tattic 8  \n\n5 "a  b"   9\n6 x\n  7    cellar 1\n'
    found = read(tmp_path, text, "p(room, temp) at ts", delimiter=delimiter_of("blank"))
    assert found == (
        ['3: p("hall",7)', '4: p("attic",8)', '5: p("a  b",9)', '7: p("cellar",1)'],
        ["the row has 2 cells, but the header has 3"],
    )
    assert delimiter_of("blank") == BLANKS
