"""How far back the answers of programs look."""

import pytest

from lars2asp.analysis.looking_back import looks_back
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.compiler import compile_program
from lars2asp.planning.noted_times import noted_program
from lars2asp.syntax.source import Source


@pytest.mark.parametrize(
    ("text", "ticks"),
    [
        ("a :- p.", 0),
        ("a :- p in [3].", 3),
        ("a :- p in [3], q always in [5].", 5),
        ("a :- p in [3]. b :- a in [4]. c :- a in [2], p in [6].", 7),
        ("a :- p in [3]. b :- a. c :- b, not a in [1].", 4),
        ("a :- p in {2..9}. b(N) :- N = #count { X : q(X) in [12] }.", 12),
        ("a :- p in [every 10].", 18),
        ("a :- (p, not q in [2]) always in [5].", 7),
        ("a :- p at T in [3], T < @now.", 3),
        ("a :- p, b. b :- q. b :- a.", 0),
        ("a :- p. a :- a in {1}.", None),
        ("a :- b in [2], p. b :- a, q.", None),
        ("a :- p at T, T < @now.", None),
        ("a :- p at 7.", None),
        ("a :- p in [since q].", None),
        ("a :- p in [4 #].", None),
        ("a at @now+3 :- p.", None),
    ],
)
def test_windows_on_windows(text: str, ticks: int | None) -> None:
    plan = compile_program(Source("x.lars", text))
    assert looks_back(ProgramAnalysis(noted_program(plan))) == ticks
