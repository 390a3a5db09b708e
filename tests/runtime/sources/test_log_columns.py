"""Lines of text that are read in columns tell what each of them tells by itself."""

import io
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import Origin, Record, Rejected, refuse
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
