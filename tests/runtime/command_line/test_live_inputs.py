"""Several live inputs: growing files, standard input and ports are merged by time."""

import json
import signal
import socket
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.processes import LARS2ASP, free_port, started, wait_for

PROGRAM = """
#tick 1 sec.
#input temp(room, c) at time.
#input door(who) at time.
both(R,W) :- temp(R,_) in [2], door(W) in [2].
"""
DOORS = [{"time": 1, "who": "x"}, {"time": 6, "who": "y"}, {"time": 7, "who": "z"}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program with a table, and lines for the other input."""
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "temp.csv").write_text("time,room,c\n1,k,20\n2,k,21\n5,k,22\n9,k,23\n")
    (tmp_path / "doors.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in DOORS))
    return tmp_path


def merged(folder: Path) -> bytes:
    """The answers over the files."""
    command = [*LARS2ASP, "run", "p.lars", "--input", "temp.csv", "--input", "doors.jsonl"]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout


def connected(port: int, process: subprocess.Popen[bytes]) -> socket.socket:
    """A connection to a port that is listened to soon."""
    made: list[socket.socket] = []

    def is_there() -> bool:
        try:
            made.append(socket.create_connection(("127.0.0.1", port)))
        except ConnectionRefusedError:
            return False
        return True

    wait_for(is_there, process)
    return made[0]


def test_a_file_and_standard_input(folder: Path) -> None:
    command = [*LARS2ASP, "run", "p.lars", "--input", "temp.csv", "--input", "-", "--stats"]
    with (folder / "doors.jsonl").open("rb") as doors:
        done = subprocess.run(command, cwd=folder, check=True, stdin=doors, capture_output=True)
    assert done.stdout == merged(folder)
    assert b"temp.csv is at tick 9, and is not waited for; - is at tick 7" in done.stderr
    assert (
        b"temp.csv, <stdin>: merged by the times of the records; a tick ends when all inputs are past it "
        b"(to ignore a silent input, add --idle-timeout '1 min')"
    ) in done.stderr


def test_by_the_clock_no_input_is_waited_for(folder: Path) -> None:
    (folder / "q.lars").write_text("#tick 1 sec. a(X) :- p(X).")
    inputs = ["--input", "doors.jsonl", "--input", "-", "--clock", "wall", "--declare", "door(who) at time"]
    command = [*LARS2ASP, "run", "q.lars", *inputs, "--start", "0", "--until", "0"]
    done = subprocess.run(command, cwd=folder, check=False, input=b"", capture_output=True)
    assert b"doors.jsonl, <stdin>: merged by arrival; this machine's clock decides the ticks" in done.stderr


def test_a_file_and_a_port_go_on_from_a_checkpoint(folder: Path) -> None:
    """What both have brought is not over before the slower one has brought more."""
    expected = merged(folder)
    with free_port() as port:
        inputs = ["--input", "temp.csv", "--input", f"tcp:{port}"]
        command = [*LARS2ASP, "run", "p.lars", *inputs, "--checkpoint", "kept", "--output", "out.jsonl"]
        with started(command, cwd=folder, stderr=subprocess.DEVNULL) as process:
            with connected(port, process) as connection:
                connection.sendall("".join(f"{json.dumps(one)}\n" for one in DOORS[:2]).encode())
            out = folder / "out.jsonl"
            wait_for(lambda: out.is_file() and b'"time": 4' in out.read_bytes(), process)
            process.send_signal(signal.SIGINT)
            process.wait()
        with started([*command, "--until", "9"], cwd=folder, stderr=subprocess.DEVNULL) as process:
            with connected(port, process) as connection:
                connection.sendall(f'{json.dumps(DOORS[2])}\n{{"time": 10, "facts": []}}\n'.encode())
            assert process.wait() == 0
    assert (folder / "out.jsonl").read_bytes() == expected


def test_connections_that_are_waited_for(folder: Path) -> None:
    """With a watermark for each connection a slower one is not late, whichever of the two is read first."""
    (folder / "q.lars").write_text("a(X) :- p(X).")
    with free_port() as port, ExitStack() as stack:
        address = f"tcp:{port}?watermark=connection"
        command = [*LARS2ASP, "run", "q.lars", "--input", address, "--lateness", "10", "--until", "15"]
        process = stack.enter_context(started(command, cwd=folder, stdout=subprocess.PIPE))
        slow = connected(port, process)
        slow.sendall(b'{"time": 1, "facts": ["p(1)"]}\n{"time": 12, "facts": ["p(2)"]}\n')
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"time": 1, "atoms": ["a(1)"]}
        fast = connected(port, process)
        fast.sendall(b'{"time": 30, "facts": ["p(3)"]}\n')  # by itself it ends all ticks up to 19
        slow.sendall(b'{"time": 5, "facts": ["p(4)"]}\n')
        slow.close()
        rest = [json.loads(line) for line in process.stdout]
        assert [(one["time"], one["atoms"]) for one in rest] == [
            (2, []),
            (5, ["a(4)"]),
            (6, []),
            (12, ["a(2)"]),
            (13, []),
        ]
        fast.close()
        assert process.wait() == 0
