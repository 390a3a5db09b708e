"""What others have taken is not sent to them again, however a run is interrupted."""

import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from lars2asp.__main__ import main
from lars2asp.runtime.connectors.delivering import MOST_LINES
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.runs.processes.delivery import Delivered, Delivery
from lars2asp.runtime.runs.states.checkpoints import open_checkpoints
from tests.support.examples import number_of_examples
from tests.support.processes import LARS2ASP, started, wait_for
from tests.support.webhooks import webhook

KILLS = number_of_examples(3)
ANSWERS = MOST_LINES * KILLS


def slowly(_: bytes) -> int:
    """What takes a moment for each batch."""
    time.sleep(0.05)
    return 200


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command that writes an answer at each tick."""
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text("a(X) :- p(X).")
    Path("in.jsonl").write_text("".join(f'{{"time": {i}, "facts": ["p({i})"]}}\n' for i in range(ANSWERS)))
    return ["run", "p.lars", "--input", "in.jsonl"]


def without_repetitions(bodies: Sequence[bytes]) -> tuple[list[bytes], int]:
    """The lines of bodies, each once, and how many came twice."""
    lines = b"".join(bodies).splitlines(keepends=True)
    return [*dict.fromkeys(lines)], len(lines) - len({*lines})


def test_what_was_taken_is_not_sent_again(command: list[str]) -> None:
    """After TERM and INT nothing, after KILL at most the batch that was under way."""
    assert main([*command, "--output", "whole.jsonl"]) == 0
    random = Random(5)
    with webhook(slowly) as hook:
        sent = [*command, "--output", hook.address, "--checkpoint", "state", "--checkpoint-every", "400"]
        killed = 0
        for number in range(KILLS):
            how = (signal.SIGTERM, signal.SIGKILL, signal.SIGINT)[number % 3]
            before = len(hook.bodies)
            with started([*LARS2ASP, *sent], stderr=subprocess.PIPE) as process:
                while len(hook.bodies) == before and process.poll() is None:
                    time.sleep(0.01)
                time.sleep(random.random() * 0.2)
                process.send_signal(how)
                status = process.wait()
            killed += how == signal.SIGKILL
            assert status in (0, -how, 130, 143)
        assert main(sent) == 0
        lines, repeated = without_repetitions(hook.bodies)
    assert b"".join(lines) == Path("whole.jsonl").read_bytes()
    assert repeated <= killed * MOST_LINES


def test_what_waits_is_kept_by_the_checkpoint(command: list[str]) -> None:
    """A run that is asked to end while nothing is taken ends soon, and goes on where it was."""
    assert main([*command, "--output", "whole.jsonl"]) == 0
    with webhook(slowly) as hook:
        sent = [*command, "--output", hook.address, "--checkpoint", "state", "--checkpoint-every", "400"]
        with started([*LARS2ASP, *sent], stderr=subprocess.PIPE) as process:
            wait_for(lambda: hook.bodies, process)
            hook.answer = lambda _: 503
            assert process.stderr is not None
            said = process.stderr.readline()
            assert b"the receiver answers with status 503; lars2asp retries for 300 seconds" in said
            process.send_signal(signal.SIGTERM)
            said = process.stderr.read()
            assert process.wait() == 143
        assert b"to be delivered when the run goes on" in said
        hook.answer = slowly
        assert main(sent) == 0
        lines, repeated = without_repetitions(hook.bodies)
    assert b"".join(lines) == Path("whole.jsonl").read_bytes()
    assert not repeated


class Taken:
    """A destination that fails at a line."""

    name = "there"
    most_lines = MOST_LINES

    def __init__(self, path: Path, fails_at: bytes = b"") -> None:
        self._path = path
        self._fails_at = fails_at

    def deliver(self, lines: Sequence[bytes]) -> None:
        if self._fails_at in lines:
            raise InputError("no more")
        with self._path.open("ab") as file:
            file.writelines(line + b"\n" for line in lines)

    def close(self) -> None:
        pass


def test_receipts_say_what_was_delivered(tmp_path: Path) -> None:
    """Lines that were delivered are left out where they come again, up to the first that is another one."""
    with open_checkpoints(str(tmp_path / "state")) as checkpoints:
        first = Taken(tmp_path / "taken", b"3")
        note = checkpoints.note_delivered
        with (
            pytest.raises(InputError, match="no more"),
            Delivery(first, delivered=Delivered(note=note)) as there,
        ):
            there.write("1\n2\n")
            assert there.state() == {"number": 2, "waiting": []}
            there.write("3\n")
            there.state()
        known = checkpoints.delivered()
        assert [*known] == [1, 2]
        with Delivery(Taken(tmp_path / "taken"), delivered=Delivered(0, ["1\n"], known, note)) as there:
            there.begin()
            there.write("2\n3\n")
            assert there.state() == {"number": 3, "waiting": []}
        assert (tmp_path / "taken").read_text() == "1\n2\n3\n"
        with Delivery(Taken(tmp_path / "taken"), delivered=Delivered(1, [], known, note)) as there:
            there.write("other\n3\n")
        assert (tmp_path / "taken").read_text() == "1\n2\n3\nother\n3\n"
