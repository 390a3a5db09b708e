"""Random cases in which the input's `p` is the hour, or the weekday, of a zone with changes of clocks.

With weekdays windows leap by its days, weeks and months.
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


@st.composite
def with_calendar(draw: DrawFn, cases: SearchStrategy[Case]) -> Case:
    """A case in a night of a zone, the hours or weekdays of which stand where the input's `p` stood."""
    case = draw(cases)
    zone, day = draw(st.sampled_from(_NIGHTS))
    program = re.sub(r"#show .*", "", case.program)  # the oracle has all that is derived

    program = re.sub(r"#types .*|^p\(.*\)\.$", "", program, flags=re.MULTILINE)
    has_days = draw(st.booleans())
    name = "weekday" if has_days else "hour"
    program = re.sub(r"(^|[^\w#])p\(", rf"\1{name}(", program)
    tick = draw(st.sampled_from(_LONG_TICKS if has_days else _TICKS))
    if has_days:
        for leap in sorted(set(_LEAPS.findall(program))):
            block = draw(_BLOCKS)
            program = program.replace(leap, f"[every {block}]" if leap.startswith("[") else f"step {block}")
    records = tuple(
        dataclasses.replace(
            one,
            facts=tuple(atom for atom in one.facts if atom[0] != "p"),
            begin=tuple(atom for atom in one.begin if atom[0] != "p"),
            end=tuple(atom for atom in one.end if atom[0] != "p"),
        )
        for one in case.records
    )
    directives = f'#tick {tick}. #timezone "{zone}". #origin "{day}T00:00:00". #calendar {name}(V).'
    return dataclasses.replace(case, program=f"{directives}\n{program}", records=records)
