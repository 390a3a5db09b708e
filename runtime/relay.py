"""A run is handed over from process to process, so that the memory it takes does not grow without end.

The first leg of the run is in this process, and for most runs it is the only one. When HandOver is raised,
this process makes another one, which runs the next leg, and waits for it. All further legs are made from here
as well, so that they begin with the memory that this process has.
"""

import gc
import os
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from tempfile import TemporaryFile
from typing import IO, NoReturn

from runtime.errors import EvaluationError
from runtime.keeping import HandOver, State
from runtime.processes import Leash, Terminated
from runtime.snapshot import packed, unpacked
from runtime.text_files import flush_standard_streams

HANDED_OVER = 100
"""The exit status of a process that another one is to go on after."""

_TO_END = (signal.SIGINT, signal.SIGTERM)

Leg = Callable[[State | None], int]
"""Runs on from a state, or from the beginning, and gives the exit status in the end, or raises HandOver."""


def relay(leg: Leg, state: State | None, report: Callable[[Callable[[], int]], int]) -> int:
    """Runs legs until the end, and gives the exit status.

    Args:
        leg: runs a leg.
        state: from which the first leg runs on.
        report: calls a function and makes an exit status of what it raises, with a message; for the legs that
            run in processes of their own.

    Raises:
        EvaluationError: if a process was ended from outside.
    """
    with TemporaryFile() as baton:
        try:
            return leg(state)
        except HandOver as handed_over:
            _write(baton, handed_over.state)
        state = None
        while True:
            gc.collect()
            status = _run_apart(leg, baton, report)
            if status != HANDED_OVER:
                return status


def _run_apart(leg: Leg, baton: IO[bytes], report: Callable[[Callable[[], int]], int]) -> int:
    """Runs a leg in a process of its own, and gives its exit status.

    Raises:
        EvaluationError: if the process was ended from outside.
        KeyboardInterrupt, Terminated: if this one was asked to end when the other one had handed over.
    """
    flush_standard_streams()
    leash = Leash()
    process = 0
    asked: list[int] = []

    def pass_on(received: int, _: object) -> None:
        asked.append(received)
        if process:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(process, received)

    handlers = {number: signal.signal(number, pass_on) for number in _TO_END}
    process = os.fork()
    if not process:
        _run_and_exit(lambda: _run_leg(leg, baton), report, leash, asked)
    try:
        for number in asked:
            os.kill(process, number)
        _, ended = os.waitpid(process, 0)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        leash.release()
    status = os.waitstatus_to_exitcode(ended)
    if status < 0:
        raise EvaluationError(f"the process that ran was ended by {signal.Signals(-status).name}")
    if asked and status == HANDED_OVER:
        _end(asked[0])
    return status


def _run_and_exit(
    run: Callable[[], int], report: Callable[[Callable[[], int]], int], leash: Leash, asked: list[int]
) -> NoReturn:
    """Runs a leg in the process that was made for it, and ends that."""
    status = HANDED_OVER
    try:
        leash.bind()
        for number in _TO_END:
            signal.signal(number, _end_once)
        if asked:
            _end(asked[0])
        status = report(run)
        flush_standard_streams()
    except Exception:
        traceback.print_exc()
        status = 1
    finally:
        os._exit(status)


def _end_once(received: int, _: object) -> None:
    """The first signal ends the leg; a terminal sends it to all processes, and this one has it twice."""
    for number in _TO_END:
        signal.signal(number, signal.SIG_IGN)
    _end(received)


def _end(received: int) -> NoReturn:
    raise Terminated if received == signal.SIGTERM else KeyboardInterrupt


def _run_leg(leg: Leg, baton: IO[bytes]) -> int:
    baton.seek(0)
    try:
        return leg(unpacked(baton.read()))
    except HandOver as handed_over:
        _write(baton, handed_over.state)
        return HANDED_OVER


def _write(baton: IO[bytes], state: State) -> None:
    baton.seek(0)
    baton.truncate()
    baton.write(packed(state))
    baton.flush()
