"""Facts that are equal to another one of their tick are counted, whatever looks at them."""

import json
from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.__main__ import main
from lars2asp.compiler import compile_program
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source

PROGRAMS = {
    "now": "a(X) :- p(X).",
    "sliding": "a(X) :- p(X) in [2].",
    "two windows": "a(X) :- p(X) in [2], not p(X) in {3}.",
    "arrivals": "a(X) :- p(X) in [1 # by X].",
    "arrivals and now": "a(X) :- p(X) in [1 # by X], p(X).",
    "counted": "a(X) :- p(X) at least 2 in [3].",
    "recorded": "a(X) :- p(X). p(X) :- q(X). b :- p(X) in [1].",
    "tick": "a(X) :- p(X), @now > 0.",
    "clingo": "a(X) :- p(X). a(X) :- a(X) in [1], q(X).",
}
TOLD = [(1, ["p(1)", "p(1)", "p(2)"]), (2, ["p(1)"]), (4, ["p(3)", "p(3)", "p(3)"]), (4, ["p(2)", "p(3)"])]


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_facts_are_counted_that_are_merged(program: str) -> None:
    reasoner = Reasoner.from_text(program)
    assert len([*reasoner.run(TOLD, emit="every")]) == 4
    assert reasoner.statistics.merged == {"p/1": 4}
    again = Reasoner.from_text(program)
    again.resume(reasoner.snapshot())
    assert again.statistics.merged == {"p/1": 4}
    again.step(5, ["p(1)", "p(1)"])
    assert again.statistics.merged == {"p/1": 5}


def test_with_intervals_in_the_same_tick() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X) in [1 # by X]. b(X) :- p(X) in [2].")
    reasoner.step(1, ["p(1)", "p(1)", "p(2)"], begin=["p(2)"])
    assert reasoner.statistics.merged == {"p/1": 1}


@pytest.mark.parametrize("block", [1, 3, 7, 10**6])
def test_each_counts_once_a_tick(block: int) -> None:
    """Whatever holds already by earlier facts, or is begun; what nobody looks at is not counted."""
    plan = compile_program(
        Source("p.lars", "a(X) :- p(X) in [2]. b :- r always in [1 # r/0]. c :- s. s :- p(7).")
    )
    session = Session(plan, evaluator="flow", tuning=Tuning(block_facts=block))
    p, q, r, s = Signature("p", 1), Signature("q", 0), Signature("r", 0), Signature("s", 0)
    records = [
        Record(0, Events((AtomRows(p, [(0,), (1,)]), AtomRows(r, [()])), until=5)),
        Record(1, Events((AtomRows(p, [(0,), (0,), (2,)]), AtomRows(q, [(), ()])))),
        Record(1, Events((AtomRows(p, [(0,)]),), begin=(AtomRows(p, [(3,)]),), until=2)),
        Record(2, Events((AtomRows(p, [(3,), (3,)]), AtomRows(s, [(), ()])))),
        Record(5, Events((AtomRows(r, [(), (), ()]),), end=(AtomRows(p, [(3,)]),))),
        Record(5, Events((AtomRows(p, [(3,)]),))),
    ]
    run = DataTimeRun(session, None, lambda _: None, lambda _: None, in_blocks=list[Answer]().extend)
    run.over(iter(records), None)
    assert session.merged == {"p/1": 3, "r/0": 2, "s/0": 1}


def test_of_a_tick_that_nothing_has_looked_at() -> None:
    """The same fact was there at the tick before."""
    session = Session(compile_program(Source("p.lars", "a(X) :- p(X) in [2..2].")))
    p = AtomRows(Signature("p", 1), [(0,)])
    records = [Record(tick, Events((p,))) for tick in (0, 1, 1)]
    DataTimeRun(session, 1, lambda _: None, lambda _: None).over(iter(records), None)
    assert session.merged == {"p/1": 1}


def test_it_is_told_where_ticks_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text(
        "#input failed(user) at t.\nattack(U) :- failed(U) at least 2 in [5].\nseen(U) :- failed(U) in [2].\n"
    )
    Path("in.jsonl").write_text('{"t": 1, "user": "a"}\n' * 3 + '{"t": 2, "user": "b"}\n')
    arguments = ["--input", "in.jsonl", "--output", "out.jsonl", "--stats-json", "stats.json"]
    warning = (
        "p.lars:2:14-41: warning: failed(U) at least 2 in [5] counts ticks: 2 facts of failed/1{} repeated "
        "another fact of the same tick, which counts once. To count each, add record() to the columns of "
        "#input, and use #count{}\n"
    )
    assert main(["run", "p.lars", *arguments, "--stats"]) == 0
    said = capsys.readouterr().err
    assert said.endswith(warning.format("", ". `lars2asp check --input` names the first fact"))
    assert "Facts     : 4 received, 2 of them repeated at the same tick\n" in said
    assert json.loads(Path("stats.json").read_text())["merged"] == {"failed/1": 2}
    assert main(["check", "p.lars", "--input", "in.jsonl"]) == 0
    checked = capsys.readouterr()
    first = ' (the first is failed("a") at in.jsonl:2)'
    assert checked.err == warning.format(first, "")
    assert checked.out.splitlines()[1] == (
        f"2 facts of failed/1{first} repeated another fact of the same tick, which counts once. To count "
        "each, add record() to the columns of #input"
    )
    Path("p.lars").write_text("#input failed(user, row()) at t. seen(U) :- failed(U,_) at least 2 in [5].")
    assert main(["run", "p.lars", "--input", "in.jsonl", "--output", "other.jsonl"]) == 0
    assert "repeated another fact" not in capsys.readouterr().err
