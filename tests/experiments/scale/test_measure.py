"""How far one process goes: answers are those of plain loops, and tenths are told."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from experiments.jobs.answers import Intervals
from experiments.scale.loads import LOADS, Fact, LiveFacts, lines
from experiments.scale.measure import SMALL, DifferentAnswersError, Tenth, compare, main, table_of


@pytest.mark.parametrize("name", LOADS)
def test_a_plain_loop_finds_the_same(name: str) -> None:
    compare(LOADS[name], SMALL[name])


def test_another_answer_is_found() -> None:
    class Wrong(LiveFacts):
        def expected(self, size: int, stream: Iterable[tuple[int, Fact]], last: int) -> Intervals:
            return {"seen(1)": ((0, 1),)}

    with pytest.raises(DifferentAnswersError, match="different atoms"):
        compare(Wrong(), 2000)


@pytest.mark.parametrize("name", LOADS)
def test_streams_have_a_line_for_each_tick(name: str) -> None:
    first, *others = lines(LOADS[name], 1000, 1_000)
    assert first.startswith(b'{"time":0,"facts":["reading')
    assert len(others) == 9


def test_the_command_writes_tenths(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["keys", "--size", "1000", "--results", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "keys: 1,000, 5,000 facts through one process" in done.stdout
    heading, *rows = (tmp_path / "scale-keys.csv").read_text().splitlines()
    assert heading == "size,tenth,us a fact,MiB"
    assert len(rows) == 10
    assert "processor" in (tmp_path / "scale-keys.json").read_text()


def test_what_grows_is_told() -> None:
    growing = [Tenth(part, 1.0, 10.0 * part) for part in range(1, 11)]
    assert "time a fact flat, memory grows to 2.00 times" in table_of("facts", 1000, 1000, growing).title


def test_time_that_is_none_is_not_compared() -> None:
    short = [Tenth(part, 0.0 if part == 5 else 20.0, 10.0) for part in range(1, 11)]
    assert "time a fact too little to tell, memory flat" in table_of("keys", 1000, 5000, short).title
