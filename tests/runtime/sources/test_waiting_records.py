"""Records that wait where a run is asked to end are known: they are drained, or counted."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lars2asp.runtime.sources.files import input_at
from lars2asp.runtime.sources.merged_input import merged
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.recorded_input import PassedInput, RecordedInput
from lars2asp.runtime.sources.records import refuse
from lars2asp.runtime.sources.times.timeline import Timeline

HOUR = 3600


def written(path: Path, *seconds: int) -> RecordedInput:
    """An input with a record at each of these seconds."""
    lines = [
        json.dumps({"time": f"2026-01-01T{at // HOUR:02}:00:{at % HOUR:02}Z", "facts": ["p"]})
        for at in seconds
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
    return input_at(str(path), Reading(timeline=Timeline(1_000_000)), refuse)


@pytest.mark.parametrize(
    "opened",
    [
        lambda folder: written(folder / "a.jsonl", *range(9), 3 * HOUR),
        lambda folder: PassedInput(written(folder / "a.jsonl", *range(9), 3 * HOUR), iter),
        lambda folder: merged(
            [written(folder / "a.jsonl", *range(9), 3 * HOUR), written(folder / "b.jsonl", 2)]
        ),
        lambda folder: (
            written(folder / "day" / "a.jsonl", *range(9), 3 * HOUR),
            input_at(str(folder / "day"), Reading(timeline=Timeline(1_000_000)), refuse),
        )[1],
    ],
    ids=["file", "passed", "merged", "folder"],
)
def test_a_record_that_waits_for_others_is_known(
    tmp_path: Path, opened: Callable[[Path], RecordedInput]
) -> None:
    with opened(tmp_path) as source:
        source.open()
        first = next(source.records())
        waiting = [record.tick - first.tick for record in source.waiting()]
    assert waiting[-1] == 3 * HOUR
