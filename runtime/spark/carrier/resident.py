"""The process beside Spark's workers that keeps the reasoners of a partition while a query runs.

Spark gives the tasks of a partition to any worker process. Each of them reaches this one over a Unix socket,
in a folder that only this user can enter; the first one starts it, as a copy of itself. It ends with the
query (the driver removes the folder, see `resident_folders`), with the process that starts workers, and when
no worker has asked for a while. Nothing is lost with it: Spark's state store has the state. Without it a
reasoner is made anew when its partition changes workers: batches of 5,000 facts then took 1.7 times the
processor time.
"""

import fcntl
import os
import signal
import socket
import stat
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, sleep
from typing import NoReturn

from lars2asp.runtime.reasoning.memory import collect_for_rows
from lars2asp.runtime.runs.processes.child_processes import signals_held
from lars2asp.runtime.sharding.residence import Residence, ShardCall, ShardReply
from lars2asp.runtime.sharding.shard import ShardState
from lars2asp.syntax.diagnostics import Lars2aspError

MOST_TRIES = 3
"""How often a call is made of processes that end meanwhile."""

LONGEST_IDLE, LOOKS_EVERY = 600.0, 1.0
"""In seconds; see `Resident`."""

MOST_WAITING = 16
"""The number of workers that may wait to be heard."""


class Resident:
    """The process, as a worker has it; it is started where it does not run.

    Args:
        folder: the folder of the query; of no other user.
        name: the name of the process there.
        residence: makes what the process is to keep, once it runs.
        longest_idle: in seconds: a process that no worker has asked for so long ends.
        looks_every: in seconds: how often it looks whether it is still wanted.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        residence: Callable[[], Residence],
        *,
        longest_idle: float = LONGEST_IDLE,
        looks_every: float = LOOKS_EVERY,
    ) -> None:
        self._folder = folder
        self._name = name
        self._residence = residence
        self._patience = longest_idle, looks_every
        self._connection: Connection | None = None

    def take(self, call: ShardCall, state: Callable[[], ShardState]) -> ShardReply:
        """Has a shard take packets.

        Args:
            call: the call, without its state.
            state: reads the state that the shard was in before, where the process does not have it.

        Raises what the reasoner raised; RuntimeError where one process after the other ends.
        """
        for _ in range(MOST_TRIES):
            try:
                return self._answer(call, state)
            except (EOFError, OSError) as error:  # it has ended meanwhile
                self.close()
                last = error
        raise RuntimeError(
            f"the process with the reasoners ended {MOST_TRIES} times, perhaps because memory ran "
            f"out: {last!r}"
        ) from last

    def close(self) -> None:
        """Closes the connection; the process stays."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _answer(self, call: ShardCall, state: Callable[[], ShardState]) -> ShardReply:
        reply = self._asked(call)
        if reply is None:
            reply = self._asked(call._replace(state=state()))
        assert reply is not None
        return reply

    def _asked(self, call: ShardCall) -> ShardReply | None:
        if self._connection is None:
            self._connection = self._connected()
        self._connection.send(call)
        reply: ShardReply | BaseException | None = self._connection.recv()
        if isinstance(reply, BaseException):
            raise reply
        return reply

    def _connected(self) -> Connection:
        path = self._folder / self._name
        self._folder.mkdir(mode=0o700, exist_ok=True)
        with _locked(path):
            with suppress(FileNotFoundError, ConnectionRefusedError):
                return _connection_to(path)
            path.unlink(missing_ok=True)
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(str(path))
                listener.listen(MOST_WAITING)
                self._start(listener)
            return _connection_to(path)

    def _start(self, listener: socket.socket) -> None:
        """Starts the process, which is not a child of this one."""
        starter = os.getppid()
        with signals_held():
            process = os.fork()
            if not process:
                self._become(listener, starter)
        os.waitpid(process, 0)

    def _become(self, listener: socket.socket, starter: int) -> NoReturn:
        try:
            if not os.fork():
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                for number in (signal.SIGINT, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)
                signal.pthread_sigmask(signal.SIG_SETMASK, ())
                _leave_connections(listener.fileno())
                collect_for_rows()
                path = self._folder / self._name
                _Server(listener, path, starter, self._residence(), *self._patience).serve()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)


class _Server:
    """Answers workers, one after the other."""

    def __init__(
        self,
        listener: socket.socket,
        path: Path,
        starter: int,
        residence: Residence,
        longest_idle: float,
        looks_every: float,
    ) -> None:
        self._listener = listener
        self._path = path
        self._starter = starter
        self._residence = residence
        self._longest_idle = longest_idle
        self._looks_every = looks_every
        self._is_busy = False
        self._last_asked = monotonic()

    def serve(self) -> None:
        """Answers until nobody wants it any more, or memory has grown too much."""
        threading.Thread(target=self._watch, daemon=True).start()
        connections: list[Connection] = []
        while not self._residence.has_grown:
            for ready in wait([self._listener, *connections]):
                if isinstance(ready, Connection):
                    if not self._has_answered(ready):
                        ready.close()
                        connections.remove(ready)
                else:
                    connections.append(Connection(self._listener.accept()[0].detach()))
        self._leave()

    def _has_answered(self, connection: Connection) -> bool:
        """Answers a call; whether somebody was there."""
        self._is_busy = True
        try:
            connection.send(self._reply(connection.recv()))
        except (EOFError, OSError):
            return False
        finally:
            self._last_asked, self._is_busy = monotonic(), False
        return True

    def _reply(self, call: ShardCall) -> ShardReply | Exception | None:
        try:
            return self._residence.take(call)
        except Lars2aspError as error:
            return error
        except Exception as error:
            return RuntimeError(f"{type(error).__name__}: {error}\n\n{traceback.format_exc()}")

    def _watch(self) -> None:
        """Ends the process when it is not wanted any more, whatever it is doing."""
        while self._path.exists() and is_running(self._starter) and not self._is_forgotten:
            sleep(self._looks_every)
        self._leave()
        os._exit(0)

    def _leave(self) -> None:
        """Nobody finds the process any more; the last one takes the folder with it."""
        with suppress(OSError):
            self._path.unlink()
            _lock_of(self._path).unlink()
            self._path.parent.rmdir()
        self._listener.close()

    @property
    def _is_forgotten(self) -> bool:
        return not self._is_busy and monotonic() - self._last_asked > self._longest_idle


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keeps other workers from starting the same process."""
    with _lock_of(path).open("w") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)  # a copy of this process does not hold it
        yield


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _connection_to(path: Path) -> Connection:
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(str(path))
        return Connection(end.detach())


def _leave_connections(kept: int) -> None:
    """Takes the connections of the process that this one was copied from out of its hands.

    Their numbers stay taken: objects that are here as well may close them some day.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in [int(path.name) for path in Path("/dev/fd").iterdir()]:
        with suppress(OSError):
            if number != kept and stat.S_ISSOCK(os.fstat(number).st_mode):
                os.dup2(nothing, number)


def is_running(process: int) -> bool:
    """Whether a process is there that has not ended, if only its parent did not take notice."""
    with suppress(OSError):  # there is no such folder on all systems
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(process, 0)
    except OSError:  # another user's process may have its number
        return False
    return True
