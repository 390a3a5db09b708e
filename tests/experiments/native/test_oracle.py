"""Laser and Laser2 give the answers of the naive definition, on random programs and streams."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

import experiments.native.formulae
from experiments.native import Laser, Laser2, UnsupportedError
from lars2asp import Source
from lars2asp.compiler import Overrides, checked_program, read_program
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from tests.experiments.native.running import fact as parsed
from tests.oracle import Ground, Oracle, TooManyError
from tests.strategies.native import PointCase, point_cases
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(10)
"""How many pairs of program and stream are tried; 10,000 of them take about ten minutes."""


@pytest.fixture(autouse=True, scope="module")
def _few_are_many() -> Iterator[None]:
    """Indexes turn to dictionaries soon."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiments.native.formulae, "MANY", 2)
        yield


def fact(ground: Ground) -> tuple[int | str, ...]:
    """A fact of the oracle as a benchmark has it."""
    name, values = ground
    return name, *(value if isinstance(value, int) else value[0] for value in values)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(point_cases(), st.integers(0, 2))
def test_the_answers_are_those_of_the_definition(case: PointCase, threshold: int) -> None:
    note(case.program)
    source = Source("random.lars", case.program)
    try:
        program = checked_program(source, overrides=Overrides(semantics=Semantics.STRICT)).program
        laser, naive = Laser(program), Laser(program, is_semi_naive=False)
        engines = [laser, Laser2(program, threshold), naive]
    except (ProgramError, UnsupportedError):
        assume(False)
    start = case.records[0].tick
    oracle = Oracle(
        read_program(Source("random.lars", case.program)), case.records, start=start, is_strict=True
    )
    facts_at = {record.tick: [fact(ground) for ground in record.facts] for record in case.records}
    answers: list[set[str]] = [set() for _ in engines]
    for tick in range(start, case.last + 1):
        try:
            [expected] = oracle.answer_streams(tick)
        except TooManyError:
            assume(False)
        for engine, answer in zip(engines, answers, strict=True):
            changes = engine.step(tick, engine.facts(facts_at.get(tick, [])))
            began, ended = map(engine.texts, changes)
            assert len(set(began)) == len(began) and answer.isdisjoint(began)
            assert len(set(ended)) == len(ended) and answer.issuperset(ended)
            answer.difference_update(ended)
            answer.update(began)
            assert answer == expected.output, f"{type(engine).__name__} at tick {tick}"
        for atom in map(parsed, expected.output):
            assert laser.horizon(atom) == naive.horizon(atom), f"{atom} at tick {tick}"
