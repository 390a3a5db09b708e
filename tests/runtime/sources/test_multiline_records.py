"""`?multiline=yes`: a line that does not begin with a time belongs to the record before it."""

import json
import signal
import socket
import subprocess
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import Reading
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources import log_lines
from lars2asp.runtime.sources.files import input_at, read_file
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import Line, OnReject, PassedOver, Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import lines, run
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, free_port, started, wait_for

DECLARED = (
    'logged(level, text(message)) from "^{level:word} {message:rest}" at "%s:"',
    'last(text(word)) from "^{:word} {word:word}$" at "%s:"',
)
READING = Reading(
    Format.LOG,
    Timeline(1_000_000),
    declarations=[parse_input_declaration(one) for one in DECLARED],
    is_multiline=True,
)


def told(records: list[Record]) -> list[tuple[int, str, tuple[object, ...]]]:
    return [
        (one.tick, atoms.signature.name, row)
        for one in records
        for atoms in one.events.facts
        for row in atoms.rows
    ]


def expected(text: list[str]) -> list[tuple[int, str, tuple[object, ...]]]:
    """By plain Python: what the definition says of lines."""
    records = list[list[str]]()
    for line in text:
        digits = line.partition(":")[0]
        if ":" in line and digits.isdigit():
            records.append([line])
        elif records:
            records[-1].append(line)
    found = list[tuple[int, str, tuple[object, ...]]]()
    for first, *more in records:
        time, _, rest = first.partition(":")
        words = rest.split(None, 1)
        if len(words) < 2:
            continue
        level, message = words
        whole = "\n".join([message, *more])
        while whole.endswith("\n"):
            whole = whole[:-1]
        found.append((int(time), "logged", (level, whole)))
        if len(message.split()) == 1:
            found.append((int(time), "last", (message,)))
    return found


LINES = st.one_of(
    st.tuples(st.integers(1, 9), st.sampled_from(["INFO a b", "WARN 7: x", "E  y"])).map(
        lambda one: f"{one[0]}: {one[1]}"
    ),
    st.sampled_from(["", "\tat x", "Caused by: 8: y", "x 3: INFO z", "  4: INFO w", "5", "$"]),
)


@given(st.lists(LINES, max_size=12))
def test_records_are_those_of_the_definition(text: list[str]) -> None:
    timed = [
        f"{tick}{line[line.index(':') :]}" if line[:1].isdigit() and ":" in line else line
        for tick, line in enumerate(text)
    ]
    rejected: list[Rejected] = []
    found = [*READING.records([f"{one}\n" for one in timed], "x", rejected.append)]
    assert all(isinstance(one, PassedOver) or "time" in one.reason for one in rejected)
    assert told(found) == expected(timed)


TRACE = ["\tat org.x.Shop.sell(Shop.java:7)", "Caused by: y", ""]


def test_lines_and_places_of_a_file(tmp_path: Path) -> None:
    text = [line for n in range(700) for line in (f"{n}: ERROR sold {n}", *TRACE[: n % 4])]
    path = tmp_path / "app.log"
    path.write_text("\r\n".join([*text, ""]))
    whole = [*read_file(path, READING, refuse)]
    assert told(whole) == expected(text)
    assert whole[3].origin is not None
    assert whole[3].origin.line == 7
    for number in (1, 2, 7, 500, 699):
        with input_at(str(path), READING, refuse) as first:
            records = first.records()
            for _ in range(number):
                next(records)
            state = json.loads(json.dumps(first.state()))
        with input_at(str(path), READING, refuse) as again:
            again.restore(state)
            assert [*again.records()] == whole[number:]


def refuse(rejected: Rejected) -> None:
    raise AssertionError(str(rejected))


def test_records_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_lines, "MOST_LINES", 3)
    rejected: list[Rejected] = []
    text = ["1: A b", "c", "d", "e", "2: A b"]
    found = [*READING.records([f"{one}\n" for one in text], "x", rejected.append)]
    assert [row for _, name, row in told(found) if name == "logged"] == [("A", "b\nc\nd"), ("A", "b")]
    assert [one.origin.line for one in rejected] == [4]


def test_a_run_has_it_by_the_address(tmp_path: Path) -> None:
    program = '#input logged(level, text(m)) from "^{level:word} {m:rest}" at "%s:".\n#tick 1 sec.\n'
    (tmp_path / "p.lars").write_text(program + "said(M) :- logged(_,M).\n#show said/1.\n")
    (tmp_path / "app.log").write_text("1: ERROR a\n\tat b\n2: INFO c\n")
    found = lines(run(tmp_path, "run", "p.lars", "--input", "app.log?multiline=yes").stdout)
    assert found[0]["atoms"] == ['said("a\\n\tat b")']
    found = lines(run(tmp_path, "run", "p.lars", "--input", "app.log").stdout)
    assert found[0]["atoms"] == ['said("a")']
    done = run(tmp_path, "run", "p.lars", "--input", "app.log?multiline=maybe", status=2)
    assert "write yes or no" in done.stderr
    done = run(
        tmp_path, "run", "p.lars", "--input", "app.log?multiline=yes&format=jsonl", "--follow", status=2
    )
    assert "multiline=yes needs lines of text" in done.stderr
    (tmp_path / "t.csv").write_text("time,level,m\n1,a,b\n")
    (tmp_path / "t.lars").write_text("#input logged(level, m) at time.\n")
    with pytest.raises(InputError, match="multiline=yes needs lines of text"):
        [
            *read_file(
                tmp_path / "t.csv",
                Reading(declarations=[parse_input_declaration("l(m) at time")], is_multiline=True),
                refuse,
            )
        ]


Took = list[tuple[int, str, tuple[object, ...]]]


def live(text: list[str], cuts: list[bool], on_reject: OnReject) -> Took:
    """What lines give that come one by one to readers that go on from states, and a pause behind them."""
    read, found = LiveReader(READING, on_reject), list[Record]()
    for number, (line, is_cut) in enumerate(zip(text, cuts, strict=False), start=1):
        found += read.records(Line("x", number, line))
        if is_cut:
            state = json.loads(json.dumps([read.state(), read.account.state()]))
            read = LiveReader(READING, on_reject)
            read.restore(state[0], read=state[1])
    found += read.records(Line("x", 0, "", end=""))
    assert not read.finish()
    return told(found)


@given(st.lists(st.sampled_from(["1: A b", "22: B c", "c", "", "\tat d", "3: A"]), max_size=8), st.data())
def test_live_records_are_those_of_files(text: list[str], data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.booleans(), min_size=len(text), max_size=len(text)))
    rejected: list[Rejected] = []
    found, there = live(text, cuts, rejected.append), [*map(str, rejected)]
    rejected.clear()
    assert found == told([*READING.records([f"{line}\n" for line in text], "x", rejected.append)])
    assert there == [*map(str, rejected)]


def test_a_pause_ends_a_record() -> None:
    read = LiveReader(READING, lambda _: None)

    def texts(line: Line) -> list[object]:
        return [row[1] for _, name, row in told([*read.records(line)]) if name == "logged"]

    assert texts(Line("a", 1, "1: A b")) == []
    assert texts(Line("b", 1, "1: A x")) == []
    assert texts(Line("a", 2, "c")) == []
    assert texts(Line("a", 0, "", end="")) == ["b\nc"]
    assert texts(Line("a", 3, "late")) == []  # it is a record by itself, which nothing fits
    assert texts(Line("a", 4, "2: A y")) == []
    assert texts(Line("b", 1, "", end=None)) == ["x"]
    assert texts(Line("", 0, "", end=None)) == ["y"]
    assert read.account.gave_facts == 3


BEGIN = 1_767_225_600
PROGRAM = """#tick 1 sec.
#input logged(text(m)) from "^{:word} {m:rest}" at "%s:".
said(M) :- logged(M).
#show said/1.
"""


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_that_follows_loses_no_line_of_a_record(tmp_path: Path, kill: signal.Signals) -> None:
    """It is killed within records; a pause ends a record, also one that an earlier part of the run began.

    What follows after the kill belongs to the record, unless a slow machine has made a pause before it.
    """
    (tmp_path / "p.lars").write_text(PROGRAM)
    log, output, number = tmp_path / "app.log", tmp_path / "out.jsonl", 0
    log.touch()
    command = [
        *(
            *LARS2ASP,
            "run",
            str(tmp_path / "p.lars"),
            "--input",
            f"{log}?multiline=yes",
            "--follow",
            "--changes",
        ),
        *("--output", str(output), "--checkpoint", str(tmp_path / "kept"), "--checkpoint-every", "3"),
    ]

    def write(text: str) -> None:
        with log.open("a") as file:
            file.write(text)

    for _ in range(3):
        with started(command) as process:
            for _ in range(9):
                number += 1
                write(f"{BEGIN + number}: E m{number}\n  at {number}\n  at x\n")
            wait_for(partial(has, output, f"m{number - 2}\\n"), process)
            process.send_signal(kill)
            process.wait(PATIENCE_SECONDS)
        write("  more\n")
    with started(command) as process:
        write(f"{BEGIN + number + 1}: E last\n")
        wait_for(partial(has, output, f"m{number}\\n"), process)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_SECONDS)
    began = [atom for answer in lines(output.read_text()) for atom in answer["began"]]
    whole = [f'said("m{one}\\n  at {one}\\n  at x")' for one in range(1, number + 1)]
    assert [atom.replace("\\n  more", "") for atom in began] == whole
    assert {one for one, atom in enumerate(began, start=1) if "more" in atom} <= {9, 18, 27}


def has(output: Path, text: str) -> bool:
    return output.exists() and text.replace("\\", "\\\\") in output.read_text()


def test_records_of_connections_end_with_a_pause(tmp_path: Path) -> None:
    """One whose connection is gone when the run goes on ends, too."""
    (tmp_path / "p.lars").write_text(PROGRAM)
    output = tmp_path / "out.jsonl"
    with free_port() as port:
        command = [
            *(*LARS2ASP, "run", str(tmp_path / "p.lars"), "--input", f"tcp:{port}?multiline=yes"),
            *("--output", str(output), "--changes", "--checkpoint", str(tmp_path / "kept")),
        ]

        def send(process: "subprocess.Popen[bytes]", text: str) -> socket.socket:
            found: list[socket.socket] = []

            def connected() -> bool:
                with suppress(OSError):
                    found.append(socket.create_connection(("127.0.0.1", port)))
                return bool(found)

            wait_for(connected, process)
            found[0].sendall(text.encode())
            return found[0]

        with started(command) as process, send(process, f"{BEGIN}: E a\n  at b\n{BEGIN + 5}: E c\n  at d\n"):
            wait_for(lambda: has(output, "a\\n  at b"), process)
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE_SECONDS)
        assert not has(output, "at d")
        with started(command) as process, send(process, f"{BEGIN + 9}: E e\n"):
            wait_for(lambda: has(output, "c\\n  at d"), process)
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_SECONDS)
