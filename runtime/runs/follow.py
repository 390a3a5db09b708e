"""Live sources in Python: answers go to a function of the user's, or to whoever asks for them."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, TypedDict

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.feeds.addresses import feed_of
from lars2asp.runtime.feeds.clock import Clock, MachineClock
from lars2asp.runtime.feeds.feed import POLL_SECONDS, Feed
from lars2asp.runtime.feeds.inbox import ArrivedLine, Inbox
from lars2asp.runtime.feeds.text_feed import TextFeed
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.wall_time import WallTimeRun
from lars2asp.runtime.sources.facts.stream_items import Time
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import LARGEST_RECORD, OnReject, refuse
from lars2asp.runtime.sources.text.byte_streams import plain_name
from lars2asp.runtime.sources.text.text_files import STANDARD, open_bytes

if TYPE_CHECKING:
    from lars2asp.runtime.reasoner import Reasoner
    from lars2asp.runtime.runs.served_follow import FollowedPage


END_SECONDS = 1.0
"""How long a feed that is asked to end is waited for; what reads a pipe may end with its next line only."""


class FollowOptions(TypedDict, total=False):
    """How a live source is followed; see `follow`."""

    by_clock: bool
    reading: Reading | None
    lateness: int
    every: int | None
    until: Time | None
    on_reject: OnReject
    clock: Clock | None
    serve: int | str | None
    serve_token: str | None


def follow(
    reasoner: "Reasoner",
    source: str | Path | Feed,
    on_answer: Callable[[Answer], None],
    *,
    by_clock: bool = False,
    reading: Reading | None = None,
    lateness: int | None = None,
    every: int | None = None,
    until: Time | None = None,
    on_reject: OnReject = refuse,
    clock: Clock | None = None,
    stop: Event | None = None,
    serve: int | str | None = None,
    serve_token: str | None = None,
) -> None:
    """Runs on a live source and calls a function with each answer, until the source ends, or `stop` is set.

    Lines are read in another thread; all else happens in the thread of the caller. What the function raises
    ends the run. An end that is asked for is that of an interruption: the ticks that are over were answered,
    and records of the tick that is not are forgotten.

    Args:
        reasoner: the reasoner, not used yet. By the clock the timeline begins now, if it has no start.
        source: an address such as `host:`, `tcp:9000`, `mqtt://broker/topic`, a file that grows, `-` for
            standard input, or a feed.
        on_answer: takes answers when they change, each with its changes since the one before.
        by_clock: whether ticks pass by the machine's clock, in place of the times of the records.
        reading: how lines are read; by default JSON lines, or CSV of a file that is named so, with the
            program's length of a tick, `#input` and decimals.
        lateness: for how many ticks late records are waited for; by default as many as the program declares,
            or none; by the clock one, where records have times of their own.
        every: answers are given at the ticks that it divides, in place of when they change.
        until: the last tick, or a moment in it.
        on_reject: takes rejected records; by default the first one ends the run.
        clock: the clock, which gives the times of arrival.
        stop: ends the run when it is set, by another thread or a signal's handler.
        serve: a port, or `HOST:PORT`, at which a live page of the run is served as long as it goes on; it
            explains as far back as the reasoner's `explain_from` says.
        serve_token: the token that the page asks browsers for; needed where others than this machine can
            reach it.

    Raises:
        InputError: if the source cannot be read, from `on_reject`, and if the page cannot be served.
        EvaluationError: if clingo refuses the program.
    """
    plan = reasoner.plan
    reading = reading or reasoner.reading
    clock = clock or MachineClock()
    lateness = plan.lateness if lateness is None else lateness
    if isinstance(source, str | Path):
        how, encoding = reading.largest_record, reading.dialect.encoding
        feed = feed_at(source, is_followed=True, largest_record=how, encoding=encoding)
        reading = replace(reading, format=reading.format_of(str(source)))
    else:
        feed = source
    last = None if until is None else reasoner.session.timeline.tick_of(until)
    asked = Event() if stop is None else stop
    page: FollowedPage | None = None

    def write(answer: Answer) -> None:
        if page is not None:
            page.take(answer)
        on_answer(answer)
        if asked.is_set():
            raise _StoppedError

    with ExitStack() as stack:
        if serve is not None:
            from lars2asp.runtime.runs import served_follow  # noqa: PLC0415 - few ask for a page

            page = stack.enter_context(
                served_follow.FollowedPage(reasoner, feed.name, reading.timeline, serve, serve_token)
            )
            on_reject = page.also_refuses(on_reject)
        run: WallTimeRun | DataTimeRun
        parts, is_one_text = (reasoner.session, every, write, on_reject), isinstance(feed, TextFeed)
        inbox = _StoppableInbox(feed, clock, asked)
        stack.enter_context(inbox)
        stack.enter_context(suppress(_StoppedError))
        if by_clock:
            words = LatenessWords(reading.timeline, is_in_python=True)
            run = WallTimeRun(
                *parts,
                reading=reading,
                clock=clock,
                lateness=lateness,
                words=words,
                is_one_text=is_one_text,
            )
        else:
            run = DataTimeRun(*parts, lateness=lateness)
        if page is not None:
            inbox.check = run.stop.check
            stack.enter_context(page.of(run))
        if isinstance(run, WallTimeRun):
            run.over(inbox, last)
        else:
            reader = LiveReader(reading, on_reject, is_one_text=is_one_text)
            run.over_batches(reader.over(inbox.lines()), last)
    if asked.is_set():
        inbox.wait_for_end(END_SECONDS)


class _StoppedError(Exception):
    """The run is asked to end."""


class _StoppableInbox(Inbox):
    """An inbox that gives lines until the run is asked to end."""

    def __init__(self, feed: Feed, clock: Clock, asked: Event) -> None:
        super().__init__(feed, clock)
        self._asked = asked
        self.check: Callable[[], None] | None = None
        """Called now and then while lines are waited for."""

    def take(self, until: int | None) -> ArrivedLine | None:
        """The next line; see Inbox. Raises _StoppedError."""
        while not self._asked.is_set():
            if self.check is not None:
                self.check()
            soon = self._clock.microseconds() + int(POLL_SECONDS * 1e6)
            is_last = until is not None and until <= soon
            arrived = super().take(until if is_last else soon)
            if arrived is not None or is_last:
                return arrived
        raise _StoppedError


def feed_at(
    address: str | Path,
    *,
    is_followed: bool,
    largest_record: int = LARGEST_RECORD,
    encoding: str | None = None,
) -> Feed:
    """The feed at an address, or of the lines of a file. Raises InputError.

    Args:
        address: the address, the name of the file, or `-` for standard input.
        is_followed: whether a file is read on behind its end.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
    """
    feed = feed_of(str(address), largest_record, encoding=encoding)
    if feed is not None:
        return feed
    if str(address) != STANDARD and Path(address).is_dir():
        raise InputError(f"{address}: a folder is read in data time, and not followed")
    if plain_name(str(address)) != str(address):
        raise InputError(
            f"{address}: a packed file is not read live: unpack it, and give its lines to --input -"
        )
    name = "<stdin>" if str(address) == STANDARD else str(address)
    opened = partial(open_bytes, str(address))
    return TextFeed(name, opened, is_followed=is_followed, largest_record=largest_record, encoding=encoding)
