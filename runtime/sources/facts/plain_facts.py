"""The format `facts`: a time, a colon and atoms on each line, as in `3: p(a,1), q`."""

import re

from lars2asp.externals.events import Events
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.advice.stream_texts import log_format

COMMENT = "%"
"""Lines that begin so are passed over."""

_TIME = r"-?[0-9]+(?=\s*:)|\S+?(?: [0-9]{1,2}:[0-9:.+Z-]*)?(?=\s*:(?:\s|$))"
_LINE = re.compile(rf"\s*({_TIME})\s*:(.*)", re.DOTALL)


def facts_record(line: str, origin: Origin, timeline: Timeline, facts: FactReader = PLAIN) -> Record:
    """The record of a line. Where the timeline stamps records on arrival, the time may be left out.

    Raises InputError.
    """
    match = _LINE.fullmatch(line)
    if match is None and timeline.arrival is None:
        log = log_format(line)
        if log is None:
            raise InputError("write each line as a time, a colon and atoms, such as 3: p(a,1), q")
        raise InputError(f"this is a line of another system's log: add --input-format {log}")
    tick = timeline.arrived() if match is None else timeline.tick_of_text(match[1])
    atoms = (line if match is None else match[2]).strip().removesuffix(".")
    return Record(tick, Events(facts.parse_list(atoms)), origin)


def is_facts_line(line: str) -> bool:
    """Whether a line begins with a time and a colon."""
    return _LINE.fullmatch(line) is not None
