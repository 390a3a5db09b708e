"""The processor time of all processes of a session, those that have ended among them."""

import os
import threading
from pathlib import Path
from time import sleep, time

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
SAMPLED_EVERY = 0.1
"""In seconds; a process that lives shorter is not seen."""


class ProcessorTime:
    """Samples the processor time of a session's processes, in a thread, from the call of `start` on."""

    def __init__(self, session: int) -> None:
        self._session = session
        self._seen: dict[tuple[int, int], float] = {}
        self._samples: list[tuple[float, float]] = []

    def start(self) -> None:
        """Begins."""
        threading.Thread(target=self._run, daemon=True).start()

    def until(self, moment: float) -> float:
        """In seconds, until a moment (in seconds since 1970), between two samples in proportion."""
        before = after = self._samples[0]
        for after in self._samples:
            if after[0] >= moment:
                break
            before = after
        (begin, low), (end, high) = before, after
        share = (moment - begin) / (end - begin) if end > begin else 0.0
        return low + (high - low) * min(max(share, 0.0), 1.0)

    def _run(self) -> None:
        while True:
            self.sample()
            sleep(SAMPLED_EVERY)

    def sample(self) -> float:
        """The time so far."""
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                text = path.read_text()
            except OSError:
                continue
            fields = text[text.rindex(")") + 2 :].split()
            if int(fields[3]) == self._session:
                process = int(path.parent.name), int(fields[19])
                self._seen[process] = (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND
        total = sum(self._seen.values())
        self._samples.append((time(), total))
        return total
