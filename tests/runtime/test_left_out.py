"""Rules that no answer depends on are left out: all answers are what they are with all rules."""

import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.planning.plan import Plan
from lars2asp.planning.translation import translate
from tests.strategies import GROUPS, Case
from tests.strategies.streams import DERIVED, INPUTS
from tests.support.evaluating import serving
from tests.support.plans import compiled
from tests.support.running import made, run_on

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "10"))

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
    """By every evaluator, answer streams in their order; over snapshots, and from one with all rules."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.filter_too_much,
            HealthCheck.data_too_large,
        ],
    )
    @given(shown(GROUPS[group]), st.integers(0, 30), st.sampled_from([0, 1]))
    def hold_to_all_rules(case: Case, part: int, models: int) -> None:
        note(case.program)
        plan = compiled(case)
        assume(plan.left_out)
        whole = with_all(plan)
        start = case.records[0].tick if case.start is None else case.start
        half = start + part % max(case.last - start, 1)
        for name in serving(whole):
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
