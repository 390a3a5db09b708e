"""What is written of times and durations is read as the same ticks, by every door and way out."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import Reasoner, Timeline
from lars2asp.compiler import compile_program
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.externals.terms.text import atom_texts
from lars2asp.planning.plan import Plan
from lars2asp.runtime.sinks.argument_types import argument_type, value_of
from lars2asp.runtime.sinks.columns import cell_of
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source

SIGNATURE = Signature("p", 3)
LENGTHS = ["1 msec", "7 sec", "1 min", "1 hour", "1 day"]
ZONES = ["UTC", "Europe/Vienna", "America/Havana", "Australia/Lord_Howe", "Pacific/Apia"]
MOMENTS = st.datetimes(datetime(1890, 1, 1), datetime(2190, 1, 1))
SPECIAL = [datetime(2026, 3, 29, 2, 30), datetime(2026, 10, 25, 2, 30), datetime(2011, 12, 30, 12)]
"""Local times that clock changes skip, or make twice, and on a day that Samoa left out."""


Case = tuple[str, list[tuple[str, int, int]]]
"""A program, and rows."""


def program_of(text: str) -> Plan:
    return compile_program(Source("random.lars", text))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A program with a length of ticks, an origin and a zone, and rows of a name, a time and a duration."""
    length, zone = draw(st.sampled_from(LENGTHS)), draw(st.sampled_from(ZONES))
    is_late = length == "1 msec" or draw(st.booleans())
    origin = "2020-02-03T04:05:06.007+01:00" if is_late else "1970-01-01T00:00Z"
    origin = origin[: origin.index("T") + 1] + "06:00" if length == "1 day" else origin  # by the clock
    text = f"""
        #tick {length}. #timezone "{zone}". #origin "{origin}".
        #input p(text(n), time(t), d) at at. #types p(_,_,duration).
        q(N,T,D) :- p(N,T,D). #show p/3.
    """
    moments = Timeline.of(program_of(text)).moments
    rows = []
    for moment in draw(st.lists(MOMENTS | st.sampled_from(SPECIAL), min_size=1, max_size=4)):
        place = moment.replace(tzinfo=ZoneInfo(zone), fold=draw(st.integers(0, 1)))
        tick = moments.tick_of(place) if length != "1 msec" else draw(st.integers(-(2**40), 2**40))
        rows.append(("x", tick, draw(st.integers(-(2**40), 2**40) | st.integers(-3, 3))))
    return text, [*dict.fromkeys(rows)]


@given(cases())
def test_atoms(case: Case) -> None:
    text, rows = case
    plan = program_of(text)
    texts = atom_texts(SIGNATURE, rows, plan.decimals)
    reader = FactReader(plan.decimals, plan.required)
    assert reader.parse_atoms(texts) == (AtomRows(SIGNATURE, rows),)
    assert [reader.parse_atoms([text])[0].rows[0] for text in texts] == rows
    assert reader.parse_list(", ".join(texts)) == (AtomRows(SIGNATURE, rows),)


@given(cases())
def test_tables_and_fields(case: Case) -> None:
    text, rows = case
    plan = program_of(text)
    forms = plan.decimals[SIGNATURE]
    cells = [[cell_of(row[place], form) for place, form in enumerate(forms)] for row in rows]
    frame = pd.DataFrame(cells, columns=["n", "t", "d"]).assign(at=5)
    reasoner = Reasoner(plan)
    found = next(iter(reasoner.run(frame, emit="every"))).holds.rows[SIGNATURE]
    assert {*found} == {*rows}


@given(cases())
def test_typed_columns(case: Case) -> None:
    text, rows = case
    plan = program_of(text)
    forms = plan.decimals[SIGNATURE]
    if any(abs(days) > 10**6 for *_, days in rows):  # durations of Python end at some 10**9 days
        return
    kinds = [argument_type(pa.int64(), form, pa) for form in forms[1:]]
    columns = [
        pa.array([value_of(kind, pa)(cell_of(row[place], forms[place])) for row in rows], kind)
        for place, kind in enumerate(kinds, start=1)
        if all("T" in str(cell_of(row[1], forms[1])) for row in rows)
    ]
    if len(columns) < 2:
        return
    at = [Timeline.of(plan).moment(5)] * len(rows)
    table = pa.table({"n": ["x"] * len(rows), "t": columns[0], "d": columns[1], "at": at})
    found = next(iter(Reasoner(plan).run(table, emit="every"))).holds.rows[SIGNATURE]
    assert {*found} == {*rows}
