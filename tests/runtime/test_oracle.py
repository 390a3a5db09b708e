"""Evaluation, held to the oracle: every evaluator gives the answers of the naive definition."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from lars2asp.compiler import Overrides, compile_program, read_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.oracle import Item, Oracle, TooManyError, UnstratifiedError
from tests.strategies import GROUPS, Case, cases, widened
from tests.strategies.times import timed_cases
from tests.strategies.truth_constants import constant_programs
from tests.support.definition import follow, record
from tests.support.evaluating import serving
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(6)
"""The number of pairs of program and stream that each group tries; 10,000 take about half an hour."""

WIDE_EXAMPLES = number_of_examples(2)
"""The same where numbers are wide."""

MOST_TURNS = 12
"""Numbers below it say from which evaluator another takes over in a case: one, as each costs a run."""

BEYOND_CLINGO = "but clingo has 32 bits"
"""What is said of a tick that has no answer since clingo could give only another one."""

RESTLESS = Tuning(sweep_after=0, deferred_least=2, stamped_spare=10, external_advance=10**6)
"""Histories and evaluators forget as soon as they may, and groundings are kept from the first tick on."""


def compare(case: Case, plan: Plan, *, turn: int | None = None) -> Counter[str]:
    """Runs the case by definition and with every evaluator that serves it, and fails where they differ.

    Half-way, the next evaluator takes over from one: from each, or from the one whose turn it is.

    Answer streams with the same output may differ in what they record for later ticks. Then the test goes on
    with each of them, and what comes next must agree with one.

    Counts what it saw. Raises TooManyError and UnstratifiedError.
    """
    start = case.records[0].tick if case.start is None else case.start
    oracle = Oracle(
        read_program(Source("random.lars", case.by_ticks or case.program)),
        case.records,
        start=start,
        is_strict=case.semantics == "strict",
        complete_windows=case.complete_windows,
    )
    by_definition = cache(oracle.answer_streams)
    seen: Counter[str] = Counter()
    evaluators = serving(plan)
    by_component = [name for name in evaluators if name is not EvaluatorName.ONESHOT]
    turns = [(name, name) for name in evaluators]
    if not plan.assumed:  # else the whole program may have taken over
        following = by_component[1:] + by_component[:1]
        pairs = [pair for pair in zip(by_component, following, strict=True) if pair[0] != pair[1]]
        turns += pairs if turn is None or not pairs else [pairs[turn % len(pairs)]]
    for first, second in turns:
        reasoner = Reasoner(
            plan,
            start=case.start,
            complete_windows=case.complete_windows,
            models=0,
            evaluator=first,
            tuning=RESTLESS,
        )
        answers = reasoner.run(map(record, case.records), until=case.last, emit="every")
        half = (start + case.last + 1) // 2
        if second is not first:
            answers = taken_over(answers, half, partial(reasoner.use, second))
        seen += follow(case, start, answers, by_definition)
    return seen


def taken_over(answers: Iterator[Answer], tick: int, use: Callable[[], None]) -> Iterator[Answer]:
    """Another evaluator is used from a tick on."""
    while (answer := next(answers, None)) is not None:
        yield answer
        if answer.tick == tick - 1:
            use()


@pytest.mark.parametrize("group", GROUPS)
def test_random_programs(group: str) -> None:
    """Sets of answer streams are compared, tick by tick, if the program has no error."""
    hold_to_the_definition(GROUPS[group])


@pytest.mark.parametrize("group", [one for one in GROUPS if one != "formulas in brackets"])
def test_random_programs_with_wide_numbers(group: str) -> None:
    """The same where numbers lie around 2**31, 2**32 and 2**63, and products and sums beyond."""
    hold_to_the_definition(GROUPS[group].flatmap(widened), WIDE_EXAMPLES)


def test_random_programs_with_times() -> None:
    """Times and durations are ticks: differences, comparisons with units, windows beside them."""
    hold_to_the_definition(timed_cases())


def test_random_programs_with_truth_constants() -> None:
    """`#true` and `#false` beside `at most` remove no rule, condition or element, whatever their signs."""
    hold_to_the_definition(cases(constant_programs()), 3 * EXAMPLES)


def hold_to_the_definition(group: SearchStrategy[Case], examples: int = EXAMPLES) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.filter_too_much,
            HealthCheck.data_too_large,
        ],
    )
    @given(group, st.integers(0, MOST_TURNS - 1))
    def hold(case: Case, turn: int) -> None:
        note(case.program)
        source = Source("random.lars", case.program)
        overrides = Overrides(semantics=Semantics(case.semantics))
        try:
            compare(case, compile_program(source, overrides=overrides), turn=turn)
        except (ProgramError, TooManyError, UnstratifiedError):
            assume(False)
        except EvaluationError as error:  # the tick has no answer, which is said
            assume(BEYOND_CLINGO not in str(error))
            raise

    hold()


def test_the_oracle_gives_up_counting_on_and_on() -> None:
    """As wide numbers make of `V = X+1, -2 <= V <= 2`: more atoms than anybody waits for."""
    program = "a(X) :- e(X). a(V) :- a(X), V = X+1, V <= 2147483648."
    case = Case(program, (Item(0, facts=(("e", (0,)),)),), None, 0, "recorded", complete_windows=False)
    with pytest.raises(TooManyError):
        compare(case, compile_program(Source("counting.lars", program)))


@pytest.mark.parametrize("window", ["[every 2]", "[4 step 2]", "[5 step 3]"])
def test_a_choice_where_a_block_gets_the_current_tick(window: str) -> None:
    """What a box over the last block forced is chosen again, though nothing begins and nothing ends."""
    program = f"a :- not b. b :- not a. a :- a always in {window}."
    case = Case(program, (Item(0, ()),), None, 7, "recorded", complete_windows=True)
    compare(case, compile_program(Source("block.lars", program)))


@pytest.mark.parametrize("values", [(0, 1), (1,), ()])
def test_the_contrary_of_a_tuple(values: tuple[int, ...]) -> None:
    """It has one, as in clingo."""
    item = Item(0, facts=(("e", (("", values),)),))
    for program in ("a(-X) :- e(X).", "a(X) :- e(-X).", "a :- e(X), -X > X."):
        case = Case(program, (item,), None, 0, "recorded", complete_windows=False)
        assert compare(case, compile_program(Source("tuples.lars", program)))
