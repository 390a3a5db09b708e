"""Where a broker is, and what of it is read or written: addresses of brokers."""

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from urllib.parse import unquote

from lars2asp.runtime.connectors.address_parts import (
    authority_of,
    masked,
    options_of,
    port_of,
    secret_in,
    unquoted,
)
from lars2asp.runtime.errors import InputError
from lars2asp.syntax.values import dataclass

_ADDRESS = re.compile(
    r"//(?:(?P<user>[^\s:/@?]*)(?::(?P<password>(?:[^\s/@?]|\?(?![^@]*=))*))?@)?(?P<hosts>[^\s/@?]+)(?:/(?P<topic>[^\s?]*?))?"
    r"(?:\?(?P<options>.*))?"
)
"""A `@` in an option, as in `?to=ops@example.com`, ends no password."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^\s:/@\[\]]+)(?::([0-9]+))?")


@dataclass(frozen=True)
class Kind:
    """A kind of brokers.

    Attributes:
        scheme: that of their addresses.
        secure: the scheme where the connection is by TLS; None where the client decides.
        port: the usual one.
        secure_port: the usual one for TLS.
        example: an address.
        reading: the options of addresses that are read.
        writing: those of addresses that are written to.
        usual: the topic where the address names none; None where it has to.
    """

    scheme: str
    secure: str | None
    port: int
    secure_port: int
    example: str
    reading: tuple[str, ...] = ()
    writing: tuple[str, ...] = ()
    usual: str | None = None


_OF_ALL = ("password-file",)
_OF_TLS = ("ca", "insecure")


@dataclass(frozen=True)
class Server:
    """A topic of a broker, or whatever the broker calls it.

    Attributes:
        name: the address, without user, password and options.
        hosts: the servers, each with its port.
        topic: what is read or written.
        user: who does so, if the broker asks.
        password: the user's.
        is_secure: whether the connections are by TLS.
        options: what stands behind the question mark.
    """

    name: str
    hosts: tuple[tuple[str, int], ...]
    topic: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    is_secure: bool = False
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, kind: Kind, scheme: str, rest: str, *, is_read: bool) -> "Server":
        """That of an address. Raises InputError for a wrong one, and for files that cannot be read.

        Args:
            kind: the kind of the broker.
            scheme: that of the address.
            rest: what follows it and the colon.
            is_read: whether it is read, and not written to.
        """
        address = f"{scheme}:{masked(rest.partition('?')[0])}"
        match = _ADDRESS.fullmatch(rest)
        if match is None or (not match["topic"] and kind.usual is None):
            raise InputError(f"{address}: write {scheme}://HOST/NAME, such as {kind.example}")
        is_secure = scheme == kind.secure
        names = *(kind.reading if is_read else kind.writing), *_OF_ALL, *(_OF_TLS if is_secure else ())
        form = f"options are {', '.join(dict.fromkeys(names))}"
        if not is_secure and kind.secure is not None and not {*_OF_TLS} <= {*names}:
            form += f"; {kind.secure}: also accepts ca, insecure"
        options = options_of(match["options"], names, address, form)
        usual = kind.secure_port if is_secure else kind.port
        hosts = []
        for written in match["hosts"].split(","):
            host = _HOST.fullmatch(written)
            if host is None:
                raise InputError(f"{address}: write {scheme}://HOST/NAME, such as {kind.example}")
            hosts.append((host[1].strip("[]"), port_of(host[2] or str(usual), 1, address)))
        topic = unquote(match["topic"] or "") or kind.usual or ""
        user, password = unquoted(match["user"]), unquoted(match["password"])
        if "password-file" in options:
            if match["user"] is None or password is not None:
                raise InputError(
                    f"{address}: a password needs a user: write USER@HOST, with one password only"
                )
            password = secret_in(options["password-file"], "password")
        shown = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in hosts)
        name = f"{scheme}://{shown}/{topic}"
        return cls(name, tuple(hosts), topic, user or None, password, is_secure, options)

    def choice(self, option: str, *values: str) -> str:
        """The value of an option, the first one where it is not given. Raises InputError for others."""
        given = self.options.get(option, values[0])
        if given not in values:
            raise InputError(f"{self.name}: {option} is {' or '.join(values)}")
        return given

    def check_authority(self) -> None:
        """Raises InputError where the file of an authority cannot be read."""
        if "ca" in self.options:
            authority_of(self.options)


def has_password(rest: str) -> bool:
    """Whether a password stands in an address, behind its scheme."""
    match = _ADDRESS.fullmatch(rest)
    return match is not None and bool(match["password"])


def settings_in(file: str) -> dict[str, str]:
    """Settings of a client in a file: NAME=VALUE a line; `#` begins a comment. Raises InputError."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"{file}: cannot read the settings: {reason}") from error
    found = {}
    for number, line in enumerate(text.splitlines(), start=1):
        name, sign, value = line.partition("=")
        if line.strip() and not line.lstrip().startswith("#"):
            if not sign:
                raise InputError(f"{file}:{number}: a setting is NAME=VALUE")
            found[name.strip()] = value.strip()
    return found
