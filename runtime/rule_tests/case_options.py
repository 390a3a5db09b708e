"""The options with which a case runs: those of `lars2asp run` that say what a program means and is told."""

from collections.abc import Sequence
from typing import Any

import click

from lars2asp.runtime.command_line.program_options import optional_program_argument
from lars2asp.runtime.command_line.setting_options import setting_options
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.settings.table import SETTINGS

CASE_SETTINGS = {name for name, one in SETTINGS.items() if one.decides} | {"consequences"}
"""The settings that decide the answers of a case."""


@click.command("with")
@optional_program_argument
@setting_options("check-why", "consequences")
def _with(**_: Any) -> None:
    """The options."""


def case_options(words: Sequence[str], place: str) -> dict[str, Any]:
    """The values of options, by the names that functions of the command line know. Raises InputError."""
    try:
        context = _with.make_context("with", [*words])
    except click.ClickException as error:
        raise InputError(f"{place}: error: with {' '.join(words)}: {error.format_message()}") from error
    options = dict(context.params)
    if options["program"]:
        wrong = options["program"][0]
        raise InputError(f"{place}: error: write {wrong} after `program`: `with` takes only options")
    return options
