"""Addresses of feeds, as they stand on the command line."""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lars2asp.runtime.connectors.address_parts import HOST, masked, options_of, port_of, secret_in, unquoted
from lars2asp.runtime.connectors.feed import Feed
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import LARGEST_RECORD
from lars2asp.syntax.patterns import pattern

if TYPE_CHECKING:
    from lars2asp.runtime.connectors.host import HostFeed
    from lars2asp.runtime.connectors.http import HttpFeed
    from lars2asp.runtime.connectors.mqtt import Broker, MqttFeed
    from lars2asp.runtime.connectors.tcp import TcpFeed

# Each function imports the feed that it makes: most runs read files, and start sooner without.
# ruff: noqa: PLC0415

BROKERS = {
    **{"kafka": "kafka", "kafkas": "kafka"},
    **{"redis": "redis", "rediss": "redis"},
    **{"nats": "nats", "natss": "nats"},
    **{"amqp": "amqp", "amqps": "amqp"},
    "postgres": "postgres",
}
"""The schemes of brokers, each with its module."""

_SECONDS = pattern(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_OWN_PORT = pattern(rf"(?://(?:{HOST}):)?(?P<port>[0-9]+)/?(?:\?(?P<options>.*))?")
_MQTT = pattern(
    rf"//(?:(?P<user>[^\s:/@]*)(?::(?P<password>[^\s/@]*))?@)?(?:{HOST})(?::(?P<port>[0-9]+))?"
    r"/(?P<topic>[^?]+)(?:\?(?P<options>[^?]*))?"
)
_WEB = pattern(rf"//(?P<user>[^\s/?@]*@)?(?:{HOST})(?::(?P<port>[0-9]+))?(?:[/?][^\s#]*)?")
OTHER_ADDRESS = pattern(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")
"""An address of a kind that is not known."""
_OTHERS = "host", "tcp", "http", "https", "mqtt", "mqtts", "ws", "wss", "sse+http", "sse+https"
_LOCAL = ("127.0.0.1", "::1", "localhost")
_COUNT = pattern(r"[0-9]{1,9}")

PASSWORD = "LARS2ASP_MQTT_PASSWORD"
"""The environment variable with the password of a user of a broker."""


TOKEN = "LARS2ASP_WEB_TOKEN"
"""The environment variable with the token for a web server."""


def feed_of(
    address: str,
    largest_record: int = LARGEST_RECORD,
    environment: Mapping[str, str] = os.environ,
    *,
    encoding: str | None = None,
) -> Feed | None:
    """The feed at an address; None for anything else, such as the name of a file.

    host:  host:0.5                     the state of this machine, each second or each 0.5 seconds
    tcp:9000  tcp://0.0.0.0:9000        lines sent to a port (0: any), without host only from this machine
    tcp:9000?connections=50&idle=600    at most 50 connections, closed after 600 seconds without input
        &watermark=connection           each connection has its own time: the least of them counts
        &token-file=FILE                the first line of each connection is the token in the file
        &cert=FILE&key=FILE             over TLS
    http:8088  http://0.0.0.0:8088?token-file=FILE
        lines posted to a port, from other machines with a token (Authorization: Bearer)
    https:8443?cert=FILE&key=FILE       the same over TLS
    mqtt://broker/home/+/temperature    messages of a broker; + is one level of a topic, # all that follow
    mqtts://user@broker:8884/home/#     the same over TLS; the certificate is checked
        ?id=reader                      with an id the broker keeps messages while no feed runs
        &password-file=FILE             with the user's password, which may stand in LARS2ASP_MQTT_PASSWORD
        &ca=FILE                        the certificate of an authority, in place of those the system trusts
        &insecure                       no certificate is checked

    kafka://host:9092/topic             messages of a topic, from the first one or from a checkpoint on
    kafkas://user@a:9093,b:9093/topic   the same over TLS
        ?from=end                       at first only what comes from now on, not what is there
        &watermark=partition            each partition is waited for, also where it has nothing to be read
        &password-file=FILE&mechanism=SCRAM-SHA-512&ca=FILE&insecure
        &config=FILE                    settings of the client, NAME=VALUE a line

    redis://host:6379/stream            entries of a stream, from the first one or from a checkpoint on
    rediss://user@host/stream           the same over TLS
        ?from=end&db=1&field=data       what comes from now on; another database; the field with the text
        &password-file=FILE&ca=FILE&insecure

    nats://host:4222/subject            messages of a subject that a stream of JetStream keeps, as above
    natss://user@host/subject           the same over TLS
        ?from=end                       at first only what comes from now on
        ?core                           without a stream: what is published while the run is there
        &password-file=FILE&token-file=FILE&ca=FILE&insecure

    amqp://user@host/vhost?queue=name   messages of a queue, each acknowledged when a checkpoint has it
    amqps://user@host/vhost?queue=name  the same over TLS
        &password-file=FILE&ca=FILE&insecure

    postgres://user@host/db?table=readings&key=id
        rows of a table in the order of a key, each a JSON record, from the first one or from a checkpoint on
        &from=end&column=data           at first only what comes from now on; the text of one column
    postgres://user@host/db?listen=readings
        what is notified on a channel while the run is there
        &password-file=FILE

    ws://server/path  wss://server/path             messages of a WebSocket
    sse+http://server/path  sse+https://...         server-sent events
        LARS2ASP_WEB_TOKEN has a token for either (Authorization: Bearer)

    In addresses of brokers a sign that would end a part is written %3F (?), %40 (@), %3A (:), %2F (/), and
    the sign % itself %25; in what follows `?`, & is %26.

    Args:
        address: the address.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        environment: where passwords may stand.
        encoding: that of the text; None: UTF-8, but for a byte order mark. On the web it is always UTF-8.

    Raises InputError for a wrong address, an unreadable password file, or where a package is missing.
    """
    scheme, colon, rest = address.partition(":")
    if not colon:
        return None
    match scheme:
        case "host":
            return _host(rest)
        case "tcp":
            return _tcp(rest, largest_record, encoding)
        case "http" | "https":
            return _http(scheme, rest, largest_record, encoding)
        case "mqtt" | "mqtts":
            return _mqtt(scheme, rest, largest_record, environment, encoding)
        case _ if scheme in BROKERS:
            return _broker(scheme, rest, largest_record, encoding)
        case "ws" | "wss" | "sse+http" | "sse+https":
            return _web(scheme, rest, largest_record, environment)
    if (other := OTHER_ADDRESS.match(address)) is not None:  # it may have a password: no file is looked for
        raise InputError(
            f"{other['scheme']}://...: --input does not support such addresses: use host:, tcp:PORT, "
            "http:PORT, mqtt://BROKER/TOPIC, mqtts://BROKER/TOPIC, kafka://HOST/TOPIC, "
            "kafkas://HOST/TOPIC, redis://HOST/STREAM, rediss://HOST/STREAM, nats://HOST/SUBJECT, "
            "natss://HOST/SUBJECT, amqp://HOST/VHOST?queue=QUEUE, amqps://HOST/VHOST?queue=QUEUE, "
            "postgres://HOST/DATABASE?table=TABLE&key=COLUMN, ws://, wss://, sse+http:// and "
            "sse+https://SERVER/PATH"
        )
    return None


def is_address(text: str) -> bool:
    """Whether a text is the address of a live source, right or wrong; nothing is opened or looked for."""
    scheme, colon, _ = text.partition(":")
    is_known = scheme in (*BROKERS, *_OTHERS)
    return bool(colon) and (is_known or OTHER_ADDRESS.match(text) is not None)


def has_password(address: str) -> bool:
    """Whether a password stands in an address, where all users of a machine can see it."""
    scheme, _, rest = address.partition(":")
    if scheme in (*BROKERS, "smtp", "smtps"):
        from lars2asp.runtime.connectors import server

        return server.has_password(rest)
    match = _MQTT.fullmatch(rest)
    return scheme in ("mqtt", "mqtts") and match is not None and bool(match["password"])


def _host(rest: str) -> "HostFeed":
    from lars2asp.runtime.connectors.host import HostFeed

    if not rest:
        return HostFeed()
    if not _SECONDS.fullmatch(rest):
        raise InputError(f"host:{rest}: write a period in seconds, such as host:0.5")
    return HostFeed(float(rest))


def _tcp(rest: str, largest_record: int, encoding: str | None) -> "TcpFeed":
    from lars2asp.runtime.connectors.listening import THIS_MACHINE, Certificate
    from lars2asp.runtime.connectors.tcp import IDLE_SECONDS, MOST_CONNECTIONS, TcpFeed

    address = f"tcp:{rest}"
    match = _OWN_PORT.fullmatch(rest)
    if match is None:
        raise InputError(f"{address}: write tcp:PORT or tcp://HOST:PORT, such as tcp:9000")
    names = ("connections", "idle", "watermark", "token-file", "cert", "key")
    options = options_of(match["options"], names, address, "tcp:9000?connections=50&idle=600")
    connections = options.get("connections", str(MOST_CONNECTIONS))
    if not _COUNT.fullmatch(connections) or not int(connections):
        raise InputError(f"{address}: connections must be a positive number, such as connections=50")
    idle = options.get("idle", str(IDLE_SECONDS))
    if not _SECONDS.fullmatch(idle) or not float(idle):
        raise InputError(f"{address}: idle must be a positive number of seconds, such as idle=600")
    if options.get("watermark", "connection") != "connection":
        raise InputError(f"{address}: write watermark=connection (a watermark of each connection)")
    tls = None
    if len(given := {"cert", "key"} & {*options}) == 1:
        raise InputError(f"{address}: TLS needs a certificate and its key: add &cert=FILE&key=FILE")
    if given:
        tls = Certificate(options["cert"], options["key"])
    return TcpFeed(
        match["ipv6"] or match["host"] or THIS_MACHINE,
        port_of(match["port"], 0, address),
        connections=int(connections),
        idle=float(idle),
        largest_record=largest_record,
        encoding=encoding,
        has_watermarks="watermark" in options,
        token=None if "token-file" not in options else secret_in(options["token-file"], "token"),
        tls=tls,
    )


def _http(scheme: str, rest: str, largest_record: int, encoding: str | None) -> "HttpFeed":
    from lars2asp.runtime.connectors.http import HttpFeed
    from lars2asp.runtime.connectors.listening import THIS_MACHINE, Certificate

    address = f"{scheme}:{masked(rest.partition('?')[0])}"
    match = _OWN_PORT.fullmatch(rest)
    if match is None:
        raise InputError(
            f"{address}: lars2asp receives POSTs at a port of this machine: write {scheme}:PORT or "
            f"{scheme}://HOST:PORT, such as {scheme}:8088. To read from a server use sse+{scheme}:// "
            "or ws://"
        )
    form = "http://HOST:PORT?token-file=FILE, with https: also &cert=FILE&key=FILE"
    options = options_of(match["options"], ("token-file", "cert", "key"), address, form)
    host = match["ipv6"] or match["host"] or THIS_MACHINE
    token = None if "token-file" not in options else secret_in(options["token-file"], "token")
    if token is None and host not in _LOCAL:
        raise InputError(
            f"{address}: other machines can post to this address: add a token (?token-file=FILE), or "
            "remove the host"
        )
    tls = None
    if scheme == "https":
        if not {"cert", "key"} <= {*options}:
            raise InputError(f"{address}: TLS needs a certificate and its key: {form}")
        tls = Certificate(options["cert"], options["key"])
    elif "cert" in options or "key" in options:
        raise InputError(f"{address}: certificates need TLS: write https:")
    return HttpFeed(
        host,
        port_of(match["port"], 0, address),
        token=token,
        tls=tls,
        largest_record=largest_record,
        encoding=encoding,
    )


def _mqtt(
    scheme: str, rest: str, largest_record: int, environment: Mapping[str, str], encoding: str | None
) -> "MqttFeed":
    from lars2asp.runtime.connectors.mqtt import MqttFeed

    broker = broker_at(scheme, rest, environment)
    return MqttFeed(
        broker.host,
        broker.port,
        broker.topic,
        client_id=broker.client_id,
        user=broker.user,
        password=broker.password,
        tls=broker.tls,
        largest_record=largest_record,
        encoding=encoding,
    )


def broker_at(
    scheme: str, rest: str, environment: Mapping[str, str] = os.environ, *, is_read: bool = True
) -> "Broker":
    """The broker and the topic of an address, which is read or written. Raises InputError."""
    from lars2asp.runtime.connectors.mqtt import USUAL_PORT, USUAL_TLS_PORT, Broker, Tls

    address = f"{scheme}:{masked(rest.partition('?')[0])}"
    match = _MQTT.fullmatch(rest)
    if match is None:
        raise InputError(
            f"{address}: write mqtt://HOST/TOPIC, such as mqtt://localhost/home/# or "
            "mqtts://user@localhost:8883/home/+/temperature?id=reader&password-file=FILE"
        )
    topic = unquote(match["topic"])
    levels = topic.split("/")
    if any(sign in level and level != sign for level in levels for sign in "+#") or "#" in levels[:-1]:
        raise InputError(f"{address}: in a topic, + replaces one whole level, and # all levels at the end")
    if not is_read and any(sign in level for level in levels for sign in "+#"):
        raise InputError(f"{address}: answers go to one topic: remove + and #")
    form = "write mqtt://HOST/TOPIC?id=READER&password-file=FILE, with mqtts: also &ca=FILE or &insecure"
    options = options_of(match["options"], ("id", "password-file", "ca", "insecure"), address, form)
    tls = None
    if scheme == "mqtts":
        if "ca" in options and "insecure" in options:
            raise InputError(f"{address}: with insecure no certificate is checked: remove ca or insecure")
        tls = Tls(options.get("ca"), is_checked="insecure" not in options)
    elif "ca" in options or "insecure" in options:
        raise InputError(f"{address}: certificates need TLS: write mqtts://")
    user = unquoted(match["user"])
    return Broker(
        match["ipv6"] or match["host"],
        port_of(match["port"] or str(USUAL_PORT if tls is None else USUAL_TLS_PORT), 1, address),
        topic,
        client_id=options.get("id"),
        user=user,
        password=_password(match["password"], user, options.get("password-file"), address, environment),
        tls=tls,
    )


def _broker(scheme: str, rest: str, largest_record: int, encoding: str | None) -> Feed:
    module = import_module(f"lars2asp.runtime.connectors.{BROKERS[scheme]}")
    feed: Feed = module.feed_at(scheme, rest, largest_record, encoding)
    return feed


def _web(scheme: str, rest: str, largest_record: int, environment: Mapping[str, str]) -> "Feed":
    from lars2asp.runtime.connectors.web import EventFeed, WebSocketFeed

    address = f"{scheme}:{masked(rest.partition('?')[0])}"
    match = _WEB.fullmatch(rest)
    if match is None:
        raise InputError(f"{address}: write {scheme}://SERVER/PATH, such as {scheme}://localhost:8000/live")
    if match["user"] is not None:
        raise InputError(
            f"{address}: remove the user from the address: put a token (Authorization: Bearer) into "
            f"the environment variable {TOKEN}"
        )
    if match["port"] is not None:
        port_of(match["port"], 1, address)
    url, token = f"{scheme.removeprefix('sse+')}:{rest}", environment.get(TOKEN)
    feed = EventFeed if scheme.startswith("sse+") else WebSocketFeed
    return feed(url, token=token, largest_record=largest_record)


def _password(
    given: str | None, user: str | None, file: str | None, address: str, environment: Mapping[str, str]
) -> str | None:
    """The password of a user. Raises InputError."""
    if file is not None:
        if user is None or given is not None:
            what = (
                "the address contains no user" if user is None else "the address already contains a password"
            )
            raise InputError(f"{address}: the address names a password file, but {what}: write user@HOST")
        return secret_in(file, "password")
    if user is not None and given is None:
        return environment.get(PASSWORD)
    return unquoted(given)
