"""What becomes of each record of some inputs, in plain Python: five counts and facts.

It shares nothing with the product. Times are seconds since 1970, and a tick is a second.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from heapq import heapify, heappop, heapreplace
from ipaddress import ip_address

HOUR, DAY, YEAR = 3600, 86_400, 365 * 86_400
COUNTS = ("gave_facts", "passed_over", "without_fact", "rejected", "late", "clock_only")


@dataclass(frozen=True)
class Declared:
    """`#input reading(text(room), int(temp)) at ts.`, with what a missing cell is.

    Attributes:
        room: the text in place of a missing room, if there is one.
        temp: the number in place of a missing temperature, if there is one.
        is_lenient: whether a temperature that is no number counts as a missing one.
        has_second_time: whether `t2` is the time if it has a value.
    """

    room: str | None = None
    temp: int | None = None
    is_lenient: bool = False
    has_second_time: bool = False


@dataclass(frozen=True)
class Given:
    """An input.

    Attributes:
        form: csv, jsonl or log.
        text: what its file has.
    """

    form: str
    text: str


@dataclass(eq=False)
class Item:
    """A record.

    Attributes:
        count: what it counts as, so far.
        time: None if it has none that counts.
        fact: what it gives, if it is in time.
    """

    count: str
    time: int | None = None
    fact: str = ""

    @property
    def seconds(self) -> int:
        """The time of a record that has one."""
        assert self.time is not None
        return self.time


@dataclass
class Expected:
    """What is expected of a run.

    Attributes:
        counts: by input.
        facts: by tick.
    """

    counts: list[dict[str, int]] = field(default_factory=list)
    facts: dict[int, set[str]] = field(default_factory=dict)


class UnreadableError(Exception):
    """A value or a time that cannot be read."""


def expected(inputs: Sequence[Given], declared: Declared, lateness: int, gap: int | None = HOUR) -> Expected:
    """What becomes of the records of inputs that are read to their ends."""
    result = Expected()
    records = [[*items(one, declared)] for one in inputs]
    streams = [gated(one, lateness, gap) for one in records]
    latest: int | None = None
    for item in merged(streams):
        if latest is not None and item.seconds < latest - lateness:
            if item.count in ("gave_facts", "clock_only"):
                item.count = "late"
            continue
        latest = item.seconds if latest is None else max(latest, item.seconds)
        if item.fact:
            result.facts.setdefault(item.seconds, set()).add(item.fact)
    for stream in records:
        counts = dict.fromkeys(COUNTS, 0)
        for item in stream:
            counts[item.count] += 1
        result.counts.append(counts)
    return result


def merged(streams: Sequence[Sequence[Item]]) -> Iterator[Item]:
    """Records with times, in the order in which inputs are merged: the next one with the least time."""
    readers = [*map(iter, streams)]
    heads = [(first.time, number, first) for number, one in enumerate(readers) if (first := next(one, None))]
    heapify(heads)
    while heads:
        _, number, item = heads[0]
        following = next(readers[number], None)
        if following is None:
            heappop(heads)
        else:
            heapreplace(heads, (following.time, number, following))
        yield item


def items(given: Given, declared: Declared) -> Iterator[Item]:
    """The records of an input."""
    match given.form:
        case "csv":
            rows = csv.reader(io.StringIO(given.text))
            header = next(rows)
            for cells in rows:
                if any(cell.strip() for cell in cells):  # else it is a blank line
                    yield of_row(header, cells, declared)
        case "jsonl":
            for line in given.text.splitlines():
                yield of_json(line, declared)
        case _:
            for line in given.text.splitlines():
                yield of_log(line)


def of_row(header: Sequence[str], cells: Sequence[str], declared: Declared) -> Item:
    """A row; it fits if a cell besides the time is filled."""
    if len(cells) != len(header):
        return Item("rejected")
    record = {name: cell if cell.strip() else None for name, cell in zip(header, cells, strict=True)}
    if all(value is None for name, value in record.items() if name not in ("ts", "t2")):
        return passed_over(record, declared)
    return judged(record, declared)


def of_json(line: str, declared: Declared) -> Item:
    """A record of JSON."""
    try:
        record = json.loads(line)
    except ValueError:
        return Item("rejected")
    if not isinstance(record, dict):
        return Item("rejected")
    if record.keys() == {"time"}:
        return Item("clock_only", seconds(record["time"]))
    needs = {name for name, other in (("room", declared.room), ("temp", declared.temp)) if other is None}
    if not needs <= record.keys() or not {"room", "temp"} & record.keys():
        return passed_over(record, declared)
    if record.get("temp") == "":
        record["temp"] = None
    return judged(record, declared)


def passed_over(record: Mapping[str, object], declared: Declared) -> Item:
    """A record that the declaration does not fit; its time counts if it has one."""
    if all(record.get(name) in (None, "") for name in ("ts", "t2" if declared.has_second_time else "ts")):
        return Item("passed_over")
    try:
        return Item("passed_over", time_of(record, declared))
    except UnreadableError:
        return Item("rejected")


def judged(record: Mapping[str, object], declared: Declared) -> Item:
    """A record that the declaration fits."""
    try:
        time = time_of(record, declared)
        temp = integer(record.get("temp"), is_lenient=declared.is_lenient)
    except UnreadableError:
        return Item("rejected")
    room = record.get("room")
    room = declared.room if room is None else room
    temp = declared.temp if temp is None else temp
    if room is None or temp is None:
        return Item("without_fact", time)
    return Item("gave_facts", time, f"r({quoted(str(room))},{temp})")


def time_of(record: Mapping[str, object], declared: Declared) -> int:
    """The time of a record."""
    second = record.get("t2") if declared.has_second_time else None
    text = record.get("ts") if second is None or second == "" else second
    return seconds(text)


def seconds(text: object) -> int:
    """Seconds since 1970."""
    try:
        moment = datetime.fromisoformat(str(text).strip())
    except ValueError:
        raise UnreadableError from None
    if moment.tzinfo is None:
        raise UnreadableError
    return int((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() // 1)


def integer(value: object, *, is_lenient: bool) -> int | None:
    """The integer of a cell; None if it is missing."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]+\s*", value):
        return int(value)
    if is_lenient and not re.fullmatch(r"\s*-?[0-9.]+\s*", str(value)):
        return None
    raise UnreadableError


PREFIX = re.compile(r"(\S+) +[^ ]+ sshd: Failed password for ")


def of_log(line: str) -> Item:
    """A line of a log: `^{:word} sshd: Failed password for {user:text} from {ip:ip}$` behind its time."""
    stamp = line.split(" ", 1)[0]
    try:
        time = seconds(stamp) if "T" in stamp else None
    except UnreadableError:
        time = None
    begun = PREFIX.match(line)
    if begun is None or time is None:
        return Item("passed_over", time)
    user, found, address = line[begun.end() :].rpartition(" from ")
    try:
        ip_address(address)
    except ValueError:
        found = ""
    if not found:
        return Item("passed_over", time)
    return Item("gave_facts", time, f"f({quoted(user)},{quoted(address)})")


def quoted(text: str) -> str:
    """A text as answers write it."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


def gated(records: Sequence[Item], lateness: int, gap: int | None) -> Sequence[Item]:
    """The records in the order in which their times are accepted; wrong clocks are rejected."""
    timed = [one for one in records if one.time is not None]
    rest = [one for one in timed if one.seconds >= DAY]
    far = float("inf") if gap is None else lateness + gap
    while len(rest) > 3 and all(rest[0].seconds - other.seconds > far for other in rest[1:4]):
        reject(rest.pop(0))
    accepted: list[Item] = []
    unset: list[Item] = []
    waiting: list[Item] = []
    latest: int | None = None

    def accept(item: Item) -> None:
        nonlocal latest
        for one in [one for one in unset if timed.index(one) < timed.index(item)]:
            unset.remove(one)
            if item.seconds - one.seconds > YEAR:
                reject(one)
            else:
                accepted.append(one)
        accepted.append(item)
        latest = max(item.seconds, latest or 0)

    def is_far(item: Item) -> bool:
        return latest is not None and item.seconds - latest > far

    def votes(item: Item, number: int) -> tuple[int, int]:
        """How many of the records up to one confirm an item, and how many contradict it."""
        later = rest[rest.index(item) + 1 : number + 1]
        against = sum(one.seconds < item.seconds - lateness for one in later)
        return len(later) - against, against

    number = -1
    for item in timed:
        if item.seconds < DAY:
            unset.append(item)
            continue
        if item not in rest:
            continue
        number += 1
        for one in [one for one in waiting if votes(one, number)[1] >= 3]:
            waiting.remove(one)
            reject(one)
        waits = is_far(item)
        if waits:
            waiting.append(item)
        sure = [one for one in waiting if votes(one, number)[0] >= 3]
        while sure:
            waiting.remove(sure[0])
            accept(sure[0])
            near = [one for one in waiting if not is_far(one)]
            sure = near or [one for one in waiting if votes(one, number)[0] >= 3]
        if not waits:
            accept(item)
    while waiting:
        item = waiting.pop(0)
        confirmed, against = votes(item, number)
        if not is_far(item) or confirmed > against or confirmed == against == 0:
            accept(item)
        else:
            reject(item)
    return [*accepted, *unset]


def reject(item: Item) -> None:
    """The time of a record cannot be right."""
    item.count = "rejected"
