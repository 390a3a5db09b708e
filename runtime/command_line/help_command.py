"""The command `lars2asp help`: what there is to say of a code or an option."""

from collections.abc import Iterator
from textwrap import fill, indent

import click

from lars2asp.runtime.settings.table import SETTINGS
from lars2asp.syntax.directives import DIRECTIVES, Directive, meant
from lars2asp.syntax.message_help.entry import Entry
from lars2asp.syntax.message_help.table import GROUPS, entries, entry_of, near

WIDTH = 80
"""Longer lines of paragraphs are broken."""


@click.command("help", context_settings={"ignore_unknown_options": True})
@click.argument("topic", required=False)
def help_command(topic: str | None) -> None:
    """Explain a code such as L101, its name, an option or a #directive; without a TOPIC, list the codes."""
    if topic is None:
        click.echo("\n".join(_overview()))
        return
    entry = entry_of(topic)
    if entry is not None:
        click.echo("\n\n".join(_explanation(entry)))
    elif (directive := DIRECTIVES.get(topic)) is not None:
        click.echo("\n\n".join(_of_directive(directive)))
    elif topic.startswith("#"):
        near_one = meant(topic)
        cure = f"Did you mean {near_one}?" if near_one else f"Directives are {', '.join(DIRECTIVES)}."
        raise click.UsageError(f"no directive {topic!r}. {cure}")
    elif (option := topic.removeprefix("--").replace("-", "_")) in SETTINGS:
        click.echo("\n\n".join(_of_option(option)))
    else:
        found = near(topic)
        cure = f"Did you mean {found}?" if found else "`lars2asp help` lists the codes."
        raise click.UsageError(f"no help for {topic!r}. {cure}")


def _overview() -> Iterator[str]:
    """All codes, by group."""
    for group, (title, _) in GROUPS.items():
        yield f"{group}  {title}"
        for one in entries(group):
            yield f"  {one.code}  {one.name:26} {one.title}"
        yield ""
    yield "`lars2asp help CODE` explains a code, with an example."


def _explanation(entry: Entry) -> Iterator[str]:
    """Cause and cure of a code, with its example."""
    wrong, right = entry.programs
    yield f"{entry.code} {entry.name}\n{entry.title}"
    yield f"{fill(entry.cause, WIDTH)}\n\n{fill(entry.cure, WIDTH)}"
    yield f"Example{_with(entry.options)}:\n\n{indent(wrong, '    ').rstrip()}"
    yield f"Corrected{_with(entry.right_options)}:\n\n{indent(right, '    ').rstrip()}"
    for name, text in entry.files.items():
        yield f"The file {name}:\n\n{indent(text, '    ').rstrip()}"


def _with(options: str) -> str:
    return f", with {options}" if options else ""


def _of_directive(one: Directive) -> Iterator[str]:
    """What the table of directives says of one."""
    yield f"{one.syntax}\n{fill(one.text, WIDTH)}"
    if one.default:
        yield f"Without it: {one.default}"
    if one.option:
        yield f"Option: {SETTINGS[one.option].option} {'joins it' if one.is_added else 'overrides it'}"
    yield f"Example:\n\n{indent(one.example, '    ')}"
    for name, text in one.files.items():
        yield f"The file {name}:\n\n{indent(text, '    ')}"


def _of_option(name: str) -> Iterator[str]:
    """What the table of settings says of an option."""
    one = SETTINGS[name]
    yield f"{one.shown}\n{one.help}"
    if one.more:
        yield fill(one.more, WIDTH)
    if one.default not in (None, "") and one.kind != "switch":
        yield f"Default: {one.default}"
    if one.commands:
        yield f"Commands: {', '.join(one.commands.split())}"
    if one.directive:
        yield f"Directive: {one.directive}"
