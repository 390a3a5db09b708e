"""Addresses of feeds: which are some, and what is said of those that are wrong."""

from typing import Any

import pytest

from runtime.errors import InputError
from runtime.feeds import addresses
from runtime.feeds.addresses import feed_of
from runtime.feeds.host import HostFeed
from runtime.feeds.mqtt import MqttFeed
from runtime.feeds.tcp import IDLE_SECONDS, MOST_CONNECTIONS, TcpFeed
from runtime.records import LARGEST_RECORD


@pytest.mark.parametrize(
    "name",
    [
        *("-", "", "readings.csv", "/tmp/host", "host", "tcp", "mqtt", "C:/readings.csv", "C:\\tcp:9"),
        *("http://localhost/a", "file:tcp:9000", "./tcp:9000", "hosts:1", "mqttss://localhost/a"),
    ],
)
def test_anything_else_is_no_feed(name: str) -> None:
    assert feed_of(name) is None


@pytest.mark.parametrize(("address", "period"), [("host:", 1.0), ("host:0.5", 0.5), ("host:.25", 0.25)])
def test_the_host(address: str, period: float) -> None:
    feed = feed_of(address)
    assert isinstance(feed, HostFeed)
    assert feed._period == period


@pytest.mark.parametrize(
    ("address", "host", "port"),
    [
        ("tcp:9000", "127.0.0.1", 9000),
        ("tcp:0", "127.0.0.1", 0),
        ("tcp://0.0.0.0:9000", "0.0.0.0", 9000),
        ("tcp://example.org:9000/", "example.org", 9000),
        ("tcp://[::1]:9000", "::1", 9000),
    ],
)
def test_ports(address: str, host: str, port: int) -> None:
    feed = feed_of(address)
    assert isinstance(feed, TcpFeed)
    assert (feed.host, feed.port) == (host, port)
    assert (feed.connections, feed.idle) == (MOST_CONNECTIONS, IDLE_SECONDS)


def test_bounds_of_ports() -> None:
    """They do not belong to the name, so that a run goes on from its checkpoints with others."""
    feed = feed_of("tcp:9000?connections=50&idle=0.5")
    assert isinstance(feed, TcpFeed)
    assert (feed.name, feed.connections, feed.idle) == ("tcp:127.0.0.1:9000", 50, 0.5)
    feed = feed_of("tcp://[::1]:9000/?idle=600")
    assert isinstance(feed, TcpFeed)
    assert (feed.host, feed.port, feed.connections, feed.idle) == ("::1", 9000, MOST_CONNECTIONS, 600)


USUAL = {"client_id": None, "user": None, "password": None, "tls": None, "largest_record": LARGEST_RECORD}


@pytest.mark.parametrize(
    ("address", "place", "options"),
    [
        ("mqtt://localhost/a", ("localhost", 1883, "a"), {}),
        ("mqtt://localhost:1884/a/b", ("localhost", 1884, "a/b"), {}),
        ("mqtt://[::1]:1884/a/+/b", ("::1", 1884, "a/+/b"), {}),
        ("mqtt://localhost/#", ("localhost", 1883, "#"), {}),
        ("mqtt://localhost/+/#", ("localhost", 1883, "+/#"), {}),
        ("mqtt://localhost//a/", ("localhost", 1883, "/a/"), {}),
        ("mqtt://localhost/a b/%3F%25", ("localhost", 1883, "a b/?%"), {}),
        ("mqtt://localhost/a/#?id=reader 1", ("localhost", 1883, "a/#"), {"client_id": "reader 1"}),
        ("mqtt://ann@localhost/a", ("localhost", 1883, "a"), {"user": "ann"}),
        ("mqtt://ann:@localhost/a", ("localhost", 1883, "a"), {"user": "ann", "password": ""}),
        (
            "mqtt://ann%40home:p%3A%2F%40:x@broker:1/a?id=b%20c",
            ("broker", 1, "a"),
            {"user": "ann@home", "password": "p:/@:x", "client_id": "b c"},
        ),
    ],
)
def test_brokers(
    address: str, place: tuple[str, int, str], options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    monkeypatch.setattr(addresses, "MqttFeed", lambda *args, **kwargs: made.append((args, kwargs)))
    feed_of(address)
    assert made == [(place, USUAL | options)]


def test_the_name_of_a_broker_does_not_tell_the_password() -> None:
    feed = feed_of("mqtt://ann:secret@[::1]/a/#?id=x")
    assert isinstance(feed, MqttFeed)
    assert feed.name == "mqtt://[::1]:1883/a/#"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("host:fast", "host:fast: what follows is a period in seconds, such as host:0.5"),
        ("host:-1", "host:-1: what follows is a period"),
        ("host:1e3", "host:1e3: what follows is a period"),
        ("host:0", "a period is a positive number"),
        ("tcp:", "tcp:: an address is tcp:PORT or tcp://HOST:PORT, such as tcp:9000"),
        ("tcp:x", "tcp:x: an address is"),
        ("tcp:localhost:9000", "an address is"),
        ("tcp://localhost", "an address is"),
        ("tcp://:9000", "an address is"),
        ("tcp:65536", "tcp:65536: a port is a number from 0 to 65535"),
        ("tcp:" + "9" * 5000, "a port is a number"),
        ("tcp:9?connections=0", "tcp:9?connections=0: connections are a positive number"),
        ("tcp:9?connections=x", "connections are a positive number"),
        ("tcp:9?idle=0.0", "idle is a positive number of seconds, such as idle=600"),
        ("tcp:9?idle=1e3", "idle is a positive number"),
        ("tcp:9?idle", "'idle' is no option there, or not of its form: tcp:9000?connections=50&idle=600"),
        ("tcp:9?idle=1&idle=2", "'idle' is no option there"),
        ("tcp:9?most=1", "'most' is no option there"),
        ("mqtt:localhost/a", "mqtt:localhost/a: an address is mqtt://HOST/TOPIC"),
        ("mqtt://localhost", "an address is mqtt://HOST/TOPIC"),
        ("mqtt://localhost/", "an address is mqtt://HOST/TOPIC"),
        ("mqtt:///a", "an address is mqtt://HOST/TOPIC"),
        ("mqtt://localhost/a?qos=2", "an address is mqtt://HOST/TOPIC"),
        ("mqtt://localhost/a?id=", "an address is mqtt://HOST/TOPIC"),
        ("mqtt://localhost/a?id=b&x=1", "an address is mqtt://HOST/TOPIC"),
        ("mqtt://localhost:0/a", "mqtt://localhost:0/a: a port is a number from 1 to 65535"),
        ("mqtt://localhost/a/#/b", "in a topic"),
        ("mqtt://localhost/a#", "in a topic"),
        ("mqtt://localhost/a/b+/c", "in a topic"),
    ],
)
def test_wrong_addresses(address: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        feed_of(address)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "address", ["mqtt://ann:secret@h:0/a", "mqtt://ann:se/cret@h/a", "mqtt://a:secret@h/a@b#"]
)
def test_messages_do_not_tell_the_password(address: str) -> None:
    with pytest.raises(InputError) as raised:
        feed_of(address)
    assert "cret" not in str(raised.value)
