"""One setting: its name, and the places where you can give it."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Self

from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class Use:
    """How one command uses a setting, if it differs from the others.

    Attributes:
        help: the line in `--help`.
        kind: see Setting.
        default: see Setting.
        metavar: see Setting.
        more: see Setting.
        before: see Setting.
    """

    help: str | None = None
    kind: str | None = None
    default: object = None
    metavar: str | None = None
    more: str | None = None
    before: str | None = None


@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes:
        name: `two_words`. An option is `--two-words`, a variable of the environment
            `LARS2ASP_COMMAND_TWO_WORDS`.
        group: the heading above it in `--help` and on the reference page.
        help: the line in `--help`.
        more: the sentences that `--help-all` and the reference page add.
        kind: the kind of its values, for which `setting_options.py` has a type; "switch" for yes or no.
        default: its value if nobody gives it one.
        metavar: the placeholder for its value in `--help`; by default that of the kind.
        is_many: whether you can give it several times.
        off: the option that turns a switch off; by default `--no-NAME`.
        short: its short option, such as `-c`.
        commands: the commands that have it as an option; none for a setting of Python alone.
        before: its earlier names as options, with the dashes left out.
        cure: what to write for an earlier name, if the new name alone is not enough.
        uses: differences between commands.
        address: "input" or "output" if it can follow an address of that kind.
        decides: whether the answers to a recorded stream depend on it: the commands that explain and test
            answers have it too.
        is_state: whether a run that resumes from a checkpoint needs the same value.
        python: where Python has it as a keyword: words out of `reasoner`, `program`, `run`, `live`, `why` and
            `spark`.
        python_before: its earlier keywords.
        since: the release that has it first.
    """

    name: str
    group: str
    help: str
    more: str = ""
    kind: str = "text"
    default: object = None
    metavar: str | None = None
    is_many: bool = False
    off: str = ""
    short: str = ""
    commands: str = "run"
    before: str = ""
    cure: str = ""
    uses: Mapping[str, Use] = field(default_factory=dict)
    address: str = ""
    decides: bool = False
    is_state: bool = False
    python: str = ""
    python_before: str = ""
    since: str = "0.3"

    @property
    def option(self) -> str:
        """Its option on the command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def directive(self) -> str:
        """The directive that it overrides, such as `#tick`; empty for most."""
        from lars2asp.syntax.directives import overridden_by  # noqa: PLC0415 - few ask

        return overridden_by(self.name)

    @property
    def details(self) -> str:
        """The sentences that `--help-all` adds, with the directive that it overrides."""
        directive = self.directive
        is_named = not directive or directive in f"{self.help} {self.more}"
        return self.more if is_named else f"{self.more} It overrides {directive}.".lstrip()

    @property
    def address_name(self) -> str:
        """Its name after an address: without `input-` or `output-`."""
        return self.name.removeprefix(f"{self.address}_").replace("_", "-")

    @property
    def label(self) -> str:
        """Its name in messages: the option, and the directive that says the same."""
        return f"{self.option} or {self.directive}" if self.directive else self.option

    @property
    def shown(self) -> str:
        """The option that `--help` shows: that which changes the default."""
        return self.off if self.kind == "switch" and self.default is True else self.option

    @property
    def replacement(self) -> str:
        """What to write for an earlier name in a file or the environment, after the new name."""
        if self.shown != self.option:
            return ", and its value is the opposite: false"
        return f": as on the command line with {self.cure}" if self.cure else ""

    def used_by(self, command: str) -> Self:
        """The setting as a command has it."""
        use = self.uses.get(command)
        if use is None:
            return self
        given: dict[str, Any] = {
            name: value for name in Use.__dataclass_fields__ if (value := getattr(use, name)) is not None
        }
        return replace(self, **given)
