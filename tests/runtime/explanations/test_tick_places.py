"""Arguments that are ticks have their times in brackets behind them."""

from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.explanations.words.tick_places import tick_places
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source

PROGRAM = """
#tick 1 min. #timezone "UTC".
#input reading(room, v) at time.
last(R,@now) :- reading(R,_).
same(R,T) :- reading(R,_), T = @now.
seen(R,T) :- reading(R,_) at T.
kept(R,T) :- last(R,T).
kept(R,T) :- kept(R,T) in {1}, not last(R,_).
soon(R,T+5) :- last(R,T).
older(R,T) :- last(R,T) in [10], T < @now.
mixed(R,T) :- last(R,T).
mixed(R,V) :- reading(R,V).
turning(X) :- turning(X) in {1}.
{ guess(T) : last(_,T) }.
"""
ROWS = "time,room,v\n2026-01-01T14:05Z,hall,5\n2026-01-01T14:07Z,hall,5\n"


def test_places_that_all_rules_fill_with_ticks() -> None:
    found = tick_places(parse(Source("p.lars", PROGRAM)))
    assert {str(one): [*places] for one, places in found.items()} == {
        "last/2": [1],
        "same/2": [1],
        "seen/2": [1],
        "kept/2": [1],
        "soon/2": [1],
        "older/2": [1],
        "guess/1": [0],
    }


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("last(_,_)", ['last("hall",29454607 (14:07)) at 2026-01-01 14:07']),
        ("same(_,_)", ["29454607 (14:07) = @now"]),
        ("soon(_,_)", ['soon("hall",29454612 (14:12))', 'last("hall",29454607 (14:07))']),
        ("older(_,_)", ['last("hall",29454605 (14:05)) in [10]', "29454605 (14:05) < @now"]),
        ("last(hall,29454605)", ['last("hall",29454605 (14:05)) does not hold at 2026-01-01 14:07']),
        ("mixed(_,29454607)", ['mixed("hall",29454607) at']),
        ("seen(_,29454605)", ['seen("hall",29454605 (14:05)) at', 'reading("hall",_) at 29454605 (14:05)']),
    ],
)
def test_explanations_have_the_times(tmp_path: Path, question: str, said: list[str]) -> None:
    (tmp_path / "a.csv").write_text(ROWS)
    reasoner = Reasoner.from_text(PROGRAM, explain_last=10)
    for _ in reasoner.run(tmp_path / "a.csv"):
        pass
    explanation = reasoner.why(question)
    text = explanation.to_text(width=200)
    assert [one for one in said if one not in text] == []
    assert "(14:0" not in str(explanation.to_dict())


def test_without_a_length_ticks_are_numbers() -> None:
    reasoner = Reasoner.from_text("last(@now) :- go.", explain_last=1)
    reasoner.step(7, ["go"])
    assert str(reasoner.why("last(_)")).splitlines()[0] == "last(7) at 7"
