"""The stream that explanations are held to, held itself to the definition of the tests."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis.strategies import SearchStrategy

from lars2asp.analysis.held_facts import held_facts
from lars2asp.compiler import Overrides, checked_program, read_program
from lars2asp.definition.stream import Arrival, NaiveStream
from lars2asp.runtime.command_line.check_why_command import arrivals as told_by
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Program, Semantics, Signature
from lars2asp.syntax.source import Source
from tests.oracle import Oracle, TooManyError, UnstratifiedError, arrivals, atom_text, ground
from tests.strategies import (
    ALL_PROGRAMS,
    VALUES,
    Case,
    aggregating_programs,
    cases,
    functional_programs,
    placing_programs,
    with_contraries,
    with_held,
)
from tests.support.definition import record
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(21) // 3
"""The number of pairs of program and stream that each group tries."""


def followed_of(case: Case) -> dict[str, Any]:
    """The header of an explanation that follows the first answer stream of each tick by definition.

    Raises TooManyError and UnstratifiedError.
    """
    start = case.records[0].tick if case.start is None else case.start
    oracle = Oracle(
        read_program(Source("random.lars", case.program)),
        case.records,
        start=start,
        is_strict=case.semantics == "strict",
        complete_windows=case.complete_windows,
    )
    atoms: dict[str, list[list[int]]] = {}
    silent: list[list[int]] = []
    placed: list[tuple[str, int, int]] = []
    recorded = frozenset[Any]()
    for tick in range(start, case.last + 1):
        streams = oracle.answer_streams(tick, recorded)
        if not streams:
            silent.append([tick, tick])
            continue
        for text in streams[0].output:
            atoms.setdefault(text, []).append([tick, tick])
        new = streams[0].recorded - recorded
        placed += [(atom_text(atom), at, tick) for atom, at in new if at != tick]
        recorded = streams[0].recorded
    return {
        "start": start,
        "semantics": case.semantics,
        "complete_windows": case.complete_windows,
        "kept_from": start,
        "followed": {"atoms": atoms, "without_answer": silent, "placed": placed},
    }


def follow(case: Case, written: Program) -> None:
    """Compares what holds now, tick by tick, the last one first."""
    header = followed_of(case)
    held, told = held_facts(written), arrivals(case.records, case.last)
    stream = NaiveStream(
        written,
        told_by(map(record, case.records), held)
        if held
        else [
            Arrival(one.tick, int(one.last), atom_text(ground(one.signature, one.row)), "x") for one in told
        ],
        header,
    )
    for tick in range(case.last, header["start"] - 1, -1):
        if not stream.has_answer(tick):
            continue
        atoms = header["followed"]["atoms"].items()
        expected = {text for text, runs in atoms if [tick, tick] in runs}
        got = set[str]()
        for signature in stream.derived:
            rows = stream.holds_now(signature, tick)
            if case.semantics == "strict":  # the output has no input
                rows &= expected | (rows - input_of(stream, signature, tick))
            got |= rows
        assert got == expected, tick
    stream.verify()
    assert not stream.faults


def input_of(stream: NaiveStream, signature: Signature, tick: int) -> frozenset[str]:
    """What input and facts say."""
    return stream.texts(signature, stream.given(signature, tick))


def hold(case: Case) -> None:
    """Follows the case, if the program has no error and the definition has an answer in time."""
    note(case.program)
    overrides = Overrides(semantics=Semantics(case.semantics))
    try:
        written = checked_program(Source("random.lars", case.program), overrides=overrides).written
        follow(case, written)
    except (ProgramError, TooManyError, UnstratifiedError):
        assume(False)


@pytest.mark.parametrize(
    "programs",
    [
        cases(ALL_PROGRAMS),
        cases(placing_programs()),
        cases(aggregating_programs()),
        cases(functional_programs(), values=VALUES),
        with_contraries(cases(ALL_PROGRAMS)),
        with_held(cases(ALL_PROGRAMS)),
    ],
    ids=["all", "heads at ticks", "aggregates", "functions", "contraries", "held"],
)
def test_random_programs(programs: SearchStrategy[Case]) -> None:
    """What holds now at each tick, along one answer stream."""

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs)
    def holding(case: Case) -> None:
        hold(case)

    holding()
