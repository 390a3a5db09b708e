"""The schemes of addresses of other systems, and who serves them: a module here, or another package."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple, TypeVar

from lars2asp.runtime.connectors.address import address_has_password, masked
from lars2asp.runtime.connectors.connector import InputConnector, OutputConnector
from lars2asp.runtime.connectors.delivering import Destination
from lars2asp.runtime.connectors.feed import Feed
from lars2asp.runtime.connectors.message_destination import destination_by
from lars2asp.runtime.connectors.message_feed import feed_by
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import LARGEST_RECORD
from lars2asp.syntax.patterns import pattern


class Scheme(NamedTuple):
    """A scheme of addresses.

    Attributes:
        module: the module here that serves it.
        read: the form of the addresses that are read; None for none.
        written: the form of those that are written to; None for none.
    """

    module: str
    read: str | None
    written: str | None

    @property
    def has_topic(self) -> bool:
        """Whether addresses name a server and what of it; then each answer is a message."""
        return self.module not in ("host", "http", "tcp", "web")


SCHEMES: Mapping[str, Scheme] = {
    "host": Scheme("host", "host:", None),
    "tcp": Scheme("tcp", "tcp:PORT", "tcp:HOST:PORT"),
    "http": Scheme("http", "http:PORT", "http://HOST/PATH"),
    "https": Scheme("http", "https:PORT", "https://HOST/PATH"),
    **{s: Scheme("mqtt", *2 * (f"{s}://BROKER/TOPIC",)) for s in ("mqtt", "mqtts")},
    **{s: Scheme("kafka", *2 * (f"{s}://HOST/TOPIC",)) for s in ("kafka", "kafkas")},
    **{s: Scheme("redis", *2 * (f"{s}://HOST/STREAM",)) for s in ("redis", "rediss")},
    **{s: Scheme("nats", *2 * (f"{s}://HOST/SUBJECT",)) for s in ("nats", "natss")},
    **{s: Scheme("amqp", *2 * (f"{s}://HOST/VHOST?queue=QUEUE",)) for s in ("amqp", "amqps")},
    "postgres": Scheme(
        "postgres",
        "postgres://HOST/DATABASE?table=TABLE&key=COLUMN",
        "postgres://HOST/DATABASE?table=TABLE",
    ),
    **{s: Scheme("mail", None, f"{s}://HOST?to=ADDRESS&from=ADDRESS") for s in ("smtp", "smtps")},
    **{s: Scheme("web", f"{s}://SERVER/PATH", None) for s in ("ws", "wss", "sse+http", "sse+https")},
}
"""The schemes of this package."""

INPUTS, OUTPUTS = "lars2asp.inputs", "lars2asp.outputs"
"""The groups of entry points by which other packages serve schemes."""

T = TypeVar("T", InputConnector, OutputConnector)

_OTHER = pattern(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://.*")


def feed_of(
    address: str, largest_record: int = LARGEST_RECORD, *, encoding: str | None = None
) -> Feed | None:
    """The feed at an address; None for anything else, such as the name of a file.

    Args:
        address: the address. A sign that would end a part of it is written as %3F (?), %40 (@), %3A (:),
            %2F (/), %26 (&) or %25 (%).
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark. On the web it is always UTF-8.

    Raises InputError for a wrong address, an unreadable password file, or if a package is missing.
    """
    scheme, colon, _ = address.partition(":")
    known = SCHEMES.get(scheme) if colon else None
    if known is not None and known.read is not None:
        made: Feed = _module(known).input_at(address, largest_record, encoding)
        return made
    make = _of_package(address, INPUTS, InputConnector)
    return None if make is None else feed_by(make, address, largest_record, encoding)


def destination_of(address: str, posting: Posting | None = None) -> Destination | None:
    """The destination at an address; None for anything else, such as the name of a file.

    Args:
        address: the address.
        posting: how answers are sent.

    Raises InputError for a wrong address, or if a package is missing.
    """
    scheme, colon, _ = address.partition(":")
    known = SCHEMES.get(scheme) if colon else None
    if known is not None and known.written is not None:
        made: Destination = _module(known).output_at(address, posting)
        return made
    make = _of_package(address, OUTPUTS, OutputConnector)
    return None if make is None else destination_by(make, address, posting)


def is_address(text: str) -> bool:
    """Whether a text is the address of a live source, right or wrong; nothing is opened or looked for."""
    scheme, colon, _ = text.partition(":")
    is_known = scheme in SCHEMES and SCHEMES[scheme].read is not None
    return bool(colon) and (is_known or _OTHER.match(text) is not None)


def takes_messages(output: str) -> bool:
    """Whether each answer is a message, or a row, of its own at an address."""
    scheme = output.partition(":")[0]
    return SCHEMES[scheme].has_topic if scheme in SCHEMES else _OTHER.match(output) is not None


def name_of(output: str) -> str:
    """An output as checkpoints and messages name it: an address without user, password and options."""
    scheme, colon, rest = output.partition(":")
    is_known = scheme in SCHEMES and SCHEMES[scheme].written is not None
    if not colon or not (is_known or _OTHER.match(output)):
        return output
    return f"{scheme}:{masked(rest.partition('?')[0])}"


def has_password(address: str) -> bool:
    """Whether a password stands in an address, for all users of the machine to see."""
    known = SCHEMES.get(address.partition(":")[0])
    return known is not None and known.has_topic and address_has_password(address)


def _module(known: Scheme) -> Any:
    """The module of a scheme. It is imported here: most runs read files, and start sooner without."""
    return import_module(f"lars2asp.runtime.connectors.{known.module}")


def _of_package(address: str, group: str, kind: type[T]) -> Callable[[str], T] | None:
    """What another package has for an address; None for the name of a file.

    Raises InputError if no package serves the scheme, or one that cannot. The address may have a password.
    """
    match = _OTHER.match(address)
    if match is None:
        return None
    scheme = match["scheme"]
    entry = _entries(group).get(scheme)
    if entry is None:
        is_input = group == INPUTS
        forms = [form for one in SCHEMES.values() if (form := one.read if is_input else one.written)]
        raise InputError(
            f"{scheme}://...: --{'input' if is_input else 'output'} does not support such addresses: use "
            f"{', '.join(forms[:-1])} and {forms[-1]}, or install a package with a connector for {scheme}"
        )
    package = "another package" if entry.dist is None else entry.dist.name
    try:
        make = entry.load()
    except Exception as error:  # whatever the package does
        raise InputError(f"{scheme}://...: the connector of {package} cannot be loaded: {error}") from error

    def made(text: str) -> T:
        connector = make(text)
        if not isinstance(connector, kind):
            raise InputError(f"{scheme}://...: the connector of {package} is no {kind.__name__}")
        return connector

    return made


@cache
def _entries(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of a group. Nobody looks for them before an address needs them: that takes a while."""
    return {one.name: one for one in entry_points(group=group)}
