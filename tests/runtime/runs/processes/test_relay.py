"""A run that is handed over from process to process writes what it writes in one."""

import gc
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.runs.processes.relay import relay
from lars2asp.runtime.runs.processes.stop import Stop
from lars2asp.runtime.runs.states.state_keeping import HandOver, State
from lars2asp.runtime.tuning import Tuning
from tests.support.interrupted_stream import PROGRAM, lines
from tests.support.processes import completed, is_running, started, tuned, wait_for


@pytest.fixture(autouse=True, scope="module")
def _light() -> None:
    """Processes are made of this one, each after a garbage collection, which leaves out what is here now."""
    gc.collect()
    gc.freeze()


IN_PARTS = Tuning(work_between_states=80, memory_growth=0)
IN_ONE = replace(IN_PARTS, memory_growth=2**62)
"""A run is handed over each time that its state could be kept, or never."""


class Forks:
    """Counts the processes that this one has made."""

    count = 0

    @classmethod
    def add(cls) -> None:
        cls.count += 1


os.register_at_fork(after_in_parent=Forks.add)


@pytest.fixture
def segments() -> Callable[[], int]:
    """The number of processes that were made to run on."""
    before = Forks.count
    return lambda: Forks.count - before


class Run:
    """A run over files of its own."""

    def __init__(self, folder: Path, name: str, tuning: Tuning, *arguments: str) -> None:
        self.output, self.rejects = folder / f"{name}.out", folder / f"{name}.rejects"
        program = folder / "program.lars"
        if not program.exists():
            program.write_text(PROGRAM)
        self.status = main(
            [
                *("run", str(program), "--output", str(self.output)),
                *("--rejects", str(self.rejects), *arguments),
            ],
            tuning,
        )

    def written(self) -> list[bytes]:
        return [self.output.read_bytes(), self.rejects.read_bytes()]


@pytest.mark.parametrize(
    "more", [(), ("--changes", "--evaluator", "oneshot"), ("--emit", "7"), ("--models", "0")]
)
def test_a_file(tmp_path: Path, segments: Callable[[], int], more: tuple[str, ...]) -> None:
    (tmp_path / "input.jsonl").write_text("".join(f"{line}\n" for line in lines(500, seed=len(more))))
    arguments = ["--input", str(tmp_path / "input.jsonl"), "--lateness", "4", *more]
    parts = Run(tmp_path, "parts", IN_PARTS, *arguments)
    assert segments() > 3
    whole = Run(tmp_path, "whole", IN_ONE, *arguments)
    assert parts.status == whole.status == 1
    assert parts.written() == whole.written()
    assert all(whole.written())


def test_the_files_of_a_folder_with_checkpoints(tmp_path: Path, segments: Callable[[], int]) -> None:
    """One after the other, in the order of their names, each in its own format."""
    choose = random.Random(5)
    folder = tmp_path / "input"
    (folder / "no file").mkdir(parents=True)
    (folder / ".hidden").write_text("?")
    (tmp_path / "program.lars").write_text("""
        hot(R) :- temp(R,V) in [3], V > 80. #input temp(room, value) at time.
        seen(N,R) :- temp(R,_) count N in [9], N > 1.""")
    for number in range(4):
        first = number * 300
        if number == 3:
            text = "".join(
                f'{{"time": {first + i}, "facts": ["temp(a{choose.randint(1, 9)},90)"]}}\n'
                for i in range(300)
            )
            (folder / f"{number}.jsonl").write_text(text + "\n{broken}\n")
            continue
        rows = "".join(
            f'{first + i // 2},"{choose.choice(["a", "b,c", "d"])}",{choose.randint(60, 99)}\n'
            if choose.random() < 0.95
            else f'{first + i // 2},"two\nlines"' + choose.choice([",90\n", "\n"])
            for i in range(600)
        )
        (folder / f"{number}.csv").write_text('\ntime,"room",value\n' + rows)
    arguments = ["--input", str(folder), "--checkpoint-every", "70"]
    parts = Run(tmp_path, "parts", IN_PARTS, "--checkpoint", str(tmp_path / "one"), *arguments)
    assert segments() > 5
    whole = Run(tmp_path, "whole", IN_ONE, "--checkpoint", str(tmp_path / "other"), *arguments)
    assert parts.status == whole.status == 1
    assert parts.written() == whole.written()
    assert b"3.jsonl" in parts.rejects.read_bytes()


def test_records_that_wait_in_bursts(tmp_path: Path, segments: Callable[[], int]) -> None:
    """Handed over while records are released that waited when it was handed over before."""
    (tmp_path / "program.lars").write_text("#input on(x) at time. busy(X) :- on(X) in [3].")
    ticks = [i + 200 * (i // 40) for i in range(280)]
    (tmp_path / "input.csv").write_text("time,x\n" + "".join(f"{tick},{tick % 7}\n" for tick in ticks))
    arguments = ["--input", str(tmp_path / "input.csv"), "--lateness", "50"]
    parts = Run(tmp_path, "parts", replace(IN_PARTS, work_between_states=15), *arguments)
    assert segments() > 10
    whole = Run(tmp_path, "whole", replace(IN_ONE, work_between_states=15), *arguments)
    assert parts.status == whole.status == 0
    assert parts.written() == whole.written()


def test_what_it_costs_is_added_up(tmp_path: Path, segments: Callable[[], int]) -> None:
    (tmp_path / "input.jsonl").write_text("".join(f"{line}\n" for line in lines(300, seed=4)))
    arguments = ["--input", str(tmp_path / "input.jsonl"), "--lateness", "4", "--stats-json"]
    found = []
    for name, tuning in (("parts", IN_PARTS), ("whole", IN_ONE)):
        Run(tmp_path, name, tuning, *arguments, str(tmp_path / f"{name}.json"))
        cost = json.loads((tmp_path / f"{name}.json").read_text())
        steps = [each["cost"]["steps"] for each in cost["components"]]
        found.append((cost["ticks"], cost["facts"], cost["records"], cost["intervals"], steps))
    assert segments() > 1
    assert found[0] == found[1]


def test_standard_input(tmp_path: Path) -> None:
    """What a process has read of a pipe and not taken yet goes to the next one."""
    (tmp_path / "program.lars").write_text(PROGRAM)
    given = "".join(f"{line}\n" for line in lines(400, seed=3)).encode()
    outputs = []
    for tuning in (IN_PARTS, IN_ONE):
        code = tuned(replace(tuning, work_between_states=100))
        command = [sys.executable, "-c", code, "run", str(tmp_path / "program.lars"), "--lateness", "4"]
        done = completed(command, given=given, status=1)
        outputs.append((done.stdout, done.stderr))
    assert outputs[0] == outputs[1]
    assert outputs[0][0]


@pytest.mark.parametrize("clock", ["data", "wall"])
def test_a_feed(tmp_path: Path, clock: str) -> None:
    """Lines of a live source, in data time and by the clock: none is lost, and none comes twice."""
    (tmp_path / "program.lars").write_text("#tick 10 msec. a(X) :- p(X), not p(X) in {1}.")
    times = [f'"time": {i // 25}, ' if clock == "data" else "" for i in range(501)]
    given = "".join(f'{{{time}"facts": ["p({i})"]}}\n' for i, time in enumerate(times[:-1]))
    (tmp_path / "input.jsonl").write_text(given + f'{{{times[-1]}"facts": []}}\n')
    code = tuned(replace(IN_PARTS, work_between_states=30))
    command = [
        *(sys.executable, "-c", code, "run", str(tmp_path / "program.lars"), "--follow", "--clock", clock),
        *("--input", str(tmp_path / "input.jsonl")),
        *("--origin", (datetime.now(UTC) - timedelta(hours=1)).isoformat(), "--changes"),
    ]
    with started(command, stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        began = [atom for line in until(run.stdout, b'"a(499)"') for atom in json.loads(line)["began"]]
        run.terminate()
    assert sorted(began) == sorted(f"a({i})" for i in range(500))


def until(lines: Iterable[bytes], text: bytes) -> Iterator[bytes]:
    """The lines up to the first one with a text."""
    for line in lines:
        yield line
        if text in line:
            return


HANDING_OVER = replace(IN_PARTS, work_between_states=1)


CLOCK_THAT_WAITS = """
import time
from pathlib import Path
from lars2asp.runtime.connectors.clock import MachineClock
from lars2asp.runtime.runs.processes.feed_process import FeedProcess

ended, take = Path("ended"), FeedProcess.take

def noted(self, until):
    arrived = take(self, until)
    if arrived is not None and arrived.line is None and not ended.exists():
        ended.write_text(str(time.monotonic_ns()))
    return arrived

def microseconds(self):
    began = ended.exists() and ended.read_text()
    return 3_600_000_000 + (time.monotonic_ns() - int(began)) // 1000 if began else 3_600_000_000

FeedProcess.take, MachineClock.microseconds = noted, microseconds
"""
"""An hour after the origin; it stands still, in all processes, until the source is known to have ended."""


def test_a_source_that_has_ended_stays_so(tmp_path: Path) -> None:
    """By the clock a run ends when all is over that its input told of."""
    (tmp_path / "program.lars").write_text("#tick 100 msec. a(X) :- p(X).")
    given = "".join(f'{{"time": {36_000 + ahead}, "facts": ["p({ahead})"]}}\n' for ahead in (15, 17, 19, 21))
    command = [
        *(sys.executable, "-c", CLOCK_THAT_WAITS + tuned(HANDING_OVER)),
        *("run", "program.lars", "--clock", "wall", "--changes"),
    ]
    done = completed(command, given=given, cwd=tmp_path)
    assert done.stderr == ""
    began = [atom for line in done.stdout.splitlines() for atom in json.loads(line)["began"]]
    assert began == ["a(15)", "a(17)", "a(19)", "a(21)"]


@pytest.mark.parametrize("hands_over", [True, False])
@pytest.mark.parametrize(("received", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_asked_to_end(
    tmp_path: Path, received: signal.Signals, status: int, hands_over: bool
) -> None:
    """The signal comes to the first process, whichever runs, and what the run has cost is said."""
    (tmp_path / "program.lars").write_text("a(X) :- p(X).")
    command = [
        *(
            sys.executable,
            "-c",
            tuned(HANDING_OVER if hands_over else replace(HANDING_OVER, memory_growth=2**62)),
        ),
        *("run", str(tmp_path / "program.lars"), "--emit", "every"),
        *("--stats-json", str(tmp_path / "stats.json")),
    ]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(b"".join(b'{"time": %d, "facts": ["p(1)"]}\n' % tick for tick in range(10)))
        run.stdin.flush()
        for _ in range(9):
            assert run.stdout.readline()
        run.send_signal(received)
        assert run.wait() == status
    if not hands_over:  # else no process may run at that moment
        assert json.loads((tmp_path / "stats.json").read_text())["facts"] >= 9


class Numbers:
    """Segments that count."""

    def __init__(self, last: int) -> None:
        self.last = last

    def __call__(self, state: State | None) -> int:
        number = 0 if state is None else int(state["number"]) + 1
        if number == self.last:
            return 7
        raise HandOver({"number": number})


def test_the_status_is_that_of_the_last_leg() -> None:
    assert relay(Numbers(0), None, lambda action: action(), Stop()) == 7
    assert relay(Numbers(4), None, lambda action: action(), Stop()) == 7
    assert relay(Numbers(4), {"number": 3}, lambda action: action(), Stop()) == 7


def test_what_a_leg_raises_is_reported_in_its_process() -> None:
    def segment(state: State | None) -> int:
        if state is None:
            raise HandOver({})
        raise KeyError

    def report(action: Callable[[], int]) -> int:
        try:
            return action()
        except KeyError:
            return 55

    assert relay(segment, None, report, Stop()) == 55


def test_a_process_that_is_killed() -> None:
    def segment(state: State | None) -> int:
        if state is None:
            raise HandOver({})
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    with pytest.raises(EvaluationError, match="SIGKILL killed the process of the run"):
        relay(segment, None, lambda action: action(), Stop())


def test_processes_end_with_the_one_that_made_them(tmp_path: Path) -> None:
    """However that ends."""
    code = (
        "import os, signal; from lars2asp.runtime.runs.processes.relay import relay\n"
        "from lars2asp.runtime.runs.states.state_keeping import HandOver\n"
        "from lars2asp.runtime.runs.processes.stop import Stop\n"
        "def segment(state):\n"
        "    if state is None: raise HandOver({})\n"
        "    print(os.getpid(), flush=True); signal.pause()\n"
        "relay(segment, None, lambda action: action(), Stop())"
    )
    with started([sys.executable, "-c", code], stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        process = int(run.stdout.readline())
        assert is_running(process)
        run.kill()
        assert run.stdout.read() == b""  # the other one has closed it
        wait_for(lambda: not is_running(process))
