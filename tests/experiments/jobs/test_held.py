"""What a fact costs by the facts held and the gaps between ticks."""

import pytest

from experiments.jobs.held import SPACINGS, WINDOWS, Case, cases, measured, tables
from experiments.jobs.part import Settings
from lars2asp import Reasoner
from lars2asp.runtime.sources.records import Record

HELD = 120
CASES = [*cases()]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_each_case_finds_something_however_far_ticks_lie_apart(case: Case) -> None:
    found = []
    for apart in (1, 30):
        reasoner = Reasoner.from_text(case.program(HELD, apart))
        records = [Record(fact * apart, case.facts(fact, HELD, apart)) for fact in range(HELD + HELD // 2)]
        found.append(sum(len(answer.began) for answer in reasoner.run(records, emit=None)))
    assert all(found)


def test_every_window_is_there_with_every_streaming_atom() -> None:
    names = [case.name for case in CASES]
    assert len({*names}) == len(names) == 7 * len(WINDOWS) + 1 + 4


def test_a_case_is_measured() -> None:
    found = measured(CASES[0], HELD, 30)
    assert found.is_whole
    assert found.us > 0


def test_the_table_has_ratios() -> None:
    [table] = tables(Settings(scale=0.01, only="by X"))
    assert len(table.rows) == 7
    assert len(table.headings) == 1 + 3 * len(SPACINGS)
    assert {len(row) for row in table.rows} == {len(table.headings)}
