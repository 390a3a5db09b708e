"""A command whose options come from the table of settings."""

from textwrap import wrap
from typing import Any

import click

from lars2asp.runtime.command_line.config_file import naming_variable
from lars2asp.runtime.settings.setting import Setting
from lars2asp.runtime.settings.table import ESSENTIAL, SETTINGS, of_command, renamed

_OF_IDLVSR = {
    "--py-script": "--functions FILE",
    "--log": "--input FILE",
    "--t-unit": "--dialect idlvsr:t-unit=...",
    "--windows-unit": "--dialect idlvsr:windows-unit=...",
    "--now-format": "--dialect idlvsr:now-format=...",
    "--t-format": "--time-unit sec, where times are numbers",
}
"""Options of I-DLV-sr, and what does the same here."""

_OWN = ("Question", "Tests")
"""The groups with which a command does its own work."""

MANY = 20
"""A command with more options explains only the essential ones in its `--help`."""


class SettingsCommand(click.Command):
    """A command that groups its options in `--help`, knows their earlier names, and reads the environment."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments that are left. Raises UsageError."""
        try:
            with naming_variable(ctx):
                return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            option = error.option_name
            known = {(one.name or "").replace("_", "-") for one in self.params}
            if (now := renamed(option.removeprefix("--"), known)) is not None:
                cure = f": write {now.cure}" if now.cure else ""
                raise click.UsageError(f"{option} is now called {now.shown}{cure}", ctx) from None
            if option in _OF_IDLVSR and self.name == "run":
                raise click.UsageError(
                    f"{option} of I-DLV-sr is called {_OF_IDLVSR[option]} here", ctx
                ) from None
            other = SETTINGS.get(option.removeprefix("--").replace("-", "_"))
            if other is not None and other.commands:
                commands = ", ".join(f"lars2asp {one}" for one in other.commands.split())
                raise click.UsageError(
                    f"{option} is no option of lars2asp {self.name}: remove it, or use {commands}", ctx
                ) from None
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """The result of the command."""
        with naming_variable(ctx):
            return super().invoke(ctx)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, with --help-all of a command that has many."""
        found = super().get_params(ctx)
        return [*found, _HELP_ALL] if len(found) > MANY else found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options by groups: of many only the essential ones with their texts."""
        settings, is_all = of_command(self.name or ""), bool(ctx.meta.get(_ALL))
        written = {one.name: one for one in self.params}

        def record(setting: Setting) -> tuple[str, str]:
            return _record(written[setting.name], setting, ctx, has_more=is_all)

        groups = dict.fromkeys(one.group for one in settings)
        if len(settings) <= MANY or is_all:
            for group in groups:
                with formatter.section(group):
                    formatter.write_dl([record(one) for one in settings if one.group == group])
            with formatter.section("Other options"):
                formatter.write_dl([("-h, --help", "Show this message and exit.")])
            return
        with formatter.section("Essential options"):
            by_name = {one.name: one for one in settings}
            names = [*ESSENTIAL, *(one.name for one in settings if one.group in _OWN)]
            essential = [record(by_name[name]) for name in names if name in by_name]
            formatter.write_dl([*essential, ("--help-all", "Explain all options.")])
        with formatter.section("All options"):
            rows = list[tuple[str, str]]()
            for group in groups:
                options = " ".join(one.shown for one in settings if one.group == group)
                lines = wrap(options, formatter.width - 20, break_on_hyphens=False)
                rows += zip((group, *[""] * len(lines)), lines, strict=False)
            formatter.write_dl(rows)


def _record(
    parameter: click.Parameter, setting: Setting, context: click.Context, *, has_more: bool
) -> tuple[str, str]:
    """How an option is written, and its text."""
    names = ", ".join(filter(None, (setting.short, setting.shown)))
    if setting.kind == "switch":
        return names, f"{setting.help} {setting.details}".rstrip() if has_more else setting.help
    default = "" if setting.default in (None, "") else f" [default: {setting.default}]"
    more = f" {setting.details}".rstrip() if has_more else ""
    return f"{names} {parameter.make_metavar(context)}", f"{setting.help}{default}{more}"


_ALL = "lars2asp.help_all"


def _help_all(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        context.meta[_ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


_HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_help_all,
    help="Explain all options.",
)
