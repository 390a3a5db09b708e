"""A proposal of `check --input` is tried on the whole input before it is printed."""

from pathlib import Path

import pytest

from lars2asp.runtime.command_line import input_check
from lars2asp.runtime.sources.reading import Reading
from tests.support.command_line import run


def proposed(path: Path, text: str) -> input_check.Proposal:
    """What is proposed for a file with this text."""
    path.write_text(text, encoding="utf-8")
    return input_check.proposals([str(path)], Reading())


def table(*rows: str) -> str:
    return "".join(f"{row}\n" for row in rows)


def test_counts_of_the_whole_input_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_check, "MOST_SURVEYED", 10)
    rows = [f"{n},a{n % 3},{n}" for n in range(40)]
    found = proposed(tmp_path / "t.csv", table("t,room,n", *rows))
    assert found.is_whole
    assert "% t.csv: the first 10 of 40 rows say what is proposed, which was tried on all\n" in found.text
    assert "% these declarations read 40 records: 40 gave facts\n" in found.text
    found = proposed(tmp_path / "t.csv", table("t,room,n", *rows, "40,a1,1.5"))
    assert not found.is_whole
    assert "% these declarations read 41 records: 40 gave facts, 1 rejected\n" in found.text
    assert f"% {tmp_path / 't.csv'}:42: " in found.text
    assert "1.5" in found.text
    lines = table(*(f'{{"t":{n},"room":"a"}}' for n in range(40)))
    found = proposed(tmp_path / "t.jsonl", lines)
    assert "% t.jsonl: the first 10 of 40 rows say what is proposed, which was tried on all\n" in found.text


def test_rows_that_come_late_behind_the_first_ones_are_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(input_check, "MOST_SURVEYED", 10)
    rows = [f"{n},a,{n}" for n in [*range(30), 5, 30]]
    found = proposed(tmp_path / "t.csv", table("t,room,n", *rows))
    assert not found.is_whole
    assert "32 records: 31 gave facts, 1 late" in found.text
    assert "% rows come behind later ones, by 24 ticks at most: #lateness 24. waits for them\n" in found.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (table("name,x", "a,1.5", "b,2.5"), "no column has times that are known"),
        (table("ts,x", *["2026-01-01T00:00:00Z,1"] * 3), "ts: all rows have the same time"),
        (table("ts,x", "100000000,1", "100000060,2"), "ts: some times lie before 1990 or after 2100"),
        (table("ts,x", "01.02.70 10:00,1", "01.02.70 10:01,2"), "ts: some times lie before 1990"),
    ],
)
def test_times_that_are_most_likely_wrong_are_no_success(tmp_path: Path, text: str, said: str) -> None:
    found = proposed(tmp_path / "t.csv", text)
    assert not found.is_whole
    assert said in found.text
    printed = run(tmp_path, "check", "--input", "t.csv", status=1).stdout
    assert printed == found.text.replace(f"{tmp_path}/", "")


def test_one_time_of_one_or_two_rows_and_old_timestamps_are_no_doubt(tmp_path: Path) -> None:
    assert proposed(tmp_path / "t.csv", table("ts,x", "2026-01-01T00:00:00Z,1")).is_whole
    old = table("ts,x", "1875-01-01T00:00:00Z,1", "1875-01-02T00:00:00Z,1")
    found = proposed(tmp_path / "t.csv", old)
    assert found.is_whole
    assert "% ts: some times lie before 1990 or after 2100\n" in found.text


def test_rows_that_lose_their_other_columns_are_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(input_check, "MOST_SURVEYED", 10)
    rows = [f"{n},a,{n if n < 20 else ''}" for n in range(30)]
    found = proposed(tmp_path / "t.csv", table("t,room,n", *rows))
    assert not found.is_whole
    assert "30 records: 20 gave facts, 10 without a fact" in found.text
    monkeypatch.undo()
    assert proposed(tmp_path / "t.csv", table("t,room,n", *rows)).is_whole
    assert proposed(
        tmp_path / "t.csv", table("t,n", *(f"{n},{'' if n % 3 else n}" for n in range(9)))
    ).is_whole
    assert proposed(
        tmp_path / "t.csv", table("t,n", *(f"{n},{'NA' if n % 3 else n}" for n in range(9)))
    ).is_whole


def test_a_declaration_that_takes_some_rows_names_the_empty_column(tmp_path: Path) -> None:
    rows = [f"{n},d{n % 3},{'' if n % 4 == 0 else 'w'},{n}" for n in range(244)]
    (tmp_path / "t.csv").write_text(table("t,device,worker,x", *rows))
    (tmp_path / "p.lars").write_text("#input reading(device, worker, x) at t. #input seen(device) at t.")
    said = run(tmp_path, "check", "p.lars", "--input", "t.csv", status=0).stdout
    assert "reading/3 takes 183 of 244 records; 61 have no worker\n" in said
    assert "seen/1 takes" not in said


@pytest.mark.parametrize(
    ("name", "content", "said", "status"),
    [
        ("a.bin", b"\x7fELF\0\1", "it is a program, and no text: it has no records", 1),
        ("a.txt", b"just a text\nof words\n", "no line is a JSON record", 1),
        ("a.csv", b"", "the table is empty", 1),
        ("a.csv.gz", b"\x1f\x8bno", "the packed file is damaged", 1),
        ("a.parquet", b"PAR1", "a.parquet", 1),
        ("a.csv?formatt=csv", b"", "'formatt' is not a setting of an input", 2),
        ("a.csv?format=x", b"", "'x' is no format", 2),
        ("b.csv", b"", "b.csv: cannot be read: No such file", 2),
    ],
)
def test_a_file_without_records_is_a_result_and_a_missing_one_an_error(
    tmp_path: Path, name: str, content: bytes, said: str, status: int
) -> None:
    if not name.startswith("b."):
        (tmp_path / name.partition("?")[0]).write_bytes(content)
    assert said in run(tmp_path, "check", "--input", name, status=status).stderr
