"""The command line in processes forked from one that has imported it: each is there in a tenth of the time.

Such a process does what `python -m lars2asp` does, to the end of the interpreter. Its streams, folder,
environment, signals and session are its own. What it has of the process that it comes from are modules, and
the seed of hashes.
"""

import gc
import json
import os
import runpy
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[2]
_SIZE = struct.Struct("!q")
_COMMANDS = (
    *("command_line.program_commands", "command_line.format_command", "command_line.run_command"),
    *("command_line.why_command", "command_line.check_why_command", "rule_tests.test_command"),
)
"""The modules that are there from the start, with those that they need."""


def can_be_forked(options: Mapping[str, Any]) -> bool:
    """Whether a process with options of subprocess.Popen can come from one that was started before."""
    if sys.platform != "linux" or options.keys() - {"cwd"}:
        return False
    return _of_interpreter() == _source().environment


def run_forked(
    arguments: Sequence[str], given: bytes, patience: float, cwd: Path | str | None = None
) -> tuple[int, bytes, bytes]:
    """Runs the command line to its end; gives its status, as subprocess does, and what it wrote.

    A process that does not end within so many seconds is killed; so are at its end those that it has started.
    """
    return _source().run({"arguments": arguments, "cwd": str(cwd or Path.cwd())}, given, patience)


class _Source:
    """The process that others come from, one after the other. It ends with this one."""

    def __init__(self) -> None:
        self.environment = _of_interpreter()
        self._turn = threading.Lock()
        self._socket, far = socket.socketpair()
        with far:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(far.fileno())],
                cwd=_ROOT,
                pass_fds=[far.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )

    def run(self, asked: dict[str, Any], given: bytes, patience: float) -> tuple[int, bytes, bytes]:
        (stdin, to_write), (to_read, stdout), (to_read_too, stderr) = os.pipe(), os.pipe(), os.pipe()
        with self._turn:
            message = json.dumps({**asked, "environment": dict(os.environ)}).encode()
            socket.send_fds(self._socket, [_SIZE.pack(len(message))], [stdin, stdout, stderr])
            self._socket.sendall(message)
            for one in (stdin, stdout, stderr):
                os.close(one)
            process = self._told()
            overdue, is_over = threading.Timer(patience, kill_group, [process]), False
            overdue.daemon = True
            overdue.start()
            said: list[bytes] = []
            others = [
                threading.Thread(target=_write, args=[to_write, given]),
                threading.Thread(target=lambda: said.append(_read(to_read_too))),
            ]
            for thread in others:
                thread.start()
            try:
                output = _read(to_read)
                for thread in others:
                    thread.join()
                status, is_over = self._told(), True
                return os.waitstatus_to_exitcode(status), output, said[0]
            finally:
                overdue.cancel()
                kill_group(process, is_over=is_over)

    def _told(self) -> int:
        number: int = _SIZE.unpack(_received(self._socket, _SIZE.size))[0]
        return number


@cache
def _source() -> _Source:
    return _Source()


def _of_interpreter() -> dict[str, str]:
    """What an interpreter reads of the environment when it starts, and never again."""
    return {name: text for name, text in os.environ.items() if name.startswith(("PYTHON", "LC_", "LANG"))}


def _read(pipe: int) -> bytes:
    with open(pipe, "rb") as stream:
        return stream.read()


def _write(pipe: int, data: bytes) -> None:
    with suppress(BrokenPipeError), open(pipe, "wb") as stream:
        stream.write(data)


def _received(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        more = connection.recv(size - len(data))
        assert more, "the process that others come from has ended"
        data += more
    return bytes(data)


def kill_group(process: int, *, is_over: bool = False) -> None:
    """Kills the group of a process that began it; what is left of it where that is over, and was waited for.

    Its number is given again then: a process that has it is another one, and nothing is left of the group.
    """
    with suppress(ProcessLookupError, PermissionError):  # nobody is left
        if is_over:
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                pass
            else:
                return
        os.killpg(process, signal.SIGKILL)


# --- in the process that others come from ---------------------------------------------------------


def _serve(connection: socket.socket) -> None:
    """Forks a process for each that is asked for, and tells its number and how it ended."""
    while True:
        size, streams, _, _ = socket.recv_fds(connection, _SIZE.size, 3)
        if not size:
            return
        asked = json.loads(_received(connection, *_SIZE.unpack(size)))
        process = os.fork()
        if not process:
            connection.close()
            _become(asked, streams)
            return
        for stream in streams:
            os.close(stream)
        connection.sendall(_SIZE.pack(process))
        connection.sendall(_SIZE.pack(os.waitpid(process, 0)[1]))


def _become(asked: dict[str, Any], streams: list[int]) -> None:
    """Is `python -m lars2asp` from here on."""
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    sys.path[0] = asked["cwd"]
    sys.argv[1:] = asked["arguments"]
    runpy.run_module("lars2asp", run_name="__main__", alter_sys=True)


def _main() -> None:
    for name in ("command_line.main", *_COMMANDS):
        import_module(f"lars2asp.runtime.{name}")
    sys.modules.pop("lars2asp.__main__", None)
    gc.collect()
    gc.freeze()
    _serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    _main()
