"""The options of commands, from the table of settings."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Any

import click

from lars2asp.runtime.command_line.config_file import NamedValues, take_config
from lars2asp.runtime.command_line.value_types import (
    DELIMITER,
    DURATION,
    EMISSION,
    ENCODING,
    HEADER,
    INTERVAL,
    PREDICATE,
    SECONDS,
    SIZE,
    TICK,
    TIME_FORMAT,
    TIMESTAMP,
    name_and_value,
    number_from,
)
from lars2asp.runtime.connectors.addresses import is_address
from lars2asp.runtime.settings.setting import Setting
from lars2asp.runtime.settings.table import SETTINGS, of_command
from lars2asp.runtime.sources.input_settings import apart
from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.syntax.option_values import OptionValue, earlier_names

# ruff: noqa: PLC0415 - few ask

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_TYPES: Mapping[str, click.ParamType[Any]] = {
    "clock": click.Choice(["data", "wall"]),
    "delimiter": DELIMITER,
    "duration": DURATION,
    "emission": EMISSION,
    "encoding": ENCODING,
    "header": HEADER,
    "log format": click.Choice(["text", "json"]),
    "name=value": name_and_value("n=5"),
    "number from 0": number_from(0),
    "number from 1": number_from(1),
    "on reject": click.Choice(["warn", "stop"]),
    "path": click.Path(dir_okay=False),
    "predicate": PREDICATE,
    "program file": click.Path(dir_okay=False),
    "Python file": click.Path(exists=True, dir_okay=False),
    "seconds": SECONDS,
    "size": SIZE,
    "Spark setting": name_and_value("spark.driver.memory=4g"),
    "text": click.STRING,
    "ticks or duration": INTERVAL,
    "time": TICK,
    "time format": TIME_FORMAT,
    "timestamp": TIMESTAMP,
    "year": click.IntRange(1, 9999),
}
"""The types of values, by their kinds."""

_ENUMERATIONS = {
    "consequences": "runtime.evaluators.protocol:Consequences",
    "drawing format": "runtime.plan_drawing.drawing_format:DrawingFormat",
    "evaluator": "runtime.evaluators.evaluator_names:EvaluatorName",
    "explanation format": "runtime.explanations.words.explanation_format:ExplanationFormat",
    "input format": "runtime.sources.reading:Format",
    "input format of Spark": "runtime.spark.query.spark_query:FileFormat",
    "output format": "runtime.sinks.emission:OutputFormat",
    "output format of Spark": "runtime.spark.query.spark_query:QueryOutputFormat",
    "partitioning": "runtime.spark.spark_settings:Partitioning",
    "semantics": "syntax.nodes:Semantics",
    "target": "runtime.command_line.program_commands:Target",
    "time unit": "runtime.sources.times.timeline:TimeUnit",
    "ways to split": "runtime.command_line.program_commands:WaysToSplit",
}
"""Kinds whose values are those of an enumeration, which is imported for the commands that need it."""


@cache
def type_of(kind: str) -> click.ParamType[Any]:
    """The type of values of a kind."""
    if kind not in _ENUMERATIONS:
        return _TYPES[kind]
    module, _, name = _ENUMERATIONS[kind].partition(":")
    values: type[StrEnum] = getattr(import_module(f"lars2asp.{module}"), name)
    earlier = earlier_names(values) if issubclass(values, OptionValue) else {}
    return _Values([one.value for one in values], earlier)


class _Values(click.Choice[str]):
    """Values by their names; an earlier name is answered with that of today."""

    def __init__(self, names: Sequence[str], earlier: Mapping[str, str]) -> None:
        super().__init__(names)
        self._earlier = earlier

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The value. Raises BadParameter for texts that are none."""
        if value in self._earlier:
            self.fail(f"{value} is now called {self._earlier[value]}", param, ctx)
        return super().convert(value, param, ctx)


def _clingo(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments for clingo in the texts of `--clingo`. Raises BadParameter for others."""
    if not texts:
        return ()
    from lars2asp.runtime.evaluators.clingo.clingo_arguments import clingo_options

    try:
        arguments = tuple(part for text in texts for part in shlex.split(text))
        clingo_options(arguments)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from error
    return arguments


def _inputs(*, default: str | None, may_be_live: bool) -> Callable[..., tuple[str, ...]]:
    """Takes the settings of each input from its address.

    Args:
        default: the input if there is none; None for none.
        may_be_live: whether several inputs may be live.
    """
    others = () if default is None else (default,)

    def named(context: click.Context, _: click.Parameter, addresses: tuple[str, ...]) -> tuple[str, ...]:
        names, context.params["own_settings"] = apart(addresses)
        check_inputs(names, may_be_live=may_be_live)
        return names or others

    return named


def check_inputs(names: tuple[str, ...], *, may_be_live: bool) -> None:
    """Raises UsageError for live sources of a command that needs files, and for inputs it cannot merge."""
    for name in names:
        if name.lower().endswith(".lars"):
            raise click.UsageError(
                f"{name} is a program, not data: remove --input in front of it, "
                "and write --input FILE for the data"
            )
        if not may_be_live and is_address(name):
            raise click.UsageError(
                f"--input {name.partition(':')[0]}:...: {click.get_current_context().info_name} reads "
                "files, not live sources: write some records to a file, and name the file"
            )
    for name in names if len(names) > 1 else ():
        if not may_be_live and name == STANDARD:
            raise click.UsageError("standard input cannot be merged with files: make it the only --input")
        if names.count(name) > 1:
            raise click.UsageError(f"--input {name} occurs twice: remove one")


_SPECIAL: Mapping[str, Mapping[str, Any]] = {
    "clingo options": {"callback": _clingo},
    "inputs": {"callback": _inputs(default=STANDARD, may_be_live=True)},
    "recorded inputs": {"callback": _inputs(default=STANDARD, may_be_live=False)},
    "optional recorded inputs": {"callback": _inputs(default=None, may_be_live=False)},
}
"""Kinds whose texts something else than a type looks at."""


class _AsWritten(click.ParamType[str]):
    """Values that are checked by a type, and stay as they are written."""

    def __init__(self, kind: click.ParamType[Any]) -> None:
        self._kind = kind
        self.name = kind.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text. Raises BadParameter."""
        self._kind.convert(value, param, ctx)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """The placeholder of the type."""
        return self._kind.get_metavar(param, ctx)


def _option(setting: Setting, *, as_written: bool = False) -> Decorator:
    """The option of a command."""
    if setting.name == "config":
        return click.option(
            "--config",
            metavar=setting.metavar,
            is_eager=True,
            expose_value=False,
            callback=take_config,
            help=setting.help,
        )
    names = [setting.short] * bool(setting.short)
    if setting.kind == "switch":
        both = f"{setting.option}/{setting.off or setting.option.replace('--', '--no-', 1)}"
        default = setting.default if setting.off else bool(setting.default)
        return click.option(*names, both, setting.name, is_flag=True, default=default, help=setting.help)
    attributes: dict[str, Any] = dict(_SPECIAL.get(setting.kind) or {"type": type_of(setting.kind)})
    if as_written:
        attributes = {"type": _AsWritten(attributes.get("type", click.STRING))}
    if setting.default not in (None, ""):
        attributes["default"] = setting.default
    if setting.kind == "name=value" and not as_written:
        attributes["cls"] = NamedValues
    return click.option(
        *names,
        setting.option,
        setting.name,
        metavar=setting.metavar,
        multiple=setting.is_many,
        help=setting.help,
        **attributes,
    )


def setting_options(command: str, *others: str, as_written: bool = False) -> Decorator:
    """Adds the settings of a command as options, in the order of the table, and some others by name.

    Args:
        command: the command.
        others: the names of the others.
        as_written: whether values are checked, and stay texts.
    """
    settings = [*of_command(command), *(SETTINGS[name] for name in others)]

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for one in reversed(settings):
            function = _option(one, as_written=as_written)(function)
        return function

    return add


def together(*options: Decorator) -> Decorator:
    """Adds arguments and options to a command, in this order."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add
