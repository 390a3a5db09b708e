"""Records of a stream, gathered by tick, and the fate of invalid records."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise, repeat
from operator import itemgetter
from typing import Any, NamedTuple, NoReturn, Self, TypeVar, cast, overload

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, turns_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.fine_ticks import FineTick, moment_of
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown

T = TypeVar("T", bound=tuple[Any, ...])

LONGEST_REASON = 1000
"""Longer reasons, of atoms without end, are cut off."""

LARGEST_RECORD = 16 * 2**20
"""In bytes, its last line end left out: a longer record is rejected, unless an option allows it."""

MOST_AT_ONCE = 200
"""The number of records that are made at once, at most: with more the garbage collector looks at each of them
again and again (`jobs reading`)."""

TRUNCATED_SIZE = 1000
"""In bytes: the part that is kept of a record that is too long."""


class TruncatedRecord(str):
    """The beginning of a record that is too long; the rest of it was never held.

    Attributes:
        length: The length of the whole record, in bytes.
    """

    __slots__ = ("length",)
    length: int

    @classmethod
    def of(cls, data: bytes | bytearray, length: int) -> "TruncatedRecord":
        """The first bytes of a record; a character that is cut in two is left out."""
        end = min(len(data), TRUNCATED_SIZE)
        while 0 < end < len(data) and end > TRUNCATED_SIZE - 4 and data[end] & 0xC0 == 0x80:
            end -= 1
        return cls.cut(data[:end].decode(errors="surrogateescape"), length)

    @classmethod
    def cut(cls, text: str, length: int) -> "TruncatedRecord":
        """The same, of its text."""
        beginning = cls(text[:TRUNCATED_SIZE])
        beginning.length = length
        return beginning

    @property
    def reason(self) -> str:
        """Why the record is rejected."""
        return f"the record is too long: {self.length} bytes; to read it, add --largest-record {self.length}"


class Line(NamedTuple):
    """A line of a live source.

    Attributes:
        source: The name of the origin, such as `tcp:127.0.0.1:54321` or an MQTT topic.
        number: Its number in the source, counted from 1. A line with the number 0 is a signal, not data.
        text: The text, without line end; a byte that is not UTF-8 is a surrogate.
        length: The length of a line that is too long, in bytes; `text` is then its beginning. None for
            others.
        end: The line end, or empty for the last line of a message. None: the source is over. Empty, with the
            number 0: nothing has followed for a while.
        input: The number of the input, counted from 0.
        position: Where to continue after the line, as JSON; None if the source cannot.
    """

    source: str
    number: int
    text: str
    length: int | None = None
    end: str | None = "\n"
    input: int = 0
    position: Any = None

    @property
    def is_pause(self) -> bool:
        """Whether the line is a signal that nothing has followed for a while."""
        return not self.number and self.end == ""


class WrittenBlock:
    """Several records as text, each with a line."""

    def text_of(self, line: int) -> str:
        """The text of a record."""
        raise NotImplementedError


class Origin(NamedTuple):
    """The place of a record.

    Attributes:
        source: The name of its source.
        line: Its line, counted from 1.
        written: The text, bytes or object of the record.
    """

    source: str
    line: int
    written: object = ""

    @property
    def text(self) -> str:
        """The text, without line end; a byte that is not UTF-8 is a surrogate."""
        written = self.written
        if isinstance(written, bytes):
            return written.rstrip(b"\r\n").decode(errors="surrogateescape")
        if isinstance(written, WrittenBlock):
            return written.text_of(self.line)
        return written if isinstance(written, str) else repr(written)

    def __str__(self) -> str:
        return f"{shown(self.source, LONGEST_REASON)}:{self.line}"


class SourceName(str):
    """The name of a source that is a part of an input.

    Attributes:
        input: The name of the input.
    """

    __slots__ = ("input",)
    input: str

    @classmethod
    def of(cls, source: str, name: str) -> Self:
        """The name of a source of an input."""
        found = cls(source)
        found.input = name
        return found


class SharedOrigin(Origin):
    """The place of several records that are one record of the input, or of rows of a block.

    Attributes:
        gave_facts: How many records of the input gave facts there.
        without_fact: How many fit a declaration and gave none.
        passed_over: How many fit none.
        parts: How many of the records here have facts.
        given: How many of the records here were counted.
        refused: How many of those with facts were rejected.
        late: How many of these are late.
        late_facts: The number of the facts of those.
    """

    gave_facts: int
    without_fact: int
    passed_over: int
    parts: int
    given: int
    refused: int
    late: int
    late_facts: int

    @classmethod
    def of(cls, origin: Origin, gave_facts: int, without_fact: int, passed_over: int, parts: int) -> Self:
        """The place of so many records."""
        found = cls(*origin)
        found.gave_facts, found.without_fact, found.passed_over = gave_facts, without_fact, passed_over
        found.parts = parts
        found.given = found.refused = found.late = found.late_facts = 0
        return found


class Origins(Sequence[Origin]):
    """The origins of records of a source, made on request.

    Args:
        source: The name of the source.
        lines: The line of each record.
        written: The text of each record, or its holder; see Origin.
    """

    def __init__(self, source: str, lines: Sequence[int], written: Sequence[object]) -> None:
        self.source = source
        self.lines = lines
        self.written = written

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, place: int) -> Origin: ...

    @overload
    def __getitem__(self, place: slice) -> "Origins": ...

    def __getitem__(self, place: int | slice) -> "Origin | Origins":
        if isinstance(place, slice):
            return Origins(self.source, self.lines[place], self.written[place])
        return Origin(self.source, self.lines[place], self.written[place])

    def __iter__(self) -> Iterator[Origin]:
        return made_of(Origin, repeat(self.source), self.lines, self.written)

    @classmethod
    def together(cls, several: Sequence["Origins"]) -> "Origins":
        """Those of records of one source that follow each other."""
        written = [*chain.from_iterable(one.written for one in several)]
        ranges = [one.lines for one in several if isinstance(one.lines, range)]
        if len(ranges) == len(several) and all(one.stop == more.start for one, more in pairwise(ranges)):
            return cls(several[0].source, range(ranges[0].start, ranges[-1].stop), written)
        return cls(several[0].source, [*chain.from_iterable(one.lines for one in several)], written)

    def in_order(self, order: Sequence[int]) -> "Origins":
        """The same for records in another order, given by their earlier places."""
        lines, written = self.lines.__getitem__, self.written.__getitem__
        return Origins(self.source, [*map(lines, order)], [*map(written, order)])


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that lars2asp did not take, with the reason. `str` is one line.

    Attributes:
        origin: Its place.
        reason: Why lars2asp did not take it.
        counted_as: The count of `Account` that included it before.
        facts: The number of its facts.
    """

    origin: Origin
    reason: str
    counted_as: str = field(default="gave_facts", compare=False, repr=False)
    facts: int = field(default=1, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", shown(self.reason, LONGEST_REASON))

    def __str__(self) -> str:
        return f"{self.origin}: error: {self.reason}"


class PassedOver(Rejected):
    """A record that matches no `#input`: lars2asp skips and counts it, but uses its time."""

    __slots__ = ()


class LeftOut(PassedOver):
    """A record that conditions of `#input` leave out, and whose time cannot be read: it is only counted."""

    __slots__ = ()

    @classmethod
    def of(cls, origin: Origin) -> Self:
        """The one at a place."""
        return cls(origin, "its `where` is false for this record")


class Late(Rejected):
    """A record with a time before the final ticks."""

    __slots__ = ()


class WrongClock(Rejected):
    """A record with a time that cannot be right."""

    __slots__ = ()


UNKNOWN = Origin("<stream>", 0)
"""The origin of records that a program made."""


class TimeAlone(Events):
    """The events of a record without facts, which moves the clock and is not rejected if it is late.

    Attributes:
        counted_as: The count of `Account` that includes the record; empty if it does not count by itself.
    """

    counted_as: str = ""

    @classmethod
    def of(cls, counted_as: str) -> Self:
        """Those of records in a count."""
        found = cls()
        found.counted_as = counted_as
        return found


TIME_ALONE = TimeAlone.of("passed_over")
"""Marks a `PassedOver` record, which was counted already."""

PASSED_OVER = TimeAlone.of("passed_over")
"""Marks a record that no declaration fits, without a message."""

NO_FACT = TimeAlone.of("without_fact")
"""Marks a record that a declaration fits, but without facts: a value is missing, or a list is empty."""

OTHER_TIME = TimeAlone.of("")
"""Marks a record that is counted by its facts at another time."""

SILENT = {one.counted_as: one for one in (PASSED_OVER, NO_FACT, OTHER_TIME)}
"""Those of a state, by their counts."""

UNTAKEN = TimeAlone.of("passed_over")
"""Marks a record that conditions of declarations leave out; its time may be unreadable."""

LEFT_OUT = AtomRows(Signature("", 0), [])
"""Stands for the fact of a declaration whose conditions do not hold."""

OnReject = Callable[[Rejected], None]


class FirstUnfit:
    """Takes rejected records for another function, for which one that no `#input` fits is enough.

    Later ones need not come: they can be records that are counted as passed over (`PASSED_OVER`).
    """

    is_one_unfit_enough = True

    def __init__(self, take: OnReject) -> None:
        self._take = take

    def __call__(self, rejected: Rejected) -> None:
        """Hands a record on."""
        self._take(rejected)


def is_one_unfit_enough(on_reject: OnReject) -> bool:
    """Whether a function that takes rejected records needs one alone of those that no `#input` fits."""
    return bool(getattr(on_reject, "is_one_unfit_enough", False))


def as_needed_by(on_reject: OnReject, take: OnReject) -> OnReject:
    """`take`, which hands records on to `on_reject`, and needs what that needs."""
    return FirstUnfit(take) if is_one_unfit_enough(on_reject) else take


def refuse(rejected: Rejected) -> None:
    """Stops at the first record that is not valid; says of the first that no `#input` fits that it is so.

    Raises InputError.
    """
    if not isinstance(rejected, PassedOver):
        stop_at(rejected)
    warnings.warn(passed_over_text(rejected), stacklevel=2)


def passed_over_text(rejected: PassedOver) -> str:
    """The message for the first record that no `#input` fits."""
    reason = rejected.reason.partition(";")[0]
    return f"{reason}: lars2asp skips such records, but uses their times"


def input_of(rejected: Rejected) -> str:
    """The name of the input of a record; empty if it is the name of its source."""
    source = rejected.origin.source
    return source.input if isinstance(source, SourceName) else ""


def stop_at(rejected: Rejected) -> NoReturn:
    """Raises InputError for a record."""
    origin = rejected.origin
    raise InputError(
        str(rejected),
        source=origin.source,
        line=origin.line or None,
        record=origin.text,
        reason=rejected.reason,
    )


class Record(NamedTuple):
    """One line or row of the input.

    Attributes:
        tick: Its tick.
        events: Its facts, as Events.
        origin: Its place; None for a record that you make.
    """

    tick: int
    events: Events
    origin: Origin | None = None


def refusal_of(record: Record, reason: str, kind: type[Rejected] = Rejected) -> Rejected:
    """A record that was read, and then rejected as a member of a kind."""
    origin, (facts, begin, end, _) = record.origin or UNKNOWN, record.events
    number = sum(len(rows) for _, rows in (*facts, *begin, *end))
    counted_as = "gave_facts" if number else getattr(record.events, "counted_as", "clock_only")
    return kind(origin, reason, counted_as, number)


class OneEach(list[Record]):
    """Records of the input, which gave facts unless `without_facts` lists their events.

    Attributes:
        without_facts: The events of records without facts.
    """

    without_facts: Sequence[TimeAlone] = ()


def misshapen(events: object) -> str | None:
    """Why a value that a Python program gives as events is none; None if it is."""
    if not isinstance(events, Events):
        return (
            f"events are Events, not a {type(events).__name__}: for a list of facts give a pair (time, facts)"
        )
    if not isinstance(events.until, int | None):
        return f"until is a tick, a whole number, not {shown(repr(events.until))}"
    for part in (events.facts, events.begin, events.end):
        if not isinstance(part, list | tuple):
            return f"the atoms of Events are a tuple, not a {type(part).__name__}"
        for pair in part:
            is_pair = isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], Signature)
            if not is_pair:
                return (
                    "the atoms of Events must be pairs of a predicate and rows, as in "
                    f'Events(((Signature("p", 1), [(1,)]),)), not {shown(repr(pair))}: to pass text, '
                    "tuples or symbols use Reasoner.step"
                )
    return None


def made_of(kind: type[T], *fields: Iterable[object]) -> Iterator[T]:
    """Named tuples of a kind, each of its fields given for all of them at once: the fastest way to make many.

    One of the fields has as many items as there are tuples; the others no fewer.
    """
    return cast(Iterator[T], map(tuple.__new__, repeat(kind), zip(*fields, strict=False)))


Reading = tuple[int | None, AtomRows | None]
"""The tick and the fact that a declaration reads in a record; see `RowReader.read`."""


def records_at(
    read: Sequence[Reading], origin: Origin, without: Events = NO_FACT
) -> "list[Record | Rejected]":
    """The records from one place: for each tick its atoms, possibly none.

    Args:
        read: For each fact its tick; None for a missing one. Omitted atoms count only if all are omitted.
        origin: The place.
        without: The events if there is no fact at all.
    """
    if len(read) == 1:
        [(tick, atom)] = read
        if tick is None:
            return [LeftOut.of(origin)]
        events = without if atom is None else UNTAKEN if atom is LEFT_OUT else Events((atom,))
        return [Record(tick, events, origin)]
    taken = [(tick, atom) for tick, atom in read if atom is not LEFT_OUT]
    if not taken:
        return records_at([next((one for one in read if one[0] is not None), read[0])], origin)
    atoms: dict[int, list[AtomRows]] = {}
    for tick, atom in taken:
        assert tick is not None  # else it is left out
        here = atoms.setdefault(tick, [])
        if atom is not None:
            here.append(atom)
    return [
        *of_one(
            [Record(tick, Events(tuple(here)) if here else without, origin) for tick, here in atoms.items()]
        )
    ]


def of_one(records: list[Record]) -> list[Record]:
    """Records of one place, one for each time, which count as one."""
    if len(records) < 2:
        return records
    with_facts = [one for one in records if any(one.events[:3])]
    if len(with_facts) == 1:
        return [one if one is with_facts[0] else one._replace(events=OTHER_TIME) for one in records]
    if not with_facts:
        return [records[0], *(one._replace(events=OTHER_TIME) for one in records[1:])]
    shared = SharedOrigin.of(records[0].origin or UNKNOWN, 1, 0, 0, len(with_facts))
    return [
        one._replace(origin=shared) if any(one.events[:3]) else one._replace(events=OTHER_TIME)
        for one in records
    ]


def by_moment(records: Iterable[Record]) -> list[Record]:
    """The records of a tick in the order of their times, then of their arrival."""
    return sorted(records, key=lambda record: moment_of(record.tick))


def by_moments(records: Iterable[Record]) -> Iterator[Record]:
    """Records in the order of ticks, and within each tick in the order of `by_moment`."""
    return chain.from_iterable(by_moment(here) for _, here in groupby(records, itemgetter(0)))


def clipped(record: Record, start: int, held: Mapping[Signature, HeldBy]) -> Record:
    """The part of a record that lies on the timeline from `start` on, at `start` if it is older.

    It includes held facts as if they arrived at `start`; `told_before` says until when they hold.
    """
    tick, (facts, _, _, until) = record.tick, record.events
    if tick >= start:
        return record
    if until is None:
        told = (one for one in turns_of(facts) if one.signature in held)
        facts = tuple(one for one in told if held[one.signature].last(tick) >= start)
    elif until < start:
        facts, until = (), None
    at = FineTick.at(start, tick.moment) if type(tick) is FineTick else start
    return record._replace(tick=at, events=record.events._replace(facts=facts, until=until))


def told_before(record: Record, tick: int, held: Mapping[Signature, HeldBy]) -> Iterator[Record]:
    """The clipped parts of earlier records, in order: held facts carry last ticks."""
    facts, begin, end, until = record.events
    if until is not None or not facts:
        yield record
        return
    if begin or end:
        yield record._replace(events=Events(begin=begin, end=end))
    for one in turns_of(facts):
        yield record._replace(events=Events((one,), until=held[one.signature].last(tick)))


def on_timeline(records: Iterable[Record], start: int, held: Mapping[Signature, HeldBy]) -> Iterator[Record]:
    """The parts of records on the timeline from `start` on; older facts move to `start`."""
    for record in records:
        if record.tick >= start:
            yield record
        else:
            yield from told_before(clipped(record, start, held), record.tick, held)
