"""Lines that another process delivers, so that what takes them may be slow, or gone for a while.

A pipe is the queue: when it is full, about 64 KiB, the reasoner waits. All processes of a run that is handed
over write to the same pipe. With each batch that was taken the other process says so before it sends the next
one, so that an interrupted run sends at most one batch twice.
"""

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import field
from functools import partial
from io import TextIOBase
from select import select
from time import monotonic
from typing import Any
from zlib import crc32

from lars2asp.runtime.connectors.delivering import Destination, PartlyTaking, batches
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError, Terminated
from lars2asp.runtime.runs.processes.child_processes import OrphanGuard, fork_undisturbed
from lars2asp.runtime.runs.processes.stop import END_SECONDS
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")

MOST_BYTES = 2**20
"""The most that is read of a pipe at once."""

LAST_SECONDS = 8.0
"""For how long a run that is ending waits for the answer to what is being sent: who asks for the end of a
process mostly waits 10 seconds before it kills it."""

_END = b"end"
"""This line is the last one, however many processes could still write."""

_ASK = b""
"""An empty line asks how many lines are delivered. The answer comes when all before it are dealt with."""

_DELIVERED, _RETURNED, _FAILED = b"=", b"<", b"!"
"""What the other process says begins so: how many lines are delivered, a line that is not, why it gave up."""


@dataclass(frozen=True)
class Delivered:
    """How far the lines of a run were delivered before it goes on.

    Attributes:
        number: how many were, as the checkpoint says.
        waiting: those that came next, and were not.
        known: of those that were delivered after the checkpoint, by their numbers (from 1), the checksums.
        note: keeps that lines were delivered, the first of which has a number.
    """

    number: int = 0
    waiting: Sequence[str] = ()
    known: Mapping[int, int] = field(default_factory=dict)
    note: Callable[[int, Sequence[bytes]], None] = lambda _first, _lines: None


class Delivery(TextIOBase):
    """A stream of lines that another process delivers, as long as the context lasts.

    Args:
        destination: takes the lines.
        waiting: a context that is entered while this process waits for the other one, which gives for how
            many seconds it may; None: without end.
        delivered: where it goes on.
        posting: how often the destination is tried, and where what it does not take goes.

    Writing raises InputError when the destination has given up. Where the run is asked to end, what could not
    be sent stays for `state`, and no error is raised.

    Attributes:
        name: that of the destination.
    """

    def __init__(
        self,
        destination: Destination,
        waiting: Callable[[], AbstractContextManager[float | None]] = nullcontext,
        delivered: Delivered | None = None,
        posting: Posting | None = None,
    ) -> None:
        self.name = destination.name
        self._waiting = waiting
        self._delivered = delivered or Delivered()
        self._courier = _Courier(destination, self._delivered, posting or Posting())
        self._lines: list[str] = []
        self._unsent = bytearray()
        """What was written out, and the pipe has not taken yet."""
        self._asked = self._answered = 0
        """How often it was asked how many lines are delivered, and answered."""
        self._number = 0
        self._returned: list[str] = []
        self._said = b""
        self._failure: str | None = None
        self._is_over = False
        """Whether the other process has ended."""

    def __enter__(self) -> "Delivery":
        lines, self._pipe = os.pipe()
        self._answers, answers = os.pipe()
        halt, self._halt = os.pipe()
        os.set_blocking(self._pipe, False)
        self._guard = OrphanGuard()
        self._process = fork_undisturbed()
        if not self._process:
            self._guard.watch_parent()
            for other in (self._pipe, self._answers, self._halt):
                os.close(other)
            try:
                self._courier.work(lines, answers, halt)
            finally:
                os._exit(0)
        for other in (lines, answers, halt):
            os.close(other)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Waits until all is delivered, or for a moment where an error ends the run."""
        patience, is_over = None if kind is None else END_SECONDS, False
        try:
            if kind is None or not issubclass(kind, InputError):
                self._gather()
                self._exchange(lambda: not self._unsent, patience)
            self._unsent.clear()
            os.close(self._pipe)
            is_over = self._exchange(lambda: False, patience)
        finally:
            self._guard.release()
            os.waitpid(self._process, 0)
            os.close(self._answers)
            os.close(self._halt)
        if is_over and kind is None:
            self._check()
        elif not is_over:
            _log.warning("%s: not all answers were delivered when the run ended", self.name)

    def begin(self) -> None:
        """Sends what was not delivered when the run was interrupted. Raises what `flush` raises."""
        self._lines += self._delivered.waiting
        self.flush()

    def write(self, text: str) -> int:
        """Takes text, which `flush` sends."""
        self._lines.append(text)
        return len(text)

    def flush(self) -> None:
        """Sends what was written. Raises InputError where the destination has given up."""
        self._gather()
        if not self._unsent:
            return
        self._send()
        if self._unsent:
            with suppress(KeyboardInterrupt, Terminated):  # whoever runs looks whether the run is to end
                self._exchange(lambda: not self._unsent, None)
        self._check_takes()

    @property
    def answers(self) -> int:
        """The descriptor of what the other process says; `look` takes it."""
        return self._answers

    def look(self) -> None:
        """Takes what the other process has said. Raises InputError where the destination has given up."""
        self._listen()
        self._check_takes()

    def end(self) -> None:
        """Waits until all is delivered; nothing is written any more. Raises InputError where it cannot be."""
        self._lines.append(f"{_END.decode()}\n")
        self.flush()
        self._exchange(lambda: False, None)
        self._check()

    def state(self) -> dict[str, Any]:
        """How many lines are delivered, and those that are not, as JSON has it.

        Waits until all are; where the run is ending, only for what is being sent. Raises InputError where the
        destination has given up, or does not answer.
        """
        self._gather()
        self._unsent += _ASK + b"\n"
        self._asked += 1
        with self._waiting() as most:
            is_ending = most is not None
        if is_ending:
            os.write(self._halt, b"\n")
        is_said = self._exchange(lambda: self._answered == self._asked, LAST_SECONDS if is_ending else None)
        self._check()
        if not is_said or self._answered < self._asked:
            raise InputError(f"{self.name}: not all answers were delivered")
        waiting, self._returned = self._returned, []
        if waiting:
            answers = "1 answer waits" if len(waiting) == 1 else f"{len(waiting)} answers wait"
            _log.warning("%s: %s to be delivered when the run goes on", self.name, answers)
        known = [one for one in self._delivered.known.items() if one[0] > self._number]
        return {"number": self._number, "waiting": waiting} | ({"known": known} if known else {})

    def _gather(self) -> None:
        self._unsent += "".join(self._lines).encode()
        self._lines.clear()

    def _send(self) -> None:
        """Sends as much as the pipe takes."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self._pipe, self._unsent)]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # the other process has ended, and has said why
            self._unsent.clear()
            self._exchange(lambda: False, None)

    def _exchange(self, is_done: Callable[[], bool], patience: float | None) -> bool:
        """Sends, and takes what is said, until something is so, or the other process has ended.

        Args:
            is_done: whether it is so.
            patience: for how many seconds it may take; None: as long as `waiting` says.

        Whether it came to that in time. Raises what `waiting` raises, while nothing is half done.
        """
        begin = monotonic()
        while not self._is_over and not is_done():
            with self._waiting() as most:
                bound = most if patience is None else patience
                left = None if bound is None else max(0.0, begin + bound - monotonic())
                sending = [self._pipe] if self._unsent else []
                readable, writable, _ = select([self._answers], sending, [], left)
            if readable:
                self._listen()
            if writable:
                self._send()
            if not readable and not writable:
                return False
        return True

    def _listen(self) -> None:
        """Takes what the other process says."""
        said = os.read(self._answers, MOST_BYTES)
        self._is_over = not said
        *whole, self._said = (self._said + said).split(b"\n")
        for one in whole:
            kind, text = one[:1], one[1:]
            if kind == _DELIVERED:
                self._answered += 1
                self._number = int(text)
            elif kind == _RETURNED:
                self._returned.append(f"{text.decode()}\n")
            else:
                self._failure = text.decode(errors="replace")

    def _check_takes(self) -> None:
        """Raises InputError where the other process has ended, which takes nothing any more."""
        if self._is_over:
            self._check()
            raise InputError(f"{self.name}: the process that delivers answers was killed")

    def _check(self) -> None:
        """Raises InputError where the destination has given up."""
        if self._failure is not None:
            raise InputError(self._failure)


class _Courier:
    """Delivers lines in the other process."""

    def __init__(self, destination: Destination, delivered: Delivered, posting: Posting) -> None:
        self._destination = destination
        self._posting = posting
        self._number = delivered.number
        self._known = dict(delivered.known)
        self._note = delivered.note
        self._is_halted = False

    def work(self, lines: int, answers: int, halt: int) -> None:
        """Delivers the lines of a pipe until it ends, or the destination gives up, which is then said."""
        self._answers, self._halt = answers, halt
        try:
            self._deliver_all(lines)
            if not self._is_halted:
                self._destination.close()
        except Lars2aspError as error:
            self._say(_FAILED, str(error).replace("\n", " ").encode(errors="replace"))
        except Exception as error:  # it is said in the other process
            text = f"{self._destination.name}: {type(error).__name__}: {error}"
            self._say(_FAILED, text.replace("\n", " ").encode(errors="replace"))

    def _deliver_all(self, lines: int) -> None:
        rest = b""
        while data := os.read(lines, MOST_BYTES):
            *whole, rest = (rest + data).split(b"\n")
            waiting: list[bytes] = []
            for line in whole:
                if line and line != _END:
                    waiting.append(line)
                    continue
                self._deliver(waiting)
                waiting = []
                if line == _END:
                    return
                self._say(_DELIVERED, b"%d" % self._number)
            self._deliver(waiting)

    def _deliver(self, lines: list[bytes]) -> None:
        """Delivers lines, or gives them back where the run is ending."""
        for batch in batches(self._new(lines), self._destination.most_lines):
            taken = len(batch)
            if self._is_over():
                taken = 0
            elif not self._is_delivered(batch):
                taken = self._destination.withdraw() if isinstance(self._destination, PartlyTaking) else 0
            for line in batch[taken:]:
                self._say(_RETURNED, line)
            if taken:
                self._note(self._number + 1, batch[:taken])
                self._number += taken

    def _is_delivered(self, batch: Sequence[bytes]) -> bool:
        """Delivers lines, if need be to the dead letters; whether it came to that. Raises InputError."""
        name, letters = self._destination.name, self._posting.dead_letters
        try:
            attempt = partial(self._destination.deliver, batch)
            return self._posting.retries.until_done(attempt, name, self._pause)
        except InputError as error:
            if letters is None:
                raise
            if isinstance(self._destination, PartlyTaking):
                self._destination.withdraw()
            _log.warning("%s; see %s", error, letters.path)
            letters.add(name, str(error), batch)
            return True

    def _new(self, lines: list[bytes]) -> list[bytes]:
        """Lines without those at the beginning that were delivered before the run was interrupted."""
        first = 0
        while self._known and first < len(lines):
            checksum = self._known.pop(self._number + 1, None)
            if checksum != crc32(lines[first]):
                if checksum is not None:
                    _log.warning(
                        "%s: answers differ from those that were delivered before: they are sent anew",
                        self._destination.name,
                    )
                self._known.clear()
                break
            self._number += 1
            first += 1
        return lines[first:]

    def _is_over(self) -> bool:
        return self._pause(0)

    def _pause(self, seconds: float) -> bool:
        """Waits; whether nothing is to be delivered any more."""
        self._is_halted = self._is_halted or bool(select([self._halt], [], [], seconds)[0])
        return self._is_halted

    def _say(self, kind: bytes, text: bytes) -> None:
        left = memoryview(kind + text + b"\n")
        while left:
            left = left[os.write(self._answers, left) :]
