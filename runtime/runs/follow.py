"""Live sources in Python: answers go to a function of the user's, or to whoever asks for them."""

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, TypeAlias

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.connectors.addresses import feed_of
from lars2asp.runtime.connectors.clock import Clock, MachineClock
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Feed, positioned, with_watermarks
from lars2asp.runtime.connectors.followed_file import FollowedFeed
from lars2asp.runtime.connectors.followed_folder import IDLE_SECONDS, FollowedFolder
from lars2asp.runtime.connectors.inbox import ArrivedLine, LineInbox
from lars2asp.runtime.connectors.merged_feed import MergedFeed
from lars2asp.runtime.connectors.text_feed import TextFeed
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.given_ticks import Every
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.live_inputs import LiveInputs
from lars2asp.runtime.runs.wall_time import WallTimeRun
from lars2asp.runtime.sources.input_settings import (
    follows,
    idle_of,
    reading_of_input,
    reject_choice,
    with_settings,
)
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.live_reader import LiveReader, LiveReaders, LiveSource, reader_of
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import LARGEST_RECORD, OnReject, input_of
from lars2asp.runtime.sources.reject_warnings import rejecting
from lars2asp.runtime.sources.text.byte_streams import plain_name
from lars2asp.runtime.sources.text.folder_files import is_folder
from lars2asp.runtime.sources.text.sheet_names import sheet_at
from lars2asp.runtime.sources.text.text_files import STANDARD, has_name_of_file, open_bytes
from lars2asp.runtime.sources.text.zip_files import is_zip
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from lars2asp.runtime.runs.served_follow import FollowedPage


STANDARD_NAME = "<stdin>"
"""What messages call standard input."""

END_SECONDS = 1.0
"""How long a feed that is asked to end is waited for; what reads a pipe may end with its next line only."""


FollowedSource: TypeAlias = str | Path | Feed
"""An address, the name of a file, `-` for standard input, or a feed."""

LiveSources: TypeAlias = FollowedSource | Sequence[FollowedSource]
"""One of these, or several."""


def follow(
    session: Session,
    source: LiveSources,
    on_answer: Callable[[Answer], None],
    *,
    by_clock: bool,
    reading: Reading,
    lateness: int | None,
    idle: int | None,
    every: Every,
    until: int | None,
    on_reject: OnReject,
    clock: Clock | None,
    stop: Event | None,
    serve: int | str | None,
    serve_token: str | None,
) -> None:
    """Runs on live sources and calls a function with each answer; see `Reasoner.run_live`."""
    clock = clock or MachineClock()
    given: list[Any] = [*source] if isinstance(source, list | tuple) else [source]
    if reading.largest_gap is None:
        reading = replace(reading, largest_gap=session.gaps.largest)
    if lateness is not None:
        reading = replace(reading, lateness=lateness)
    sources = _Sources.of(given, reading, idle, on_reject)
    on_reject = sources.on_reject
    if lateness is not None or any(sources.latenesses):
        lateness = max(sources.latenesses)
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
                served_follow.FollowedPage(session, sources.feed.name, reading.timeline, serve, serve_token)
            )
            on_reject = page.also_refuses(on_reject)
        run: WallTimeRun | DataTimeRun
        parts = session, every, write, session.accounts.judging(on_reject)
        inbox = _StoppableInbox(sources.feed, clock, asked, sources.paused)
        stack.enter_context(inbox)
        stack.enter_context(suppress(_StoppedError))
        if by_clock:
            words, reader_of = LatenessWords(reading.timeline, is_in_python=True), sources.reader
            run = WallTimeRun(
                *parts,
                reading=reading,
                clock=clock,
                lateness=lateness,
                words=words,
                reader_of=partial(reader_of, on_reject=on_reject),
            )
            over = partial(run.over, inbox)
            reader = run.reader
        else:
            session.gaps = session.gaps.left_to_inputs()
            reader = sources.reader(reading, on_reject, inbox.arrival)
            if isinstance(reader, LiveReaders):
                kinds = sources.of_connections, sources.followed, sources.latenesses
                inputs = LiveInputs(sources.names, reader, clock, sources.idles, *kinds)
                run = DataTimeRun(*parts, lateness=lateness, inputs=inputs.watermarks())
                over = partial(run.over_inputs, inputs.over(inbox))
            else:
                run = DataTimeRun(*parts, lateness=lateness)
                over = partial(run.over_batches, reader.over(inbox.lines()))
        session.accounts.add(zip(sources.names, reader.accounts, strict=True))
        if page is not None:
            inbox.check = run.stop.check
            stack.enter_context(page.of(run))
        over(until)
    if asked.is_set():
        inbox.wait_for_end(END_SECONDS)


@dataclass(frozen=True)
class _Sources:
    """Live sources of a run.

    Attributes:
        feeds: one for each.
        readings: how they are read.
        idles: in microseconds, for how long each may be silent until the run no longer waits for it.
        takes: what takes the bad records of each.
    """

    feeds: Sequence[Feed]
    readings: Sequence[Reading]
    idles: Sequence[int | None]
    takes: Sequence[OnReject]

    @classmethod
    def of(
        cls, sources: Sequence[FollowedSource], reading: Reading, idle: int | None, on_reject: OnReject
    ) -> "_Sources":
        """Those at addresses, or given. Raises InputError, and ValueError where there are none."""
        if not sources:
            raise ValueError("name at least one source")
        feeds: list[Feed] = []
        readings: list[Reading] = []
        idles: list[int | None] = []
        takes: list[OnReject] = []
        for source in sources:
            idles.append(idle)
            takes.append(on_reject)
            if not isinstance(source, str | Path):
                feeds.append(source)
                readings.append(reading)
                continue
            name, settings = with_settings(str(source))
            own = reading_of_input(replace(reading, own={name: settings}), name)
            readings.append(replace(own, format=own.said_format(name)))
            largest, encoding = own.largest_record, own.dialect.encoding
            of_input = {name: settings}
            takes[-1] = rejecting(reject_choice(of_input, name, on_reject), is_live=True)[0]
            idles[-1] = silence = idle_of(of_input, name, idle)
            is_followed = follows(of_input, name, True)
            feeds.append(
                feed_at(
                    name, is_followed=is_followed, largest_record=largest, encoding=encoding, idle=silence
                )
            )
        return cls(feeds, readings, idles, takes)

    @cached_property
    def feed(self) -> Feed:
        """The feed of all."""
        return self.feeds[0] if len(self.feeds) == 1 else MergedFeed(self.feeds)

    @property
    def on_reject(self) -> OnReject:
        """Takes the bad records of all."""
        if len({*self.takes}) == 1:
            return self.takes[0]
        takes = dict(zip(self.names, self.takes, strict=True))
        return lambda rejected: takes[input_of(rejected)](rejected)

    @property
    def names(self) -> list[str]:
        """What messages call them."""
        return [feed.name for feed in self.feeds]

    @property
    def of_connections(self) -> frozenset[int]:
        """The numbers of those whose connections have a watermark each."""
        return with_watermarks(self.feeds)

    @property
    def followed(self) -> frozenset[int]:
        """The numbers of those that are files which are followed by their names."""
        return frozenset(number for number, feed in enumerate(self.feeds) if isinstance(feed, FollowedFeed))

    @property
    def paused(self) -> Sequence[int]:
        """The numbers of those whose records may have several lines."""
        return [number for number, reading in enumerate(self.readings) if reading.is_multiline]

    @property
    def latenesses(self) -> Sequence[int]:
        """In ticks, by how much records of each may come late."""
        return [reading.lateness for reading in self.readings]

    def reader(
        self, reading: Reading, on_reject: OnReject, now: Callable[[], int] | None = None
    ) -> LiveReader | LiveReaders:
        """What reads their lines. Raises InputError for formats that are not read live."""
        have_parts = self.of_connections | (positioned(self.feeds) - self.followed)
        inputs = [
            LiveSource(
                feed.name,
                own,
                is_one_text=isinstance(feed, TextFeed | FollowedFeed),
                has_parts=number in have_parts,
                is_recorded=False,
                is_judged=feed.name != STANDARD_NAME,
                is_folder=isinstance(feed, FollowedFolder),
            )
            for number, (feed, own) in enumerate(zip(self.feeds, self.readings, strict=True))
        ]
        return reader_of(inputs, reading.timeline.arrival, on_reject, now)


class _StoppedError(Exception):
    """The run is asked to end."""


class _StoppableInbox(LineInbox):
    """An inbox that gives lines until the run is asked to end."""

    def __init__(self, feed: Feed, clock: Clock, asked: Event, paused: Collection[int]) -> None:
        super().__init__(feed, clock, paused=paused)
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
    idle: int | None = None,
) -> Feed:
    """The feed at an address, or of the lines of a file or folder. Raises InputError.

    Args:
        address: the address, the name of the file, or `-` for standard input.
        is_followed: whether a file is read on behind its end.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        idle: in microseconds, how long a file of a folder may not grow until it no longer holds the clock;
            None: as usual.
    """
    feed = feed_of(str(address), largest_record, encoding=encoding)
    if feed is not None:
        return feed
    if str(address) != STANDARD and is_folder(str(address)):
        if not is_followed:
            raise InputError(f"{address}: --clock wall cannot read a folder: remove it, or add --follow")
        seconds = IDLE_SECONDS if idle is None else idle / 1e6
        return FollowedFolder(str(address), largest_record=largest_record, encoding=encoding, idle=seconds)
    if sheet_at(str(address)) is not None:
        raise InputError(
            f"{address}: lars2asp cannot follow workbooks and databases: save the table as a CSV file"
        )
    if plain_name(str(address)) != str(address) or is_zip(str(address)):
        raise InputError(
            f"{address}: lars2asp cannot follow a compressed file: unpack it, and pipe its lines to --input -"
        )
    if is_followed and str(address) != STANDARD and has_name_of_file(str(address)):
        return FollowedFeed(str(address), largest_record=largest_record, encoding=encoding)
    name = STANDARD_NAME if str(address) == STANDARD else str(address)
    opened = partial(open_bytes, str(address))
    return TextFeed(name, opened, is_followed=is_followed, largest_record=largest_record, encoding=encoding)
