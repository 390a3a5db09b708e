"""Rows that are read and turned into facts."""

from pathlib import Path

import pytest

from experiments.jobs.part import Settings
from experiments.jobs.reading import FORMS, tables, write
from experiments.jobs.reading_ways import LOOPS, WAYS, main, records
from lars2asp.externals.terms.terms import AtomRows

ROWS = 400


@pytest.mark.parametrize("form", FORMS)
def test_the_product_makes_the_facts_of_the_plain_loop(form: str, tmp_path: Path) -> None:
    write(tmp_path, ROWS)
    ours = [
        (record.tick, *row)
        for record in records(form, tmp_path)
        for _, rows in map(AtomRows._make, record.events.facts)
        for row in rows
    ]
    assert ours == [*LOOPS[form](tmp_path / f"table.{form}")]
    assert len(ours) == ROWS
    for way in WAYS:
        took = main(form, way, tmp_path, ROWS)
        assert (took is None) == (way == "polars" and form == "facts") or "polars" not in way


def test_the_table_has_all_forms() -> None:
    [table] = tables(Settings(scale=0.001, runs=1))
    assert [row[0] for row in table.rows] == [*FORMS.values()]
    assert all(float(row[1]) > 0 and float(row[2]) > 0 and float(row[-1]) > 0 for row in table.rows)
