"""Lines that programs send to a port."""

import json
import socket
import subprocess
from pathlib import Path

from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, free_port, started, wait_for


def test_connections_one_after_the_other(tmp_path: Path) -> None:
    """Each numbers its lines anew; --follow makes no difference to what is not a file."""
    (tmp_path / "q.lars").write_text("a(X) :- p(X).")
    command = [*LARS2ASP, "run", "q.lars", "--input", "tcp:{port}", "--follow", "--until", "5", "--changes"]
    found: list[bytes] = []
    with (
        free_port() as port,
        started(
            [text.format(port=port) for text in command], cwd=tmp_path, stdout=subprocess.PIPE
        ) as process,
    ):
        assert process.stdout is not None
        wait_for(lambda: is_taken(port), process)
        for first in (0, 4):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                told = (f'{{"time": {i}, "facts": ["p({i})"]}}\n' for i in range(first, first + 4))
                connection.sendall("".join(told).encode())
                if first == 0:  # what comes over several connections has no order
                    found += [process.stdout.readline() for _ in range(3)]
        found += process.stdout.readlines()
        assert process.wait() == 0
    assert [line["began"] for line in map(json.loads, found)] == [[f"a({i})"] for i in range(6)]


def test_tables_and_fields_over_connections(tmp_path: Path) -> None:
    """Each connection has a header of its own. What is waited for is said at once."""
    (tmp_path / "q.lars").write_text(
        '#input r(text(room), number(temp, ",")*10) at t. #input s(sensor.id) at t. #lateness 2. '
        "a(X,T) :- r(X,T). b(X) :- s(X)."
    )
    wanted = "room, temp, t, sensor.id"
    csv = [b"t;room;temp;sensor.id\n1;k;24,1;7\n", b"sensor.id|temp|room|t\n8|5|h|2\n9|6|h|5\n"]
    fields = [
        b'{"t": 1, "room": "k", "temp": "24,1", "sensor": {"id": 7}}\n',
        b'{"t": 2, "sensor.id": 8}\n{"t": 2, "room": "h", "temp": "5"}\n{"time": 5}\n',
    ]
    for form, wait, sent in (
        ("csv", f"rows of CSV after a header line with {wanted}", csv),
        ("jsonl", f"JSON lines with {wanted} (for plain facts add --input-format facts)", fields),
    ):
        with (
            free_port() as port,
            started(
                [
                    *LARS2ASP,
                    "run",
                    "q.lars",
                    "--input",
                    f"tcp:{port}",
                    "--input-format",
                    form,
                    "--until",
                    "1",
                ],
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            ) as process,
        ):
            assert process.stdout is not None
            assert process.stderr is not None
            notice = process.stderr.readline().decode()
            assert notice.startswith(f"tcp:127.0.0.1:{port}: listens for {wait}; times of records")
            with socket.create_connection(("127.0.0.1", port)) as one:
                one.sendall(sent[0])
                with socket.create_connection(("127.0.0.1", port)) as other:
                    one.close()
                    other.sendall(sent[1])
                    found = process.stdout.readline()
            assert process.wait(PATIENCE_SECONDS) == 0
        assert json.loads(found) == {"time": 1, "atoms": ["b(7)", 'a("k",241)']}


def is_taken(port: int) -> bool:
    """Whether a connection to a port of this machine is taken."""
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True


def test_by_the_clock_records_need_no_time_and_the_topic_is_no_field(tmp_path: Path) -> None:
    (tmp_path / "w.lars").write_text(
        "#tick 1 sec. #input window(file(), text(window)). open(X) :- window(X,_)."
    )
    with (
        free_port() as port,
        started(
            [*LARS2ASP, "run", "w.lars", "--input", f"tcp:{port}", "--clock", "wall"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
    ):
        assert process.stderr is not None
        assert "listens for JSON lines with window, or rows" in process.stderr.readline().decode()
