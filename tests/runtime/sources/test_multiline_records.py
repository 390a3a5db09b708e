"""`?multiline=yes`: a line that does not begin with a time belongs to the record before it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import Reading
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources import log_lines
from lars2asp.runtime.sources.files import input_at, read_file
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import Record, Rejected, Unfit
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import lines, run

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
    assert all(isinstance(one, Unfit) or "time" in one.reason for one in rejected)
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
    done = run(tmp_path, "run", "p.lars", "--input", "app.log?multiline=yes", "--follow", status=2)
    assert "multiline=yes is for recorded lines" in done.stderr
    (tmp_path / "t.csv").write_text("time,level,m\n1,a,b\n")
    (tmp_path / "t.lars").write_text("#input logged(level, m) at time.\n")
    with pytest.raises(InputError, match="multiline=yes is for recorded lines"):
        [
            *read_file(
                tmp_path / "t.csv",
                Reading(declarations=[parse_input_declaration("l(m) at time")], is_multiline=True),
                refuse,
            )
        ]
