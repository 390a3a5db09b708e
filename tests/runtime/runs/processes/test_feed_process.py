"""What a run that goes on says of its live source."""

from typing import Any

import pytest

from lars2asp.runtime.runs.processes.feed_process import with_noted


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tcp:9000", "later input is lost"),
        ("amqp://h:5672/v/q", "later input comes again from the queue"),
        ("mqtt://h:1883/t", "later input comes again if the address has ?id="),
        (
            "tcp:9000, amqp://h:5672/v/q",
            "later input is not in the checkpoint: that of tcp:9000 is lost, "
            "that of amqp://h:5672/v/q comes again from the queue",
        ),
    ],
)
def test_what_a_queue_gives_again_is_not_called_lost(name: str, said: str) -> None:
    state: dict[str, Any] = {"name": name, "arrived": [], "lasts": {"s": 4}, "part": 1}
    assert with_noted(state, [])[1].endswith(f"it has all up to line 4 of s, {said}")
