"""Ports of this machine on which feeds listen, and their addresses."""

import re
import socket
import ssl
from collections.abc import Mapping

from lars2asp.runtime.connectors.address import HOST, options_of, port_of
from lars2asp.runtime.errors import InputError
from lars2asp.syntax.values import dataclass

THIS_MACHINE = "127.0.0.1"

_OWN_PORT = re.compile(rf"(?://(?:{HOST}):)?(?P<port>[0-9]+)/?(?:\?(?P<options>.*))?")


@dataclass(frozen=True)
class Certificate:
    """What a server shows of itself: the files of a certificate, and of its key."""

    certificate: str
    key: str

    @classmethod
    def of(cls, options: Mapping[str, str], address: str, form: str) -> "Certificate | None":
        """That of the options of an address; None without. Raises InputError, which says the form."""
        if len(given := {"cert", "key"} & {*options}) == 1:
            raise InputError(f"{address}: TLS needs a certificate and its key: {form}")
        return cls(options["cert"], options["key"]) if given else None

    def context(self, name: str) -> ssl.SSLContext:
        """What a server needs for TLS. Raises InputError, with its name."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(self.certificate, self.key)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"{name}: {reason}: are these the certificate and its key?") from error
        return context


class Listening:
    """Listens on a port.

    Attributes:
        scheme: that of its name.
        host: the address or name to listen on; `0.0.0.0` takes what other machines send.
        port: the number of the port; 0 before `open` takes any that is free.
        name: such as `tcp:127.0.0.1:9000`.
    """

    scheme: str
    host: str
    port: int
    name: str
    _listener: socket.socket | None = None

    def open(self) -> None:
        """Begins to listen, as `run` does if need be; then `port` is known. Raises InputError."""
        if self._listener is None:
            self._listener = listening(self.name, self.host, self.port)
            self.port = self._listener.getsockname()[1]
            self.name = name_of(self.scheme, self.host, self.port)

    def close(self) -> None:
        """Stops to listen; `run` does so at its end."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None


def listening(name: str, host: str, port: int) -> socket.socket:
    """A socket that listens, on the IPv4 address of a host that has both. Raises InputError, with a name."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        listener = socket.create_server(address[:2], family=family)
    except (OSError, UnicodeError) as error:  # the latter for what cannot be the name of a host
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"{name}: cannot listen here: {reason}; choose another port, or an address of this machine"
        ) from error
    listener.setblocking(False)
    return listener


def name_of(scheme: str, host: str, port: int) -> str:
    """What messages call a port, or the other end of a connection to it."""
    return f"{scheme}:[{host}]:{port}" if ":" in host else f"{scheme}:{host}:{port}"


def own_port(
    rest: str, address: str, wrong: str, names: tuple[str, ...], form: str
) -> tuple[str, int, dict[str, str]]:
    """The host, the port and the options of an address at which to listen. Raises InputError.

    Args:
        rest: what follows the scheme and the colon.
        address: the address in messages.
        wrong: what is said of an address of another form.
        names: the options that it may have.
        form: what is said of other options.
    """
    match = _OWN_PORT.fullmatch(rest)
    if match is None:
        raise InputError(f"{address}: {wrong}")
    options = options_of(match["options"], names, address, form)
    return match["ipv6"] or match["host"] or THIS_MACHINE, port_of(match["port"], 0, address), options
