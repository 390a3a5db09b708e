"""What there is to say of one code."""

from collections.abc import Mapping
from textwrap import dedent
from types import MappingProxyType
from typing import NamedTuple

from lars2asp.syntax.codes import Code, name_of


class Entry(NamedTuple):
    """The cause and the cure of a kind of mistake, with an example that a test runs through `check`.

    Attributes:
        code: the code, such as `L101`.
        title: the mistake in a few words.
        cause: what is wrong, and why that matters.
        cure: what to do.
        wrong: a program with the mistake.
        right: the program without it.
        files: files that the programs name, by their names.
        options: options of `check` that show the mistake.
        right_options: options of `check` that do not.
        file: the name of the file of the program.
    """

    code: Code
    title: str
    cause: str
    cure: str
    wrong: str
    right: str
    files: Mapping[str, str] = MappingProxyType({})
    options: str = ""
    right_options: str = ""
    file: str = "rooms.lars"

    @property
    def name(self) -> str:
        """The name of the code: `unsafe-variable`."""
        return name_of(self.code)

    @property
    def programs(self) -> tuple[str, str]:
        """The program with the mistake, and without it."""
        return dedent(self.wrong), dedent(self.right)
