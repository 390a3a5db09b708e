"""Random cases in which rules fire at every n-th tick alone, or at all others."""

import dataclasses
import re

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.strategies.streams import Case

_LENGTHS = st.sampled_from([1, 2, 2, 3, 4, 5, 7, 30])
_LATER = st.sampled_from(["", "", "", "+1", "+9", "-1", "-4"])
_SIGNS = st.sampled_from(["=", "=", "=", "!="])
_NEGATIONS = st.sampled_from(["", "", "", "not ", "not not "])


@st.composite
def _comparisons(draw: DrawFn) -> str:
    length, later = draw(_LENGTHS), draw(_LATER)
    remainder = draw(st.sampled_from([0, 0, 0, 1, length - 1, length]))
    left, sign = f"({draw(st.sampled_from(['@now', '@now', '0+@now']))}{later}) \\ {length}", draw(_SIGNS)
    text = f"{left} {sign} {remainder}" if draw(st.booleans()) else f"{remainder} {sign} {left}"
    return draw(_NEGATIONS) + text


@st.composite
def with_regular_ticks(draw: DrawFn, cases: SearchStrategy[Case]) -> Case:
    """A case, some rules of which ask for the remainder of the current tick."""
    case = draw(cases)
    program = re.sub(r"#show .*", "", case.program)  # the oracle has all that is derived
    lines = [
        f"{line[:-1]}, {draw(_comparisons())}."
        if ":-" in line and line[-1] == "." and draw(st.booleans())
        else line
        for line in program.splitlines()
    ]
    return dataclasses.replace(case, program="\n".join(lines))
