"""How a kind of file is told: its text by a pattern of its rows, and its values by plain Python."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal

Value = str | int | Decimal | datetime | timedelta | None
Values = tuple[Value, ...]

START = datetime(2026, 1, 15, 6, tzinfo=UTC)
NUMBER = 40


@dataclass(frozen=True)
class Kind:
    """A file, and what a person reads in it.

    Attributes:
        file: its name.
        content: its bytes.
        names: the columns that are read, but for those of the time.
        rows: of each row its time and its values, None for a missing one.
        refusal: what is said if the status is 1; empty if it is 0.
        held: what `#held` has behind `by`; `all` if it has no key; empty if nothing is held.
        zone: that of the machine.
    """

    file: str
    content: bytes = field(repr=False)
    names: tuple[str, ...] = ()
    rows: Sequence[tuple[datetime | int, Values]] = field(default=(), repr=False)
    refusal: str = ""
    held: str = ""
    zone: str = "UTC"


def minute(n: int) -> datetime:
    return START + timedelta(minutes=n)


def second(n: int) -> datetime:
    return START + timedelta(seconds=n)


def quarter(n: int) -> datetime:
    return START + n * timedelta(minutes=15)


def hour(n: int) -> datetime:
    return START + timedelta(hours=n)


def day(n: int) -> datetime:
    return datetime(2026, 1, 9, tzinfo=UTC) + timedelta(days=n)


def tenths(n: int) -> Decimal:
    return Decimal(200 + 7 * n % 53).scaleb(-1)


def cents(n: int) -> Decimal:
    return Decimal(123456 + 98765 * n % 100003).scaleb(-2)


def some(n: int, most: int) -> int:
    """A number below another one, in no order."""
    return (2654435761 * (n + 1) >> 12) % most


def german(number: Decimal) -> str:
    """A number with a point between thousands, and a comma before its decimals."""
    return f"{number:,}".translate({ord(","): ".", ord("."): ","})


def table(
    file: str,
    header: str,
    line: str | Callable[[int], str],
    names: str = "",
    values: Callable[[int], Values] = lambda _: (),
    *,
    at: Callable[[int], datetime] = minute,
    number: int = NUMBER,
    end: str = "",
    encoding: str = "utf-8",
    refusal: str = "",
    held: str = "",
    zone: str = "UTC",
) -> Kind:
    """A table of text.

    A line is a format with `{at}`, `{n}` and the values by their places, missing ones empty, or a function.

    Args:
        file: its name.
        header: what stands before the rows.
        line: the row of a number.
        names: the columns that are read, with `|` between.
        values: what these have in the row of a number.
        at: the time of that row.
        number: how many rows there are.
        end: what stands behind the rows.
        encoding: that of the text.
        refusal: see `Kind`.
        held: see `Kind`.
        zone: see `Kind`.
    """

    def text(n: int) -> str:
        if not isinstance(line, str):
            return line(n)
        told = ["" if one is None else one for one in values(n)]
        return line.format(*told, at=at(n), n=n)

    lines = [*([header] if header else []), *map(text, range(number))]
    content = ("".join(f"{one}\n" for one in lines) + end).encode(encoding)
    rows = [(at(n), values(n)) for n in range(number)]
    return Kind(file, content, tuple(names.split("|")) if names else (), rows, refusal, held, zone)


def refused(
    file: str,
    header: str,
    line: str | Callable[[int], str],
    refusal: str,
    *,
    number: int = NUMBER,
    end: str = "",
) -> Kind:
    """A table of text that no declaration reads."""
    return table(file, header, line, refusal=refusal, number=number, end=end)
