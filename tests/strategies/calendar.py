"""Random cases in which the input's `p` is the hour, or the weekday, of a zone with changes of clocks.

With weekdays, and where it stays what it was, windows leap by days, weeks and months of the zone.
"""

import dataclasses
import re

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.strategies.streams import Case

_NIGHTS = (
    ("Europe/Vienna", "2025-10-26"),
    ("Europe/Vienna", "2026-03-29"),
    ("America/New_York", "2025-11-02"),
    ("Australia/Lord_Howe", "2025-04-06"),
    ("Asia/Kathmandu", "2026-01-01"),
)
_TICKS = ("10 min", "15 min", "20 min", "30 min", "60 min")
_LONG_TICKS = ("5 hour", "6 hour", "8 hour", "12 hour", "1 day", "1 day")
_BLOCKS = st.sampled_from(("1 day", "1 day", "2 day", "1 day from 1", "1 week", "1 month"))
_LEAPS = re.compile(r"\[every [^]]*\]|step \d+(?: from \d+)?")
_AT_EVENTS = (
    "",
    "o(X,V) :- e(_,X) at T in [4]; shown(V) at T.",
    "o(V) :- V = #count { X,T : e(X,_) at T in [1..5], shown(1) at T, shown(_) at T }.",
    "o(X,V) :- p(X) at T, not r at T, shown(V) at T. o(V) :- r at T in {0,3}, shown(V) at T, shown(V).",
)
"""Rules that ask what the clock showed as an event came."""


@st.composite
def with_calendar(draw: DrawFn, cases: SearchStrategy[Case]) -> Case:
    """A case in a night of a zone, the hours or weekdays of which may stand where the input's `p` stood."""
    case = draw(cases)
    zone, day = draw(st.sampled_from(_NIGHTS))
    program = re.sub(r"#show .*", "", case.program)  # the oracle has all that is derived

    program = re.sub(r"#types .*|^p\(.*\)\.$", "", program, flags=re.MULTILINE)
    name = draw(st.sampled_from(("hour", "weekday", "p")))
    has_days = name != "hour"
    program = re.sub(r"(^|[^\w#])p\(", rf"\1{name}(", program)
    tick = draw(st.sampled_from(_LONG_TICKS if has_days else _TICKS))
    if has_days:
        blocks = {leap: draw(_BLOCKS) for leap in sorted(set(_LEAPS.findall(program)))}
        program = _LEAPS.sub(
            lambda found: f"[every {blocks[found[0]]}]" if found[0][0] == "[" else f"step {blocks[found[0]]}",
            program,
        )
    replaced = "" if name == "p" else "p"
    records = tuple(
        dataclasses.replace(
            one,
            facts=tuple(atom for atom in one.facts if atom[0] != replaced),
            begin=tuple(atom for atom in one.begin if atom[0] != replaced),
            end=tuple(atom for atom in one.end if atom[0] != replaced),
        )
        for one in case.records
    )
    directives = f'#tick {tick}. #timezone "{zone}". #origin "{day}T00:00:00".'
    directives += f" #calendar {name}(V)." if replaced else ""
    program += draw(st.sampled_from(_AT_EVENTS)).replace("shown", name) if replaced else ""
    return dataclasses.replace(case, program=f"{directives}\n{program}", records=records)
