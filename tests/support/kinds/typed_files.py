"""Parquet, Feather and workbooks: their cells have types."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any

from tests.support.kinds.kind import NUMBER, Kind, Values, day, hour, minute, second, some, tenths


def frame(
    file: str,
    names: str,
    values: Callable[[int], Values],
    at: Callable[[int], datetime],
    columns: Callable[[Any], Any],
    held: str = "",
) -> Kind:
    """A file of a data frame of pandas."""
    import pandas as pd  # noqa: PLC0415 - it takes long

    told = pd.DataFrame(columns(range(NUMBER)))
    written = BytesIO()
    if file.endswith(".parquet"):
        told.to_parquet(written)
    else:
        told.to_feather(written)
    rows = [(at(n), values(n)) for n in range(NUMBER)]
    return Kind(file, written.getvalue(), tuple(names.split("|")), rows, held=held)


def workbook(
    file: str,
    heads: Sequence[Sequence[Any]],
    row: Callable[[int], Sequence[Any]],
    names: str,
    values: Callable[[int], Values],
    at: Callable[[int], datetime],
    held: str = "",
) -> Kind:
    """A workbook with one sheet."""
    from openpyxl import Workbook  # noqa: PLC0415 - it takes long

    book = Workbook()
    for one in (*heads, *map(row, range(NUMBER))):
        book.active.append(list(one))
    written = BytesIO()
    book.save(written)
    rows = [(at(n), values(n)) for n in range(NUMBER)]
    return Kind(file, written.getvalue(), tuple(names.split("|")), rows, held=held)


def local(at: datetime) -> datetime:
    return at.replace(tzinfo=None)


TYPED_FILES = [
    frame(
        "zoned.parquet",
        "sensor|value|ok",
        lambda n: (
            f"s{n % 2}",
            None if n % 9 == 4 else Decimal(str(20 + n / 4)),
            "true" if n % 2 else "false",
        ),
        lambda n: minute(n // 2),
        lambda some: {
            "at": [minute(n // 2) for n in some],
            "sensor": [f"s{n % 2}" for n in some],
            "value": [None if n % 9 == 4 else 20 + n / 4 for n in some],
            "ok": [n % 2 == 1 for n in some],
        },
        held="sensor",
    ),
    frame(
        "trips.parquet",
        "vendor|dropoff|fare|took",
        lambda n: (1 + n % 2, minute(n * n + 9), tenths(n), timedelta(minutes=9)),
        lambda n: minute(n * n),
        lambda some: {
            "vendor": [1 + n % 2 for n in some],
            "pickup": [local(minute(n * n)) for n in some],
            "dropoff": [local(minute(n * n + 9)) for n in some],
            "fare": [tenths(n) for n in some],
            "took": [timedelta(minutes=9) for _ in some],
            "path": [[n, n + 1] for n in some],
        },
    ),
    frame(
        "floats.feather",
        "ts_machine|x",
        lambda n: (f"m{n % 2}", Decimal(n) / 8),
        lambda n: second(n // 2),
        lambda some: {
            "ts": [second(n // 2).timestamp() for n in some],
            "ts_machine": [f"m{n % 2}" for n in some],
            "x": [n / 8 for n in some],
        },
        held="ts_machine",
    ),
    frame(
        "days.parquet",
        "shop|sold",
        lambda n: (f"a{n % 2}", n),
        lambda n: day(n // 2),
        lambda some: {
            "date": [day(n // 2).date() for n in some],
            "shop": [f"a{n % 2}" for n in some],
            "sold": [*some],
        },
        held="shop",
    ),
    workbook(
        "book.xlsx",
        [["Sensors of hall 7"], [], ["Time", "Hall", None, "Bath", None], ["", "Temp", "Hum", "Temp", "Hum"]],
        lambda n: [local(minute(n)), float(tenths(n)), 40 + n, float(tenths(n + 1)), 50 + n],
        "Hall Temp|Hall Hum|Bath Temp|Bath Hum",
        lambda n: (tenths(n), 40 + n, tenths(n + 1), 50 + n),
        minute,
        held="all",
    ),
    workbook(
        "split.xlsx",
        [["Date", "Time", "Who", "Amount", "Paid"]],
        lambda n: [
            local(hour(n)).date(),
            local(hour(n)).time(),
            f"u{some(n, 3)}",
            float(tenths(n)),
            some(n, 2) == 0,
        ],
        "Who|Amount|Paid",
        lambda n: (f"u{some(n, 3)}", tenths(n), "false" if some(n, 2) else "true"),
        hour,
        held="all",
    ),
]
