"""A changed program goes on from a checkpoint with what its windows hold by a history."""

import json
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st

from lars2asp.__main__ import main
from lars2asp.runtime.reasoning.snapshot import unpacked
from tests.strategies.changed_programs import LARGEST, Stream, programs, streams
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(7)


class Changed:
    """A run whose program was changed, over a stream of records as JSON.

    Args:
        folder: for its files.
        old: the program before.
        new: the program.
        more: further options of all runs.
    """

    def __init__(self, folder: Path, old: str, new: str, *more: str) -> None:
        self.old, self.new = old, new
        self._folder, self._more = folder, more
        self.history = folder / "history.jsonl"

    def _run(self, program: str, records: Iterable[object], out: str, *more: str) -> int:
        (self._folder / "p.lars").write_text(program)
        self._write("in.jsonl", records)
        files = ["--input", str(self._folder / "in.jsonl"), "--output", str(self._folder / out)]
        return main(["run", str(self._folder / "p.lars"), *files, "--emit", "every", *self._more, *more])

    def _write(self, name: str, records: Iterable[object]) -> None:
        (self._folder / name).write_text("".join(f"{json.dumps(one)}\n" for one in records))

    def answers(self, out: str) -> dict[int, list[str]]:
        lines = map(json.loads, (self._folder / out).read_text().splitlines())
        return {line["time"]: line["atoms"] for line in lines}

    def before(self, records: Sequence[object]) -> int:
        """Runs the old program; the tick of the last checkpoint."""
        shutil.rmtree(self._folder / "kept", ignore_errors=True)
        kept = ["--checkpoint", str(self._folder / "kept"), "--checkpoint-every", "1"]
        assert self._run(self.old, records, "out", *kept) == 0
        last = max((self._folder / "kept").glob("*.checkpoint"))
        now = unpacked(last.read_bytes())["reasoner"]["now"]
        assert isinstance(now, int)
        return now

    def after(self, records: Sequence[object], history: Iterable[object], *more: str) -> int:
        """Goes on with the new program and a history; the exit status."""
        self._write("history.jsonl", history)
        kept = ["--checkpoint", str(self._folder / "kept"), "--changed-program"]
        return self._run(self.new, records, "out", *kept, "--history", str(self.history), *more)

    def whole(self, records: Sequence[object], *more: str) -> int:
        """Runs the new program over all."""
        return self._run(self.new, records, "whole", *more)


def as_records(stream: Stream) -> list[object]:
    return [{"time": tick, "facts": facts} for tick, facts in stream]


def later(answers: dict[int, list[str]], now: int) -> dict[int, list[str]]:
    return {tick: atoms for tick, atoms in answers.items() if tick > now}


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    programs(),
    programs(),
    streams(),
    st.integers(3, 6),
    st.sampled_from(["auto", "external", "stamped"]),
    st.booleans(),
)
def test_answers_are_those_of_the_changed_program_over_the_whole_stream(
    old: str, new: str, stream: Stream, part: int, evaluator: str, is_cut: bool
) -> None:
    """Of what no window looks at any more the history may lack."""
    note(f"{old}\n--\n{new}")
    records = [*as_records(stream), {"time": stream[-1][0] + 3 * LARGEST}]
    with TemporaryDirectory() as folder:
        run = Changed(Path(folder), old, new, "--evaluator", evaluator, "--start", "0")
        now = run.before(records[:part])
        reach = 2 * LARGEST
        history = [one for one, (tick, _) in zip(records, stream, strict=False) if tick >= now - reach]
        is_cut = is_cut and stream[0][0] < now - reach
        history = [{"time": now - reach}, *history] if is_cut else records
        status = run.after(records, history)
        if status == 2:
            event("refused")  # as other atoms of the input are shown
            return
        event("cut" if is_cut else "whole")
        assert status == run.whole(records) == 0
        assert later(run.answers("out"), now) == later(run.answers("whole"), now) != {}


OLD = "a(X) :- p(X) in [3]."
NEW = "often(X) :- p(X) at least 3 in [20].\nb(X) :- often(X) in [10]."


def test_the_history_is_read_as_far_back_as_windows_look(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [{"time": tick, "facts": [f"p({tick % 7})"]} for tick in range(100)]
    run = Changed(tmp_path, OLD, NEW)
    now = run.before(records[:80])
    begin = now - 30
    assert run.after(records, records[begin + 1 :]) == 2
    said = capsys.readouterr().err
    assert "add an earlier --history, or run without it" in said
    assert "add an earlier --history, or run without it" in said
    assert run.after(records, records[begin:]) == 0
    assert "added: often(X) :- p(X) at least 3 in [20]." in caplog.text
    assert f"windows hold what the history has from tick {begin} on" in caplog.text
    assert "whole from" not in caplog.text
    assert "the history ends" not in caplog.text
    assert run.whole(records) == 0
    assert later(run.answers("out"), now) == later(run.answers("whole"), now)


def test_a_history_from_before_the_run_counts(tmp_path: Path) -> None:
    """As if the run had begun there; records of ticks after the checkpoint do not come twice."""
    records = [{"time": tick, "facts": ["p(1)"]} for tick in range(0, 80, 5)]
    run = Changed(tmp_path, OLD, NEW)
    now = run.before(records[8:12])
    assert run.after(records[8:], records) == 0
    assert run.whole(records) == 0
    assert later(run.answers("out"), now) == later(run.answers("whole"), now)


@pytest.mark.parametrize("begin", [0, 40])
def test_what_holds_on_from_before_the_history_holds_on(tmp_path: Path, begin: int) -> None:
    text = "#held level(M,_) by M.\n"
    old = text + "x(M) :- on(M) in [2]. y(M,V) :- level(M,V). z :- q."
    new = text + "long(M) :- on(M) always in [15]. high(M) :- level(M,V) always in [15], V > 3. z :- q."
    records: list[object] = [
        {"time": 0, "begin": ["on(m)", "on(n)"], "facts": ["level(m,7)", "level(n,5)"]},
        {"time": 1, "facts": ["q"], "until": 58},
        *({"time": tick} for tick in range(2, 40)),
        {"time": 40, "facts": ["level(n,1)"]},
        {"time": 45, "end": ["on(n)"], "facts": ["level(n,6)"]},
        *({"time": tick} for tick in range(46, 55)),
        {"time": 55, "end": ["on(m)"]},
        {"time": 70},
    ]
    run = Changed(tmp_path, old, new)
    now = run.before(records[:-2])
    assert now < 54
    history = [one for one in records if isinstance(one, dict) and one["time"] >= begin - 10]
    assert run.after(records, history) == 0
    assert run.whole(records) == 0
    found = later(run.answers("out"), now)
    assert found == later(run.answers("whole"), now)
    assert "long(m)" in found[54] and "high(m)" in found[54] and "z" in found[58]


def test_records_of_the_history_that_are_not_valid_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    records: list[object] = [{"time": tick, "facts": ["p(1)"]} for tick in range(20)]
    run = Changed(tmp_path, OLD, NEW)
    run.before(records[:10])
    assert run.after(records, [records[0], {"time": "?"}, *records[1:]], "--lateness", "2") == 0
    assert "history.jsonl: 1 record was rejected: " in caplog.text
    assert f"{run.history}:2: error: " in caplog.text


def test_windows_that_were_refused_go_on_with_a_history(tmp_path: Path) -> None:
    records: list[object] = [{"time": tick, "facts": [f"p({tick % 4})"]} for tick in range(20)]
    run = Changed(tmp_path, "a(X) :- p(X) in [3 #].", "a(X) :- p(X) in [5 #].")
    now = run.before(records[:10])
    assert run.after(records, records[:10]) == 0
    assert run.whole(records) == 0
    assert later(run.answers("out"), now) == later(run.answers("whole"), now)


@pytest.mark.parametrize(
    ("history", "words"),
    [
        ([], "the history contains no record before tick"),
        ([{"time": 90, "facts": ["p(1)"]}], "the history contains no record before tick"),
    ],
)
def test_a_history_without_a_past_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], history: list[object], words: str
) -> None:
    records: list[object] = [{"time": tick, "facts": ["p(1)"]} for tick in range(20)]
    run = Changed(tmp_path, OLD, NEW)
    run.before(records[:10])
    written = (tmp_path / "out").read_bytes()
    assert run.after(records, history) == 2
    assert words in capsys.readouterr().err
    assert (tmp_path / "out").read_bytes() == written


def test_a_history_that_ends_before_the_checkpoint_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    records = [{"time": tick, "facts": [f"p({tick % 7})"]} for tick in range(100)]
    run = Changed(tmp_path, OLD, NEW)
    now = run.before(records[:80])
    assert run.after(records, records[:60]) == 0
    assert f"history.jsonl: the history ends at tick 59, and the checkpoint is of tick {now}: " in caplog.text


def test_a_history_needs_a_changed_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.lars").write_text(OLD)
    arguments = ["run", str(tmp_path / "p.lars"), "--history"]
    assert main([*arguments, "x.jsonl"]) == 2
    assert "--history fills the windows of a changed program: add --changed" in capsys.readouterr().err
    assert main([*arguments, "-", "--changed-program"]) == 2
    assert "lars2asp may read --history twice: name files or folders" in capsys.readouterr().err
