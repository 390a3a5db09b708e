"""Heads at a past tick, rewritten as heads for the current tick: answers stay as they were."""

import random
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.compiler import Overrides, compile_program
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.support.every_tick import EveryTick, changes
from tests.support.examples import number_of_examples
from tests.support.records import events

EXAMPLES = number_of_examples(15)

CACHING = """
    high at T :- value(V), alpha(V) at T in [4], 18 <= V.
    low at T :- value(V), alpha(V) at T in [4], V < 18.
    lfu :- high always in [4].
    lru :- low always in [3].
    seen(T) :- high at T in [2].
    done :- lfu.
    done :- lru.
    random :- not done.
    value(3..20).
"""
COOLING = """
    steam(V) at T :- temp(V) at T in [5], V >= 5.
    isSteam at T :- steam(V) at T in [7].
    alarm :- isSteam always in [3].
    hot(T) :- steam(V) at T in [4], V >= 8.
    pair(V,W) at T :- steam(V) at T, temp(W) at T in [2], V < W.
    both(V) :- pair(V,_) in [2].
    freeze :- not alarm.
"""


def settled(program: str, semantics: str) -> set[str]:
    """The predicates that enter the stream as soon as they are derived."""
    plan = compile_program(Source("x", program), overrides=Overrides(semantics=Semantics(semantics)))
    return {signature.name for signature in plan.published.at_once}


@pytest.mark.parametrize("semantics", ["recorded", "strict"])
@pytest.mark.parametrize(
    ("program", "predicate", "others"),
    [
        (CACHING, "alpha", ["value(25)", "value(4)", "high", "low"]),
        (COOLING, "temp", ["steam(2)", "isSteam", "pair(1,2)"]),
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.03])
def test_the_answers_are_those_of_oneshot(
    program: str, predicate: str, others: list[str], semantics: str, share: float
) -> None:
    """Now and then the input has background data, or atoms that rules derive."""
    one = Reasoner.from_text(program, semantics=semantics, evaluator="oneshot")
    other = Reasoner.from_text(program, semantics=semantics)
    choose = random.Random(4)
    for tick in range(60):
        low, high = choose.choice([(0, 26), (5, 26), (18, 26)])
        facts = [f"{predicate}({choose.randint(low, high)})" for _ in range(choose.choice([0, 1, 1, 2]))]
        facts += [fact for fact in others if choose.random() < share]
        expected, got = one.step(tick, facts), other.step(tick, facts)
        assert got.holds.symbols == expected.holds.symbols, tick
        assert (got.began.symbols, got.ended.symbols) == (expected.began.symbols, expected.ended.symbols)


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(["p(0)", "p(1)", "p(2)", "p(2)", "k(1)", "k(2)", "s(1)", "q"]),
            max_size=3,
            unique=True,
        ),
        min_size=1,
        max_size=14,
    ),
    st.sampled_from([1, 3, 7, inf]),
    st.sampled_from(["recorded", "strict"]),
)
def test_batches_with_background_data(steps: list[list[str]], block: float, semantics: str) -> None:
    program = """
        k(0). s(X) at T :- p(X) at T in [3], k(X). a(X) :- s(X) always in [1]. b(X,T) :- s(X) at T in [2].
        w(X,Y) at T :- s(X) at T in [4], p(Y) at T in [4], k(Y), X != Y. c(X) :- w(X,_) in [3], not q.
    """
    plan = compile_program(Source("x", program), overrides=Overrides(semantics=Semantics(semantics)))
    assert plan.assumed
    told = [Record(tick, events(facts)) for tick, facts in enumerate(steps)]
    session = Session(plan, evaluator="flow", tuning=Tuning(block_facts=int(min(block, 10**9))))
    found = changes(session, told, len(steps) + 5, in_blocks=True)
    every = EveryTick(plan, evaluator="oneshot")
    assert found == changes(every, told, len(steps) + 5, in_blocks=False)


@pytest.mark.parametrize(
    ("more", "first", "end"),
    [
        ("b :- s(_) in [20].", 3, 26),  # what was derived before
        ("e at @now+30 :- p(_). b :- e. b :- s(7).", 33, 36),  # what was placed ahead
    ],
)
def test_recorded_atoms_stay_when_background_data_is_input_as_well(more: str, first: int, end: int) -> None:
    """From tick 10 on the program is evaluated as it was written."""
    reasoner = Reasoner.from_text(f"k(0). s(X) at T :- p(X) at T in [1], k(X). {more} #show b/0.")
    assert reasoner.plan.assumed
    stream = [*((tick, ["p(0)"]) for tick in (3, 4, 5)), (10, ["k(7)"])]
    changes = [(answer.tick, answer.holds.texts) for answer in reasoner.run(stream, until=60, emit=None)]
    assert changes == [(first, ("b",)), (end, ())]


def test_heads_that_are_rewritten() -> None:
    assert settled(COOLING, "strict") >= {"steam", "isSteam", "pair"}
    assert settled(CACHING, "strict") >= {"high", "low"}


@pytest.mark.parametrize(
    "program",
    [
        "h at T :- p at T in {1}. a :- h in [1].",  # placed a tick later
        "h at T :- p at T in [2], q. a :- h in [1].",  # q holds now and not then
        "h(T) at T :- p at T in [2]. a :- h(_) in [1].",
        "h at T+1 :- p at T in [2]. a :- h in [1].",
        "h at T :- p at T in [2]. a :- h in [1]. :- a, q.",  # a tick may have no answer
    ],
)
@pytest.mark.parametrize("semantics", ["recorded", "strict"])
def test_heads_that_are_not_rewritten(program: str, semantics: str) -> None:
    assert "h" not in settled(program, semantics)


def test_windows_that_look_further_than_heads_place() -> None:
    """With strict semantics atoms are placed no further back than the window of the head's rule."""
    program = "h at T :- p at T in [2]. a :- h in [3]."
    assert "h" not in settled(program, "strict")
    assert "h" in settled(program, "recorded")


#   tick    0   1   2   3   4   5   6
#   q(1)        |---|
#   q(2)            |-----------------
#   high    |---|                       derived, until limit(1) is input at 4
@pytest.mark.parametrize("semantics", ["recorded", "strict"])
def test_intervals_that_ended_before_the_whole_program_took_over(semantics: str) -> None:
    program = """
        high at T :- limit(L), p(V) at T in [3], L <= V.     a(T) :- high at T in [3].
        b(X,T) :- q(X) at T in [9].    limit(5).             c :- high in [2], limit(1).
    """
    one = Reasoner.from_text(program, semantics=semantics, evaluator="oneshot")
    other = Reasoner.from_text(program, semantics=semantics)
    began = {1: ["q(1)"], 2: ["q(2)"]}
    facts = {0: ["p(7)"], 1: ["p(9)"], 2: ["p(1)"], 4: ["limit(1)"], 5: ["p(2)"]}
    for tick in range(12):
        expected, got = (
            reasoner.step(
                tick, facts.get(tick, ()), begin=began.get(tick, ()), end=["q(1)"] if tick == 3 else ()
            )
            for reasoner in (one, other)
        )
        assert got.holds.symbols == expected.holds.symbols, tick


def test_windows_of_several_kinds_over_one_predicate_as_the_whole_program_takes_over() -> None:
    """With strict semantics it takes over the input: what all these windows had of it."""
    program = "bg(1). h(X) at T :- p(X) at T in [3], bg(X). d(X) :- p(X) in [every 8]. d :- h(7)."
    reasoner = Reasoner.from_text(f"{program} #show d/1. #show d/0.", semantics="strict")
    assert reasoner.plan.assumed
    stream = [(0, ["p(1)"]), (6, ["p(2)"]), (7, ["bg(2)"]), (8, ["p(3)"])]
    changes = [(answer.tick, answer.holds.texts) for answer in reasoner.run(stream, until=16, emit=None)]
    assert changes == [(7, ("d(1)", "d(2)")), (15, ("d(3)",))]
