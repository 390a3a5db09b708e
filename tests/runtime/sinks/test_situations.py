"""What holds since when, as it begins and ends, and as a state has it."""

import json

from lars2asp.externals.terms.terms import BARE_TERM, Row, constant, tuple_term
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.output import OutputState
from lars2asp.runtime.sinks.situations import NEWS_SECONDS, OmittedSituations, Situations
from lars2asp.syntax.nodes import Signature

P, Q = Signature("p", 1), Signature("q", 1)


class Output:
    """An output that changes."""

    def __init__(self) -> None:
        self._state = OutputState()

    def answer(self, tick: int, **rows: list[Row]) -> Answer:
        before = self._state.version
        names = {"p": P, "q": Q, "terms": BARE_TERM}
        return Answer(tick, True, self._state.fix({names[n]: set(each) for n, each in rows.items()}), before)


def test_situations_come_back_as_the_very_same_whatever_their_names_are() -> None:
    terms: list[Row] = [(constant("a"),), (1,), ("1",), ("x,y",), (tuple_term(()),)]
    situations, others = Situations(), Situations()
    situations.take(Output().answer(0, terms=terms, p=[(1,)]), 0.0)
    others.restore(json.loads(json.dumps(situations.state())), 0.0)
    rows = situations.rows(9, 9.0)
    assert len(rows) == len(terms) + 1
    assert others.rows(9, 9.0) == rows


def test_a_situation_begins_and_ends() -> None:
    output, situations = Output(), Situations()
    situations.take(output.answer(0), 0.0)
    situations.take(output.answer(1, p=[(2,), (1,)]), 1.0)
    assert situations.rows(9, 1.0) == [("p(1)", 1, False, None, True), ("p(2)", 1, False, None, True)]
    situations.take(output.answer(2, p=[(1,)]), 9.0)
    assert situations.rows(9, 9.0) == [("p(1)", 1, False, None, False), ("p(2)", 1, False, 2, False)]
    assert situations.rows(9, 9.0 + NEWS_SECONDS) == [("p(1)", 1, False, None, False)]


def test_what_holds_at_the_first_answer_may_be_older_but_for_what_it_added() -> None:
    output, situations = Output(), Situations()
    output.answer(0, p=[(1,)], q=[(1,)])
    situations.take(output.answer(1, p=[(1,), (2,)], q=[(1,)]), 1.0)
    assert situations.rows(9, 1.0) == [
        ("p(1)", 1, True, None, False),
        ("p(2)", 1, False, None, True),
        ("q(1)", 1, True, None, False),
    ]


def test_where_rows_are_few_those_that_began_last_are_shown() -> None:
    output, situations = Output(), Situations()
    situations.take(output.answer(0), 0.0)
    for number in range(1, 6):
        situations.take(output.answer(number, p=[(n,) for n in range(number)], q=[(1,)]), 9.0 * number)
    assert situations.rows(3, 99.0) == [
        ("p(4)", 5, False, None, False),
        OmittedSituations(4, "p/1", 1, False),
        ("q(1)", 1, False, None, False),
    ]
