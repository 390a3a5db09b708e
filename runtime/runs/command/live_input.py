"""What a run over live input says at once: what it waits for, and which options there are for that."""

from dataclasses import replace

from lars2asp.runtime.connectors.feed import Feed
from lars2asp.runtime.runs.command.run_settings import RunSettings
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, PassedOver, Rejected
from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import shown

_OWN = frozenset({"record", "row", "file", "fixed"})
"""The conversions of arguments that are not in the record."""

MOST_SHOWN = 200
"""The number of characters of a list of columns."""


def live_notice(settings: RunSettings, name: str, *, is_terminal: bool) -> str | None:
    """What is said before anything is read; None where there is nothing to say.

    Args:
        settings: those of the run.
        name: that of the source, with the port if it listens at one.
        is_terminal: whether it is standard input, and that a terminal.
    """
    if len(settings.inputs) > 1:
        if settings.is_by_clock:
            return f"{name}: merged by arrival; this machine's clock decides the ticks"
        merged = f"{name}: merged by the times of the records; a tick ends when all inputs are past it"
        cure = "" if any(settings.idles) else " (to ignore a silent input, add --idle-timeout '1 min')"
        return f"{merged}{cure}"
    if (settings.input == STANDARD and not is_terminal) or name.startswith("host:"):
        return None
    lines = _lines(settings.live_reading, settings.is_by_clock)
    if settings.is_by_clock:
        ticks = "this machine's clock decides the ticks"
    else:
        ticks = "times of records decide the ticks (for this machine's clock add --clock wall)"
    if is_terminal:
        return (
            f"waiting for {lines} from this terminal (end with Ctrl-D); {ticks}. To read a file, use "
            "--input FILE"
        )
    waits = "listens" if name.startswith(("tcp:", "http:", "https:")) else "waits"
    return f"{name}: {waits} for {lines}; {ticks}"


def judge_posts(feed: Feed, settings: RunSettings, number: int) -> None:
    """A feed of posts is to say which lines are rejected.

    Args:
        feed: any feed.
        settings: those of the run.
        number: that of the input.
    """
    if not feed.name.startswith(("http:", "https:")):
        return
    from lars2asp.runtime.connectors.http import HttpFeed, Judged  # noqa: PLC0415 - few need it

    if not isinstance(feed, HttpFeed):
        return
    reading = settings.live_reading_of(settings.inputs[number])
    if settings.is_by_clock:
        reading = replace(reading, timeline=replace(reading.timeline, arrival=lambda: 0))
    rejected: list[Rejected] = []
    begins = reading.begins
    reader = LiveReader(replace(reading, is_multiline=False), rejected.append, is_quiet=True)

    def judge(line: Line) -> Judged:
        if begins is not None and not begins(line.text):
            return Judged(True, ())
        rejected.clear()
        has_records = bool(reader.records(line))
        reasons = tuple(one.reason for one in rejected if not isinstance(one, PassedOver))
        return Judged(has_records or not reasons, reasons)

    feed.judge = judge


def _fields(declaration: Input, is_by_clock: bool) -> list[str]:
    """The fields that records need. lars2asp adds numbers and names itself, and by the clock the time."""
    fields = [one.name for one in declaration.columns if one.conversion not in _OWN]
    times = declaration.all_times
    return fields if is_by_clock and times == ("time",) else [*fields, *times]


def _lines(reading: Reading, is_by_clock: bool) -> str:
    """What lines are waited for, and what others need."""
    if reading.unnamed is Format.LOG and not (reading.format is None and reading.of_fields):
        return "lines of text"
    if reading.format is not None and reading.format.is_rdf:
        return (
            f"lines of {reading.format}, each node with a property for its time, or a time and a colon in "
            "front"
        )
    columns = [name for one in reading.of_fields for name in _fields(one, is_by_clock)]
    named = shown(", ".join(dict.fromkeys(columns)), MOST_SHOWN)
    match reading.unnamed:
        case Format.IDLVSR:
            return "lines of I-DLV-sr such as 2026-01-31T10:00:00 a; b(1);"
        case Format.DSR:
            return "lines of Distributed-SR such as 2026-01-31T10:00:00 a;+ b(1);-"
        case Format.CSV:
            return f"rows of CSV after a header line with {named}"
        case Format.FACTS:
            return "plain facts such as 3: p(a)"
        case Format.ANSWERS:
            return "answers as JSON lines (--changes)"
    if named:
        text = "lines of text, " if reading.unnamed is Format.LOG else ""
        rows = "" if reading.format is not None else ", or rows of CSV after a header line with them"
        return f"{text}JSON lines with {named}{rows} (for plain facts add --input-format facts)"
    return 'JSON lines such as {"time": 3, "facts": ["p(a)"]} (for plain facts add --input-format facts)'
