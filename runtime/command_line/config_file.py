"""Options from a file of TOML, with the names that they have on the command line, which goes before."""

from collections.abc import Mapping
from datetime import date, time
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

CONFIG = "config"


def _take(context: click.Context, _: click.Parameter, file: str | None) -> None:
    """The options of a file become defaults. Raises UsageError."""
    if file is not None:
        context.default_map = {**(context.default_map or {}), **options_of(file, context.command.params)}


config_option = click.option(
    "--config",
    metavar="FILE",
    is_eager=True,
    expose_value=False,
    callback=_take,
    help="Options from a file of TOML, by their names without --, as in checkpoint-every = '10 sec', and "
    "program = ['rooms.lars']. The command line goes before.",
)


class NamedValues(click.Option):
    """An option that is given once for each name: a file of options has others besides the command line's."""

    def consume_value(self, context: click.Context, given: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        """The values, those of a file before the command line's."""
        values, source = super().consume_value(context, given)
        if source is ParameterSource.COMMANDLINE:
            names = {_name_of(one) for one in values}
            in_file = (context.default_map or {}).get(self.name or "", ())
            values = (*(one for one in in_file if _name_of(one) not in names), *values)
        return values, source


def _name_of(named: str) -> str:
    return named.partition("=")[0].strip()


def options_of(file: str, parameters: list[click.Parameter]) -> dict[str, Any]:
    """The values of parameters that stand in a file, by the names that click knows them by.

    Raises UsageError where the file cannot be read, or has what is no option, or a value of another kind.
    """
    import tomllib  # noqa: PLC0415 - most runs have no such file
    from difflib import get_close_matches  # noqa: PLC0415

    try:
        written = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise click.UsageError(f"{file}: the configuration cannot be read: {error.strerror}") from error
    except ValueError as error:  # also what is not UTF-8
        raise click.UsageError(f"{file}: it is not TOML: {error}") from error
    known = {_name(one): one for one in parameters if _name(one) not in (CONFIG, "help", "version")}
    found = {}
    for name, value in written.items():
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"{file}: there is no option --{name}{hint}")
        found[known[name].name or name] = _value(file, name, value, known[name])
    return found


def _name(parameter: click.Parameter) -> str:
    """The name of a parameter in a file: its first long name, or that of an argument."""
    if isinstance(parameter, click.Argument):
        return parameter.name or ""
    return next(name for name in parameter.opts if name.startswith("--")).removeprefix("--")


def _value(file: str, name: str, value: Any, parameter: click.Parameter) -> Any:
    """A value as the command line has it."""
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if not isinstance(value, bool):
            raise click.UsageError(f"{file}: {name} is true or false")
        return value
    is_many = parameter.nargs == -1 or parameter.multiple
    if isinstance(value, dict) and is_many:
        return [f"{key}={_text(file, name, one)}" for key, one in value.items()]
    if isinstance(value, list) and not is_many:
        raise click.UsageError(f"{file}: {name} has one value, and no list")
    if not is_many:
        return _text(file, name, value)
    return [_text(file, name, one) for one in (value if isinstance(value, list) else [value])]


def _text(file: str, name: str, value: Any) -> str:
    if isinstance(value, date | time):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise click.UsageError(f"{file}: {name} is text or a number")
