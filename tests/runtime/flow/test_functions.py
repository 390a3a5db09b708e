"""Functions that are not declared pure: flow calls them no more often than components by themselves."""

from collections import Counter
from pathlib import Path

import pytest
from clingo import Symbol
from hypothesis import given, note
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.tuning import Tuning
from tests.support.blocks import AT_RANDOM

RULES = (
    "b(@f(X)) :- p(X) in [2].",
    "c(X) :- q(X), @f(X) > 1.",
    "d(X) :- b(X) in [1..3], not q(X).",
    "e(X) :- b(X) in {1}. e(@f(X)) :- e(X) in {2}, p(_).",
    ":- d(2), q(_).",
    ":- c(X), d(X).",
    "{ g(X) } :- p(X). :- g(1), q(1).",
    "h(@f(N)) :- N = #count { X : p(X) in [3] }.",
    "k(X) :- p(X), @bad(X) > 0.",
)
"""Rules with functions, windows over what they give, and ticks without an answer stream."""


class Noted:
    """Functions that note their calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def f(self, value: Symbol) -> Symbol:
        """The same value."""
        self.calls.append(f"f({value})")
        return value

    def bad(self, value: Symbol) -> Symbol:
        """The same value, but for one."""
        self.calls.append(f"bad({value})")
        if str(value) == "3":
            raise ValueError("bad")
        return value


ALONE = Tuning(external_advance=0, external_share=10**9)
"""clingo evaluates each tick by itself: it depends on costs what it keeps."""

Steps = list[tuple[int, list[tuple[str, int]]]]
Seen = list[tuple[int, object, list[str]]]


def seen(program: str, steps: Steps, *, by_flow: bool) -> Seen:
    """By ticks the answers, and the calls."""
    functions, found = Noted(), Seen()
    reasoner = Reasoner.from_text(program, functions=functions, tuning=ALONE)
    if not by_flow:
        reasoner.session.execution.__dict__["_refusal"] = "flow is held to it"
    now = 0
    for gap, facts in steps:
        for tick in range(now + 1, now + gap + 1):
            functions.calls.clear()
            holds: object
            try:
                answer = reasoner.step(tick, facts if tick == now + gap else [])
                holds = answer.holds.texts if answer.satisfiable else None
            except EvaluationError as error:
                holds = str(error)
                functions.calls.clear()  # which came before depends on the order of facts
            found.append((tick, holds, sorted(functions.calls)))
        now += gap
    if by_flow:
        assert reasoner.session.execution.flow is not None
    return found


@AT_RANDOM
@given(
    st.lists(st.sampled_from(RULES), min_size=1, max_size=6, unique=True),
    st.lists(
        st.tuples(
            st.integers(1, 3),
            st.lists(st.tuples(st.sampled_from("pq"), st.integers(0, 3)), max_size=3, unique=True),
        ),
        min_size=1,
        max_size=12,
    ),
)
def test_random_programs(rules: list[str], steps: Steps) -> None:
    """Answers are those of components by themselves, which call functions at the same ticks or more."""
    program = "\n".join(["b(0) :- r.", *rules])
    note(program)
    found, expected = (seen(program, steps, by_flow=by_flow) for by_flow in (True, False))
    for (tick, holds, calls), (at, alone, other) in zip(found, expected, strict=True):
        assert (tick, Counter(calls) <= Counter(other)) == (at, True)
        assert holds == alone or "{ " in program


def test_runs_over_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each tick calls a function once, those behind one without an answer stream as well."""
    (tmp_path / "p.lars").write_text(
        "#script (python)\nfrom clingo import Number\nn = [0]\n"
        "def count(_):\n    n[0] += 1\n    return Number(n[0])\n#end.\n"
        "#input p(x) at t. a(@count(X)) :- p(X). b(N) :- a(N) in [1..2]. :- b(3).\n"
    )
    (tmp_path / "s.csv").write_text("t,x\n" + "".join(f"{tick},{tick % 5}\n" for tick in range(9)))
    arguments = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "s.csv")]
    assert main(arguments, Tuning(block_bytes=0)) == 0
    assert '"a(9)"' in capsys.readouterr().out
