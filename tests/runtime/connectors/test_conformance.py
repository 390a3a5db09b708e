"""Connectors of other packages: what the test of the protocol finds, and a run that goes by entry points."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from lars2asp.connectors import InputConnector, Message, OutputConnector, check_input, check_output
from lars2asp.runtime.connectors import conformance
from lars2asp.runtime.connectors.addresses import destination_of, feed_of
from lars2asp.runtime.connectors.message_feed import AcknowledgedFeed, feed_by
from lars2asp.runtime.errors import InputError
from tests.support.feeds import running, texts


class Numbered(InputConnector):
    """Reads a list; positions are places in it."""

    name, source = "memory://list", "list"

    def __init__(self, stored: list[bytes]) -> None:
        self.stored = stored

    def open(self, last: Any, count: int) -> Any:
        return last or 0

    def messages(self, last: Any) -> Sequence[Message]:
        sleep(0.01)
        return [Message(place + 1, text) for place, text in enumerate(self.stored) if place >= last]


class Repeating(Numbered):
    def messages(self, last: Any) -> Sequence[Message]:
        return super().messages(max(0, last - 1))


class Forgetful(Numbered):
    def open(self, last: Any, count: int) -> Any:
        return 0


class OfBytes(Numbered):
    """A checkpoint cannot keep its positions."""

    def open(self, last: Any, count: int) -> Any:
        return last or b"0"

    def messages(self, last: Any) -> Sequence[Message]:
        return [Message(b"%d" % one.position, one.data) for one in super().messages(int(last))]


class Slow(Numbered):
    def messages(self, last: Any) -> Sequence[Message]:
        sleep(0.2)
        return super().messages(last)


class Unnamed(Numbered):
    name = ""


class Queue(InputConnector):
    """Reads a list, of which it removes what is acknowledged."""

    name, source = "memory://queue", "queue"
    keeps_messages, acknowledges = False, True

    def __init__(self, stored: list[bytes]) -> None:
        self.stored = stored
        self.given = 0

    def open(self, last: Any, count: int) -> None:
        self.given = 0

    def messages(self, last: Any) -> Sequence[Message]:
        sleep(0.01)
        found = self.stored[self.given :]
        self.given += len(found)
        return [Message(one.decode(), one) for one in found]

    def acknowledge(self, last: str) -> None:
        count = self.stored.index(last.encode()) + 1
        del self.stored[:count]
        self.given -= count


class Deaf(Queue):
    def acknowledge(self, last: str) -> None:
        pass


class Hasty(Queue):
    def messages(self, last: Any) -> Sequence[Message]:
        found = super().messages(last)
        self.stored.clear()
        self.given = 0
        return found


class Appending(OutputConnector):
    """Appends to a list."""

    name = "memory://list"

    def __init__(self, stored: list[bytes]) -> None:
        self.stored = stored

    def open(self) -> None:
        pass

    def send(self, messages: Sequence[bytes]) -> Iterator[int]:
        self.stored += messages
        yield len(messages)


class CountingWrong(Appending):
    def send(self, messages: Sequence[bytes]) -> Iterator[int]:
        yield from super().send(messages)
        yield 1


class Replacing(Appending):
    def open(self) -> None:
        self.stored.clear()


class Sorting(Appending):
    def send(self, messages: Sequence[bytes]) -> Iterator[int]:
        return super().send(sorted(messages))


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (Numbered, None),
        (Repeating, "gives nothing if there is no new message"),
        (Forgetful, "goes on after the position 1"),
        (OfBytes, "positions are values of JSON"),
        (Slow, "waits at most a second"),
        (Unnamed, "`name` is a text"),
        (Queue, None),
        (Deaf, "`acknowledge` is for all before"),
        (Hasty, "messages come again until `acknowledge`"),
    ],
)
def test_rules_of_inputs(
    kind: type[Numbered | Queue], rule: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "PATIENCE_SECONDS", 0.5 if rule else 20)
    monkeypatch.setattr(conformance, "LONGEST_CALL_SECONDS", 0.1 if kind is Slow else 20)
    stored: list[bytes] = []

    def add(number: int) -> bytes:
        stored.append(b"%d" % number)
        return stored[-1]

    if rule is None:
        check_input(lambda: kind(stored), add)
    else:
        with pytest.raises(AssertionError, match=rule):
            check_input(lambda: kind(stored), add)


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (Appending, None),
        (CountingWrong, "yields how many messages were taken"),
        (Replacing, "closed opens again"),
        (Sorting, "once, in order"),
    ],
)
def test_rules_of_outputs(kind: type[Appending], rule: str | None) -> None:
    stored: list[bytes] = []
    messages = [b"c", b"b", b"a"]
    if rule is None:
        check_output(lambda: kind(stored), messages, lambda: [*stored])
    else:
        with pytest.raises(AssertionError, match=rule):
            check_output(lambda: kind(stored), messages, lambda: [*stored])


def test_messages_are_acknowledged_when_they_are_kept() -> None:
    """Without a journal when they are read."""
    stored = [b"1", b"2\n3", b"4"]
    feed = feed_by(lambda _: Queue(stored), "memory://queue", 100, None)
    assert isinstance(feed, AcknowledgedFeed)
    feed.waits_until_kept = True
    with running(feed) as run:
        run.wait_for_lines(4)
        feed.kept("queue", 2)
        run.wait_for(lambda: stored == [b"2\n3", b"4"])
        feed.kept("queue", 3)
        run.wait_for(lambda: stored == [b"4"])
        feed.kept("queue", 4)
    assert stored == []
    stored.append(b"5")
    with running(feed_by(lambda _: Queue(stored), "memory://queue", 100, None)) as run:
        run.wait_for(lambda: not stored)
    assert texts(run.lines) == ["5"]


PACKAGE = """
from pathlib import Path

from lars2asp.connectors import InputConnector, Message, OutputConnector


class Lines(InputConnector):
    def __init__(self, address):
        self.name, self.source = address, address.removeprefix("letters://")

    def open(self, last, count):
        return last or 0

    def messages(self, last):
        lines = Path(self.source).read_bytes().splitlines()
        return [Message(n, line) for n, line in enumerate(lines, start=1) if n > last]


class Appended(OutputConnector):
    def __init__(self, address):
        self.name, self.path = address, Path(address.removeprefix("letters://"))

    def open(self):
        pass

    def send(self, messages):
        for one in messages:
            with self.path.open("ab") as file:
                file.write(one + b"\\n")
            yield 1
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a package that serves `letters`, as it is when it is installed."""
    about = tmp_path / "packages" / "letters-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: letters\nVersion: 1.0\n")
    inputs = "letters = letters:Lines\nwrong = letters:Path\nmissing = letters:Nothing\n"
    served = f"[lars2asp.inputs]\n{inputs}[lars2asp.outputs]\nletters = letters:Appended\n"
    (about / "entry_points.txt").write_text(served)
    (tmp_path / "packages" / "letters.py").write_text(PACKAGE)
    return tmp_path / "packages"


def test_a_run_finds_the_connectors_of_a_package(tmp_path: Path, package: Path) -> None:
    """It goes on from its checkpoint behind the messages that it read."""
    paths = [str(package), *filter(None, [os.environ.get("PYTHONPATH", str(Path.cwd()))])]
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    command = [sys.executable, "-m", "lars2asp", "run", "p.lars", "--checkpoint", "state", "--until"]
    to = ["--input", "letters://in", "--output", "letters://out", "--changes"]
    for last in (3, 5):
        given = [f'{{"time": {tick}, "facts": ["p({tick})"]}}\n' for tick in range(last + 2)]
        (tmp_path / "in").write_text("".join(given))
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
        subprocess.run([*command, str(last), *to], cwd=tmp_path, env=environment, check=True)
    began = [json.loads(line)["began"] for line in (tmp_path / "out").read_text().splitlines()]
    assert began == [[f"a({tick})"] for tick in range(6)]


def test_what_packages_do_not_serve_is_said(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(package)
    for address, said in (
        ("wrong://me:s3cret@a", r"wrong://\.\.\.: the connector of letters is no InputConnector"),
        ("missing://a", r"missing://\.\.\.: the connector of letters cannot be loaded: .*Nothing"),
        ("lettters://a", "or install a package with a connector for lettters"),
    ):
        with pytest.raises(InputError, match=said):
            feed_of(address)
    with pytest.raises(InputError, match="or install a package with a connector for wrong"):
        destination_of("wrong://a")
