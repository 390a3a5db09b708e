"""Options from a file of TOML and from the environment, by their names; the command line goes before."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, time
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.settings.table import renamed

CONFIG = "config"


def _prefix(context: click.Context) -> str:
    """The beginning of the variables of a command: `LARS2ASP_RUN_UNTIL` is --until of `lars2asp run`."""
    return f"LARS2ASP_{(context.info_name or '').replace('-', '_').upper()}_"


def take_config(context: click.Context, _: click.Parameter, file: str | None) -> None:
    """The options of a file, and over these the environment's, become defaults. Raises UsageError."""
    parameters, prefix = context.command.params, _prefix(context)
    file = file or os.environ.get(_variable(prefix, CONFIG)) or None
    in_file = {} if file is None else options_of(file, parameters)
    given = {**in_file, **environment_options(os.environ, parameters, prefix)}
    context.default_map = {**(context.default_map or {}), **given}


@contextmanager
def naming_variable(context: click.Context) -> Iterator[None]:
    """Within it an error of an option names the environment variable, if the value comes from one."""
    try:
        yield
    except click.BadParameter as error:
        if error.param is None or not (given := _given(context, error.param)):
            raise
        raise click.UsageError(f"{given}: {error.message}", context) from error
    except (click.UsageError, InputError) as error:
        message = str(error)
        for one in context.command.params:
            of_option = re.match(rf"--{re.escape(_name(one))}\b(?!-)", message)
            if of_option and (given := _given(context, one)):
                raise type(error)(f"{given}: {message}") from error
        raise


def _given(context: click.Context, parameter: click.Parameter) -> str:
    """The variable with the value of a parameter, without the value: it may be a password. Empty: none."""
    variable = _variable(_prefix(context), _name(parameter))
    is_default = context.get_parameter_source(parameter.name or "") is ParameterSource.DEFAULT_MAP
    return variable if is_default and os.environ.get(variable) else ""


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


def options_of(file: str, parameters: Sequence[click.Parameter]) -> dict[str, Any]:
    """The values of parameters that stand in a file, by the names that click knows them by.

    Raises UsageError where the file cannot be read, or has what is no option, or a value of another kind.
    """
    import tomllib  # noqa: PLC0415 - most runs have no such file
    from difflib import get_close_matches  # noqa: PLC0415

    try:
        written = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise click.UsageError(f"{file}: cannot read the configuration: {error.strerror}") from error
    except ValueError as error:  # also what is not UTF-8
        raise click.UsageError(f"{file}: this is not TOML: {error}") from error
    known = _by_name(parameters)
    found = {}
    for name, value in written.items():
        if name not in known:
            if now := renamed(name, known):
                raise click.UsageError(
                    f"{file}: {name} is now called {now.name.replace('_', '-')}{now.replacement}"
                )
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"{file}: there is no option --{name}{hint}")
        found[known[name].name or name] = _value(file, name, value, known[name])
    return found


def environment_options(
    environment: Mapping[str, str], parameters: Sequence[click.Parameter], prefix: str
) -> dict[str, Any]:
    """The values of parameters that stand in the environment, by the names that click knows them by.

    Several values of a parameter are written as a shell has them: `LARS2ASP_RUN_INPUT="a.csv 'b c.csv'"`.
    An empty variable gives none.
    Raises UsageError for variables with the prefix that name no option, or have a value of another kind.
    """
    by_name = _by_name(parameters)
    known = {_variable(prefix, name): one for name, one in by_name.items()}
    found = {}
    for variable in sorted(environment):
        is_of_other = variable.startswith(_OTHER_COMMANDS.get(prefix, "-"))
        if not variable.startswith(prefix) or is_of_other or variable == _variable(prefix, CONFIG):
            continue
        if variable not in known:
            if now := renamed(variable.removeprefix(prefix).replace("_", "-").lower(), by_name):
                raise click.UsageError(
                    f"the environment variable {variable} is now called "
                    f"{_variable(prefix, now.name)}{now.replacement}"
                )
            from difflib import get_close_matches  # noqa: PLC0415

            near = get_close_matches(variable, known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise click.UsageError(
                f"the environment variable {variable}: {_command(prefix)} has no such option{hint}"
            )
        parameter, text = known[variable], environment[variable]
        if text:
            found[parameter.name or variable] = _environment_value(variable, text, parameter)
    return found


_OTHER_COMMANDS = {"LARS2ASP_WHY_": "LARS2ASP_WHY_NOT_", "LARS2ASP_CHECK_": "LARS2ASP_CHECK_WHY_"}
"""The variables of a command whose name begins with that of another one."""


def _variable(prefix: str, name: str) -> str:
    return prefix + name.replace("-", "_").upper()


def _command(prefix: str) -> str:
    return prefix.removeprefix("LARS2ASP_").removesuffix("_").replace("_", "-").lower()


def _environment_value(variable: str, text: str, parameter: click.Parameter) -> Any:
    if isinstance(parameter, click.Option) and parameter.is_flag:
        try:
            return click.BOOL.convert(text, parameter, None)
        except click.BadParameter as error:
            raise click.UsageError(f"{variable}: {error.message}") from error
    if parameter.nargs != -1 and not parameter.multiple:
        return text
    from shlex import split  # noqa: PLC0415

    try:
        return split(text)
    except ValueError as error:
        raise click.UsageError(f"the environment variable {variable}: {error}") from error


def _by_name(parameters: Sequence[click.Parameter]) -> dict[str, click.Parameter]:
    """The parameters that can be given so, by their names in a file."""
    return {name: one for one in parameters if (name := _name(one)) not in (CONFIG, "help", "version")}


def _name(parameter: click.Parameter) -> str:
    """The name of a parameter in a file: that of its setting, or of an argument."""
    return (parameter.name or "").replace("_", "-")


def _value(file: str, name: str, value: Any, parameter: click.Parameter) -> Any:
    """A value as the command line has it."""
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if not isinstance(value, bool):
            raise click.UsageError(f"{file}: {name} must be true or false")
        return value
    is_many = parameter.nargs == -1 or parameter.multiple
    if isinstance(value, dict) and is_many:
        return [f"{key}={_text(file, name, one)}" for key, one in value.items()]
    if isinstance(value, list) and not is_many:
        raise click.UsageError(f"{file}: {name} needs one value, not a list")
    if not is_many:
        return _text(file, name, value)
    return [_text(file, name, one) for one in (value if isinstance(value, list) else [value])]


def _text(file: str, name: str, value: Any) -> str:
    if isinstance(value, date | time):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise click.UsageError(f"{file}: {name} must be text or a number")
