"""Addresses of feeds: which are some, and what is said of those that are wrong."""

from pathlib import Path
from typing import Any

import pytest

from lars2asp.runtime.connectors.addresses import feed_of, has_password
from lars2asp.runtime.connectors.host import HostFeed
from lars2asp.runtime.connectors.mqtt import PASSWORD, MqttFeed
from lars2asp.runtime.connectors.tcp import IDLE_SECONDS, MOST_CONNECTIONS, TcpFeed
from lars2asp.runtime.errors import InputError


@pytest.mark.parametrize(
    "name",
    [
        *("-", "", "readings.csv", "/tmp/host", "host", "tcp", "mqtt", "C:/readings.csv", "C:\\tcp:9"),
        *("file:tcp:9000", "./tcp:9000", "hosts:1"),
    ],
)
def test_anything_else_is_no_feed(name: str) -> None:
    assert feed_of(name) is None


@pytest.mark.parametrize("address", ["httpss://localhost/a", "mqttss://localhost/a", "x://u:secret@h/a"])
def test_addresses_of_other_kinds(address: str) -> None:
    """They are no names of files; they may have passwords, which are not shown."""
    scheme = address.partition(":")[0]
    with pytest.raises(InputError, match=rf"^{scheme}://\.\.\.: --input does not support such addresses"):
        feed_of(address)


@pytest.mark.parametrize(("address", "period"), [("host:", 1.0), ("host:0.5", 0.5), ("host:.25", 0.25)])
def test_the_host(address: str, period: float) -> None:
    feed = feed_of(address)
    assert isinstance(feed, HostFeed)
    assert feed.period == period


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


def broker(
    address: str,
) -> tuple[tuple[str, int, str], dict[str, Any]]:
    """Host, port and topic of a feed, and the rest as far as it is not as usual."""
    feed = feed_of(address)
    assert isinstance(feed, MqttFeed)
    broker, own = feed.broker, feed.broker.address
    found: dict[str, Any] = {"client_id": broker.client_id, "user": own.user, "password": broker.password}
    found |= {"tls": own.is_secure, "ca": own.options.get("ca"), "insecure": "insecure" in own.options}
    [(host, port)] = own.hosts
    others = {name: value for name, value in found.items() if value not in (None, False)}
    return (host, port, broker.topic), others


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
def test_brokers(address: str, place: tuple[str, int, str], options: dict[str, str]) -> None:
    assert broker(address) == (place, options)


@pytest.mark.parametrize(
    ("address", "port", "options"),
    [
        ("mqtts://localhost/a", 8883, {"tls": True}),
        ("mqtts://localhost:99/a?insecure", 99, {"tls": True, "insecure": True}),
        (
            "mqtts://ann@localhost/a?id=b&ca=c%20d.pem",
            8883,
            {"user": "ann", "client_id": "b", "tls": True, "ca": "c d.pem"},
        ),
    ],
)
def test_brokers_over_tls(address: str, port: int, options: dict[str, Any]) -> None:
    assert broker(address) == (("localhost", port, "a"), options)


def test_where_passwords_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file goes before the environment, which is asked only for a user without a password."""
    file = tmp_path / "secret"
    file.write_bytes("from filé \r\n".encode())
    monkeypatch.setenv(PASSWORD, "from the environment")
    for address, password in (
        (f"mqtt://ann@h/a?password-file={file}", "from filé "),
        (f"mqtts://ann@h/a?insecure&password-file={file}", "from filé "),
        ("mqtt://ann@h/a", "from the environment"),
        ("mqtt://ann:here@h/a", "here"),
        ("mqtt://ann:@h/a", ""),
        ("mqtt://h/a", None),
    ):
        assert broker(address)[1].get("password") == password
    monkeypatch.delenv(PASSWORD)
    assert "password" not in broker("mqtt://ann@h/a")[1]


@pytest.mark.parametrize(
    ("address", "has"),
    [
        *(("mqtt://ann:secret@h/a", True), ("mqtts://ann:secret@h/a?insecure", True)),
        *(("mqtt://ann@h/a", False), ("mqtt://ann:@h/a", False), ("mqtt://h/a", False), ("a.jsonl", False)),
    ],
)
def test_whether_a_password_can_be_seen(address: str, has: bool) -> None:
    assert has_password(address) == has


def test_the_name_of_a_broker_does_not_tell_the_password() -> None:
    feed = feed_of("mqtt://ann:secret@[::1]/a/#?id=x")
    assert isinstance(feed, MqttFeed)
    assert feed.name == "mqtt://[::1]:1883/a/#"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("host:fast", "host:fast: write a period in seconds, such as host:0.5"),
        ("host:-1", "write a period in seconds, such as host:0.5"),
        ("host:1e3", "write a period in seconds, such as host:0.5"),
        ("host:0", "a period must be a positive number of seconds, such as host:0.5"),
        ("tcp:", "tcp:: write tcp:PORT or tcp://HOST:PORT, such as tcp:9000"),
        ("tcp:x", "tcp:x: write tcp:PORT or"),
        ("tcp:localhost:9000", ": write tcp:PORT or"),
        ("tcp://localhost", ": write tcp:PORT or"),
        ("tcp://:9000", ": write tcp:PORT or"),
        ("tcp:65536", "tcp:65536: a port must be a number from 0 to 65535"),
        ("tcp:" + "9" * 5000, "a port must be a number from"),
        ("tcp:9?connections=0", "connections must be a positive number, such as connections=50"),
        ("tcp:9?connections=x", "connections must be a positive number, such as connections=50"),
        ("tcp:9?idle=0.0", "idle must be a positive number of seconds, such as idle=600"),
        ("tcp:9?idle=1e3", "idle must be a positive number of seconds, such as idle=600"),
        ("tcp:9?idle", "' is unknown here, or its value is wrong"),
        ("tcp:9?idle=1&idle=2", "' is unknown here, or its value is wrong"),
        ("tcp:9?watermark=all", "write watermark=connection"),
        ("tcp:9?most=1", "' is unknown here, or its value is wrong"),
        ("mqtt:localhost/a", "write mqtt://HOST/TOPIC, such as mqtt"),
        ("mqtt://localhost", "write mqtt://HOST/TOPIC, such as mqtt"),
        ("mqtt://localhost/", "write mqtt://HOST/TOPIC, such as mqtt"),
        ("mqtt:///a", "write mqtt://HOST/TOPIC, such as mqtt"),
        ("mqtt://localhost/a?qos=2", "write mqtt://HOST/TOPIC?id=READER"),
        ("mqtt://localhost/a?id=", "write mqtt://HOST/TOPIC?id=READER"),
        ("mqtt://localhost/a?id=b&x=1", "write mqtt://HOST/TOPIC?id=READER"),
        ("mqtt://localhost:0/a", "mqtt://localhost:0/a: a port must be a number from 1 to 65535"),
        ("mqtt://localhost/a/#/b", "in a topic"),
        ("mqtt://localhost/a?ca=b", "mqtt://localhost/a: certificates need TLS: write mqtts://"),
        ("mqtt://localhost/a?insecure", "certificates need TLS: write"),
        (
            "mqtts://localhost/a?insecure&ca=b",
            "with insecure no certificate is checked: remove ca or insecure",
        ),
        ("mqtts://localhost/a?insecure=1", "' is unknown here, or its value is wrong"),
        ("mqtt://localhost/a?password-file=b", "a password needs a user: write USER@HOST"),
        ("mqtt://ann:x@h/a?password-file=b", "a password needs a user: write USER@HOST"),
        ("mqtt://ann@h/a?password-file=/no/file", "/no/file: cannot read the password: No such file"),
        ("MQTT://ann:x@h/a", "MQTT://...: --input does not support such addresses: use host:, tcp:PORT"),
        ("mqtt://localhost/a#", "in a topic"),
        ("mqtt://localhost/a/b+/c", "in a topic"),
    ],
)
def test_wrong_addresses(address: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        feed_of(address)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "address",
    [
        *("mqtt://ann:secret@h:0/a", "mqtt://ann:se/cret@h/a", "mqtt://a:secret@h/a@b#"),
        *("mqtts://ann:secret@h:0/a", "mqtts://ann:secret@h", "mqtts://ann:secret@h/a?x=1"),
        *("mqtt://ann:secret/a", "mqtt://ann:secret", "mqtt://ann@h/a?password=secret"),
        *("mqtt://ann:secret@h/a?password-file=f", "mqtt://ann:secret@h/a?ca=b", "mqtt://h?password=secret"),
        *("MQTT://ann:secret@h/a", "mqttss://ann:secret@h/a", "ws://ann:secret@h/a"),
    ],
)
def test_messages_do_not_tell_the_password(address: str) -> None:
    with pytest.raises(InputError) as raised:
        feed_of(address)
    assert "cret" not in str(raised.value)
