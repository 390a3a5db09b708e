"""What holds since when, as a state has it."""

import json

from clingo import Function, Number, String

from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sinks.situations import Situations


def test_situations_come_back_as_the_very_same_whatever_their_names_are() -> None:
    reasoner = Reasoner.from_text("#show X : p(X).")
    terms = [Function("New York"), Function("1"), Number(1), String("1"), Function("x,y"), Function("", [])]
    situations, others = Situations(), Situations()
    situations.take(reasoner.step(0, [("p", term) for term in terms]), 0.0)
    others.restore(json.loads(json.dumps(situations.state())), 0.0)
    rows = situations.rows(9, 9.0)
    assert len(rows) == len(terms)
    assert others.rows(9, 9.0) == rows
