"""What becomes of records that are not valid, as the keyword `on_reject` says it."""

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from lars2asp.runtime.sources.records import (
    OnReject,
    PassedOver,
    Record,
    Rejected,
    SourceName,
    passed_over_text,
    refuse,
)
from lars2asp.syntax.summaries import counted

RejectChoice = OnReject | Literal["warn", "stop"]
"""A function that takes rejected records; or "warn" (leave them out), or "stop" (raise an InputError)."""


class RejectWarnings:
    """Leaves out records that are not valid, and warns once for each input, with the first reason.

    Args:
        is_live: whether the run may have no end: it warns at once then.
    """

    is_one_unfit_enough = True

    def __init__(self, *, is_live: bool = False) -> None:
        self._is_live = is_live
        self._first: dict[str, Rejected] = {}
        self._counts: dict[str, int] = {}
        self._passing_over: set[str] = set()

    def __call__(self, rejected: Rejected) -> None:
        """Takes a record."""
        source = rejected.origin.source
        own = "" if self._is_live else source  # connections of the only live input are no inputs
        name = source.input if isinstance(source, SourceName) else own
        if isinstance(rejected, PassedOver):
            if name not in self._passing_over:
                self._passing_over.add(name)
                _warn(passed_over_text(rejected))
            return
        self._counts[name] = self._counts.get(name, 0) + 1
        if name not in self._first:
            self._first[name] = rejected
            if self._is_live:
                _warn(f"{rejected}: such records are left out and counted")

    def tell(self) -> None:
        """Warns of the records of a run that is over."""
        for name, first in () if self._is_live else self._first.items():
            number = counted(self._counts[name], "record")
            were = "was" if self._counts[name] == 1 else "were"
            _warn(f"{number} of {name} {were} rejected, the first: {first}")
        self._first.clear()
        self._counts.clear()


def told(records: Iterable[Record], tell: Callable[[], None]) -> Iterator[Record]:
    """Records; when they are over, `tell` is called."""
    try:
        yield from records
    finally:
        tell()


def _warn(text: str) -> None:
    """Warns where the code of the user calls; each time, also if another run has said the same there."""
    frame = here = sys._getframe(1)
    while f"{frame.f_globals.get('__name__')}.".startswith("lars2asp.") and frame.f_back is not None:
        frame = frame.f_back
    place = here if frame.f_globals.get("__name__") == "threading" else frame  # of a live source
    warnings.warn_explicit(text, UserWarning, place.f_code.co_filename, place.f_lineno)


def rejecting(choice: RejectChoice, *, is_live: bool = False) -> tuple[OnReject, Callable[[], None]]:
    """What takes records that are not valid, and what is to be called when a run is over.

    Raises ValueError for other texts.
    """
    if choice == "warn":
        found = RejectWarnings(is_live=is_live)
        return found, found.tell
    if choice == "stop":
        return refuse, lambda: None
    if not callable(choice):
        raise ValueError(f'on_reject is "warn", "stop" or a function, not {choice!r}')
    return choice, lambda: None
