"""Random cases in which the input's `p` is the hour of a zone with changes of clocks."""

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


@st.composite
def with_calendar(draw: DrawFn, cases: SearchStrategy[Case]) -> Case:
    """A case in a night of a zone, the hours of which stand where the input's `p` stood."""
    case = draw(cases)
    zone, day = draw(st.sampled_from(_NIGHTS))
    program = re.sub(r"#show .*", "", case.program)  # the oracle has all that is derived

    program = re.sub(r"#types .*|^p\(.*\)\.$", "", program, flags=re.MULTILINE)
    program = re.sub(r"(^|[^\w#])p\(", r"\1hour(", program)
    records = tuple(
        dataclasses.replace(
            one,
            facts=tuple(atom for atom in one.facts if atom[0] != "p"),
            begin=tuple(atom for atom in one.begin if atom[0] != "p"),
            end=tuple(atom for atom in one.end if atom[0] != "p"),
        )
        for one in case.records
    )
    directives = (
        f'#tick {draw(st.sampled_from(_TICKS))}. #timezone "{zone}". #origin "{day}T00:00:00".'
        " #calendar hour(H)."
    )
    return dataclasses.replace(case, program=f"{directives}\n{program}", records=records)
