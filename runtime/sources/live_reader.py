"""From the lines of a live source to records."""

from collections.abc import Sequence

from lars2asp.runtime.sources.lines import line_records
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, OnReject, Origin, Record, TruncatedRecord


class LiveReader:
    """Reads the lines of a live source, as they come.

    Args:
        reading: how they are read.
        on_reject: takes records that are not valid.

    Raises:
        InputError: for formats that are not read live.
    """

    def __init__(self, reading: Reading, on_reject: OnReject) -> None:
        self._read, self._comment = reading.line_reader(reading.format or Format.JSONL, is_live=True)
        self._largest_record = reading.largest_record
        self._on_reject = on_reject

    def records(self, line: Line) -> Sequence[Record]:
        """The records that a line makes; none where it is rejected."""
        text = line.text
        if line.length is not None or len(text) > self._largest_record:
            text = TruncatedRecord.cut(text, line.length or len(text.encode(errors="surrogateescape")))
        origin = Origin(line.source, line.number, str(text))
        return line_records(text, origin, self._read, self._on_reject, comment=self._comment)
