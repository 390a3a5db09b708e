"""The first time of an input, where it decides when tick 0 begins; see `LateMoments`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from lars2asp.analysis.tick_moments import LARGEST_TICK, moments_of
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.arrow import frames
from lars2asp.runtime.sources.clocked_input import clock_of, judged, with_clock
from lars2asp.runtime.sources.fine_ticks import NO_MOMENT, moment_of
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.record_numbers import RecordCount
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.text.folder_files import is_folder
from lars2asp.runtime.sources.times.timeline import TimesMet
from lars2asp.syntax.sheet_addresses import path_in


def find_first_time(
    reading: Reading,
    names: Iterable[str],
    lateness: int,
    start: int | None = None,
    first: Iterable[int] = (),
) -> None:
    """The first record of files and folders decides the origin, if none is known.

    What can be read only once is left to who reads it.

    Args:
        reading: how they are read.
        names: the inputs.
        lateness: in ticks, by how much records may come late.
        start: a moment at which the timeline is to start, in microseconds since the Unix epoch.
        first: those of first records that are known.

    Raises InputError where a file cannot be read.
    """
    late = reading.timeline.late
    if late is None or late.is_known:
        return
    late.wait_for(lateness)
    found = [*first] if start is None else [*first, start + late.reach]
    if files := [name for name in names if _can_be_read_again(name)]:
        with open_inputs(files, scanning(reading), _pass_by, counted=RecordCount(), is_quiet=True) as source:
            found += first_moment(source.records(), lateness)
    if found:
        late.begin_with(min(found))


def find_first_row(reading: Reading, frame: object, lateness: int) -> None:
    """The same of the rows of a frame, if it can be read again."""
    late = reading.timeline.late
    if late is None or late.is_known:
        return
    late.wait_for(lateness)
    if frames.rows_in(frame) is not None:
        how = with_clock(scanning(reading))
        records = frames.read_frame(frame, how, _pass_by, Account())
        blocks = judged(([one] for one in records), clock_of(how, _pass_by, has_usual=True))
        for moment in first_moment((record for block in blocks for record in block), lateness):
            late.begin_with(moment)


def scanning(reading: Reading) -> Reading:
    """The same, whose ticks count from 1970 and have their moments."""
    timeline = reading.timeline
    moments = moments_of(timeline.tick_length or 1, zone=timeline.zone)
    timeline = replace(timeline, ticks_by=moments, is_fine=True, met=TimesMet())
    return replace(reading, timeline=timeline, counted=RecordCount())


def first_moment(records: Iterator[Record], lateness: int) -> Sequence[int]:
    """That of the first record, or the least if all records are waited for; none where it has none."""
    some = records if lateness >= LARGEST_TICK else islice(records, 1)
    found = [at for one in some if (at := moment_of(one.tick)) != NO_MOMENT]
    return [min(found)] if found else []


def _can_be_read_again(name: str) -> bool:
    path = Path(path_in(name))
    return path.is_file() or is_folder(str(path))


def _pass_by(_: Rejected) -> None:
    """The record is rejected when it is read."""
