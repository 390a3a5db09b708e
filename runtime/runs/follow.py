"""Live sources in Python: answers go to a function of the user's, or to whoever asks for them."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.feeds.addresses import feed_of
from lars2asp.runtime.feeds.clock import Clock, MachineClock
from lars2asp.runtime.feeds.feed import POLL_SECONDS, Feed
from lars2asp.runtime.feeds.inbox import ArrivedLine, LineInbox
from lars2asp.runtime.feeds.text_feed import TextFeed
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.wall_time import WallTimeRun
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import LARGEST_RECORD, OnReject
from lars2asp.runtime.sources.text.byte_streams import plain_name
from lars2asp.runtime.sources.text.text_files import STANDARD, open_bytes

if TYPE_CHECKING:
    from lars2asp.runtime.runs.served_follow import FollowedPage


END_SECONDS = 1.0
"""How long a feed that is asked to end is waited for; what reads a pipe may end with its next line only."""


def follow(
    session: Session,
    source: str | Path | Feed,
    on_answer: Callable[[Answer], None],
    *,
    by_clock: bool,
    reading: Reading,
    lateness: int | None,
    every: int | None,
    until: int | None,
    on_reject: OnReject,
    clock: Clock | None,
    stop: Event | None,
    serve: int | str | None,
    serve_token: str | None,
) -> None:
    """Runs on a live source and calls a function with each answer; see `Reasoner.follow`."""
    clock = clock or MachineClock()
    if isinstance(source, str | Path):
        how, encoding = reading.largest_record, reading.dialect.encoding
        feed = feed_at(source, is_followed=True, largest_record=how, encoding=encoding)
        reading = replace(reading, format=reading.format_of(str(source)))
    else:
        feed = source
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
                served_follow.FollowedPage(session, feed.name, reading.timeline, serve, serve_token)
            )
            on_reject = page.also_refuses(on_reject)
        run: WallTimeRun | DataTimeRun
        parts, is_one_text = (session, every, write, on_reject), isinstance(feed, TextFeed)
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
            run.over(inbox, until)
        else:
            reader = LiveReader(reading, on_reject, is_one_text=is_one_text)
            run.over_batches(reader.over(inbox.lines()), until)
    if asked.is_set():
        inbox.wait_for_end(END_SECONDS)


class _StoppedError(Exception):
    """The run is asked to end."""


class _StoppableInbox(LineInbox):
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
