"""Requests to end a process."""

import os
import signal
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
