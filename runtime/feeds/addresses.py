"""Addresses of feeds, as they stand on the command line."""

import re
from urllib.parse import unquote

from runtime.errors import InputError
from runtime.feeds.feed import Feed
from runtime.feeds.host import HostFeed
from runtime.feeds.mqtt import USUAL_PORT, MqttFeed
from runtime.feeds.tcp import THIS_MACHINE, TcpFeed

LARGEST_PORT = 65535

_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_HOST = r"\[(?P<ipv6>[0-9A-Fa-f:.%]+)\]|(?P<host>[^\s:/@\[\]]+)"
_TCP = re.compile(rf"(?://(?:{_HOST}):)?(?P<port>[0-9]+)/?")
_MQTT = re.compile(
    rf"//(?:(?P<user>[^\s:/@]*)(?::(?P<password>[^\s/@]*))?@)?(?:{_HOST})(?::(?P<port>[0-9]+))?"
    r"/(?P<topic>[^?]+)(?:\?id=(?P<id>[^?&]+))?"
)


def feed_of(address: str) -> Feed | None:
    """The feed at an address; None for what is none, such as the name of a file.

    host:  host:0.5                     the state of this machine, each second or each 0.5 seconds
    tcp:9000  tcp://0.0.0.0:9000        what is sent to a port (0: any), without host only from this machine
    mqtt://broker/home/+/temperature    what a broker passes on; + is one level of a topic, # all that follow
    mqtt://user:password@broker:1884/home/#?id=reader   with an id the broker keeps what nobody reads yet

    In addresses of brokers a sign that would end a part is written %3F (?), %40 (@), %3A (:), %2F (/), and
    the sign % itself %25.

    Raises:
        InputError: for an address of a feed that is not of its form, or where a package is not installed.
    """
    scheme, colon, rest = address.partition(":")
    if not colon:
        return None
    match scheme:
        case "host":
            return _host(rest)
        case "tcp":
            return _tcp(rest)
        case "mqtt":
            return _mqtt(rest)
        case _:
            return None


def _host(rest: str) -> HostFeed:
    if not rest:
        return HostFeed()
    if not _SECONDS.fullmatch(rest):
        raise InputError(f"host:{rest}: what follows is a period in seconds, such as host:0.5")
    return HostFeed(float(rest))


def _tcp(rest: str) -> TcpFeed:
    match = _TCP.fullmatch(rest)
    if match is None:
        raise InputError(f"tcp:{rest}: an address is tcp:PORT or tcp://HOST:PORT, such as tcp:9000")
    port = _port(match["port"], 0, f"tcp:{rest}")
    return TcpFeed(match["ipv6"] or match["host"] or THIS_MACHINE, port)


def _mqtt(rest: str) -> MqttFeed:
    match = _MQTT.fullmatch(rest)
    shown = f"mqtt:{re.sub('//.*@', '//', rest)}"
    if match is None:
        raise InputError(
            f"{shown}: an address is mqtt://HOST/TOPIC, such as mqtt://localhost/home/# or "
            "mqtt://user:password@localhost:1883/home/+/temperature?id=reader"
        )
    topic = unquote(match["topic"])
    levels = topic.split("/")
    if any(sign in level and level != sign for level in levels for sign in "+#") or "#" in levels[:-1]:
        raise InputError(f"{shown}: in a topic + stands for a whole level, and # for the last ones")
    return MqttFeed(
        match["ipv6"] or match["host"],
        _port(match["port"] or str(USUAL_PORT), 1, shown),
        topic,
        client_id=_unquoted(match["id"]),
        user=_unquoted(match["user"]),
        password=_unquoted(match["password"]),
    )


def _port(digits: str, least: int, address: str) -> int:
    if len(digits) > len(str(LARGEST_PORT)) or not least <= int(digits) <= LARGEST_PORT:
        raise InputError(f"{address}: a port is a number from {least} to {LARGEST_PORT}")
    return int(digits)


def _unquoted(text: str | None) -> str | None:
    return None if text is None else unquote(text)
