"""Programs that stay whole."""

import pytest

from tests.support.splits import described_parts, split_of

CHOICE = "1 { on(S,M) : mode(M) } 1 :- reading(S,_) in [5]. :- on(S,fast), broken(S). mode(fast). mode(slow)."


def test_choices_and_constraints_are_split_by_the_key_that_their_atoms_share() -> None:
    """What is output goes through a part that outputs nothing where a bucket has no answer stream."""
    assert described_parts(CHOICE) == ["on1 from broken1 mode reading1", " from  and lars_failed on1"]
    assert described_parts(CHOICE, pipelined=True) == described_parts(CHOICE)
    lower, gate = split_of(CHOICE).parts
    assert (lower.outputs, lower.hands_on - {lower.failed}) == (frozenset(), gate.outputs)
    with_more = f"{CHOICE} hot(R) :- heat(R,T), T > 9. :- hot(R), heat(R,0)."
    assert described_parts(with_more)[:2] == ["on1 from broken1 mode reading1", "hot1 from heat1"]
    assert described_parts("a(X) ; b(X) :- p(X). c :- q(X).")[:2] == ["a1 b1 from p1", "c from q"]
    assert described_parts("a(X) :- p(X), not b(X). b(X) :- p(X), not a(X).")[0] == "a1 b1 from p1"


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("1 { on(S) : near(S,X) } 1 :- call(X).", "no key is shared by all atoms of rules that choose"),
        ("{ a(X) } :- p(X). :- a(X), a(Y), X < Y.", "no key is shared by all atoms of rules that choose"),
        ("{ a(X) } :- p(X). :- k(X), not a(X). k(1).", "the rule needs no atom with the key"),
        ("{ a(X) } :- p(X). a(1).", "a/1 has facts, in every bucket"),
        ("{ a(X) } :- p(X). b(X) :- a(X) in [3].", "a/1 is derived, and seen through a window"),
        ("{ a(X) } :- p(X). b(X) at @now+1 :- p(X).", "b/1 is derived for another tick"),
        ("{ a(X) } :- p(X). c :- a(X).", "no key is shared by all atoms of rules that choose"),
    ],
)
def test_what_keys_do_not_choose_or_exclude_by_themselves_is_whole(program: str, why: str) -> None:
    for pipelined in (False, True):
        whole = split_of(program, pipelined=pipelined)
        assert whole.is_whole
        assert "p.lars:1: the head leaves a choice" in map(str, whole.remarks)
        assert why in "\n".join(map(str, whole.remarks))


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("a(X) :- p(X). :~ a(X). [X]", "the program optimizes: answer streams are compared as wholes"),
        ("a(X) :- p(X). #show X : a(X).", "terms are shown that may come together from any part"),
        ("-a(X) :- p(X).", "-a/1 and a/1 exclude each other: a tick may have no answer stream"),
        ("a(X) :- p(X). #external b(X) : p(X).", "#external leaves atoms open"),
    ],
)
def test_programs_whose_answer_streams_are_wholes_are_whole(program: str, why: str) -> None:
    for pipelined in (False, True):
        whole = split_of(program, pipelined=pipelined)
        assert whole.is_whole
        assert whole.parts[0].reads_all
        assert f"p.lars:1: {why}" in map(str, whole.remarks)
