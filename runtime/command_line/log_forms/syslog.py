"""Lines of syslog, and of programs that log by it: Postfix, haproxy, devices with CEF and LEEF."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lars2asp.runtime.sources.survey.line_form import LineForm, LineKind

_TIMES = (("", '"%b %d %H:%M:%S"'), (" with timestamps of ISO 8601", ""))
"""How lines begin, and what is behind `at`: as RFC 3164 says, and as rsyslog writes by default."""

_TAG = "({program:word}[{pid:int}]: |{program:word}: )"
_COLUMNS = 'host, program or "", pid or 0, message'

_STRUCTURED = (
    "^<{priority:int}>1 {time:word} {host:word} {program:word} {pid:word} {id:word} "
    "(- {message:rest}|-|{message:rest})"
)


def syslog(_: Sequence[str]) -> Iterable[LineForm]:
    """Syslog by RFC 5424 and by RFC 3164, with and without a priority."""
    columns = 'priority, host, program, pid, id, message or ""'
    structured = LineKind("message", columns, _STRUCTURED, "time")
    said = "structured data are the beginning of the message"
    yield LineForm("syslog by RFC 5424", (structured,), said=(said,))
    precise = r"^(?:<\d+>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d\.\d"
    for like, at in ((precise, '"%b %d %H:%M:%S.%f"'), ("", _TIMES[0][1])):
        yield LineForm("syslog", (replace(_message(f"{_TAG}?"), at=at),), like=like)
    yield LineForm(
        f"syslog{_TIMES[1][0]}", (_message(_TAG),), like=r"^\S+ (?![A-Z]+ )\S+ [^\s\[\]=]+(?:\[\d+\])?: "
    )


def _message(tag: str) -> LineKind:
    return LineKind("message", _COLUMNS, f"^{{host:word}} {tag}{{message:rest}}")


def _by_syslog(name: str, kinds: Sequence[LineKind], *, is_part: bool = False) -> Iterator[LineForm]:
    """A form whose lines a syslog writes; with other messages between them if they are a part."""
    for more, at in _TIMES:
        own = tuple(replace(kind, at=at) for kind in kinds)
        if is_part:
            tag = f"{_TAG}?" if at else _TAG
            yield LineForm(name + more, (replace(_message(tag), at=at),), own)
        else:
            yield LineForm(name + more, own)


def postfix(_: Sequence[str]) -> Iterable[LineForm]:
    """Mail that Postfix takes, refuses and delivers, and all its messages."""
    begin = "^{host:word} postfix{:word}[{:int}]: "
    yield from _by_syslog(
        "log of Postfix",
        (
            LineKind("connected", "client, ip", f"{begin}connect from {{client:word}}[{{ip:ip}}]$"),
            LineKind(
                "refused",
                'queue or "", client, ip, code, reason',
                f"{begin}(NOQUEUE|{{queue:word}}): reject: {{:word}} from {{client:word}}[{{ip:ip}}]: "
                "{code:int} {reason:rest}",
            ),
            LineKind(
                "queued",
                'queue, sender or "", size, recipients',
                f"{begin}{{queue:word}}: from=<({{sender:word}})?>, size={{size:int}}, "
                "nrcpt={recipients:int} \\(queue active\\)$",
            ),
            LineKind(
                "delivery",
                "queue, recipient, relay, number(delay), dsn, status, reply",
                f"{begin}{{queue:word}}: to=<{{recipient:word}}>,( orig_to=<{{:word}}>,)? "
                "relay={relay:word},( conn_use={:int},)? delay={delay:number}, delays={:word}, "
                "dsn={dsn:word}, status={status:word} {reply:rest}",
                decimals="_, _, _, 2, _, _, _",
            ),
        ),
        is_part=True,
    )


_PEER = "{client:ip}:{port:int} "
_SERVER = " {frontend:word} {backend:word}/{server:word} "
_CONNECTIONS = "{:int}/{:int}/{:int}/{:int}/{:word} {:int}/{:int}"
_HTTP = (
    _SERVER
    + "{:int}/{:int}/{:int}/{:int}/(+)?{took:int} {status:int} (+)?{bytes:int} {:word} {:word} {ended:word} "
    f'{_CONNECTIONS} ({{:text}} )?"{{request:quoted}}"$'
)
_TCP = _SERVER + "{:int}/{:int}/(+)?{took:int} (+)?{bytes:int} {ended:word} " + f"{_CONNECTIONS}$"


def haproxy(_: Sequence[str]) -> Iterable[LineForm]:
    """Requests and connections that haproxy passes on."""
    http = "client, frontend, backend, server, took, status, bytes, ended, request"
    tcp = "client, frontend, backend, server, took, bytes, ended"
    begin = f"^{{host:word}} haproxy[{{:int}}]: {_PEER}[{{:word}}]"
    said = ("took is in milliseconds", "lines of haproxy about itself are passed over")
    kinds = (LineKind("request", http, begin + _HTTP), LineKind("connection", tcp, begin + _TCP))
    for form in _by_syslog("log of haproxy", kinds):
        yield replace(form, said=said)
    begin = f"^{_PEER}[{{time:word}}]"
    at = 'time "%d/%b/%Y:%H:%M:%S.%f"'
    kinds = LineKind("request", http, begin + _HTTP, at), LineKind("connection", tcp, begin + _TCP, at)
    yield LineForm("log of haproxy", kinds, said=said)


def devices(_: Sequence[str]) -> Iterable[LineForm]:
    """Events of devices in the Common Event Format (CEF) and the Log Event Extended Format (LEEF)."""
    begin = "^{host:word} "
    columns = "vendor, product, version, event, name, severity, extension"
    pattern = (
        begin + "CEF:{:int}\\|{vendor:piped}\\|{product:piped}\\|{version:piped}\\|{event:piped}\\|"
        "{name:piped}\\|{severity:piped}\\|{extension:rest}"
    )
    yield from _by_syslog("CEF in syslog", (LineKind("event", columns, pattern),))
    columns = "vendor, product, version, event, attributes"
    pattern = (
        begin + "LEEF:{:number}\\|{vendor:piped}\\|{product:piped}\\|{version:piped}\\|{event:piped}\\|"
        "{attributes:rest}"
    )
    yield from _by_syslog("LEEF in syslog", (LineKind("event", columns, pattern),))
