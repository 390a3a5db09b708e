"""Tables that are read live: however lines come, they are those of a file."""

import csv
import io
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp.runtime.connectors.feed import Lines
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, Record, Rejected
from lars2asp.runtime.sources.tables.table import MOST_LINES
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.records import in_short


def reading_of(*declarations: str, **more: Any) -> Reading:
    """How tables are read."""
    declared = [*map(parse_input_declaration, declarations)]
    return Reading(**({"format": Format.CSV, "declarations": declared} | more))


READING = reading_of("p(text(a), b) at t")


def live(
    pieces: Iterable[bytes], reading: Reading = READING, *, is_one_text: bool = False, most: int = 2**24
) -> tuple[list[Record], list[Rejected]]:
    """The records of bytes that come in pieces, and the rejected ones.

    After each line the state goes to another reader, as JSON.
    """
    rejected: list[Rejected] = []
    found: list[Record] = []
    lines = Lines("t.csv", most, reading.dialect.encoding)
    state = "{}"
    came = [line for piece in pieces for line in lines.add(piece)]
    for line in (*came, *lines.end(), None):
        reader = LiveReader(reading, rejected.append, is_one_text=is_one_text)
        reader.restore(json.loads(state))
        found += reader.finish() if line is None else reader.records(line)
        state = json.dumps(reader.state())
    return found, rejected


def from_file(path: Path, reading: Reading = READING) -> tuple[list[Record], list[Rejected]]:
    """The same of a file."""
    rejected: list[Rejected] = []
    with FileInput(str(path), reading, rejected.append) as source:
        return list(source.records()), rejected


def short(found: tuple[list[Record], list[Rejected]], name: str = "t.csv") -> tuple[list[str], list[str]]:
    """Records and rejected ones as texts."""
    records, rejected = found
    places = [f"{record.origin.line}: {record.origin.text}" for record in records if record.origin]
    return [*in_short(records), *places], [
        f"{one.origin.line}: {one.reason} {one.origin.text}".replace(name, "t.csv") for one in rejected
    ]


CELLS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0\ufeff", exclude_categories=["Cs"]), max_size=5
) | st.sampled_from(["", "1", "1.5", 'a"b', '"', "a\nb", "a\r\nb", "Küche", ",", ";", "07"])


@settings(max_examples=75, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_random_tables_are_read_as_from_a_file(tmp_path: Path, data: st.DataObject) -> None:
    """Also broken ones: quotes that are not closed, rows of other widths, bytes that are no text."""
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    delimiter = data.draw(st.sampled_from([",", ";", "\t", "|"]))
    width = data.draw(st.integers(3, 4))
    rows = data.draw(st.lists(st.lists(CELLS, min_size=width - 1, max_size=width - 1), max_size=6))
    text = io.StringIO()
    written = csv.writer(text, delimiter=delimiter, lineterminator=end)
    written.writerow([*"tabc"][:width])
    for tick, row in enumerate(rows):
        written.writerow([tick, *row])
        if data.draw(st.integers(0, 5)) == 0:
            text.write(
                data.draw(st.sampled_from(['7;"x', '8,a"b,c', '9,"a"b,c', '"', "1,2", '5,"\n"",",3']) | CELLS)
            )
            text.write(end)
    whole = text.getvalue()
    if end == "\n" or "\r" in whole.replace("\r\n", ""):
        whole = whole.replace("\r", "")  # alone it ends lines of files, but no live ones
    encoded = whole.encode() + data.draw(st.sampled_from([b"", b"8,\xff,2\n"]))
    path = tmp_path / "readings.csv"
    path.write_bytes(encoded)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(encoded)), max_size=8)))
    pieces = [encoded[begin:stop] for begin, stop in zip([0, *cuts], [*cuts, len(encoded)], strict=True)]
    reading = reading_of("p(text(a), b) at t", "q(text(b)) at t", delimiter=delimiter, encoding="utf-8")
    assert short(live(pieces, reading)) == short(from_file(path, reading), str(path))


def test_the_header_may_stand_behind_other_lines(caplog: pytest.LogCaptureFixture) -> None:
    lines = [b"Export vom 1.2.2026\n", b"\n", b"t|b|a\n", b"1|2|x\n"]
    assert short(live(lines))[0] == ['1: p("x",2)', "4: 1|2|x"]
    assert caplog.messages == ["t.csv: read with delimiter '|', the header is line 3"]


def test_the_form_is_found_out_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    """So is the encoding, with the first line that has more than ASCII."""
    text = "'t';a;b\n1;'x;\ny';2\n3;Küche;4\n5;'ä';6\n"
    found, rejected = live([text.encode("cp1252")])
    assert (in_short(found), rejected) == (['1: p("x;\\ny",2)', '3: p("Küche",4)', '5: p("ä",6)'], [])
    assert {record.message for record in caplog.records} == {
        "t.csv: read with delimiter ';', cells in ' quotes",
        "t.csv: read with encoding cp1252",
    }
    mark = text.encode("utf-16")
    assert in_short(live([mark[:3], mark[3:]])[0]) == in_short(found)


def test_without_a_header_columns_have_numbers(caplog: pytest.LogCaptureFixture) -> None:
    found, rejected = live(
        [b"7;k;24,1\n", b"8;m;2\n"], reading_of('p(column2, number(column3, ",")*10) at column1')
    )
    assert (in_short(found), rejected) == (['7: p("k",241)', '8: p("m",20)'], [])
    assert "no header: the columns are column1 to column3" in caplog.text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"t;a;c\n1;2;3\n", "no column 'b' for #input p; the columns are 't', 'a', 'c'"),
        (
            b"t,a,b,a\n",
            "more than one column 'a' for #input p; the columns are 't', 'a', 'b', 'a': write "
            "column(2) or column(4)",
        ),
        (b"1,2,3\n", "no column 'a' for #input p; the columns are '1', '2', '3'"),
        (b"#\nt\n", "no column 'a' for #input p; the columns are 't'"),
        (b"#\n#\n", "no header line with the columns a, b, t"),
        (b"#\n" * 40, "no column 'a' for #input p; the columns are '#'"),
    ],
)
def test_a_header_that_does_not_fit_refuses_a_file_and_the_rows_of_others(text: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(f't.csv: {reason}')}$"):
        live([text], is_one_text=True)
    found, rejected = live([text])
    assert (found, {one.reason for one in rejected}) == ([], {reason})
    assert rejected[0].origin.line == (1 if b"#" not in text else rejected[0].origin.line)


def test_a_source_that_begins_again_may_have_a_header_or_not() -> None:
    """So may each message of a topic; a row goes on in no other message."""
    rejected: list[Rejected] = []
    reader = LiveReader(READING, rejected.append)
    lines = Lines("home/k")
    messages = [
        b"t,a,b\n1,x,2",
        b"2,y,3\n",
        b'3,"z',
        b'",4',
        b"b;a;t\n5;v;4\n",
        b"6;w;5",
        b"",
        b"u,t,b",
        b"1,2,3",
    ]
    found = [record for data in messages for line in lines.message(data) for record in reader.records(line)]
    assert in_short(found) == ['1: p("x",2)', '2: p("y",3)', '4: p("v",5)', '5: p("w",6)']
    assert [f"{one.origin}: {one.reason}" for one in rejected] == [
        "home/k:4: broken row: unexpected end of data",
        "home/k:5: broken row: unexpected end of data",
        "home/k:9: the row has 1 cell, but the header has 3",
        "home/k:10: the row has 1 cell, but the header has 3",
    ]
    again = Lines("home/k")
    assert in_short(record for line in again.message(b"7;x;8") for record in reader.records(line)) == [
        '8: p("x",7)'
    ]


def test_what_is_known_of_a_connection_is_forgotten_with_it() -> None:
    rejected: list[Rejected] = []
    reader = LiveReader(READING, rejected.append)
    one, other = Lines("tcp:1"), Lines("tcp:2")
    given = [*one.add(b"t,a,b\n1,x,2\n"), *other.add(b"a;b;t\ny;3;2\n"), *one.add(b'4,"open\n'), *one.over]
    found = [record for line in given for record in reader.records(line)]
    assert in_short(found) == ['1: p("x",2)', '2: p("y",3)']
    assert reader.state().keys() == {"tcp:2"}
    assert [one.reason for one in rejected] == ["broken row: unexpected end of data"]
    assert not reader.records(Line("tcp:1", 1, "5,x,2"))
    assert rejected[1].reason == "no column 'a' for #input p; the columns are '5', 'x', '2'"


def test_quotes_that_are_never_closed_take_time_in_proportion(tmp_path: Path) -> None:
    """Each row ends after so many lines, or bytes, as in a file."""
    path = tmp_path / "t.csv"
    text = b't,a,b\n1,"x\n' + b'"",""y\n' * (MOST_LINES + 100) + b'2,"z",3\n'
    path.write_bytes(text)
    rejected: list[Rejected] = []
    reader = LiveReader(READING, rejected.append)
    found = [record for line in Lines(str(path)).message(text) for record in reader.records(line)]
    assert (found, rejected) == from_file(path)
    small = reading_of("p(text(a), b) at t", largest_record=60)
    path.write_bytes(text := b't,a,b\n1,"' + b"x\n" * 50 + b'4,"y",5\n')
    rejected = []
    reader = LiveReader(small, rejected.append)
    found = [record for line in Lines(str(path), 60).message(text) for record in reader.records(line)]
    assert (found, rejected) == from_file(path, small)
    assert rejected[0].reason == (
        "broken row: it is longer than 60 bytes: close its quotes, or raise --largest-record"
    )


def test_a_line_that_is_too_long_is_rejected_alone() -> None:
    reading = reading_of("p(text(a), b) at t", largest_record=20)
    text = b"t,a,b\n1,x,2\n" + b"y" * 30 + b"\n3,z,4\n"
    found, rejected = live([text], reading, most=20)
    assert in_short(found) == ['1: p("x",2)', '3: p("z",4)']
    assert [one.reason for one in rejected] == [
        "the record is too long: 30 bytes; to read it, add --largest-record 30"
    ]


def test_what_is_not_read_live_is_refused_at_once() -> None:
    with pytest.raises(
        InputError, match="the program does not declare how the rows of a live table become facts: add"
    ):
        LiveReader(Reading(Format.CSV), print)
    for form in (Format.PARQUET, Format.CHANGES):
        with pytest.raises(InputError, match=f"files in the format {form} cannot be followed"):
            LiveReader(reading_of("p(x)", format=form), print)
