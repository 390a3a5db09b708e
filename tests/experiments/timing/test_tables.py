"""The command that measures reading large tables."""

import re

from rich.console import Console

from experiments.timing.table_ways import Way
from experiments.timing.tables import FORMS, costs, table_of

ROWS = 4000


def test_every_way_reads_all_rows_of_both_forms() -> None:
    """And the table of the command has ratios."""
    found = costs(ROWS)
    assert [*found] == [*FORMS]
    for ways in found.values():
        assert {way: cost.rows for way, cost in ways.items() if way is not Way.RUN} == dict.fromkeys(
            [Way.RECORDS, Way.PANDAS, Way.PYARROW], ROWS
        )
        assert all(cost.seconds > 0 and cost.late > 0 for cost in ways.values())
        assert all((cost.early is None) == (way in (Way.PANDAS, Way.PYARROW)) for way, cost in ways.items())
    answers = {form: ways[Way.RUN].rows for form, ways in found.items()}
    assert answers["csv"] == answers["parquet"] > 1
    lines = Console(width=200)
    with lines.capture() as printed:
        lines.print(table_of(found, ROWS))
    [line] = [line for line in printed.get().splitlines() if re.search(r"parquet +│ pandas ", line)]
    assert line.split("│")[4].strip() == "1.0"
