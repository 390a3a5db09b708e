"""Lines of logs of known forms, written as their programs write them, and the facts that they tell."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

Fact = tuple[str, tuple[Any, ...]]

START = datetime(2026, 2, 1, 14, 5, 7, tzinfo=UTC)
"""Its year is that of the file, as the last change says it in the tests."""


@dataclass(frozen=True)
class LogKind:
    """A form of logs.

    Attributes:
        form: what it is called.
        line: a line, of its time, of a text that somebody else chose, and of a number.
        facts: what it tells, of that text as it stands in the line, and of the number.
    """

    form: str
    line: Callable[[datetime, str, int], str]
    facts: Callable[[str, int], list[Fact]]


def at_of(number: int) -> datetime:
    """The time of a line."""
    return START + timedelta(seconds=7 * number)


def _slash(text: str) -> str:
    """As Apache and others write texts in quotes."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")


def _hex(text: str) -> str:
    """As nginx and haproxy do."""
    return "".join(rf"\x{ord(sign):02X}" if sign in '"\\{}|#\t' else sign for sign in text)


def _stamp(at: datetime) -> str:
    return f"{at:%d/%b/%Y:%H:%M:%S +0000}"


def _bsd(at: datetime) -> str:
    return f"{at:%b} {at.day:2d} {at:%H:%M:%S}"


def _browser(text: str, n: int) -> tuple[str, ...]:
    return f"u{text}u", f"GET /{n}?{text} HTTP/1.1", text, f"agent {text}"


def _combined(escape: Callable[[str], str], more: str = "") -> Callable[[datetime, str, int], str]:
    def line(at: datetime, text: str, n: int) -> str:
        user, request, referer, agent = map(escape, _browser(text, n))
        size = n if n % 3 else "-"
        return f'192.0.2.{n} - {user} [{_stamp(at)}] "{request}" {200 + n} {size} "{referer}" "{agent}"{more}'

    return line


def _combined_facts(escape: Callable[[str], str], *more: str) -> Callable[[str, int], list[Fact]]:
    def facts(text: str, n: int) -> list[Fact]:
        user, request, referer, agent = map(escape, _browser(text, n))
        size = n if n % 3 else 0
        return [("request", (f"192.0.2.{n}", user, request, 200 + n, size, referer, agent, *more))]

    return facts


def _common(at: datetime, text: str, n: int) -> str:
    return f'host{n}.example - - [{_stamp(at)}] "{_slash(text)}" {200 + n} {n + 1}'


def _message(text: str, n: int) -> list[Fact]:
    return [("message", ("mail", "app", n + 1, text.lstrip()))]


def _delivery(at: datetime, text: str, n: int) -> str:
    if n % 2:
        return f"{_bsd(at)} mail postfix/smtpd[{n + 1}]: connect from unknown[192.0.2.{n}]"
    return (
        f"{_bsd(at)} mail postfix/smtp[{n + 1}]: 4Z{n}: to=<a{n}@example.org>, "
        f"relay=mx.example[198.51.100.1]:25, delay=1.{n:02}, delays=0.1/0/0.1/1, dsn=2.0.0, "
        f"status=sent (250 {text})"
    )


def _delivery_facts(text: str, n: int) -> list[Fact]:
    if n % 2:
        return [
            ("connected", ("unknown", f"192.0.2.{n}")),
            ("message", ("mail", "postfix/smtpd", n + 1, f"connect from unknown[192.0.2.{n}]")),
        ]
    to = f"a{n}@example.org"
    relay, reply = "mx.example[198.51.100.1]:25", f"(250 {text})"
    said = (
        f"4Z{n}: to=<{to}>, relay={relay}, delay=1.{n:02}, delays=0.1/0/0.1/1, dsn=2.0.0, status=sent {reply}"
    )
    return [
        ("delivery", (f"4Z{n}", to, relay, 100 + n, "2.0.0", "sent", reply)),
        ("message", ("mail", "postfix/smtp", n + 1, said)),
    ]


def _haproxy(at: datetime, text: str, n: int) -> str:
    begin = f"{_bsd(at)} lb haproxy[99]: 2001:db8::{n}:4711 [{at:%d/%b/%Y:%H:%M:%S}.655]"
    if n % 4 == 3:
        return f"{begin} fnt bck/srv1 0/0/{n} 212 -- 0/0/0/0/+3 0/0"
    headers = f"{{{_hex(text)}|x}} {{}} " if n % 2 else ""
    return (
        f"{begin} http-in static/srv{n} 10/0/30/69/+{n} 200 2750 - - ---- 1/1/1/1/0 0/0 "
        f'{headers}"GET /{_hex(text)} HTTP/1.1"'
    )


def _haproxy_facts(text: str, n: int) -> list[Fact]:
    if n % 4 == 3:
        return [("connection", (f"2001:db8::{n}", "fnt", "bck", "srv1", n, 212, "--"))]
    request = f"GET /{_hex(text)} HTTP/1.1"
    return [
        ("request", (f"2001:db8::{n}", "http-in", "static", f"srv{n}", n, 200, 2750, "----", request)),
    ]


def _cef(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


def _s3(at: datetime, text: str, n: int) -> str:
    return (
        f"79a59 logs [{_stamp(at)}] 192.0.2.{n} arn:user 3E57 REST.GET.OBJECT key{n} "
        f'"GET /{_slash(text)} HTTP/1.1" {200 + n} - {n} - 7 - "-" "{_slash(text)}" - s9lz SigV4 -'
    )


def _balancer(at: datetime, text: str, n: int) -> str:
    target, took = ("10.0.0.1:80", f"0.{n:03}") if n % 3 else ("-", "-1")
    return (
        f"https {at:%Y-%m-%dT%H:%M:%S}.186641Z app/lb/50dc 192.0.2.{n}:2817 {target} 0.001 {took} 0.000 "
        f'{200 + n} {200 if n % 3 else "-"} 34 366 "GET https://x/{_hex(text)} HTTP/1.1" "{_hex(text)}" '
        f'ECDHE TLSv1.2 arn:aws "Root=1-5" "x" "arn" 0 {at:%Y-%m-%dT%H:%M:%S}.100000Z "forward" "-" "-"'
    )


def _balancer_facts(text: str, n: int) -> list[Fact]:
    target, took = ("10.0.0.1:80", n) if n % 3 else ("-", -1000)
    request = f"GET https://x/{_hex(text)} HTTP/1.1"
    answered = 200 if n % 3 else 0
    facts = ("https", f"192.0.2.{n}", target, took, 200 + n, answered, 34, 366, request, _hex(text))
    return [("request", facts)]


def _flow(at: datetime, _: str, n: int) -> str:
    end = int(at.timestamp())
    if n % 5 == 4:
        return f"2 123456789010 eni-1235b8ca - - - - - - - {end - 60} {end} - NODATA"
    ports = f"{n + 1024} 22 6 20 4249"
    return f"2 123456789010 eni-1235b8ca 192.0.2.{n} 198.51.100.7 {ports} {end - 60} {end} ACCEPT OK"


def _flow_facts(_: str, n: int) -> list[Fact]:
    start = int(at_of(n).timestamp()) - 60
    begin = "123456789010", "eni-1235b8ca"
    if n % 5 == 4:
        return [("flow", (*begin, "-", "-", 0, 0, 0, 0, 0, start, "-", "NODATA"))]
    counts = n + 1024, 22, 6, 20, 4249
    return [("flow", (*begin, f"192.0.2.{n}", "198.51.100.7", *counts, start, "ACCEPT", "OK"))]


def _iso(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}.123Z"


def _json(at: datetime, text: str, n: int) -> str:
    return f"{_iso(at)} INFO shop {json.dumps({'user': text, 'amount': n, 'note': text})}"


LOGS = {
    "apache": LogKind("combined log of nginx or Apache", _combined(_slash), _combined_facts(_slash)),
    "nginx": LogKind("combined log of nginx or Apache", _combined(_hex), _combined_facts(_hex)),
    "forwarded": LogKind(
        "log of nginx with forwarded addresses",
        _combined(_hex, ' "203.0.113.5"'),
        _combined_facts(_hex, "203.0.113.5"),
    ),
    "common": LogKind(
        "common log of nginx or Apache",
        _common,
        lambda text, n: [("request", (f"host{n}.example", "-", _slash(text), 200 + n, n + 1))],
    ),
    "nginx_error": LogKind(
        "error log of nginx",
        lambda at, text, n: f"{at:%Y/%m/%d %H:%M:%S} [error] {n + 1}#{n}: *5 open() {text}",
        lambda text, n: [("logged", ("error", n + 1, f"*5 open() {text}"))],
    ),
    "apache_error": LogKind(
        "error log of Apache",
        lambda at, text, n: (
            f"[{at:%a %b %d %H:%M:%S}.000000 {at.year}] [core:error] [pid {n + 1}:tid 7] "
            f"[client 192.0.2.{n}:4711] AH1: {text}"
        ),
        lambda text, n: [("logged", ("core", "error", n + 1, f"192.0.2.{n}:4711", f"AH1: {text}"))],
    ),
    "syslog": LogKind("syslog", lambda at, text, n: f"{_bsd(at)} mail app[{n + 1}]: {text}", _message),
    "syslog_priority": LogKind(
        "syslog", lambda at, text, n: f"<34>{_bsd(at)} mail app[{n + 1}]: {text}", _message
    ),
    "syslog_iso": LogKind(
        "syslog with timestamps of ISO 8601",
        lambda at, text, n: f"{at.isoformat()} mail app[{n + 1}]: {text}",
        _message,
    ),
    "syslog_5424": LogKind(
        "syslog by RFC 5424",
        lambda at, text, n: f"<165>1 {_iso(at)} mail app {n + 1} ID47 - {text}",
        lambda text, n: [("message", (165, "mail", "app", str(n + 1), "ID47", text.lstrip()))],
    ),
    "syslog_5424_data": LogKind(
        "syslog by RFC 5424",
        lambda at, text, n: f'<165>1 {_iso(at)} mail app - ID47 [a@1 u="{_slash(text)}"] hi',
        lambda text, n: [("message", (165, "mail", "app", "-", "ID47", f'[a@1 u="{_slash(text)}"] hi'))],
    ),
    "postfix": LogKind("log of Postfix", _delivery, _delivery_facts),
    "haproxy": LogKind("log of haproxy", _haproxy, _haproxy_facts),
    "cef": LogKind(
        "CEF in syslog",
        lambda at, text, n: (
            f"{_bsd(at)} fw CEF:0|Acme|wall|1.0|{n}|seen {_cef(text)}|7|src=192.0.2.{n} msg={text}"
        ),
        lambda text, n: [
            (
                "event",
                ("Acme", "wall", "1.0", str(n), f"seen {_cef(text)}", "7", f"src=192.0.2.{n} msg={text}"),
            )
        ],
    ),
    "leef": LogKind(
        "LEEF in syslog",
        lambda at, text, n: f"{_bsd(at)} fw LEEF:1.0|Acme|wall|4.0 SP1|{n}|src=192.0.2.{n}\tusr={text}",
        lambda text, n: [("event", ("Acme", "wall", "4.0 SP1", str(n), f"src=192.0.2.{n}\tusr={text}"))],
    ),
    "s3": LogKind(
        "access log of S3",
        _s3,
        lambda text, n: [
            (
                "request",
                (
                    *("logs", f"192.0.2.{n}", "arn:user", "REST.GET.OBJECT", f"key{n}"),
                    *(f"GET /{_slash(text)} HTTP/1.1", 200 + n, "-", n, 0, 7, _slash(text)),
                ),
            )
        ],
    ),
    "balancer": LogKind("access log of an application load balancer", _balancer, _balancer_facts),
    "flows": LogKind("flow log of a VPC", _flow, _flow_facts),
    "logfmt": LogKind(
        "logfmt",
        lambda at, text, n: f'ts={_iso(at)} level=info msg="{_slash(text)}" took=1.{n:02} n={n}',
        lambda text, n: [("logged", ("info", _slash(text), 1_000_000 + n * 10_000, n))],
    ),
    "json": LogKind(
        "JSON in lines of text",
        _json,
        lambda text, n: [("logged", ("INFO", "shop", json.dumps(text)[1:-1], n, json.dumps(text)[1:-1]))],
    ),
    "log4j": LogKind(
        "log of log4j",
        lambda at, text, n: f"{at:%Y-%m-%d %H:%M:%S},123 WARN  [main] org.x.Shop{n} - {text}",
        lambda text, n: [("logged", ("WARN", "main", f"org.x.Shop{n}", text.lstrip()))],
    ),
    "logback": LogKind(
        "log of log4j or Logback",
        lambda at, text, n: f"{at:%Y-%m-%d %H:%M:%S}.123 [pool-1] WARN  org.x.Shop{n} - {text}",
        lambda text, n: [("logged", ("WARN", "pool-1", f"org.x.Shop{n}", text.lstrip()))],
    ),
    "spring": LogKind(
        "log of Spring Boot",
        lambda at, text, n: f"{_iso(at)}  INFO {n + 1} --- [           main] o.x.Shop{n}   : {text}",
        lambda text, n: [("logged", ("INFO", n + 1, "main", f"o.x.Shop{n}", text.lstrip()))],
    ),
    "python": LogKind(
        "log of Python",
        lambda at, text, n: f"{at:%Y-%m-%d %H:%M:%S},123 - shop.{n} - ERROR - {text}",
        lambda text, n: [("logged", ("ERROR", f"shop.{n}", text.lstrip()))],
    ),
    "postgres": LogKind(
        "log of Postgres",
        lambda at, text, n: f"{at:%Y-%m-%d %H:%M:%S}.123 UTC [{n + 1}] ann@shop ERROR:  {text}",
        lambda text, n: [("logged", ("ERROR", "ann", "shop", n + 1, text.lstrip()))],
    ),
    "audit": LogKind(
        "log of auditd",
        lambda at, text, n: (
            f"type=USER_LOGIN msg=audit({at.timestamp():.0f}.243:{n + 1}): acct={text.encode().hex()}"
        ),
        lambda text, n: [("audit", ("USER_LOGIN", n + 1, f"acct={text.encode().hex()}"))],
    ),
    "container": LogKind(
        "log of a container",
        lambda at, text, n: f"{at:%Y-%m-%dT%H:%M:%S}.123456789Z stdout F {n} {text}",
        lambda text, n: [("said", ("stdout", "F", f"{n} {text}"))],
    ),
    "prometheus": LogKind(
        "Prometheus text",
        lambda at, text, n: f'requests_total{{path="{_slash(text)}",code="{n}"}} {n} {at.timestamp():.0f}000',
        lambda text, n: [("sample", ("requests_total", f'path="{_slash(text)}",code="{n}"', n))],
    ),
}
