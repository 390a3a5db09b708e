"""Files that are one JSON document over many lines, or one array of records."""

import io
import json
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.runtime.sources.files import FileInput, read_file
from lars2asp.runtime.sources.json.json_documents import as_record_lines, is_document
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Rejected, refuse
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.records import in_short
from tests.support.tables import packed

READING = Reading(timeline=Timeline(1_000_000), declarations=[parse_input_declaration("p(k.v) at ts")])
RECORDS = [{"ts": tick, "k": {"v": f"a{tick}"}} for tick in range(500)]
FACTS = [f'{tick}: p("a{tick}")' for tick in range(500)]


class Pieces(io.RawIOBase):
    """A stream that gives some bytes at a time."""

    def __init__(self, data: bytes, seed: int) -> None:
        self._data, self._choose = io.BytesIO(data), Random(seed)

    def read(self, size: int = -1, /) -> bytes:
        return self._data.read(self._choose.randrange(1, 9))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(['x"y', "[{,", "\\", 'é\\"', "}", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(['a"', "b\\", "{"]), inner),
    max_leaves=8,
)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.fixed_dictionaries({"k": VALUES}), min_size=1), st.integers(0, 5), st.integers())
def test_each_record_is_a_line(records: list[Any], form: int, seed: int) -> None:
    text = [
        json.dumps(records, indent=1),
        "\n".join(json.dumps(one, indent=4) for one in records),
        "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in records) + "\n]\n",
        "\ufeff" + json.dumps(records, indent=2).replace("\n", "\r\n"),
        "".join(map(json.dumps, [*records, {}])),
        "".join(f"\x1e{json.dumps(one)}\n" for one in records),
    ][form]
    records = [*records, {}] if form == 4 else records
    lines = as_record_lines(Pieces(text.encode(), seed), "x")
    data = b""
    while piece := lines.read(7):
        data += piece
    assert [*map(orjson.loads, data.splitlines())] == records
    assert is_document(text.encode(), is_whole=True)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1}\n{"b":2}\n',
        '{"ts": 1, "o": \n{"ts": 2}\n{"ts": 3}\n',
        '[{"a":1}]\n[{"b":1}]\n',
        '[1, 2\n{"a":1}\n',
        '[{"a":1},{"a":2}]',
        '{"a":1}}\n{"b":2}\n',
        '{"a":1} x\n{"b":2}\n',
        "{\n",
        "3: p\n",
        "",
    ],
)
def test_lines_are_lines(text: str) -> None:
    """So are those of which the first is broken."""
    assert not is_document(text.encode(), is_whole=True)


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("indent", [2, None])
def test_a_file_is_read_record_by_record_and_from_the_middle(
    tmp_path: Path, indent: int | None, ending: str
) -> None:
    path = tmp_path / f"x.json{ending}"
    text = json.dumps(RECORDS, indent=indent) if indent else json.dumps(RECORDS).replace("}}, ", "}},\n")
    path.write_bytes(packed(text.encode(), ending))
    assert in_short([*read_file(path, READING)]) == FACTS
    with FileInput(str(path), READING, refuse) as first:
        records = first.records()
        begun = in_short([next(records) for _ in range(123)])
        state = json.loads(json.dumps(first.state()))
    with FileInput(str(path), READING, refuse) as again:
        again.restore(state)
        assert begun + in_short([*again.records()]) == FACTS


def test_what_is_broken_in_a_document_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    text = json.dumps(RECORDS[:4], indent=1).replace('"a1"', "a1").replace('{\n  "ts": 3', '7, {\n  "ts": 3')
    path.write_text(text[: text.rindex("}\n }")])
    told = list[Rejected]()
    assert in_short([*read_file(path, READING, told.append)]) == [FACTS[0], FACTS[2]]
    assert [(one.origin.line, one.reason[:30]) for one in told] == [
        (2, "broken JSON: Expecting value a"),
        (4, "a record is an object such as "),
        (5, "broken JSON: Expecting ',' del"),
    ]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ('{"ts":\n1,"k":{"v":"a1"}}}\n{"ts":2,"k":{"v":"a2"}}\n', "}"),
        ('[{"ts":1,"k":{"v":"a1"}},\n{"ts":2,"k":{"v":"a2"}}]]\n', "]"),
    ],
)
def test_a_sign_that_closes_nothing_is_rejected(tmp_path: Path, text: str, sign: str) -> None:
    """It was dropped without a word."""
    path = tmp_path / "x.json"
    path.write_text(text)
    rejected = list[Rejected]()
    assert in_short([*read_file(path, READING, rejected.append)]) == FACTS[1:3]
    assert [one.origin.text for one in rejected] == [sign]


def test_a_sign_behind_the_first_record_makes_no_document(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"ts":1,"k":{"v":"a1"}}}\n{"ts":2,"k":{"v":"a2"}}\n')
    rejected = list[Rejected]()
    assert in_short([*read_file(path, READING, rejected.append)]) == [FACTS[2]]
    assert [one.origin.line for one in rejected] == [1]
