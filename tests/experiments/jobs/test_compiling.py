"""Compiling programs of many rules."""

from experiments.jobs.compiling import measured, tables
from experiments.jobs.part import Settings


def test_more_rules_are_more_code() -> None:
    few, many = measured(2), measured(12)
    assert 0 < few["compiled"] <= few["ready"]
    assert 0 < few["code"] < many["code"]


def test_the_table_has_each_number_of_rules() -> None:
    [table] = tables(Settings(scale=0.02, runs=1))
    assert [row[0] for row in table.rows] == ["2", "2", "20"]
