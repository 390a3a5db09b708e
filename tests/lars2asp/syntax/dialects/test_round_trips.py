"""What a program of a dialect becomes is printed as text that parses to the same program."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Program
from lars2asp.syntax.parser import parse, text_source
from lars2asp.syntax.printer import to_text
from tests.support.programs import parse_text
from tests.support.syntax_strategies import syntactic_programs

TERMS = st.sampled_from(["X", "Y", "1", "a", '"x; y"', "f(X,2)", "X+1", "@now", "@now.hour", "@now.second"])
UNITS = st.sampled_from(["", " sec", " min", " hrs", " msec"])


@st.composite
def _atoms(draw: st.DrawFn) -> str:
    arguments = draw(st.lists(TERMS, max_size=2))
    return draw(st.sampled_from("abc")) + (f"({','.join(arguments)})" if arguments else "")


@st.composite
def _windows(draw: st.DrawFn) -> str:
    unit, number = draw(UNITS), draw(st.integers(0, 9))
    return draw(st.sampled_from([f"[{number}{unit}]", f"{{1,{number}{unit}}}", f"{{1..{number}{unit}}}"]))


@st.composite
def _literals(draw: st.DrawFn) -> str:
    atom, window = draw(_atoms()), draw(_windows())
    number = draw(st.sampled_from(["2", "X", "N"]))
    return draw(
        st.sampled_from(
            [
                *(atom, f"{atom} in {window}", f"{atom} always in {window}", f"not {atom} in{window}"),
                *(f"{atom} {kind} {number} in {window}" for kind in ("at least", "at most", "count")),
                *("&f(X;Y)", "&g(X,1;)", "not &g(X,2;)", "&h(;X,Y)", "X > 2", "@now.hour < 12"),
                *("#count { X: a(X) } = N", "T = @now"),
            ]
        )
    )


@st.composite
def _programs(draw: st.DrawFn) -> str:
    statements = []
    for _ in range(draw(st.integers(1, 4))):
        head = draw(st.sampled_from(["", "#temp ", "#trigger_frequency(5 min) "])) + draw(_atoms())
        body = ", ".join(draw(st.lists(_literals(), min_size=1, max_size=3)))
        statements.append(
            draw(st.sampled_from([f"{head} :- {body}.", "#show a/1", "a(1). b(x,2).", "% c :- d"]))
        )
    return "\n".join(statements) + "\n"


SETTINGS = st.sampled_from(
    ["", ":t-unit=min", ":windows-unit=min,now-format=sec", ":now-format=min,t-unit=min"]
)


@given(_programs(), SETTINGS)
@example("a(X) :- b(X) at most X in {1,2 hrs}, not &g(X;).", "")
def test_programs_of_idlvsr(text: str, settings: str) -> None:
    translated = parse(text_source(text, f"idlvsr{settings}"))
    assert parse_text(to_text(translated)) == translated


@pytest.mark.parametrize("dialect", ["idlvsr:now-format=sec", "dsr"])
@given(program=syntactic_programs(streaming=True))
def test_programs_of_ours_in_other_dialects(dialect: str, program: Program) -> None:
    """They may be read there, and are printed as what they mean there."""
    try:
        translated = parse(text_source(to_text(program), dialect))
    except ProgramError:
        assume(False)
    assert parse_text(to_text(translated)) == translated
