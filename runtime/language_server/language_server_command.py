"""The command `lars2asp language-server`."""

from importlib.metadata import version
from pathlib import Path

import click

from lars2asp.runtime.command_line.exit_status import DONE
from lars2asp.runtime.command_line.setting_options import setting_options
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.runtime.extras import needed


@click.command("language-server", cls=SettingsCommand)
@setting_options("language-server")
def language_server_command(costs: str | None) -> int:
    """Serve an editor, which starts this command, on standard input.

    The editor shows mistakes, types, spans of windows, definitions and uses. It renames predicates, and
    offers fixes and one style, by the Language Server Protocol.
    """
    needed("pygls", "editor", "language-server")
    server = needed("lars2asp.runtime.language_server.server", "editor", "language-server")
    server.Server(version("lars2asp"), None if costs is None else Path(costs)).protocol.start_io()
    return DONE
