"""Ticks that touch little of a program."""

from itertools import islice

import pytest

from experiments.jobs.part import Settings
from experiments.jobs.rules import TOUCHED, program, stream, tables
from lars2asp import Reasoner


@pytest.mark.parametrize("by_constant", [False, True])
def test_rules_that_are_not_touched_change_no_answer(by_constant: bool) -> None:
    touched = TOUCHED["always the same"]
    one, eight = (Reasoner.from_text(program(rules, by_constant=by_constant)) for rules in (1, 8))
    number = 0
    for tick, facts in enumerate(islice(stream(8, touched, by_constant=by_constant), 300)):
        answer = one.step(tick, facts)
        assert eight.step(tick, facts).holds.texts == answer.holds.texts
        number += len(answer.began)
    assert number > 50


def test_rules_take_turns() -> None:
    facts = [*islice(stream(3, TOUCHED["each in its turn"], by_constant=False), 4)]
    assert [{name for name, _ in here} for here in facts] == [
        {"a0", "b0", "c0"},
        {"a1", "b1", "c1"},
        {"a2", "b2", "c2"},
        {"a0", "b0", "c0"},
    ]


def test_tables_have_all_numbers_of_rules() -> None:
    rules, ticks = tables(Settings(scale=0.01, runs=1))
    assert len(rules.rows) == 2 * len(TOUCHED)
    assert all(float(cell) > 0 for row in rules.rows for cell in row[1:])
    assert [float(row[1]) > 0 for row in ticks.rows] == [True, True]
    assert "| one fact through one rule |" in ticks.text()
