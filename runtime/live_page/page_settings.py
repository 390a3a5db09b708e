"""The settings of a live page: where it is served, who may ask for it, and how much it has."""

import socket
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import check_installed
from lars2asp.runtime.live_page.messages import PageOf
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

LOCAL = "127.0.0.1"

LEAST_TOKEN = 16
"""The number of characters of a token, at least."""

KEPT_TICKS = 10_000
"""For how many ticks a page has lanes and explanations."""

MOST_EXPLAINED = 200_000
"""The number of records and evaluated ticks that are kept for explanations."""

_NEEDED = ("starlette", "uvicorn", "prometheus_client")


@dataclass(frozen=True)
class PageAddress:
    """The address of a page.

    Attributes:
        host: the address or name of this machine at which it listens.
        port: the port; 0 for one that is free.
        token: what a browser must give; None where only this machine can reach the page.
    """

    host: str = LOCAL
    port: int = 0
    token: str | None = None

    @classmethod
    def of(cls, text: str | int, token: str | None = None) -> "PageAddress":
        """The address that is written as `PORT` or `HOST:PORT`. Raises InputError."""
        host, colon, number = str(text).rpartition(":")
        host = host.strip("[]") if colon else LOCAL
        if not (number.isascii() and number.isdecimal() and int(number) < 65536 and host):
            raise InputError(
                f"{shown(str(text))} is not an address of a page: write PORT or HOST:PORT, as in 8080"
            )
        if token is not None:
            _check_token(token, "serve_token")
        found = cls(host, int(number), token)
        if token is None and not found.is_local:
            raise InputError(
                f"others can reach a page at {shown(host)}: give a token (--serve-token-file FILE, in Python "
                "serve_token), or leave the host out"
            )
        return found

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which it may be asked for, in small letters."""
        if self.is_local:
            return frozenset({self.host.lower(), "localhost", LOCAL, "::1"})
        if not self.is_wildcard:
            return frozenset({self.host.lower()})
        return frozenset({"localhost", socket.gethostname().lower(), socket.getfqdn().lower()})

    @property
    def is_wildcard(self) -> bool:
        """Whether it listens at all addresses of this machine."""
        try:
            return ip_address(self.host).is_unspecified
        except ValueError:
            return False

    def listening(self) -> socket.socket:
        """A socket that listens there. Raises InputError where that cannot be."""
        check_packages()
        try:
            family, kind, number, _, where = socket.getaddrinfo(
                self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            made = socket.socket(family, kind, number)
        except OSError as error:
            raise InputError(f"cannot serve a page at {shown(self.host)}: {error.strerror}") from error
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(where)
            made.listen(128)
        except OSError as error:
            made.close()
            reason = "the port is in use: choose another port" if error.errno == 98 else error.strerror
            raise InputError(f"cannot serve a page at {shown(self.host)}:{self.port}: {reason}") from error
        return made

    def url(self, listening: socket.socket) -> str:
        """How a browser asks for it."""
        port = listening.getsockname()[1]
        host = socket.gethostname() if self.is_wildcard else self.host
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


@dataclass(frozen=True)
class LivePageSettings:
    """The page of a run.

    Attributes:
        address: where it is served.
        kept: for how many ticks it has lanes and explanations.
        explains: whether the reasoner keeps what explanations need.
        most_explained: the number of records and evaluated ticks that it keeps for them, besides what windows
            look back at.
    """

    address: PageAddress
    kept: int = KEPT_TICKS
    explains: bool = False
    most_explained: int = MOST_EXPLAINED

    def page_of(self, title: str, timeline: Timeline) -> PageOf:
        """What the process that serves the page must know of a run."""
        address = self.address
        return PageOf(
            title.encode(errors="backslashreplace").decode(),
            replace(timeline, arrival=None),
            self.kept,
            self.explains,
            address.token,
            address.hosts,
            address.is_wildcard,
        )


def check_packages() -> None:
    """Raises MissingPackageError where a package is missing that the page needs."""
    check_installed(_NEEDED, "page", "the page")


def token_of(path: str | Path) -> str:
    """The token in a file. Raises InputError."""
    try:
        found = Path(path).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"{shown(str(path))}: the token cannot be read: {reason}") from error
    _check_token(found, shown(str(path)))
    return found


def _check_token(token: str, where: str) -> None:
    """Raises InputError for a token that is short, or that cannot be sent."""
    if len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable():
        raise InputError(
            f"{where}: a token has {LEAST_TOKEN} characters or more, of ASCII: "
            "`python3 -c 'import secrets; print(secrets.token_urlsafe())'` makes one"
        )
