"""A run in blocks of ticks keeps its state as others do, and goes on from it in blocks."""

import json
import os
import random
import signal
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

import pyarrow as pa
import pytest
from pyarrow import parquet

from lars2asp.__main__ import main
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sinks.json_lines import JsonLines
from lars2asp.runtime.tuning import Tuning
from tests.support.blocks import ends_of_blocks

LOGINS = """
#tick 1 sec.
#input login(user, result) at ts.
#input latest(user, result) at ts.
#held latest(U, _) by U for 40 min.
guessed(U,N) :- login(U,"ok"), N = #count { T : login(U,"failed") at T in [1 hour] }, N >= 3.
quiet(U) :- login(U,_) in [1 # by U], not login(U,_) in [10 min].
long(U) :- quiet(U) always in [20 min].
failing(U,N) :- latest(U,"failed") always in [2 min], N = #count { V : latest(V,_) in [1 min] }.
sum(S) :- S = #sum { N,U : guessed(U,N) in [1 hour] }, not long("u1").
"""
ROOMS = """
hot(R) :- temp(R,V) in [3], V > 80.
heating(R) :- on(R) always in [20].
quiet(R) :- room(R), not temp(R,_) in [12].
last(R) :- temp(R,_) in [5 # by R], hot(R) in [9].
both(R,S) :- hot(R), heating(S) in [4].
room(1..9).
"""


class Killed(BaseException):
    """Ends a run."""


TERMINATED = 143
"""The exit status of a run that was asked to end."""


def logins(number: int) -> str:
    """Plain lines, which are read in columns; some come late, and one is none."""
    choose, found, at = random.Random(number), [], 0
    for _ in range(number):
        at += choose.choice([0, 7, 60, 60, 301])
        late = choose.choice([0, 0, 0, 0, 0, 0, 45])
        hours, rest = divmod(max(at - late, 0), 3600)
        time = f"2026-03-{28 + hours // 24:02}T{hours % 24:02}:{rest // 60:02}:{rest % 60:02}Z"
        result = choose.choice(["ok", "failed", "failed"])
        found.append(f'{{"ts": "{time}", "user": "u{choose.randrange(3)}", "result": "{result}"}}\n')
    found.insert(number // 2, '{"ts": "2026-03-28T00:00:00Z", "user": 5, "result": "ok"\n')
    return "".join(found)


def rooms(number: int) -> str:
    """Records of facts, some of which come late, and now and then of one that begins, and soon ends."""
    choose, found, at = random.Random(number), [], 0
    for place in range(number):
        at += choose.choice([0, 1, 1, 1, 2, 25])
        record: dict[str, object] = {"time": max(0, at - choose.choice([0] * 6 + [3]))}
        record["facts"] = [
            f"temp({choose.randint(1, 9)},{choose.randint(40, 99)})" for _ in range(choose.randint(0, 2))
        ]
        if place % 150 in (100, 103):
            record = {"time": at, "begin" if place % 150 == 100 else "end": ["on(3)"]}
        found.append(f"{json.dumps(record)}\n"[: None if place % 140 else 9])
    return "".join(found)


def write(path: Path) -> None:
    """Writes a stream: logins in a form, or rooms."""
    if path.stem == "rooms":
        path.write_text(rooms(900))
        return
    text = logins(600)
    if path.suffix == ".jsonl":
        path.write_text(text)
        return
    rows = [json.loads(line) for line in text.splitlines() if line.endswith("}")]
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=97)
        return
    lines = [",".join(row.values()) for row in rows]
    lines.insert(300, "2026-03-28T00:00:00Z,u1")
    path.write_text("\n".join(["ts,user,result", *lines, ""]))


class Killing:
    """Ends runs after some lines of output, or asks them to end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, asks: bool) -> None:
        self.left: int | None = None
        self._asks = asks
        put = JsonLines._put

        def counted(sink: JsonLines, written: Iterable[str]) -> None:
            put(sink, self._until_killed(written, sink._output))

        monkeypatch.setattr(JsonLines, "_put", counted)

    def _until_killed(self, written: Iterable[str], output: TextIO) -> Iterable[str]:
        for line in written:
            if self.left is not None:
                self.left -= 1
                if self.left < 0 and not self._asks:
                    output.flush()
                    raise Killed
                if self.left == 0 and self._asks:
                    os.kill(os.getpid(), signal.SIGTERM)
            yield line


@pytest.mark.parametrize(
    ("stream", "lateness", "block", "more", "asks"),
    [
        ("logins.jsonl", "0", 150, (), False),
        ("logins.jsonl", "30", 23, ("--changes",), False),
        ("logins.jsonl", "30", 150, (), True),
        ("logins.csv", "60", 60, ("--emit", "50", "--changes"), False),
        ("logins.csv", "0", 60, ("--changes",), True),
        ("logins.parquet", "0", 150, (), False),
        ("logins.parquet", "0", 60, ("--changes",), True),
        ("rooms.jsonl", "30", 23, ("--changes",), False),
        ("rooms.jsonl", "60", 60, ("--emit", "50", "--changes"), False),
        ("rooms.jsonl", "30", 150, (), True),
    ],
)
def test_the_output_is_that_of_a_run_without_interruption(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    stream: str,
    lateness: str,
    block: int,
    more: tuple[str, ...],
    asks: bool,
) -> None:
    """Wherever it is killed, however often: answers and rejected records are those of `delta`."""
    is_logins = stream.startswith("logins")
    (tmp_path / "p.lars").write_text(LOGINS if is_logins else ROOMS)
    source = tmp_path / stream
    write(source)
    tuning = Tuning(block_facts=block, block_bytes=0, between_blocks=10)
    every = "9000" if is_logins else "60"

    def arguments(name: str, *options: str) -> list[str]:
        rejects = tmp_path / f"{name}.rejects"
        rejects.touch()
        files = ["--input", str(source), "--output", str(tmp_path / f"{name}.out")]
        return ["run", str(tmp_path / "p.lars"), *files, "--rejects", str(rejects), *more, *options]

    how = "--lateness", lateness
    whole = arguments("whole", "--evaluator", "delta", *how)
    status = main(whole)
    ends, killing = ends_of_blocks(monkeypatch), Killing(monkeypatch, asks=asks)
    went_on: list[bool] = []
    begin = Session.begin_blocks

    def noted(session: Session, tick: int) -> object:
        goes_on = session.now is not None
        evaluator = begin(session, tick)
        if goes_on:
            went_on.append(evaluator is not None)
        return evaluator

    monkeypatch.setattr(Session, "begin_blocks", noted)
    kept = arguments("parts", "--checkpoint", str(tmp_path / "kept"), "--checkpoint-every", every, *how)
    choose, kills = random.Random(block), 0
    while kills < 200:
        killing.left = choose.randint(5, 60) + 20 * kills  # or no block is ever written
        try:
            found = main(kept, tuning)
        except Killed:
            kills += 1
            continue
        if found != TERMINATED:
            assert found == status
            break
        kills += 1
    assert kills > 1
    assert len(ends) > 1
    assert any(went_on) or stream.endswith((".csv", ".parquet"))  # too little may be left of these
    for suffix in ("out", "rejects"):
        assert (tmp_path / f"parts.{suffix}").read_text() == (tmp_path / f"whole.{suffix}").read_text()
