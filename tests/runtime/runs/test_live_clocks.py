"""Runs over live input with wrong clocks, beside the clock of the machine, and each input's own lateness."""

import json
import signal
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lars2asp import Answer, Reasoner
from lars2asp.runtime.sources.records import Rejected
from tests.support.command_line import lines
from tests.support.feeds import ScriptedFeed
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, started, wait_for

PROGRAM = '#tick 1 sec. #timezone "UTC". #input a(x) at ts. s(X) :- a(X).'
HOUR = 3600


class Clock:
    """A clock that stands still."""

    now = datetime(2026, 2, 1, 12, tzinfo=UTC)

    def microseconds(self) -> int:
        return int(self.now.timestamp()) * 1_000_000


def record(number: int, after: float, now: datetime = Clock.now) -> str:
    """A record that is dated so many seconds after now."""
    return json.dumps({"ts": (now + timedelta(seconds=after)).isoformat(), "x": number})


def told(seconds: Sequence[float], name: str = "script", **options: Any) -> tuple[list[int], list[str]]:
    """The numbers of the records that gave answers, in order, and the reasons of those that were rejected."""
    found: list[int] = []
    rejected: list[Rejected] = []
    feed = ScriptedFeed([record(number, after) for number, after in enumerate(seconds)], name)
    reasoner = Reasoner.from_text(PROGRAM, **options)

    def take(answer: Answer) -> None:
        found.extend(int(text[2:-1]) for text in answer.began.texts)

    reasoner.run_live(feed, take, on_reject=rejected.append, clock=Clock())
    return found, [one.reason for one in rejected]


def test_a_record_that_is_dated_after_the_clock_waits(caplog: pytest.LogCaptureFixture) -> None:
    found, [reason] = told([0, HOUR, 1, 2, 3, 4])
    assert found == [0, 2, 3, 4, 5]
    assert "its clock is ahead of this machine's clock" in reason
    assert "--ahead" in reason
    assert not caplog.messages
    assert told([0, HOUR, HOUR + 1, HOUR + 2, HOUR + 3]) == ([0, 1, 2, 3, 4], [])
    [said] = caplog.messages
    assert said.startswith("script: records are dated after the clock of this machine")
    assert told([0, 500, 501])[0] == [0, 1, 2]
    assert told([HOUR, 0, 1, 2])[0] == [1, 2, 3]


@pytest.mark.parametrize("ahead", ["off", None, "2 hour", timedelta(hours=2), 2 * HOUR])
def test_forecasts_do_not_wait(ahead: Any) -> None:
    found, rejected = told([0, HOUR, 1, 2, 3], ahead=ahead)
    assert found == [0, 1]
    assert len(rejected) == 3


def test_what_lies_days_ahead_at_first_is_of_another_clock() -> None:
    assert told([3 * 86_400, 3 * 86_400 + HOUR, 3 * 86_400 + 2 * HOUR])[0] == [0, 1, 2]
    assert told([HOUR, 2 * HOUR, 1], "<stdin>")[0] == [0, 1]


def test_a_largest_gap_waits_and_a_sparse_sensor_does_not() -> None:
    past = -9 * HOUR
    found, [reason] = told([past, past + HOUR, past + 1, past + 2, past + 3], largest_gap=600)
    assert found == [0, 2, 3, 4]
    assert "more than 600 ticks after" in reason
    pause = [past, *(past + HOUR + second for second in range(4))]
    assert told(pause, largest_gap=600) == ([*range(5)], [])
    assert told([past, -100], largest_gap=600, ahead="10 min") == ([0, 1], [])


def test_clocks_that_were_never_set() -> None:
    never = -Clock.now.timestamp()
    found, [reason] = told([never + 3, 0, 1])
    assert (found, "was never set" in reason) == ([1, 2], True)


def test_a_run_that_is_killed_has_the_records_that_wait(tmp_path: Path) -> None:
    """Two contradict one that is in the checkpoint; a third one rejects it in the run that goes on."""
    (tmp_path / "p.lars").write_text(PROGRAM)
    file, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    now = datetime.now(UTC).replace(microsecond=0)
    file.write_text("".join(f"{record(n, after, now)}\n" for n, after in enumerate([0, 6 * HOUR, 1, 2])))
    command = [
        *(*LARS2ASP, "run", str(tmp_path / "p.lars"), "--input", str(file), "--follow", "--changes"),
        *("--output", str(output), "--checkpoint", str(tmp_path / "kept"), "--rejects", str(tmp_path / "no")),
    ]
    with started(command) as process:
        wait_for(lambda: output.exists() and "s(2)" in output.read_text(), process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 128 + signal.SIGTERM
    assert "its clock" not in (tmp_path / "no").read_text()
    with file.open("a") as more:
        more.write("".join(f"{record(n, after, now)}\n" for n, after in enumerate([3, 4, 5], start=4)))
    with started(command) as process:
        wait_for(lambda: "s(5)" in output.read_text(), process)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_SECONDS)
    began = [atom for answer in lines(output.read_text()) for atom in answer["began"]]
    assert [*dict.fromkeys(began)] == [f"s({number})" for number in (0, 2, 3, 4, 5)]
    assert (tmp_path / "no").read_text().count("its clock is ahead") == 1


@pytest.mark.parametrize("more", [[], ["--revise", "5 sec"]])
def test_a_run_that_is_ended_evaluates_the_records_that_wait(tmp_path: Path, more: list[str]) -> None:
    (tmp_path / "p.lars").write_text(PROGRAM)
    file, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    now = datetime.now(UTC).replace(microsecond=0)
    file.write_text("".join(f"{record(n, after, now)}\n" for n, after in enumerate([0, 1, 6 * HOUR])))
    command = [*LARS2ASP, "run", str(tmp_path / "p.lars"), "--input", str(file), "--follow", "--changes"]
    with started([*command, *more, "--output", str(output)]) as process:
        wait_for(lambda: output.exists() and "s(0)" in output.read_text(), process)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_SECONDS)
    assert "s(2)" in output.read_text()
