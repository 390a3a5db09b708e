"""Logs of firewalls, proxies and name servers."""

from collections.abc import Iterable, Sequence

from lars2asp.runtime.command_line.log_forms.form_table import CLOCK, Row, forms_of
from lars2asp.runtime.sources.survey.line_form import LineForm

_CISCO = rf"(?:<\d+>)?[A-Z][a-z]{{2}} [ \d]\d \d{{4}} {CLOCK}(?:\.\d+)?"
_ALERTS = (
    "^[**] [{rule:word}] {message:text} [**] (\\[Classification: {class:text}\\] )?[Priority: {priority:int}]"
    " \\{{protocol:word}\\} {source:word} -> {target:word}$"
)
_ALERT = r"\.\d+ +\[\*\*\] \["
_EVENT = (
    "^CEF:{:int}\\|{vendor:piped}\\|{product:piped}\\|{version:piped}\\|{event:piped}\\|{name:piped}\\|"
    "{severity:piped}\\|({before:text} )?rt={time:int}( {behind:rest})?$"
)

_ROWS = (
    Row(
        "messages of Cisco ASA",
        _CISCO,
        r"(?: \S+)? ?: %",
        'host or "", facility, severity, id, message',
        "^({host:word} )?: %{facility:word}-{severity:int}-{id:word}: {message:rest}",
        '"%b %d %Y %H:%M:%S"',
    ),
    Row(
        "messages of Cisco IOS",
        "",
        rf"\d+: [*.]?[A-Z][a-z]{{2}} +\d+ {CLOCK}\.\d+: %",
        "number, facility, severity, id, message",
        "^{number:word}: (*|.)?{month:word} {day:word} {clock:word}: %{facility:word}-{severity:int}-"
        "{id:word}: {message:rest}",
        'month + day + clock "%b %d %H:%M:%S.%f"',
    ),
    *(
        Row(
            "alerts of Snort or Suricata",
            time,
            _ALERT,
            'rule, message, class or "", priority, protocol, source, target',
            _ALERTS,
            at,
            predicate="alert",
        )
        for time, at in (
            (rf"\d\d/\d\d-{CLOCK}", '"%m/%d-%H:%M:%S.%f"'),
            (rf"\d\d/\d\d/\d{{4}}-{CLOCK}", '"%m/%d/%Y-%H:%M:%S.%f"'),
        )
    ),
    Row(
        "access log of Squid",
        "",
        r"\d{10}\.\d{3} +-?\d+ \S+ \S+/\d+ \d+ ",
        "client, result, status, bytes, method, url, user, hierarchy, type, took",
        "^{time:number} {took:int} {client:word} {result:word}/{status:int} {bytes:int} {method:word} "
        "{url:word} {user:word} {hierarchy:word} {type:word}$",
        'time "%s"',
        said=("took is in milliseconds",),
        predicate="request",
    ),
    Row(
        "queries of BIND",
        rf"\d\d-[A-Z][a-z]{{2}}-\d{{4}} {CLOCK}\.\d+",
        r" (?:\S+: \S+: )?client .*: query: ",
        'client, name, class, type, flags, server or ""',
        "^({:word}: {:word}: )?client (@{:word} )?{client:ip}#{:int} \\({:word}\\): (view {:word}: )?query: "
        "{name:word} {class:word} {type:word} {flags:word}( \\({server:word}\\))?$",
        '"%d-%b-%Y %H:%M:%S.%f"',
        predicate="query",
    ),
    Row(
        "CEF",
        "",
        r"CEF:\d+\|.* ?\brt=\d{13}\b",
        'vendor, product, version, event, name, severity, before or "", behind or ""',
        _EVENT,
        'time "%Q"',
        said=("before and behind: the parts of the extension on both sides of the time",),
        predicate="event",
    ),
)


def network_logs(_: Sequence[str]) -> Iterable[LineForm]:
    """Messages of Cisco, alerts of Snort, requests to Squid, queries to BIND."""
    return forms_of(_ROWS)
