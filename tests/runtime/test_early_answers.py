"""`Reasoner.run_early`: answers at once, as a Python program gets them."""

import pytest

from lars2asp import Answer, Final, Reasoner, Revised
from lars2asp.runtime.sources.records import Rejected
from lars2asp.typing import Fact

PROGRAM = """
alarm(X) :- p(X) always in [2].
seen(X) :- p(X) in [3], not q(X) in [1].
#show alarm/1. #show seen/1.
"""

STREAM: list[tuple[int, list[Fact]]] = [
    (3, ["p(1)"]),
    (5, ["p(1)"]),
    (6, ["q(2)"]),
    (4, ["p(1)", "p(2)"]),
    (2, ["p(2)"]),
    (15, ["q(2)"]),
    (9, ["q(2)"]),
]


def test_answers_revisions_and_what_is_final() -> None:
    rejected: list[Rejected] = []
    said = [*Reasoner.from_text(PROGRAM).run(STREAM, revise=5, on_reject=rejected.append)]
    assert [(one.tick, " ".join(one.holds.texts)) if isinstance(one, Answer) else one for one in said] == [
        (3, "alarm(1) seen(1)"),
        (4, "seen(1)"),
        Revised("alarm(2)", 2, 2, holds=True),
        Revised("seen(2)", 2, None, holds=True),
        Revised("alarm(1)", 3, 3, holds=False),
        Revised("alarm(1)", 5, None, holds=True),
        (6, "seen(1)"),
        (9, ""),
        Final(9),
        Final(15),
    ]
    [late] = rejected
    assert late.reason.startswith(
        "late: tick 9 arrived after 15, more than 5 ticks late; to accept all records so far, add lateness=6"
    )


def test_what_is_refused() -> None:
    for program, reason in (("{a} :- p(X).", "several answer streams"), ("a :- p(1). :~ a. [1]", "costs")):
        with pytest.raises(ValueError, match=reason):
            Reasoner.from_text(program).run(STREAM, revise=5)
    used = Reasoner.from_text(PROGRAM)
    used.step(1, ["p(1)"])
    for reasoner in (used, Reasoner.from_text(PROGRAM, models=0)):
        with pytest.raises(
            ValueError, match="revise needs a reasoner that was not used before, with one answer stream"
        ):
            reasoner.run(STREAM, revise=5)
