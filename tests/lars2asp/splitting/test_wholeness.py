"""Programs that stay whole."""

import pytest

from tests.support.splits import split_of


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("{ a(X) } :- p(X).", "the head leaves a choice"),
        ("a(X) ; b(X) :- p(X).", "the head leaves a choice"),
        ("a(X) :- p(X). :- a(1).", "a constraint leaves a tick without answer stream for all parts"),
        ("a(X) :- p(X). :~ a(X). [X]", "the program optimizes: answer streams are compared as wholes"),
        ("a(X) :- p(X). #show X : a(X).", "terms are shown that may come together from any part"),
        ("a(X) :- p(X), not b(X). b(X) :- p(X), not a(X).", "a/1 excludes b/1, which depends on it"),
        ("-a(X) :- p(X).", "-a/1 and a/1 exclude each other: a tick may have no answer stream"),
        ("a(X) :- p(X). #external b(X) : p(X).", "#external leaves atoms open"),
    ],
)
def test_programs_that_may_have_several_answer_streams_are_whole(program: str, why: str) -> None:
    for pipelined in (False, True):
        whole = split_of(program, pipelined=pipelined)
        assert whole.is_whole
        assert whole.parts[0].reads_all
        assert f"p.lars:1: {why}" in map(str, whole.remarks)
