"""The command `lars2asp check`."""

from typing import Any

import click

from lars2asp.compiler import check
from lars2asp.runtime.command_line.exit_status import CANNOT_RUN, DONE
from lars2asp.runtime.command_line.program_options import context_of, overrides_of, program_options
from lars2asp.syntax.diagnostics import Severity
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import visible


@click.command("check")
@program_options
def check_command(**options: Any) -> int:
    """Say all that is wrong with a program; exit 0 when nothing is."""
    options["context"] = context_of(options)
    sources, trusted = read_sources(options["program"]), not options["no_scripts"]
    diagnostics = check(*sources, overrides=overrides_of(options), trusted=trusted)
    for diagnostic in diagnostics:
        click.echo(visible(str(diagnostic)), err=True)
    return CANNOT_RUN if any(d.severity is Severity.ERROR for d in diagnostics) else DONE
