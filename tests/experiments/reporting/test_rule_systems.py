"""What the page says of systems with rules: it is worked out from the file."""

from pathlib import Path

from experiments.jobs.tick_costs import TickCost, read, write
from experiments.jobs.whole import Way
from experiments.measuring.machine import Machine
from experiments.reporting.rule_systems import paragraphs
from tests.support.measured import figures_without_command

OWN = Way.CHANGES.value
FOUND = [
    TickCost("join", 2000, 1, "clingo", 0.5, 0.25, 2**20, 3),
    TickCost("join", 2000, 100, OWN, 0.75, 0.25, 2**20, 4),
    TickCost("join", 600, 200, "telingo", 1.0, 0.25, 2**20, 5),
    TickCost("join", 600, 200, OWN, 2.0, 0.25, 2**20, 4),
    TickCost("logins", 600, 200, "telingo", 2.0, 0.25, 2**20, 5),
    TickCost("logins", 600, 200, OWN, 1.0, 0.25, 2**20, 4),
    TickCost("join", 200, 50, "MeTeoR", 1.25, 0.25, 2**20, 2),
    TickCost("join", 200, 50, OWN, 0.25, 0.25, 2**20, 4),
]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write(tmp_path, FOUND, Machine.here())
    assert [*read(tmp_path)] == FOUND


def test_times_are_compared(tmp_path: Path) -> None:
    write(tmp_path, FOUND, Machine.here())
    text = "\n\n".join(paragraphs(tmp_path))
    [clingo, telingo, meteor] = [line for line in text.splitlines() if line.startswith("- ")]
    assert clingo.endswith(
        "In the median it takes 0.67 times the CPU time for that tick that lars2asp takes for all ticks."
    )
    assert telingo.endswith("In the median it takes 1.2 times (0.5 to 2) the CPU time of lars2asp.")
    assert meteor.endswith("In the median it takes 5 times the CPU time of lars2asp.")
    assert "| join | clingo | 2,000 | 1 of 100 | 0.50 (3) | 0.75 (4) |" in text
    assert "| join | MeTeoR | 200 | 50 | 1.25 (2) | 0.25 (4) |" in text
    assert not figures_without_command(text)


def test_without_a_file_it_is_said_what_they_cannot_say(tmp_path: Path) -> None:
    text = "\n\n".join(paragraphs(tmp_path))
    assert "- **telingo** (a whole stream; logins, join, sessions, closure) needs counters" in text
    assert "CPU time" not in text
