"""The command that measures the whole path of a fact."""

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from experiments.path import path, turns
from experiments.path.command_line import LOOP, OURS, PROGRAMS, facts, run
from experiments.path.group import Figures, Group, Line
from experiments.path.parts import PARTS, group_of
from experiments.path.turns import measured

TINY = 0.001
"""The part of the full sizes that tests measure."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_loop_writes_what_the_command_line_writes(name: str, tmp_path: Path) -> None:
    window, a_tick = 80, 20
    atoms = [f"p({x},{y})" for x, y in facts(name, a_tick * (window + 10))]
    source = tmp_path / "input.jsonl"
    with source.open("w") as file:
        for tick in range(window + 10):
            here = atoms[tick * a_tick : (tick + 1) * a_tick]
            file.write(json.dumps({"time": tick, "facts": here}) + "\n")
    written = []
    for way in (OURS, LOOP):
        target = tmp_path / f"{way}.jsonl"
        run(name, way, source, target)
        written.append([json.loads(line) for line in target.read_text().splitlines()])
    assert written[0] == written[1]
    assert written[0]
    if name == "join":
        began = sum(len(answer["began"]) for answer in written[0])
        assert math.isclose(began / len(atoms), 3, rel_tol=0.01)


@pytest.mark.parametrize("part", [part for part in PARTS if part != "engines"])
def test_each_part_makes_lines(part: str) -> None:
    for group in PARTS[part]():
        found = {name: measure(TINY) for name, measure in group.measures.items()}
        lines = group.lines(found)
        assert lines
        assert all(line.value > 0 for line in lines if "memory" not in line.what)


def test_rows_of_the_results_have_the_native_engines_beside() -> None:
    group = group_of("engines", "laser-diamond, n=20, 200 facts")
    assert [*group.measures] == ["auto", "laser", "laser2"]
    found: dict[str, Figures] = {"auto": {"us": 1.0}, "laser": {"us": 2.0}, "laser2": {}}
    assert group.lines(found) == [Line("laser-diamond, n=20, 200 facts", 1.0, "us a fact", 2.0, "laser 2")]
    assert group.measures["laser"](TINY)["us"] > 0


def test_measurements_take_turns_and_give_medians() -> None:
    order: list[str] = []

    def ran(part: str, group: str, measure: str, scale: float) -> Figures:
        order.append(measure)
        return {"us": float(len(order))}

    group = Group("g", dict.fromkeys("ab", lambda scale: {}), lambda found: [])
    found = measured("p", group, 3, 1.0, lambda text: None, ran)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert found == {"a": {"us": 4.0}, "b": {"us": 3.0}}


def test_a_measurement_has_a_process_of_its_own() -> None:
    assert turns.run_apart("single-ticks", "idle", "auto", TINY)["us"] > 0


def test_the_table_has_ratios() -> None:
    done = CliRunner().invoke(path.main, ["single-ticks", "--quick", "--only", "one fact"])
    assert done.exit_code == 0, done.output
    [line] = [line for line in done.stdout.splitlines() if "a tick of one fact" in line]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[0] == "single-ticks"
    assert cells[3] == "30"
    assert float(cells[4]) > 0


def test_a_part_that_is_none_is_refused() -> None:
    assert CliRunner().invoke(path.main, ["nowhere"]).exit_code == 2
