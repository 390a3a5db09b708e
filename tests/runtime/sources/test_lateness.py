"""What is said of records that come too late names what would have taken them."""

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from lars2asp import InputError, Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.runs.wall_time import WallTimeRun
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from tests.runtime.runs.test_wall_time import SECOND, Script

PROGRAM = "#tick 1 sec. a(X) :- p(X)."
GAP = "--largest-gap"


def rejections(folder: Path, capsys: pytest.CaptureFixture[str], lines: str, *more: str) -> list[str]:
    """What is said of lines of plain facts."""
    (folder / "program.lars").write_text(PROGRAM)
    (folder / "input.facts").write_text(lines)
    arguments = [
        str(folder / "program.lars"),
        "--input",
        str(folder / "input.facts"),
        "--input-format",
        "facts",
    ]
    main(["run", *arguments, *more])
    return [line for line in capsys.readouterr().err.splitlines() if "error: " in line]


def at(seconds: float, year: int = 2026) -> str:
    return (datetime(year, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).isoformat()


@pytest.mark.parametrize("before", [1, 2, 5])
@pytest.mark.parametrize("step", [1, 30])
@pytest.mark.parametrize("more", [(), ("--lateness", "5 sec")])
def test_one_record_from_the_future(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], before: int, step: int, more: tuple[str, ...]
) -> None:
    """It is the one to be rejected, whatever number of records comes behind it."""
    times = [
        *(at(step * n) for n in range(before)),
        at(0, 2036),
        *(at(step * (before + n)) for n in range(4)),
    ]
    lines = "".join(f"{time}: p({number})\n" for number, time in enumerate(times))
    [said] = rejections(tmp_path, capsys, lines, *more)
    assert f"input.facts:{before + 1}: " in said
    assert "its clock is ahead" in said
    assert GAP in said


def test_a_record_from_the_future_that_no_declaration_fits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its time counts, and its line is named."""
    (tmp_path / "p.lars").write_text("#input p(x) at t. a(X) :- p(X).")
    lines = [f'{{"t": {tick}, "x": 1}}\n' for tick in range(9)]
    (tmp_path / "in.jsonl").write_text("".join([*lines[:6], '{"t": 90000, "y": 1}\n', *lines[6:]]))
    main(["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "in.jsonl")])
    assert f"; tick 90000 ({tmp_path}/in.jsonl:7) is" in capsys.readouterr().err


def test_in_python_the_option_is_that_of_the_reasoner(tmp_path: Path) -> None:
    (tmp_path / "input.facts").write_text(f"{at(0)}: p\n{at(1)}: p\n{at(0, 2036)}: p\n{at(2)}: p\n")
    reasoner = Reasoner.from_text(PROGRAM)
    reading = Reading(Format.FACTS, Timeline(SECOND))
    with pytest.raises(InputError, match=r"its clock is ahead.*in Python largest_gap"):
        list(reasoner.run(tmp_path / "input.facts", reading=reading, emit=None, on_reject="stop"))


def test_a_gap_that_others_follow_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A night without records, and one straggler."""
    night = [*range(10), *range(30_000, 30_010), 8, 30_011]
    lines = "".join(f"{tick}: p({tick})\n" for tick in night)
    [said] = rejections(tmp_path, capsys, lines)
    assert "--lateness" in said
    assert GAP not in said


def test_the_hour_that_comes_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Local times are read as time went; a lateness is proposed where they have offsets."""
    night, zone = "2026-10-25", ("--timezone", "Europe/Vienna")
    clock = ["01:30:00", "02:10:00", "02:50:00", "02:05:00", "02:40:00", "03:10:00"]
    lines = "".join(f"{night} {time}: p({number})\n" for number, time in enumerate(clock))
    assert rejections(tmp_path, capsys, lines, *zone) == []
    [said] = rejections(tmp_path, capsys, lines + "2026-10-25 02:50:00: p(9)\n", *zone)
    assert "local times occur twice" in said or "time goes backwards" in said
    offsets = lines.replace(": p(", "+02:00: p(")
    assert all("--lateness" in one for one in rejections(tmp_path, capsys, offsets, *zone))
    later = lines.replace("2026-10-25", "2026-10-26")
    assert all("--lateness" in one for one in rejections(tmp_path, capsys, later, *zone))


def test_a_cell_that_is_run_again(tmp_path: Path) -> None:
    """The reasoner is that of the first time."""
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    stream = [(tick, [f"p({tick})"]) for tick in range(5)]
    assert len(list(reasoner.run(stream, emit="every"))) == 5
    with pytest.raises(
        InputError, match=r"an earlier stream took this reasoner to tick 4: make a new Reasoner"
    ):
        list(reasoner.run(stream, emit="every", on_reject="stop"))
    (tmp_path / "input.facts").write_text("3: p(1)\n7: p(1)\n6: p(1)\n")
    rejected: list[Rejected] = []
    reading = Reading(Format.FACTS)
    for lateness in (0, 1):
        list(
            reasoner.run(
                tmp_path / "input.facts",
                reading=reading,
                on_reject=rejected.append,
                lateness=lateness,
                emit="every",
            )
        )
    assert ["new Reasoner" in one.reason for one in rejected] == [True, False, True, True, True]
    assert "lateness=1" in rejected[1].reason


# --- by the clock -----------------------------------------------------------------------------------


def by_clock(
    lines: list[tuple[float, str]], *, lateness: int | None = None, begins: float = 0.0, kind: str = "facts"
) -> tuple[list[tuple[float, int, tuple[str, ...]]], list[str]]:
    """What is written when, and what is rejected."""
    script = Script(lines, 60.0 + begins, int(begins * SECOND))
    rejected: list[Rejected] = []
    written: list[tuple[float, int, tuple[str, ...]]] = []
    WallTimeRun(
        Reasoner.from_text(PROGRAM).session,
        None,
        lambda answer: written.append((script.now / SECOND, answer.tick, answer.holds.texts)),
        rejected.append,
        reading=Reading(Format(kind), Timeline(SECOND)),
        reader_of=partial(LiveReader, on_reject=rejected.append),
        clock=script,
        lateness=lateness,
    ).over(script, None)
    return written, [one.reason for one in rejected]


def test_records_that_are_stamped_now_are_waited_for() -> None:
    """A tick, unless a lateness is given."""
    lines = [(100.5, "100: p(1)"), (102.2, "102: p(2)"), (103.9, "103: p(3)")]
    written, rejected = by_clock([*lines], begins=100.1)
    assert written == [
        (101, 100, ("a(1)",)),
        (102, 101, ()),
        (103, 102, ("a(2)",)),
        (104, 103, ("a(3)",)),
        (105, 104, ()),
    ]
    assert not rejected
    assert len(by_clock([*lines], begins=100.1, lateness=0)[1]) == 3


def test_records_without_times_are_not() -> None:
    """They count for the next tick that begins, when it begins; one with a time makes the others wait."""
    lines = [(100.5, "p(1)"), (102.2, "p(2)")]
    written, rejected = by_clock([*lines], begins=100.1)
    assert written == [(101, 101, ("a(1)",)), (102, 102, ()), (103, 103, ("a(2)",)), (104, 104, ())]
    assert not rejected
    mixed = [*lines, (105.5, "106: p(3)"), (107.5, "107: p(4)"), (107.6, "p(5)")]
    written, rejected = by_clock(mixed, begins=100.1)
    assert [tick for _, tick, atoms in written if atoms] == [101, 103, 106, 107, 108]
    assert not rejected


def test_an_old_file_by_the_clock() -> None:
    """Records from before the run began; a lateness takes those that are late by little."""
    written, rejected = by_clock([(10_000.5, "100: p(1)"), (10_000.6, "101: p(2)")], begins=10_000.1)
    assert not written
    assert all(
        "was already over when the run began; use the times of the records: --clock data" in one
        for one in rejected
    )
    assert len(rejected) == 2
    _, rejected = by_clock([(10_000.5, "9997: p(1)"), (10_020.5, "10018: p(1)")], begins=10_000.1)
    assert ["--lateness '4 sec'" in one for one in rejected] == [True, True]
    assert not any("--clock" in one for one in rejected)
