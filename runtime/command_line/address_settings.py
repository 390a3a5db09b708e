"""Settings after an address that a command has one of, as in `--output 'alarms.csv?times=yes'`."""

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click

from lars2asp.runtime.command_line.setting_options import type_of
from lars2asp.runtime.settings.setting import Setting
from lars2asp.runtime.settings.table import of_addresses, of_command
from lars2asp.syntax.source import shown

_OF_SERVERS = ("http", "https")
"""In addresses of the web the server reads the text after the question mark."""


def take_settings(options: dict[str, Any], kind: str, address: str, command: str) -> str:
    """Takes over the settings after an address. They override the options.

    Args:
        options: the options of the command.
        kind: "input" or "output".
        address: the address. A file with such a name goes first.
        command: the command.

    Returns:
        The address without them.

    Raises UsageError for settings that the command does not have, and for wrong values.
    """
    base, mark, written = address.partition("?")
    if not mark or base.partition(":")[0] in _OF_SERVERS or Path(address).exists():
        return address
    known = {one.address_name: one.name for one in of_addresses(kind)}
    of_this = {one.name: one for one in of_command(command)}
    others: list[str] = []
    found: dict[str, Any] = {}
    for part in written.split("&"):
        name, _, text = part.partition("=")
        if name not in known:
            others.append(part)
            continue
        setting = of_this.get(known[name])
        if setting is None:
            raise click.UsageError(f"{base}?...: lars2asp {command} has no setting {name}")
        if setting.name in found:
            raise click.UsageError(f"{base}?...: {name} needs one value")
        found[setting.name] = _value(setting, name, unquote(text), base)
    options |= found
    return base + (f"?{'&'.join(others)}" if others else "")


def _value(setting: Setting, name: str, text: str, base: str) -> Any:
    if setting.kind == "switch":
        if text not in ("yes", "no"):
            raise click.UsageError(f"{base}?...: {name}: write yes or no, not '{shown(text)}'")
        return text == "yes"
    try:
        return type_of(setting.kind).convert(text, None, None)
    except click.UsageError as error:
        raise click.UsageError(f"{base}?...: {name}: {error.message}") from error
