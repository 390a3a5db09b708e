"""At which ticks answers are given: the end of a hopping or tumbling window is an event."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.compiler import compile_program
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.source import Source
from tests.support.evaluating import serving


#   minute    1  3  | 16 20 |         |         | 61        blocks of a quarter of an hour
#   car       a  b  | c  d  |         |         | e
#   end            14       29        44        59      74
def test_two_quarters_with_equal_counts_are_two_answers() -> None:
    plan = compile_program(Source("q.lars", "quarter(N) :- N = #count{ C : car(C) in [every 15] }."))
    stream = [(1, ["car(a)"]), (3, ["car(b)"]), (16, ["car(c)"]), (20, ["car(d)"]), (61, ["car(e)"])]
    for name in serving(plan):
        reasoner = Reasoner(plan, evaluator=name)
        found = [
            (answer.tick, " ".join(answer.holds.texts), len(answer.began))
            for piece, until in ((stream[:3], None), (stream[3:], 80))
            for answer in reasoner.run(piece, until=until, emit="windows")
        ]
        assert found == [
            (1, "quarter(0)", 1),
            (14, "quarter(2)", 1),
            (29, "quarter(2)", 0),
            (44, "quarter(0)", 1),
            (59, "quarter(0)", 0),
            (74, "quarter(1)", 1),
        ]


def test_a_program_without_such_windows_is_refused() -> None:
    reasoner = Reasoner.from_text("a :- p in [3].")
    with pytest.raises(ValueError, match="needs a hopping or tumbling window, such as"):
        next(reasoner.run([(1, ["p"])], emit="windows"))


@given(
    sizes=st.tuples(st.integers(1, 7), st.integers(0, 6), st.integers(1, 7)),
    arriving=st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), max_size=8),
    start=st.integers(0, 9),
    lateness=st.integers(0, 2),
)
def test_given_are_changes_and_ends(
    sizes: tuple[int, int, int], arriving: list[tuple[int, str]], start: int, lateness: int
) -> None:
    """Those of all ticks that differ from the one given before, and those at which a window is at its end."""
    block, size, step = sizes
    program = f"""
    a(X) :- p(X) in [every {block} from {size}].
    b(X) :- p(X) in [1..{size + 1} step {step}].
    c(X) :- p(X) in [2].
    """
    plan = compile_program(Source("random.lars", program))
    stream: list[tuple[int, list[str]]] = []
    tick = start
    for gap, value in arriving:
        tick += gap
        stream.append((tick, [f"p({value})"]))
    expected: list[tuple[int, tuple[str, ...]]] = []
    before: tuple[str, ...] = ()
    for answer in Reasoner(plan, start=start).run(stream, until=tick + 20, emit="every"):
        texts = answer.holds.texts
        if texts != before or (answer.tick + 1 - size) % block == 0 or answer.tick % step == 0:
            expected.append((answer.tick, texts))
            before = texts
    for name in serving(plan):
        answers = Reasoner(plan, start=start, evaluator=name).run(
            stream, until=tick + 20, emit="windows", lateness=lateness
        )
        assert [(answer.tick, answer.holds.texts) for answer in answers] == expected
