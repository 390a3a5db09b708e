"""`lars2asp check --input`: what it proposes is a program that reads the table."""

from datetime import datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.support.command_line import lines, run

BEGIN = datetime(2026, 2, 1, 14, 5)
ROWS = [
    (BEGIN + timedelta(seconds=30 * n), room, 200 + (n * factor) % 60)  # with gaps
    for n in range(2000)
    if n % 97 not in (5, 6, 7)
    for room, factor in (("Küche", 7), ("Bad", 11))
]
"""Times, rooms and tenths of a degree."""

PROPOSED = [
    "#tick 30 sec.",
    '#timezone "UTC".',
    "#lateness 1 min.",
    '#input reading(raum, number(temp, ",")) at zeit "%d.%m.%Y %H:%M:%S".',
    "#decimals reading(_, 1).",
]


def as_people_have_it() -> str:
    """The rows as text, some of them twice, and some behind later ones."""
    order = [*range(len(ROWS))]
    for place in range(50, len(ROWS) - 10, 301):
        order[place], order[place + 3] = order[place + 3], order[place]
    for place in range(100, len(ROWS), 501):
        order.insert(place, order[place])
    told = (ROWS[place] for place in order)
    return "zeit;raum;temp\n" + "".join(
        f"{time:%d.%m.%Y %H:%M:%S};{room};{tenths // 10},{tenths % 10}\n" for time, room, tenths in told
    )


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8-sig"])
def test_a_rule_behind_the_proposal_gives_the_answers(tmp_path: Path, encoding: str) -> None:
    table = tmp_path / "readings_de.csv"
    table.write_bytes(as_people_have_it().encode(encoding))
    proposal = run(tmp_path, "check", "--input", table.name).stdout
    assert [line for line in proposal.splitlines() if line.startswith("#")] == PROPOSED
    rule = "hot(R) :- reading(R,T), T > 25.5.\n#show hot/1.\n"
    (tmp_path / "p.lars").write_text(proposal + rule, encoding="utf-8")
    assert "0 cannot" in run(tmp_path, "check", "p.lars", "--input", table.name).stdout
    answers = lines(
        run(tmp_path, "run", "p.lars", "--input", table.name, "--times", "--emit", "every").stdout
    )
    hot = {(answer["at"], atom) for answer in answers for atom in answer["atoms"]}
    assert hot == {(f"{at.isoformat()}+00:00", f'hot("{room}")') for at, room, tenths in ROWS if tenths > 255}


def test_columns_without_text_are_left_out_of_the_proposal(tmp_path: Path) -> None:
    columns = {"time": [0, 1], "temp": [24.1, 25.6], "sensor": [{"id": 1}, {"id": 2}]}
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    proposal = run(tmp_path, "check", "--input", "t.parquet").stdout
    assert proposal.startswith("% t.parquet (without sensor: no cells with text or numbers): 2 rows")
    assert proposal.endswith("#input reading(temp) at time.\n#decimals reading(1).\n")
    (tmp_path / "p.lars").write_text(f"{proposal}hot :- reading(T), T > 25.5.\n#show hot/0.\n")
    answers = lines(run(tmp_path, "run", "p.lars", "--input", "t.parquet").stdout)
    assert answers == [{"time": 1, "atoms": ["hot"]}]
