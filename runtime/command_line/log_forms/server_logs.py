"""Logs of databases, proxies, systems and telephone exchanges."""

from collections.abc import Iterable, Sequence

from lars2asp.runtime.command_line.log_forms.form_table import CLOCK, ISO, LEVEL, Row, forms_of
from lars2asp.runtime.sources.survey.line_form import LineForm

_ROWS = (
    Row(
        "error log of MySQL",
        ISO,
        rf" \d+ \[{LEVEL}\] ",
        'thread, level, code or "", part or "", message',
        "^{thread:int} [{level:word}] ([{code:word}] [{part:word}] )?{message:rest}",
    ),
    Row(
        "general log of MySQL",
        ISO,
        r"\t *\d+ [A-Z][a-z]+",
        "connection, command",
        "^{connection:int} {command:rest}",
        said=("command: its name, and its text after a tab",),
    ),
    Row(
        "log of MongoDB",
        ISO,
        r" (?:[FEWI]|D\d?) +[A-Z-]+ +\[",
        "severity, component, context, message",
        "^{severity:word} {component:word} [{context:word}] {message:rest}",
    ),
    Row(
        "log of Redis",
        "",
        rf"\d+:[XCSM] \d\d [A-Z][a-z]{{2}} \d{{4}} {CLOCK}\.\d+ [.*#-] ",
        "pid, role, level, message",
        "^{pid:int}:{role:word} {day:word} {month:word} {year:word} {clock:word} {level:word} {message:rest}",
        'day + month + year + clock "%d %b %Y %H:%M:%S.%f"',
    ),
    Row(
        "log of Nagios",
        "",
        r"\[\d{10}\] [A-Z]",
        "message",
        "^[{time:int}] {message:rest}",
        'time "%s"',
    ),
    Row(
        "log of Asterisk",
        rf"\[{ISO}",
        rf"\] {LEVEL}\[\d+\](?:\[\S+\])? [^\s:]+: ",
        "level, thread, source, message",
        "^{level:word}[{thread:int}]([{:word}])? {source:word}: {message:rest}",
        '"[%Y-%m-%d %H:%M:%S]"',
    ),
    Row(
        "access log of Envoy",
        rf"\[{ISO}",
        r'\] "[A-Z-]+ [^"]*" \d+ \S+ \d+ \d+ \d+ \S+ "',
        "request, status, flags, received, sent, took, agent, host, upstream",
        '^"{request:quoted}" {status:int} {flags:word} {received:int} {sent:int} {took:int} {:word} '
        '"{:quoted}" "{agent:quoted}" "{:quoted}" "{host:quoted}" "{upstream:quoted}"',
        '"[%Y-%m-%dT%H:%M:%S.%f%z]"',
        said=("took is in milliseconds; the text after the upstream is left out",),
        predicate="request",
    ),
    Row(
        "log of Django",
        rf"\[\d\d/[A-Z][a-z]{{2}}/\d{{4}} {CLOCK}",
        r'\] "[^"]*" \d{3} \d+$',
        "request, status, bytes",
        '^"{request:quoted}" {status:int} {bytes:int}$',
        '"[%d/%b/%Y %H:%M:%S]"',
        predicate="request",
    ),
    Row(
        "log of Heroku",
        ISO,
        r" (?:heroku|app)\[[\w.]+\]: ",
        "source, process, message",
        "^{source:word}[{process:word}]: {message:rest}",
    ),
    Row(
        "log of Windows servicing (CBS)",
        ISO,
        rf", {LEVEL} +[A-Z]+ +",
        "level, component, message",
        "^, {level:word} {component:word} {message:rest}",
        '"%Y-%m-%d %H:%M:%S"',
    ),
    Row(
        "unified log of macOS",
        ISO,
        r" +0x[0-9a-f]+ +[A-Z][a-z]+ +0x[0-9a-f]+ +\d+ +\d+ +\S+: ",
        "thread, type, activity, pid, process, message",
        "^{thread:word} {type:word} {activity:word} {pid:int} {:int} {process:word}: {message:rest}",
    ),
    Row(
        "log of a supercomputer",
        "",
        r"\S+ \d{10} \d{4}\.\d\d\.\d\d \S+ ",
        "label, node, message",
        "^{label:word} {time:int} {:word} {node:word} {message:rest}",
        'time "%s"',
    ),
)


def server_logs(_: Sequence[str]) -> Iterable[LineForm]:
    """Logs of MySQL, MongoDB, Redis, Envoy and others."""
    return forms_of(_ROWS)
