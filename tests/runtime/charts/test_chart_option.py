"""`lars2asp run --chart`: a chart of what the run answered, however it ends or goes on."""

import json
import re
import signal
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from lars2asp.__main__ import main
from lars2asp.runtime.tuning import Tuning
from tests.support.command_line import run, run_watched
from tests.support.processes import LARS2ASP, started, wait_for

PROGRAM = "hot(R) :- temp(R,V) in [3], V > 80.  :- broken."
IN_PARTS = Tuning(work_between_states=80, memory_growth=0)


class Killed(BaseException):
    """Ends a run."""


def embedded(page: Path) -> Any:
    """What a page has as data."""
    [found] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.read_text())
    return json.loads(found)


def bars(found: Any) -> dict[str, list[int]]:
    """The begins and ends of the bars of each atom."""
    lanes = {}
    for atom, steps in zip(found["lanes"], found["bars"], strict=True):
        ticks = [int(found["begin"])]
        for step in steps:
            ticks.append(ticks[-1] + step)
        lanes[atom] = ticks[1:]
    return lanes


def temperatures(ticks: Iterable[int]) -> str:
    """Readings of three rooms, now and then too hot; the stream is broken now and then."""
    found = []
    for tick in ticks:
        facts = [f"temp({'abc'[tick % 3]},{95 if tick % 11 < 3 else 60})"]
        facts += ["broken"] if tick % 37 in (5, 6) else []
        found.append(json.dumps({"time": tick, "facts": facts}) + "\n")
    return "".join(found)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with program and input."""
    (tmp_path / "rooms.lars").write_text(PROGRAM)
    (tmp_path / "input.jsonl").write_text(temperatures(range(10, 310)))
    return tmp_path


def arguments(files: Path, *more: str) -> list[str]:
    given = [str(files / name) for name in ("rooms.lars", "input.jsonl", "out.jsonl", "chart.html")]
    return ["run", given[0], "--input", given[1], "--output", given[2], "--chart", given[3], *more]


@pytest.mark.parametrize("more", [(), ("--changes",), ("--emit", "1"), ("--emit", "7"), ("--until", "150")])
def test_the_bars_are_the_intervals_of_the_tables(files: Path, more: tuple[str, ...]) -> None:
    assert main(arguments(files, *more)) == 0
    more = tuple(one for one in more if one != "--changes")
    table = files / "hot.csv"
    given = ["run", str(files / "rooms.lars"), "--input", str(files / "input.jsonl"), "--output", str(table)]
    assert main([*given, "--intervals", *more]) == 0
    found = embedded(files / "chart.html")
    last = int(found["begin"]) + found["length"]
    expected: dict[str, list[int]] = {}
    for line in table.read_text().splitlines()[1:]:
        begin, end, room = line.split(",")
        expected.setdefault(f"hot({room})", []).extend((int(begin), int(end) if end else last))
    assert bars(found) == expected
    assert found["title"] == "rooms.lars"
    assert last == (151 if "--until" in more else 310)
    assert found["gaps"]


def test_several_inputs_have_marks(files: Path) -> None:
    (files / "more.jsonl").write_text('{"time": 12, "facts": ["temp(d,90)", "temp(e,91)"]}\n')
    assert main(arguments(files, "--input", str(files / "more.jsonl"))) == 0
    found = embedded(files / "chart.html")
    [temp] = [one for one in found["inputs"] if one[0] == "temp/2"]
    assert temp[1][:4] == [0, 1, 1, 1] and temp[2][:4] == [1, 1, 3, 1]
    assert "hot(d)" in found["lanes"]


def test_a_run_that_is_handed_over_has_one_chart(files: Path) -> None:
    assert main(arguments(files)) == 0
    whole = embedded(files / "chart.html")
    assert main(arguments(files, "--evaluator", "oneshot"), IN_PARTS) == 0
    assert embedded(files / "chart.html") == whole


def test_after_an_interruption_the_chart_begins_at_the_checkpoint(files: Path) -> None:
    assert main(arguments(files)) == 0
    whole = bars(embedded(files / "chart.html"))

    def end(number: int) -> None:
        if number == 204:
            raise Killed

    kept = ["--checkpoint", str(files / "kept"), "--checkpoint-every", "40"]
    with pytest.raises(Killed):
        run_watched(arguments(files, *kept)[1:], end)
    before = embedded(files / "chart.html")
    assert before["length"] >= 190
    assert main(arguments(files, *kept)) == 0
    found = embedded(files / "chart.html")
    begin = int(found["begin"])
    assert begin > 100
    clipped = {
        atom: [
            tick
            for start, stop in zip(ticks[::2], ticks[1::2], strict=True)
            if stop > begin
            for tick in (max(start, begin), stop)
        ]
        for atom, ticks in whole.items()
    }
    assert bars(found) == clipped
    earlier = {found["lanes"][number] for number in found["earlier"]}
    assert earlier == {
        atom
        for atom, ticks in whole.items()
        if any(a <= begin < b for a, b in zip(ticks[::2], ticks[1::2], strict=True))
    }


def test_a_run_goes_on_with_a_chart_only_if_it_had_one(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ["--checkpoint", str(files / "kept")]
    assert main([*arguments(files)[:-2], *kept]) == 0
    capsys.readouterr()
    assert main(arguments(files, *kept)) == 2
    refusal = capsys.readouterr().err
    assert "--chart was not given, is given" in refusal and "to start over" in refusal


def test_a_followed_run_that_is_interrupted_writes_its_chart(files: Path) -> None:
    with started([*LARS2ASP, *arguments(files, "--follow", "--emit", "every")], cwd=files) as process:
        wait_for(
            lambda: (files / "out.jsonl").exists() and b'"time": 300' in (files / "out.jsonl").read_bytes()
        )
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    assert embedded(files / "chart.html")["length"] >= 290


def test_what_cannot_be_written_is_said_before_the_run(files: Path) -> None:
    done = run(files, *arguments(files)[:-1], "chart.pdf", status=2)
    assert "chart.pdf: a chart is written as .html (a page), .svg or .png" in done.stderr
    done = run(files, *arguments(files)[:-1], "missing/chart.png", status=2)
    assert "missing/chart.png: cannot write this file: No such file" in done.stderr
    done = run(files, *arguments(files)[:-1], "input.html", "--output", "input.html", status=2)
    assert "is already another file of this run: choose a new name" in done.stderr
    assert not (files / "out.jsonl").exists()
