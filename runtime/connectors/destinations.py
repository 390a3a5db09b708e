"""Addresses to which answers are sent, as they stand on the command line."""

import re
from importlib import import_module
from urllib.parse import urlsplit

from lars2asp.runtime.connectors.address_parts import authority_of, masked, options_of, port_of, secret_in
from lars2asp.runtime.connectors.addresses import OTHER_ADDRESS, broker_at
from lars2asp.runtime.connectors.delivering import Destination
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError

# Each destination is imported where it is made: most runs write files, and start sooner without.
# ruff: noqa: PLC0415

BROKERS = {
    **{"kafka": "kafka_topic", "kafkas": "kafka_topic"},
    **{"redis": "redis_stream", "rediss": "redis_stream"},
    **{"nats": "nats_subject", "natss": "nats_subject"},
    **{"amqp": "amqp_queue", "amqps": "amqp_queue"},
    "postgres": "postgres_table",
    **{"smtp": "mail", "smtps": "mail"},
}
"""The schemes of brokers, and of what else has a server and a topic, each with its module here."""

MESSAGES = (*BROKERS, "mqtt", "mqtts")
"""Those that take a message, or a row, for each line, or for each body."""

SCHEMES = ("http", "https", "tcp", *MESSAGES)

_TCP = re.compile(
    r"(?://)?(?:\[(?P<ipv6>[0-9A-Fa-f:.%]+)\]|(?P<host>[^\s:/@\[\]?]+)):(?P<port>[0-9]+)/?(?:\?(?P<options>.*))?"
)


def destination_of(address: str, posting: Posting | None = None) -> Destination | None:
    """The destination at an address; None for anything else, such as the name of a file.

    http://HOST/PATH, https://...     batches of lines, each the body of a POST; it may have user:password@
    tcp:HOST:PORT, tcp://HOST:PORT    lines, to who listens there; ?token-file=FILE&tls&ca=FILE
    mqtt://BROKER/TOPIC, mqtts://...  a message for each line; what may stand behind `?` is as for inputs
    kafka://HOST/TOPIC, kafkas://...  a message for each line, to one partition; ?partition=N, ?partition=any
    redis://HOST/STREAM, rediss://... an entry for each line; ?maxlen=N
    nats://HOST/SUBJECT, natss://...  a message for each line, of a stream of JetStream; ?core: of none
    amqp://HOST/VHOST?queue=QUEUE     a message for each line; ?exchange=NAME&key=KEY
    postgres://HOST/DB?table=TABLE    a row for each line
    smtp://HOST?to=A,B&from=C         mail for what is sent at once; ?starttls; smtps://

    Args:
        address: the address.
        posting: how answers are sent.

    Raises InputError for a wrong address, or where a package is missing.
    """
    scheme, colon, rest = address.partition(":")
    if not colon or scheme not in SCHEMES:
        if (other := OTHER_ADDRESS.match(address)) is not None:  # it may have a password
            raise InputError(
                f"{other['scheme']}://...: --output does not support such addresses: use "
                "http://HOST/PATH, https://HOST/PATH, tcp:HOST:PORT, mqtt://BROKER/TOPIC, "
                "mqtts://BROKER/TOPIC, kafka://HOST/TOPIC, kafkas://HOST/TOPIC, redis://HOST/STREAM, "
                "rediss://HOST/STREAM, nats://HOST/SUBJECT, natss://HOST/SUBJECT, "
                "amqp://HOST/VHOST?queue=QUEUE, amqps://HOST/VHOST?queue=QUEUE, "
                "postgres://HOST/DATABASE?table=TABLE, smtp://HOST?to=ADDRESS&from=ADDRESS and "
                "smtps://HOST?to=ADDRESS&from=ADDRESS"
            )
        return None
    if scheme == "tcp":
        return _tcp(rest)
    if scheme in ("mqtt", "mqtts"):
        from lars2asp.runtime.connectors.mqtt_topic import MqttTopic

        return MqttTopic(broker_at(scheme, rest, is_read=False), posting)
    if scheme in BROKERS:
        module = import_module(f"lars2asp.runtime.connectors.{BROKERS[scheme]}")
        destination: Destination = module.destination_at(scheme, rest, posting)
        return destination
    from lars2asp.runtime.connectors.webhook import Webhook

    name = name_of(address)
    try:
        parts = urlsplit(address)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:  # what stands as a port is none
        is_whole = False
    if not is_whole:
        raise InputError(f"{name}: write http://HOST/PATH, such as http://localhost:8080/alarms")
    return Webhook(address, name, posting)


def name_of(output: str) -> str:
    """An output as checkpoints and messages name it: an address without user, password and options."""
    scheme, colon, rest = output.partition(":")
    return f"{scheme}:{masked(rest.partition('?')[0])}" if colon and scheme in SCHEMES else output


def _tcp(rest: str) -> Destination:
    from lars2asp.runtime.connectors.tcp_lines import TcpLines

    match = _TCP.fullmatch(rest)
    if match is None:
        raise InputError(f"tcp:{rest}: write tcp:HOST:PORT, such as tcp:localhost:9000")
    address, form = f"tcp:{rest.partition('?')[0]}", "tcp:HOST:PORT?token-file=FILE&tls&ca=FILE"
    options = options_of(match["options"], ("token-file", "tls", "ca", "insecure"), address, form)
    if "tls" not in options and {"ca", "insecure"} & {*options}:
        raise InputError(f"{address}: certificates need TLS: add tls")
    return TcpLines(
        match["ipv6"] or match["host"],
        port_of(match["port"], 1, address),
        authority_of(options) if "tls" in options else None,
        None if "token-file" not in options else secret_in(options["token-file"], "token"),
    )
