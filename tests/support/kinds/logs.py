"""More lines of logs, written as their programs write them, and the facts that they tell."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from tests.support.known_logs import LogKind, at_of


def _kind(
    form: str,
    line: Callable[[datetime, str, int], str],
    values: Callable[[str, int], tuple[Any, ...]],
    predicate: str = "logged",
) -> LogKind:
    return LogKind(form, line, lambda text, n: [(predicate, values(text, n))])


def _python(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S},123"


def _iso(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}.123Z"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")


def _value(text: str) -> str:
    """A value of the extension of CEF."""
    return text.replace("\\", "\\\\").replace("=", "\\=")


def _alert(form: str) -> Callable[[datetime, str, int], str]:
    return lambda at, text, n: (
        f"{at:{form}}.123456  [**] [1:{n}:7] m {text} [**] [Classification: Attack] [Priority: {n}] "
        f"{{TCP}} 192.0.2.{n}:80 -> 198.51.100.7:4711"
    )


def _alert_values(text: str, n: int) -> tuple[Any, ...]:
    return f"1:{n}:7", f"m {text}", "Attack", n, "TCP", f"192.0.2.{n}:80", "198.51.100.7:4711"


def _epoch(at: datetime) -> int:
    return int(at.timestamp())


MORE_LOGS = {
    "classic_balancer": _kind(
        "access log of a classic load balancer",
        lambda at, text, n: (
            f"{_iso(at)} lb 192.0.2.{n}:2817 10.0.0.1:80 0.000073 0.0010{n:02} 0.000057 {200 + n} 200 0 29 "
            f'"GET /{_quoted(text)} HTTP/1.1" "a {_quoted(text)}" - -'
        ),
        lambda text, n: (
            *("lb", f"192.0.2.{n}", "10.0.0.1:80", 1000 + n, 200 + n, 200, 0, 29),
            *(f"GET /{_quoted(text)} HTTP/1.1", f"a {_quoted(text)}"),
        ),
        "request",
    ),
    "cef_alone": _kind(
        "CEF",
        lambda at, text, n: (
            f"CEF:0|Acme|wall|1.0|{n}|seen|7|src=192.0.2.{n} rt={_epoch(at)}000 msg={_value(text)}"
        ),
        lambda text, n: (
            *("Acme", "wall", "1.0", str(n), "seen", "7", f"src=192.0.2.{n}"),
            f"msg={_value(text)}",
        ),
        "event",
    ),
    "asa": _kind(
        "messages of Cisco ASA",
        lambda at, text, n: f"<166>{at:%b %d %Y %H:%M:%S} fw : %ASA-{n % 7}-30201{n}: m {text}",
        lambda text, n: ("fw", "ASA", n % 7, f"30201{n}", f"m {text}"),
    ),
    "asa_without_host": _kind(
        "messages of Cisco ASA",
        lambda at, text, n: f"{at:%b %d %Y %H:%M:%S}: %ASA-{n % 7}-30201{n}: m {text}",
        lambda text, n: ("", "ASA", n % 7, f"30201{n}", f"m {text}"),
    ),
    "ios": _kind(
        "messages of Cisco IOS",
        lambda at, text, n: f"{n + 1:06}: *{at:%b} {at.day:2} {at:%H:%M:%S}.123: %LINK-3-UPDOWN: m {text}",
        lambda text, n: (f"{n + 1:06}", "LINK", 3, "UPDOWN", f"m {text}"),
    ),
    "fortinet": _kind(
        "logfmt",
        lambda at, text, n: (
            f'date={at:%Y-%m-%d} time={at:%H:%M:%S} devid="FG1" level="notice" srcport={n} '
            f'user="{_quoted(text)}" action="accept"'
        ),
        lambda text, n: ("FG1", "notice", n, _quoted(text), "accept"),
    ),
    "snort": _kind("alerts of Snort or Suricata", _alert("%m/%d-%H:%M:%S"), _alert_values, "alert"),
    "suricata": _kind("alerts of Snort or Suricata", _alert("%m/%d/%Y-%H:%M:%S"), _alert_values, "alert"),
    "squid": _kind(
        "access log of Squid",
        lambda at, text, n: (
            f"{_epoch(at)}.123 {n:6} 192.0.2.{n} TCP_MISS/{200 + n} {n} GET http://x/{text.encode().hex()} - "
            "HIER_DIRECT/198.51.100.7 text/html"
        ),
        lambda text, n: (
            *(f"192.0.2.{n}", "TCP_MISS", 200 + n, n, "GET", f"http://x/{text.encode().hex()}", "-"),
            *("HIER_DIRECT/198.51.100.7", "text/html", n),
        ),
        "request",
    ),
    "bind": _kind(
        "queries of BIND",
        lambda at, text, n: (
            f"{at:%d-%b-%Y %H:%M:%S}.123 queries: info: client @0x7f 192.0.2.{n}#4711 (x.example): "
            f"query: {text.encode().hex()}.x IN A +E(0)K (198.51.100.7)"
        ),
        lambda text, n: (*(f"192.0.2.{n}", f"{text.encode().hex()}.x", "IN", "A", "+E(0)K", "198.51.100.7"),),
        "query",
    ),
    "mysql": _kind(
        "error log of MySQL",
        lambda at, text, n: f"{_iso(at)} {n} [Warning] [MY-01006{n}] [Server] m {text}",
        lambda text, n: (n, "Warning", f"MY-01006{n}", "Server", f"m {text}"),
    ),
    "mysql_general": _kind(
        "general log of MySQL",
        lambda at, text, n: f"{_iso(at)}\t   {n} Query\tSELECT {text}",
        lambda text, n: (n, f"Query\tSELECT {text}"),
    ),
    "mongo": _kind(
        "log of MongoDB",
        lambda at, text, n: f"{at:%Y-%m-%dT%H:%M:%S}.123+0000 I NETWORK  [conn{n}] m {text}",
        lambda text, n: ("I", "NETWORK", f"conn{n}", f"m {text}"),
    ),
    "redis": _kind(
        "log of Redis",
        lambda at, text, n: f"{n + 1}:M {at:%d %b %Y %H:%M:%S}.123 * m {text}",
        lambda text, n: (n + 1, "M", "*", f"m {text}"),
    ),
    "nagios": _kind(
        "log of Nagios",
        lambda at, text, n: f"[{_epoch(at)}] SERVICE ALERT: h{n};{text}",
        lambda text, n: (f"SERVICE ALERT: h{n};{text}",),
    ),
    "asterisk": _kind(
        "log of Asterisk",
        lambda at, text, n: f"[{at:%Y-%m-%d %H:%M:%S}] NOTICE[{n}][C-01] chan_sip.c: m {text}",
        lambda text, n: ("NOTICE", n, "chan_sip.c", f"m {text}"),
    ),
    "envoy": _kind(
        "access log of Envoy",
        lambda at, text, n: (
            f'[{_iso(at)}] "GET /{_quoted(text)} HTTP/1.1" {200 + n} - 0 {n} 5 4 "-" "{_quoted(text)}" "id" '
            '"host" "10.0.0.1:80"'
        ),
        lambda text, n: (
            *(f"GET /{_quoted(text)} HTTP/1.1", 200 + n, "-", 0, n, 5, _quoted(text), "host", "10.0.0.1:80"),
        ),
        "request",
    ),
    "django": _kind(
        "log of Django",
        lambda at, text, n: f'[{at:%d/%b/%Y %H:%M:%S}] "GET /{_quoted(text)} HTTP/1.1" {200 + n} {n}',
        lambda text, n: (f"GET /{_quoted(text)} HTTP/1.1", 200 + n, n),
        "request",
    ),
    "heroku": _kind(
        "log of Heroku",
        lambda at, text, n: f"{at:%Y-%m-%dT%H:%M:%S}.123456+00:00 app[web.{n}]: m {text}",
        lambda text, n: ("app", f"web.{n}", f"m {text}"),
    ),
    "cbs": _kind(
        "log of Windows servicing (CBS)",
        lambda at, text, n: f"{at:%Y-%m-%d %H:%M:%S}, Info                  CBS    m {n} {text}",
        lambda text, n: ("Info", "CBS", f"m {n} {text}"),
    ),
    "macos": _kind(
        "unified log of macOS",
        lambda at, text, n: (
            f"{at:%Y-%m-%d %H:%M:%S}.123456+0000 0x1a{n} Default     0x0     {n}    0    locationd: m {text}"
        ),
        lambda text, n: (f"0x1a{n}", "Default", "0x0", n, "locationd", f"m {text}"),
    ),
    "bgl": _kind(
        "log of a supercomputer",
        lambda at, text, n: f"- {_epoch(at)} {at:%Y.%m.%d} R02-M1 {at:%Y-%m-%d-%H.%M.%S}.675872 {n} {text}",
        lambda text, n: ("-", "R02-M1", f"{at_of(n):%Y-%m-%d-%H.%M.%S}.675872 {n} {text}"),
    ),
    "zookeeper": _kind(
        "log of log4j with threads",
        lambda at, text, n: f"{_python(at)} - INFO  [Peer[id=1]/0:2181:Election@774] - m {n} {text}",
        lambda text, n: ("INFO", "Peer[id=1]/0:2181:Election@774", f"m {n} {text}"),
    ),
    "python_brackets": _kind(
        "log with levels and names",
        lambda at, text, n: f"{_python(at)} [ERROR] shop.{n}: m {text}",
        lambda text, n: ("ERROR", f"shop.{n}", f"m {text}"),
    ),
    "python_basic": _kind(
        "lines with times",
        lambda at, text, n: f"{_python(at)} ERROR:root:{n} {text}",
        lambda text, n: (f"ERROR:root:{n} {text}",),
    ),
    "levels": _kind(
        "log with levels",
        lambda at, text, n: f"{_iso(at)} WARN {n} m {text}",
        lambda text, n: ("WARN", f"{n} m {text}"),
    ),
    "fail2ban": _kind(
        "log of fail2ban",
        lambda at, text, n: f"{_python(at)} fail2ban.actions        [{n}]: NOTICE  [sshd] Ban {text}",
        lambda text, n: ("fail2ban.actions", n, "NOTICE", f"[sshd] Ban {text}"),
    ),
    "openstack": _kind(
        "log of OpenStack",
        lambda at, text, n: f"{at:%Y-%m-%d %H:%M:%S}.008 {n} INFO nova.wsgi [req-1 - -] {text}",
        lambda text, n: (n, "INFO", "nova.wsgi", f"[req-1 - -] {text}"),
    ),
    "rabbitmq": _kind(
        "log of RabbitMQ",
        lambda at, text, n: f"{at:%Y-%m-%d %H:%M:%S}.123456+00:00 [info] <0.{n}.0> m {text}",
        lambda text, n: ("info", f"0.{n}.0", f"m {text}"),
    ),
    "elasticsearch": _kind(
        "log of Elasticsearch",
        lambda at, text, n: f"[{at:%Y-%m-%dT%H:%M:%S},123][WARN ][o.e.n.Node{n}       ] [n1] m {text}",
        lambda text, n: ("WARN", f"o.e.n.Node{n}", "n1", f"m {text}"),
    ),
    "kafka": _kind(
        "log of Kafka",
        lambda at, text, n: f"[{_python(at)}] INFO [Broker id={n}] {text} (kafka.server.X)",
        lambda text, n: ("INFO", "kafka.server.X", f"[Broker id={n}] {text}"),
    ),
    "celery": _kind(
        "log of Celery",
        lambda at, text, n: f"[{_python(at)}: INFO/Worker-{n}] m {text}",
        lambda text, n: ("INFO", f"Worker-{n}", f"m {text}"),
    ),
    "gunicorn": _kind(
        "log of Gunicorn",
        lambda at, text, n: f"[{at:%Y-%m-%d %H:%M:%S} +0000] [{n}] [INFO] m {text}",
        lambda text, n: (n, "INFO", f"m {text}"),
    ),
    "java_gc": _kind(
        "log of the collector of Java",
        lambda at, text, n: f"[{at:%Y-%m-%dT%H:%M:%S}.123+0000][info][gc,start     ] GC({n}) {text}",
        lambda text, n: ("info", "gc,start", f"GC({n}) {text}"),
    ),
    "ruby": _kind(
        "log of Ruby",
        lambda at, text, n: f"I, [{at:%Y-%m-%dT%H:%M:%S}.123456 #{n}]  INFO -- : m {text}",
        lambda text, n: (n, "INFO", "", f"m {text}"),
    ),
    "go": _kind(
        "log of Go with places",
        lambda at, text, n: f"{at:%Y/%m/%d %H:%M:%S} main.go:{n}: m {text}",
        lambda text, n: ("main.go", n, f"m {text}"),
    ),
    "tomcat": _kind(
        "log of Tomcat",
        lambda at, text, n: f"{at:%d-%b-%Y %H:%M:%S}.123 INFO [exec-{n}] org.x.Shop.sell m {text}",
        lambda text, n: ("INFO", f"exec-{n}", "org.x.Shop.sell", f"m {text}"),
    ),
    "spark": _kind(
        "log of Spark",
        lambda at, text, n: f"{at:%y/%m/%d %H:%M:%S} INFO executor.Backend{n}: m {text}",
        lambda text, n: ("INFO", f"executor.Backend{n}", f"m {text}"),
    ),
    "hadoop": _kind(
        "log of Hadoop",
        lambda at, text, n: f"{at:%y%m%d %H%M%S} {n} INFO dfs.DataNode$Responder: m {text}",
        lambda text, n: (n, "INFO", "dfs.DataNode$Responder", f"m {text}"),
    ),
    "android": _kind(
        "log of Android",
        lambda at, text, n: f"{at:%m-%d %H:%M:%S}.123  1702  {n} D WindowManager: m {text}",
        lambda text, n: (1702, n, "D", "WindowManager", f"m {text}"),
    ),
    "klog": _kind(
        "log of Kubernetes (klog)",
        lambda at, text, n: f"{'IWE'[n % 3]}{at:%m%d %H:%M:%S}.123456    {n} server.go:{n}] m {text}",
        lambda text, n: ("IWE"[n % 3], n, f"server.go:{n}", f"m {text}"),
    ),
    "openvpn": _kind(
        "lines with times",
        lambda at, text, n: f"{at:%a %b %d %H:%M:%S %Y} 192.0.2.{n}:1194 {text}",
        lambda text, n: (f"192.0.2.{n}:1194 {text}",),
    ),
    "kernel": _kind(
        "lines with times",
        lambda at, text, n: f"[{at:%a %b %d %H:%M:%S %Y}] usb 1-{n}: {text}",
        lambda text, n: (f"usb 1-{n}: {text}",),
    ),
    "american": _kind(
        "lines with times",
        lambda at, text, n: f"{at:%m/%d/%Y %I:%M:%S %p} user {n} {text}",
        lambda text, n: (f"user {n} {text}",),
    ),
    "graphite": _kind(
        "samples of Graphite",
        lambda at, text, n: f"servers.h{n}.{text.encode().hex()} 1.{n:02} {_epoch(at)}",
        lambda text, n: (f"servers.h{n}.{text.encode().hex()}", 100 + n),
        "sample",
    ),
    "opentsdb": _kind(
        "samples of OpenTSDB",
        lambda at, text, n: f"put sys.cpu {_epoch(at)} {n} host={text.encode().hex()} cpu={n}",
        lambda text, n: ("sys.cpu", f"host={text.encode().hex()} cpu={n}", n),
        "sample",
    ),
    "prometheus_seconds": _kind(
        "Prometheus text",
        lambda at, text, n: f'up{{path="{_quoted(text)}"}} {n} {_epoch(at)}',
        lambda text, n: ("up", f'path="{_quoted(text)}"', n),
        "sample",
    ),
    "syslog_precise": _kind(
        "syslog",
        lambda at, text, n: f"{at:%b} {at.day:2} {at:%H:%M:%S}.123456 host app[{n}]: m {text}",
        lambda text, n: ("host", "app", n, f"m {text}"),
        "message",
    ),
    "loguru": _kind(
        "log of Loguru",
        lambda at, text, n: f"{at:%Y-%m-%d %H:%M:%S}.123 | INFO     | shop:sell:{n} - m {text}",
        lambda text, n: ("INFO", f"shop:sell:{n}", f"m {text}"),
    ),
    "level_in_front": _kind(
        "log with levels in front",
        lambda at, text, n: f"WARNING {_python(at)} views {n} {text}",
        lambda text, n: ("WARNING", f"views {n} {text}"),
    ),
    "level_in_brackets": _kind(
        "log with levels in front",
        lambda at, text, n: f"[WARN] {at:%Y-%m-%d %H:%M:%S} views {n} {text}",
        lambda text, n: ("WARN", f"views {n} {text}"),
    ),
    "laravel": _kind(
        "log of Laravel",
        lambda at, text, n: f"[{at:%Y-%m-%d %H:%M:%S}] production.ERROR: m {n} {text}",
        lambda text, n: ("production", "ERROR", f"m {n} {text}"),
    ),
    "rust": _kind(
        "log of Rust (env_logger)",
        lambda at, text, n: f"[{at:%Y-%m-%dT%H:%M:%S}Z INFO  shop::x{n}] m {text}",
        lambda text, n: ("INFO", f"shop::x{n}", f"m {text}"),
    ),
    "journal_unix": _kind(
        "lines with times",
        lambda at, text, n: f"{_epoch(at)}.123456 host app[{n}]: {text}",
        lambda text, n: (f"host app[{n}]: {text}",),
    ),
    "unbound": _kind(
        "lines with times",
        lambda at, text, n: f"[{_epoch(at)}] unbound[{n}:0] info: {text}",
        lambda text, n: (f"unbound[{n}:0] info: {text}",),
    ),
    "chat": _kind(
        "lines with times",
        lambda at, text, n: f"{at:%d.%m.%y, %H:%M:%S} - Ann: {n} {text}",
        lambda text, n: (f"- Ann: {n} {text}",),
    ),
    "brackets": _kind(
        "lines with times",
        lambda at, text, n: f"[{at:%Y-%m-%d %H:%M:%S}] <ann> {n} {text}",
        lambda text, n: (f"<ann> {n} {text}",),
    ),
    "lambda": _kind(
        "lines with times",
        lambda at, text, n: f"{_iso(at)} START RequestId: {n} {text}",
        lambda text, n: (f"START RequestId: {n} {text}",),
    ),
}
"""Others put the text into a field, which its program escapes as it does."""
