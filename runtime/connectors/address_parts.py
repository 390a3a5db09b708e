"""Parts of addresses, as they stand on the command line: options, ports, secrets."""

import re
import ssl
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from lars2asp.runtime.errors import InputError
from lars2asp.syntax.source import shown

LARGEST_PORT = 65535

HOST = r"\[(?P<ipv6>[0-9A-Fa-f:.%]+)\]|(?P<host>[^\s:/@\[\]]+)"

_FLAGS = ("core", "insecure", "starttls", "tls")
"""The options that have no value."""


def secret_in(file: str, what: str) -> str:
    """What stands in a file, its line end left out. Raises InputError."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"{file}: cannot read the {what}: {reason}") from error
    return text.removesuffix("\n").removesuffix("\r")


def options_of(text: str | None, names: tuple[str, ...], address: str, form: str) -> dict[str, str]:
    """The options behind the question mark of an address. Raises InputError for others."""
    options: dict[str, str] = {}
    for part in text.split("&") if text else ():
        name, _, value = part.partition("=")
        if name not in names or name in options or bool(value) == (name in _FLAGS):
            raise InputError(f"{address}: '{shown(name)}' is unknown here, or its value is wrong: {form}")
        options[name] = unquote(value)
    return options


def authority_of(options: Mapping[str, str]) -> ssl.SSLContext:
    """What TLS needs of who connects, by the options `ca` and `insecure`. Raises InputError."""
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
    """The number of a port. Raises InputError where it is none, or less than `least`."""
    if len(digits) > len(str(LARGEST_PORT)) or not least <= int(digits) <= LARGEST_PORT:
        raise InputError(f"{address}: a port must be a number from {least} to {LARGEST_PORT}")
    return int(digits)


def unquoted(text: str | None) -> str | None:
    return None if text is None else unquote(text)
