"""Options that several commands share."""

from collections.abc import Callable
from typing import Any

import click

from lars2asp.runtime.command_line.parameter_types import TimestampType, choice
from lars2asp.runtime.evaluators.choice import EvaluatorName
from lars2asp.runtime.sources.timeline import TimeUnit

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def together(*options: Decorator) -> Decorator:
    """Adds options to a command, in this order."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def evaluator_option(text: str) -> Decorator:
    """`--evaluator`, with the text that `--help` shows."""
    return click.option(
        "--evaluator", type=choice(EvaluatorName), default="auto", show_default=True, help=text
    )


def lateness_option(records: str) -> Decorator:
    """`--lateness`, with what `--help` calls the records that are waited for."""
    return click.option(
        "--lateness",
        metavar="DURATION",
        default="0",
        show_default=True,
        help=f"For how long {records}: ticks, or as in '30 sec'.",
    )


complete_windows_option = click.option(
    "--complete-windows", is_flag=True, help="`always` needs windows wholly on the timeline."
)

time_options = together(
    click.option(
        "--time-unit",
        type=choice(TimeUnit),
        default="tick",
        show_default=True,
        help="What integer times count: ticks, or seconds or milliseconds since 1970.",
    ),
    click.option(
        "--origin",
        type=TimestampType(),
        default="1970-01-01T00:00:00Z",
        show_default=True,
        help="When tick 0 begins.",
    ),
    click.option(
        "--timezone",
        metavar="ZONE",
        help="Zone of timestamps that name no offset, as in Europe/Vienna; goes before #timezone.",
    ),
)
