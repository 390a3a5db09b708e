"""Rules that no answer depends on are left out: all answers are what they are with all rules."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp import ProgramError, Reasoner, Source, compile_program
from lars2asp.compiler import Overrides
from lars2asp.planning.plan import Plan
from lars2asp.planning.translation import translate
from tests.strategies import GROUPS, Case
from tests.strategies.streams import DERIVED, INPUTS
from tests.support.evaluating import serving
from tests.support.examples import number_of_examples
from tests.support.plans import compiled
from tests.support.running import made, run_on

EXAMPLES = number_of_examples(3)

MOST_TURNS = 60
"""Numbers below it say by which evaluator a case is run: what is left out is the same for all."""

PREDICATES = [f"{name}/{arity}" for name, arity in (INPUTS | DERIVED).items()]


@st.composite
def shown(draw: st.DrawFn, cases: st.SearchStrategy[Case]) -> Case:
    """A case of which some predicates are shown, or none."""
    case = draw(cases)
    few = draw(st.lists(st.sampled_from(PREDICATES), max_size=2, unique=True))
    shows = " ".join(f"#show {one}." for one in few) or "#show."
    return replace(case, program=f"{case.program}\n{shows}")


def with_all(plan: Plan) -> Plan:
    return translate(plan.program, plan.semantics, with_all=True)


@pytest.mark.parametrize("group", GROUPS)
def test_the_answers_are_those_of_all_rules(group: str) -> None:
    """Answer streams in order; so it is over snapshots, and from one with all rules."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.filter_too_much,
            HealthCheck.data_too_large,
        ],
    )
    @given(shown(GROUPS[group]), st.integers(0, 30), st.sampled_from([0, 1]), st.integers(0, MOST_TURNS - 1))
    def hold_to_all_rules(case: Case, part: int, models: int, turn: int) -> None:
        note(case.program)
        plan = compiled(case)
        assume(plan.left_out)
        whole = with_all(plan)
        start = case.records[0].tick if case.start is None else case.start
        half = start + part % max(case.last - start, 1)
        names = serving(whole)
        name = names[turn % len(names)]
        note(name)
        reasoner, other = made(case, whole, name, models), made(case, plan, name, models)
        expected = run_on(reasoner, case, start, half)
        assert run_on(other, case, start, half) == expected
        kept, all_kept = other.snapshot(), reasoner.snapshot()
        expected = run_on(reasoner, case, half + 1, case.last)
        assert run_on(other, case, half + 1, case.last) == expected
        for snapshot in (kept, all_kept):
            resumed = made(case, plan, name, models)
            resumed.resume(snapshot)
            assert run_on(resumed, case, half + 1, case.last) == expected

    hold_to_all_rules()


@settings(max_examples=3 * EXAMPLES, deadline=None, suppress_health_check=[*HealthCheck])
@given(st.sampled_from(sorted(GROUPS)).flatmap(lambda group: GROUPS[group]), st.sampled_from(PREDICATES))
def test_what_alone_is_asked_for_is_what_all_answers_have_of_it(case: Case, predicate: str) -> None:
    note(case.program)
    plan = compiled(case)
    assume(all(component.is_certain for component in plan.components) and not plan.left_out)
    overrides = Overrides(semantics=plan.semantics, show=(predicate,))
    try:
        only = compile_program(Source("random.lars", case.program), overrides=overrides)
    except ProgramError:
        assume(False)
    start = case.records[0].tick if case.start is None else case.start
    shown_all = compile_program(
        Source("random.lars", f"{case.program}\n#show {predicate}."), overrides=replace(overrides, show=())
    )
    for name in serving(only):
        if name in serving(shown_all):
            expected = run_on(made(case, shown_all, name, 1), case, start, case.last)
            found = run_on(made(case, only, name, 1), case, start, case.last)
            wanted = [_of(predicate, atoms) for _, _, atoms, *_ in expected]
            assert [_of(predicate, atoms) for _, _, atoms, *_ in found] == wanted
            assert all(atoms == _of(predicate, atoms) for _, _, atoms, *_ in found)


def _of(predicate: str, atoms: tuple[str, ...]) -> tuple[str, ...]:
    """The atoms of a predicate."""
    name, arity = predicate.split("/")
    return tuple(
        one for one in atoms if one.partition("(")[0] == name and one.count(",") == max(int(arity) - 1, 0)
    )


def test_only_goes_before_all_that_is_shown() -> None:
    text = "a(X) :- p(X). b(X) :- a(X), not c(X). c(X) :- q(X) in [5].\n#show f(X) : a(X). #show c/1."
    reasoner = Reasoner.from_text(text, show=["a/1"])
    assert len(reasoner.plan.left_out) == 2
    assert reasoner.step(0, ["p(1)", "q(2)"]).holds.texts == ("a(1)",)
    with pytest.raises(ProgramError, match=r"the program has no predicate b/2\n.*\n.*\n.*did you mean b/1"):
        Reasoner.from_text(text, show=["b/2"])
