"""Metrics as Prometheus reads them, and as InfluxDB does."""

import re
from collections.abc import Iterable, Sequence

from lars2asp.runtime.command_line.log_forms.form_table import LEVEL
from lars2asp.runtime.command_line.log_forms.program_logs import EPOCHS
from lars2asp.runtime.sources.survey.line_form import LineForm, LineKind

_SAMPLE = re.compile(
    rf"(?!{LEVEL}:)[A-Za-z_:][A-Za-z0-9_:]*(?:\{{.*\}})?\s+([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?|NaN|[+-]Inf)(?:\s+(-?\d+))?\s*"
)
_NAME = "Prometheus text"

NO_TIME = (
    "its samples have no time of their own: ask the server of Prometheus for "
    "/api/v1/query_range, and declare",
    '#input sample(metric.job, each "values.2") at each "values.1" "%s".',
)


_VALUE = r"(?P<value>[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?|nan|NaN)"
_STORED = (
    (
        "samples of Graphite",
        re.compile(rf"\S+ {_VALUE} \d{{10}}"),
        "name, {}",
        "^{name:word} {value:word} {time:int}$",
    ),
    (
        "samples of OpenTSDB",
        re.compile(rf"put \S+ \d+ {_VALUE} .*"),
        'name, tags or "", {}',
        "^put {name:word} {time:int} {value:word}( {tags:rest})?$",
    ),
)

_LINE = re.compile(r"(?:\\.|[^\s,=\\])+(?:,(?:\\.|[^\s\\])+)? (?:\\.|[^\s=\\])+=\S.*\s\d{16,19}\s*")

INFLUX = (
    "give it as FILE?format=influx, to check --input and to run: that needs pip install 'lars2asp[influx]'",
)


def line_protocol(lines: Sequence[str]) -> Iterable[LineForm]:
    """Lines of InfluxDB, which have a format of their own."""
    read = [_LINE.fullmatch(line) for line in lines if not line.startswith("#")]
    if read and all(read):
        yield LineForm("line protocol of InfluxDB", (), said=INFLUX)


def metrics(lines: Sequence[str]) -> Iterable[LineForm]:
    """Samples with times. Those without have no declaration."""
    samples = [_SAMPLE.fullmatch(line) for line in lines if not line.startswith("#")]
    known = [one for one in samples if one is not None]
    if not known or len(known) < len(samples):
        return
    if not all(one[2] for one in known):
        yield LineForm(_NAME, (), said=NO_TIME)
        return
    number, digits = _number([one[1] for one in known])
    form = EPOCHS.get(len(known[0][2] or ""), "%Q")
    pattern = "^({name}\\{{labels:text}\\}|{name:word}) {value:word} {time:int}$"
    decimals = f"_, _, {digits}" if digits else ""
    columns = f'name, labels or "", {number}'
    yield LineForm(_NAME, (LineKind("sample", columns, pattern, f'time "{form}"', decimals),), like="^[^#]")


def stored(lines: Sequence[str]) -> Iterable[LineForm]:
    """Samples as Graphite and OpenTSDB take them."""
    for name, like, columns, pattern in _STORED:
        values = [found["value"] for line in lines if (found := like.fullmatch(line))]
        if not values:
            continue
        number, digits = _number(values)
        places = ", ".join("_" * columns.count(", "))
        for form, length in (("%s", 10), ("%Q", 13)):
            kind = LineKind(
                "sample",
                columns.format(number),
                pattern,
                f'time "{form}"',
                f"{places}, {digits}" if digits else "",
            )
            yield LineForm(name, (kind,), like=rf" \d{{{length}}}(?: |$)")


def _number(values: Sequence[str]) -> tuple[str, int]:
    """The column of values, and their decimals."""
    digits = max(len(one.partition(".")[2]) if one[-1:].isdigit() else 0 for one in values)
    return ("number(value) or missing" if digits else "int(value) or missing"), digits
