"""The process that keeps reasoners beside workers; it is a copy of this one."""

import os
import signal
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from clingo import Number, Symbol

from lars2asp.compiler import Overrides, checked_program, compile_part
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.reasoning.memory import MemoryGrowth
from lars2asp.runtime.runs.processes.child_processes import fork_undisturbed
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.residence import Residence, ShardCall, ShardReply
from lars2asp.runtime.sharding.shard import ShardReasoner, ShardState
from lars2asp.runtime.sharding.shard_spec import ShardSettings, ShardSpec
from lars2asp.runtime.spark.carrier.resident import Resident, is_running
from lars2asp.runtime.spark.carrier.resident_folders import folder_of, made_folder
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import whole
from lars2asp.syntax.source import Source
from tests.runtime.sharding.packet_texts import packet_of, texts_of
from tests.support.processes import PATIENCE_SECONDS, wait_for

PROGRAM = "a(X) :- p(X) in [3]. b(@half(X)) :- p(X)."


class Functions:
    """An `@`-function that may fail."""

    def half(self, symbol: Symbol) -> Symbol:
        """Of a number. Raises ZeroDivisionError for 0, and ends the process for -1."""
        if symbol.number == -1:
            os._exit(1)
        return Number(symbol.number // (2 if symbol.number else 0))


class Query:
    """A query with one shard, as a worker sees it; each call comes from another worker."""

    def __init__(self, folder: Path, program: str, memory_growth: int = 2**40, **patience: float) -> None:
        checked = checked_program(Source("text", program), overrides=Overrides(functions=frozenset(["half"])))
        layout = Layout(Split((whole(checked.program),)), (1,))
        plan = compile_part(layout.split.parts[0], checked.semantics)
        settings = ShardSettings(checked.semantics, 0, functions=Functions())
        spec = ShardSpec(layout.shards[0], settings, layout.routes_above(0))
        pids = folder.with_name(f"{folder.name} pids")

        def reasoner_of(number: int, state: ShardState | None) -> ShardReasoner:
            with pids.open("a") as file:
                file.write(f"{os.getpid()}\n")
            return ShardReasoner(spec, plan, state)

        self._pids = pids
        self.worker = partial(
            Resident, folder, "0", lambda: Residence(reasoner_of, MemoryGrowth(memory_growth)), **patience
        )
        """Makes a worker."""
        self.folder = folder
        self.state = ShardState()
        self.name: str | None = None

    def take(self, text: str, over: int, *, is_kept: bool = True) -> list[str]:
        """Takes a packet; the lines of the output. With `is_kept` false the batch fails behind it."""
        reply = self.ask(ShardCall(0, self.name, f"{over} {is_kept}", [packet_of(text)], over))
        self.reply = reply
        if is_kept:
            self.name = f"{over} {is_kept}"
            if reply.result.base is not None:
                self.state = ShardState(reply.result.base)
            self.state.journal.append(reply.result.entry)
        entries = [entry for packet in reply.result.packets for entry in texts_of(packet.data)]
        return sorted(f"{tick} {sign} {atom}" for tick, sign, texts in entries for atom in texts)

    def ask(self, call: ShardCall) -> ShardReply:
        """Asks the process, over a connection of its own."""
        worker = self.worker()
        try:
            return worker.take(call, lambda: self.state)
        finally:
            worker.close()

    @property
    def processes(self) -> list[int]:
        """The processes that made the reasoner, one after the other."""
        return [int(line) for line in self._pids.read_text().split()]


@pytest.fixture
def query(tmp_path: Path) -> Iterator[Callable[..., Query]]:
    """Makes queries."""
    made: list[Query] = []

    def make(program: str = PROGRAM, memory_growth: int = 2**40, **patience: float) -> Query:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Query(folder, program, memory_growth, **patience))
        return made[-1]

    yield make
    for one in made:
        with suppress(FileNotFoundError):  # a process that has ended took its folder with it
            end(one)


def end(query: Query) -> None:
    """Has the driver end a query."""
    query.folder.rename(query.folder.with_name(f"{query.folder.name} gone"))


def wait_for_end(process: int) -> None:
    wait_for(lambda: not is_running(process))


def test_all_workers_reach_one_process(query: Callable[..., Query]) -> None:
    one = query()
    assert one.take("1 f p(1)", 0) == []
    assert one.take("2 f p(2)", 1) == ["1 + a(1)", "1 + b(0)"]
    assert one.take("", 2) == ["2 + a(2)", "2 + b(1)", "2 - b(0)"]
    [process] = one.processes
    assert process != os.getpid()
    assert one.reply.measures.rebuilds == 0


def test_what_it_took_is_measured(query: Callable[..., Query]) -> None:
    one = query()
    one.take("1 f p(1)\n1 f p(2)", 0)
    assert one.reply.measures.facts == 2
    assert one.take("2 f p(3)\n3 f p(3)", 2) == [
        *("1 + a(1)", "1 + a(2)", "1 + b(0)", "1 + b(1)"),
        "2 ! late: tick 2 came when the ticks up to 2 were over: p(3)",
        *("2 - b(0)", "2 - b(1)"),
    ]
    facts, late, seconds, rebuilds, memory, blocks = one.reply.measures
    assert (facts, late, rebuilds, blocks) == (1, 1, 0, 0)
    assert 0 < seconds < PATIENCE_SECONDS
    assert memory > 2**20


def test_a_batch_that_is_done_again_begins_from_the_kept_state(query: Callable[..., Query]) -> None:
    one = query()
    one.take("1 f p(1)", 0)
    one.take("2 f p(2)", 1, is_kept=False)
    assert one.take("2 f p(3)", 1) == ["1 + a(1)", "1 + b(0)"]
    assert one.reply.measures.rebuilds == 1
    assert one.take("", 2) == ["2 + a(3)", "2 + b(1)", "2 - b(0)"]
    assert one.reply.measures.rebuilds == 0
    assert len({*one.processes}) == 1


def test_a_process_that_was_killed_is_followed_by_another(query: Callable[..., Query]) -> None:
    one = query()
    one.take("1 f p(1)", 0)
    os.kill(one.processes[-1], signal.SIGKILL)
    assert one.take("2 f p(2)", 1) == ["1 + a(1)", "1 + b(0)"]
    assert one.reply.measures.rebuilds == 1
    assert len({*one.processes}) == 2


def test_a_worker_that_waits_goes_on_with_the_next_process(query: Callable[..., Query]) -> None:
    one = query()
    worker = one.worker()
    worker.take(ShardCall(0, None, "1", [], 1), ShardState)
    os.kill(one.processes[-1], signal.SIGKILL)
    wait_for_end(one.processes[-1])
    assert worker.take(ShardCall(0, None, "1", [], 1), ShardState).measures.rebuilds == 0
    worker.close()
    assert len({*one.processes}) == 2


def test_workers_that_come_together_start_one_process(query: Callable[..., Query]) -> None:
    one = query()
    workers = []
    for number in range(4):
        process = fork_undisturbed()
        if not process:
            code = 1
            try:
                one.ask(ShardCall(number, None, "1", [packet_of("1 f p(1)")], 1))
                code = 0
            finally:
                os._exit(code)
        workers.append(process)
    assert [os.waitpid(process, 0)[1] for process in workers] == [0] * 4
    assert len(one.processes) == 4
    assert len({*one.processes}) == 1


def test_an_error_is_raised_in_the_worker(query: Callable[..., Query]) -> None:
    one = query()
    one.take("1 f p(0)\n2 f p(1)", 0)
    message = r"^text:1:24-32: error: @half\(0\) failed: ZeroDivisionError: "
    with pytest.raises(EvaluationError, match=message):
        one.take("", 1)
    with pytest.raises(EvaluationError, match=message):  # from the state
        one.take("", 1)
    with pytest.raises(RuntimeError, match=r"^TypeError: .*\n\nTraceback"):
        one.ask(ShardCall(0, one.name, "2", [], "1"))  # type: ignore[arg-type]


def test_it_ends_with_the_query(query: Callable[..., Query]) -> None:
    one = query()
    one.take("1 f p(1)", 0)
    [process] = one.processes
    end(one)
    wait_for_end(process)


def test_it_ends_with_what_started_workers(query: Callable[..., Query]) -> None:
    one = query()
    starter = fork_undisturbed()
    if not starter:
        if not (worker := os.fork()):
            one.take("1 f p(1)", 0)
            os._exit(0)
        os.waitpid(worker, 0)
        os._exit(0)
    os.waitpid(starter, 0)
    [process] = one.processes
    wait_for_end(process)
    assert not one.folder.exists()


def test_it_ends_when_nobody_asks(query: Callable[..., Query]) -> None:
    one = query(longest_idle=2.0, looks_every=0.01)
    one.take("1 f p(1)", 0)
    wait_for_end(one.processes[-1])
    assert one.take("2 f p(2)", 1) == ["1 + a(1)", "1 + b(0)"]


def test_symbols_that_are_never_freed_end_with_it(query: Callable[..., Query]) -> None:
    one, certain = query("a(X) :- p(X), not b(X). b(X) :- p(X), not a(X).", 0), query("a(X) :- p(X).", 0)
    for tick in range(1, 4):
        one.take(f"{tick} f p({tick})", tick - 1)
        certain.take(f"{tick} f p({tick})", tick - 1)
    assert len({*one.processes}) == 3
    assert len({*certain.processes}) == 1


def test_each_call_finds_the_next_process(query: Callable[..., Query]) -> None:
    """Where a process ends behind each reply, and a worker goes on asking."""
    one = query("a(X) :- p(X), not b(X). b(X) :- p(X), not a(X).", 0)
    worker = one.worker()
    calls = [ShardCall(number, None, "1", [packet_of("1 f p(1)")], 0) for number in range(6)]
    assert [worker.take(call, ShardState).measures.facts for call in calls] == [1] * 6
    worker.close()
    assert len({*one.processes}) == 6


def test_a_process_that_always_ends_is_told(query: Callable[..., Query]) -> None:
    one = query("a(@half(X)) :- p(X).")
    one.take("1 f p(-1)", 0)
    with pytest.raises(RuntimeError, match="times, perhaps because memory ran out"):
        one.take("", 1)


def test_nobody_else_has_access(tmp_path: Path) -> None:
    folder = made_folder("../query", tmp_path)
    assert folder.parent == tmp_path / f"lars2asp-{os.getuid()}"
    assert made_folder("../query", tmp_path) == folder == folder_of("../query", tmp_path)
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    folder.parent.chmod(0o755)
    with pytest.raises(PermissionError, match="other users may access the folder"):
        made_folder("query", tmp_path)
