"""A proposal of `check --input` is tried on the whole input before it is printed."""

from collections.abc import Callable
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
    assert "% t.csv: proposed by the first 10 of 40 rows, tried on all\n" in found.text
    assert "% these declarations read 40 records: 40 gave facts\n" in found.text
    found = proposed(tmp_path / "t.csv", table("t,room,n", *rows, "40,a1,1.5"))
    assert not found.is_whole
    assert "% these declarations read 41 records: 40 gave facts, 1 rejected\n" in found.text
    assert f"% {tmp_path / 't.csv'}:42: " in found.text
    assert "1.5" in found.text
    lines = table(*(f'{{"t":{n},"room":"a"}}' for n in range(40)))
    found = proposed(tmp_path / "t.jsonl", lines)
    assert "% t.jsonl: proposed by the first 10 of 40 rows, tried on all\n" in found.text


def test_rows_that_come_late_behind_the_first_ones_are_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(input_check, "MOST_SURVEYED", 10)
    rows = [f"{n},a,{n}" for n in [*range(30), 5, 30]]
    found = proposed(tmp_path / "t.csv", table("t,room,n", *rows))
    assert not found.is_whole
    assert "32 records: 31 gave facts, 1 late" in found.text
    assert "% rows are late, by 24 ticks at most: to wait for them, add #lateness 24.\n" in found.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (table("name,x", "a,1.5", "b,2.5"), "no column has times that are known"),
        (table("ts,x", *["2026-01-01T00:00:00Z,1"] * 3), "ts: all rows share one time"),
        (table("ts,x", "100000000,1", "100000060,2"), "ts: some times are before 1990 or after 2100"),
        (table("ts,x", "01.02.70 10:00,1", "01.02.70 10:01,2"), "ts: some times are before 1990"),
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
    assert "% ts: some times are before 1990 or after 2100\n" in found.text


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
        ("a.bin", b"\x7fELF\0\1", "this is a program, not text: it contains no records", 1),
        ("a.txt", b"just a text\nof words\n", "no line is a JSON record", 1),
        ("a.csv", b"", "the table is empty", 1),
        ("a.csv.gz", b"\x1f\x8bno", "the compressed file is damaged", 1),
        ("a.parquet", b"PAR1", "a.parquet", 1),
        ("a.csv?formatt=csv", b"", "there is no setting 'formatt'", 2),
        ("a.csv?format=x", b"", "'x' is no format", 2),
        ("b.csv", b"", "b.csv: cannot read this file: No such file", 2),
    ],
)
def test_a_file_without_records_is_a_result_and_a_missing_one_an_error(
    tmp_path: Path, name: str, content: bytes, said: str, status: int
) -> None:
    if not name.startswith("b."):
        (tmp_path / name.partition("?")[0]).write_bytes(content)
    assert said in run(tmp_path, "check", "--input", name, status=status).stderr


def test_words_for_nothing_among_texts_are_named(tmp_path: Path) -> None:
    rows = [f"{n},{['a', 'NULL', 'b', chr(92) + 'N'][n % 4]},{n if n % 5 else '-'}" for n in range(20)]
    found = proposed(tmp_path / "t.csv", table("t,mode,x", *rows))
    assert (
        "% mode: NULL, \\N seems to say that nothing is there, and is a text as others are: "
        "--missing NULL --missing '\\N' (of run and check) makes empty cells of such cells in all columns\n"
    ) in found.text
    assert "cells - seem to mean missing values: `or missing` reads" in found.text
    (tmp_path / "p.lars").write_text("#input reading(mode, number(x)) at t.\n")
    words = [part for word in ("NULL", "\\N", "-") for part in ("--missing", word)]
    done = run(tmp_path, "check", "p.lars", "--input", "t.csv", *words)
    assert "20 records: 8 gave facts, 2 passed over (no #input fits), 10 without a fact" in done.stdout


def test_comments_amid_a_table_are_passed_over(tmp_path: Path) -> None:
    rows = [f"{n},a{n % 2},{n}" for n in range(20)]
    found = proposed(
        tmp_path / "t.csv", table("t,room,n", *rows[:9], "# moved", "#  twice, today", *rows[9:])
    )
    assert found.is_whole
    assert "% these declarations read 22 records: 20 gave facts, 2 passed over" in found.text
    assert "t.csv:11: the line is a comment\n" in found.text
    found = proposed(tmp_path / "t.csv", table("t,room,n", *rows, "#9,a1"))
    assert not found.is_whole
    assert "the row has 2 cells, but the header has 3" in found.text


@pytest.mark.parametrize(
    ("name", "clock", "said"),
    [
        (
            "time",
            lambda n: str(100 * n + 15),
            '% time: 115 and 915 seem to be hours and minutes: write four digits, as in 0115; at "day"',
        ),
        (
            "slot",
            lambda n: f"{n:02}:00-{n + 1:02}:00",
            "% slot: spans such as 00:00-01:00 are no times: write begin and end into columns of their own",
        ),
        ("n", lambda n: str(100 * n + 15), ""),
        ("time", str, ""),
    ],
)
def test_days_beside_times_that_are_not_read_are_no_success(
    tmp_path: Path, name: str, clock: Callable[[int], str], said: str
) -> None:
    rows = [f"2026-01-{10 + n // 12},r{n % 3},{clock(n % 12)}" for n in range(36)]
    found = proposed(tmp_path / "t.csv", table(f"day,room,{name}", *rows))
    assert found.is_whole == (not said)
    assert said in found.text
