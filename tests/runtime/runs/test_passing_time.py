"""With lateness time passes as well: the last tick that can get no record any more is over at once."""

import json
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from functools import partial
from pathlib import Path
from random import Random
from threading import Event

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.__main__ import main
from lars2asp.compiler import checked_program
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.reasoning.snapshot import packed, unpacked
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.states.state_keeping import CheckpointInterval, State, StateKeeper
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.shard_spec import ShardSettings
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Line, PassedOver, Record, Rejected, refuse
from lars2asp.runtime.tuning import Tuning
from lars2asp.splitting.split import split
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.source import Source
from tests.runtime.sharding.carrier import Carrier
from tests.strategies import ALL_PROGRAMS, Case, cases, quiet_cases, sparse_cases
from tests.support.definition import record
from tests.support.examples import number_of_examples
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, free_port, started, wait_for
from tests.support.records import events

EXAMPLES = number_of_examples(3)

OVERDUE = "#tick 1 sec. overdue(O) :- order(O) in {3}, not paid(O) in [3 sec]."
LINES = ['{"time": 10, "facts": ["order(1)"]}', '{"time": 60}']
DUE = '{"time": 13, "atoms": ["overdue(1)"]}'

relaxed = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("ERROR", "lars2asp")


# --- every door -------------------------------------------------------------------------------------


def test_a_stream_in_python() -> None:
    """The answers are there before the next record is asked for."""
    ticks: list[int] = []

    def stream() -> Iterator[tuple[int, list[str]]]:
        yield 10, ["order(1)"]
        yield 60, []
        assert ticks == [13, 14]

    reasoner = Reasoner.from_text(OVERDUE)
    for answer in reasoner.run(stream(), lateness=5, emit=None):
        ticks.append(answer.tick)
    assert reasoner.now == 60


@pytest.mark.parametrize("options", [(), ("--lateness", "5")])
def test_standard_input(tmp_path: Path, options: tuple[str, ...]) -> None:
    with piped(tmp_path, "--input", "-", *options) as process:
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in LINES).encode())
        process.stdin.flush()
        assert due(process) == DUE


def test_a_file_that_is_followed(tmp_path: Path) -> None:
    (tmp_path / "input.jsonl").write_text("".join(f"{line}\n" for line in LINES))
    given = ("--input", str(tmp_path / "input.jsonl"), "--follow")
    with piped(tmp_path, *given, "--lateness", "5") as process:
        assert due(process) == DUE


def test_a_live_source(tmp_path: Path) -> None:
    with free_port() as port, piped(tmp_path, "--input", f"tcp:{port}", "--lateness", "5 sec") as process:
        found: list[socket.socket] = []
        wait_for(partial(_connects, port, found), process)
        with closing(found[0]) as connection:
            connection.sendall("".join(f"{line}\n" for line in LINES).encode())
            assert due(process) == DUE


def _connects(port: int, found: list[socket.socket]) -> bool:
    try:
        found.append(socket.create_connection(("127.0.0.1", port)))
    except ConnectionRefusedError:
        return False
    return True


def test_a_live_source_ends_when_its_last_tick_is_over(tmp_path: Path) -> None:
    """No later record must come."""
    with piped(tmp_path, "--input", "-", "--lateness", "5", "--until", "54") as process:
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in LINES).encode())
        process.stdin.flush()
        assert process.wait(PATIENCE_SECONDS) == 0


def piped(folder: Path, *options: str) -> "AbstractContextManager[subprocess.Popen[bytes]]":
    """A run whose answers can be read as they come."""
    (folder / "program.lars").write_text(OVERDUE)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return started([*LARS2ASP, "run", str(folder / "program.lars"), *options], **pipes)


def due(process: "subprocess.Popen[bytes]") -> str:
    assert process.stdout is not None
    line = process.stdout.readline().decode().rstrip()
    while json.loads(line)["time"] < 13:
        line = process.stdout.readline().decode().rstrip()
    return line


def test_a_feed_in_python() -> None:
    """The next line comes when the answer is there."""
    is_said = Event()

    class Waiting:
        name = "waiting"

        def run(self, emit: Callable[[Line], None], stop: Event) -> None:
            for number, text in enumerate(LINES, start=1):
                emit(Line(self.name, number, text))
            assert is_said.wait(PATIENCE_SECONDS)

    ticks: list[int] = []

    def take(answer: Answer) -> None:
        ticks.append(answer.tick)
        if answer.tick == 13:
            is_said.set()

    Reasoner.from_text(OVERDUE).run_live(Waiting(), take, lateness=5)
    assert ticks == [13, 14]


@pytest.mark.parametrize("lateness", [0, 5])
def test_of_several_inputs_the_least_counts(tmp_path: Path, lateness: int) -> None:
    """What one of them says moves time only as far as the others have come."""
    (tmp_path / "a.jsonl").write_text("\n".join(LINES))
    (tmp_path / "b.jsonl").write_text('{"time": 12}\n{"time": 20}\n{"time": 90}\n')
    reasoner = Reasoner.from_text(OVERDUE)
    answered: list[int] = []
    seen: list[tuple[int, int | None]] = []
    names = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
    with open_inputs(names, Reading(), refuse) as source:

        def watched() -> Iterator[Record]:
            for one in source.records():
                yield one
                seen.append((one.tick, reasoner.now))

        run = DataTimeRun(
            reasoner.session, None, lambda answer: answered.append(answer.tick), refuse, lateness=lateness
        )
        run.over(watched(), None)
    over = dict(seen)
    assert [*over] == [10, 12, 20, 60, 90]
    assert over[20] == 20 - lateness - 1
    assert over[60] == 60 - lateness - 1
    assert answered == [13, 14]


def test_shards_say_the_same_by_the_same_record() -> None:
    """The next batch has the watermark of the one before."""
    program = checked_program(Source("overdue.lars", OVERDUE))
    parts = split(program.program, program.semantics, pipelined=False)
    layout = Layout(parts, tuple(2 if part.is_keyed else 1 for part in parts.parts))
    carrier = Carrier(layout, ShardSettings(program.semantics), lateness=5)
    told = [(10, ["order(1)"]), (60, list[str]())]
    output = carrier.run([[Record(tick, events(facts))] for tick, facts in told], 60 - 5 - 1)
    assert [(tick, text) for tick, _, text in output] == [(13, "overdue(1)"), (14, "overdue(1)")]


# --- records that are not taken ---------------------------------------------------------------------

UNFIT = "#tick 1 sec. #input order(o) at ts. overdue(O) :- order(O) in {3}, not order(O) in [2]."


@pytest.mark.parametrize("lateness", [0, 5])
@pytest.mark.parametrize("is_array", [False, True])
def test_a_record_that_no_input_fits_moves_time(tmp_path: Path, lateness: int, is_array: bool) -> None:
    """It is passed over, once, also where it comes late."""
    records = ['{"ts": 10, "o": 1}', '{"ts": 60, "heartbeat": 7}', '{"ts": 3, "heartbeat": 7}']
    (tmp_path / "input.jsonl").write_text(f"[{','.join(records)}]" if is_array else "\n".join(records))
    reasoner = Reasoner.from_text(UNFIT)
    rejected: list[Rejected] = []
    answers = reasoner.run(tmp_path / "input.jsonl", lateness=lateness, emit=None, on_reject=rejected.append)
    assert [(answer.tick, answer.holds.texts) for answer in answers] == [(13, ("overdue(1)",)), (14, ())]
    assert reasoner.now == 60
    assert ["no field 'o' for #input order" in one.reason for one in rejected] == [True, True]
    assert [*map(type, rejected)] == [PassedOver, PassedOver]


def test_a_time_that_cannot_be_read_moves_nothing(tmp_path: Path) -> None:
    lines = ['{"ts": 10, "o": 1}', '{"ts": "soon", "x": 1}', '{"ts": null, "x": 1}', '{"x": 1}']
    (tmp_path / "input.jsonl").write_text("\n".join(lines))
    reasoner = Reasoner.from_text(UNFIT)
    rejected: list[Rejected] = []
    assert [
        a.tick for a in reasoner.run(tmp_path / "input.jsonl", on_reject=rejected.append, emit="every")
    ] == [10]
    assert len(rejected) == 3


# --- records far ahead ------------------------------------------------------------------------------


def test_time_does_not_pass_where_too_many_ticks_would_have_to_be_evaluated() -> None:
    """As without lateness, where the record is rejected; with `largest_gap` it is at once."""
    program = "a at @now+1 :- a. a :- p."
    told = [(3, ["p"]), (5000, ["q"]), (9, ["p"])]
    for lateness, reason in (
        (2, "late: tick 9 arrived after 5000"),
        (0, "backwards|would have to be evaluated"),
    ):
        reasoner = Reasoner.from_text(program, tuning=Tuning(many_ticks=100, gap_sample=5))
        rejected: list[Rejected] = []
        ticks = [
            a.tick for a in reasoner.run(told, lateness=lateness, on_reject=rejected.append, emit="every")
        ]
        assert ticks == ([3] if lateness else [*range(3, 10)]), reason
    reasoner = Reasoner.from_text(program, largest_gap=100)
    assert [a.tick for a in reasoner.run(told, lateness=2, on_reject=rejected.append, emit="every")] == [
        *range(3, 10)
    ]


# --- whatever the stream ----------------------------------------------------------------------------


def late_by(records: Sequence[Record], lateness: int, random: Random) -> list[Record]:
    """The records as they may arrive; those of one tick stay in their order."""
    delays = {one.tick: random.randint(0, lateness) for one in records}
    return sorted(records, key=lambda one: (one.tick + delays[one.tick], one.tick))


def prepared(case: Case, **options: object) -> Reasoner:
    try:
        return Reasoner.from_text(
            case.program,
            start=case.start,
            semantics=case.semantics,
            complete_windows=case.complete_windows,
            **options,  # type: ignore[arg-type]
        )
    except ProgramError:
        assume(False)
        raise


def told(answer: Answer) -> tuple[int, bool, tuple[str, ...]]:
    return answer.tick, answer.satisfiable, answer.holds.texts


all_cases = cases(ALL_PROGRAMS) | sparse_cases(ALL_PROGRAMS) | quiet_cases()


@relaxed
@given(
    all_cases,
    st.sampled_from([1, 2, 4, 9, 30]),
    st.sampled_from([1, None, 3]),
    st.randoms(use_true_random=False),
)
def test_all_that_is_final_has_been_said(
    case: Case, lateness: int, every: int | None, random: Random
) -> None:
    """Before the next record is read; and in the end the answers are those of the sorted stream."""
    note(case.program)
    records = [*map(record, case.records)]
    arriving = late_by(records, lateness, random)
    note(f"lateness {lateness}, as they come {arriving}")
    expected = [told(a) for a in prepared(case).run(records, emit=every)]
    got: list[tuple[int, bool, tuple[str, ...]]] = []

    def stream() -> Iterator[Record]:
        latest = -1
        for one in arriving:
            yield one
            latest = max(latest, one.tick)
            assert got == [each for each in expected if each[0] <= latest - lateness - 1]

    for answer in prepared(case).run(stream(), emit=every, lateness=lateness):
        got.append(told(answer))
    assert got == expected


class Kept:
    """Takes checkpoints."""

    def __init__(self) -> None:
        self.state: bytes | None = None

    def save(self, state: State) -> None:
        self.state = packed(state)


class Cut(Exception):  # noqa: N818 - it is none
    """Ends a run."""


@relaxed
@given(
    all_cases,
    st.sampled_from([1, 2, 4, 9, 30]),
    st.sampled_from([1, None, 3]),
    st.integers(1, 6),
    st.randoms(use_true_random=False),
)
def test_an_interrupted_run_says_the_same(
    case: Case, lateness: int, every: int | None, interval: int, random: Random
) -> None:
    """Whether it goes on from a checkpoint in between, or from one that is written where it ended."""
    note(case.program)
    arriving = late_by([*map(record, case.records)], lateness, random)
    whole = _run(case, arriving, lateness, every, interval, lambda: False)
    parts = _run(case, arriving, lateness, every, interval, lambda: random.random() < 0.1)
    assert parts == whole


def _run(
    case: Case,
    arriving: Sequence[Record],
    lateness: int,
    every: int | None,
    interval: int,
    is_cut: Callable[[], bool],
) -> list[tuple[int, bool, tuple[str, ...]]]:
    written: list[tuple[int, bool, tuple[str, ...]]] = []
    read, kept = 0, Kept()
    plan = prepared(case).plan

    def source() -> Iterator[Record]:
        nonlocal read
        for number, one in enumerate(arriving[read:], start=read + 1):
            read = number
            yield one
            if is_cut():
                raise Cut

    def others() -> State:
        return {"read": read, "written": len(written)}

    def write(answer: Answer) -> None:
        written.append(told(answer))
        if is_cut():
            raise Cut

    while True:
        session: Session = Reasoner(plan, start=case.start, complete_windows=case.complete_windows).session
        keeper = StateKeeper(
            kept,  # type: ignore[arg-type]
            CheckpointInterval(interval),
            others=others,
        )
        run = DataTimeRun(session, every, write, refuse, keeper, lateness=lateness)
        if kept.state is not None:
            state = unpacked(kept.state)
            read = state["read"]
            del written[state["written"] :]
            run.restore(state)
        else:
            run.save()
        try:
            run.over(source(), None)
        except Cut:
            if run.is_wholly_kept and is_cut():
                run.save()
        else:
            return written


def test_time_that_passes_costs_nothing_where_nothing_is_due() -> None:
    """No tick is evaluated for it."""
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    told = [(tick, ["p(1)"] if tick < 3 else []) for tick in (0, 1, 2, 1000, 900, 2000, 100_000)]
    ticks = [answer.tick for answer in reasoner.run(told, emit=None, lateness=200)]
    assert ticks == [0, 3]
    straight = Reasoner.from_text("a(X) :- p(X).")
    assert [a.tick for a in straight.run(sorted(told), emit=None)] == ticks
    assert reasoner.counts == straight.counts


def test_the_command_line_says_the_same_with_lateness(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "program.lars").write_text(OVERDUE)
    (tmp_path / "sorted.jsonl").write_text(
        '{"time": 10, "facts": ["order(1)"]}\n{"time": 14}\n{"time": 60}\n'
    )
    (tmp_path / "late.jsonl").write_text('{"time": 14}\n{"time": 10, "facts": ["order(1)"]}\n{"time": 60}\n')
    said = []
    for name, more in (("sorted", ()), ("late", ("--lateness", "5")), ("sorted", ("--lateness", "100"))):
        for emit in ("change", "every", "7"):
            arguments = [str(tmp_path / "program.lars"), "--input", str(tmp_path / f"{name}.jsonl")]
            assert main(["run", *arguments, "--emit", emit, *more]) == 0
            said.append(capsys.readouterr().out)
    assert said[:3] == said[3:6] == said[6:]
