"""Ticker's encoding has the answer streams of the naive definition, on random programs and streams."""

from hypothesis import HealthCheck, assume, given, note, settings

from experiments.ticker.encoding import encode
from experiments.ticker.solver_calls import answers
from experiments.ticker.stream import SeenStream
from experiments.ticker.ticker_engine import TickerEngine
from lars2asp.compiler import CheckedProgram, Overrides, checked_program, read_program
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.oracle import Ground, Oracle, TooManyError, UnstratifiedError
from tests.strategies import Case, point_cases, sliding_programs
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(10)
"""How many pairs of program and stream are tried."""


def fact_of(ground: Ground) -> tuple[str | int, ...]:
    """A fact as benchmarks have it."""
    name, values = ground
    return name, *(value if isinstance(value, int) else value[0] for value in values)


def compare(case: Case, checked: CheckedProgram) -> None:
    """Runs the case by definition and with the encoding, and fails where they differ.

    All answer sets of the encoding must be those of the definition, and the engine's answer one of them.
    Raises ProgramError, TooManyError and UnstratifiedError.
    """
    engine, encoding = TickerEngine(checked), encode(checked)
    stream = SeenStream(encoding)
    start = case.records[0].tick
    oracle = Oracle(
        read_program(Source("random.lars", case.program)), case.records, start=start, is_strict=True
    )
    answer: set[str] = set()
    for record in case.records:
        expected = {stream.output for stream in oracle.answer_streams(record.tick)}
        facts = engine.facts([fact_of(atom) for atom in record.facts])
        stream.take(record.tick, facts)
        found = {frozenset(map(str, symbols)) for symbols in answers(encoding, stream, start=start, models=0)}
        assert found == expected, f"at tick {record.tick}"
        began, ended = map(set, map(engine.texts, engine.step(record.tick, facts)))
        assert ended <= answer
        assert not began & answer
        answer = answer - ended | began
        assert answer in (expected or [set()])


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(point_cases(sliding_programs()))
def test_answers_are_those_of_the_definition(case: Case) -> None:
    note(case.program)
    overrides = Overrides(semantics=Semantics.STRICT)
    try:
        compare(case, checked_program(Source("random.lars", case.program), overrides=overrides))
    except (ProgramError, TooManyError, UnstratifiedError):
        assume(False)
