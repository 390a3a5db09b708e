"""Answers as tables: names and types of columns, and intervals of atoms."""

import pytest

from lars2asp import Reasoner
from lars2asp.compiler import compile_program
from lars2asp.externals.terms.terms import Value, constant
from lars2asp.runtime.sinks.columns import HeldInterval, OpenIntervals, answer_tables, cell_of
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source

H = Signature("h", 1)


@pytest.mark.parametrize(
    ("program", "tables"),
    [
        ("a(R,N) :- r(R,_) count N in [9]. #show a/2.", {"a/2": ["R", "N int"]}),
        ("#input r(time, a1, end). #show r/3.", {"r/3": ["a1", "a2", "a3"]}),
        ('#input r(a2, time, "A2"). #show r/3.', {"r/3": ["a2", "a2_", "a3"]}),
        ("a(X) :- p(X). #show. #show f(X,1) : a(X).", {"f/2": ["a1", "a2"]}),
        ("-a(X) :- p(X). b :- -a(1). #show -a/1. #show b/0.", {"b/0": [], "-a/1": ["X"]}),
    ],
)
def test_columns(program: str, tables: dict[str, list[str]]) -> None:
    found = answer_tables(compile_program(Source("<text>", program)))
    assert tables == {
        str(signature): [column.name + " int" * column.is_integer for column in table.columns]
        for signature, table in found.items()
    }


def test_cells() -> None:
    values: list[Value] = [3, "New York", constant("hall")]
    assert [*map(cell_of, values)] == [3, "New York", "hall"]


def test_intervals_are_given_when_they_end() -> None:
    r"""h(1) holds from 0 until 4, and from 6 on; h(2) from 0 until 2. A state goes on in between.

        0   2   4   6
    h(1)[       )   [
    h(2)[   )
    """
    reasoner = Reasoner.from_text("h(X) :- p(X).")
    found: list[HeldInterval] = []
    intervals = OpenIntervals()
    answers = [
        reasoner.step(0, begin=["p(1)", "p(2)"]),
        reasoner.step(2, end=["p(2)"]),
        reasoner.step(4, end=["p(1)"]),
        reasoner.step(6, begin=["p(1)"]),
    ]
    for answer in answers:
        found += intervals.take(answer, is_first=answer.tick == 0)
        state, intervals = intervals.state(), OpenIntervals()
        intervals.restore(state)
    assert [*found, *intervals.rest()] == [
        HeldInterval(H, (2,), 0, 2),
        HeldInterval(H, (1,), 0, 4),
        HeldInterval(H, (1,), 6, None),
    ]
