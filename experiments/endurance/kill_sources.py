"""Where the records come from in runs that are interrupted, and which of them the runs say are missing."""

import re
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from lars2asp.runtime.connectors.tcp import TcpFeed

AT_ONCE = 20
"""Lines that are sent at once, where lines are sent."""

PAUSE = 0.02
"""In seconds, after each time."""

FOR_THE_LAST = 60
"""Lines that are left for the run that nothing interrupts: the last ones end it, and must not be lost."""

_MISSING = re.compile(
    r"of part (\d+) of the run it has (?:all up to (.*)|nothing), what came after that is lost"
)
_LINE = re.compile(r"line (\d+) of (\S+?)(?:,|$)")


class LineSource(ABC):
    """A source of records.

    Args:
        folder: where its files are.
        given: the lines.

    Attributes:
        name: what it is.
        is_followed: whether it is read by a process of its own, which words what is broken otherwise.
        can_be_read_again: whether nothing is ever missing.
        missing: the numbers of the lines that are.
    """

    name: ClassVar[str]
    is_followed: ClassVar[bool] = False
    can_be_read_again: ClassVar[bool] = True

    def __init__(self, folder: Path, given: Sequence[str]) -> None:
        self._folder = folder
        self._given = given
        self._next = 0
        self.missing: set[int] = set()

    @abstractmethod
    def arguments(self) -> list[str]:
        """The options for the input."""

    def start(self, run: "subprocess.Popen[bytes]") -> None:
        """A run was started, which takes the lines from now on."""
        assert run.stdin is not None

    def feed(self, seconds: float | None) -> None:
        """Sends lines for some time, or all that are left; where nothing is sent, time passes."""
        end = None if seconds is None else time.monotonic() + seconds
        last = len(self._given) - (0 if seconds is None else FOR_THE_LAST)
        while self._next < last and (end is None or time.monotonic() < end):
            self._send(self._given[self._next : min(last, self._next + AT_ONCE)])
            time.sleep(PAUSE)
        if end is not None:
            time.sleep(max(0.0, end - time.monotonic()))

    def ended(self, messages: str, has_kept: bool) -> None:  # noqa: B027 - nothing is to be done where all can be read again
        """A run has ended that said this; whether there is a checkpoint."""

    def over(self) -> None:  # noqa: B027 - as above
        """The last run has ended."""

    def _send(self, lines: Sequence[str]) -> None:
        self._next += len(lines)


class OneFile(LineSource):
    """A file."""

    name = "file"

    def __init__(self, folder: Path, given: Sequence[str]) -> None:
        super().__init__(folder, given)
        _write(self._file, given)
        self._next = len(given)

    @property
    def _file(self) -> Path:
        return self._folder / "input.jsonl"

    def arguments(self) -> list[str]:
        """The options for the input."""
        return ["--input", str(self._file)]


class Folder(LineSource):
    """The files of a folder."""

    name = "folder"

    def __init__(self, folder: Path, given: Sequence[str]) -> None:
        super().__init__(folder, given)
        (folder / "input").mkdir()
        size = len(given) // 4 + 1
        for number in range(4):
            _write(folder / f"input/{number}.jsonl", given[number * size : (number + 1) * size])
        self._next = len(given)

    def arguments(self) -> list[str]:
        """The options for the input."""
        return ["--input", str(self._folder / "input")]


class GrowingFile(LineSource):
    """A file that grows."""

    name = "growing file"
    is_followed = True

    def __init__(self, folder: Path, given: Sequence[str]) -> None:
        super().__init__(folder, given)
        _write(self._file, [])

    @property
    def _file(self) -> Path:
        return self._folder / "input.jsonl"

    def arguments(self) -> list[str]:
        """The options for the input."""
        return ["--input", str(self._file), "--follow"]

    def _send(self, lines: Sequence[str]) -> None:
        _write(self._file, lines)
        super()._send(lines)


class _Live(LineSource):
    """A source that cannot be read again: runs say which lines are missing."""

    is_followed = True
    can_be_read_again = False

    def __init__(self, folder: Path, given: Sequence[str]) -> None:
        super().__init__(folder, given)
        self._run: subprocess.Popen[bytes] | None = None
        self._part: int | None = None
        """The number of the current run within the whole, as far as it is known."""
        self._has_kept = False
        self._sent: list[tuple[str, range]] = []
        """The lines that were sent to it, by connection."""
        self._before: list[tuple[int | None, list[tuple[str, range]]]] = []
        """The same of runs before, of which it is not known what they have kept."""

    def start(self, run: "subprocess.Popen[bytes]") -> None:
        """A run was started, which takes the lines from now on."""
        if self._run is not None:
            self._before.append((self._part, self._sent))
            self._part, self._sent = None, []
        self._run = run

    def ended(self, messages: str, has_kept: bool) -> None:
        """A run has ended that said this, of the last one before it that had begun."""
        found = _MISSING.search(messages)
        if found is None:
            if has_kept and not self._has_kept:
                self._part, self._has_kept = 1, True
            return
        begun = int(found[1])
        self._part = begun + 1
        kept = {source: int(number) for number, source in _LINE.findall(found[2] or "")}
        last = max((number for number, (part, _) in enumerate(self._before) if part == begun), default=-1)
        for number, (_, sent) in enumerate(self._before):
            for source, numbers in sent:
                left = kept.get(source, 0) if number == last else 0
                self.missing |= set(numbers[left:])
                kept[source] = max(0, left - len(numbers)) if number == last else kept.get(source, 0)
        self._before.clear()

    def over(self) -> None:
        """The last run has ended; where it said nothing, none before it had come to keep anything."""
        self.missing |= {number for _, sent in self._before for _, numbers in sent for number in numbers}

    def _note(self, source: str, lines: Sequence[str]) -> None:
        self._sent.append((source, range(self._next, self._next + len(lines))))
        super()._send(lines)


class StandardInput(_Live):
    """Standard input."""

    name = "standard input"

    def arguments(self) -> list[str]:
        """The options for the input."""
        return ["--input", "-"]

    def _send(self, lines: Sequence[str]) -> None:
        assert self._run is not None
        assert self._run.stdin is not None
        with suppress(BrokenPipeError):
            self._run.stdin.write(_data(lines))
            self._run.stdin.flush()
        self._note("<stdin>", lines)


class Tcp(_Live):
    """A port to which lines are sent."""

    name = "tcp"

    def __init__(self, folder: Path, given: Sequence[str]) -> None:
        super().__init__(folder, given)
        feed = TcpFeed()
        feed.open()
        self._port = feed.port
        feed.close()
        self._connection: socket.socket | None = None
        self._source = ""

    def arguments(self) -> list[str]:
        """The options for the input."""
        return ["--input", f"tcp:{self._port}"]

    def start(self, run: "subprocess.Popen[bytes]") -> None:
        """A run was started, which takes the lines from now on."""
        super().start(run)
        self._close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _send(self, lines: Sequence[str]) -> None:
        if self._connection is None:
            try:
                self._connection = socket.create_connection(("127.0.0.1", self._port))
            except OSError:  # nobody listens yet
                return
            self._source = f"tcp:127.0.0.1:{self._connection.getsockname()[1]}"
        self._note(self._source, lines)
        try:
            self._connection.sendall(_data(lines))
        except OSError:
            self._close()


SOURCES: tuple[type[LineSource], ...] = (OneFile, Folder, GrowingFile, StandardInput, Tcp)


def _data(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _write(path: Path, lines: Sequence[str]) -> None:
    with path.open("ab") as file:
        file.write(_data(lines))
