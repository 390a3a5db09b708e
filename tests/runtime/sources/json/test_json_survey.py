"""The survey of JSON records reads short ones once, and long ones again."""

from collections.abc import Iterator

import pytest

from lars2asp.runtime.sources.json import json_survey
from lars2asp.runtime.sources.json.json_survey import json_rows


@pytest.mark.parametrize(("most", "times"), [(10**6, 1), (100, 2)])
def test_short_records_are_read_once(monkeypatch: pytest.MonkeyPatch, most: int, times: int) -> None:
    monkeypatch.setattr(json_survey, "MOST_KEPT", most)
    asked: list[int] = []

    def lines() -> Iterator[str]:
        asked.append(1)
        return (f'{{"ts": {n}, "x": {n}}}\n' for n in range(30))

    found = json_rows(lines, "t.jsonl", 20)
    assert [*found.rows] == [[str(n), str(n)] for n in range(20)]
    assert not found.is_whole
    assert len(asked) == times
