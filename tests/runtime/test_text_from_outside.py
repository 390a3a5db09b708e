"""Names and values from outside in texts that are programs or tests: they stay data, and steer nothing."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import clingo
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from lars2asp.runtime.command_line.input_check import proposal, proposals
from lars2asp.runtime.rule_tests.notation import read_rule_file, words_text
from lars2asp.runtime.rule_tests.recording import record
from lars2asp.runtime.sources.facts.ground_terms import parse_terms
from lars2asp.runtime.sources.reading import Reading
from lars2asp.syntax.formatting.formatter import formatted
from lars2asp.syntax.nodes import Decimals, Held, Input, Lateness, Program, String, Tick, TimeZone
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import program_text, to_text
from lars2asp.syntax.rspql.program import program_of
from lars2asp.syntax.rspql.query import read_query
from lars2asp.syntax.source import Source
from lars2asp.syntax.string_escapes import quoted
from lars2asp.syntax.traversal import every
from tests.support.command_line import run
from tests.support.hostile import FILE_NAMES, NAMES, PROGRAM, RAN, TESTS, steers

ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.sampled_from(NAMES)
"""Of all of Unicode, halves of surrogate pairs included."""

HELD_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
"""What clingo can hold."""

SOME_FILE_NAMES = (*FILE_NAMES[::7], *(one for one in TESTS if "/" not in one))

DECLARATIONS = (Tick, TimeZone, Lateness, Input, Decimals, Held)

quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def program(text: str) -> Program:
    """What a text says that steers nothing. Raises ProgramError."""
    assert not steers(text)
    return parse(Source("written.lars", text))


def columns_in(text: str) -> set[str]:
    """The columns that a proposal names, which has nothing but declarations."""
    statements = program(text).statements
    assert all(isinstance(one, DECLARATIONS) for one in statements), text
    inputs = [one for one in statements if isinstance(one, Input)]
    assert inputs
    return {name for one in inputs for column in one.columns for name in column.names}


# --- strings ----------------------------------------------------------------------------------------------


@given(ANY_TEXT)
def test_a_column_of_any_name_is_read_and_printed_as_it_is(name: str) -> None:
    written = f"#input p({quoted(name)}) at t.\n"
    assert columns_in(written) == {name}
    assert columns_in(program_text(program(written))) == {name}
    broken = f"#input p(\n    {quoted(name)}\n) at t.\n"  # if it is too long for a line
    assert formatted(Source("p.lars", written)) in (written, broken)


@given(HELD_TEXT)
def test_a_text_is_the_same_in_programs_and_facts_and_for_clingo(text: str) -> None:
    written = f"p({quoted(text)}).\n"
    found = program(written)
    assert [one.value for one in every(String, *found.statements)] == [text]
    assert parse_terms(quoted(text)) == [text]
    assert program_text(found) == formatted(Source("p.lars", written)) == written
    assert clingo.parse_term(to_text(found.statements[0])[:-1]).arguments[0].string == text


def test_a_text_is_written_so_in_formulas_and_scripts_stay(tmp_path: Path) -> None:
    text = (
        '#script (python)\nA = "\t\\u{41}"\n#end.\n'
        'a :- (p("\u202e  x"), % b :- ")\n q("\x1b")) always in [2].\n'
        'b :- not p("\t") in [3], #count { X : q(X, "\x85") } = 2.\n'
    )
    (tmp_path / "p.lars").write_text(text)
    (tmp_path / "q.lars").write_text(run(tmp_path, "compile", "--target", "lars2asp", "p.lars").stdout)
    written = (tmp_path / "q.lars").read_text()
    assert 'A = "\t\\u{41}"' in written and '(p("\\u{202e}  x"), q("\\u{1b}")) always in [2]' in written
    assert not steers(written.replace("\t", "", 1))
    assert run(tmp_path, "compile", "--target", "lars2asp", "q.lars").stdout == written
    styled = formatted(Source("p.lars", text))
    assert not steers(styled.replace("\t", "", 1)) and formatted(Source("p.lars", styled)) == styled


@pytest.mark.parametrize(
    "text", [r'"\u{0}"', r'"a\u{d800}"', r'"\u{110000}"', r'"\u41"', r'"\u{}"', r'"\u{g}"']
)
def test_what_is_no_character_of_a_text_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.lars").write_text(f"p({text}).")
    said = run(tmp_path, "check", "wrong.lars", status=2).stderr
    assert "character" in said and "hint: " in said
    given = json.dumps({"time": 1, "facts": [f"p({text})"]})
    (tmp_path / "p.lars").write_text("q(X) :- p(X).")
    said = run(tmp_path, "run", "p.lars", "--input", "-", stdin=given, status=1).stderr
    assert "character" in said or "is not UTF-8 text" in said


# --- proposals --------------------------------------------------------------------------------------------

TIMES = [f"2026-01-15T06:0{minute}:00Z" for minute in range(4)]


def as_columns(folder: Path, names: Sequence[str]) -> Path:
    """A table with such columns."""
    return table(folder, [["ts", *names], *([time, *range(len(names))] for time in TIMES)])


def as_cells(folder: Path, names: Sequence[str]) -> Path:
    """A table with such cells."""
    columns = [f"c{number}" for number, _ in enumerate(names)]
    return table(folder, [["ts", *columns], *([time, *names] for time in TIMES)])


def as_keys(folder: Path, names: Sequence[str]) -> Path:
    """Records with such keys."""
    return of_records(folder, [{"ts": time, **dict.fromkeys(names, 1)} for time in TIMES])


def as_inner_keys(folder: Path, names: Sequence[str]) -> Path:
    """Records with such keys within another one."""
    return of_records(folder, [{"ts": time, "a": dict.fromkeys(names, 1)} for time in TIMES])


def as_lists_that_are_left_out(folder: Path, names: Sequence[str]) -> Path:
    """Records with lists of these names."""
    return of_records(folder, [{"ts": time, "v": 1, **{one: [1, 2] for one in names}} for time in TIMES])


def as_typed_columns(folder: Path, names: Sequence[str]) -> Path:
    """A Parquet file with such columns."""
    columns = [pa.array(TIMES), *(pa.array(range(len(TIMES))) for _ in names)]
    parquet.write_table(pa.table(columns, names=["ts", *names]), folder / "t.parquet")
    return folder / "t.parquet"


def table(folder: Path, rows: Iterable[Sequence[object]]) -> Path:
    """A table with comma between the cells."""
    told = io.StringIO(newline="")
    csv.writer(told, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return written(folder / "t.csv", told.getvalue())


def of_records(folder: Path, records: Iterable[object]) -> Path:
    """A file of JSON lines."""
    return written(folder / "t.jsonl", "".join(f"{json.dumps(one)}\n" for one in records))


def written(path: Path, text: str) -> Path:
    """A file with a text."""
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


FORMS = (as_columns, as_cells, as_keys, as_inner_keys, as_lists_that_are_left_out, as_typed_columns)


@pytest.mark.parametrize("form", FORMS)
def test_a_proposal_has_declarations_alone(
    form: Callable[[Path, Sequence[str]], Path], tmp_path: Path
) -> None:
    names = [one for one in NAMES if one.strip()]
    found = columns_in(proposal(str(form(tmp_path, names))))
    if form in (as_keys, as_typed_columns):
        assert found == {*names}
    if form is as_inner_keys:  # they are data
        assert found == {"key", "value"}
    if form is as_columns:
        assert found == {one.strip() for one in names}


@pytest.mark.parametrize("name", [*PROGRAM[:8], *TESTS])
def test_the_list_that_has_the_records_is_not_framed(name: str, tmp_path: Path) -> None:
    rows = [{"ts": time, "v": number} for number, time in enumerate(TIMES)]
    found = columns_in(proposal(str(written(tmp_path / "t.json", json.dumps({name: rows})))))
    assert found in ({"v"}, {f"{name}.v"})


@quick
@given(name=ANY_TEXT)
def test_a_proposal_reads_a_key_of_any_name(name: str, tmp_path: Path) -> None:
    names = columns_in(proposal(str(as_keys(tmp_path, [name]))))
    assert names == {name}


def test_a_proposal_is_not_framed_by_names_of_files(tmp_path: Path) -> None:
    for name in SOME_FILE_NAMES:
        path = written(tmp_path / f"{name}.csv", "ts,v\n2026-01-15T06:00:00Z,1\n2026-01-15T06:01:00Z,2\n")
        other = written(tmp_path / "other.csv", path.read_text())
        assert columns_in(proposal(str(path))) == {"v"}
        assert columns_in(proposals([str(path), str(other)], Reading()).text) == {"v"}


# --- recorded tests ---------------------------------------------------------------------------------------


@quick
@given(words=st.lists(ANY_TEXT, min_size=1))
def test_words_of_a_test_are_read_as_they_were(words: list[str], tmp_path: Path) -> None:
    text = words_text(words)
    assert not steers(text) and "\n" not in text
    path = written(tmp_path / "w.lars-test", f"program p.lars\ncase x\nwith {text}\n")
    assert read_rule_file(path).cases[0].options == tuple(words)


def test_a_recorded_test_is_what_was_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text("seen(X) :- p(X).\n")
    for name in SOME_FILE_NAMES:
        given = [name for name in NAMES if "\0" not in name and len(name) < 200]
        facts = [{"time": 1, "facts": [f"p({quoted(name)})"]} for name in (name, *given[:3])]
        Path(name).write_text("".join(f"{json.dumps(one)}\n" for one in facts))
        path = Path("r.lars-test")
        path.unlink(missing_ok=True)
        assert record(path, ["p.lars"], [name], ()) == 1
        text = path.read_text()
        assert not steers(text)
        file = read_rule_file(path)
        assert not file.program and [one.path for case in file.cases for one in case.given] == [name]
        assert [len(case.claims) for case in file.cases] == [1]
        Path(name).unlink()


def test_a_recorded_test_of_the_corpus_passes(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("seen(X) :- p(X).\n")
    names = [one for one in NAMES if "\0" not in one]
    facts = [{"time": tick, "facts": [f"p({quoted(name)})"]} for tick, name in enumerate(names, start=1)]
    name = f'x\nprogram:\n #script (python) open("{RAN}", "w") #end.\ngiven empty\n%.jsonl'.replace("/", "")
    (tmp_path / name).write_text("".join(f"{json.dumps(one)}\n" for one in facts))
    done = run(tmp_path, "test", "--record", "r.lars-test", "p.lars", "--input", name)
    done = run(tmp_path, "test", "r.lars-test")
    assert "1 case passed, 0 failed" in done.stdout and not steers(done.stdout)
    assert not (tmp_path / RAN).exists()


# --- queries ----------------------------------------------------------------------------------------------

QUERY = """
    REGISTER RSTREAM <o> AS SELECT ?{variable}
    FROM NAMED WINDOW <w> ON <s> [RANGE PT10S STEP PT5S]
    WHERE {{ WINDOW <w> {{ ?{variable} {relation} {text} }} }}
"""


@given(HELD_TEXT)
def test_the_program_of_a_query_has_its_texts(text: str) -> None:
    for quote in "\"'":
        inside = text.replace("\\", "\\\\").replace("\n", "\\n").replace(quote, f"\\{quote}")
        query = QUERY.format(variable="x", relation="<http://x/p>", text=f"{quote}{inside}{quote}")
        found = program(program_of(read_query(query)))
        assert text in [one.value for one in every(String, *found.statements)] or text[:1] in ("<", "_", '"')


# --- messages ---------------------------------------------------------------------------------------------


def test_messages_about_the_corpus_steer_and_hide_nothing(tmp_path: Path) -> None:
    """Rejected values, fields and names of files, in `run` and `check --input`."""
    declared = "#tick 1 sec. #input reading(room, int(t)) at time."
    (tmp_path / "p.lars").write_text(f"{declared} hot(R) :- reading(R,_).")
    records = [{"time": 10 * n, "room": name, "t": name or "x"} for n, name in enumerate(NAMES)]
    records += [{"time": 10 * n, name: 1} for n, name in enumerate(NAMES)]
    name = "a\u202e\u200b\x1b[2J\n.jsonl"
    (tmp_path / name).write_text("".join(f"{json.dumps(one)}\n" for one in records))
    for command in ("run", "check"):
        done = run(tmp_path, command, "p.lars", "--input", name, status=1)
        assert not steers(done.stderr.replace("\t", "")), command
        assert not steers(done.stdout.replace("\t", "")) or command == "run"
        assert not any(line.startswith(".jsonl") for line in (done.stderr + done.stdout).split("\n"))
        assert "\\u202e" in done.stderr + done.stdout and not (tmp_path / RAN).exists()
