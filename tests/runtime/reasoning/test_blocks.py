"""Streams in blocks of many ticks, held to the same streams tick by tick."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate
from math import inf
from pathlib import Path
from signal import SIGTERM

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lars2asp.__main__ import main
from lars2asp.compiler import compile_program
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.externals.views import TickChanges
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer, texts_of_changes
from lars2asp.runtime.errors import EvaluatorError, InputError, Terminated
from lars2asp.runtime.given_ticks import Every
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.data_time import TOGETHER, DataTimeRun
from lars2asp.runtime.runs.processes.stop import Stop
from lars2asp.runtime.sources.record_columns import FactColumn, RecordColumns
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source
from tests.oracle import Item, Value, atom_text
from tests.strategies import GROUPS, Case
from tests.support.blocks import (
    AT_RANDOM,
    EXAMPLES,
    SERVED,
    again,
    ends_of_blocks,
    plain,
    tick_by_tick,
    without_flow,
)
from tests.support.definition import record
from tests.support.plans import compiled

Seen = list[tuple[int, tuple[str, ...], frozenset[str], frozenset[str]]]


def run(
    plan: Plan,
    records: list[Record],
    until: int | None,
    every: Every,
    lateness: int,
    block: float | None,
    in_columns: int = 0,
    on_reject: str = "",
    between: int = 500,
    *,
    complete: bool,
    in_order: bool = True,
    at_once: bool = False,
) -> tuple[Seen, list[str]]:
    """The answers of a run and what it rejected, in blocks of so many facts; None: tick by tick.

    So many records come in columns, where they can; 0: none. What is rejected may be said among answers
    ("said"), or end the run ("strict"). The atoms that hold are in clingo's order or, where what changes in
    blocks is taken at once, in another one.

    Raises EvaluatorError where there are none.
    """
    tuning = Tuning(block_facts=int(min(block or 0, 10**9)), between_blocks=between)
    evaluator = tick_by_tick(plan) if block is None else "flow"
    session = Session(plan, tuning=tuning, complete_windows=complete, evaluator=evaluator)
    assert session.may_begin_blocks or block is None
    if block is None:
        without_flow(session)
    seen: Seen = []
    rejected: list[str] = []

    def write(answer: Answer) -> None:
        began, ended = frozenset(answer.began.texts), frozenset(answer.ended.texts)
        holds = answer.holds.texts if answer.satisfiable else ("no answer",)
        seen.append((answer.tick, holds, began, ended))

    def reject(one: Rejected) -> None:
        if on_reject == "said":
            data_time.answer()
        rejected.append(one.reason)
        if on_reject == "strict":
            raise InputError(one.reason)

    def write_all(answers: Iterable[Answer]) -> None:
        for answer in answers:
            write(answer)

    def write_changes(changes: Sequence[TickChanges]) -> None:
        for tick, changed in changes:
            began, ended = map(frozenset, texts_of_changes(changed, plan.decimals))
            seen.append((tick, tuple(({*seen[-1][1]} - ended) | began), began, ended))

    in_blocks = None if block is None else write_all
    changes = write_changes if at_once else None
    data_time = DataTimeRun(
        session, every, write, reject, lateness=lateness, in_blocks=in_blocks, changes=changes
    )
    with suppress(InputError):
        if in_columns:
            data_time.over_blocks(columns(records, in_columns, in_order=plan.is_ordered), until)
        else:
            data_time.over(iter(records), until)
    if not in_order:
        seen = [(tick, tuple(sorted(holds)), began, ended) for tick, holds, began, ended in seen]
    return seen, rejected


def columns(records: list[Record], number: int, *, in_order: bool = False) -> Iterator[Sequence[Record]]:
    """So many records at a time, in columns where they can be; these lose the order of facts of a record."""
    signatures = dict.fromkeys(one for record in records for one, _ in record.events.facts)
    like = RecordColumns([], [FactColumn(one, []) for one in signatures], [])
    for first in range(0, len(records), number):
        some = records[first : first + number]
        is_told = in_order and any(len(record.events.facts) > 1 for record in some)
        yield (None if is_told else RecordColumns.of(some, like)) or some


REPEATED = "repeated another fact of the same tick"
"""The components do not count facts of what holds anyway."""


@pytest.mark.parametrize("group", SERVED)
def test_random_programs(group: str) -> None:
    """Answers, changes and rejected records are the same, wherever a block ends and whatever ends them."""
    served: Counter[bool] = Counter()

    @AT_RANDOM
    @given(
        GROUPS[group],
        st.one_of(st.integers(0, 7), st.integers(98, 99)),
        st.sampled_from([1, 4]),
        st.sampled_from([1, 3, 7, inf]),
        st.sampled_from([None, 1, 3]),
        st.sampled_from([0, 0, 2]),
        st.sampled_from([0, 1, 3, 10]),
        st.sampled_from(["", "said", "strict"]),
        st.sampled_from([1, 1, 2, 500]),
        st.booleans(),
    )
    def hold(
        case: Case,
        number: int,
        times: int,
        block: float,
        every: Every,
        lateness: int,
        in_columns: int,
        on_reject: str,
        between: int,
        at_once: bool,
    ) -> None:
        note(case.program)
        plan = compiled(case)
        items = again(case, times)
        items = [plain(item) for item in items[:number]] + items[number:]
        if lateness:
            items = [replace(item, tick=item.tick + place % 2) for place, item in enumerate(items)]
        records = list(map(record, items))
        until = None if number % 2 else max(case.last, items[-1].tick) if items else case.last
        how = records, until, every, lateness
        complete, order = case.complete_windows, not at_once
        told = in_columns, on_reject, between
        try:
            found = run(plan, *how, block, *told, complete=complete, in_order=order, at_once=at_once)
        except EvaluatorError:
            served[False] += 1
            return
        served[True] += 1
        assert found == run(plan, *how, None, on_reject=on_reject, complete=complete, in_order=order)

    hold()
    assert served[True] or EXAMPLES < 100, "no program of the group is evaluated in blocks"


def test_random_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """What the command writes and says is the same if it chooses the evaluator as with `delta`.

    Some lines are no records, some are late; the first records may be plain rows of a table alone.
    """
    files = {name: tmp_path / name for name in ("p.lars", "s.jsonl", "s.csv", "out", "rejects")}
    files["rejects"].touch()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=[*HealthCheck],
    )
    @given(
        st.sampled_from(SERVED).flatmap(lambda group: GROUPS[group]),
        st.integers(0, 7),
        st.sampled_from([1, 3, 7]),
        st.sampled_from(
            [
                (),
                ("--changes",),
                ("--emit", "1"),
                ("--emit", "3", "--changes"),
                (
                    "--on-reject",
                    "stop",
                ),
            ]
        ),
        st.sampled_from([0, 0, 2]),
        st.booleans(),
    )
    def hold(case: Case, plain_ones: int, block: int, more: Sequence[str], late: int, is_table: bool) -> None:
        note(case.program)
        items = [plain(item) for item in case.records[:plain_ones]] + [*case.records[plain_ones:]]
        items = [
            replace(item, tick=max(item.tick - late * (number % 3 == 2), 0))
            for number, item in enumerate(items)
        ]
        program, source = case.program, files["s.csv" if is_table else "s.jsonl"]
        if is_table:
            program += "\n#input p(x) at t. #input e(x, y) at t.\n"
            rows = [
                (item.tick, values) for item in items for _, values in item.facts if len(values) in (1, 2)
            ]
            cells = [",".join(map(str, (tick, *[*texts(values), ""][:2]))) for tick, values in rows]
            source.write_text("t,x,y\n" + "\n".join(cells) + "\n")
        else:
            source.write_text("".join(f"{line(item)}\n" for item in items) + "{broken\n")
        files["p.lars"].write_text(program)
        options = ["--input", str(source), "--output", str(files["out"]), "--lateness", str(late // 2), *more]
        if plain_ones % 2:
            options += ["--until", str(case.last)]
        if "stop" not in more and plain_ones % 3:
            options += ["--rejects", str(files["rejects"])]
        found = []
        for evaluator in ("delta", "auto"):
            capsys.readouterr()
            caplog.clear()
            arguments = ["run", str(files["p.lars"]), *options, "--evaluator", evaluator]
            tuning = Tuning(block_facts=block, block_bytes=0)
            status = main(arguments, tuning)
            lines = (one for one in capsys.readouterr().err.splitlines() if REPEATED not in one)
            said = sorted(lines), sorted(caplog.messages)
            if evaluator == "delta" and any("evaluator delta cannot" in one for one in said[0]):
                return
            found.append(
                (status, said, *(files[one].read_text() for one in ("out", "rejects") if files[one].exists()))
            )
        assert found[0] == found[1]

    hold()


def texts(values: Sequence[Value]) -> list[str]:
    """Values as cells have them."""
    return [atom_text(("x", (value,)))[2:-1] for value in values]


def line(item: Item) -> str:
    """A record as JSON has it."""
    told = {
        name: [*map(atom_text, atoms)]
        for name, atoms in (("facts", item.facts), ("begin", item.begin), ("end", item.end))
        if atoms
    }
    return json.dumps({"time": item.tick, **told, **({} if item.until is None else {"until": item.until})})


PROGRAM = """
#tick 1 sec.
#input login(user, result) at ts.
guessed(U,N) :- login(U,"ok"), N = #count { T : login(U,"failed") at T in [5 min] }, N >= 3.
quiet(U) :- login(U,_) in [1 # by U], not login(U,_) in [10 min].
long(U) :- quiet(U) always in [20 min].
sum(S) :- S = #sum { N,U : guessed(U,N) in [1 hour] }, not long("u1").
"""
"""A reading each quarter of an hour or so, with ticks of a second: text, aggregates, two strata."""


def log(rows: int) -> list[str]:
    """Lines of logins, one of which is late, and one not a record."""
    lines = []
    for row in range(rows):
        minutes = row * 7 + (row % 5 == 0)
        result = "ok" if row % 6 == 0 else "failed"
        at = f"2026-03-{28 + minutes // 1440:02}T{minutes // 60 % 24:02}:{minutes % 60:02}:00Z"
        lines.append(f'{{"ts": "{at}", "user": "u{row // 6 % 3}", "result": "{result}"}}')
    lines.insert(rows // 2, lines[3])
    lines.insert(rows // 3, '{"ts": "2026-03-28T00:00:00Z", "user": 5, "result": "ok"')
    return lines


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--changes",),
        ("--emit", "3600"),
        ("--emit", "900", "--until", "2026-03-29T09:30:00Z"),
        ("--complete-windows", "--changes", "--timezone", "Europe/Vienna", "--times"),
        (
            "--on-reject",
            "stop",
        ),
        ("--lateness", "8 min"),
    ],
)
def test_runs_over_files(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Output, messages and exit status are those of `delta`."""
    program, source = tmp_path / "p.lars", tmp_path / "s.jsonl"
    program.write_text(PROGRAM.replace("5 min", "1 hour"))
    source.write_text("\n".join(log(200)) + "\n")
    tuning = Tuning(block_facts=37)
    found = []
    for evaluator in ("delta", "flow"):
        output, rejects = tmp_path / f"{evaluator}.out", tmp_path / f"{evaluator}.rejects"
        rejects.touch()
        files = ["--input", str(source), "--output", str(output)]
        if "stop" not in options:
            files += ["--rejects", str(rejects)]
        status = main(["run", str(program), *files, "--evaluator", evaluator, *options], tuning)
        found.append((status, output.read_text(), rejects.read_text()))
    assert found[0] == found[1]
    assert found[0][1].count("\n") > 20


def test_what_cannot_be_in_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A message says why."""
    program = tmp_path / "p.lars"
    program.write_text("#held a(X) by X. a(X) at @now+1 :- p(X). b :- a(_) in [3].\n")
    assert main(["compile", str(program), "--plan", "--evaluator", "flow"]) == 3
    said = "rules place atoms of a/1, of which the input holds facts"
    assert f"evaluator flow cannot serve this program: {said}" in capsys.readouterr().err


def test_the_code_of_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The plan shows it."""
    program = tmp_path / "p.lars"
    program.write_text("match(O,P) :- order(O,I) in [30], payment(P,I) in [30].\n")
    assert main(["compile", str(program), "--code", "--evaluator", "flow"]) == 0
    text = capsys.readouterr().out
    assert "evaluator: delta: if flow cannot take a record" in text
    assert "def begin0(rows):" in text
    program.write_text("on(X) :- press(X). on(X) :- on(X) in {1}, not off(X).\n")
    assert main(["compile", str(program), "--code", "--evaluator", "flow"]) == 0
    assert '"""Rows of on/1 in offsets(1) begin to hold."""' in capsys.readouterr().out
    for more, said in (
        ("", "many ticks at once"),
        ("#temp a(X) :- q(X).", "many ticks at once"),
        ("#semantics strict.", "tick by tick: #semantics strict needs --evaluator flow"),
    ):
        program.write_text(f"{more} match(O,P) :- order(O,I) in [30], payment(P,I) in [30], not p(O).\n")
        assert main(["compile", str(program), "--plan"]) == 0
        assert f"large files and pipes: {said}" in capsys.readouterr().out


def test_blocks_stay_as_large_as_they_are() -> None:
    """Arrivals that have left their windows are not kept, and so do not make the next block larger."""
    plan = compile_program(Source("p.lars", "a(X) :- p(X,_) in [1 # by X]."))
    session = Session(plan, evaluator="flow", tuning=Tuning(block_facts=10))
    sizes: list[int] = []
    p = Signature("p", 2)
    records = [Record(tick, Events((AtomRows(p, [(tick % 2, tick)]),))) for tick in range(100)]

    def write_all(answers: Iterable[Answer]) -> None:
        sizes.append(len([*answers]))

    DataTimeRun(session, 1, lambda _: None, lambda _: None, in_blocks=write_all).over(iter(records), None)
    assert (max(sizes), sum(sizes)) == (10, 100)


SUMS = """
    c(K,N) :- p(K,_), N = #count { T,V : p(K,V) at T in [4] }.
    s(K,S) :- p(K,_), S = #sum { V,T : p(K,V) at T in [1..5] }.
    t(K,S) :- q(K), S = #sum { V,T,K : e(K,V) at T in [4 step 2] }.
    u(S) :- q(_), S = #sum { T,K : q(K) at T in [3] }.
    e(K,V) :- p(K,V), V != 1.
"""
"""Aggregates over ticks, also of derived atoms; values may come to 0, and be no numbers."""


OF_THE_TICK = r"""
    a(X,@now) :- p(X).
    b(X,T) :- p(X), a(X,S) in {1,2,3}, T = @now-S.
    c(X) :- p(X), q(X) at T in [5], @now - T > 2.
    d(X) :- p(X), @now \ 3 = 0, not q(X).
    e(X,Y) :- p(X), q(Y), X != Y, not p(Y).
    e(X,@now) :- p(X) in [0], not q(X) in [2].
    e(X,X) :- p(X) in [3].
    f(X,N) :- p(X), N = #count { Y : e(X,Y) in [4] }.
    g(X,T) :- p(X) at T in [0], q(_).
    h(X) :- q(X), X > 1. h(X) :- p(X) always in [1].
"""
"""Rules about facts of the current tick, and that tick: joined, denied, beside others, gathered."""

NOW = r"""
    a(X) :- q(X) in [5], X < @now.
    b(X,@now-T) :- q(X) at T in [5], p(X) in [2].
    c(N) :- N = #count { X : q(X) in [20], X > @now - 4 }, p(_) in [3].
    d(X) :- p(X), @now \ 3 = X, not a(X).
    e(@now) :- not q(_) in [4], p(1) in [7].
    f(X) :- q(X) in [3], @now \ 2 = 1.
    g :- p(_) in [2], @now > 9. h :- p(_) in [9], @now = 5.
"""
"""Rules about the current tick that fire at ticks without facts."""


@settings(max_examples=4 * EXAMPLES, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.lists(st.tuples(st.sampled_from("pq"), st.integers(0, 3)), max_size=4)
        ),
        min_size=1,
        max_size=14,
    ),
    st.sampled_from([1, 4, inf]),
    st.sampled_from([None, 1]),
    st.sampled_from([1, 500]),
    st.sampled_from([OF_THE_TICK, NOW]),
)
def test_facts_of_the_current_tick(
    steps: list[tuple[int, list[tuple[str, int]]]], block: float, every: Every, between: int, program: str
) -> None:
    plan = compile_program(Source("now.lars", program))
    records = [
        Record(tick, Events(tuple(AtomRows(Signature(name, 1), [(value,)]) for name, value in facts)))
        for tick, facts in zip(
            accumulate(gap for gap, _ in steps), (facts for _, facts in steps), strict=True
        )
    ]
    how = records, records[-1].tick + 3, every, 0
    found = run(plan, *how, block, between=between, complete=False)
    assert found == run(plan, *how, None, complete=False)


@settings(max_examples=4 * EXAMPLES, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.lists(st.tuples(st.integers(0, 1), st.sampled_from([-2, 0, 1, 2, "a"])), max_size=3),
            st.booleans(),
        ),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([1, 4, inf]),
)
def test_sums_over_ticks(steps: list[tuple[int, list[tuple[int, int | str]], bool]], block: float) -> None:
    plan = compile_program(Source("sums.lars", SUMS))
    tick, records = 0, []
    for gap, rows, has_q in steps:
        tick += gap
        facts = [(("p", 2), row) for row in rows] + ([(("q", 1), (0,))] if has_q else [])
        records.append(Record(tick, Events(tuple(AtomRows(Signature(*name), [row]) for name, row in facts))))
    how = records, tick + 9, None, 0
    assert run(plan, *how, block, complete=False) == run(plan, *how, None, complete=False)


ARRIVED = """
    arrived(K,V,T) :- p(K,V) at T in [2 # by K].
    of_all(K,V,T) :- p(K,V) at T in [3 # p/2].
    alike(K,T) :- p(K,K) at T in [2 # p/2].
    when(K,T) :- q(K), p(K,_) at T in [1 # by K].
    again(K,N-T) :- p(K,_) at N in [0], p(K,_) at T in [2 # by K], N > T.
    pause(K) :- q(K), p(K,_) at T in [1 # by K], p(K,_) at S in [3 # by K], T-S > 2.
    c(K,N) :- q(K), N = #count { T : p(K,V) at T in [3 # by K] }.
    d(K,N) :- q(K), N = #count { T,V : p(K,V) at T in [2 # by K] }.
    s(K,S) :- p(K,_), S = #sum { V,T : p(K,V) at T in [3 # by K] }.
    m(K,S) :- q(K), S = #max { T : p(K,_) at T in [2 # p/2] }.
    none(K) :- q(K), not p(K,1) at T in [2 # by K], T = 0..3.
    one(K,V) :- p(K,V) in [2 # by K], p(K,V) at T in [2 # by K], q(T).
"""
"""The ticks at which the last arrivals came: as they are, projected, joined, gathered, denied."""


@settings(max_examples=4 * EXAMPLES, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.lists(st.tuples(st.integers(0, 1), st.sampled_from([-2, 0, 1, 2, "a"])), max_size=4),
            st.booleans(),
            st.integers(0, 3),
        ),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([1, 4, inf]),
    st.sampled_from([None, 1]),
)
def test_ticks_of_last_arrivals(
    steps: list[tuple[int, list[tuple[int, int | str]], bool, int]], block: float, every: Every
) -> None:
    """Held to the same tick by tick, and `arrived` and `of_all` to what arrived."""
    plan = compile_program(Source("arrived.lars", ARRIVED))
    tick, records = 0, []
    told: dict[tuple[int, int, int | str], None] = {}
    for gap, rows, has_q, key in steps:
        tick += gap
        facts = [(("p", 2), row) for row in rows] + ([(("q", 1), (key,))] if has_q else [])
        records.append(Record(tick, Events(tuple(AtomRows(Signature(*name), [row]) for name, row in facts))))
        told.update(dict.fromkeys((tick, *row) for row in rows))
    how = records, tick + 3, every, 0
    found = run(plan, *how, block, complete=False)
    assert found == run(plan, *how, None, complete=False)
    for at, holds, _, _ in found[0]:
        here = [one for one in told if one[0] <= at]
        last = [one for key in (0, 1) for one in [own for own in here if own[1] == key][-2:]]
        expected = {f"arrived({key},{json.dumps(value)},{when})" for when, key, value in last}
        expected |= {f"of_all({key},{json.dumps(value)},{when})" for when, key, value in here[-3:]}
        assert {one for one in holds if one.startswith(("arrived", "of_all"))} == expected


def test_background_data_are_kept_once_behind_blocks() -> None:
    """Checks of what must hold would fail: numbers of ticks are kept of it where the input may tell it."""
    plan = compile_program(Source("p.lars", "c :- a(X) at least 1 in [1]. a(0)."))
    items = [Item(0, ()), Item(2, (("e", (0, 0)),)), Item(2, (), begin=(("r", ()),)), Item(2, (("a", (1,)),))]
    records = [*map(record, items)]
    found = [run(plan, records, 2, None, 0, block, between=1, complete=True) for block in (1, None)]
    assert found[0] == found[1]


def test_the_calendar_is_known_where_blocks_follow_ticks_at_which_nobody_asked() -> None:
    """The hour changes at a tick without records; blocks take over behind it, and give up at once."""
    program = '#tick 20 min. #timezone "UTC". #calendar hour(V). o(X,V) :- e(X) at T in [4], hour(V) at T.'
    plan = compile_program(Source("p.lars", program))
    items = [Item(1, ()), Item(7, (("e", (0,)),)), Item(7, ()), Item(7, (), begin=(("r", ()),))]
    records = [*map(record, [Item(0, ()), *items])]
    found = [run(plan, records, 8, None, 0, block, between=1, complete=False) for block in (1, None)]
    assert found[0] == found[1]
    assert found[1][0][0][1] == ("o(0,2)",)


@pytest.mark.parametrize("block", [1, inf])
def test_a_rejected_record_at_the_end(block: float) -> None:
    """It says how far time has come, as tick by tick."""
    plan = compile_program(Source("p.lars", "a :- r in [4]."))
    records = [*map(record, [Item(3, ()), Item(11, (("r", ()),)), Item(16, (), until=15)])]
    found = [run(plan, records, None, 3, 2, how, complete=False) for how in (block, None)]
    assert found[0] == found[1]
    assert [one[0] for one in found[0][0]] == [3, 6, 9, 12]


def test_blocks_of_facts_with_many_consequences() -> None:
    """Are smaller; how far the run is can be asked meanwhile."""
    plan = compile_program(Source("p.lars", "a(X,Y) :- p(X) in [20], p(Y) in [20]."))
    tuning = Tuning(block_facts=1000, block_rows=1000)
    session = Session(plan, evaluator="flow", tuning=tuning)
    sizes: list[int] = []
    counts: list[tuple[int, int, int]] = []
    records = [Record(tick, Events((AtomRows(Signature("p", 1), [(tick,)]),))) for tick in range(3000)]

    def write_all(answers: Iterable[Answer]) -> None:
        sizes.append(len([*answers]))
        counts.append(session.counts)

    DataTimeRun(session, 1, lambda _: None, lambda _: None, in_blocks=write_all).over(iter(records), None)
    assert max(sizes[1:]) < 100
    assert counts == [(done, 0, done) for done in accumulate(sizes)]


def test_a_run_that_is_asked_to_end_while_a_block_is_written() -> None:
    """It ends there, and not when all of the block is written."""
    stop = Stop()
    session = Session(compile_program(Source("p.lars", "a(X) :- p(X).")), evaluator="flow")
    records = [Record(tick, Events((AtomRows(Signature("p", 1), [(tick,)]),))) for tick in range(100)]
    written: list[int] = []

    def write_all(answers: Iterable[Answer]) -> None:
        for answer in answers:
            written.append(answer.tick)
            if answer.tick == 5:
                stop.asked = SIGTERM

    run = DataTimeRun(session, 1, lambda _: None, lambda _: None, stop=stop, in_blocks=write_all)
    with pytest.raises(Terminated):
        run.over(iter(records), None)
    assert written == [0, 1, 2, 3, 4, 5]


def test_a_run_that_is_asked_to_end_while_changes_are_written_at_once() -> None:
    """It ends behind those that are written together, and the answer given last is that of the block."""
    stop = Stop()
    session = Session(compile_program(Source("p.lars", "a(X) :- p(X).")), evaluator="flow")
    number = 4 * TOGETHER
    records = [Record(tick, Events((AtomRows(Signature("p", 1), [(tick,)]),))) for tick in range(number)]
    written: list[int] = []

    def write_all(answers: Iterable[Answer]) -> None:
        written.extend(answer.tick for answer in answers)

    def write_changes(changes: Sequence[TickChanges]) -> None:
        written.extend(tick for tick, _ in changes)
        if len(written) > 1000:
            stop.asked = SIGTERM

    data_time = DataTimeRun(
        session, None, lambda _: None, lambda _: None, stop=stop, in_blocks=write_all, changes=write_changes
    )
    with pytest.raises(Terminated):
        data_time.over(iter(records), None)
    assert written == [*range(len(written))]
    assert 1000 < len(written) < number
    assert data_time.given is not None and data_time.given.holds.texts == (f"a({data_time.given.tick})",)


def test_what_is_rejected_is_said_among_answers(tmp_path: Path) -> None:
    """On a terminal they stand in the order in which they came about, as with `delta`."""
    (tmp_path / "p.lars").write_text("#input p(x, y) at t. a(X) :- p(X,_) in [3].\n")
    rows = [f"{tick},{tick % 5},{tick}" for tick in range(300)]
    for place, wrong in ((250, "1,2"), (120, "5,6,7"), (60, "x,3,4")):
        rows.insert(place, wrong)
    (tmp_path / "s.csv").write_text("t,x,y\n" + "\n".join(rows) + "\n")
    seen = []
    for evaluator in ("delta", "auto"):
        script = (
            "from lars2asp.__main__ import main; from lars2asp.runtime.tuning import Tuning; "
            f"main('run p.lars --input s.csv --evaluator {evaluator}'.split(), Tuning(block_bytes=0))"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        seen.append(done.stdout.splitlines())
    assert seen[0] == seen[1]
    assert next(number for number, one in enumerate(seen[0]) if one.startswith("s.csv:")) > 40


@pytest.mark.parametrize(("rows", "evaluated"), [(100, 0), (20_000, 4)])
def test_large_files_are_evaluated_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int, evaluated: int
) -> None:
    """Without an option; those of standard input come as they are waited for."""
    sizes = ends_of_blocks(monkeypatch)
    (tmp_path / "p.lars").write_text("#input p(x) at t. a(X) :- p(X) in [3].\n")
    (tmp_path / "s.csv").write_text("t,x\n" + "".join(f"{tick},{tick % 5}\n" for tick in range(rows)))
    files = ["--input", str(tmp_path / "s.csv"), "--output", str(tmp_path / "out")]
    assert main(["run", str(tmp_path / "p.lars"), *files]) == 0
    assert len(sizes) == evaluated


@pytest.mark.parametrize("lateness", [0, 5])
@pytest.mark.parametrize("asked_at", [5, 600, 1234])
def test_what_waits_when_a_run_in_blocks_is_asked_to_end(lateness: int, asked_at: int) -> None:
    """Is evaluated once, behind what was."""
    stop = Stop()
    session = Session(compile_program(Source("p.lars", "a(X) :- p(X).")), evaluator="flow")
    records = [Record(tick, Events((AtomRows(Signature("p", 1), [(tick,)]),))) for tick in range(3000)]
    written: list[int] = []
    rejected: list[Rejected] = []

    def write(answer: Answer) -> None:
        written.append(answer.tick)
        if answer.tick == asked_at:
            stop.asked = SIGTERM

    def write_all(answers: Iterable[Answer]) -> None:
        for answer in answers:
            write(answer)

    run = DataTimeRun(session, 1, write, rejected.append, stop=stop, lateness=lateness, in_blocks=write_all)
    with pytest.raises(Terminated):
        run.over_blocks(columns(records, 2000), None)
    if lateness:
        stop.met()
        run.drain(None)
    assert not rejected
    assert written == [*range(len(written))]


COLUMNS = "#input p(x) at t.\n"


def lines(*facts: tuple[int, str]) -> str:
    """Records of a fact each."""
    return "".join(f'{{"time": {tick}, "facts": ["{fact}"]}}\n' for tick, fact in facts)


@pytest.mark.parametrize(
    ("program", "stream", "options"),
    [
        pytest.param(
            "a(X) :- e(X,_) in [3].\nb(Y) :- e(_,Y) in [3], not a(Y) in [2].",
            lines((1, "e(1,2)"), (2, "e(2,3)")),
            (),
            id="components that take a predicate apart in two ways",
        ),
        pytest.param(
            "h0(X,Y) :- g(Y,_,X) in [20], g(Y,X,_).\n"
            "h1(X,Y) :- g(_,X,X) in [2..3], h0(f(Y),X) at least 2 in [2].",
            lines((1, "e"), (3, "g(1,1,1)"), (5, "e")),
            (),
            id="the same with rows of other widths",
        ),
        pytest.param(
            "p(1). a(X) :- p(X) in [3].",
            lines((0, "p(2)"), (1, "p(3)")) + '{"time": 2, "begin": ["q(1)"]}\n',
            ("--until", "6"),
            id="background data of a predicate of the input, handed over",
        ),
        pytest.param(
            "a(X) :- p(X).",
            lines((0, "p(2)"), (10, "p(3)")) + "{broken\n",
            ("--lateness", "1", "--on-reject", "stop", "--emit", "1"),
            id="an error behind ticks that are over by the lateness",
        ),
        pytest.param(
            "e(1). a(X) :- e(X), not p(X).",
            lines((5, "p(2)"), (6, "p(3)"), (9, "p(3)")),
            ("--until", "2", "--lateness", "2", "--emit", "1"),
            id="an end before the first record",
        ),
        pytest.param(
            "a(X,V) :- p(X,V), V > 2, q(X) in [5].\n"
            "b(X,V) :- p(X,V) in [3], X != 2, 1 <= V, X < V, not q(X).",
            lines((1, "q(1)"), (1, "p(1,3)"), (2, "p(1,x)"), (2, "p(2,4)"), (3, "p(x,2)"), (6, "p(1,2)")),
            (),
            id="values that are tested, and may be no numbers",
        ),
        pytest.param(
            "a(X) :- p(X) in [2].\nb(X) :- p(X) always in [2], not q(X).\n"
            "c(X) :- p(X), 1 < #count { Y : p(Y) in [1] }.\n#show a/1. #show b/1. #show c/1. #show p/1.",
            '{"time": 1, "facts": ["p(1)", "p(2)", "p(2)"], "until": 4}\n'
            '{"time": 1, "facts": ["p(1)", "p(1)", "p(3)", "p(3)"]}\n'
            '{"time": 3, "facts": ["p(1)"], "until": 9}\n'
            '{"time": 4, "facts": ["p(2)"], "until": 4}\n'
            '{"time": 4, "facts": ["p(2)", "q(1)", "q(5)"]}\n'
            '{"time": 5, "facts": ["q(1)"], "until": 3}\n'
            '{"time": 6, "facts": ["p(2)"], "until": 7}\n'
            '{"time": 7, "begin": ["p(1)"]}\n'
            '{"time": 8, "end": ["p(1)"]}\n',
            ("--until", "15"),
            id="facts that hold for a while, handed over",
        ),
        pytest.param(
            "a(X) :- p(X) in [2].\nb(X,N) :- q(X), N = #count { T : q(X) at T in [5] }.\n",
            '{"time": 1, "facts": ["p(1)"], "until": 4}\n'
            '{"time": 2, "facts": ["q(1)"]}\n'
            '{"time": 3, "facts": ["q(1)", "p(3)"], "until": 9}\n'
            '{"time": 12, "facts": ["q(1)"]}\n',
            (),
            id="facts that hold for a while where their ticks are counted",
        ),
        pytest.param(
            "on(X) :- p(X), not off(X).\n"
            "a(X,T) :- on(X) at T in [5], q(X).\n"
            "b(X,T-N) :- on(X) count N in [9], on(X) at T in {0..2,4}, r(X) in [2].\n"
            "c(N) :- q(Y), N = #count { X,T : on(X) at T in [4 step 3] }.\n"
            "d(X,N) :- q(X), N = #sum { T : p(X) at T in [every 4] }, not off(_) at T in [1], T = 0..9.\n",
            '{"time": 3, "facts": ["p(1)", "p(2)"], "until": 3000000000}\n'
            '{"time": 5, "facts": ["off(1)", "q(1)"]}\n'
            '{"time": 9, "facts": ["q(2)", "r(1)"]}\n'
            '{"time": 12, "facts": ["off(2)"], "until": 14}\n'
            '{"time": 1000000, "facts": ["q(1)", "q(2)"]}\n'
            '{"time": 1000000001, "facts": ["off(1)"], "until": 2000000000}\n'
            '{"time": 1000000003, "facts": ["q(1)", "r(2)"]}\n'
            '{"time": 2000000004, "facts": ["q(1)", "q(2)"]}\n',
            ("--largest-gap", "2000000000"),
            id="answers that grow, and gaps of a million and a billion ticks",
        ),
        pytest.param(
            "#held h(X) by X. #held m(X,_) by X for 4 tick. s(1).\n"
            "on(X) :- p(X), not off(X).\n"
            "a(X) :- on(X) in [since h(X)].\n"
            "b(X) :- on(X) always in [after s(X)].\n"
            "c(X,T) :- q(X), m(X,Y) at T in [since on(X)].\n"
            "d(X,N) :- q(X), p(X) count N in [since off(X)].\n"
            "e(X) :- p(X) at least 3 in [since h(_)], not off(X) in [after h(2)].\n",
            '{"time": 3, "facts": ["p(1)", "p(2)", "h(1)"], "until": 3000000000}\n'
            '{"time": 5, "facts": ["off(1)", "q(1)", "s(1)"]}\n'
            '{"time": 9, "facts": ["q(2)", "m(2,1)", "h(2)", "s(2)"]}\n'
            '{"time": 12, "facts": ["off(2)"], "until": 14}\n'
            '{"time": 1000000, "facts": ["m(1,1)", "m(1,2)", "q(2)", "s(1)"], "until": 1000001}\n'
            '{"time": 1000001, "facts": ["q(1)", "h(2)"]}\n'
            '{"time": 1000001001, "facts": ["off(1)"], "until": 2000000000}\n'
            '{"time": 1000001003, "facts": ["q(1)", "h(1)", "off(1)"]}\n'
            '{"time": 2000000004, "facts": ["q(1)", "q(2)", "s(2)"]}\n',
            ("--largest-gap", "2000000000", "--emit", "100000000"),
            id="windows that begin with an atom, and gaps of a million and a billion ticks",
        ),
        pytest.param(
            "#held h(X,_) by X. #held m(X,_) by X for 4 tick. p(7).\n"
            "on(X) :- p(X).\n"
            "a(X,T) :- q(X), h(X,_) at T in [2 # by X].\n"
            "b(X,N) :- q(_), h(X,_) count N in [3 # h/2].\n"
            "c(X) :- m(X,Y) always in [1 # by X].\n"
            "d(X) :- m(X,Y) at least 5 in [3 # m/2], not on(X) in [2 # on/1].\n"
            "e(X) :- p(X) in [2 # p/1], not q(X) at least 2 in [4 # q/1].\n"
            "f(X,N) :- q(X) count N in [3 # by X].\n"
            "g(X) :- q(X) always in [2 # q/1], not q(X) in [2 # p/1].\n"
            "i(X) :- m(X,_) in [3 #].\n"
            "j(X,T,N) :- q(X), m(X,_) at T in [4 #], h(X,_) count N in [9 #].\n"
            "k(X) :- q(X) always in [3 #]. l(X) :- h(X,_) at least 4 in [5 #].\n",
            '{"time": 0, "facts": ["p(1)", "p(2)", "h(1,1)", "q(1)"]}\n'
            '{"time": 1, "facts": ["h(1,1)", "m(1,1)", "q(1)", "q(2)"]}\n'
            '{"time": 2, "facts": ["h(2,2)", "m(1,1)", "m(2,1)", "p(7)", "q(1)", "q(2)"]}\n'
            '{"time": 9, "facts": ["h(3,3)", "h(1,1)", "h(1,2)", "p(7)", "q(1)", "q(2)"]}\n'
            '{"time": 1001, "facts": ["m(1,1)", "p(1)", "q(1)", "p(2)"]}\n'
            '{"time": 1003, "facts": ["h(3,3)", "m(1,1)", "m(2,1)", "q(2)", "q(2)"]}\n'
            '{"time": 1009, "facts": ["h(3,3)", "h(2,1)", "h(3,3)", "m(2,2)", "q(2)", "q(1)"]}\n',
            ("--largest-gap", "2000", "--until", "1020"),
            id="tuple windows over facts that are held, and others",
        ),
        pytest.param(
            "on(X) :- p(X) in [3].\na(X,T) :- on(X) at T in [5].\nb(X,N) :- on(X) count N in [9].",
            lines((0, "p(1)"), (9, "p(2)"), (30, "p(1)"), (31, "p(1)")),
            ("--until", "60", "--emit", "7"),
            id="answers that grow by themselves",
        ),
        *(
            pytest.param(
                f"{COLUMNS}{program}",
                "t,x\n" + "".join(f"{tick},{tick * tick % 7 % 4}\n" for tick in range(1, 60) if tick % 9 < 5),
                ("--until", "75"),
                id=program,
            )
            for program in (
                "on(X) :- p(X) in {2}. on(X) :- on(X) in {1}, not p(X).",
                "n(X,1) :- p(X), not n(X,_) in {1}. n(X,N+1) :- p(X), n(X,N) in {1}. "
                "n(X,N) :- not p(X), n(X,N) in {1}, N < 5.",
                "on(X) :- p(X), not on(X) in [1..3]. twice(X) :- on(X) in [1..4], on(X) in {5}.",
                "on(X) :- p(X). on(0). on(X) :- on(X) in [2..3], not off in {2}. off :- p(3). "
                "a(X) :- on(X) in {1}, X > 0.",
                "on(X) :- p(X), not gone(X) in {7}. gone(X) :- on(X) in {3}. "
                "a(N) :- N = #count { X : gone(X) in [9] }.",
            )
        ),
        pytest.param(
            COLUMNS + "a(X,M) :- p(X), M = 10/N, N = #count { T : p(X) at T in [5] } >= 3.",
            "t,x\n" + "".join(f"{tick},{tick % 2}\n" for tick in range(1, 12)),
            (),
            id="nothing is said of counts that cannot be",
        ),
        *(
            pytest.param(
                COLUMNS + f"a(X,N) :- p(X), N = #count {{ T : p(X) at T in {window} }}, {test}.",
                "t,x\n" + "".join(f"{tick},{tick * tick % 5 % 3}\n" for tick in range(1, 40)),
                (),
                id=f"{test} {window}",
            )
            for test in (
                "N >= 3",
                "3 <= N",
                "N > 2",
                "2 < N",
                "N = 3",
                "N != 3",
                "N < 3",
                "M = N, M > 3",
                "not N < 3",
            )
            for window in ("[5]", "[1..6]", "[8 step 3]", "[every 4]")
        ),
    ],
)
@pytest.mark.parametrize("block", [1, 4, 1000])
def test_blocks_and_ticks(
    program: str,
    stream: str,
    options: Sequence[str],
    block: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What the command writes and says is the same in blocks of so many facts."""
    source = tmp_path / ("s.csv" if stream.startswith("t,x") else "s.jsonl")
    source.write_text(stream)
    (tmp_path / "p.lars").write_text(program)
    found = []
    for evaluator in ("delta", "auto"):
        arguments = [
            "run",
            str(tmp_path / "p.lars"),
            "--input",
            str(source),
            "--evaluator",
            evaluator,
            *options,
        ]
        status = main(arguments, Tuning(block_facts=block, block_bytes=0))
        found.append((status, *capsys.readouterr()))
    assert found[0] == found[1]
    assert found[0][1] or options
