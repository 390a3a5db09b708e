"""The command line in processes forked from one that has imported it: each is there in a tenth of the time.

Such a process does what `python -m lars2asp` does, to the end of the interpreter. Its streams, folder,
environment, signals and session are its own. What it has of the process that it comes from are modules, and
the seed of hashes.
"""

import atexit
import gc
import json
import os
import runpy
import select
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

from lars2asp.compiler import compile_program
from lars2asp.syntax.source import Source

_ROOT = Path(__file__).parents[2]
_SIZE = struct.Struct("!q")
_COMMANDS = (
    *("command_line.program_commands", "command_line.format_command", "command_line.run_command"),
    *("command_line.why_command", "command_line.check_why_command", "rule_tests.test_command"),
    *("command_line.log_forms", "evaluators.external", "evaluators.oneshot", "evaluators.stamped"),
    *("explanations.reasons.explainer", "explanations.words.labels", "reasoning.explaining"),
)
"""The modules that are there from the start, with those that they need; at the end those that most import."""


def can_be_forked(options: Mapping[str, Any]) -> bool:
    """Whether a process with options of subprocess.Popen can come from one that was started before."""
    if sys.platform != "linux" or options.keys() - {"cwd", "env", "stdin", "stdout", "stderr"}:
        return False
    return _of_interpreter(options.get("env", os.environ)) == _source().environment


class ForkedProcess(subprocess.Popen[bytes]):
    """The command line in a process with a session of its own, which is a child of another process.

    Args:
        arguments: those of the command.
        options: of subprocess.Popen, of which `can_be_forked` says that they will do.
    """

    def __init__(self, arguments: Sequence[str], **options: Any) -> None:
        self._ended = -1
        super().__init__(arguments, **options)

    def _execute_child(self, args: Sequence[str], *given: Any) -> None:
        """Has a process forked where the base class, which has made the streams, would do that itself."""
        cwd, environment, streams = given[4], given[5], given[9:15]
        to_read, _, _, to_write, _, to_write_errors = streams
        wanted = ((to_read, 0), (to_write, 1), (to_write_errors, 2))
        asked = {
            "arguments": args,
            "cwd": str(cwd or Path.cwd()),
            "environment": dict(os.environ if environment is None else environment),
        }
        self.pid, self._ended = _source().start(asked, [own if own >= 0 else ours for own, ours in wanted])
        self._child_created = True
        self._close_pipe_fds(*streams)  # type: ignore[attr-defined]

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._ended], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._ended], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = os.waitstatus_to_exitcode(_number(self._ended))
            os.close(self._ended)
        return self.returncode


class _Source:
    """The process that others come from. It ends with this one."""

    def __init__(self) -> None:
        self.environment = _of_interpreter(os.environ)
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

    def start(self, asked: Mapping[str, Any], streams: Sequence[int]) -> tuple[int, int]:
        """Starts a process; gives its number, and a pipe that says how it has ended."""
        ended, to_tell = os.pipe()
        message = json.dumps(asked).encode()
        with self._turn:
            socket.send_fds(self._socket, [_SIZE.pack(len(message))], [*streams, to_tell])
            self._socket.sendall(message)
        os.close(to_tell)
        return _number(ended), ended


@cache
def _source() -> _Source:
    return _Source()


def _of_interpreter(environment: Mapping[str, str]) -> dict[str, str]:
    """What an interpreter reads of the environment when it starts, and never again."""
    return {name: text for name, text in environment.items() if name.startswith(("PYTHON", "LC_", "LANG"))}


def _number(pipe: int) -> int:
    """The next number that is told; these few bytes come at once."""
    data = os.read(pipe, _SIZE.size)
    assert data, "the process that others come from has ended"
    number: int = _SIZE.unpack(data)[0]
    return number


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
    """Forks a process for each that is asked for, which goes on beside those that are asked for then."""
    while True:
        size, streams, _, _ = socket.recv_fds(connection, _SIZE.size, 4)
        if not size:
            return
        asked = json.loads(_received(connection, *_SIZE.unpack(size)))
        if not os.fork():
            connection.close()
            _keep(streams)
            _become(asked, streams[:3])
            return
        for stream in streams:
            os.close(stream)
        with suppress(ChildProcessError):  # there is none
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _received(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        data += connection.recv(size - len(data))
    return bytes(data)


def _keep(streams: Sequence[int]) -> None:
    """Forks, and returns in the new process; this one waits for its end, and tells the last stream of it."""
    *own, to_tell = streams
    process = os.fork()
    if process:
        for stream in own:
            os.close(stream)
        os.write(to_tell, _SIZE.pack(os.waitpid(process, 0)[1]))
        os._exit(0)
    os.setsid()
    os.write(to_tell, _SIZE.pack(os.getpid()))
    os.close(to_tell)


def _become(asked: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Is `python -m lars2asp` from here on."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    sys.path[0] = asked["cwd"]
    sys.argv[1:] = asked["arguments"]
    try:
        runpy.run_module("lars2asp", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if isinstance(ended.code, int):
            _end(ended.code)
        raise


def _end(status: int) -> None:
    """Ends as the interpreter does, but for what it frees: most of that came with the fork."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # the interpreter says so
        sys.exit(status)
    os._exit(status)


def _main() -> None:
    for name in ("command_line.main", *_COMMANDS):
        import_module(f"lars2asp.runtime.{name}")
    sys.modules.pop("lars2asp.__main__", None)
    compile_program(Source("first.lars", "a(X) :- p(X)."))  # reads the grammar
    gc.collect()
    gc.freeze()
    _serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    _main()
