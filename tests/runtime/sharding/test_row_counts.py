"""Rows are counted where they are read, and judged late where the time is known."""

from collections.abc import Sequence

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.events import Events
from lars2asp.runtime.sharding.row_counts import RowCounts, judged
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.facts.atoms import parse_atoms
from lars2asp.runtime.sources.records import Origin, Record, of_one

TICKS = st.integers(0, 6)
ROWS = st.lists(st.tuples(st.lists(TICKS, min_size=1, max_size=3), st.booleans()), max_size=8)
BOUNDS = st.none() | TICKS


def naive(rows: Sequence[tuple[list[int], bool]], start: int | None, late: int | None) -> Account:
    """A row is late if all its facts are; late facts of others are a number of their own."""
    found = Account()
    for ticks, lasts in rows:
        are_late = [
            (late is not None and tick <= late) or (start is not None and not lasts and tick < start)
            for tick in ticks
        ]
        if all(are_late):
            found.late += 1
        else:
            found.gave_facts += 1
            found.late_facts += sum(are_late)
    return found


@given(ROWS, BOUNDS, BOUNDS)
def test_late_rows(rows: list[tuple[list[int], bool]], start: int | None, late: int | None) -> None:
    counts = RowCounts(start)
    for ticks, lasts in rows:
        if len(ticks) == 1:
            counts.take(pa.array(ticks, pa.int64()), lasts=lasts)
        else:
            counts.take_row(ticks, lasts=lasts)
    assert judged(counts.numbers, late) == naive(rows, start, late)


@given(ROWS, BOUNDS, BOUNDS)
def test_late_records(rows: list[tuple[list[int], bool]], start: int | None, late: int | None) -> None:
    """A line may tell facts at several times, and several lines may be read at once."""
    counts = RowCounts(start)
    atoms = tuple(parse_atoms(["p"]))
    for ticks, lasts in rows:
        line = Origin("lines", 1, "")
        events = Events(begin=atoms) if lasts else Events(atoms)
        records = of_one([Record(tick, events, line) for tick in dict.fromkeys(ticks)])
        counts.account.take(records)
        counts.tell(records)
    distinct = [(list(dict.fromkeys(ticks)), lasts) for ticks, lasts in rows]
    assert judged(counts.numbers, late) == naive(distinct, start, late)
