"""Programs, and their streams as files of Parquet."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

JOIN = """
    #input p(key, left) at t.
    #input r(key, right) at t.
    q(X,Y,Z) :- p(X,Y) in [20], r(X,Z) in [20], Y - Z < 1000, Z - Y < 1000.
    #show q/3.
"""
"""Each fact meets 100 of the other stream with its key, of which two lie near enough; all answers are new."""

_SENSORS = """
    #input reading(sensor, value, quality) at t.
    hot(S) :- reading(S,V,_), V > 80.
    burning(S) :- hot(S) always in [2].
    cold(S) :- reading(S,V,_), V < 10.
    frozen(S) :- cold(S) always in [2].
    seen(S) :- reading(S,_,_) in [20].
    readings(S,N) :- seen(S), N = #count { V,Q : reading(S,V,Q) in [20] }.
    most(S,M) :- seen(S), M = #max { V : reading(S,V,_) in [20] }.
    least(S,M) :- seen(S), M = #min { V : reading(S,V,_) in [20] }.
    total(S,M) :- seen(S), M = #sum { V,Q : reading(S,V,Q) in [20] }.
    jump(S,V,W) :- reading(S,V,_), reading(S,W,_) in [5], V > W + 60.
    bad(S) :- reading(S,_,Q) in [10], Q < 3.
    alarm(S) :- burning(S), not bad(S).
    #show frozen/1. #show alarm/1.
"""
"""Counts, extremes, sums and boxes of each sensor."""

MONITORING = f"{_SENSORS} #show readings/2. #show most/2. #show least/2. #show total/2. #show jump/3."
"""All of their values: about six changes for each fact."""

ALARMS = f"""{_SENSORS}
    crowded(S) :- readings(S,N), N >= 17.
    loaded(S) :- total(S,M), M >= 850.
    narrow(S) :- readings(S,N), N >= 4, most(S,Max), least(S,Min), Max - Min < 30.
    restless(S) :- seen(S), #count {{ V,W : jump(S,V,W) in [20] }} >= 4.
    #show crowded/1. #show loaded/1. #show narrow/1. #show restless/1.
"""
"""What is out of the ordinary among them: a change for some ten facts."""


@dataclass(frozen=True)
class Work:
    """A program and its stream.

    Attributes:
        program: its text.
        facts: how many facts a row has.
        table: makes a batch of rows, from the number of the first tick and the number of rows.
        predicate: the only one of the output, whose answers are a table; None for several.
    """

    program: str
    facts: int
    table: Callable[[np.random.Generator, int, int], pa.Table]
    predicate: str | None = None

    def write(self, folder: Path, batches: int, facts: int) -> int:
        """Writes a file of Parquet for each batch, of so many facts; gives the last tick."""
        choose = np.random.default_rng(7)
        rows = max(1, facts // self.facts)
        for number in range(batches):
            table = self.table(choose, number * rows, rows)
            path = folder / f"{number:05d}.parquet"
            pq.write_table(table, path)
            os.utime(path, (number, number))  # Spark takes the oldest file first
        return int(table.column("t")[-1].as_py())


ROWS_A_TICK = 500


def _ticks(first: int, rows: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The tick of each row."""
    return np.arange(first, first + rows, dtype=np.int64) // ROWS_A_TICK


def _join_rows(choose: np.random.Generator, first: int, rows: int) -> pa.Table:
    return pa.table(
        {
            "t": _ticks(first, rows),
            "key": choose.integers(0, 100, rows),
            "left": choose.integers(0, 10**5, rows),
            "right": choose.integers(0, 10**5, rows),
        }
    )


def _readings(choose: np.random.Generator, first: int, rows: int) -> pa.Table:
    return pa.table(
        {
            "t": _ticks(first, rows),
            "sensor": np.char.add("s", choose.integers(0, 1000, rows).astype(str)),
            "value": choose.integers(0, 100, rows),
            "quality": choose.integers(0, 100, rows),
        }
    )


WORKS = {
    "join": Work(JOIN, 2, _join_rows, "q/3"),
    "monitoring": Work(MONITORING, 1, _readings),
    "alarms": Work(ALARMS, 1, _readings),
}

_READING = "#input reading(sensor, value, quality) at t."
CALIBRATIONS = {
    "carried": Work(f"{_READING} high(S) :- reading(S,V,_), V > 99. #show high/1.", 1, _readings),
    "written": Work(f"{_READING} seen(S,V,Q) :- reading(S,V,Q). #show seen/3.", 1, _readings),
    "tabled": Work(f"{_READING} seen(S,V,Q) :- reading(S,V,Q). #show seen/3.", 1, _readings, "seen/3"),
}
"""Those of which the capacity model is made: without changes, and with two for each fact, as `answers` and as
`answers_of` give them."""
