"""Results as files, tables and figures."""

from pathlib import Path

import pytest
from matplotlib.colors import to_rgba

from experiments.benchmark import Benchmark, EngineName, Expectation, Measurement, Per, Setting
from experiments.benchmarks.streams import fresh_pairs
from experiments.measuring.machine import Machine
from experiments.measuring.runner import EngineResult
from experiments.reporting import results
from experiments.reporting.figures import COLOURS, draw
from experiments.reporting.paper_table import paper_table
from experiments.reporting.report import markdown


def setting(name: str, x: float, window: int) -> Setting:
    return Setting(name, x, "q :- p in [2].", lambda: fresh_pairs(1), 1, 1, window)


def measurement(time: float) -> Measurement:
    low, high = round(time * 0.9, 2), round(time * 1.1, 2)
    return Measurement(time, low, high, time, time, 40.0, 3, 10, {"formula evaluations": 7.5})


LONG, SHORT = setting("n=20", 20, 20), setting("n=5", 5, 5)
ROWS = [
    EngineResult(SHORT, EngineName.AUTO, measurement(4.0), 10),
    EngineResult(SHORT, EngineName.LASER, measurement(2.0), 10),
    EngineResult(LONG, EngineName.AUTO, measurement(4.0), 10),
    EngineResult(LONG, EngineName.LASER, measurement(3.0), 10),
    EngineResult(LONG, EngineName.ONESHOT, measurement(40.0), 10),
    EngineResult(LONG, EngineName.LASER2, measurement(3.9), 10),
    EngineResult(LONG, EngineName.BY_HAND, measurement(0.5), 10),
    EngineResult(LONG, EngineName.TICKER, None, 0, "it has no such window, it says"),
]
BENCHMARK = Benchmark(
    name="laser-diamond",
    title="A title",
    source="a paper",
    x_label="n",
    engines=tuple({row.engine: None for row in ROWS}),
    settings=lambda _: [SHORT, LONG],
    per=Per.FACT,
    paper="It saw much.",
    why="",
    expected=[
        Expectation("laser is fast", lambda found: found["n=20", EngineName.LASER].time < 4),
        Expectation("laser is slow", lambda found: found["n=20", EngineName.LASER].time > 4),
        Expectation("ticker is slow", lambda found: found["n=20", EngineName.TICKER].time > 4),
    ],
    count="formula evaluations",
)


@pytest.fixture
def kept(tmp_path: Path) -> results.Results:
    results.write(tmp_path, BENCHMARK.name, results.of(ROWS, Machine.here()))
    found = results.read(tmp_path, BENCHMARK.name)
    assert found is not None
    return found


def test_what_is_read_is_what_was_written(kept: results.Results) -> None:
    assert [(row.setting, row.engine, row.measurement, row.checked, row.remark) for row in kept.rows] == [
        (row.setting.name, row.engine, row.measurement, row.checked, row.remark) for row in ROWS
    ]
    assert kept.machines == [Machine.here()]


def test_each_engine_has_a_colour_of_its_own() -> None:
    drawn = [to_rgba(COLOURS[engine]) for engine in EngineName]
    assert len(set(drawn)) == len(drawn)


def test_there_are_no_results_before_a_run(tmp_path: Path) -> None:
    assert results.read(tmp_path, "laser-diamond") is None


def test_the_report_says_where_auto_is_behind(kept: results.Results, tmp_path: Path) -> None:
    results.write_profiles(tmp_path, {(BENCHMARK.name, "n=20"): {"grounding": 3.0, "symbols": 1.0}})
    text = markdown(
        {BENCHMARK.name: BENCHMARK}, {BENCHMARK.name: kept}, results.read_profiles(tmp_path), tmp_path
    )
    assert "| laser-diamond | n=20 | 3 | 1 |" in text
    assert "- laser-diamond, n=20: `laser` takes 3 us, `auto` 4 us (1.3 times as long)" in text
    assert "laser-diamond, n=5: `laser`" not in text
    assert "laser-diamond, n=20: `laser2`" not in text  # no more than chance
    assert "by hand` takes 0.5 us" not in text
    assert "| laser-diamond | n=20 | fact | 20 | 4 | 40 (10) |" in text
    assert "It saw much." in text
    assert "- laser is fast: yes" in text
    assert "- laser is slow: **no**" in text
    assert "- ticker is slow: not measured" in text


def test_a_figure_is_the_same_for_the_same_results(kept: results.Results, tmp_path: Path) -> None:
    drawn = draw(BENCHMARK, kept, tmp_path).read_bytes()
    assert b"<svg" in drawn
    assert (tmp_path / "laser-diamond.png").exists()
    assert draw(BENCHMARK, kept, tmp_path).read_bytes() == drawn


def test_a_claim_that_does_not_hold_is_refuted(kept: results.Results) -> None:
    """With the reason, where one is known; what was not measured is not reproduced."""
    found = paper_table({"laser-diamond": kept})
    assert "| **not measured** | no file has it |" in found
    assert "| **not measured** | C-SPARQL and CQELS are systems in Java" in found
