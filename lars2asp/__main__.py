"""The command `lars2asp`, and `python -m lars2asp`."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lars2asp.runtime.tuning import Tuning


def main(arguments: Sequence[str] | None = None, tuning: "Tuning | None" = None) -> int:
    """Runs the command line and returns its exit status; see `run`.

    A signal that asks the process to end does so with the same status while the rest is still imported.
    """
    numbers = [signal.SIGINT, signal.SIGTERM] if threading.current_thread() is threading.main_thread() else []
    before = {
        number: signal.signal(number, lambda received, _: os._exit(128 + received))
        for number in numbers
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    from lars2asp.runtime.command_line.main import run  # noqa: PLC0415

    if signal.SIGINT in before:
        signal.signal(signal.SIGINT, before[signal.SIGINT])
    try:
        return run(arguments, tuning)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def command() -> int:
    """The same for a process that ends with it: no signal changes the status any more.

    What is imported and made at the start stays: the collector does not look through it. Runs enable it.
    """
    gc.disable()
    status = main()
    gc.freeze()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    return status


if __name__ == "__main__":
    sys.exit(command())
