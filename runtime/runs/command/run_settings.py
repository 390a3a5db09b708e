"""The settings of a run, and which of them stay as they are while it goes on from its checkpoints.

The others may change from one part of a run to the next: see docs/how-to/restart-and-change-a-program.md.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.runtime.connectors.addresses import feed_of, name_of
from lars2asp.runtime.connectors.feed import positioned, with_watermarks
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.given_ticks import Every
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.states.state_keeping import CheckpointInterval
from lars2asp.runtime.runs.table_rows import TableRows
from lars2asp.runtime.settings.table import SETTINGS
from lars2asp.runtime.sinks.emission import Emission, OutputFormat
from lars2asp.runtime.sources.input_settings import (
    follows,
    idle_of,
    reading_of_input,
    shown_settings,
    stops_at,
)
from lars2asp.runtime.sources.live_reader import LiveReader, LiveReaders, LiveSource, reader_of
from lars2asp.runtime.sources.reading import Reading, format_of
from lars2asp.runtime.sources.records import OnReject
from lars2asp.runtime.sources.rejects import StopsAt
from lars2asp.runtime.sources.text.folder_files import is_folder
from lars2asp.runtime.sources.text.sheet_names import path_in
from lars2asp.runtime.sources.text.text_files import STANDARD, has_name_of_file
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from lars2asp.runtime.live_page.page_settings import LivePageSettings

NOT_GIVEN = "not given"

BY_THE_CLOCK = "day by the clock of the zone"
"""Ends what is said of the length of ticks that are not all equally long."""

PROGRAM = "the program"
FUNCTIONS = "the files of --functions"
BODY = "the file of --output-body"

CONSTANTS = "-c"

AT_ADDRESSES = "the settings at addresses of --input"

TABLE = "the table "
"""Begins the names of what tables have that are facts of the program."""


def is_of_program(option: str) -> bool:
    """Whether it makes another program, of which a run may take over the checkpoints."""
    return option in (PROGRAM, CONSTANTS) or option.startswith(TABLE)


_SHOWN_AS_CHANGED = (PROGRAM, FUNCTIONS, BODY)
"""Of these a fingerprint is kept, which is not text for people."""

_FILES = ("--output", "--rejects")

_REVISED_BEFORE = "given, with --lateness "
"""What checkpoints of earlier versions have in front of the duration of --revise."""


def label_of(name: str) -> str:
    """What messages and checkpoints call a setting."""
    return SETTINGS[name].label


def _labels_before(label: str) -> Iterator[str]:
    """The labels under which checkpoints of earlier versions keep a setting."""
    option = label.split(maxsplit=1)[0]
    setting = SETTINGS.get(option.removeprefix("--").replace("-", "_"))
    before = setting.before.split() if setting else ()
    for name in (option, *(f"--{one}" for one in before)):
        yield from (name, f"{name} or {setting.directive}" if setting else name)


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run.

    Attributes:
        session: makes a session with a start; with `explains=False` one that keeps nothing for explanations.
        inputs: a file, a folder, `-` for standard input, or the address of a feed; several files or folders.
        reading: how the input is read.
        output: the file or folder where answers go, `-` for standard output, or the address of a receiver.
        emission: how they are written.
        posting: how they are sent to others.
        every: answers are written at ticks that this number divides; None: when they change; "windows": also
            when a window ends.
        rejects: the file for rejected records; None: standard error.
        is_strict: whether the first of these ends the run.
        is_followed: whether files are read on behind their ends.
        idle: in microseconds, for how long one of several live inputs may say nothing before it is left out.
        is_by_clock: whether ticks pass by the machine's clock.
        start: the first tick; None: that of the input, or now.
        until: the last tick; None: that of the input, or none.
        find_origin: looks at files and folders for the first record, where it decides when tick 0 begins;
            None for other programs.
        asked: gives start and until once that is known.
        is_until_time: whether the last tick was given as a time.
        lateness: for how many ticks late records are waited for; None where nothing says it.
        is_early: whether answers are given at once, and revised where records come late.
        drains: whether records that wait are evaluated where the run is asked to end and no checkpoint keeps
            them.
        checkpoint: the folder of the checkpoints, if they are kept.
        takes_over: whether a run goes on from the checkpoints of the program before it was changed.
        history: files and folders with what came before, from which windows of a changed program are filled.
        checkpoint_interval: the distance of checkpoints; None: the usual one.
        view: the name of the program, if a view is shown on the terminal; answers then go only to a file.
        statistics: whether the costs of the run, which the reasoner measures, are printed on standard error.
        statistics_file: the file where they are written as JSON.
        chart_file: the file of the chart.
        page: where a live page of the run is served, if one is.
        is_quiet: whether no progress is shown on the terminal.
        title: the names of the program's files, which stand above the chart, and above the page.
        can_be_stuck: whether ticks can take too long, after which another process is to go on.
        memory_limit: in bytes, the memory with which the run ends in good order; None: no limit.
        tables: gives the rows of the tables that the run reads again, of what says whether that is asked for;
            None where there are none.
        program_options: gives what the program is and how it is run, by the names of options; see `fixed`.
        tuning: thresholds that change no answer.
    """

    session: Callable[..., Session]
    inputs: tuple[str, ...] = (STANDARD,)
    reading: Reading = field(default_factory=Reading)
    output: str = STANDARD
    emission: Emission = field(default_factory=Emission)
    posting: Posting = field(default_factory=Posting)
    every: Every = None
    rejects: str | None = None
    is_strict: bool = False
    is_followed: bool = False
    idle: int | None = None
    is_by_clock: bool = False
    start: int | None = None
    until: int | None = None
    find_origin: Callable[[], None] | None = None
    asked: Callable[[], tuple[int | None, int | None]] = lambda: (None, None)
    is_until_time: bool = False
    lateness: int | None = None
    is_early: bool = False
    drains: bool = False
    checkpoint: str | None = None
    takes_over: bool = False
    history: tuple[str, ...] = ()
    checkpoint_interval: CheckpointInterval | None = None
    view: str | None = None
    statistics: bool = False
    statistics_file: str | None = None
    chart_file: str | None = None
    page: "LivePageSettings | None" = None
    is_quiet: bool = False
    title: str = ""
    can_be_stuck: bool = False
    memory_limit: int | None = None
    tables: Callable[[Callable[[], bool]], TableRows] | None = None
    program_options: Callable[[], Mapping[str, str]] = dict
    tuning: Tuning = DEFAULT

    @property
    def input(self) -> str:
        """The input; of several their names."""
        return ", ".join(self.inputs)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What messages and figures call the inputs: addresses without users and passwords."""
        feeds = [(name, feed_of(name)) for name in self.inputs]
        return tuple(name if feed is None else feed.name for name, feed in feeds)

    @property
    def rereads(self) -> frozenset[int]:
        """The numbers of the inputs that are read from the beginning again: files and folders."""
        paths = [(number, Path(path_in(name))) for number, name in enumerate(self.inputs) if _is_text(name)]
        are_there = frozenset(number for number, path in paths if path.is_file() or is_folder(str(path)))
        return are_there - self.followed - self.folders

    @cached_property
    def followed(self) -> frozenset[int]:
        """The numbers of the inputs that are files which are followed by their names."""
        names = enumerate(self.inputs)
        return frozenset(
            number
            for number, name in names
            if self.follows(name) and _is_text(name) and has_name_of_file(name)
        )

    @cached_property
    def folders(self) -> frozenset[int]:
        """The numbers of the inputs that are folders which are followed."""
        names = enumerate(self.inputs)
        return frozenset(
            number for number, name in names if self.follows(name) and _is_text(name) and is_folder(name)
        )

    @cached_property
    def positioned(self) -> frozenset[int]:
        """The numbers of the inputs that can be read on from a position."""
        return positioned(map(feed_of, self.inputs)) | self.followed | self.folders

    @property
    def can_be_read_again(self) -> bool:
        """Whether all inputs can be."""
        return len(self.rereads | self.positioned) == len(self.inputs)

    def follows(self, name: str) -> bool:
        """Whether a file or folder is read on after its end."""
        return follows(self.reading.own, name, self.is_followed)

    @property
    def idles(self) -> Sequence[int | None]:
        """In microseconds, for how long each input may be silent until the run no longer waits for it."""
        return [idle_of(self.reading.own, name, self.idle) for name in self.inputs]

    @property
    def stops_at(self) -> StopsAt:
        """Whether the first bad record ends the run; by the names of inputs if they differ in that."""
        return stops_at(self.reading.own, dict(zip(self.inputs, self.names, strict=True)), self.is_strict)

    @property
    def is_live(self) -> bool:
        """Whether the input is read as it comes."""
        is_followed = any(map(self.follows, self.inputs))
        return are_live(self.inputs, is_followed=is_followed, is_by_clock=self.is_by_clock)

    @property
    def latenesses(self) -> Sequence[int]:
        """In ticks, by how much records of each input may come late."""
        return [reading_of_input(self.reading, name).lateness for name in self.inputs]

    @cached_property
    def of_connections(self) -> frozenset[int]:
        """The numbers of the inputs whose connections have a watermark each."""
        return with_watermarks(map(feed_of, self.inputs))

    @property
    def live_reading(self) -> Reading:
        """How lines are read where the only input is live."""
        return self.live_reading_of(self.input)

    def live_reading_of(self, name: str) -> Reading:
        """How lines are read of a live input. Without a format each of its sources says it by its content."""
        reading = reading_of_input(self.reading, name)
        return replace(reading, format=reading.said_format(name))

    def live_reader(
        self, reading: Reading, on_reject: OnReject, now: Callable[[], int] | None = None
    ) -> LiveReader | LiveReaders:
        """What reads the lines of the live inputs. Raises InputError for formats that are not read live.

        Args:
            reading: how they are read; the format is that of each.
            on_reject: takes records that are not valid.
            now: see MachineTime; None: times are not judged.
        """
        have_parts = self.of_connections | (self.positioned - self.followed)
        inputs = [
            LiveSource(
                called,
                self.live_reading_of(name),
                is_one_text=feed_of(name) is None and number not in self.folders,
                has_parts=number in have_parts,
                is_recorded=_is_text(name) and not self.follows(name),
                is_judged=name != STANDARD,
                is_folder=number in self.folders,
            )
            for number, (called, name) in enumerate(zip(self.names, self.inputs, strict=True))
        ]
        return reader_of(inputs, reading.timeline.arrival, on_reject, now)

    @cached_property
    def fixed(self) -> dict[str, str]:
        """The options that must not change when a run goes on from its checkpoints; no passwords."""
        return {
            **self.program_options(),
            label_of("input"): ", ".join(self.names),
            **of_reading(self.reading, self.inputs),
            AT_ADDRESSES: shown_settings(self.reading.own) or NOT_GIVEN,
            label_of("clock"): "wall" if self.is_by_clock else "data",
            label_of("follow"): "given" if self.is_followed else NOT_GIVEN,
            label_of("output"): name_of(self.output),
            label_of("output_format"): NOT_GIVEN
            if self.emission.format is OutputFormat.JSONL
            else str(self.emission.format),
            label_of("intervals"): "given" if self.emission.intervals else NOT_GIVEN,
            label_of("times"): NOT_GIVEN if self.emission.times is None else "given",
            label_of("rejects"): NOT_GIVEN if self.rejects is None else self.rejects,
            label_of("emit"): "change"
            if self.every is None
            else "every"
            if self.every == 1
            else str(self.every),
            label_of("chart"): NOT_GIVEN if self.chart_file is None else "given",
            label_of("changes"): "given" if self.emission.changes else NOT_GIVEN,
            BODY: NOT_GIVEN if self.posting.body is None else fingerprint(self.posting.body.text),
            label_of("start"): NOT_GIVEN if self.start is None else str(self.start),
            label_of("revise"): str(self.lateness or 0) if self.is_early else NOT_GIVEN,
        }


def are_live(inputs: Sequence[str], *, is_followed: bool, is_by_clock: bool) -> bool:
    """Whether inputs are read as they come."""
    is_merged = len(inputs) > 1 and STANDARD in inputs
    return is_followed or is_by_clock or is_merged or any(feed_of(name) is not None for name in inputs)


def of_reading(reading: Reading, names: Sequence[str]) -> dict[str, str]:
    """The options for reading inputs of these names."""
    timeline, dialect = reading.timeline, reading.dialect
    length = timeline.tick_length
    are_files = len(names) > 1 or (names[0] != STANDARD and is_folder(names[0]))
    by_name = "by the names of files" if are_files else format_of(names[0])
    return {
        label_of("input_format"): str(reading.format or by_name),
        label_of("tick"): NOT_GIVEN
        if length is None
        else f"{length // MICROSECONDS['day']} {BY_THE_CLOCK}"
        if timeline.counts_days
        else f"{length / 1e6:g} sec",
        label_of("largest_gap"): NOT_GIVEN
        if reading.largest_gap is None
        else timeline.duration(reading.largest_gap).strip("'"),
        label_of("time_unit"): str(timeline.unit),
        label_of("origin"): timeline.origin.isoformat(),
        label_of("timezone"): _given(timeline.zone),
        label_of("time_format"): _given(timeline.form),
        label_of("year"): NOT_GIVEN
        if timeline.dates_from in (None, timeline.origin)
        else str(timeline.dates_from),
        label_of("declare"): repr([*map(repr, reading.declarations)]),
        label_of("delimiter"): repr(dialect.delimiter or ","),
        label_of("encoding"): _given(dialect.encoding),
        label_of("largest_record"): f"{reading.largest_record} bytes",
        label_of("missing"): ", ".join(map(repr, sorted(dialect.missing))) or NOT_GIVEN,
    }


def changes(kept: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The options that have changed, each in words."""
    found = []
    for name in now:
        known = (kept[one] for one in (name, *_labels_before(name)) if one in kept)
        before, after = next(known, NOT_GIVEN).removeprefix(_REVISED_BEFORE), now[name]
        if before == after or (name in _FILES and _is_same_file(before, after)):
            continue
        if name in (*_SHOWN_AS_CHANGED, label_of("declare")) or name.startswith(TABLE):
            found.append(f"{name} changed")
        else:
            found.append(f"{name} was {before}, is {after}")
    others = [change for change in found if not change.startswith(PROGRAM)]
    return others or found  # constants and the like make another program too


def _is_text(name: str) -> bool:
    """Whether an input is a file or a folder, if there is one of this name."""
    return name != STANDARD and feed_of(name) is None


def _given(value: object) -> str:
    return NOT_GIVEN if value is None else str(value)


def _is_same_file(one: str, other: str) -> bool:
    return STANDARD not in (one, other) and Path(one).absolute() == Path(other).absolute()
