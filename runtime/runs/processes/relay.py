"""Handing a run over from process to process, so that the memory that it takes stays bounded.

The first segment of the run is in this process, and for most runs it is the only one. When HandOver is
raised, this process forks another one, which runs the next segment, and waits for it. All further segments
are forked from here as well, so that they begin with the memory that this process has.
"""

import gc
import os
import signal
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from typing import IO, NoReturn

from lars2asp.runtime.errors import EvaluationError, InputError
from lars2asp.runtime.reasoning.snapshot import packed, unpacked
from lars2asp.runtime.runs.processes.child_processes import OrphanGuard
from lars2asp.runtime.runs.processes.stop import Stop
from lars2asp.runtime.runs.states.state_keeping import HandOver, State
from lars2asp.runtime.sources.text.text_files import flush_standard_streams

HANDED_OVER = 100
"""The exit status of a process after which another one goes on."""

ReportErrors = Callable[[Callable[[], int]], int]
"""Calls a function, and turns what it raises into a message and an exit status."""

RunSegment = Callable[[State | None], int]
"""Runs on from a state, or from the beginning, and returns the exit status, or raises HandOver."""


def relay(
    segment: RunSegment,
    state: State | None,
    report: ReportErrors,
    stop: Stop,
    *,
    is_apart: bool = False,
) -> int:
    """Runs segments until the end; the exit status. Raises EvaluationError if a process was killed.

    Args:
        segment: runs a segment.
        state: from which the first segment runs on.
        report: for the segments that run in processes of their own.
        stop: takes the signals that ask the run to end.
        is_apart: whether the first segment runs in a process of its own as well.
    """
    with stop.deferred(), ExitStack() as stack:
        if not is_apart:
            try:
                return segment(state)
            except HandOver as handed_over:
                state = handed_over.state
        from tempfile import TemporaryFile  # noqa: PLC0415 - most runs are not handed over

        baton = stack.enter_context(TemporaryFile())
        _write(baton, state)
        state = None
        while True:
            gc.collect()
            status = _run_apart(segment, baton, report, stop)
            if status != HANDED_OVER:
                return status


def _run_apart(segment: RunSegment, baton: IO[bytes], report: ReportErrors, stop: Stop) -> int:
    """Runs a segment in a process of its own, and returns its exit status. Raises EvaluationError."""
    flush_standard_streams()
    guard = OrphanGuard()
    if not stop.fork():
        _run_and_exit(lambda: _run_segment(segment, baton), report, guard, stop)
    try:
        status = stop.wait()
    finally:
        guard.release()
    if status < 0:
        raise EvaluationError(f"{signal.Signals(-status).name} killed the process of the run")
    return status


def _run_and_exit(run: Callable[[], int], report: ReportErrors, guard: OrphanGuard, stop: Stop) -> NoReturn:
    """Runs a segment in its process, and ends that."""
    status = 1
    try:
        guard.watch_parent()
        with stop.watched():
            status = report(run)
            flush_standard_streams()
    except Exception:
        traceback.print_exc()
        status = 1
    finally:
        os._exit(status)


def _run_segment(segment: RunSegment, baton: IO[bytes]) -> int:
    baton.seek(0)
    try:
        return segment(unpacked(baton.read())["state"])
    except HandOver as handed_over:
        _write(baton, handed_over.state)
        return HANDED_OVER


def _write(baton: IO[bytes], state: State | None) -> None:
    try:
        baton.seek(0)
        baton.truncate()
        baton.write(packed({"state": state}))
        baton.flush()
    except OSError as error:
        from tempfile import gettempdir  # noqa: PLC0415

        raise InputError(f"{gettempdir()}: cannot write the state here: {error.strerror}") from error
