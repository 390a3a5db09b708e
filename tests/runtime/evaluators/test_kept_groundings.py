"""Programs that have far more instances over all that was seen than at a tick: `auto` beside `oneshot`."""

import json
import random
import sys
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace

import pytest
from clingo import Number, Symbol

from lars2asp.runtime.errors import FunctionError
from lars2asp.runtime.reasoner import Reasoner
from tests.support.processes import completed

Stream = Sequence[Sequence[str]]

MEMORY = 1_500 * 2**20
"""In bytes, what the runs of a program may take; by `oneshot` each takes a tenth of it."""

SECONDS = 60
"""Of a processor; by `oneshot` each takes about one."""


def shops(ticks: int, rate: int, of: int) -> Stream:
    """Some of many shops at a tick, each always with the same offer."""
    choose = random.Random(3)
    prices = [choose.randrange(1_000, 100_000) for _ in range(of)]
    return [
        [f"offer(s{shop},{prices[shop]})" for shop in choose.sample(range(of), rate)] for _ in range(ticks)
    ]


CASES: dict[str, tuple[str, Stream]] = {
    "a sum that a variable takes": (
        """1 { take(X) : offer(X,_) } 1 :- offer(_,_). cost(S) :- S = #sum { P,X : take(X), offer(X,P) }.
        #minimize { P,X : take(X), offer(X,P) }.""",
        shops(120, 2, 40),
    ),
    "a sum that two steps later is bound": (
        """1 { take(X) : offer(X,_) } 1 :- offer(_,_). cost(S) :- S = #sum+ { P,X : take(X), offer(X,P) }.
        dear :- cost(S), S > 50000. #minimize { P,X : take(X), offer(X,P) }.""",
        shops(120, 2, 40),
    ),
    "numbers of more than 32 bits": (
        "over :- #sum { V,I : pay(I,V) } > 150000000, not waived. waived :- audit, not over.",
        [[f"pay({tick % 30},100000000)"] for tick in range(80)],
    ),
    "a walk that nothing stops": (
        "1 { pick(X) : start(X) } 1 :- start(_). n(X) :- pick(X). n(X+1) :- n(X), not stop(X).",
        [[f"start({1 + tick % 2})", f"stop({5 - tick % 2})"] for tick in range(30)],
    ),
    "terms that nothing stops": (
        """1 { pick(X) : start(X) } 1 :- start(_). n(X) :- pick(X). n(f(X)) :- n(X), not stop(X).
        #show m(X) : n(X).""",
        [[f"start({'fg'[tick % 2]})", f"stop({'fg'[tick % 2]})"] for tick in range(30)],
    ),
    "a join of three": (
        "{ take(X) : offer(X,_) }. :- take(X), take(Y), take(Z), X < Y, Y < Z.",
        shops(200, 4, 300),
    ),
    "a join of three that fails at the end": (
        "{ take(X) : offer(X,_) }. :- take(X), take(Y), take(Z), offer(X,P), offer(Y,Q), P * Q = 7, Z < Y.",
        shops(100, 4, 300),
    ),
    "elements from a join": (
        "{ take(X) : offer(X,_) }. much :- #sum { P+Q,X,Y : take(X), take(Y), offer(X,P), offer(Y,Q) } > 5.",
        shops(100, 4, 300),
    ),
    "a set from a join": (
        "{ take(X) : offer(X,_) }. { pair(X,Y) : take(X), take(Y), X < Y } 1 :- take(_).",
        shops(100, 4, 300),
    ),
    "weights from a join": (
        "1 { take(X) : offer(X,_) } 2. :~ take(X), take(Y), take(Z), X <= Y, Y <= Z. [1,X,Y,Z]",
        shops(60, 4, 100),
    ),
    "a way through all": (
        """1 { step(X,Y) : offer(Y,_) } 1 :- offer(X,_). far(X,Y) :- step(X,Y).
        far(X,Z) :- far(X,Y), step(Y,Z).        :- far(X,X), offer(X,P), P < 0.""",
        shops(60, 3, 100),
    ),
    "a disjunction": (
        "a(X,Y) ; b(X,Y) :- offer(X,P), offer(Y,Q), P < Q. :- a(X,Y), b(Y,X).",
        shops(60, 4, 200),
    ),
    "a walk that what is derived stops, with background data": (
        """{ in(X) } :- offer(X,_). n(1) :- in(_). n(N+1) :- n(N), not over(N). over(N) :- halt(N).
        halt(N) :- offer(_,P), N = P - P + 7, not far(N). over(N) :- n(N), N > 60. far(N) :- in(N), N > 90.
        late(@now) :- in(_). kin(1..40,1..30). #types offer(any,_).""",
        shops(20, 4, 40),
    ),
    "a walk and background data": (
        """{ in(X) } :- offer(X,_). n(1) :- in(_). n(N+1) :- n(N), not over(N).
        over(N) :- offer(_,P), N = P-P+7. over(N) :- n(N), N > 60.
        near(Y) :- in(X), kin(X,Y). kin(1..40,1..30).""",
        shops(20, 4, 40),
    ),
    "a sum and background data": (
        """{ in(X) } 1 :- offer(X,_). dear(X) :- offer(X,P), 1 { offer(X,P) }. s(@now,S) :- in(_),
        S = #sum { P,X : dear(X), offer(X,P) }. kin(1..40,1..30).""",
        shops(20, 25, 40),
    ),
    "bounds that are variables": (
        """{ take(X) : offer(X,_) } 1. much(P) :- offer(_,P), #count { X,Y : take(X), offer(Y,_) } > P.
        :- offer(_,P), P - 200000 { take(X) : offer(X,_) } P.""",
        shops(60, 4, 200),
    ),
    "counts that variables take": (
        """{ take(X) : offer(X,_) } 1. n(N,M,K) :- N = #count { X : take(X) }, M = #count { P : take(X),
        offer(X,P) }, K = { offer(X,P) : take(X) }.""",
        shops(60, 4, 200),
    ),
}


_RUN = """
import os, resource
from tests.runtime.evaluators.test_kept_groundings import CASES, MEMORY, SECONDS, evaluators, results
for name in CASES:
    if not os.fork():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        for evaluator in evaluators(name):
            print(name, evaluator, results(name, evaluator), sep="\\t", flush=True)
        os._exit(0)
    os.wait()
"""
"""Each program in a process of its own."""


def results(name: str, evaluator: str) -> str:
    """For each tick whether it has an answer stream, and what it costs; and the most rules of a Control."""
    program, stream = CASES[name]
    reasoner = Reasoner.from_text(program, evaluator=evaluator, stats=True)
    answers = [reasoner.step(tick, facts) for tick, facts in enumerate(stream)]
    searches = [component.searches for component in reasoner.statistics.components]
    rules = max(one.rules for one in searches if one is not None)
    return json.dumps({"answers": [[one.satisfiable, one.cost] for one in answers], "rules": rules})


def evaluators(name: str) -> list[str]:
    """By `external` too, but for rules that depend on the tick, which it does not serve."""
    return ["auto"] if "@now" in CASES[name][0] else ["auto", "external"]


@cache
def within_limits() -> dict[tuple[str, str], str]:
    """The results of each program and evaluator; those are not there that took too much."""
    run = completed([sys.executable, "-c", _RUN])
    assert all(": info: " in line and " compares the number " in line for line in run.stderr.splitlines())
    found = (line.split("\t") for line in run.stdout.splitlines())
    return {(name, evaluator): result for name, evaluator, result in found}


@pytest.mark.parametrize("name", CASES)
def test_an_answer_at_no_more_cost(name: str) -> None:
    expected = json.loads(results(name, "oneshot"))
    for evaluator in evaluators(name):
        assert (name, evaluator) in within_limits()
        got = json.loads(within_limits()[name, evaluator])
        assert got["answers"] == expected["answers"], evaluator
        assert got["rules"] <= 3 * expected["rules"] + 4000, evaluator


@pytest.mark.parametrize("evaluator", ["auto", "external"])
def test_what_is_said_is_of_ticks(evaluator: str, caplog: pytest.LogCaptureFixture) -> None:
    """A grounding over all that was seen divides by what no tick divides by."""
    program = "{ b(Z) : p(X), q(Y), Z = 12 / (X-Y) } 1. :- p(X), q(Y), X > 7."
    stream = [[f"p({1 + tick % 3})", f"q({4 + tick % 3})"] for tick in range(40)]
    stream += [[f"p({tick})", f"q({tick})"] for tick in (1, 4, 2)] * 10
    stream[30:30] = [["p(4)", "q(5)"], ["p(5)", "q(6)"]] * 3
    said = []
    for name in ("oneshot", evaluator):
        reasoner = Reasoner.from_text(program, evaluator=name, models=0)
        caplog.clear()
        at, found = list[tuple[int, str]](), list[set[frozenset[str]]]()
        for tick, facts in enumerate(stream):
            found.append({frozenset(one.texts) for one in reasoner.step(tick, facts).models})
            at += [(tick, record.getMessage()) for record in caplog.records]
            caplog.clear()
        said.append((at, found))
    assert said[0][0]
    assert said[1] == said[0]


def test_a_function_that_fails_fails_at_ticks_alone() -> None:
    def quotient(x: Symbol, y: Symbol) -> Symbol:
        return Number(12 // (x.number - y.number))

    program = "{ b(@quotient(X,Y)) : p(X), q(Y) } 1."
    reasoner = Reasoner.from_text(program, functions=SimpleNamespace(quotient=quotient), evaluator="external")
    for tick in range(40):
        assert reasoner.step(tick, [f"p({1 + tick % 5})", f"q({2 + tick % 5})"]).satisfiable
    with pytest.raises(FunctionError):
        reasoner.step(40, ["p(2)", "q(2)"])
