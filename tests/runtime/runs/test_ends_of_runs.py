"""A run that is asked to end, or killed, leaves its files whole and goes on as if nothing had been."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from lars2asp.__main__ import main
from lars2asp.runtime.errors import Terminated
from lars2asp.runtime.tuning import Tuning
from tests.support.command_line import run_watched
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, free_port, started, tuned, wait_for

STATUSES = {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGKILL: -9}

FUNCTIONS = """
import os
from pathlib import Path
from clingo import Number

def began():
    Path(os.environ["BEGAN"]).touch()
    return Number(1)
"""

ENDLESS = "a(0) :- go, @began() = 1. a(X+1) :- a(X). c(X) :- p(X)."
HARD = """
{ in(P,H) : H = 1..11 } = 1 :- P = 1..12, go, @began() = 1.
:- in(P,H), in(Q,H), P < Q.
c(X) :- p(X).
"""
"""Twelve pigeons in eleven holes: quickly ground, and not solved for hours."""

WORK = """{"time": 0, "facts": ["p(0)"]}
{broken
{"time": 1, "facts": ["go"]}
{"time": 5, "facts": ["p(5)"]}
"""


class Run:
    """A run with files of its own, in a process."""

    def __init__(self, folder: Path, program: str, *source: str) -> None:
        self.folder = folder
        self.output, self.rejects = folder / "answers.jsonl", folder / "rejects.jsonl"
        self.checkpoints = folder / "state"
        (folder / "program.lars").write_text(program)
        (folder / "functions.py").write_text(FUNCTIONS)
        self._source = source

    def command(self, *more: str) -> list[str]:
        return [
            *(*LARS2ASP, "run", str(self.folder / "program.lars"), *self._source),
            *("--functions", str(self.folder / "functions.py"), "--checkpoint", str(self.checkpoints)),
            *("--output", str(self.output), "--rejects", str(self.rejects), *more),
        ]

    @contextmanager
    def started(self, *more: str) -> "Iterator[subprocess.Popen[bytes]]":
        environment = os.environ | {"BEGAN": str(self.folder / "began")}
        command = self.command(*more)
        pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
        with started(command, env=environment, **pipes) as process:
            yield process

    def has_answered(self, atom: str) -> bool:
        return self.output.exists() and atom in self.output.read_text()

    def has_noted(self) -> bool:
        return any(path.read_bytes() for path in self.checkpoints.glob("*.journal"))

    def has_come_to(self, tick: int) -> bool:
        return [answer["time"] for answer in self.answers()][-1:] == [tick]

    def answers(self) -> list[dict[str, object]]:
        text = self.output.read_text() if self.output.exists() else ""
        return [json.loads(line) for line in text.splitlines()]


def ended(process: "subprocess.Popen[bytes]", number: signal.Signals) -> str:
    """Asks a process to end, and gives what it said; its status must be the one for that."""
    process.send_signal(number)
    assert process.stderr is not None
    told = process.stderr.read().decode()
    assert process.wait(PATIENCE_SECONDS) == STATUSES[number], told
    return told


# --- while clingo works -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "number", "more"),
    [
        (ENDLESS, signal.SIGTERM, ["why"]),
        (ENDLESS, signal.SIGINT, ["why-not", "--tick-timeout", "1000"]),
        (HARD, signal.SIGINT, ["why"]),
        (HARD, signal.SIGTERM, ["why-not", "--tick-timeout", "1000"]),
    ],
    ids=["why-grounds", "why-not-grounds", "why-solves", "why-not-solves"],
)
def test_a_question_ends_while_clingo_works(
    tmp_path: Path, program: str, number: signal.Signals, more: list[str]
) -> None:
    (tmp_path / "input.jsonl").write_text(WORK)
    (tmp_path / "program.lars").write_text(program)
    (tmp_path / "functions.py").write_text(FUNCTIONS)
    command = [
        *LARS2ASP,
        *more,
        "program.lars",
        "c(0)",
        "--input",
        "input.jsonl",
        "--functions",
        "functions.py",
    ]
    environment = os.environ | {"BEGAN": str(tmp_path / "began")}
    with started(command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        wait_for((tmp_path / "began").exists, process)
        ended(process, number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("program", [ENDLESS, HARD], ids=["grounds", "solves"])
def test_a_run_ends_while_clingo_works(tmp_path: Path, program: str, number: signal.Signals) -> None:
    """What was read and written is there, and the run goes on from it."""
    (tmp_path / "input.jsonl").write_text(WORK)
    run = Run(tmp_path, program, "--input", str(tmp_path / "input.jsonl"))
    with run.started() as process:
        wait_for((tmp_path / "began").exists, process)
        ended(process, number)
    assert run.answers() == [{"time": 0, "atoms": ["c(0)"]}]
    assert len(run.rejects.read_text().splitlines()) == 1
    assert list(run.checkpoints.glob("*.checkpoint"))
    with run.started("--tick-timeout", "0.3") as process:
        assert process.wait(PATIENCE_SECONDS) == 1
    assert run.answers() == [
        {"time": 0, "atoms": ["c(0)"]},
        {"time": 1, "satisfiable": False, "timeout": True, "atoms": []},
        {"time": 2, "atoms": []},
        {"time": 5, "atoms": ["c(5)"]},
    ]
    assert len(run.rejects.read_text().splitlines()) == 1


def test_what_standard_input_said_is_kept_while_clingo_works(tmp_path: Path) -> None:
    """It cannot be had again."""
    run = Run(tmp_path, ENDLESS, "--input", "-")
    with run.started() as process:
        assert process.stdin is not None
        process.stdin.write(WORK.encode())
        process.stdin.flush()
        wait_for((tmp_path / "began").exists, process)
        ended(process, signal.SIGTERM)
    with run.started("--tick-timeout", "0.3") as process:
        _, told = process.communicate()
        assert process.returncode == 1, told
    assert b"of part 1 of the run it has all up to line 4 of <stdin>, later input" in told
    assert [answer["time"] for answer in run.answers()] == [0, 1, 2, 5]
    assert run.answers()[-1]["atoms"] == ["c(5)"]


SLOW_SEARCH = """
import signal, sys
from lars2asp import Reasoner
reasoner = Reasoner.from_text(
    "{ in(P,H) : H = 1..8 } = 1 :- P = 1..9, go. :- in(P,H), in(Q,H), P < Q. n(1..200)."
)
try:
    print("searching", flush=True)
    reasoner.step(0, ["go"])
    signal.pause()  # the signal comes after the search
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interruption_does_not_break_a_search(tmp_path: Path) -> None:
    """An error raised in one of clingo's callbacks would end the process."""
    with started([sys.executable, "-c", SLOW_SEARCH], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"searching\n"
        time.sleep(0.1)  # so that it is likely in the search; it must do the same anywhere
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == b"interrupted\n"
        assert process.wait(PATIENCE_SECONDS) == 0


# --- live sources -----------------------------------------------------------------------------------


def told(numbers: Sequence[int], times: bool = True) -> bytes:
    lines = [({"time": number} if times else {}) | {"facts": [f"p({number})"]} for number in numbers]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


WINDOWS = "a(X) :- p(X) in [3]. b(X) :- p(X), not a(X-2). last(X) :- p(X) in [2 #]."
CHOICE = WINDOWS + " { c(X,Y) : Y = 1..3 } = 1 :- a(X). d(Y) :- c(_,Y) in [2]."


def whole(folder: Path, program: str, numbers: Sequence[int]) -> list[dict[str, object]]:
    """What a run over a file gives that nothing interrupts."""
    (folder / "whole").mkdir()
    (folder / "whole/input.jsonl").write_bytes(told(numbers))
    run = Run(folder / "whole", program, "--input", str(folder / "whole/input.jsonl"))
    with run.started("--checkpoint-every", "7") as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    return run.answers()


@pytest.mark.parametrize("number", STATUSES)
@pytest.mark.parametrize("program", [WINDOWS, CHOICE], ids=["certain", "choice"])
def test_what_a_port_was_told_is_told_once(tmp_path: Path, program: str, number: signal.Signals) -> None:
    """All that the run has dealt with before it is interrupted, however that happens, counts afterwards."""
    with free_port() as port:
        run = Run(tmp_path, program, "--input", f"tcp:{port}", "--checkpoint-every", "7", "--until", "70")
        for first in (0, 20, 40):
            with run.started() as process, closing(connected(port, process)) as connection:
                for tick in range(first, first + 20):  # one by one, so that none waits at a checkpoint
                    connection.sendall(told([tick]))
                    if tick:  # the last one waits for the next
                        wait_for(partial(run.has_come_to, tick - 1), process)
                if first < 40:
                    ended(process, number)
                else:
                    connection.sendall(told([70, 71]))
                    assert process.wait(PATIENCE_SECONDS) == 0
    assert run.answers() == whole(tmp_path, program, [*range(60), 70])


def connected(port: int, process: "subprocess.Popen[bytes]") -> socket.socket:
    """A connection to a process that begins to listen."""
    found: list[socket.socket] = []

    def connects() -> bool:
        try:
            found.append(socket.create_connection(("127.0.0.1", port)))
        except ConnectionRefusedError:
            return False
        return True

    wait_for(connects, process)
    return found[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_was_read_and_not_dealt_with_is_kept(tmp_path: Path, number: signal.Signals) -> None:
    """Lines wait behind a tick that takes long; the run ends meanwhile, and has them afterwards."""
    run = Run(tmp_path, ENDLESS, "--input", "-")
    given = b'{"time": 1, "facts": ["go"]}\n' + told(range(2, 2000))
    with run.started() as process:
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.flush()
        wait_for((tmp_path / "began").exists, process)
        ended(process, number)
    with run.started("--tick-timeout", "0.3") as process:
        _, said = process.communicate()
    [kept] = [int(word) for word in said.decode().partition("up to line ")[2].split()[:1]]
    assert kept > 0
    times = [answer["time"] for answer in run.answers()]
    assert times == [1, *range(2, kept + 1), *([kept + 1] if kept > 1 else [])][: len(times)]
    assert len(times) >= kept


def test_by_the_clock_answers_stay(tmp_path: Path) -> None:
    """What was written of records that nobody sends again is not cut off."""
    program = "#tick 10 msec. seen(X) :- p(X) in [100000]."
    with free_port() as port:
        run = Run(tmp_path, program, "--input", f"tcp:{port}", "--clock", "wall")
        today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        origin = ("--origin", today.isoformat())
        written = b""
        for fact in range(3):
            with run.started(*origin) as process, closing(connected(port, process)) as connection:
                connection.sendall(told([fact], times=False))
                wait_for(partial(run.has_answered, f"seen({fact})"), process)
                ended(process, (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)[fact])
            assert run.output.read_bytes().startswith(written)
            written = run.output.read_bytes()
        assert run.answers()[-1]["atoms"] == ["seen(0)", "seen(1)", "seen(2)"]


# --- signals that are ignored -----------------------------------------------------------------------

HANDING_OVER = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    f"{tuned(Tuning(work_between_states=1, memory_growth=0))}"
)


def test_what_is_ignored_stays_so_in_each_process(tmp_path: Path) -> None:
    """As in the background of a shell; the run goes on in other processes all the time."""
    (tmp_path / "program.lars").write_text("a(X) :- p(X).")
    command = [sys.executable, "-c", HANDING_OVER, "run", str(tmp_path / "program.lars")]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(6):
            process.stdin.write(told([number]))
            process.stdin.flush()
            if number:
                assert json.loads(process.stdout.readline())["time"] == number - 1
                process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 143


# --- files that are read when the signal comes ------------------------------------------------------


def broken_lines(number: int) -> str:
    return "".join(f"{{broken {line}\n" for line in range(number))


@pytest.mark.parametrize("number", [20, 4000])
def test_what_was_rejected_is_rejected_once(tmp_path: Path, number: int) -> None:
    """The signal comes while broken lines are read behind the last record: they are read again."""
    (tmp_path / "input").mkdir()
    good = '{"time": 0, "facts": ["p(1)"]}\n'
    (tmp_path / "input/1.jsonl").write_text(good + broken_lines(number))
    (tmp_path / "input/2.jsonl").write_text('{"time": 5, "facts": ["p(2)"]}\n')
    run = Run(tmp_path, WINDOWS, "--input", str(tmp_path / "input"))
    with started([sys.executable, "-c", STOPPED_WHILE_READING, *run.command()[3:]]) as process:
        assert process.wait(PATIENCE_SECONDS) == 143
    with run.started() as process:
        assert process.wait(PATIENCE_SECONDS) == 1
    assert len(run.rejects.read_text().splitlines()) == number
    assert [answer["time"] for answer in run.answers()] == [0, 1, 4, 5]


STOPPED_WHILE_READING = """
import os, signal, sys
from lars2asp.__main__ import main
from lars2asp.runtime.runs.processes.stop import Stop

wait_for, waits = Stop.wait_for, 0

def asked(stop, stream):
    global waits
    waits += 1
    if waits == 2:  # the end of the first file is looked for
        os.kill(os.getpid(), signal.SIGTERM)
    wait_for(stop, stream)

Stop.wait_for = asked
sys.exit(main(sys.argv[1:]))
"""


def test_a_stop_between_the_tables_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "input").mkdir()
    for number in range(3):
        (tmp_path / f"input/{number}.csv").write_text(f"time,x\n{number},{number}\n")
    program = "#input p(x) at time. a(X) :- p(X)."
    run = Run(tmp_path, program, "--input", str(tmp_path / "input"))
    for asked in range(2, 9):
        code = STOPPED_WHILE_READING.replace("waits == 2", f"waits == {asked}")
        with started([sys.executable, "-c", code, *run.command()[3:]]) as process:
            status = process.wait(PATIENCE_SECONDS)
        assert status in (143, 0)
    assert [answer["atoms"] for answer in run.answers()] == [["a(0)"], ["a(1)"], ["a(2)"]]


def test_a_record_from_before_the_start_is_taken_as_it_came(tmp_path: Path) -> None:
    """The run is interrupted while its tick is not over; what comes at an earlier time after it counts."""
    run = Run(tmp_path, "a(X) :- p(X).", "--input", "-", "--start", "10")
    with run.started() as process:
        assert process.stdin is not None
        process.stdin.write(b'{"time": 3, "begin": ["p(1)"]}\n')
        process.stdin.flush()
        wait_for(run.has_noted, process)
        ended(process, signal.SIGTERM)
    with run.started() as process:
        process.communicate(b'{"time": 5, "begin": ["p(2)"]}\n{"time": 12}\n')
        assert process.returncode == 0
    assert run.answers() == [{"time": 10, "atoms": ["a(1)", "a(2)"]}]


def test_two_signals_at_once_are_one(tmp_path: Path) -> None:
    """The second one comes within the first one's handler, or anywhere else."""
    for number in range(5):
        (tmp_path / str(number)).mkdir()
        run = Run(tmp_path / str(number), "a(X) :- p(X).", "--input", "-")
        with run.started() as process:
            assert process.stdin is not None
            process.stdin.write(told([1]))
            process.stdin.flush()
            wait_for(run.has_noted, process)
            process.send_signal(signal.SIGTERM)
            ended(process, signal.SIGTERM)


def test_files_that_are_new_stay_where_a_tick_may_take_too_long(tmp_path: Path) -> None:
    (tmp_path / "input.jsonl").write_bytes(told(range(3)))
    run = Run(tmp_path, "a(X) :- p(X).", "--input", str(tmp_path / "input.jsonl"))
    stats = tmp_path / "stats.json"
    with run.started("--tick-timeout", "60", "--stats-json", str(stats)) as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    assert [answer["time"] for answer in run.answers()] == [0, 1, 2]
    assert run.rejects.exists()
    assert json.loads(stats.read_text())["ticks"]["evaluated"] == 3


def test_tables_on_standard_input_say_what_is_missing(tmp_path: Path) -> None:
    program = "#input p(x) at time. a(X) :- p(X)."
    run = Run(tmp_path, program, "--input", "-", "--input-format", "changes")
    for _ in range(2):
        with run.started() as process:
            _, said = process.communicate(b"time,change,x\n")
    assert b"as a table that cannot be read again has no journal" in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_csv_on_standard_input_goes_on_in_the_middle_of_a_row(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Its lines stand in the journal; the second part may begin with the header, and need not."""
    program = "#input p(text(x)) at time. a(X) :- p(X)."
    run = Run(tmp_path, program, "--input", "-", "--input-format", "csv", "--changes")
    with run.started() as process:
        assert process.stdin is not None
        process.stdin.write(b'time;x\r\n1;"one\r\n1"\r\n2;two\r\n3;"be')
        process.stdin.flush()
        process.stdin.write(b"gun\r\n")
        process.stdin.flush()
        wait_for(
            lambda: (
                run.has_answered("one")
                and b"gun" in b"".join(map(Path.read_bytes, (tmp_path / "state").iterdir()))
            ),
            process,
        )
        ended(process, number)
    with run.started() as process:
        process.communicate(b"time;x\r\n4;four\r\n5;five\r\n")
        assert process.returncode == 1
    with run.started() as process:
        process.communicate(b"6;six\r\n")
        assert process.returncode == 1
    assert [answer["began"] for answer in run.answers()] == [
        ['a("one\r\\n1")'],
        ['a("two")'],
        [],
        ['a("four")'],
        ['a("five")'],
        ['a("six")'],
    ]
    [rejected] = map(json.loads, run.rejects.read_text().splitlines())
    assert rejected["reason"].startswith("broken row")


def test_a_csv_that_grows_is_read_on(tmp_path: Path) -> None:
    """Killed at any place of a table with rows of several lines, the run has the answers of the whole one."""
    rows = "".join(f'{tick};"K\xfcche\n{tick % 3}";{tick % 7},5 \xb0C\n' for tick in range(60))
    whole = f"zeit;raum;temp\n{rows}".encode("latin-1")
    table, output = tmp_path / "readings.csv", tmp_path / "answers.jsonl"
    program = '#input r(text(raum), number(temp, ",")*10) at zeit. a(R,T) :- r(R,T).'
    source = "--input", str(table), "--changes", "--until", "58", "--checkpoint-every", "3"
    (tmp_path / "whole").mkdir()
    table.write_bytes(whole)
    alone = Run(tmp_path / "whole", program, *source)
    with alone.started() as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    run = Run(tmp_path, program, *source, "--follow")
    table.write_bytes(whole[:20])
    for tick in (11, 30, 47):
        place = whole.index(f'\n{tick};"'.encode()) + tick % 9
        with run.started() as process:
            table.write_bytes(whole[:place])
            wait_for(lambda: run.has_come_to(tick - 2), process)  # noqa: B023
            ended(process, signal.SIGKILL)
    table.write_bytes(whole)
    with run.started() as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    assert output.read_bytes() == (tmp_path / "whole" / "answers.jsonl").read_bytes()
    assert len(run.answers()) > 50
    assert run.rejects.read_bytes() == b""


# --- answers that are delivered to others -----------------------------------------------------------


class Received(ThreadingHTTPServer):
    """A server that keeps what is posted to it, and answers when it may.

    Attributes:
        lines: what was posted.
        may_answer: whether it answers.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Receiver)
        self.lines: list[str] = []
        self.may_answer = Event()
        self.may_answer.set()
        self.has_asked = Event()


class _Receiver(BaseHTTPRequestHandler):
    server: Received

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.has_asked.set()
        self.server.may_answer.wait(PATIENCE_SECONDS)
        self.server.lines += body.splitlines()
        with suppress(OSError):
            self.send_response(204)
            self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nobody is told."""


@contextmanager
def receiving() -> Iterator[Received]:
    with Received() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.may_answer.set()
            server.shutdown()


def delivering(folder: Path, server: Received) -> list[str]:
    (folder / "program.lars").write_text("a(X) :- p(X).")
    return [
        *(*LARS2ASP, "run", str(folder / "program.lars"), "--checkpoint", str(folder / "state")),
        *("--output", f"http://127.0.0.1:{server.server_port}/", "--stats-json", str(folder / "costs")),
    ]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("more", [(), ("--tick-timeout", "60")], ids=["here", "apart"])
def test_what_was_delivered_is_not_sent_again(
    tmp_path: Path, number: signal.Signals, more: tuple[str, ...]
) -> None:
    """There is a last checkpoint, and the costs are written."""
    with receiving() as server:
        for first in (0, 3):
            with started([*delivering(tmp_path, server), *more], stdin=subprocess.PIPE) as process:
                assert process.stdin is not None
                process.stdin.write(told(range(first, first + 3)))
                process.stdin.flush()
                line = json.dumps({"time": first + 1, "atoms": [f"a({first + 1})"]})
                wait_for(partial(server.lines.__contains__, line), process)
                process.send_signal(number)
                assert process.wait(PATIENCE_SECONDS) == STATUSES[number]
            assert json.loads((tmp_path / "costs").read_text())["facts"] > first
        assert [json.loads(line)["time"] for line in server.lines] == [*range(5)]


def test_a_receiver_that_does_not_answer_holds_no_run_up(tmp_path: Path) -> None:
    """What it has not taken is sent again; the costs are written."""
    with receiving() as server:
        server.may_answer.clear()
        pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
        with started(delivering(tmp_path, server), **pipes) as process:
            assert process.stdin is not None
            process.stdin.write(told(range(3)))
            process.stdin.flush()
            wait_for(server.has_asked.is_set, process)
            process.send_signal(signal.SIGTERM)
            wait_for(lambda: (tmp_path / "costs").exists() and (tmp_path / "costs").read_text(), process)
            server.may_answer.set()
            assert process.stderr is not None
            said = process.stderr.read().decode()
            assert process.wait(PATIENCE_SECONDS) == 143
        assert "the run could not be kept where it ended" in said
        assert "not all answers were delivered" in said
        with started(delivering(tmp_path, server), stdin=subprocess.PIPE) as process:
            process.communicate(told(range(3, 5)))
            assert process.returncode == 0
        assert [json.loads(line)["time"] for line in server.lines][-5:] == [*range(5)]


# --- records that wait where no checkpoint keeps them -------------------------------------------------


@contextmanager
def waiting(folder: Path, *more: str) -> "Iterator[subprocess.Popen[bytes]]":
    """A run that has answered tick 1, while the records of ticks 2, 4 and 5 are there."""
    (folder / "program.lars").write_text("#tick 1 sec. a(X) :- p(X).")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started([*LARS2ASP, "run", str(folder / "program.lars"), *more], **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(told([1, 2, 4, 5]))
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"time": 1, "atoms": ["a(1)"]}
        yield process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("more", [(), ("--drain",), ("--until", "4")])
def test_records_that_wait_are_evaluated_first(
    tmp_path: Path, number: signal.Signals, more: tuple[str, ...]
) -> None:
    with waiting(tmp_path, "--lateness", "3", *more) as process:
        said = ended(process, number)
        assert process.stdout is not None
        answers = [json.loads(line) for line in process.stdout.read().splitlines()]
    found = [2, 4] if "--until" in more else [2, 4, 5]
    assert [one["time"] for one in answers if one["atoms"]] == found
    assert "not evaluated" not in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_records_that_are_lost_are_counted(tmp_path: Path, number: signal.Signals) -> None:
    with waiting(tmp_path, "--lateness", "3", "--no-drain") as process:
        said = ended(process, number)
        assert process.stdout is not None
        assert not process.stdout.read()
    assert "3 records that wait are not evaluated: --drain evaluates" in said


@pytest.mark.parametrize("more", [(), ("--drain",)])
def test_records_that_wait_for_the_clock(tmp_path: Path, more: tuple[str, ...]) -> None:
    """They are counted, or evaluated on demand."""
    (tmp_path / "program.lars").write_text("#tick 1 day. a(X) :- p(X).")
    with free_port() as port:
        source = ("--input", f"tcp:{port}", "--clock", "wall")
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [*LARS2ASP, "run", str(tmp_path / "program.lars"), *source, *more]
        with started(command, **pipes) as process, closing(connected(port, process)) as connection:
            connection.sendall(told([1, 2], times=False) + b"{broken\n")
            assert process.stderr is not None
            while b"broken JSON" not in process.stderr.readline():
                """All before it has been read."""
            said = ended(process, signal.SIGTERM)
            assert process.stdout is not None
            answers = [json.loads(line)["atoms"] for line in process.stdout.read().splitlines()]
    assert answers == ([["a(1)", "a(2)"]] if more else [])
    assert ("2 records that wait are not evaluated" in said) is not bool(more)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("more", [(), ("--drain",), ("--no-drain",)])
def test_without_lateness_the_open_tick_is_answered(
    tmp_path: Path, number: signal.Signals, more: tuple[str, ...]
) -> None:
    (tmp_path / "program.lars").write_text("a(X) :- p(X).")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started([*LARS2ASP, "run", str(tmp_path / "program.lars"), *more], **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(told([1, 2]))
        process.stdin.flush()
        process.stdout.readline()
        said = ended(process, number)
        answers = [json.loads(line) for line in process.stdout.read().splitlines()]
    is_drained = "--no-drain" not in more
    assert answers == ([{"time": 2, "atoms": ["a(2)"]}] if is_drained else [])
    assert ("1 record that waits is not evaluated: --drain evaluates" in said) is not is_drained


@pytest.mark.parametrize("evaluator", ["auto", "flow", "delta"])
@pytest.mark.parametrize("stopped", [1, 2, 5])
def test_a_file_is_answered_as_far_as_it_was_read(tmp_path: Path, stopped: int, evaluator: str) -> None:
    (tmp_path / "program.lars").write_text("a(X) :- p(X). b(X) :- p(X) in [1].")
    (tmp_path / "in.jsonl").write_bytes(told(range(1, 7)))
    output = tmp_path / "out.jsonl"
    arguments = [
        str(tmp_path / "program.lars"),
        "--input",
        str(tmp_path / "in.jsonl"),
        "--output",
        str(output),
    ]

    def stop(number: int) -> None:
        if number == stopped + 1:
            os.kill(os.getpid(), signal.SIGTERM)

    with suppress(Terminated):
        run_watched([*arguments, "--evaluator", evaluator, "--changes"], stop)
    times = [json.loads(line)["time"] for line in output.read_text().splitlines()]
    assert times[:stopped] == [*range(1, stopped + 1)]


def test_what_checkpoints_keep_is_not_drained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.lars").write_text("a(X) :- p(X).")
    arguments = [str(tmp_path / "program.lars"), "--checkpoint", str(tmp_path / "state")]
    assert main(["run", *arguments, "--drain"]) == 2
    assert "--checkpoint stores the waiting records: remove --drain" in capsys.readouterr().err
