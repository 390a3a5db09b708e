"""A command whose help shows its options by groups, and which knows what options were called before."""

from collections.abc import Mapping
from typing import Any

import click

from lars2asp.runtime.command_line.config_file import naming_variable


class GroupedCommand(click.Command):
    """A command with options in groups.

    Args:
        groups: names of groups, each with its options by their first names (`--input --follow`), in the order
            in which help shows them. Options that are in none stand at the end.
        renamed: what options were called before, with their names now, which those who write the former are
            told.
        foreign: likewise what options of I-DLV-sr are here.
    """

    def __init__(
        self,
        *args: Any,
        groups: Mapping[str, str],
        renamed: Mapping[str, str],
        foreign: Mapping[str, str],
        **attributes: Any,
    ) -> None:
        super().__init__(*args, **attributes)
        self._groups = {name: options.split() for name, options in groups.items()}
        self._renamed, self._foreign = renamed, foreign

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments that are left. Raises UsageError."""
        try:
            with naming_variable(ctx):
                return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            option = error.option_name
            if option in self._renamed:
                raise click.UsageError(f"{option} is called {self._renamed[option]} now", ctx) from None
            if option in self._foreign:
                raise click.UsageError(f"{option} of I-DLV-sr is {self._foreign[option]} here", ctx) from None
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """What the command gives."""
        with naming_variable(ctx):
            return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options, group by group."""
        records = {
            one.opts[0]: record
            for one in self.get_params(ctx)
            if isinstance(one, click.Option) and (record := one.get_help_record(ctx)) is not None
        }
        groups = [(name, [records.pop(one) for one in options]) for name, options in self._groups.items()]
        for name, shown in (*groups, ("Other options", [*records.values()])):
            if shown:
                with formatter.section(name):
                    formatter.write_dl(shown)
