"""Blocks with ticks that have no answer stream, or cannot be evaluated, held to the same tick by tick."""

import re
from contextlib import suppress
from math import inf
from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.reasoning.execution import Execution
from lars2asp.runtime.tuning import Tuning
from tests.support.blocks import ends_of_blocks, without_flow

SCALED = """
#script (python)
from lars2asp import pure
@pure
def scaled(x: int) -> int:
    if x == {bad}:
        raise ValueError("too hot")
    return 2 * x
#end.
warm(R,S) :- temp(R,T), S = @scaled(T).
peak(R,M) :- temp(R,_), M = #max {{ S : warm(R,S) in [20] }}.
rising(R) :- warm(R,S) in [5], warm(R,S-2) in {{6,7,8}}.
"""


def rows(number: int) -> list[str]:
    """Temperatures, some of them at one tick."""
    return [f"{row * 2 // 3},{'ab'[row % 2]},{row * row % 17}" for row in range(number)]


@pytest.mark.parametrize("bad", [99, 16, 0, 13])
@pytest.mark.parametrize("block", [1, 7, 100_000])
@pytest.mark.parametrize("options", [(), ("--changes",), ("--emit", "5")])
def test_functions_that_fail(
    bad: int, block: int, options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answers before are given, and the run ends as it does tick by tick."""
    program, source = tmp_path / "p.lars", tmp_path / "s.csv"
    program.write_text("#input temp(room, value) at time.\n" + SCALED.format(bad=bad))
    source.write_text("\n".join(["time,room,value", *rows(300)]) + "\n")
    found = []
    for evaluator in ("auto", "oneshot"):
        asked = *options, "--evaluator", evaluator
        tuning = Tuning(block_facts=block, block_bytes=0)
        status = main(["run", str(program), "--input", str(source), *asked], tuning)
        found.append((status, *capsys.readouterr()))
    assert found[0] == found[1]
    assert found[0][0] == (0 if bad == 99 else 4)


@pytest.mark.parametrize("block", [1, 7, inf])
def test_a_reasoner_goes_on_behind_a_failure(block: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is at the tick that could not be evaluated, as it is tick by tick."""
    import polars as pl  # noqa: PLC0415 - not for all tests

    program = "#input temp(room, value) at time.\n" + SCALED.format(bad=13)
    cells = [row.split(",") for row in rows(100)]
    frame = pl.DataFrame({"time": [int(row[0]) for row in cells], "room": [row[1] for row in cells]})
    frame = frame.with_columns(pl.Series("value", [int(row[2]) for row in cells]))
    ends = ends_of_blocks(monkeypatch)
    found = []
    for is_in_blocks in (True, False):
        tuning = Tuning(block_facts=int(min(block, 10**9)), block_bytes=0 if is_in_blocks else 10**9)
        reasoner = Reasoner.from_text(program, tuning=tuning)
        if not is_in_blocks:
            without_flow(reasoner.session)
        seen: list[object] = []
        with pytest.raises(EvaluationError, match="too hot"):
            for answer in reasoner.run(frame):
                seen.append((answer.tick, answer.holds.texts))
        assert ends or not is_in_blocks
        ends.clear()
        now = reasoner.now
        assert now is not None
        after = reasoner.step(now + 1, ["temp(a,5)"])
        found.append((seen, now, after.holds.texts))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "last", [":- b(2).", "-q(X) :- b(X).", "{ e(X) } :- b(X). :- e(2). :- not e(2), b(2)."]
)
def test_windows_beside_what_decides(last: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rules of one stage may say which ticks have no answer stream, and look at those that have one."""
    program, source = tmp_path / "p.lars", tmp_path / "s.txt"
    program.write_text(f"a(X) :- p(X). b(X) :- a(X), r. c(X) :- a(X) in [3], not s. {last}\n")
    source.write_text("0: p(1)\n1: p(2), q(2), r\n3: p(1), r\n9: p(2)\n10: p(1), s\n")
    found = []
    for evaluator in ("flow", "oneshot"):
        options = ["--input", str(source), "--input-format", "facts", "--evaluator", evaluator]
        status = main(["run", str(program), *options])
        found.append((status, capsys.readouterr().out))
    assert found[0] == found[1]
    assert '"satisfiable": false' in found[0][1]


CHOOSING = """
    hot(R) :- temp(R,V), V > 8.
    warm(R) :- hot(R) in [5].
    1 { visit(R,P) : person(P) } 1 :- call(R).
    person(ann). person(bob). person(eve).
    :- visit(R,ann), hot(R).
    :- temp(_,16).
"""


SEEING = """
    hot(R) :- temp(R,V), V > 8.
    warm(R) :- hot(R) in [5].
    long(R) :- warm(R) always in [2].
    :- warm(a), warm(b), temp(_,13).
    :- long(b), temp(b,15).
"""

REMEMBERING = SEEING + "1 { visit(R,P) : person(P), not long(P) } 1 :- call(R), not long(R). person(1..3)."


@pytest.mark.parametrize("program", [CHOOSING, SEEING, REMEMBERING])
@pytest.mark.parametrize("block", [1, 7, 100_000])
def test_blocks_go_on_behind_single_ticks(
    program: str,
    block: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Choices stay the same as without blocks, whatever begins and ends."""
    path, source = tmp_path / "p.lars", tmp_path / "s.jsonl"
    path.write_text(program)
    lines = []
    for row in range(300):
        facts = [f"temp({'ab'[row % 2]},{row * row % 17})", *([f"call({'ab'[row % 2]})"] if row % 3 else [])]
        more = {50: ', "begin": ["call(c)"]', 60: ', "end": ["call(c)"]'}.get(row % 100, "")
        quoted = ", ".join(f'"{fact}"' for fact in facts)
        lines.append(f'{{"time": {row}, "facts": [{quoted}]{more}}}\n')
    source.write_text("".join(lines))
    ends, found = ends_of_blocks(monkeypatch), []
    for has_flow, smallest in (True, 0), (True, 10**12), (False, 0):
        tuning = Tuning(block_facts=block, block_bytes=smallest, between_blocks=2)
        if not has_flow:
            monkeypatch.setattr(Execution, "has_flow", False)
        status = main(["run", str(path), "--input", str(source), "--emit", "every"], tuning)
        found.append((status, *capsys.readouterr()))
    assert found[0] == found[1]
    if program is REMEMBERING:  # components may follow another answer stream
        found = [(status, re.sub(r'(, )?"visit[^"]*"', "", out), said) for status, out, said in found]
    assert found[1] == found[2]
    assert max(ends) > (
        180 if program is CHOOSING else 20
    )  # many ticks fail by windows: blocks come back less often
    assert '"satisfiable": false' in found[0][1]


def test_batches_ask_otherwise_than_single_ticks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """clingo then goes on with another evaluator: both get the same answers by other questions."""
    program, source = tmp_path / "p.lars", tmp_path / "s.txt"
    program.write_text(
        "a(X) :- q(X) always in [7]. k(0) :- r. :- not e(_) always in [since a(_)], h. { w } :- not p in [1]."
    )
    source.write_text("0: k(2)\n6: p\n7: h, q(1), e(1)\n8: e(1), h, q(1)\n9: p\n12: h\n")
    found = []
    for evaluator in ("flow", "auto"):
        options = ["--input", str(source), "--input-format", "facts", "--evaluator", evaluator]
        status = main(["run", str(program), *options], Tuning(between_blocks=1))
        found.append((status, capsys.readouterr().out))
    assert found[0] == found[1]
    assert '"satisfiable": false' in found[0][1]


def test_facts_are_counted_once_where_ticks_are_taken_back() -> None:
    """Those of a tick that is taken back, and those before it."""
    program = "d(X,X) :- h(X,1) in {4}. :- d(_,1) in [1]."
    steps = {7: ["h(1,1)"], 11: ["r", "h(2,1)"], 12: ["r"], 15: ["h(1,1)"], 19: ["h(1,1)", "h(1,1)"], 20: []}
    found = []
    for evaluator in ("flow", "oneshot"):
        reasoner = Reasoner.from_text(program, evaluator=evaluator)
        found.append(
            [(reasoner.step(tick, facts).satisfiable, reasoner.counts[2]) for tick, facts in steps.items()]
        )
    assert found[0] == found[1]
    assert [is_satisfiable for is_satisfiable, _ in found[0]].count(False) == 2


@pytest.mark.parametrize("block", [5, 20])
def test_what_is_shown_when_ticks_are_taken_back(
    block: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is the output of the last answer, whichever state the run went back to."""
    program, source = tmp_path / "p.lars", tmp_path / "s.txt"
    program.write_text("f :- p(_) in [every 4]. c(X) :- q(X) in {2}. :- c(X) in [1], not r.")
    lines = [f"{tick}: p({tick % 3}), p(7), s" for tick in range(300) if tick % 16 < 7]
    lines[60:60] = ["137: q(1)"]
    source.write_text("\n".join(sorted(lines, key=lambda line: int(line.partition(":")[0]))) + "\n")
    found = []
    for evaluator in ("flow", "oneshot"):
        options = ["--input", str(source), "--input-format", "facts", "--evaluator", evaluator, "--changes"]
        status = main(["run", str(program), *options], Tuning(block_facts=block))
        found.append((status, capsys.readouterr().out))
    assert found[0] == found[1]
    assert '"satisfiable": false' in found[0][1]


def test_what_the_input_tells_goes_on_behind_a_tick_that_windows_fail() -> None:
    """Rules derive it as well: it is in the output of the next tick."""
    reasoner = Reasoner.from_text("b(X) :- p(X) in [2]. :- c(1), b(1). c(X) :- b(X) in {1}.")
    assert not reasoner.step(3, ["p(1)", "c(1)"], begin=["c(2)"]).satisfiable
    assert reasoner.step(4).began.texts == ("b(1)", "c(2)")


@pytest.mark.parametrize("limit", [None, 60.0])
def test_what_is_placed_at_a_tick_that_fails_holds_there(limit: float | None) -> None:
    """Windows of later ticks see it, whether a function fails or a constraint does."""
    program = SCALED.format(bad=0) + "b(X) at @now+2 :- a(X). d(X) :- b(X) in [3]. :- stop."
    for fails in ("temp(k,0)", "stop"):
        reasoner = Reasoner.from_text(program, evaluator="flow", tick_timeout=limit)
        reasoner.step(0, ["a(1)"])
        with suppress(EvaluationError):
            assert not reasoner.step(2, [fails, "a(2)"]).satisfiable
        assert [reasoner.step(tick).holds.texts for tick in (3, 5, 6)] == [("d(1)",), ("d(1)",), ()]
