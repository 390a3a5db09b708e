"""What the command line ends with: exit statuses, and the messages of errors."""

from collections.abc import Callable
from typing import Any

import click

from lars2asp.runtime.errors import EvaluatorError, FunctionError, Terminated
from lars2asp.runtime.runs.processes.stop import INTERRUPTED, TERMINATED
from lars2asp.runtime.sources.text.text_files import flush_standard_streams
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.source import visible

DONE, RECORDS_REJECTED, CANNOT_RUN, CANNOT_SERVE, FUNCTION_FAILED = 0, 1, 2, 3, 4
"""Exit statuses: 2 is also the status of wrong use. `lars2asp --help` lists them."""


def reported(action: Callable[[], Any]) -> int:
    """The exit status that an action gives, or of what it raises, with a message."""
    try:
        status = action()
        flush_standard_streams()
    except Terminated:
        return TERMINATED
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        click.echo(f"error: {name}reading or writing failed: {error.strerror}", err=True)
        return CANNOT_RUN
    except MemoryError:
        click.echo("error: there is not enough memory", err=True)
        return CANNOT_RUN
    except click.ClickException as error:
        error.show()
        return CANNOT_RUN
    except Lars2aspError as error:
        text = visible(str(error))
        click.echo(text if "error: " in text else f"error: {text}", err=True)
        if isinstance(error, FunctionError):
            return FUNCTION_FAILED
        return CANNOT_SERVE if isinstance(error, EvaluatorError) else CANNOT_RUN
    return int(status or DONE)
