"""Eight rules about fraud: the answers of the plain loop."""

from pathlib import Path

from experiments.jobs.fraud import FRAUD, tables
from experiments.jobs.part import Settings
from experiments.jobs.whole import Way, Work, compare

KINDS = {"velocity", "travel", "probing", "dormant", "unusual", "burst", "listed", "large"}


def test_the_rules_find_what_the_loop_finds(tmp_path: Path) -> None:
    work = Work.made("fraud", FRAUD, tmp_path, 600)
    for way in (Way.CHANGES, Way.LOOP):
        assert work.run(way)
    compare(work, [Way.CHANGES])
    assert {atom.partition("(")[0] for atom in work.answers(Way.LOOP)} == KINDS


def test_each_size_has_a_table() -> None:
    found = [*tables(Settings(scale=0.001, runs=1))]
    assert [[row[0] for row in table.rows] for table in found] == [["lars2asp, changes", "plain loop"]] * 2
