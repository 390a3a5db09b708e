"""Metrics as Prometheus reads them, and as InfluxDB does."""

import re
from collections.abc import Iterable, Sequence

from lars2asp.runtime.command_line.log_forms.form_table import LEVEL
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


_LINE = re.compile(r"(?:\\.|[^\s,=\\])+(?:,(?:\\.|[^\s\\])+)? (?:\\.|[^\s=\\])+=\S.*\s\d{16,19}\s*")

INFLUX = (
    "give it as FILE?format=influx, to check --input and to run: that needs pip install 'lars2asp[influx]'",
)


def line_protocol(lines: Sequence[str]) -> Iterable[LineForm]:
    """Lines of InfluxDB, which have a format of their own."""
    if all(_LINE.fullmatch(line) or line.startswith("#") for line in lines):
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
    digits = max(len(one[1].partition(".")[2]) if one[1][-1:].isdigit() else 0 for one in known)
    value = "number(value) or missing" if digits else "int(value) or missing"
    pattern = "^({name}\\{{labels:text}\\}|{name:word}) {value:word} {time:int}$"
    decimals = f"_, _, {digits}" if digits else ""
    columns = f'name, labels or "", {value}'
    yield LineForm(_NAME, (LineKind("sample", columns, pattern, 'time "%Q"', decimals),), like="^[^#]")
