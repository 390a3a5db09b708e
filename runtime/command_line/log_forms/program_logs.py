"""Logs that programs write by themselves: Postgres, the audit of Linux, containers, logfmt."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from lars2asp.runtime.command_line.log_forms.form_table import CONTINUED
from lars2asp.runtime.sources.survey.column_kinds import column_text
from lars2asp.runtime.sources.survey.line_form import LineForm, LineKind

_ISO_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d"
_FORGED = "a client whose user is called `LOG: x` looks like the server: the CSV log tells them apart"
_POSTGRES_TIME = '"%Y-%m-%d %H:%M:%S.%f %Z"'
_AUDIT = "^(node={node:word} )?type={type:word} msg=audit\\({time:number}:{serial:int}\\):( )?{message:rest}"


def servers(_: Sequence[str]) -> Iterable[LineForm]:
    """Logs of Postgres, of the audit of Linux, and of containers."""
    postgres = "^[{pid:int}] ({user:word}@{database:word} )?{level:word}: {message:rest}"
    columns = 'level, user or "", database or "", pid, message'
    yield LineForm(
        "log of Postgres",
        (LineKind("logged", columns, postgres, _POSTGRES_TIME),),
        begun=_ISO_TIME,
        said=(CONTINUED, _FORGED),
    )
    audit = LineKind("audit", "type, serial, message", _AUDIT, 'time "%s"')
    yield LineForm("log of auditd", (audit,))
    container = LineKind("said", "stream, tag, message", "^{stream:word} {tag:word} {message:rest}")
    yield LineForm("log of a container", (container,), like=r"^\S+ (?:stdout|stderr) [FP]\b")


_CSV_COLUMNS = (
    'text(column(2)) or "", text(column(3)) or "", column(4), text(column(5)) or "", text(column(12)), '
    'text(column(13)) or "", text(column(14)) or ""'
)
_CELL = '(?:"(?:[^"]|"")*"|[^",]*)'
_CSV_LIKE = rf"^\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [A-Z]{{1,5}},{_CELL},{_CELL},\d+,"


def csv_logs(_: Sequence[str]) -> Iterable[LineForm]:
    """The CSV log of Postgres."""
    kind = LineKind("logged", _CSV_COLUMNS, "", f"column(1) {_POSTGRES_TIME}")
    said = "user, database, process, client, severity, code and message; other columns are left out"
    yield LineForm("CSV log of Postgres", (kind,), like=_CSV_LIKE, begun=_ISO_TIME, said=(said,))


_PAIR = re.compile(r'([A-Za-z_][A-Za-z0-9_.]*)=("(?:[^"\\]|\\.)*"|[^\s"]*)(?:\s|$)')
_TIMES, _DAY = ("time", "ts", "t", "timestamp"), "date"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_MOST_DIGITS = 6
EPOCHS = {10: "%s", 13: "%Q", 16: "%u", 19: "%n"}
"""The formats of numbers of our time that count since 1970, by their digits."""


def logfmt(lines: Sequence[str]) -> Iterator[LineForm]:
    """Pairs `key=value`, of which all lines have the same first ones; the rest is a text."""
    keys = [[key for key, _ in _pairs(line)] for line in lines]
    shared = _shared(keys)
    time = next((key for key in shared if key in _TIMES), None)
    if time is None or len(shared) < 2:
        return
    times = (_DAY, time) if _DAY in shared and time == "time" else (time,)
    values = [dict(_pairs(line)) for line in lines]
    pattern, columns, digits = "^", list[str](), list[str]()
    for key in shared:
        place, read, places = _place([one[key] for one in values if key in one], key)
        pattern += f"{key}={place} "
        if key not in times:
            columns.append(read)
            digits.append(places)
    first = values[0].get(time, "")
    epoch = EPOCHS.get(len(first.partition(".")[0])) if _NUMBER.fullmatch(first) else None
    at = " + ".join(map(column_text, times)) + (f' "{epoch}"' if epoch else "")
    is_whole = all(len(one) == len(shared) for one in keys)
    pattern = pattern[:-1] + ("$" if is_whole else "( {more:rest})?")
    if not is_whole:
        columns.append('more or ""')
        digits.append("_")
    decimals = ", ".join(digits) if {*digits} != {"_"} else ""
    kind = LineKind("logged", ", ".join(columns), pattern, at, decimals)
    said = "more: pairs that not all lines have, or not in the same order"
    yield LineForm("logfmt", (kind,), said=() if is_whole else (said,))


def _place(values: Sequence[str], key: str) -> tuple[str, str, str]:
    """The place of a key with some values, its column, and its decimals."""
    column = column_text(key)
    fractions = [value.partition(".")[2] for value in values]
    if all(map(_NUMBER.fullmatch, values)) and max(map(len, fractions), default=0) <= _MOST_DIGITS:
        if not any(fractions):
            return f"{{{key}:int}}", column, "_"
        return f"{{{key}:number}}", f"number({column})", str(_MOST_DIGITS)
    return f'("{{{key}:quoted}}"|{{{key}:word}}|)', f'{column} or ""', "_"


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """The pairs with which a line begins, of each key the first one; values without their quotes."""
    found = set[str]()
    at = 0
    while (pair := _PAIR.match(line, at)) and pair[1] not in found:
        found.add(pair[1])
        yield pair[1], pair[2][1:-1] if pair[2][:1] == '"' else pair[2]
        at = pair.end()


def _shared(keys: Sequence[Sequence[str]]) -> Sequence[str]:
    """The longest beginning that nine of ten have."""
    beginnings = Counter(tuple(one[:length]) for one in keys for length in range(1, len(one) + 1))
    most = [one for one, count in beginnings.items() if 10 * count >= 9 * len(keys)]
    return max(most, key=len, default=())
