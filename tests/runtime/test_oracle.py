"""Every evaluator gives the answers of the naive definition, on random programs and streams."""

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from clingo import Symbol
from hypothesis import HealthCheck, assume, given, note, settings

import externals.history
from externals.events import Events
from lars2asp.compiler import check
from lars2asp.parser import parse_text
from lars2asp.source import Source
from runtime.facts import to_atom
from runtime.reasoner import Reasoner
from runtime.records import Record
from tests.oracle import Ground, Oracle, Told, TooManyGuessesError, atom_text, data_stream
from tests.strategies import Case, cases

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "300"))
"""How many pairs of program and stream are tried; 10,000 take about a quarter of an hour."""


def record(told: Told) -> Record:
    """The record that the product reads for what the oracle is told."""

    def atoms(ground: frozenset[Ground]) -> tuple[Symbol, ...]:
        return tuple(to_atom(atom_text(atom)) for atom in sorted(ground, key=atom_text))

    return Record(told.tick, Events(atoms(told.facts), atoms(told.begin), atoms(told.end), told.until))


@pytest.fixture(autouse=True, scope="module")
def _forgetful() -> Iterator[None]:
    """Histories forget as soon as they may, so that forgetting too much shows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(externals.history, "SWEEP_AFTER", 0)
        yield


def compare(case: Case) -> Counter[str]:
    """Runs the case both ways and fails where they differ; counts what it saw."""
    start = case.records[0].tick if case.start is None else case.start
    data = data_stream(case.records, start, case.last)
    oracle = Oracle(
        parse_text(case.program),
        start=start,
        is_strict=case.semantics == "strict",
        complete_windows=case.complete_windows,
    )
    reasoner = Reasoner.from_text(
        case.program,
        start=case.start,
        semantics=case.semantics,
        complete_windows=case.complete_windows,
        models=0,
    )
    seen: Counter[str] = Counter()
    ticks = []
    for answer in reasoner.run(map(record, case.records), until=case.last):
        ticks.append(answer.tick)
        streams = oracle.answer_streams(answer.tick, data[answer.tick])
        expected = {oracle.output(stream): stream for stream in streams}
        got = {frozenset(map(str, model)) for model in answer.models}
        assert got == set(expected), f"at tick {answer.tick}"
        assert answer.satisfiable == bool(streams)
        seen["ticks"] += 1
        seen["atoms"] += len(answer.symbols)
        seen["none" if not streams else "one" if len(streams) == 1 else "several"] += 1
        oracle.follow(answer.tick, data[answer.tick], expected.get(frozenset(answer.atoms)))
    assert ticks == list(range(start, case.last + 1))
    return seen


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(cases())
def test_oneshot_gives_the_answers_of_the_definition(case: Case) -> None:
    """Sets of answer streams, tick by tick, both semantics, intervals and gaps in the stream included."""
    assume(not check(Source("random.lars", case.program)))
    note(case.program)
    try:
        compare(case)
    except TooManyGuessesError:
        assume(False)
