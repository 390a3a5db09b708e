"""The join as a table of pathway, from standard input to standard output."""

import sys
from typing import Any

import orjson
import pathway as pw

WINDOW = 30


class Events(pw.Schema):
    time: int
    item: int
    order: int
    payment: int


class Input(pw.io.python.ConnectorSubject):
    """Standard input; what came together is committed where a tick begins."""

    def run(self) -> None:
        """Reads it."""
        for line in sys.stdin.buffer:
            record = orjson.loads(line)
            if "item" in record:
                self.next(**{"order": -1, "payment": -1, **record})
            else:
                self.commit()


def write(key: Any, row: dict[str, Any], time: int, is_addition: bool) -> None:
    """An answer."""
    if is_addition:
        sys.stdout.write(f"match({row['order']},{row['payment']})\n")


def run() -> None:
    """Runs it."""
    events = pw.io.python.read(Input(), schema=Events, autocommit_duration_ms=None)
    orders, payments = events.filter(events.order >= 0), events.filter(events.payment >= 0)
    found = orders.interval_join(
        payments,
        orders.time,
        payments.time,
        pw.temporal.interval(-WINDOW, WINDOW),
        orders.item == payments.item,
        behavior=pw.temporal.common_behavior(cutoff=2 * WINDOW),
    ).select(orders.order, payments.payment)
    pw.io.subscribe(found, on_change=write, on_time_end=lambda time: sys.stdout.flush())
    pw.run(monitoring_level=pw.MonitoringLevel.NONE)


if __name__ == "__main__":
    run()
