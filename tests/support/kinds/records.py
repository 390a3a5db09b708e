"""Files of JSON records after published formats, and what plain Python reads in them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

START = datetime(2026, 1, 15, 6, tzinfo=UTC)
NUMBER = 40

Time = datetime | int
Values = Mapping[str, Any]


@dataclass(frozen=True)
class RecordKind:
    """A file, and what a person reads in it.

    Attributes:
        file: its name.
        content: its bytes.
        records: for each record its time, and what its elements say by the paths of their fields.
        lists: the fields with lists that are left out, and named.
        said: what a message says if the status is 1; empty if the proposal is right.
    """

    file: str
    content: bytes = field(repr=False)
    records: Sequence[tuple[Time, Sequence[Values]]] = field(default=(), repr=False)
    lists: frozenset[str] = frozenset()
    said: str = ""


def moment(n: int) -> datetime:
    return START + n * timedelta(minutes=1)


def iso(n: int, more: str = "Z") -> str:
    return f"{moment(n):%Y-%m-%dT%H:%M:%S}{more}"


def epoch(n: int, factor: int = 1) -> int:
    return int(moment(n).timestamp()) * factor


def tenths(n: int) -> float:
    return (200 + 7 * n % 53) / 10


def lines(records: Sequence[Any]) -> str:
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records)


def joined(separator: str, begin: str = "", end: str = "", **form: Any) -> Callable[[Sequence[Any]], str]:
    """The records one after the other."""
    return lambda found: begin + separator.join(json.dumps(one, **form) for one in found) + end


def indented(records: Sequence[Any]) -> str:
    return json.dumps(records, indent=2)


def fields(found: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The values of an object by their paths; numbers are exact; lists stay."""
    for name, value in found.items():
        if isinstance(value, dict):
            yield from fields(value, f"{before}{name}.")
        elif isinstance(value, bool):
            yield before + name, str(value).lower()
        else:
            yield before + name, Decimal(repr(value)) if isinstance(value, float) else value


def elements(found: Mapping[str, Any], each: str) -> Sequence[dict[str, Any]]:
    """What an object says: once, or for each element of a list of objects, or of lists side by side."""
    flat = dict(fields(found))
    plain = {name: value for name, value in flat.items() if not isinstance(value, list)}
    if each and isinstance(flat.get(each), list):
        return [plain | {f"{each}.{name}": cell for name, cell in fields(one)} for one in flat[each]] or [
            plain
        ]
    return [plain]


def records(
    file: str,
    record: Callable[[int], Mapping[str, Any]],
    form: Callable[[Sequence[Any]], str] = lines,
    *,
    at: Callable[[int], Time] = moment,
    each: str = "",
    number: int = NUMBER,
    said: str = "",
) -> RecordKind:
    """Records in a form, of which one is that of a number."""
    found = [record(n) for n in range(number)]
    told = [(at(n), elements(one, each)) for n, one in enumerate(found)]
    lists = {name for one in found for name, value in fields(one) if isinstance(value, list) and name != each}
    return RecordKind(file, form(found).encode(), told, frozenset(lists), said)


def pairs(
    file: str,
    document: Any,
    path: str,
    shared: Callable[[int], Values],
    number: int,
    *,
    lists: Sequence[str] = (),
) -> RecordKind:
    """One document with rows of a time in seconds and a value, which stand at places of lists on a path."""
    told = [
        (moment(n), [{**shared(k), f"{path}.1": epoch(n), f"{path}.2": Decimal(repr(tenths(n + k)))}])
        for k in range(number)
        for n in range(NUMBER)
    ]
    return RecordKind(file, json.dumps(document).encode(), told, frozenset(lists))


def within(
    file: str,
    path: str,
    record: Callable[[int], Mapping[str, Any]],
    *,
    at: Callable[[int], Time] = moment,
    each: str = "",
    lists: Sequence[str] = (),
    document: Callable[[Any], Any] = lambda found: found,
    **beside: Any,
) -> RecordKind:
    """One document with records in a list on a path, and with what stands beside it."""
    found = [record(n) for n in range(NUMBER)]
    inner: Any = found
    for name in reversed(path.split(".")):
        inner = {name: inner}
    shared = dict(fields(beside))
    told = [
        (
            at(n),
            [
                shared | {f"{path}.{name}": cell for name, cell in some.items()}
                for some in elements(one, each)
            ],
        )
        for n, one in enumerate(found)
    ]
    return RecordKind(file, json.dumps(document({**beside, **inner})).encode(), told, frozenset(lists))
