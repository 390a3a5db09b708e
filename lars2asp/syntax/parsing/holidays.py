"""The files of holidays that a `#calendar` names."""

import csv
from datetime import date
from pathlib import Path

from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.source import shown


def read_holidays(path: Path) -> tuple[tuple[date, str], ...]:
    """The dates and names in a file of separated values, in order, each once.

    A line has a date of ISO 8601 and a name; the first one may be that of a header. The separator is the one
    of `,` `;` tab that stands behind most dates.

    Raises:
        Lars2aspError: where the file cannot be read, or a line is none of these.
    """
    found: dict[tuple[date, str], None] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = file.readlines()
            sign = max(_SEPARATORS, key=lambda one: sum(_separates(line, one) for line in lines))
            reader = csv.reader(lines, delimiter=sign)
            for row in reader:
                if not any(map(str.strip, row)):
                    continue
                place = f"{path}:{reader.line_num}"
                day = _date_of(row[0])
                if day is None and reader.line_num == 1:
                    continue
                if day is None:
                    raise Lars2aspError(f"{place}: {shown(row[0])!r} is not a date")
                if len(row) < 2 or not row[1].strip():
                    raise Lars2aspError(f"{place}: the holiday has no name")
                found[day, row[1].strip()] = None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Lars2aspError(f"{path}: cannot be read: {error}") from error
    return tuple(sorted(found))


_SEPARATORS = (",", ";", "\t")


def _separates(line: str, sign: str) -> bool:
    """Whether a sign stands behind a date."""
    first, found, _ = line.partition(sign)
    return bool(found) and _date_of(first.strip('\ufeff" ')) is not None


def _date_of(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None
