"""How long clingo, and rules that `delta` evaluates, may take for a tick; and an explanation.

clingo cannot be interrupted while it grounds. Under a limit it therefore works in a thread of its own, which
is left to itself when time is over: only the end of the process ends it.
"""

import atexit
import gc
import os
import sys
from collections.abc import Callable
from threading import Lock, Thread, get_ident
from time import monotonic, sleep
from typing import TypeVar
from weakref import ref

from lars2asp.runtime.errors import TickTimeoutError
from lars2asp.runtime.sources.text.text_files import flush_standard_streams

T = TypeVar("T")

_POLL = 0.05
"""In seconds: how often the time is looked at, at least."""

GRACE = 1.0
"""In seconds: how long to wait for the end of a search that was interrupted."""


class TickLimit:
    """The time that clingo may take for a tick, with the `@`-functions that it calls, and recursion.

    Args:
        seconds: how long, for all components together.
        work: what `check` says that takes longer.

    Attributes:
        is_stuck: whether clingo went on with some work when its time was over.
    """

    def __init__(self, seconds: float, work: str = "evaluation") -> None:
        self._seconds = seconds
        self._work = work
        self._end: float | None = None
        self._lock = Lock()
        self._working: int | None = None
        """The thread with work that may be interrupted."""
        self._next_interrupt = 0.0
        """When it is interrupted again at the earliest, if it goes on."""
        self._watchdog: Thread | None = None
        self.is_stuck = False

    def begin(self) -> None:
        """Begins the time of a tick."""
        self._end = monotonic() + self._seconds

    def end(self) -> None:
        """Ends the time of a tick; clingo is not limited before the next one."""
        self._end = None

    def check(self) -> None:
        """Raises TickTimeoutError if time is over, for work that asks now and then."""
        if self._end is not None and monotonic() > self._end:
            raise TickTimeoutError(f"{self._work} takes longer than {self._seconds:g} s")

    def interrupted(self, work: Callable[[], T]) -> T:
        """The result of some work in Python, which is interrupted anywhere when time is over.

        What it changes must be of no use to others then. Raises TickTimeoutError.
        """
        if self._end is None:
            return work()
        if self._watchdog is None:
            import ctypes  # noqa: F401, PLC0415 - not in the middle of work

            self._watchdog = Thread(
                target=_watch, args=(ref(self), min(self._seconds / 4, _POLL)), daemon=True
            )
            self._watchdog.start()
        collects = gc.isenabled()
        gc.disable()  # Python drops, and prints, an error that is raised in a `__del__`
        try:
            with self._lock:
                self._working = get_ident()
                self._next_interrupt = 0.0
            found = work()
            self._leave()
            return found
        except _TimeIsOver:
            self._leave()
            raise TickTimeoutError(f"{self._work} takes longer than {self._seconds:g} s") from None
        finally:
            self._leave()
            if collects:
                gc.enable()

    def _leave(self) -> None:
        """Ends work that may be interrupted: nothing is raised from here on."""
        with self._lock:
            _interrupt(get_ident(), None)
            self._working = None

    def interrupt_if_over(self) -> None:
        """Interrupts such work, in another thread, if time is over.

        It does so again until the work ends: an error that is raised in a `__del__` or a callback is lost.
        """
        with self._lock:
            now = monotonic()
            if self._working is None or self._end is None or now < max(self._end, self._next_interrupt):
                return
            _interrupt(self._working, _TimeIsOver)
            self._next_interrupt = now + _POLL

    def run(self, work: Callable[[], T], interrupt: Callable[[], None] | None = None) -> T:
        """The result of some work of clingo; there is no limit before the first tick begins.

        Args:
            work: the work.
            interrupt: ends it soon, where that is possible.

        Raises:
            TickTimeoutError: if time is over.
        """
        if self._end is None:
            return work()
        from concurrent.futures import Future, wait  # noqa: PLC0415 - limits are rare

        result: Future[T] = Future()

        def run() -> None:
            try:
                result.set_result(work())
            except BaseException as error:  # raised in the waiting thread
                result.set_exception(error)

        thread = Thread(target=run, daemon=True)
        thread.start()
        is_in_time = False
        try:
            is_in_time = bool(wait([result], max(0.0, self._end - monotonic())).done)
        finally:
            if not is_in_time:
                if interrupt is not None:
                    interrupt()
                if not wait([result], GRACE if interrupt is not None else 0.0).done:
                    self.is_stuck = True
                    _stuck.append(thread)
        if not is_in_time:
            raise TickTimeoutError(f"clingo takes longer than {self._seconds:g} s")
        return result.result()


class _TimeIsOver(BaseException):
    """Is raised in the middle of work."""


def _interrupt(thread: int, error: type[BaseException] | None) -> None:
    """Raises an error in a thread soon, or none that was to be raised."""
    from ctypes import c_ulong, py_object, pythonapi  # noqa: PLC0415 - limits are rare

    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), None if error is None else py_object(error))


def _watch(limit: "ref[TickLimit]", seconds: float) -> None:
    """Looks at the time, as long as there is the limit."""
    while (found := limit()) is not None:
        found.interrupt_if_over()
        del found
        sleep(seconds)


_stuck: list[Thread] = []
"""The threads that were left to themselves."""


def _end_at_once() -> None:
    """Ends the process where clingo is at work: what C++ does at the end would crash it."""
    if any(thread.is_alive() for thread in _stuck):
        flush_standard_streams()
        os._exit(1 if getattr(sys, "last_value", None) is not None else 0)


atexit.register(_end_at_once)
