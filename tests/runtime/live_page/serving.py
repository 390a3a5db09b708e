"""Runs with a page, and requests to it."""

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx

from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, started

PROGRAM = """
#tick 1 sec.
hot(R)   :- reading(R, T), T > 25.
alarm(R) :- hot(R) always in [2 sec], not opened(R) in [30 sec].
:- reading(_, T), T > 90.
"""


class ServedRun:
    """A run of the command with a page, to which lines are given one by one."""

    def __init__(self, process: "subprocess.Popen[bytes]", stdin: IO[bytes], stderr: IO[bytes]) -> None:
        self.process = process
        self._stdin = stdin
        self.stderr = stderr
        self.said: list[str] = []
        """What the run said before the page was there."""
        for line in stderr:
            self.said.append(line.decode())
            if self.said[-1].startswith("the page is at http://"):
                break
        else:
            raise AssertionError("".join(self.said))
        self.url = self.said[-1].split()[-1]

    def give(self, *lines: Any) -> None:
        for line in lines:
            self._stdin.write((line if isinstance(line, str) else json.dumps(line)).encode() + b"\n")
        self._stdin.flush()

    def end_input(self) -> None:
        self._stdin.close()

    def get(self, path: str, **options: Any) -> httpx.Response:
        return httpx.get(self.url.rstrip("/") + path, timeout=PATIENCE_SECONDS, trust_env=False, **options)

    @contextmanager
    def events(self, **headers: str) -> Iterator[Iterator[tuple[str, str, Any]]]:
        """The events for others."""
        url = self.url + "events"
        with httpx.stream("GET", url, timeout=PATIENCE_SECONDS, trust_env=False, headers=headers) as response:
            yield events_of(response)

    def until(self, tick: int) -> Any:
        """The state once it is at a tick: the one before is over."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            state = self.get("/state").json()
            if state["time"] is not None and state["time"] >= tick:
                return state
            assert time.monotonic() < deadline, state
            time.sleep(0.02)


def events_of(response: httpx.Response) -> Iterator[tuple[str, str, Any]]:
    """The identities, names and data of events."""
    name = identity = ""
    for line in response.iter_lines():
        kind, _, rest = line.partition(": ")
        if kind == "id":
            identity = rest
        elif kind == "event":
            name = rest
        elif kind == "data":
            yield identity, name, json.loads(rest)


def readings(tick: int, *temperatures: int) -> Any:
    return {"time": tick, "facts": [f"reading(r{n},{t})" for n, t in enumerate(temperatures)]}


@contextmanager
def served(folder: Path, *options: str, program: str = PROGRAM) -> Iterator[ServedRun]:
    """A run of rooms with a page at a port that is free."""
    (folder / "rooms.lars").write_text(program)
    command: Sequence[str] = [*LARS2ASP, "run", "rooms.lars", "--serve", "0", "--output", "answers", *options]
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": folder}
    with started(command, **pipes) as process:
        assert process.stdin is not None and process.stderr is not None
        yield ServedRun(process, process.stdin, process.stderr)
