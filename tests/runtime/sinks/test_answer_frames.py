"""Answers as data frames: intervals and changes, their columns and types, and runs that go on."""

import pickle
import sys
from collections.abc import Iterator
from copy import copy, deepcopy
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp import InputError, Reasoner
from lars2asp.runtime.sinks import answer_frames
from lars2asp.typing import Fact

PROGRAM = "h(X,N) :- p(X) count N in [3]. a :- h(X,2)."
STREAM: list[tuple[int, list[Fact]]] = [(0, [("p", "New York")]), (1, ["p(k)", ("p", "New York")]), (4, [])]


def test_intervals() -> None:
    r"""p("New York") at 0 and 1, p(k) at 1; windows of 4 ticks.

    ```
    tick              0   1   2   3   4
    h("New York",1)  [   )           [     the window loses tick 0
    h("New York",2)      [           )
    h(k,1)               [
    ```
    """
    frames = Reasoner.from_text(PROGRAM).intervals(STREAM)
    assert [*frames] == ["a/0", "h/2"]
    found = frames["h"].to_arrow()
    assert found.schema == pa.schema(
        [("begin", pa.int64()), ("end", pa.int64()), ("X", pa.string()), ("N", pa.int64())]
    )
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        (0, 1, "New York", 1),
        (1, 4, "New York", 2),
        (1, None, "k", 1),
        (4, None, "New York", 1),
    ]
    assert frames["a/0"].to_arrow().to_pylist() == [{"begin": 1, "end": 4}]
    pandas = frames["h"].to_pandas()
    assert [str(kind) for kind in pandas.dtypes] == ["int64", "Int64", "object", "int64"]
    assert pandas.end.isna().tolist() == [False, False, True, True]
    assert frames.to_polars()["h/2"].equals(pl.DataFrame(frames["h/2"]))
    assert [batch.num_rows for batch in frames["h"]] == [4]


def test_changes_come_in_batches_as_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch is given before the stream is read on."""
    monkeypatch.setattr(answer_frames, "ROWS_AT_ONCE", 4)
    read = 0

    def stream() -> Iterator[tuple[int, list[Fact]]]:
        nonlocal read
        for read in range(1000):
            yield read, [("p", read % 3)]

    frame = Reasoner.from_text("h(X) :- p(X).").changes(stream())["h"]
    batches = iter(frame)
    first = next(batches)
    assert first.to_pydict() == {
        "time": [0, 1, 1, 2],
        "change": ["began", "ended", "began", "ended"],
        "X": ["0", "0", "1", "1"],
    }
    assert read < 5
    assert sum(batch.num_rows for batch in batches) == 1999 - 4
    with pytest.raises(
        ValueError,
        match="the run has already begun, and its rows were not kept",
    ):
        frame.to_pandas()


def test_columns_of_several_kinds_are_text() -> None:
    frames = Reasoner.from_text("h(X) :- p(X).").changes([(0, ["p(1)"]), (1, ['p("a")']), (2, ["p(f(b))"])])
    assert frames["h"].to_arrow()["X"].to_pylist() == ["1", "1", "a", "a", "f(b)"]
    frames = Reasoner.from_text("h(X) :- p(X).").changes([(0, ["p(1)"]), (1, ["p(2)"])])
    assert frames["h"].to_arrow()["X"].to_pylist() == [1, 1, 2]


def test_an_argument_that_is_no_integer_though_rules_say_so() -> None:
    """Input may have atoms of a derived predicate."""
    program, stream = "h(X,N) :- p(X) count N in [2].", [(0, ["p(a)", "h(a,b)"])]
    assert Reasoner.from_text(program).intervals(stream)["h"].to_arrow()["N"].to_pylist() == ["1", "b"]
    with pytest.raises(InputError, match="h/2 has 'b' in its column N, where its rules"):
        [*Reasoner.from_text(program).intervals(stream, on_reject="stop")["h"]]


def test_moments_where_ticks_have_a_length_and_the_input_times() -> None:
    program = '#tick 1 min. #timezone "Europe/Vienna". #input p(x) at t. h(X) :- p(X).'
    times = pd.to_datetime(["2026-02-01 14:05:30", "2026-02-01 14:07:00"])
    frame = pd.DataFrame({"t": times, "x": [1, 2]})
    found = Reasoner.from_text(program).intervals(frame)["h"].to_pandas()
    assert found.begin_at.astype(str).tolist() == ["2026-02-01 14:05:00+01:00", "2026-02-01 14:07:00+01:00"]
    assert found.end_at.astype(str).tolist() == ["2026-02-01 14:06:00+01:00", "NaT"]
    changes = Reasoner.from_text(program).changes([(times[0], ["p(1)"])])["h"].to_arrow()
    assert changes.column_names == ["time", "at", "change", "X"]
    assert Reasoner.from_text(program).changes([(3, ["p(1)"])])["h"].to_arrow().column_names == [
        "time",
        "change",
        "X",
    ]


def test_a_run_that_goes_on() -> None:
    """What holds already begins with the answer given last."""
    reasoner = Reasoner.from_text("h(X) :- p(X) in [5].")
    reasoner.step(0, ["p(1)"])
    reasoner.step(2, ["p(2)"])
    assert reasoner.intervals([(3, []), (9, [])])["h"].to_arrow().to_pylist() == [
        {"begin": 2, "end": 6, "X": 1},
        {"begin": 2, "end": 8, "X": 2},
    ]


def test_intervals_and_changes_say_what_answers_say() -> None:
    """Over a random stream, by the atoms at each tick."""
    random = np.random.default_rng(1)
    stream = [
        (tick, [("p", int(x), "a") for x in random.integers(0, 4, random.integers(0, 3))])
        for tick in sorted({int(tick) for tick in random.integers(0, 90, 60)})
    ]
    program = "h(X,Y) :- p(X,Y) in [2]. g(X) :- h(X,_) always in [2]. :- h(0,_), h(1,_), h(2,_)."
    answers = {
        answer.tick: answer.holds.texts for answer in Reasoner.from_text(program).run(stream, emit="every")
    }
    expected = {(tick, atom) for tick, atoms in answers.items() for atom in atoms}
    last = max(answers)

    def atom(name: str, row: dict[str, Any]) -> str:
        return f'h({row["X"]},"{row["Y"]}")' if name == "h/2" else f"g({row['X']})"

    intervals = Reasoner.from_text(program).intervals(stream).to_arrow()
    assert expected == {
        (tick, atom(name, row))
        for name, table in intervals.items()
        for row in table.to_pylist()
        for tick in range(row["begin"], last + 1 if row["end"] is None else row["end"])
    }
    held, found = set[str](), set[tuple[int, str]]()
    changes = Reasoner.from_text(program).changes(stream).to_arrow()
    for tick in range(last + 1):
        for name, table in changes.items():
            for row in table.to_pylist():
                if row["time"] == tick:
                    (held.add if row["change"] == "began" else held.discard)(atom(name, row))
        found |= {(tick, one) for one in held}
    assert found == expected


def test_predicates_that_are_not_there() -> None:
    frames = Reasoner.from_text("h(X) :- p(X). h(X,X) :- p(X).").intervals([])
    with pytest.raises(KeyError, match="h is not one predicate of the output, which has h/1, h/2"):
        frames["h"]
    assert len(frames) == 2
    assert frames.to_pandas()["h/1"].empty


def test_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = Reasoner.from_text("h(X) :- p(X).").intervals([])["h"]

    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match=r"the package polars is missing: pip install polars$"):
        frame.to_polars()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        ImportError, match=r"the package pyarrow is missing: pip install 'lars2asp\[tables\]'$"
    ):
        Reasoner.from_text("h(X) :- p(X).").intervals([])


DECIMALS = "#decimals p(_,{0}), q({0}). h(X,N) :- p(X,N). n(N,S) :- p(_,N), S = #sum {{ M : p(_,M) }}."


def test_numbers_at_places_with_decimals() -> None:
    """In whole frames as in batches, intervals as well as changes."""
    program = DECIMALS.format(1)
    stream: list[tuple[int, list[Fact]]] = [(0, ["p(a,24.1)"]), (2, ["p(a,26)", ("p", "b", -0.5)])]
    frames = Reasoner.from_text(program).intervals(stream)
    found = frames["h"].to_arrow()
    assert found.schema.field("N").type == pa.decimal128(38, 1)
    assert [(row["X"], row["N"]) for row in found.to_pylist()] == [
        ("a", Decimal("24.1")),
        ("a", Decimal("26.0")),
        ("b", Decimal("-0.5")),
    ]
    assert found["N"].to_pylist() == frames["h"].to_pandas().N.tolist()
    assert frames["h"].to_polars().schema["N"] == pl.Decimal(38, 1)
    sums = Reasoner.from_text(program).changes(stream)["n"]
    assert [str(value) for batch in sums for value in batch.column("S").to_pylist()] == [
        *("24.1", "24.1", "25.5", "25.5"),
    ]


@pytest.mark.parametrize("decimals", [1, 9])
def test_numbers_with_decimals_beside_text_are_text(decimals: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where batches of numbers were there before; a string is not taken for a number."""
    monkeypatch.setattr(answer_frames, "ROWS_AT_ONCE", 1)
    program = DECIMALS.format(decimals)
    least = f"0.{'1'.zfill(decimals)}"
    stream = [(0, [f"p(a,{least})"]), (1, ['h(a,"2.0")']), (2, ["h(a,none)", "p(a,-1)"])]
    frame = Reasoner.from_text(program).intervals(stream)["h"].to_arrow()
    assert sorted(frame["N"].to_pylist()) == sorted([least, "2.0", "none", f"-1.{'0' * decimals}"])
    derived = [(0, ['n(1,"2.0")'])]
    with pytest.raises(InputError, match=r"n/2 has '\"2\.0\"' in its column S, where its rules"):
        [*Reasoner.from_text(program).intervals(derived, on_reject="stop")["n"]]


@settings(max_examples=25)
@given(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=6), st.integers(1, 9))
def test_frames_with_decimals_are_frames_of_input(numbers: list[int], decimals: int) -> None:
    """A frame of changes is read again by `#input`, to the same atoms."""
    program = f"#decimals p({decimals}), h({decimals}). "
    stream = [(tick, [("p", Decimal(number).scaleb(-decimals))]) for tick, number in enumerate(numbers)]
    expected = [
        answer.holds.rows
        for answer in Reasoner.from_text(f"{program} h(N) :- p(N).").run(stream, emit="every")
    ]
    frame = Reasoner.from_text(f"{program} h(N) :- p(N). #show h/1.").changes(stream)["h/1"].to_arrow()
    began = frame.filter(pc.equal(frame["change"], "began"))
    if began.num_rows == len(numbers):  # none is the one before
        read = Reasoner.from_text(f"{program} #input h(N) at time. #show h/1.").run(began, emit="every")
        assert [answer.holds.rows for answer in read] == expected


@pytest.mark.parametrize("copied", [copy, deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
@pytest.mark.parametrize("kind", ["intervals", "changes"])
def test_frames_are_pickled_with_their_rows(copied: Any, kind: str) -> None:
    frames = getattr(Reasoner.from_text(PROGRAM), kind)(STREAM)
    assert "h/2" in repr(frames)
    again = copied(frames)  # it runs the stream
    for one in (again, copied(again)):
        assert [*one] == [*frames] and repr(one) == repr(frames) and "h/2" in one
        assert {name: frame.to_arrow() for name, frame in one.items()} == frames.to_arrow()
        assert [*one.batches()] == [*frames.batches()]
        assert one.to_pandas()["h/2"].equals(frames["h"].to_pandas())
    frame = copied(frames["h"])
    assert frame.to_arrow() == frames["h"].to_arrow() and pl.DataFrame(frame).height > 0


def test_frames_whose_rows_were_not_kept_are_not_pickled() -> None:
    frames = Reasoner.from_text(PROGRAM).intervals(STREAM)
    assert [*frames.batches()]
    with pytest.raises(ValueError, match="its rows were not kept"):
        pickle.dumps(frames)
