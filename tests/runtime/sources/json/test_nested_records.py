"""`records each a.b`: the path leads through lists."""

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lars2asp import Reading
from lars2asp.runtime.sources.records import PassedOver, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration

READING = Reading(
    timeline=Timeline(1_000_000),
    declarations=[parse_input_declaration("said(text(body)) at t records each logs.scopes.records")],
)

RECORD = st.fixed_dictionaries({"t": st.integers(0, 99), "body": st.sampled_from(["a", "b]", '"{'])})
RECORDS = st.one_of(st.lists(RECORD, max_size=3), RECORD, st.none())
SCOPE = st.fixed_dictionaries({"records": RECORDS}) | st.fixed_dictionaries(
    {"other": st.lists(RECORD, max_size=1)}
)
SCOPES = st.one_of(st.lists(SCOPE, max_size=3), SCOPE)
LOGS = st.lists(st.fixed_dictionaries({"scopes": SCOPES}), max_size=3) | st.fixed_dictionaries(
    {"scopes": SCOPES}
)


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def expected(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The records, by plain Python."""
    for log in listed(found["logs"]):
        for scope in listed(log["scopes"]):
            records = scope.get("records")
            yield from [] if records is None else listed(records)


@given(LOGS)
def test_records_of_all_inner_lists(logs: Any) -> None:
    found = {"logs": logs}
    rejected: list[Rejected] = []
    line = json.dumps(found)
    records = [*READING.records([f"{line}\n"], "x", rejected.append)]
    assert all(isinstance(one, PassedOver) for one in rejected)
    told = [(one.tick, row) for one in records for atoms in one.events.facts for row in atoms.rows]
    assert told == [(one["t"], (one["body"],)) for one in expected(found)]
    written = [json.loads(one.origin.text) for one in records if one.origin and one.events.facts]
    assert written == [*expected(found)]


def test_a_record_that_is_not_valid_is_named() -> None:
    records = [{"t": 1, "body": "a"}, {"t": "x", "body": "b"}]
    line = json.dumps({"logs": [{"scopes": [{"records": records[:1]}, {"records": records[1:]}]}]})
    rejected: list[Rejected] = []
    assert len([*READING.records([f"{line}\n"], "x", rejected.append)]) == 1
    [one] = rejected
    assert one.reason.startswith("record 2 of logs.scopes.records: ")
    assert one.origin.text == '{"t": "x", "body": "b"}'
