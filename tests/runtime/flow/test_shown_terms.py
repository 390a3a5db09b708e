"""Terms that are shown, in flow: they may be atoms that other components show as well."""

from hypothesis import given, note
from hypothesis import strategies as st

from lars2asp import Reasoner
from tests.support.blocks import AT_RANDOM

SHOWN = (
    "#show b/1.",
    "#show a/1.",
    "#show c/1.",
    "#show b(X) : a(X).",
    "#show b(X+1) : c(X), not a(X).",
    "#show X : b(X).",
    "#show c(X) : p(X) at least 2 in [4].",
    "#show f(X,N) : a(X), N = #count { Y : b(Y) }.",
)
RULES = (
    "b(X) :- p(X) in [2].",
    "c(X) :- b(X) in {1}, not q(X).",
    "{ a(X) } :- q(X). :- q(X), not a(X), not r.",
    "1 { a(X) : p(X) } 1 :- r, p(_). :- a(2).",
    ":- b(2), q(0).",
    ":- c(1), b(1).",
)


@AT_RANDOM
@given(
    st.lists(st.sampled_from(RULES), min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from(SHOWN), min_size=1, max_size=5, unique=True),
    st.lists(
        st.lists(st.sampled_from(["p(0)", "p(1)", "p(2)", "q(0)", "q(1)", "c(1)", "r"]), max_size=3),
        min_size=1,
        max_size=10,
    ),
    st.integers(0, 9),
)
def test_random_programs(rules: list[str], shown: list[str], steps: list[list[str]], at: int) -> None:
    """All answer streams are those of clingo over the whole program, behind a state as well."""
    program = "\n".join(
        [*rules, *shown, "#show. #show t(X) : q(X). #defined b/1. #defined c/1. #defined a/1."]
    )
    note(program)
    one, other = (Reasoner.from_text(program, models=0, evaluator=name) for name in ("flow", "oneshot"))
    for tick, facts in enumerate(steps):
        if tick == at:
            state, one = one.snapshot(), Reasoner.from_text(program, models=0, evaluator="flow")
            one.resume(state)
        answer, expected = one.step(tick, facts), other.step(tick, facts)
        found = [frozenset(model.texts) for model in answer.models]
        assert {*found} == {frozenset(model.texts) for model in expected.models}
        assert not found or {*answer.holds.texts} == found[0]
        assert len({*answer.holds.texts}) == len(answer.holds.texts)
        if len(found) > 1:
            return
        assert {*answer.began.texts} == {*expected.began.texts}
        assert {*answer.ended.texts} == {*expected.ended.texts}
