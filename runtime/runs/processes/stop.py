"""How a run ends when a signal asks it to, and does what other threads ask for between two ticks."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import RawIOBase
from select import POLLIN, poll, select
from time import monotonic, process_time, sleep
from typing import Any, NoReturn

from lars2asp.runtime.errors import Terminated
from lars2asp.runtime.runs.processes.child_processes import TO_END, signals_held

INTERRUPTED, TERMINATED = 130, 143
"""The exit statuses after SIGINT and SIGTERM."""

TURN_SECONDS = 0.02
"""How often the thread that watches looks, after a signal, whether the process has heard of it."""

PATIENCE = 50
"""In turns: how long a process that is asked to end may take to come to a place where it can.

A process that gets no turn itself, as others keep the machine busy, is not said to take long.
"""

PATIENCE_CPU_SECONDS = 2.0
"""The same in seconds of processor time: the thread that watches gets few turns while Python sorts many
rows, as no other thread has one before such a call is over."""

END_SECONDS = 1.0
"""For how long a run that is ending waits for what others have under way."""

NUDGES = 10
"""In turns: how long it is looked whether a signal was heard of."""

LOOK_SECONDS = 1.0

ERRAND = signal.SIGUSR1
"""Wakes the main thread while it waits; it ends nothing."""

NUDGE = signal.SIGURG
"""Wakes the main thread once more; nobody else hears of it, as it is ignored where nothing takes it."""

RELOAD = signal.SIGHUP
"""Asks to read tables again, where a run does so."""

AT_ONCE = 0.5
"""In seconds: a signal that comes later than this after the first one asks to end there and then. One that
comes earlier is the same request: a terminal sends it to all processes, and the first of them sends it on."""

TURNS_TO_SPEAK = 10
"""In how many turns the last words are waited for: a thread that waits once, while Python sorts many rows,
may be the first to go on."""


@contextmanager
def orderly_end() -> Iterator[None]:
    """SIGTERM raises Terminated within the context."""

    def terminate(*_: object) -> NoReturn:
        raise Terminated

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def prompt_end() -> Iterator[None]:
    """SIGINT and SIGTERM end the process within the context, also while clingo lets no signal through.

    They raise KeyboardInterrupt or Terminated. What has not ended by that within PATIENCE is ended there and
    then, as there is nothing to be kept.
    """
    with Stop(insists=True).watched():
        yield


class Stop:
    """Ends a process that is asked to (SIGINT, SIGTERM) where nothing is half done.

    Outside `deferred` a signal raises KeyboardInterrupt or Terminated at once. Within, it does so at the next
    `check` and while the process waits (`waiting`). clingo lets no signal through while it grounds or solves,
    and a write may wait for ever for whoever reads: a thread therefore ends a process that comes to no such
    place within PATIENCE, or is asked once more.

    Args:
        last_words: called before such an end, to write what is still in buffers; it may take a moment only.
        insists: whether the process is also ended if an exception was raised that did not end it.

    Attributes:
        before_waiting: called before a stream is waited for.
    """

    def __init__(self, last_words: Callable[[], None] = lambda: None, *, insists: bool = False) -> None:
        self._last_words = last_words
        self._insists = insists
        self.asked: int | None = None
        """The signal that came first."""
        self._is_deferred = False
        self._is_waiting = False
        self._is_raised = False
        """Whether the exception for it was raised; an Event would lock itself in a second handler."""
        self._is_left = False
        """Whether what is watched is over."""
        self._is_met = False
        """Whether the first request is met."""
        self._child = 0
        """The process that does the work in place of this one, if there is one."""
        self._errands: Callable[[], None] | None = None
        self.has_errands = False
        """Whether `check` is to run errands."""
        self._is_running_errands = False
        self._is_awaited = False
        """Whether a request to end is what is waited for."""
        self._is_reload_asked = False
        self.before_waiting: Callable[[], None] = lambda: None
        self._beside: list[tuple[int, Callable[[], None]]] = []
        """What else is looked at while there is nothing to read, by file descriptors."""
        self._had_terminal = False
        """Whether there was a terminal that may be closed, which is told by the same signal."""

    @contextmanager
    def taking_reloads(self) -> Iterator[None]:
        """Within, SIGHUP asks for a reload; where it tells that the terminal was closed it ends the run.

        It stays ignored where it was. Only the main thread can.
        """
        is_ignored = signal.getsignal(RELOAD) is signal.SIG_IGN
        if is_ignored or threading.current_thread() is not threading.main_thread():
            yield
            return
        self._had_terminal = os.isatty(0)
        before = signal.signal(RELOAD, self._take_reload)
        try:
            yield
        finally:
            signal.signal(RELOAD, before)

    def _take_reload(self, *_: object) -> None:
        if self._child:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(self._child, RELOAD)
        elif self._had_terminal and not os.isatty(0):
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            self._is_reload_asked = True

    def takes_reload(self) -> bool:
        """Whether a reload was asked for since this was called last."""
        asked, self._is_reload_asked = self._is_reload_asked, False
        return asked

    @contextmanager
    def running(self, errands: Callable[[], None], *, wakes: bool) -> Iterator[Callable[[], None]]:
        """Within, another thread may ask for errands, which this thread runs between two ticks.

        They are run at the next `check`.

        Args:
            errands: runs all that is asked for.
            wakes: whether they are also run at once while the process is `waiting`; for the main thread of a
                process of ours, as it takes a signal.

        Yields what the other thread calls.
        """
        thread = threading.get_ident()
        before = signal.signal(ERRAND, self._run_errands_while_waiting) if wakes else None
        self._errands = errands

        def ask() -> None:
            self.has_errands = True
            if wakes:
                signal.pthread_kill(thread, ERRAND)

        try:
            yield ask
        finally:
            self._errands, self.has_errands = None, False
            if wakes:
                signal.signal(ERRAND, before)

    def _run_errands_while_waiting(self, *_: object) -> None:
        if not self._is_deferred and self.has_errands:
            self._run_errands()

    def _run_errands(self) -> None:
        if self._is_running_errands:  # another signal came meanwhile
            return
        self.has_errands = False
        if self._errands is not None:
            self._is_running_errands = True
            try:
                self._errands()
            finally:
                self._is_running_errands = False

    def until_asked(self, is_over: Callable[[], bool]) -> None:
        """Waits until the process is asked to end, or there is nothing to wait for any more.

        The request is then met: what follows goes on as without it.

        Args:
            is_over: whether there is nothing to wait for; looked at each second.
        """
        self._is_awaited = True
        with suppress(KeyboardInterrupt, Terminated), self.deferred(), self.waiting():
            while not is_over():
                sleep(LOOK_SECONDS)
        self.met()

    def met(self) -> None:
        """The request is met; another one may come."""
        self._is_met = self._is_met or self.asked is not None
        self.asked, self._is_raised = None, False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Signals are taken within; those that are ignored stay so. Only the main thread can."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        taken = [number for number in TO_END if signal.getsignal(number) is not signal.SIG_IGN]
        before: dict[int, Any] = {number: signal.signal(number, self._take) for number in taken}
        before[NUDGE] = signal.signal(NUDGE, lambda *_: None)
        read_end, write_end = os.pipe()
        os.set_blocking(write_end, False)
        wakeup = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
        watcher = threading.Thread(target=self._watch, args=(read_end, taken), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            self._is_raised = self._is_left = True
            os.close(write_end)
            watcher.join(AT_ONCE)
            os.close(read_end)

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Within, a signal ends the process at a `check` or while it is `waiting`."""
        before, self._is_deferred = self._is_deferred, True
        try:
            yield
        finally:
            self._is_deferred = before

    @contextmanager
    def waiting(self) -> Iterator[float | None]:
        """Within, a signal ends the process at once. Raises KeyboardInterrupt or Terminated.

        Yields for how many seconds may be waited: not without end (None) where the process is ending, which
        is then not asked for once more.
        """
        if self.asked is not None and self._is_raised:
            yield END_SECONDS
            return
        before = self._is_deferred, self._is_waiting
        self._is_deferred, self._is_waiting = False, True
        try:
            self.check()
            yield None
        finally:
            self._is_deferred, self._is_waiting = before

    def look_beside(self, readable: int, look: Callable[[], None]) -> None:
        """From here on waiting also calls a function when there is something to read of a descriptor."""
        self._beside.append((readable, look))

    def wait_for(self, stream: RawIOBase) -> None:
        """Waits until there is something to read. Raises what `has_come` and `before_waiting` raise."""
        self.before_waiting()
        self.has_come(stream.fileno(), None)

    def has_come(self, waited: int, seconds: float | None) -> bool:
        """Whether there is something to read of a descriptor before some seconds are over; None: for ever.

        Raises KeyboardInterrupt or Terminated, and what is raised by what is looked at meanwhile.
        """
        readable = poll()
        for descriptor in (waited, *(one for one, _ in self._beside)):
            readable.register(descriptor, POLLIN)
        end = None if seconds is None else monotonic() + seconds
        while True:
            left = None if end is None else max(0.0, end - monotonic())
            with self.waiting():
                found = {one for one, _ in readable.poll(None if left is None else 1000 * left)}
            for descriptor, look in self._beside:
                if descriptor in found:
                    look()
            if waited in found:
                return True
            if left == 0:
                return False

    def check(self) -> None:
        """Runs errands. Raises KeyboardInterrupt or Terminated if the process is asked to end."""
        if self.asked is not None:
            self._raise(self.asked)
        if self.has_errands:
            self._run_errands()

    def fork(self) -> int:
        """Forks a process that does the work from here on; 0 in the new one, where `watched` is entered anew.

        Signals are passed on to it, also those that came before.
        """
        before = self.asked
        with signals_held():
            self._child = os.fork()
            if not self._child:
                signal.set_wakeup_fd(-1)
                self._is_raised = self._is_met = False
                self._is_deferred = True
        if self._child and self.asked is not None and before is None:
            self._pass_on(self.asked)  # it came when there was nobody to pass it on to
        return self._child

    def wait(self) -> int:
        """Waits for the process that `fork` has made, and gives its exit status; below 0 for signals."""
        try:
            _, ended = os.waitpid(self._child, 0)
        finally:
            self._child = 0
        return os.waitstatus_to_exitcode(ended)

    def _take(self, number: int, _: object) -> None:
        self.asked = self.asked or number
        if self._child:
            self._pass_on(number)
        elif not self._is_deferred and not self._is_raised:
            self._raise(number)

    def _pass_on(self, number: int) -> None:
        self._is_raised = True
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(self._child, number)

    def _raise(self, number: int) -> NoReturn:
        self._is_raised = True
        if number == signal.SIGTERM:
            raise Terminated
        raise KeyboardInterrupt

    def _watch(self, read_end: int, taken: list[signal.Signals]) -> None:
        """Ends the process if nothing else does; signals come as bytes."""
        signal.pthread_sigmask(signal.SIG_BLOCK, TO_END)  # they are for the main thread
        first = None
        patience = nudges = 0
        spent = process_time()
        if self.asked is not None:  # before this process was made
            first, patience = monotonic(), PATIENCE
        while True:
            is_turn = patience > 0 or nudges > 0
            if not select([read_end], [], [], TURN_SECONDS if is_turn else None)[0]:
                nudges -= 1
                self._nudge()
                patience -= 1
                if patience > 0 and process_time() - spent > PATIENCE_CPU_SECONDS:
                    patience = 0
                if patience == 0:
                    is_lost = self._insists and not self._is_left
                    if self.asked is not None and (is_lost or not self._is_raised) and not self._child:
                        self._end(self.asked)
                continue
            received = os.read(read_end, 1)
            if not received:
                return
            if received[0] not in taken:
                nudges = NUDGES if received[0] != NUDGE else nudges
                continue
            nudges = NUDGES
            if first is None:
                first, patience, spent = monotonic(), PATIENCE, process_time()
                if not self._is_awaited and not self._is_met:
                    self.asked = self.asked or received[0]
            elif monotonic() - first > AT_ONCE and not self._child:
                self._end(received[0])

    def _nudge(self) -> None:
        """Wakes the main thread if it waits and has not heard of a signal.

        Python hears of a signal between two instructions, and a call that waits is left for one. A signal
        that comes after the last instruction and before the call begins to wait is heard of when that ends.
        """
        is_asked = self.asked is not None and not self._is_raised
        if (is_asked or self.has_errands) and (self._is_waiting or self._child):
            with suppress(ProcessLookupError):
                signal.pthread_kill(threading.main_thread().ident or 0, NUDGE)

    def _end(self, number: int) -> NoReturn:
        """Ends the process there and then."""
        words = threading.Thread(target=self._speak, args=(number,), daemon=True)
        words.start()
        for _ in range(TURNS_TO_SPEAK):
            words.join(AT_ONCE / TURNS_TO_SPEAK)
        os._exit(TERMINATED if number == signal.SIGTERM else INTERRUPTED)

    def _speak(self, number: int) -> None:
        with suppress(Exception):
            self._last_words()
        if number == signal.SIGINT:
            sys.stderr.write("interrupted\n")
            sys.stderr.flush()
