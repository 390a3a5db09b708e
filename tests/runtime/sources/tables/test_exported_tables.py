"""Tables as programs export them: what `check --input` proposes reads every row that a person would."""

from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.command_line.input_check import proposal
from lars2asp.runtime.sources.files import FileInput, read_file
from lars2asp.runtime.sources.records import Rejected
from tests.support.command_line import run

TIMES = [f"2026-02-01T14:0{minute}:00Z" for minute in range(5, 9)]
TRAILING = "time;room;temp\n" + "".join(f"{time};k{n};2{n}.5;\n" for n, time in enumerate(TIMES))
WIDE = "# made by X, on, Monday\ntime,room,temp\n" + "".join(
    f"{t},k{n},2{n}.5\n" for n, t in enumerate(TIMES)
)
ZEEK = (
    "#separator \\x09\n#set_separator\t,\n#unset_field\t-\n#path\tconn\n#open\t2026-02-01-14-05-00\n"
    "#fields\tts\tid.orig_h\tproto\n#types\ttime\taddr\tenum\n"
    + "".join(f"176995470{n}.25\t10.0.0.{n}\ttcp\n" for n in range(4))
    + "#close\t2026-02-01-14-06-00\n"
)
COMMENTED = (
    "# time,room,temp\n" + "".join(f"{time},k{n},2{n}.5\n" for n, time in enumerate(TIMES)) + "# end\n"
)


def read(path: Path, program: str) -> tuple[int, list[str]]:
    """The number of records with facts, and why rows are rejected; half of them in a run that goes on."""
    reading = Reasoner.from_text(program).reading
    told = list[Rejected]()
    with FileInput(str(path), reading, told.append) as source:
        records = source.records()
        begun = [next(records), next(records)]
        state = source.state()
    with FileInput(str(path), reading, told.append) as source:
        source.restore(state)
        begun += source.records()
    return sum(bool(one.events.facts) for one in begun), [one.reason for one in told]


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        (TRAILING, "#input reading(room, temp) at time."),
        (WIDE, "#input reading(room, temp) at time."),
        (ZEEK, '#input reading(text(id.orig_h), proto) at ts "%s".'),
        (COMMENTED.replace("# end\n", ""), '#input reading(room, temp) at "# time".'),
    ],
)
def test_what_is_proposed_reads_all_rows(tmp_path: Path, text: str, declared: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    said = proposal(str(path))
    assert declared in said.splitlines()
    assert read(path, said) == (4, [])


def test_a_header_that_begins_as_a_comment_needs_no_sign(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(COMMENTED)
    assert read(path, "#tick 1 min. #decimals p(_,1). #input p(room, temp) at time.") == (4, [])


def test_a_separator_behind_some_rows_alone_is_another_cell(tmp_path: Path) -> None:
    """These are rejected, as any row with a cell too many."""
    path = tmp_path / "x.csv"
    path.write_text(TRAILING.replace("22.5;\n", "22.5\n"))
    reading = Reasoner.from_text("#tick 1 min. #decimals p(_,1). #input p(room, temp) at time.").reading
    told = list[Rejected]()
    assert len([*read_file(path, reading, told.append)]) == 1
    assert {one.reason for one in told} == {"the row has 4 cells, but the header has 3"}


def test_rows_of_units_are_lines_of_the_header_and_no_records(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("#input reading(temp) at ts. hot(T) :- reading(T).")
    (tmp_path / "u.csv").write_text("ts,temp\ns,°C\n1,20\nx,22\n")
    done = run(tmp_path, "run", "p.lars", "--input", "u.csv", status=1)
    assert "u.csv: 2 records: 1 gave facts, 1 rejected" in done.stderr
    assert "u.csv:4" in done.stderr


@pytest.mark.parametrize("row", [",%,0", "12:00,%,", ",%,2.5"])
def test_a_row_with_a_number_or_a_time_is_no_row_of_units(row: str, tmp_path: Path) -> None:
    """It is a record; without a time it is rejected."""
    path = tmp_path / "x.csv"
    path.write_text(f"ts,room,temp\n{row}\n2026-03-01T12:00:08Z,%,31\n")
    reading = Reasoner.from_text("#tick 1 sec. #input p(text(room), int(temp) or -7) at ts.").reading
    told = list[Rejected]()
    assert len([*read_file(path, reading, told.append)]) == 1
    assert len(told) == 1
    assert str(told[0]).startswith(f"{path}:2")
