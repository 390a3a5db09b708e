"""Addresses of other systems: where they are, what of them is read or written, and how."""

import re
import ssl
from collections.abc import Collection, Mapping
from dataclasses import field
from pathlib import Path
from urllib.parse import unquote

from lars2asp.runtime.errors import InputError
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

LARGEST_PORT = 65535

LOCAL = ("127.0.0.1", "::1", "localhost")
"""The names of this machine."""

HOST = r"\[(?P<ipv6>[0-9A-Fa-f:.%]+)\]|(?P<host>[^\s:/@\[\]?]+)"

_ADDRESS = re.compile(
    r"//(?:(?P<user>[^\s:/@?]*)(?::(?P<password>(?:[^\s/@?]|\?(?![^@]*=))*))?@)?(?P<hosts>[^\s/@?]+)"
    r"(?:/(?P<topic>[^?\n]*?))?(?:\?(?P<options>.*))?"
)
"""A `@` in an option, as in `?to=ops@example.com`, ends no password."""
_SERVER = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^\s:/@\[\]]+)(?::([0-9]+))?")

_FLAGS = ("core", "insecure", "starttls", "tls")
"""The options that have no value."""

_OF_ALL = ("password-file",)
_OF_TLS = ("ca", "insecure")


@dataclass(frozen=True)
class Form:
    """The form of the addresses of a system.

    Attributes:
        scheme: that of the addresses.
        secure: the scheme of connections by TLS; None if the client decides.
        port: the usual one.
        secure_port: the usual one for TLS.
        example: an address.
        reading: the options of addresses that are read.
        writing: those of addresses that are written to.
        usual: the topic of an address that names none; None if it has to.
        shape: what a wrong address is to be, besides the example; None: the scheme, a host and a name.
        options: what a message says of wrong options; None: their names.
    """

    scheme: str
    secure: str | None
    port: int
    secure_port: int
    example: str
    reading: tuple[str, ...] = ()
    writing: tuple[str, ...] = ()
    usual: str | None = None
    shape: str | None = None
    options: str | None = None


@dataclass(frozen=True)
class Address:
    """A topic of a server, or whatever the system calls it.

    Attributes:
        name: the address without user, password and options, with ports.
        written: the same without ports that are not written.
        hosts: the servers, each with its port.
        topic: what is read or written.
        user: who reads or writes, if the system asks.
        password: the user's.
        is_secure: whether the connections are by TLS.
        options: what follows the question mark.
    """

    name: str
    written: str
    hosts: tuple[tuple[str, int], ...]
    topic: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    is_secure: bool = False
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, form: Form, address: str, *, is_read: bool) -> "Address":
        """The parts of an address. Raises InputError for a wrong one, and for files that cannot be read.

        Args:
            form: its form.
            address: the text.
            is_read: whether it is read, and not written to.
        """
        scheme, _, rest = address.partition(":")
        name, match = f"{scheme}:{masked(rest.partition('?')[0])}", _ADDRESS.fullmatch(rest)
        wrong = InputError(f"{name}: write {form.shape or f'{scheme}://HOST/NAME'}, such as {form.example}")
        if match is None or (not match["topic"] and form.usual is None):
            raise wrong
        if form.shape is None and re.search(r"\s", match["topic"] or ""):
            raise wrong
        is_secure = scheme == form.secure
        names = *(form.reading if is_read else form.writing), *_OF_ALL, *(_OF_TLS if is_secure else ())
        options = options_of(match["options"], names, name, form.options or _hint(form, scheme, names))
        hosts = []
        for written in match["hosts"].split(","):
            host = _SERVER.fullmatch(written)
            if host is None:
                raise wrong
            port = host[2] or str(form.secure_port if is_secure else form.port)
            hosts.append((host[1].strip("[]"), port_of(port, 1, name)))
        topic = unquote(match["topic"] or "") or form.usual or ""
        user, password = (None if one is None else unquote(one) for one in match.group("user", "password"))
        if "password-file" in options:
            if user is None or password is not None:
                raise InputError(f"{name}: a password needs a user: write USER@HOST, with one password only")
            password = secret_in(options["password-file"], "password")
        shown_hosts = ",".join(map(host_and_port, *zip(*hosts, strict=True)))
        plain = f"{scheme}://{shown_hosts}/{topic}"
        return cls(plain, name, tuple(hosts), topic, user or None, password, is_secure, options)

    @property
    def servers(self) -> list[str]:
        """The servers, each with its port, as text."""
        return [host_and_port(host, port) for host, port in self.hosts]

    def server(self, hint: str) -> tuple[str, int]:
        """The only server, and its port. Raises InputError with a hint if there are several."""
        if len(self.hosts) > 1:
            raise InputError(f"{self.name}: {hint}")
        return self.hosts[0]

    def choice(self, option: str, *values: str) -> str:
        """The value of an option, the first one if it is not given. Raises InputError for others."""
        given = self.options.get(option, values[0])
        if given not in values:
            raise InputError(f"{self.name}: {option} is {' or '.join(values)}")
        return given

    @property
    def begins_at_end(self) -> bool:
        """Whether the first run reads only what comes from now on. Raises InputError for another value."""
        return self.choice("from", "beginning", "end") == "end"

    def tls(self) -> ssl.SSLContext | None:
        """What TLS needs; None for connections without. Raises InputError for a file without certificates."""
        return authority_of(self.options) if self.is_secure else None


def _hint(form: Form, scheme: str, names: Collection[str]) -> str:
    hint = f"options are {', '.join(dict.fromkeys(names))}"
    if form.secure not in (None, scheme) and not {*_OF_TLS} <= {*names}:
        hint += f"; {form.secure}: also accepts ca, insecure"
    return hint


def host_and_port(host: str, port: int) -> str:
    """A host and a port, as addresses have them."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def secret_in(file: str, what: str) -> str:
    """What stands in a file, its line end left out. Raises InputError."""
    return text_in(file, what).removesuffix("\n").removesuffix("\r")


def text_in(file: str, what: str) -> str:
    """The text of a file. Raises InputError, which says what it is to contain."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"{file}: cannot read the {what}: {reason}") from error


def token_of(options: Mapping[str, str]) -> str | None:
    """The token in the file that an option names; None without. Raises InputError."""
    return secret_in(options["token-file"], "token") if "token-file" in options else None


def settings_in(file: str) -> dict[str, str]:
    """Settings of a client in a file: NAME=VALUE a line; `#` begins a comment. Raises InputError."""
    found = {}
    for number, line in enumerate(text_in(file, "settings").splitlines(), start=1):
        name, sign, value = line.partition("=")
        if line.strip() and not line.lstrip().startswith("#"):
            if not sign:
                raise InputError(f"{file}:{number}: a setting is NAME=VALUE")
            found[name.strip()] = value.strip()
    return found


def options_of(text: str | None, names: Collection[str], address: str, form: str) -> dict[str, str]:
    """The options after the question mark of an address. Raises InputError for others."""
    options: dict[str, str] = {}
    for part in text.split("&") if text else ():
        name, _, value = part.partition("=")
        if name not in names or name in options or bool(value) == (name in _FLAGS):
            raise InputError(f"{address}: '{shown(name)}' is unknown here, or its value is wrong: {form}")
        options[name] = unquote(value)
    return options


def authority_of(options: Mapping[str, str]) -> ssl.SSLContext:
    """What TLS needs to connect, by the options `ca` and `insecure`. Raises InputError."""
    try:
        context = ssl.create_default_context(cafile=options.get("ca"))
    except OSError as error:
        reason = "it contains no certificate" if isinstance(error, ssl.SSLError) else error.strerror
        raise InputError(f"{options.get('ca')}: cannot read this file: {reason}") from error
    if "insecure" in options:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def masked(rest: str) -> str:
    """An address without user and password, even if it is not of its form."""
    return re.sub(r"(//[^/:]*):(?![0-9]*(?:[/?,]|$))[^/]*", r"\1:...", re.sub("//.*@", "//", rest))


def port_of(digits: str, least: int, address: str) -> int:
    """The number of a port. Raises InputError if it is none, or less than `least`."""
    if len(digits) > len(str(LARGEST_PORT)) or not least <= int(digits) <= LARGEST_PORT:
        raise InputError(f"{address}: a port must be a number from {least} to {LARGEST_PORT}")
    return int(digits)


def address_has_password(address: str) -> bool:
    """Whether a password stands in an address, for all users of the machine to see."""
    match = _ADDRESS.fullmatch(address.partition(":")[2])
    return match is not None and bool(match["password"])
