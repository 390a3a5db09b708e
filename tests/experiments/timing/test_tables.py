"""The command that measures reading large tables."""

import re
from pathlib import Path

from rich.console import Console

from experiments.failures import FailedProcessError
from experiments.timing.table_ways import WAYS, Cost, Form, Way, measured
from experiments.timing.tables import PROGRAMS, costs, table_of, write_file

SIZE = 100_000


def here(way: Way, path: Path, program: Path, rows: int) -> Cost:
    """What a way takes in this process, which spares its start."""
    return WAYS[way](path, program, rows)


def test_every_way_reads_all_rows_of_all_forms() -> None:
    """And the table of the command has ratios."""
    found = costs(SIZE, measure=here)
    assert [*found] == [*Form]
    for form, ways in found.items():
        assert {*Way} - {*ways} == ({Way.PYARROW} if form is Form.LOG else set())
        assert all(cost.rows == cost.rows_of_file for way, cost in ways.items() if way is not Way.RUN)
        assert ways[Way.RUN].rows >= 1
        assert all(cost.seconds > 0 and cost.late > 0 for cost in ways.values())
        assert all((cost.early is None) == (way not in (Way.RECORDS, Way.RUN)) for way, cost in ways.items())
    lines = Console(width=200)
    with lines.capture() as printed:
        lines.print(table_of(found))
    [line] = [line for line in printed.get().splitlines() if re.search(r"parquet +│ [0-9,]+ │ pandas ", line)]
    assert line.split("│")[5].strip() == "1.00"


def test_a_way_has_a_process_of_its_own(tmp_path: Path) -> None:
    path, program = tmp_path / "table.csv", tmp_path / "program.lars"
    program.write_text(PROGRAMS[Form.CSV])
    rows = write_file(path, Form.CSV, size=SIZE)
    assert len(path.read_text().splitlines()) == rows + 1
    assert measured(Way.RECORDS, path, program, rows).rows == rows


def test_another_system_that_fails_does_not_end_the_rest() -> None:
    def measure(way: Way, path: Path, program: Path, rows: int) -> Cost:
        if way is Way.PANDAS:
            raise FailedProcessError("pandas ended with 1:\nno memory")
        return Cost(1.0, rows, None, 1.0, rows)

    failures: list[str] = []
    found = costs(1000, measure=measure, failed=failures.append)
    assert failures == [f"{form}, pandas failed: no memory" for form in Form]
    assert all(Way.PANDAS not in ways and Way.DUCKDB in ways for ways in found.values())
    console = Console(width=200)
    with console.capture() as printed:
        console.print(table_of(found))
    assert "failed" in printed.get()
