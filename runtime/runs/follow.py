"""Live sources in Python: answers go to a function of the user's."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.feeds.addresses import feed_of
from lars2asp.runtime.feeds.clock import Clock, MachineClock
from lars2asp.runtime.feeds.feed import Feed
from lars2asp.runtime.feeds.inbox import Inbox
from lars2asp.runtime.feeds.text_feed import TextFeed
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.wall_time import WallTimeRun
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import LARGEST_RECORD, OnReject, refuse
from lars2asp.runtime.sources.text_files import STANDARD, open_bytes
from lars2asp.runtime.sources.timeline import Timeline


def follow(
    reasoner: Reasoner,
    source: str | Path | Feed,
    on_answer: Callable[[Answer], None],
    *,
    by_clock: bool = False,
    reading: Reading | None = None,
    lateness: int | None = None,
    every: int | None = None,
    until: int | None = None,
    on_reject: OnReject = refuse,
    clock: Clock | None = None,
) -> None:
    """Runs on a live source and calls a function with each answer, until the source ends.

    Lines are read in another thread; all else happens in the thread of the caller. What the function raises
    ends the run.

    Args:
        reasoner: the reasoner, not used yet. By the clock the timeline begins now, if it has no start.
        source: an address such as `host:`, `tcp:9000`, `mqtt://broker/topic`, a file that grows, `-` for
            standard input, or a feed.
        on_answer: takes answers when they change, each with its changes since the one before.
        by_clock: whether ticks pass by the machine's clock, in place of the times of the records.
        reading: how lines are read; by default JSON lines with the program's length of a tick.
        lateness: for how many ticks late records are waited for; by default as many as the program declares.
        every: answers are given at the ticks that it divides, in place of when they change.
        until: the last tick.
        on_reject: takes rejected records; by default the first one ends the run.
        clock: the clock, which gives the times of arrival.

    Raises:
        InputError: if the source cannot be read, or from `on_reject`.
        EvaluationError: if clingo refuses the program.
    """
    plan = reasoner.plan
    reading = reading or Reading(timeline=Timeline(plan.tick_length, zone=plan.zone))
    clock = clock or MachineClock()
    lateness = plan.lateness or 0 if lateness is None else lateness
    if isinstance(source, str | Path):
        feed = feed_at(source, is_followed=True, largest_record=reading.largest_record)
    else:
        feed = source
    with Inbox(feed, clock) as inbox:
        if by_clock:
            WallTimeRun(
                reasoner.session, every, on_answer, on_reject, reading=reading, clock=clock, lateness=lateness
            ).over(inbox, until)
            return
        read = (reading.record(line, on_reject) for line in inbox.lines())
        records = (record for record in read if record is not None)
        DataTimeRun(reasoner.session, every, on_answer, on_reject, lateness=lateness).over(records, until)


def feed_at(address: str | Path, *, is_followed: bool, largest_record: int = LARGEST_RECORD) -> Feed:
    """The feed at an address, or of the lines of a file. Raises InputError.

    Args:
        address: the address, the name of the file, or `-` for standard input.
        is_followed: whether a file is read on behind its end.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
    """
    feed = feed_of(str(address), largest_record)
    if feed is not None:
        return feed
    if str(address) != STANDARD and Path(address).is_dir():
        raise InputError(f"{address}: a folder is read in data time, and not followed")
    name = "<stdin>" if str(address) == STANDARD else str(address)
    opened = partial(open_bytes, str(address))
    return TextFeed(name, opened, is_followed=is_followed, largest_record=largest_record)
