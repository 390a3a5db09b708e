"""Answers on the way out."""

from experiments.jobs.output import by_hand, of_fleet, tables, written
from experiments.jobs.part import Settings
from lars2asp.runtime.sinks.emission import Emission


def test_the_plain_loop_writes_the_same_lines() -> None:
    assert written(30, 80, Emission())[1] == by_hand(30, 80)[1]


def test_fleets_give_as_many_answers_as_hosts_are_silent() -> None:
    """Else it raises an error."""
    assert of_fleet(40, 1000, 0) > 0
    assert of_fleet(40, 1000, 1) > 0


def test_tables() -> None:
    fleets, lines = tables(Settings(scale=0.01, runs=1))
    assert next(row[-1] for row in fleets.rows) == "1.00"
    assert [row[0] for row in lines.rows] == ["plain loop, all sorted and written", "full lines", "changes"]
