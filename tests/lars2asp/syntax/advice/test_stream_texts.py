"""Streams where a program is expected, and lines of other systems' logs in the input."""

import pytest

from lars2asp.syntax.advice.stream_texts import log_format, stream_advice


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("2026-01-01T00:00:03 p(1); q;", "idlvsr"),
        ("2026-01-01 00:00:03 p(1);", "idlvsr"),
        ("2026-01-01T00:00:03 on(m);+", "dsr"),
        ("2026-01-01T00:00:09 on(m);-", "dsr"),
        ("17 p(a,b); -q;", "idlvsr"),
        ("3: p(1), q", None),
        ('{"time": 3}', None),
        ("a :- b.", None),
    ],
)
def test_lines_of_other_logs_are_known(line: str, form: str | None) -> None:
    assert log_format(line) == form


@pytest.mark.parametrize(
    "line",
    ["1 { a; b } 2.", "{ a } :- b.", "{a;b}.", "1 < X :- p(X).", "1..3 = X :- p(X).", "1"],
)
def test_programs_are_no_streams(line: str) -> None:
    assert stream_advice(line) is None
