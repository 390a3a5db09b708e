"""Runs cases in a process of their own, so that hangs and crashes are found and which case they are of."""

import faulthandler
import logging
import multiprocessing
import os
import re
import resource
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Timer
from typing import Protocol

from experiments.fuzzing.outcomes import ROOT, Finding, FuzzOutcome, kind_of

MEMORY = 3 * 1024**3
"""Bytes of address space of a worker."""

_FRAME = re.compile(r'File "([^"]+)"')
_DUMP = "(most recent call first):"
OUT_OF_MEMORY = ("bad_alloc", "MemoryError", "out of memory")
Enter = Callable[[str, str], None]
"""Called with a stage of a case and the text it works on, when it begins."""


class FuzzTask(Protocol):
    """Cases by number, each of them always the same."""

    @property
    def limits(self) -> Mapping[str, float]:
        """How many seconds each stage may take."""
        ...

    @property
    def lenient(self) -> frozenset[str]:
        """The stages that may take long or much memory without that being a mistake of ours."""
        ...

    def run(self, case: int, enter: Enter) -> FuzzOutcome:
        """The outcome of a case."""
        ...

    def text(self, case: int, stage: str) -> str:
        """The text of a case that did not come to its end."""
        ...

    def has_no_end(self, case: int) -> bool:
        """Whether a case says itself that it takes for ever."""
        ...


def outcomes(task: FuzzTask, cases: Iterable[int]) -> Iterator[FuzzOutcome]:
    """The outcome of each case, in order; those that hang or crash are findings, too."""
    waiting = list(cases)
    waiting.reverse()
    while waiting:
        with _Worker(task, waiting) as worker:
            yield from worker.outcomes()


class _Worker:
    """A process that works on cases until one of them stops it; `waiting` loses those that are done."""

    def __init__(self, task: FuzzTask, waiting: list[int]) -> None:
        self._task = task
        self._waiting = waiting

    def __enter__(self) -> "_Worker":
        context = multiprocessing.get_context("spawn")
        self._errors = tempfile.NamedTemporaryFile(prefix="fuzz-", suffix=".stderr")
        self._here, there = context.Pipe()
        arguments = (self._task, self._waiting[::-1], there, self._errors.name)
        self._process = context.Process(target=_work, args=arguments, daemon=True)
        self._process.start()
        there.close()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()
        self._here.close()
        self._errors.close()

    def outcomes(self) -> Iterator[FuzzOutcome]:
        """The outcomes of the cases, to the first that hangs or crashes."""
        stage, seconds = "start", 60.0
        while self._waiting:
            try:
                message = self._here.recv() if self._here.poll(seconds) else None
            except EOFError:
                self._process.join()
                yield self._stopped(stage, self._process.exitcode or 0)
                return
            if message is None:
                yield self._stopped(stage, None)
                return
            if isinstance(message, FuzzOutcome):
                self._waiting.pop()
                yield message
            else:
                stage, seconds = message, self._task.limits[message.split(":")[0]]

    def _stopped(self, stage: str, status: int | None) -> FuzzOutcome:
        """The outcome of a case that ended with a status of the process, or did not end."""
        said = Path(self._errors.name).read_text(errors="replace")
        if stage == "start":
            raise RuntimeError(f"the worker does not start: {said}")
        case, name = self._waiting.pop(), stage.partition(":")[0]
        is_lenient = name in self._task.lenient
        if status is None and is_lenient and (_is_elsewhere(said) or self._task.has_no_end(case)):
            return FuzzOutcome(Counter({f"time-out: {name}": 1}))
        if is_lenient and any(sign in said for sign in OUT_OF_MEMORY):
            return FuzzOutcome(Counter({f"out of memory: {name}": 1}))
        kind = f"hang: {name}" if status is None else f"crash: {name}, status {status}"
        found = Finding(kind, case, said, self._task.text(case, stage))
        return FuzzOutcome(Counter({kind: 1}), [found])


def _is_elsewhere(said: str) -> bool:
    """Whether a worker was in clingo, or in a script of the program, shortly before it was stopped."""
    for path in _FRAME.findall(said.rpartition(_DUMP)[2]):
        if "/clingo/" in path or not path.endswith(".py"):
            return True
        if Path(path).is_relative_to(ROOT) and ".venv" not in path:
            return False
    return True


def _work(task: FuzzTask, cases: list[int], there: Connection, errors: str) -> None:
    with Path(errors).open("w") as stream:
        os.dup2(stream.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")  # of Python's about the scripts of programs
    logging.getLogger("lars2asp").addHandler(logging.NullHandler())
    printed = 0

    dumps = _Dumps()
    for case in cases:
        current = ["", ""]

        def note(stage: str, text: str, current: list[str] = current) -> None:
            current[:] = stage, text
            if stage in task.lenient:
                dumps.begin(task.limits[stage])
            there.send(stage)

        try:
            outcome = task.run(case, note)
        except Exception as error:  # this is what is looked for
            outcome = _failed(task, case, current, error)
        dumps.end()
        if (size := os.fstat(2).st_size) > printed:
            said = Path(errors).read_text(errors="replace")[-2000:]
            if _DUMP not in said:
                outcome.findings.append(Finding("printed to stderr", case, said, current[1]))
            printed = size
        there.send(outcome)


class _Dumps:
    """Writes where a case is, shortly before its time is over.

    A thread of Python writes it, between two steps of the interpreter. If a function in C keeps that thread
    waiting, `faulthandler` writes it in the middle of a step, which can crash the process.
    """

    def __init__(self) -> None:
        self._timer: Timer | None = None

    def begin(self, seconds: float) -> None:
        """Begins the time of a stage."""
        self.end()
        self._timer = Timer(seconds * 0.8, _dump)
        self._timer.daemon = True
        self._timer.start()
        faulthandler.dump_traceback_later(seconds * 0.9)

    def end(self) -> None:
        """Ends the time of a stage."""
        faulthandler.cancel_dump_traceback_later()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _dump() -> None:
    faulthandler.cancel_dump_traceback_later()
    faulthandler.dump_traceback()


def _failed(task: FuzzTask, case: int, current: list[str], error: Exception) -> FuzzOutcome:
    stage, text = current
    name = stage.split(":")[0]
    if isinstance(error, MemoryError) and name in task.lenient:
        return FuzzOutcome(Counter({f"out of memory: {name}": 1}))
    kind = f"{name}: {kind_of(error)}"
    return FuzzOutcome(Counter({kind: 1}), [Finding(kind, case, str(error)[:500], text)])
