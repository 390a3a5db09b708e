"""A JSON array of arrays: the first array names the fields of the others."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp import Reading
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import lines, run

READING = Reading(declarations=[parse_input_declaration("r(text(s), v*100) at ts")], timeline=Timeline())
NAMES = ["s", "ts", "more", "v"]
FORMS = ("line", "short", "long", "spread")


def told(records: list[Record]) -> list[tuple[int, tuple[object, ...]]]:
    return [(one.tick, row) for one in records for atoms in one.events.facts for row in atoms.rows]


def written(rows: list[list[Any]], form: str) -> str:
    texts = [json.dumps(one) for one in [NAMES, *rows]]
    match form:
        case "line":
            return f"[{','.join(texts)}]\n"
        case "short":
            return "[\n" + ",\n".join(texts) + "\n]\n"
        case "long":
            return "[" + ",\n".join(texts) + "]"
        case _:
            return json.dumps([NAMES, *rows], indent=2)


ROWS = st.lists(
    st.tuples(
        st.text(max_size=6), st.none() | st.lists(st.integers(), max_size=2), st.integers(-(2**40), 2**40)
    ),
    max_size=6,
)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
def test_rows_are_the_objects_with_these_names(
    tmp_path: Path, form: str, rows: list[tuple[Any, ...]]
) -> None:
    rows = [(text.replace("\0", ""), more, value) for text, more, value in rows]
    path = tmp_path / "a.json"
    listed = [[text, tick, more, value / 4] for tick, (text, more, value) in enumerate(rows)]
    path.write_text(written(listed, form), encoding="utf-8")
    expected = [(tick, (text, value * 25)) for tick, (text, _, value) in enumerate(rows)]
    rejected: list[Rejected] = []
    assert told([*read_file(path, READING, rejected.append)]) == expected
    assert not rejected


@pytest.mark.parametrize("form", FORMS)
def test_rows_with_other_numbers_of_values_are_rejected(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        written([["a", 1, None, 2], ["b", 2, None], ["c", 3, None, 4, 5], ["d", 4, None, 6]], form)
    )
    rejected: list[Rejected] = []
    found = told([*read_file(path, READING, rejected.append)])
    assert found == [(1, ("a", 200)), (4, ("d", 600))]
    assert form != "line" or len(rejected) == 2
    assert rejected


def test_long_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(written([[f"room {n}", n, None, n] for n in range(20_000)], "line").strip())
    rejected: list[Rejected] = []
    found = told([*read_file(path, READING, rejected.append)])
    assert found == [(n, (f"room {n}", 100 * n)) for n in range(20_000)]
    assert not rejected


def test_check_proposes_and_run_reads(tmp_path: Path) -> None:
    rows = [["hall", f"2026-02-01T14:{n:02}:00Z", None, n] for n in range(20)]
    for form in ("line", "spread"):
        (tmp_path / "a.json").write_text(written(rows, form))
        proposed = run(tmp_path, "check", "--input", "a.json").stdout
        assert "#input reading(s, v) at ts." in proposed
        (tmp_path / "p.lars").write_text(f"{proposed}h(V) :- reading(_,V), V > 18.\n#show h/1.\n")
        found = lines(run(tmp_path, "run", "p.lars", "--input", "a.json").stdout)
        assert found[-1]["atoms"] == ["h(19)"]
