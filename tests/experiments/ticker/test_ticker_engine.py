"""A program and a stream in, answers out."""

from collections.abc import Sequence

import pytest

from experiments.engine import Fact
from experiments.ticker.ticker_engine import TickerEngine
from lars2asp.compiler import Overrides, checked_program
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source


def engine_of(program: str) -> TickerEngine:
    overrides = Overrides(semantics=Semantics.STRICT)
    return TickerEngine(checked_program(Source("program.lars", program), overrides=overrides))


def answers(program: str, stream: Sequence[Sequence[Fact]], start: int = 0) -> list[str]:
    """The answers to the facts of tick after tick."""
    engine = engine_of(program)
    held: set[str] = set()
    found = []
    for tick, facts in enumerate(stream, start):
        began, ended = engine.step(tick, engine.facts(facts))
        held = held - set(engine.texts(ended)) | set(engine.texts(began))
        found.append(" ".join(sorted(held)))
    return found


P, Q, R = ("p",), ("q",), ("r",)

EXAMPLES: dict[str, tuple[str, list[list[Fact]], list[str]]] = {
    "a diamond": ("a :- p in [2].", [[], [P], [], [], []], ["", "a", "a", "a", ""]),
    "a box, over less at the start": (
        "a :- p always in [1].",
        [[P], [P], [], [P], [P]],
        ["a", "a", "", "", "a"],
    ),
    "at": ("a(T) :- p at T in [1].", [[P], [P], [], []], ["a(0)", "a(0) a(1)", "a(1)", ""]),
    "at any tick": ("a(T) :- p at T, not p.", [[P], [P], [], []], ["", "", "a(0) a(1)", "a(0) a(1)"]),
    "a tick that is known": ("a :- p at 1.", [[P], [P], [], []], ["", "a", "a", "a"]),
    "the last two arrivals": ("a :- p in [2 #].", [[P], [], [Q], [R]], ["a", "a", "a", ""]),
    #          0   1   2   3   4   5
    # p        x   x       x   x   x
    # r                x   x           [3 #] spans, at each tick: 0-0, 0-1, 0-2, 2-3, 3-4, 3-5
    "a box over the last three": (
        "a :- p always in [3 #].",
        [[P], [P], [R], [R, P], [P], [P]],
        ["a", "a", "", "", "a", "a"],
    ),
    "the oldest arrival counts, not its tick": ("a :- p always in [2 #].", [[P, R], [P]], ["a", ""]),
    "a tuple window does not see what rules derive": ("p :- q. a :- p in [2 #].", [[Q], [P]], ["p", "a"]),
    "duplicates are one arrival": ("a :- p in [2 #].", [[P, Q, Q]], ["a"]),
    "earlier evaluations are forgotten": ("b :- p. a :- b in [2].", [[P], []], ["a b", ""]),
    "placed at a tick": (
        "b(X) at T+1 :- p(X) at T in [3]. a(X) :- b(X) always in [1].",
        [[("p", "x")], [("p", "x")], [("p", "x")], []],
        ["", "b(x)", "a(x) b(x)", "a(x) b(x)"],
    ),
    "no tick before the start, none after now": (
        "b at T-2 :- p at T. b at T+2 :- p at T. a(T) :- b at T.",
        [[P], [], []],
        ["", "", "a(2) b"],
    ),
    "what the input alone has is not an output": (
        "p :- q. a :- p.",
        [[P], [P, Q], [Q], [P]],
        ["a", "a p", "a p", "a"],
    ),
    "background data": ("p(1). a(X) :- p(X) always in [2].", [[], [("p", 2)]], ["a(1)", "a(1)"]),
    "no answer stream": ("a :- p. :- a, q.", [[P], [P, Q], [P]], ["a", "", "a"]),
    "an optimal answer": ("1 { a(1..3) } 1. #minimize { X : a(X) }.", [[]], ["a(1)"]),
    "output as shown": ("a :- p in [1]. b :- a. #show b/0. #show p/0.", [[P], []], ["b p", "b"]),
    "aggregates": (
        "a(N) :- N = #count { X : p(X) in [1] }.",
        [[("p", 1)], [("p", 2)], []],
        ["a(1)", "a(2)", "a(1)"],
    ),
    "classical negation": ("-a :- p. b :- not -a.", [[P], []], ["-a", "b"]),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    program, stream, expected = EXAMPLES[name]
    assert answers(program, stream) == expected


def test_the_timeline_may_start_at_any_tick() -> None:
    assert answers("a(T) :- p at T. b :- p always in [9].", [[P], [P]], 100) == [
        "a(100) b",
        "a(100) a(101) b",
    ]


def test_solver_calls_and_their_atoms_are_counted() -> None:
    engine = engine_of("a :- p in [1], q at 0, r in [3 #].")
    for tick, facts in enumerate([[P, Q], [P], [P, R], [P, ("s",)]]):
        engine.step(tick, engine.facts(facts))
    # p: 1, 2, 2, 2.  q: 1 each.  r: once it is there, for it is among the last three
    assert engine.counts == {"solver calls": 4, "atoms passed to clingo": 7 + 4 + 2}
