"""Lines of text that are read in columns tell what each of them tells by itself."""

import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import (
    FirstUnfit,
    OnReject,
    Origin,
    PassedOver,
    Record,
    Rejected,
    as_needed_by,
    refuse,
)
from lars2asp.runtime.sources.text.lines import line_records
from lars2asp.runtime.sources.text.numbered_lines import TextLines
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration

DECLARATIONS = [
    'login(user, number(port)) from "^{time} in {user:word}( port {port})?$" at time',
    'login(user, number(port) or 0) from "^{time} in {user:word}( port {port})?$" at time',
    'port(user) from "^{time} in {user:word}( port {port})?$" at time where port > 20, user != "bo"',
    'out(user, code) from "out {user:text}{code:int}$"',
    'failed(user) from "failed {user}( |$)"',
    'said(text(user), row()) from "^{time} said {user:text}$" at time',
]

TIMES = st.sampled_from(
    ["3", "2026-01-01T00:00:01Z", "2026-01-01 00:00:02+00:00", "x", "", "2026-13-01T00:00:00Z"]
)
LINES = st.builds(
    "{}{} {}{}{}".format,
    st.one_of(st.just("2026-01-01T00:00:01Z"), TIMES),
    st.sampled_from(["", "", " "]),
    st.sampled_from(["in", "out", "failed", "said", "else"]),
    st.sampled_from([" ann", " bo 7", " é", " ann port 22", " ann port x", " \0", " \udcff", "", " out a 1"]),
    st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", "\n \n"]),
)


def reading(declared: Sequence[str]) -> Reading:
    declarations = [parse_input_declaration(one) for one in declared]
    return Reading(format=Format.LOG, timeline=Timeline(1_000_000), declarations=declarations)


@given(
    st.lists(LINES, max_size=30).map("".join),
    st.lists(st.sampled_from(DECLARATIONS), min_size=1, max_size=3, unique_by=lambda one: one[:4]),
    st.booleans(),
)
def test_lines_are_read_in_columns_as_one_by_one(text: str, declared: list[str], in_columns: bool) -> None:
    how = reading(declared)
    read, _ = how.line_reader(Format.LOG)
    by_line: list[Record | Rejected] = []
    numbered = TextLines(io.BytesIO(text.encode(errors="surrogateescape")))  # type: ignore[arg-type]
    for line in numbered:
        origin = Origin("log", numbered.number, line.rstrip("\r\n"))
        by_line += line_records(line, origin, read, by_line.append, takes_bytes=True)
    together: list[Record | Rejected] = []
    lines = TextLines(io.BytesIO(text.encode(errors="surrogateescape")))  # type: ignore[arg-type]
    lines.end_head()
    lines.in_columns = in_columns
    for block in how.blocks(lines, "log", together.append):
        together += block
    assert [*map(shown, together)] == [*map(shown, by_line)]


@given(
    st.lists(st.one_of(LINES, st.just("2026-01-01T00:00:03Z else\n")), max_size=40).map("".join),
    st.lists(st.sampled_from(DECLARATIONS), min_size=1, max_size=3, unique_by=lambda one: one[:4]),
)
def test_unfit_lines_in_columns_are_counted_and_told_as_one_by_one(text: str, declared: list[str]) -> None:
    def read(on_reject: OnReject) -> tuple[list[Record], list[int]]:
        lines = TextLines(io.BytesIO(text.encode(errors="surrogateescape")))  # type: ignore[arg-type]
        records, account = list[Record](), Account()

        def reject(one: Rejected) -> None:
            if account.refuse(one):
                on_reject(one)

        lines.end_head()
        for block in reading(declared).blocks(lines, "log", as_needed_by(on_reject, reject)):
            account.take(block)
            records += block
        return records, account.state()

    each, few = list[Rejected](), list[Rejected]()
    one_by_one, together = read(each.append), read(FirstUnfit(few.append))
    assert [*map(shown, together[0])] == [*map(shown, one_by_one[0])]
    assert together[1] == one_by_one[1]
    unfit = [one for one in each if isinstance(one, PassedOver)]
    assert [one for one in few if isinstance(one, PassedOver)][:1] == unfit[:1]
    assert [one for one in few if one not in unfit] == [one for one in each if one not in unfit]


def shown(one: Record | Rejected) -> object:
    """What it says, and where it stands."""
    if isinstance(one, Rejected):
        return type(one), one.reason, one.origin.line, one.origin.text
    assert one.origin is not None
    return one.tick, one.events, getattr(one.events, "counted_as", None), one.origin.line, one.origin.text


def test_lines_that_all_fit_are_columns() -> None:
    text = "".join(f"2026-01-01T00:00:{second:02}Z in ann port {second}\n" for second in range(60))
    lines = TextLines(io.BytesIO(text.encode()))  # type: ignore[arg-type]
    [block] = reading(DECLARATIONS[:1]).blocks(lines, "log", lambda _: None)
    assert isinstance(block, RecordColumns)
    assert len(block) == 60


SYSLOG = (
    'failed(user) from "^{:word} sshd: failed {user:word}$" at "%b %d %H:%M:%S"',
    'failed(user) from "sshd: failed {user:word}" at "%d.%m.%Y %H:%M:%S"',
    'failed(user) from "sshd: failed {user:word}" at time',
)
WRITTEN = ("%b %d %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%Y-%m-%dT%H:%M:%S+02:00")


@pytest.mark.parametrize("kind", range(3))
def test_unfit_lines_have_the_times_of_those_that_fit(kind: int, tmp_path: Path) -> None:
    begin, said = datetime(2025, 12, 31, 23, 58), ("host sshd: failed ann", "host cron: run")
    moments = [begin + timedelta(seconds=number) for number in range(300)]
    file = tmp_path / "a.log"
    lines = [f"{one.strftime(WRITTEN[kind])} {said[place % 3 > 0]}\n" for place, one in enumerate(moments)]
    file.write_text("".join(lines))
    timeline = Timeline(1_000_000, zone=UTC, dates_from=datetime(2025, 1, 1))
    how = replace(reading(SYSLOG[kind : kind + 1]), timeline=timeline)

    def records(on_reject: OnReject) -> tuple[list[object], list[int]]:
        with FileInput(str(file), how, on_reject) as source:
            found = [*map(shown, source.records())]
            return found, source.accounts[0][1].state()

    each, few = list[Rejected](), list[Rejected]()
    assert records(FirstUnfit(few.append)) == records(each.append)
    assert len(few) < len(each) == 200
    assert few[0] == each[0]


@pytest.mark.parametrize("without_last", [False, True])
def test_a_state_between_records_of_which_some_are_unfit_counts_each_once(
    tmp_path: Path, *, without_last: bool
) -> None:
    file = tmp_path / "a.log"
    said = ("in u port 1", "else", "failed")
    file.write_text("".join(f"2026-01-01T00:00:{second:02}Z {said[second % 3]}\n" for second in range(60)))
    how, whole = reading(['login(user) from "in {user:word} port" at time']), [20, 40, 0, 0, 0, 0, 0, 40]
    for number in range(without_last, 61, 5):
        few = FirstUnfit(list[Rejected]().append)
        with FileInput(str(file), how, few) as source:
            source.in_columns = True
            head = [*islice(source.records(), number)]
            state = source.state(without_last=without_last)
        with FileInput(str(file), how, few) as source:
            source.restore(state)
            assert len([*source.records()]) == 60 - len(head) + without_last
            assert source.accounts[0][1].state() == whole


def test_a_state_between_records_of_columns_has_those_before(tmp_path: Path) -> None:
    file = tmp_path / "a.log"
    file.write_text("".join(f"2026-01-01T00:00:{second:02}Z in u port {second}\n" for second in range(60)))
    how = reading(DECLARATIONS[:1])
    with FileInput(str(file), how, refuse) as source:
        head = [*islice(source.records(), 7)]
        state = source.state()
    with FileInput(str(file), how, refuse) as source:
        source.restore(state)
        assert [record.tick for record in source.records()] == [
            head[-1].tick + 1 + place for place in range(53)
        ]
        assert source.accounts[0][1].state()[0] == 60
