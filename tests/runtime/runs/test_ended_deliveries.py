"""A live run ends when what delivers its answers does, also while nothing comes."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.processes import LARS2ASP, free_port, started
from tests.support.webhooks import webhook

PROGRAM = """#tick 1 sec.
#input reading(room, temp) at ts.
hot(R,T) :- reading(R,T), T > 25.
#show hot/2.
"""
RECORDS = b"".join(
    b'{"ts": "2026-01-01T00:00:0%dZ", "room": "hall", "temp": %d}\n' % (second, 30 + second)
    for second in range(3)
)


@contextmanager
def live(folder: Path, kind: str, *options: str) -> "Iterator[subprocess.Popen[bytes]]":
    """A run whose input has brought some records, goes on, and brings nothing more."""
    (folder / "p.lars").write_text(PROGRAM)
    grown = folder / "grown.jsonl"
    grown.write_bytes(RECORDS)
    source = {
        "tcp": ["tcp:0"],
        "follow": [str(grown), "--follow"],
        "stdin": ["-", "--input-format", "jsonl"],
    }[kind]
    command = [*LARS2ASP, "run", str(folder / "p.lars"), "--input", *source, *options]
    with started(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        if kind == "stdin":
            os.write(process.stdin.fileno(), RECORDS)
        if kind != "tcp":
            yield process
            return
        notice = process.stderr.readline().decode()
        port = int(notice.partition("tcp:127.0.0.1:")[2].split()[0].rstrip(".,:;"))
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(RECORDS)
            yield process


@pytest.mark.parametrize("kind", ["tcp", "follow", "stdin"])
@pytest.mark.parametrize("is_kept", [False, True])
def test_an_output_that_refuses_ends_a_live_run(tmp_path: Path, kind: str, *, is_kept: bool) -> None:
    kept = ["--checkpoint", str(tmp_path / "state")] if is_kept else []
    with webhook(lambda _: 400) as hook, live(tmp_path, kind, "--output", hook.address, *kept) as process:
        assert process.stderr is not None
        said = process.stderr.read().decode()
        assert process.wait() == 2
    assert said.count(f"{hook.address}: the receiver refuses answers with status 400") == 1


@pytest.mark.parametrize("kind", ["tcp", "follow", "stdin"])
def test_an_output_that_is_given_up_ends_a_live_run(tmp_path: Path, kind: str) -> None:
    with free_port() as port:
        to = "--output", f"http://127.0.0.1:{port}/x", "--retry-for", "1 sec"
        with live(tmp_path, kind, *to) as process:
            assert process.stderr is not None
            said = process.stderr.read().decode()
            assert process.wait() == 2
    assert said.count("seconds. Without --checkpoint the undelivered answers are lost") == 1
