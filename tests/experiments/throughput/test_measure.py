"""Latency at growing rates: what is waited for, and what comes of it."""

import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from experiments.measuring.machine import Machine
from experiments.throughput import measure
from experiments.throughput.driving import Pace, latencies
from experiments.throughput.events import lines, ticks_in
from experiments.throughput.latency import Latency, read, write
from experiments.throughput.measure import main, table_of
from experiments.throughput.systems import DifferentPairsError, StreamSystem, compare, environment, systems

ECHO = """
import sys
for line in sys.stdin:
    if '"payment":1000' in line:
        number = line.split('"payment":')[1].split(",")[0]
        print(f"match({number},{number})", flush=True)
"""


def test_all_systems_find_the_pairs_of_a_plain_loop(tmp_path: Path) -> None:
    found = systems(tmp_path, sys.executable)
    assert {"lars2asp", "Ticker's encoding"} <= {one.name for one in found}
    numbers = {compare(one, ticks=40, number=10) for one in found}
    assert len(numbers) == 1
    assert numbers.pop() > 100


def test_other_pairs_are_found() -> None:
    with pytest.raises(DifferentPairsError, match="echo differs in"):
        compare(StreamSystem("echo", [sys.executable, "-c", ECHO]), ticks=40)


def test_ticks_are_told_by_their_last_pair() -> None:
    assert b'{"time":8}' in lines(7, 4, Random(1)).splitlines()
    assert [*ticks_in(b'"match(1000000007,1000000007)","match(3,3)","match(1000000008,1000000009)"')] == [7]


def test_each_tick_that_counts_has_a_latency() -> None:
    pace = Pace(rate=100, tick=0.01, warming=2, ticks=5, patience=60.0)
    late = latencies([sys.executable, "-c", ECHO], pace, environment())
    assert len(late) == 5
    assert all(0 < one < float("inf") for one in late)


def test_ticks_without_an_answer_are_late_for_ever() -> None:
    some = ECHO.replace("print(", "if int(number) == 1000000004: break\n        print(")
    late = latencies([sys.executable, "-c", some], Pace(100, 0.01, 0, 5, patience=60.0), environment())
    assert [one == float("inf") for one in late] == [False] * 3 + [True] * 2


def test_what_never_answers_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="does not answer"):
        latencies([sys.executable, "-c", ""], Pace(100, 0.01, 0, 5), environment())


def test_what_a_system_sustains_is_the_last_rate_within_a_tick() -> None:
    highs = {100: 50, 200: 99, 400: 101}
    found = [Latency("a", 100, rate, 9, 1, high, 0) for rate, high in highs.items()]
    table = table_of([*found, Latency("b", 100, 100, 9, 300, 400, 2)])
    assert table.title == "a sustains 200 events a second; b sustains 0 events a second"
    assert len(table.rows) == 4


def test_what_is_written_is_read(tmp_path: Path) -> None:
    found = [
        Latency("a", 100.0, 500, 9, 1.25, 50.0, 0),
        Latency("a, too", 100.0, 1000, 9, 3.5, float("inf"), 2),
    ]
    write(tmp_path, found, Machine.here())
    assert [*read(tmp_path)] == found
    assert [*read(tmp_path / "nowhere")] == []


def test_the_command_writes_a_table_and_curves(tmp_path: Path) -> None:
    options = [
        "--begin",
        "100",
        "--most",
        "100",
        "--ticks",
        "6",
        "--only",
        "lars",
        "--results",
        str(tmp_path),
    ]
    done = CliRunner().invoke(main, options)
    assert done.exit_code == 0, done.output
    heading, *rows = (tmp_path / "throughput.csv").read_text().splitlines()
    assert heading.startswith('system,"tick, ms",events a second')
    assert [row.split(",")[:4] for row in rows] == [["lars2asp", "100", "100", "6"]]
    assert [(one.rate, one.ticks) for one in read(tmp_path)] == [(100, 6)]
    assert "events a second" in (tmp_path / "throughput.svg").read_text()
    assert "processor" in (tmp_path / "throughput.json").read_text()


def test_another_system_that_fails_does_not_end_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fake(system: StreamSystem, *_: object) -> list[Latency]:
        if system.name == "broken":
            raise DifferentPairsError("broken ended with 1")
        return [Latency(system.name, 100.0, 500, 9, 1.25, 50.0, 0)]

    named = [StreamSystem(name, []) for name in ("lars2asp", "broken", "other")]
    monkeypatch.setattr(measure, "systems", lambda *_: named)
    monkeypatch.setattr(measure, "at_growing_rates", fake)
    done = CliRunner().invoke(main, ["--results", str(tmp_path)])
    assert "other sustains 500 events a second" in done.output
    assert "Error: broken failed: broken ended with 1; nothing is kept" in done.output
    assert done.exit_code == 1
    assert not [*tmp_path.iterdir()]
