"""What statistics cost."""

from experiments.jobs.part import Settings
from experiments.jobs.statistics import tables


def test_a_job_is_run_with_statistics_and_without() -> None:
    [table] = tables(Settings(scale=0.01, runs=1, only="alarm"))
    [row] = table.rows
    assert row[0] == "alarm"
    assert all(float(cell) > 0 for cell in row[2:])
