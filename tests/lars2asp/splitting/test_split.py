"""Programs in parts: what each shows, that a split can be sent, an example."""

import pickle
from pathlib import Path

from lars2asp.compiler import checked_program, compile_part
from lars2asp.splitting.split import split
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.support.splits import described, described_parts, reasons, split_of

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_the_flights_are_split_by_airport_and_by_aircraft() -> None:
    checked = checked_program(*read_sources([EXAMPLES / "flights" / "flights.lars"]))
    for pipelined in (False, True):
        flights = split(checked.program, checked.semantics, pipelined=pipelined)
        assert list(map(described, flights.parts)) == [
            "disrupted1 left_late1 recovering1 from airport1 left1",
            "stormy1 windy1 from wind1",
            "inherited2 from landed1 left3",
        ]
        assert flights.levels == 1
        assert [str(s) for s in flights.duplicated] == ["left/4"]


def test_what_is_shown_has_a_home() -> None:
    program = "#show p/1. #show q/1. #show z/2. #show n/0. q(X) :- p(X). r(X) :- p(X)."
    assert described_parts(program) == ["q1 from p1", " from z1", " from n"]
    assert "p.lars:1: nothing that is shown depends on this rule" in reasons(program)
    assert split_of("#show. q(X) :- p(X).").is_whole


def test_a_part_shows_what_it_gives_and_hands_on() -> None:
    program = "d(X,Y) :- e(X,Y), p(X), k(X). b(Y) :- d(_,Y), p(Y). k(1). j(2). d(7,7). #show b/1."
    lower, upper = split_of(program, pipelined=True).parts
    texts = [[to_text(s) for s in part.program.statements] for part in (lower, upper)]
    assert texts == [
        ["d(X,Y) :- e(X,Y), p(X), k(X).", "k(1).", "d(7,7).", "#show d/2."],
        ["b(Y) :- d(_,Y), p(Y).", "#show b/1."],
    ]


def test_strict_programs_without_show_leave_out_what_only_the_input_tells() -> None:
    program = "#semantics strict. d(X) :- e(X). b(X) :- p(X)."
    assert [
        "#show" in "".join(map(to_text, part.program.statements)) for part in split_of(program).parts
    ] == [
        False,
        False,
    ]


def test_levels_are_proposed_where_they_give_keys() -> None:
    items = "high(I) :- alpha(I,V), V > 17. lfu(I) :- high(I) always in [5]."
    program = f"{items} calm :- #count {{ I : lfu(I) }} > 250."
    proposal = "split with `pipelined`, buckets of keys would have high/1, lfu/1, in 2 levels"
    assert not split_of(program).parts[-1].is_keyed
    assert proposal in reasons(program)
    assert [part.is_keyed for part in split_of(program, pipelined=True).parts] == [True, False]
    assert "pipelined" not in "".join(map(str, split_of(program, pipelined=True).remarks))
    for other in (
        items,
        "q(A,C) :- p(A,B), p(B,C). r(A) :- q(A,A) in [3].",
        "n(N) :- N = #count { X : p(X) }.",
    ):
        assert "pipelined" not in "".join(reasons(other))


def test_a_split_can_be_sent() -> None:
    made = split_of("d(X,Y) :- e(X,Y), p(X). b(Y) :- d(_,Y), p(Y).", pipelined=True)
    sent = pickle.loads(pickle.dumps(made))
    checked = checked_program(Source("p.lars", ""))
    for one, other in zip(made.parts, sent.parts, strict=True):
        assert one == other
        texts = [compile_part(part, checked.semantics).whole.program.text for part in (one, other)]
        assert texts[0] == texts[1]
