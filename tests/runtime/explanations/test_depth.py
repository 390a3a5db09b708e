"""Explanations of what rests on ticks long ago, or on long chains at one tick: depth costs no stack."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.explaining import explained


@pytest.mark.parametrize(
    ("program", "atom"),
    [
        ("d at @now :- d in {1}. d :- s.", "d"),
        ("d at @now+1 :- d. d :- s.", "d"),
        ("d at @now-1 :- d in {1}. d :- s. d :- d in {2}.", "d"),
        ("n :- n in {1}. n :- s.", "n"),
        ("d at @now :- d in {1}. e :- not d in {1}. d :- s. x :- d, not e.", "x"),
    ],
)
@pytest.mark.parametrize("told", ["s", "q"])
def test_what_recurs_tick_after_tick(program: str, atom: str, told: str) -> None:
    """The trees are cut off; what holds is worked out all the way back."""
    explained(program, {0: [told], 500: ["q"]}, atom, 500)


@pytest.mark.parametrize("tick", [0, 1])
def test_a_long_chain_at_one_tick(tick: int) -> None:
    """Each atom rests on the one before."""
    explained("n(X+1) :- n(X), X < 1200. n(0) :- s.", {0: ["s"], 1: ["q"]}, "n(1200)", tick)


def test_many_strata() -> None:
    """Each predicate rests on the one below."""
    rules = [f"p{number} :- p{number - 1}." for number in range(1, 400)]
    explained(" ".join([*rules, "p0 :- s."]), {0: ["s"], 1: ["q"]}, "p30", 1)


def test_a_long_body() -> None:
    """Its literals are looked at one after the other."""
    body = ", ".join(f"p({number})" for number in range(400))
    with little_stack():
        explained(f"x :- {body}.", {0: [f"p({number})" for number in range(399)]}, "x", 0)


@contextmanager
def little_stack() -> Iterator[None]:
    """Calls may be nested 300 deep."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 300)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
