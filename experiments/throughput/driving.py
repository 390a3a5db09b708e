"""Drives a process by the clock, and measures how late its answers are."""

import os
import random
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, sleep

from experiments.throughput.events import LONGEST, lines, ticks_in

TO_START = 120.0
"""Seconds in which a process has to answer for the first time."""


@dataclass(frozen=True)
class Pace:
    """How events come.

    Attributes:
        rate: events in a second.
        tick: seconds of a tick.
        warming: ticks before it counts.
        ticks: those that count.
        patience: seconds in which a process may answer what is left, besides as long again as these.
    """

    rate: int
    tick: float
    warming: int
    ticks: int
    patience: float = 0.0


def latencies(command: Sequence[str], pace: Pace, environment: Mapping[str, str]) -> list[float]:
    """Seconds from when each tick was due to its answer; infinite for a tick that has none in the end.

    A process has as long again as the ticks that count, and the patience of the pace, to answer what is left.

    Raises:
        RuntimeError: if it does not answer the first tick at all.
    """
    number = max(1, round(pace.rate * pace.tick))
    choose = random.Random(12)
    batches = [lines(tick, number, choose) for tick in range(pace.warming + pace.ticks + 1)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    answers = _Answers(process)
    began = float("inf")
    sending = threading.Thread(target=lambda: _send(process, batches[1:], began, pace.tick), daemon=True)
    try:
        _write(process, batches[0])
        if not answers.wait_for(0, TO_START):
            raise RuntimeError(f"{' '.join(command)} does not answer")
        began = monotonic() + pace.tick
        sending.start()  # a write may wait for a process that is behind
        last = len(batches) - 1
        answers.wait_for(last, pace.tick * (last + pace.ticks) + pace.patience)
    finally:
        process.kill()
        process.wait()
        answers.close()
        if sending.ident is not None:
            sending.join()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):  # what was not written cannot be
                pipe.close()
    due = [began + (tick - 1) * pace.tick for tick in range(len(batches))]
    return [
        answers.seen.get(tick, float("inf")) - due[tick] for tick in range(pace.warming + 1, len(batches))
    ]


def _send(process: subprocess.Popen[bytes], batches: Sequence[bytes], began: float, span: float) -> None:
    """Writes each batch when it is due, or when the process takes it."""
    for number, batch in enumerate(batches):
        sleep(max(0.0, began + number * span - monotonic()))
        if not _write(process, batch):
            return


def _write(process: subprocess.Popen[bytes], batch: bytes) -> bool:
    """Whether a process took it."""
    assert process.stdin is not None
    try:
        process.stdin.write(batch)
        process.stdin.flush()
    except (OSError, ValueError):  # it was ended
        return False
    return True


class _Answers:
    """Reads what a process answers, and notes when it told that a tick was over.

    Args:
        process: the process.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.seen: dict[int, float] = {}
        """By ticks: when."""
        self._changed = threading.Condition()
        self._is_over = False
        self._reading = threading.Thread(target=self._read, args=(process,), daemon=True)
        self._reading.start()

    def wait_for(self, tick: int, most: float) -> bool:
        """Waits for the answer to a tick; whether it came."""
        with self._changed:
            self._changed.wait_for(lambda: tick in self.seen or self._is_over, most)
            return tick in self.seen

    def close(self) -> None:
        """Waits for what a process said that has ended."""
        self._reading.join()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        kept = b""
        while piece := os.read(process.stdout.fileno(), 2**20):
            now = monotonic()
            with self._changed:
                for tick in ticks_in(kept + piece):
                    self.seen.setdefault(tick, now)
                self._changed.notify_all()
            kept = piece[-LONGEST:]
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
