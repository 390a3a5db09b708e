"""The example over the state of a machine finds the situations that a recording has."""

import json
from pathlib import Path

from lars2asp.__main__ import main

PROGRAM = Path(__file__).parents[3] / "examples" / "host.lars"
QUIET = {
    **{"cpu(0,{})": 5, "cpu(1,{})": 5, "load({})": 50, "memory({})": 40, 'disk("/",{})': 70},
    **{'sent("eth0",{})': 3, 'received("eth0",{})': 2, "process({})": 100},
}


def situations(recording: dict[int, dict[str, int]], last: int, folder: Path) -> dict[str, list[int]]:
    """The ticks of each situation; the recording tells what is not quiet."""
    stream, answers = folder / "host.jsonl", folder / "answers.jsonl"
    with stream.open("w") as file:
        for tick in range(last + 1):
            sample = QUIET | recording.get(tick, {})
            facts = [fact.format(value) for fact, value in sample.items() if value >= 0]
            file.write(json.dumps({"time": tick, "facts": facts}) + "\n")
    run = ["run", str(PROGRAM), "--input", str(stream), "--output", str(answers), "--emit", "every"]
    assert main(run) == 0
    found: dict[str, list[int]] = {}
    for line in answers.read_text().splitlines():
        answer = json.loads(line)
        for atom in answer["atoms"]:
            found.setdefault(atom, []).append(answer["time"])
    return found


def test_the_program_has_no_mistakes() -> None:
    assert main(["check", str(PROGRAM)]) == 0


def test_a_quiet_machine(tmp_path: Path) -> None:
    assert situations({}, 60, tmp_path) == {}


def test_a_core_that_is_busy_for_ten_seconds(tmp_path: Path) -> None:
    """One sample of the eleven may be missing: that of tick 22, and later that of the current tick."""
    work = {tick: {"cpu(1,{})": 100} for tick in range(20, 35) if tick != 22}
    assert situations(work, 60, tmp_path) == {"busy(1)": [30, 31, 32, 33, 34, 35]}


def test_all_cores(tmp_path: Path) -> None:
    work = {tick: {"cpu(0,{})": 90, "cpu(1,{})": 95} for tick in range(20, 30)}
    assert situations(work, 60, tmp_path) == {
        "busy(0)": [29, 30],
        "busy(1)": [29, 30],
        "saturated": [29, 30],
    }


def test_short_memory_from_the_beginning(tmp_path: Path) -> None:
    assert situations({tick: {"memory({})": 97} for tick in range(9)}, 20, tmp_path) == {
        "short_memory": [5, 6, 7, 8]
    }


def test_a_disk_that_is_full_stays_so_until_a_sample_says_otherwise(tmp_path: Path) -> None:
    recording = {3: {'disk("/",{})': 95}, 4: {'disk("/",{})': -1}, 5: {'disk("/",{})': -1}}
    assert situations(recording, 8, tmp_path) == {'full("/")': [3, 4, 5]}


def test_sustained_traffic(tmp_path: Path) -> None:
    recording = {tick: {'received("eth0",{})': 5000} for tick in range(10, 32)}
    found = situations(recording, 60, tmp_path)
    assert found == {
        'transfer("eth0",21)': [30, 41],
        'transfer("eth0",22)': list(range(31, 41)),
    }


def test_a_load_that_rises(tmp_path: Path) -> None:
    recording = {tick: {"load({})": 50 + 5 * (tick - 40)} for tick in range(40, 65)}
    found = situations(recording, 64, tmp_path)
    assert found == {f"rising({5 * (tick - 40)})": [tick] for tick in range(60, 65)}


def test_no_samples(tmp_path: Path) -> None:
    recording = {tick: dict.fromkeys(QUIET, -1) for tick in range(10, 20)}
    assert situations(recording, 25, tmp_path) == {"silent": [15, 16, 17, 18, 19]}
