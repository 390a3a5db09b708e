"""Shards give together what one reasoner gives, however the stream is cut and whatever breaks down."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.compiler import CheckedProgram, Overrides, checked_program, compile_plan, read_program
from lars2asp.externals.events import Events
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.shard_spec import ShardSettings
from lars2asp.runtime.sources.facts.atoms import parse_atoms
from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.tuning import Tuning
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import split, whole
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.oracle import Ground, Item, Oracle, Pair, TooManyError, UnstratifiedError, atom_text
from tests.runtime.sharding.carrier import Carrier, Change
from tests.strategies import (
    ALL_PROGRAMS,
    Case,
    cases,
    keyed_choices,
    sparse_cases,
    splittable_programs,
    with_calendar,
    with_held,
)
from tests.support.definition import record
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(5)


def checked(case: Case) -> CheckedProgram:
    """The program of a case; those with errors are passed over."""
    try:
        overrides = Overrides(semantics=Semantics(case.semantics))
        return checked_program(Source("random.lars", case.program), overrides=overrides)
    except ProgramError:
        assume(False)
        raise


def in_order(case: Case) -> list[Item]:
    """The records as shards take them: of one tick first what ends, then what begins, then what holds."""
    found: list[Item] = []
    is_open: set[Ground] = set()
    for tick in sorted({item.tick for item in case.records}):
        here = [item for item in case.records if item.tick == tick]
        ends = {atom for item in here for atom in item.end} & is_open
        begins = {atom for item in here for atom in item.begin}
        facts = {(atom, item.until) for item in here for atom in item.facts}
        is_open = is_open - ends | begins
        plain = [atom for atom, until in facts if until is None]
        found.append(Item(tick, _sorted(plain), None, _sorted(begins), _sorted(ends)))
        for last in sorted({until for _, until in facts if until is not None}):
            found.append(Item(tick, _sorted(atom for atom, until in facts if until == last), last))
    return found


def _sorted(atoms: Iterable[Ground]) -> tuple[Ground, ...]:
    return tuple(sorted(atoms, key=atom_text))


def expected(program: CheckedProgram, case: Case) -> list[Change]:
    """What one reasoner gives."""
    reasoner = Reasoner(compile_plan(program), start=case.start, complete_windows=case.complete_windows)
    changes: list[Change] = []
    is_satisfiable = True
    for answer in reasoner.run(map(record, in_order(case)), until=case.last, emit="every"):
        changes += [(answer.tick, PacketSign.BEGAN, str(atom)) for atom in answer.began.symbols]
        changes += [(answer.tick, PacketSign.ENDED, str(atom)) for atom in answer.ended.symbols]
        if answer.satisfiable is not is_satisfiable:
            is_satisfiable = answer.satisfiable
            sign = PacketSign.SATISFIABLE if is_satisfiable else PacketSign.UNSATISFIABLE
            changes.append((answer.tick, sign, ""))
    return sorted(changes)


def batches(records: Sequence[Record], lateness: int, random: Random) -> list[list[Record]]:
    """Batches of the records, which come late as far as that is allowed, in no order within a batch."""
    found: list[list[Record]] = [[]]
    for item in sorted(records, key=lambda item: item.tick + random.randint(0, lateness)):
        if random.random() < 0.4:
            found.append([])
        found[-1].append(item)
    for batch in found:
        random.shuffle(batch)
    return found


def laid_out(parts: Split, buckets: int) -> Layout:
    """The layout with `buckets` buckets for each part that has keys."""
    return Layout(parts, tuple(buckets if part.is_keyed else 1 for part in parts.parts))


def settings_of(case: Case, program: CheckedProgram, tuning: Tuning) -> ShardSettings:
    return ShardSettings(program.semantics, case.start, case.complete_windows, tuning=tuning)


def hold(
    case: Case, parts: Split, program: CheckedProgram, buckets: int, tuning: Tuning, random: Random
) -> None:
    """The shards of these parts give what one reasoner gives."""
    lateness = random.choice([0, 0, 1, 3])
    run = settings_of(case, program, tuning)
    carrier = Carrier(laid_out(parts, buckets), run, lateness, random)
    cut = batches([*map(record, case.records)], lateness, random)
    note(f"{buckets} buckets, lateness {lateness}, batches {cut}")
    got = [change for change in carrier.run(cut, case.last) if change[1] != PacketSign.REJECTED]
    if any(part.failed for part in parts.parts):
        hold_to_one_of_all(case, program, got)
    elif got != (in_process := expected(program, case)):
        plan = compile_plan(program)
        assert not all(one.is_certain for one in plan.components), f"{got} is not {in_process}"
        hold_to_definition(case, got)  # which of several answer streams is followed may be another one


def hold_to_definition(case: Case, changes: list[Change]) -> None:
    """The changes follow one answer stream from tick to tick."""
    start = case.records[0].tick if case.start is None else case.start
    program = read_program(Source("random.lars", case.by_ticks or case.program))
    semantics = {"is_strict": case.semantics == "strict", "complete_windows": case.complete_windows}
    oracle = Oracle(program, tuple(in_order(case)), start=start, **semantics)
    states, atoms = {frozenset[Pair]()}, set[str]()
    try:
        for tick in range(start, case.last + 1):
            for at, sign, text in changes:
                if at == tick and sign in (PacketSign.BEGAN, PacketSign.ENDED):
                    (atoms.add if sign == PacketSign.BEGAN else atoms.discard)(text)
            streams = {state: oracle.answer_streams(tick, state) for state in states}
            fitting = {one.recorded for some in streams.values() for one in some if one.output == atoms}
            states = fitting or {state for state, some in streams.items() if not some and not atoms}
            assert states, f"at tick {tick}"
    except (TooManyError, UnstratifiedError):
        assume(False)


def hold_to_one_of_all(case: Case, program: CheckedProgram, changes: list[Change]) -> None:
    """The changes give one of the answer streams at each tick, and say where there is none."""
    plan = compile_plan(program)
    reasoner = Reasoner(plan, start=case.start, complete_windows=case.complete_windows, models=0)
    atoms: set[str] = set()
    is_satisfiable = True
    for answer in reasoner.run(map(record, in_order(case)), until=case.last, emit="every"):
        now = [(sign, text) for tick, sign, text in changes if tick == answer.tick]
        atoms -= {text for sign, text in now if sign == PacketSign.ENDED}
        atoms |= {text for sign, text in now if sign == PacketSign.BEGAN}
        signs = [sign for sign, _ in now if sign in (PacketSign.UNSATISFIABLE, PacketSign.SATISFIABLE)]
        assert len(signs) <= 1
        is_satisfiable = PacketSign.SATISFIABLE in signs if signs else is_satisfiable
        assert is_satisfiable is answer.satisfiable
        assert frozenset(atoms) in {frozenset(m.texts) for m in answer.models} or not (
            atoms or answer.satisfiable
        )


relaxed = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
tunings = st.sampled_from(
    [Tuning(shard_journal=journal, block_facts=facts) for journal in (3, 2000) for facts in (1, 10_000)]
)
"""After how much work there is a new base, and how many facts a block has at most."""


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("ERROR", "lars2asp")


def _hold_split(case: Case, buckets: int, pipelined: bool, tuning: Tuning, random: Random) -> None:
    note(case.program)
    program = checked(case)
    parts = split(program.program, program.semantics, pipelined=pipelined)
    hold(case, parts, program, buckets, tuning, random)


@relaxed
@given(
    cases(splittable_programs() | keyed_choices()) | cases(ALL_PROGRAMS) | sparse_cases(ALL_PROGRAMS),
    st.sampled_from([1, 2, 8]),
    st.booleans(),
    tunings,
    st.randoms(use_true_random=False),
)
def test_split_programs(case: Case, buckets: int, pipelined: bool, tuning: Tuning, random: Random) -> None:
    _hold_split(case, buckets, pipelined, tuning, random)


@relaxed
@given(
    with_held(cases(splittable_programs()) | sparse_cases(ALL_PROGRAMS)),
    st.sampled_from([1, 2, 8]),
    st.booleans(),
    tunings,
    st.randoms(use_true_random=False),
)
def test_facts_that_are_held(
    case: Case, buckets: int, pipelined: bool, tuning: Tuning, random: Random
) -> None:
    _hold_split(case, buckets, pipelined, tuning, random)


@relaxed
@given(
    with_calendar(cases(splittable_programs()) | cases(ALL_PROGRAMS)),
    st.sampled_from([1, 2, 8]),
    st.booleans(),
    tunings,
    st.randoms(use_true_random=False),
)
def test_all_shards_have_the_calendar(
    case: Case, buckets: int, pipelined: bool, tuning: Tuning, random: Random
) -> None:
    _hold_split(case, buckets, pipelined, tuning, random)


@relaxed
@given(
    cases(splittable_programs() | keyed_choices())
    | cases(ALL_PROGRAMS)
    | sparse_cases(ALL_PROGRAMS)
    | with_held(cases(splittable_programs()) | sparse_cases(ALL_PROGRAMS))
    | with_calendar(cases(splittable_programs())),
    st.sampled_from([1, 2, 8]),
    st.booleans(),
    st.sampled_from([EvaluatorName.AUTO, EvaluatorName.FLOW]),
    st.sampled_from([1, 7, 30_000]),
    st.randoms(use_true_random=False),
)
def test_a_whole_input_in_one_go(
    case: Case, buckets: int, pipelined: bool, evaluator: EvaluatorName, block: int, random: Random
) -> None:
    """In blocks of so many facts if `flow` serves each part."""
    note(case.program)
    program = checked(case)
    parts = split(program.program, program.semantics, pipelined=pipelined)
    run = replace(settings_of(case, program, Tuning(block_facts=block)), evaluator=evaluator)
    records = [*map(record, case.records), Record(case.last, Events())]
    random.shuffle(records)
    try:
        got = Carrier(laid_out(parts, buckets), run).whole(records)
    except EvaluatorError:  # not all of it can
        assume(False)
    got = [change for change in got if change[1] != PacketSign.REJECTED]
    if any(part.failed for part in parts.parts):
        hold_to_one_of_all(case, program, got)
    else:
        assert got == expected(program, case)


@relaxed
@given(cases(ALL_PROGRAMS) | sparse_cases(ALL_PROGRAMS), tunings, st.randoms(use_true_random=False))
def test_whole_programs(case: Case, tuning: Tuning, random: Random) -> None:
    """Of several answer streams the same one is followed, but where evaluation begins anew."""
    note(case.program)
    program = checked(case)
    hold(case, Split((whole(program.program),)), program, 1, tuning, random)


@relaxed
@given(cases(ALL_PROGRAMS), st.randoms(use_true_random=False))
def test_one_of_several_answer_streams_is_followed_however_batches_are_cut(
    case: Case, random: Random
) -> None:
    """Also where evaluation begins anew now and then."""
    note(case.program)
    program = checked(case)
    run = settings_of(case, program, Tuning(work_between_states=3))
    records = [*map(record, case.records)]
    layout = laid_out(Split((whole(program.program),)), 1)
    straight = Carrier(layout, run).run([records], case.last)
    cut = batches(records, 0, random)
    assert Carrier(layout, run, 0, random).run(cut, case.last) == straight


def test_symbols_of_functions_are_handed_from_shard_to_shard_as_they_are() -> None:
    """Also those whose text clingo could not read, or would read as others."""
    program = dedent(
        """
        #script (python)
        from clingo import Function
        def named(text): return Function(text.string)
        def is_constant(term): return Function("yes" if str(term.type) == "SymbolType.Function" else "no")
        #end.
        a(X,@named(X)) :- p(X).
        b(X,Y) :- a(X,Y) in [1].
        c(N,@is_constant(Y)) :- b(_,Y), N = #count{X : b(X,Y)}.
        """
    )
    names = ["New York", "1", "x,y", "line\\nbreak", "plain"]
    records = [Record(0, Events(parse_atoms(sorted(f'p("{name}")' for name in names)))), Record(3, Events())]
    found = checked_program(Source("x.lars", program))
    layout = Layout.for_partitions(split(found.program, found.semantics, pipelined=True), 3)
    assert layout.split.levels > 1
    output = Carrier(layout, ShardSettings(found.semantics)).run([[one] for one in records], 3)
    began = [text for _, sign, text in output if sign == PacketSign.BEGAN]
    assert [text for text in began if text.startswith("c")] == ["c(1,yes)"]
    assert 'b("line\\nbreak",line\nbreak)' in began
    assert not any(sign == PacketSign.REJECTED for _, sign, _ in output)
