"""Which of clingo's own options may be given, and what they say.

clingo checks them. Those that would take from the product what it does itself are refused.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lars2asp.runtime.evaluators.clingo.clingo_options import ClingoOptions
from lars2asp.syntax.source import shown

if TYPE_CHECKING:
    from clingo import Control

_SEARCHES_END = "use --tick-timeout: with clingo's limit, lars2asp would report a tick without answer stream"
_OTHER_ANSWERS = "the answers would not be answer sets"
_NO_TEXT = "to print the program, use lars2asp compile"
_WRITING = "use --output, --output-format and --emit"

_REFUSED = {
    "models": "write --models (in Python models=)",
    "const": "write -c name=value (in Python constants=)",
    "stats": "write --stats (in Python statistics=True)",
    "verbose": "write --stats (in Python statistics=True)",
    "warn": "lars2asp prints clingo's remarks as messages about your program",
    "time-limit": _SEARCHES_END,
    "solve-limit": _SEARCHES_END,
    "text": _NO_TEXT,
    "output": _NO_TEXT,
    "output-debug": _NO_TEXT,
    "mode": _NO_TEXT,
    "pre": _NO_TEXT,
    "reify-sccs": _NO_TEXT,
    "reify-steps": _NO_TEXT,
    "outf": _WRITING,
    "quiet": _WRITING,
    "show-preds": "write #show in the program",
    "help": "write lars2asp run --help",
    "version": "write lars2asp --version",
    "single-shot": "write --evaluator oneshot for a new Control at each tick",
    "opt-stop": "lars2asp proves that answers are optimal; write --opt-mode=ignore to ignore optimisation",
    "rewrite-minimize": "the program would lose its optimisation; write --opt-mode=ignore if you want that",
    "supp-models": _OTHER_ANSWERS,
    "no-ufs-check": _OTHER_ANSWERS,
    "parse-ext": "lars2asp reads the program, not clingo",
    "parse-maxsat": "lars2asp reads the program, not clingo",
}
"""The options that are refused, and what to do."""

_LETTERS = {
    "n": "models",
    "c": "const",
    "s": "stats",
    "V": "verbose",
    "W": "warn",
    "o": "output",
    "q": "quiet",
    "h": "help",
    "v": "version",
}
"""The short forms of these."""

_OF_CONSEQUENCES = "write --consequences (in Python consequences=)"
_OPT_MODES = {
    "enum": "lars2asp lists only optimal answer streams; write --opt-mode=ignore to ignore optimisation"
}
_ENUM_MODES = {"brave": _OF_CONSEQUENCES, "cautious": _OF_CONSEQUENCES, "query": _OF_CONSEQUENCES}

_ANY_NUMBER = "-1"
"""What clingo's configuration has where no number of models is given."""

_CONTEXT = re.compile(r"^In context '<\w+>': |^SyntaxError: ")
_VALUE = re.compile(r"invalid value for: '([\w-]+)'")
_VALID = re.compile(r"<?(?:%A|arg)>?: ([^\n(]*[^\n( ])")


class ClingoOptionError(ValueError):
    """An option of clingo that it does not know, or that may not be given; the message names it."""


def clingo_options(arguments: Sequence[str], *, models: int = 1) -> ClingoOptions:
    """The options of clingo in its arguments, such as `("--seed=5", "-t", "2")`.

    Args:
        arguments: the arguments.
        models: how many answer streams are asked for.

    Raises ClingoOptionError.
    """
    if isinstance(arguments, str) or not all(isinstance(one, str) for one in arguments):
        raise ClingoOptionError("give clingo's options as a list of texts, such as ['--seed=5', '-t', '2']")
    names = [*_names(arguments)]
    for name in names:
        if name in _REFUSED:
            raise ClingoOptionError(f"lars2asp does not accept clingo's --{name}: {_REFUSED[name]}")
    control = _control(arguments)  # without it there is no configuration
    solve: Any = control.configuration.solve
    if solve.models != _ANY_NUMBER:
        raise ClingoOptionError(f"lars2asp does not accept clingo's number of models: {_REFUSED['models']}")
    for name in names:  # clingo takes beginnings of names
        for refused, cure in _REFUSED.items():
            if refused.startswith(name):
                raise ClingoOptionError(f"lars2asp does not accept clingo's --{refused}: {cure}")
    (opt_mode, *bounds), enum_mode = solve.opt_mode.split(","), solve.enum_mode
    for option, mode, refused_modes in ("opt", opt_mode, _OPT_MODES), ("enum", enum_mode, _ENUM_MODES):
        if mode in refused_modes:
            raise ClingoOptionError(
                f"lars2asp does not accept clingo's --{option}-mode={mode}: {refused_modes[mode]}"
            )
    is_mode_given = any("opt-mode".startswith(name) for name in names)
    if is_mode_given and opt_mode == "opt" and models != 1:
        raise ClingoOptionError(
            "clingo's --opt-mode=opt finds one optimal answer stream: for several write --opt-mode=optN, or "
            "leave it out"
        )
    return ClingoOptions(
        tuple(arguments),
        opt_mode if is_mode_given else "",
        tuple(bounds),
        enum_mode,
        solve.project,
        any("heuristic".startswith(name) for name in names),
    )


def _names(arguments: Sequence[str]) -> Iterator[str]:
    """The names of options, as they are written; of those by letters that are refused the long ones."""
    for argument in arguments:
        if argument.startswith("--"):
            name = argument[2:].partition("=")[0]
            if name:
                yield name
        elif argument.startswith("-") and argument[1:2] in _LETTERS:
            yield _LETTERS[argument[1]]


def _control(arguments: Sequence[str]) -> "Control":
    """A Control with these arguments. Raises ClingoOptionError."""
    from clingo import Control  # noqa: PLC0415 - wrong values of others need none

    try:
        return Control([*arguments], logger=lambda code, message: None)
    except RuntimeError as error:
        said = " ".join(_CONTEXT.sub("", str(error)).rstrip("!").split())
    if "Positional Option" in said:
        raise ClingoOptionError(
            f"'{shown(' '.join(arguments))}' contains a file name: clingo's options begin with -; give "
            "programs to lars2asp"
        )
    match = _VALUE.search(said)
    valid = "" if match is None else _valid(Control(), match[1].replace("-", "_"))
    raise ClingoOptionError(f"clingo says: {shown(said)}{valid}")


def _valid(control: "Control", option: str) -> str:
    """What clingo says that an option takes."""
    configuration: Any = control.configuration
    for group in (configuration.solve, configuration.solver, configuration.asp, configuration):
        if option in (group.keys or ()):
            found = _VALID.search(group.description(option))
            return f"; it takes {found[1]}" if found else ""
    return ""
