"""Explanations have times and durations as what they are; the checker has ticks."""

import json
from pathlib import Path

import pytest

from lars2asp import InputError, Reasoner
from tests.support.command_line import run

PROGRAM = """
#tick 1 min. #timezone "Europe/Vienna".
#input order(text(id), time(ordered), time(delivered)) at delivered.
lim(slow,2 hour).
late(O,A,D) :- order(O,A,B), D = B-A, lim(slow,L), D > L, D > 90 min.
sum(S) :- S = #sum { D,O : late(O,_,D) }, S > -5 min.
"""
ROWS = """id,ordered,delivered
o2,2026-03-29T01:30,2026-03-29T06:05
o3,2026-03-29T05:30,2026-03-29T06:05
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "a.lars").write_text(PROGRAM)
    (tmp_path / "a.csv").write_text(ROWS)
    return tmp_path


@pytest.fixture(name="reasoner")
def _reasoner(folder: Path) -> Reasoner:
    reasoner = Reasoner.from_file(folder / "a.lars", explain_last=0)
    for _ in reasoner.run(folder / "a.csv"):
        pass
    return reasoner


def texts(reasoner: Reasoner, question: str) -> list[str]:
    """The lines of an explanation, without what is drawn."""
    lines = reasoner.why(question).to_text(width=200).splitlines()
    return [" ".join(line.lstrip("│├└─ ").split("   ")[0].split()) for line in lines]


def test_atoms_have_strings_and_comparisons_what_people_read(reasoner: Reasoner) -> None:
    assert texts(reasoner, 'late("o2",A,D)')[2:] == [
        'order("o2","2026-03-29T01:30:00+01:00","2026-03-29T06:05:00+02:00")',
        "3 h 35 min = 2026-03-29T06:05:00+02:00-2026-03-29T01:30:00+01:00",
        'lim(slow,"2 h")',
        "3 h 35 min > 2 h, 3 h 35 min > 1 h 30 min",
    ]
    assert "fails: 35 min > 2 h" in texts(reasoner, 'late("o3",A,D)')
    assert texts(reasoner, "sum(S)")[2:4] == [
        "3 h 35 min = #sum { D,O: late(O,_,D) }",
        '3 h 35 min,"o2": late("o2","2026-03-29T01:30:00+01:00","3 h 35 min")',
    ]


def test_questions_have_them_too(reasoner: Reasoner) -> None:
    assert reasoner.why('late("o2","2026-03-29T01:30","215 min")').holds
    assert not reasoner.why('late("o2","2026-03-29T01:30","3 h 36 min")').holds
    with pytest.raises(InputError, match="'soon' is not a duration"):
        reasoner.why('late("o2",A,"soon")')


@pytest.mark.parametrize("question", ['late("o2",A,D)', 'late("o3",A,D)', "sum(S)"])
def test_the_checker_has_ticks(question: str, folder: Path) -> None:
    given = ["a.lars", question, "--input", "a.csv"]
    found = run(folder, "why", *given, "--output-format", "json").stdout
    (folder / "why.json").write_text(found)
    assert " min" not in json.loads(found)["explains"][0]["atom"]
    checked = run(folder, "check-why", "a.lars", "why.json", "--input", "a.csv")
    assert checked.stdout == "it is an explanation\n"


TICKS = """
#tick 1 sec. #input p(x) at ts.
q(X,T) :- p(X) at T in [5].
r(X) :- p(X) at T in [5], not p(X) at T+1 in [5], T < @now, T+1 != @now+5, X != "b".
f(X) :- p(X) at T in [5], T >= @now.
few(N) :- N = #count { T : p(_) at T in [5] }, N > 9.
"""


def test_ticks_that_variables_bind_have_their_times_behind_them(tmp_path: Path) -> None:
    """For people; the checker and programs have the integers."""
    (tmp_path / "a.lars").write_text(TICKS)
    rows = [f'{{"ts":"2026-03-01T{time}Z","x":"a"}}' for time in ("23:59:59", "23:59:58")]
    (tmp_path / "a.jsonl").write_text("\n".join(sorted(rows)))
    reasoner = Reasoner.from_file(tmp_path / "a.lars", explain_last=0)
    for _ in reasoner.run(tmp_path / "a.jsonl", until=1772409600):
        pass
    assert texts(reasoner, "q(X,1772409598)")[-1] == 'p("a") at 1772409598 (2026-03-01 23:59:58) in [5]'
    assert texts(reasoner, "r(X)")[2:] == [
        'p("a") at 1772409599 (2026-03-01 23:59:59) in [5]',
        'not p("a") at 1772409599+1 (00:00:00) in [5]',
        '1772409599 (2026-03-01 23:59:59) < @now, 1772409599+1 != @now+5, "a" != "b"',
    ]
    assert texts(reasoner, 'f("a")')[-1] == "fails: 1772409599 (2026-03-01 23:59:59) >= @now"
    explanation = reasoner.why("r(X)")
    assert "1772409599 (2026-03-01 23:59:59) &lt; @now" in explanation.to_html()
    assert " (" not in json.dumps([one["body"] for one in explanation.to_dict()["explains"]])


def test_ticks_without_times_are_numbers_alone() -> None:
    reasoner = Reasoner.from_text("q(X,T) :- p(X) at T in [5], T < 9.", explain_last=0)
    reasoner.step(3, ["p(a)"])
    assert texts(reasoner, "q(a,3)")[2:] == ["p(a) at 3 in [5]", "3 < 9"]
