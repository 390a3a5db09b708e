"""Questions on the command line that name programs and no atom, or an atom that looks like an option."""

import re
import shlex
from collections.abc import Sequence
from typing import Any

import click

from lars2asp.analysis.predicates import head_atoms, is_fact
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.parser import parse, read_sources
from lars2asp.syntax.printer import to_text

_PROGRAMS = (".lars", ".lp")
"""How the names of program files end."""


_NEGATED = re.compile(r"-\s*_*[a-z][A-Za-z0-9_']*\s*\(.*\)\s*", re.DOTALL)
"""An atom with classical negation; no option has brackets."""


class QuestionCommand(SettingsCommand):
    """A command whose arguments are `PROGRAM... ATOM`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Takes the arguments.

        Raises UsageError, with what to write, if there are programs alone, and for an atom that begins with a
        minus, as options do.
        """
        before = args[: args.index("--")] if "--" in args else args
        for argument in before:
            if _NEGATED.fullmatch(argument):
                raise click.UsageError(_behind_options(ctx, before, argument), ctx)
        try:
            given = self.make_parser(ctx).parse_args(list(args))[0]
        except click.NoSuchOption as error:
            argument = next((one for one in before if one.startswith(error.option_name)), error.option_name)
            if argument.startswith("--"):
                return super().parse_args(ctx, args)
            words = f"{error.format_message()} {_behind_options(ctx, before, argument)}"
            raise click.UsageError(words, ctx) from error
        programs, atom = given.get("program"), given.get("atom")  # what is missing is a value of click's
        dialect = given.get("dialect")
        named = [*(programs if isinstance(programs, Sequence) else ()), atom]
        programs = [name for name in named if isinstance(name, str)]
        if programs and all(name.endswith(_PROGRAMS) for name in programs):
            raise click.UsageError(
                _missing(ctx, programs, dialect if isinstance(dialect, str) else None), ctx
            )
        return super().parse_args(ctx, args)


def _behind_options(ctx: click.Context, args: Sequence[str], atom: str) -> str:
    others = [one for one in args if one != atom]
    called = shlex.join([*ctx.command_path.split(), *others, "--"])
    return f"Write -- in front of an atom that begins with -, as in {called} {shlex.quote(atom)}"


def _missing(ctx: click.Context, programs: Sequence[str], dialect: str | None) -> str:
    called = f"{ctx.command_path} {' '.join(programs)} '{_example(programs, dialect)}'"
    return f"which atom? Write it after the programs, as in {called}"


def _example(programs: Sequence[str], dialect: str | None) -> str:
    """An atom that rules of the programs derive, the last one."""
    found: Any = None
    try:
        for rule in parse(*read_sources(programs, dialect), trusted=False).every(nodes.Rule):
            if not is_fact(rule):
                found = next((head.atom for head in head_atoms(rule)), found)
    except Lars2aspError:
        return "alarm(X)"  # what is wrong with them is said when there is an atom
    if found is None:
        return "alarm(X)"
    variables = (one if isinstance(one, nodes.Variable) else nodes.Variable("_") for one in found.arguments)
    return to_text(nodes.Atom(found.name, tuple(variables), found.is_positive))
