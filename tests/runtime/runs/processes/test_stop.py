"""Requests to end a process."""

import os
import signal
import subprocess
import sys
from functools import partial

import pytest

from lars2asp.runtime.errors import Terminated
from lars2asp.runtime.runs.processes.stop import Stop


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_that_is_met_is_not_made_again(
    request: pytest.FixtureRequest, number: signal.Signals
) -> None:
    """Also where the thread that watches hears of the signal after that, as it mostly does here."""
    stop = Stop()
    before = signal.signal(number, signal.SIG_DFL)  # a shell's background jobs ignore SIGINT
    request.addfinalizer(partial(signal.signal, number, before))
    with stop.watched():
        with stop.deferred():
            os.kill(os.getpid(), number)
            with pytest.raises((KeyboardInterrupt, Terminated)):
                stop.check()
            stop.met()
        stop.check()
    # the thread has ended with that, and has read the signal before
    stop.check()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_that_does_not_interrupt_the_call_that_waits(number: signal.Signals) -> None:
    """As where it comes after Python has looked for signals, and before the call begins to wait.

    Here another thread receives it, which leaves the call of the main thread alone in the same way.
    """
    waits = (
        "import os, signal, threading, time\n"
        "from lars2asp.runtime.errors import Terminated\n"
        "from lars2asp.runtime.runs.processes.stop import Stop\n"
        "stop = Stop()\n"
        "receiver = threading.Thread(target=time.sleep, args=(60,), daemon=True)\n"
        "receiver.start()\n"
        "def send():\n"
        "    time.sleep(0.2)\n"
        f"    signal.pthread_kill(receiver.ident, {int(number)})\n"
        "signal.signal(signal.SIGINT, signal.SIG_DFL)\n"
        "with stop.watched(), stop.deferred():\n"
        "    threading.Thread(target=send, daemon=True).start()\n"
        "    try:\n"
        "        stop.has_come(os.pipe()[0], None)\n"
        "    except (KeyboardInterrupt, Terminated):\n"
        "        print('in order')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", waits], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.stdout == "in order\n"


def test_a_process_in_long_calls_ends_within_seconds() -> None:
    """While Python sorts, the thread that watches has no turn; it has few if many such calls follow."""
    sorts = (
        "import os, signal, threading\n"
        "from time import process_time\n"
        "from lars2asp.runtime.runs.processes.stop import Stop\n"
        "keys = [-one * 7919 % 300007 for one in range(300000)]\n"
        "stop = Stop(lambda: os.write(1, f'ended at {process_time()}'.encode()))\n"
        "with stop.watched(), stop.deferred():\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    while process_time() < 60:\n"
        "        sorted(keys * 8)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", sorts], capture_output=True, text=True, timeout=300, check=False
    )
    assert (ended.returncode, ended.stdout[:8]) == (143, "ended at"), ended.stderr
    assert float(ended.stdout.split()[2]) < 10
