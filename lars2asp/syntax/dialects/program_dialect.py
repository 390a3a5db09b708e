"""What is to be known of another system's language to read its programs and streams."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics, Lars2aspError
from lars2asp.syntax.parsing.formulas import Formulas
from lars2asp.syntax.parsing.tree import Include, ProgramPart
from lars2asp.syntax.source import Source, shown
from lars2asp.syntax.values import dataclass

Translated = nodes.Statement | Include | ProgramPart
"""What a statement of a dialect becomes."""

FIRST_LINES = 2000
"""The number of characters by which a text may be recognised."""


@dataclass(frozen=True)
class ProgramDialect:
    """The language of another system.

    Attributes:
        name: that behind `--dialect`.
        title: that of the system.
        translate: the statements of a text, in our syntax, with their places in it; what is no statement goes
            to the diagnostics. Windows over formulas are named by `Formulas`.
        declarations: what a program has unless it says so itself: the length of its ticks, say.
        endings: those of the names of files that no other system has.
        recognises: whether the first lines of a text can be of no other system.
        log_format: the `--input-format` of its streams where nothing else says one; empty if there is none.
        settings: what `--dialect name:setting=value` may say, and the values, of which the first is the
            default.
        has_python_values: whether functions of Python that it calls take and give values of Python.
        has_anonymous_variables: whether `_` is a variable: else a variable that stands once is not warned of.
    """

    name: str
    title: str
    translate: Callable[[Source, Diagnostics, Formulas], Iterator[Translated]]
    declarations: Callable[[Source], Sequence[nodes.Declaration]] = lambda _: ()
    endings: tuple[str, ...] = ()
    recognises: Callable[[str], bool] = lambda _: False
    log_format: str = ""
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_python_values: bool = False
    has_anonymous_variables: bool = True

    def settings_in(self, text: str) -> dict[str, str]:
        """The values of all settings, by `name:setting=value,setting=value`.

        Raises Lars2aspError for what is no setting, and no value of one.
        """
        found = {setting: values[0] for setting, values in self.settings.items()}
        for one in filter(None, text.partition(":")[2].split(",")):
            setting, _, value = map(str.strip, one.partition("="))
            if setting not in self.settings:
                known = ", ".join(self.settings)
                cure = f"there are {known}" if known else "it has none"
                raise Lars2aspError(
                    f"--dialect {shown(text)}: {shown(setting)} is no setting of {self.title}: {cure}"
                )
            if value not in self.settings[setting]:
                known = ", ".join(self.settings[setting])
                raise Lars2aspError(f"--dialect {shown(text)}: {setting} is one of {known}")
            found[setting] = value
        return found
