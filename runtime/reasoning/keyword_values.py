"""Checks the values of keywords: a wrong one is refused where you wrote it, in the words of the call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from io import IOBase
from numbers import Real
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any, SupportsIndex

from lars2asp.externals.events import Events
from lars2asp.runtime.sources.arrow.arrow_streams import is_frame
from lars2asp.runtime.sources.records import Record
from lars2asp.syntax.source import shown


def _is_duration(value: object) -> bool:
    return isinstance(value, SupportsIndex | str | timedelta) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    return isinstance(value, SupportsIndex) and not isinstance(value, bool)


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _are_texts(value: object) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and all(isinstance(one, str) for one in value)
    )


def _is_functions(value: object) -> bool:
    return not isinstance(value, str | bytes | Path | Mapping | FunctionType | BuiltinFunctionType)


def _is_clock(value: object) -> bool:
    return value in ("data", "wall") if isinstance(value, str) else hasattr(value, "microseconds")


def _is_reading(value: object) -> bool:
    from lars2asp.runtime.sources.reading import Reading  # noqa: PLC0415 - not for all

    return isinstance(value, Reading)


_SWITCH = _is_switch, "True or False"
_INTEGER = _is_integer, "a whole number"
_DURATION = _is_duration, "a number of ticks, a text such as '15 sec', or a timedelta"
_CLOCK_DURATION = (
    lambda value: isinstance(value, Real | str | timedelta) and not isinstance(value, bool),
    "a number of seconds, a text such as '2 sec', or a timedelta",
)

_KINDS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "ahead": _DURATION,
    "clock": (_is_clock, '"data", "wall", or a clock of your own with a method microseconds()'),
    "complete_windows": _SWITCH,
    "declare": (_are_texts, "a list of declarations, such as ['reading(room, temp) at time']"),
    "depth": (lambda value: isinstance(value, int) and value > 0, "a number of rules, 1 or more"),
    "emit": (
        lambda value: isinstance(value, str) or _is_integer(value),
        '"change", "every", "windows" or a number of ticks',
    ),
    "explain_last": _DURATION,
    "explain_max_records": _INTEGER,
    "functions": (_is_functions, "an object whose methods the program calls, such as a module"),
    "idle_timeout": _CLOCK_DURATION,
    "largest_interval": _INTEGER,
    "lateness": _DURATION,
    "on_answer": (callable, "a function that takes an Answer"),
    "reading": (_is_reading, "a Reading, such as replace(reasoner.reading, ...)"),
    "revise": _DURATION,
    "stats": _SWITCH,
    "stop": (lambda value: hasattr(value, "is_set"), "a threading.Event"),
    "tick_timeout": _CLOCK_DURATION,
    "trusted": _SWITCH,
}
"""Keywords whose values are checked here: the check, and the words for a good value. None is the default."""


def check_values(given: Mapping[str, object]) -> None:
    """Raises TypeError for a keyword with a value of the wrong type, ValueError for a text that is none."""
    for name, value in given.items():
        if value is not None and name in _KINDS and not _KINDS[name][0](value):
            kind = ValueError if isinstance(value, str) and name == "clock" else TypeError
            raise kind(f"{name} is {_KINDS[name][1]}, not {shown(repr(value))}")


def check_text(text: object) -> None:
    """Raises TypeError or ValueError for a program that is not given as text."""
    if not isinstance(text, str):
        cure = ": write Reasoner.from_file(path)" if isinstance(text, Path) else ""
        raise TypeError(f"from_text needs the text of a program, not {_kind(text)}{cure}")
    if text.endswith((".lars", ".lp", ".asp")) and "\n" not in text:
        raise ValueError(
            f"{shown(text)} is the name of a file, and from_text needs the text of a program: write "
            f"Reasoner.from_file({shown(repr(text))})"
        )


def check_paths(paths: Iterable[object]) -> None:
    """Raises TypeError or ValueError for program files that are not given as paths."""
    given = [*paths]
    if not given:
        raise TypeError("from_file needs the path of a program, such as Reasoner.from_file('rooms.lars')")
    for path in given:
        if not isinstance(path, str | Path):
            cure = ": write Reasoner.from_file(*paths)" if isinstance(path, list | tuple) else ""
            raise TypeError(f"from_file needs paths, not {_kind(path)}{cure}")
        if isinstance(path, str) and (":-" in path or path.rstrip().endswith(".")) and not _is_there(path):
            raise ValueError(
                f"{shown(repr(path))} is the text of a program, and from_file needs paths: write "
                "Reasoner.from_text(text)"
            )


def check_source(source: Any) -> None:
    """Raises TypeError or ValueError if nobody can run a program on a source."""
    if is_frame(source):
        return
    if isinstance(source, str):
        if ":" in source and not _is_there(source):
            from lars2asp.runtime.connectors.addresses import is_address  # noqa: PLC0415 - not for all

            if is_address(source):
                raise ValueError(
                    f"{shown(source)} is a live source: write reasoner.run_live(source, on_answer)"
                )
        return
    cure = ""
    if isinstance(source, IOBase):
        cure = ": give its path"
    elif isinstance(source, Mapping):
        cure = ": write its pairs of a time and facts, source.items()"
    elif isinstance(source, Record | Events):
        cure = ": put it in a list"
    elif isinstance(source, Path | Iterable) and not isinstance(source, bytes):
        return
    raise TypeError(
        f"a reasoner runs on pairs of a time and facts, a data frame, or the path of a file, not on "
        f"{_kind(source)}{cure}"
    )


def check_live_sources(given: Iterable[object]) -> None:
    """Raises TypeError for what is no live source."""
    for one in given:
        if not isinstance(one, str | Path) and not hasattr(one, "run"):
            raise TypeError(
                f"run_live needs an address, the path of a file, or a Feed, not {_kind(one)}: for data that "
                "you have, write reasoner.run(data)"
            )


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # no path at all
        return False


def _kind(value: object) -> str:
    return f"a value of type {type(value).__name__}"
