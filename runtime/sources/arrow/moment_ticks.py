"""From columns of moments to ticks, many at once."""

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.runtime.sources.times.timeline import Timeline

QUARTER = 15 * 60 * 1_000_000
"""In microseconds: within such a part of the day a zone mostly has one offset, and one date."""


def moment_ticks(moments: pa.Array, timeline: Timeline, latest: int) -> pa.Array | None:
    """The ticks of moments, which are microseconds since the Unix epoch; null where these are.

    None where one lies off the timeline, or ticks change within a quarter of an hour. Raises ArrowInvalid for
    numbers of more than 64 bits.
    """
    if (late := timeline.late) is not None and not late.is_known:
        late.begin_with(moments.drop_null()[0].as_py() if moments.null_count < len(moments) else 0)
    ends = pc.min_max(moments).as_py()
    first, last = ends["min"], ends["max"]
    if first is None:
        return moments
    if not timeline.begin_of(timeline.first_tick) <= first <= last < timeline.begin_of(latest + 1):
        return None
    shift = timeline.moments.shift_between(first, last)
    shifts: int | pa.Array
    if shift is not None:
        shifts = shift
    else:
        parts = pc.divide(moments, QUARTER).dictionary_encode()
        found = [
            0 if part is None else timeline.moments.shift_between(part * QUARTER, (part + 1) * QUARTER - 1)
            for part in parts.dictionary.to_pylist()
        ]
        if None in found:
            return None
        shifts = pa.array(found, pa.int64()).take(parts.indices)
    return pc.divide(pc.add_checked(moments, shifts), timeline.tick_length)
