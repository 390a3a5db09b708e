"""Windows come to ticks."""

import pytest

from lars2asp.analysis.passes.window_sizes import resolve_windows
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.compiler import Overrides, compile_program
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.support.programs import parse_text


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("#tick 1 sec. a :- b in [2 min].", "a :- b in [120]."),
        ("#tick 5 min. a :- b always in [1 hour].", "a :- b always in [12]."),
        ("#tick 500 msec. a :- b at T in [1 sec].", "a :- b at T in [2]."),
        (
            "#tick 1 hour. a :- b in [1 day], c in [n].  #const n = 2*k. #const k = 3.",
            "a :- b in [24], c in [6].",
        ),
        ("a :- b in {n, 0, n+1}. #const n = 4.", "a :- b in {4,0,5}."),
        ("a :- 0 < #count { X : b(X) in [7-5] }.", "a :- 0 < #count { X: b(X) in [2] }."),
        ("#tick 1 msec. a :- b in [1000 day].", "a :- b in [86400000000]."),
    ],
)
def test_windows_are_resolved_to_ticks(text: str, resolved: str) -> None:
    diagnostics = Diagnostics()
    program = resolve_windows(ProgramAnalysis(parse_text(text)), diagnostics)
    assert diagnostics.found == ()
    assert to_text(next(program.rules())) == resolved


def test_the_tick_length_can_be_given_from_outside() -> None:
    source = Source("x.lars", "#tick 1 sec. a :- b in [1 min].")
    assert compile_program(source, overrides=Overrides(tick="30 sec")).tick_length == 30_000_000
    assert "sliding(2)" in compile_program(source, overrides=Overrides(tick="30 sec")).whole.program.text
