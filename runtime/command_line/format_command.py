"""The command `lars2asp format`."""

import re
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import click

from lars2asp.runtime.command_line.exit_status import CANNOT_RUN, DONE
from lars2asp.runtime.command_line.setting_options import setting_options
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.runtime.runs.processes.stop import prompt_end
from lars2asp.runtime.sources.text.text_files import write_whole
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.formatting.formatter import formatted
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import Source, visible
from lars2asp.syntax.values import dataclass

WOULD_CHANGE = 1

STANDARD_INPUT = "-"

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
"""A line with its end: other characters that end lines elsewhere may stand in strings and comments."""


@dataclass(frozen=True)
class _File:
    """A program file as it is and as it is written in the one style; its lines end as they did."""

    name: str
    text: str
    styled: str
    line_end: str

    @property
    def is_changed(self) -> bool:
        return self.text != self.styled

    @property
    def data(self) -> bytes:
        """What the file has in the one style."""
        return self.styled.replace("\n", self.line_end).encode()

    def difference(self) -> Iterator[str]:
        """The lines that differ, as `diff -u` gives them."""
        before, after = (_LINE.findall(one) for one in (self.text, self.styled))
        for line in unified_diff(before, after, self.name, self.name):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


@click.command("format", cls=SettingsCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(dir_okay=False))
@setting_options("format")
@prompt_end()
def format_command(files: tuple[str, ...], check: bool, diff: bool) -> int:
    """Write program files in one style; `-` reads standard input.

    Only blanks and line ends change, not tokens or comments. Each statement gets a line of its own; facts
    can share one. A rule of more than 100 characters gets a line for each literal. A file with a syntax error
    stays as it is.
    """
    status = DONE
    for name in files:
        try:
            file = _read(name)
        except Lars2aspError as error:
            click.echo(visible(str(error)), err=True)
            status = CANNOT_RUN
            continue
        if diff:
            click.echo(visible("".join(file.difference())), nl=False)
        if check and file.is_changed:
            click.echo(visible(f"{name}: would change"), err=True)
        if check or diff:
            status = max(status, WOULD_CHANGE if file.is_changed else DONE)
        elif name == STANDARD_INPUT:
            click.echo(file.data, nl=False)
        elif file.is_changed:
            try:
                _write(file)
            except OSError as error:
                click.echo(visible(f"error: {name}: cannot write this file: {error.strerror}"), err=True)
                status = CANNOT_RUN
                continue
            click.echo(visible(f"{name}: written anew"), err=True)
    return status


def _write(file: _File) -> None:
    """Writes a file anew, whole or not at all; what a link leads to, and who may read it as before."""
    path = Path(file.name).resolve()
    write_whole(path, file.data, path.stat().st_mode & 0o7777)


def _read(name: str) -> _File:
    """A file in both forms. Raises Lars2aspError where it cannot be read, or is no program."""
    try:
        data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise Lars2aspError(f"error: {name}: cannot read this file: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Lars2aspError(
            f"error: {name}: this file is not UTF-8 text (byte {error.start}): save it as UTF-8"
        ) from error
    if name != STANDARD_INPUT and (dialect := read_sources([name])[0].dialect):
        raise Lars2aspError(
            f"error: {name}: this program is in another language: translate it with lars2asp compile "
            f"--dialect {dialect} --target lars2asp"
        )
    line_end = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _File(name, text, formatted(Source(name, text)), line_end)
