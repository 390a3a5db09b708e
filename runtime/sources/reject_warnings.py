"""What becomes of records that are not valid, as the keyword `on_reject` says it."""

import warnings
from collections.abc import Callable
from typing import Literal

from lars2asp.runtime.sources.records import OnReject, PassedOver, Rejected, SourceName, refuse
from lars2asp.syntax.summaries import counted

RejectChoice = OnReject | Literal["warn", "stop"]
"""A function that takes rejected records; or "warn" (leave them out), or "stop" (raise an InputError)."""


class RejectWarnings:
    """Leaves out records that are not valid, and warns once for each input, with the first reason.

    Args:
        is_live: whether the run may have no end: it warns at once then.
    """

    def __init__(self, *, is_live: bool = False) -> None:
        self._is_live = is_live
        self._first: dict[str, Rejected] = {}
        self._counts: dict[str, int] = {}

    def __call__(self, rejected: Rejected) -> None:
        """Takes a record."""
        if isinstance(rejected, PassedOver):
            refuse(rejected)
            return
        source = rejected.origin.source
        name = source.input if isinstance(source, SourceName) else source
        self._counts[name] = self._counts.get(name, 0) + 1
        if name not in self._first:
            self._first[name] = rejected
            if self._is_live:
                warnings.warn(f"{rejected}: such records are left out and counted", stacklevel=2)

    def tell(self) -> None:
        """Warns of the records of a run that is over."""
        for name, first in () if self._is_live else self._first.items():
            number = counted(self._counts[name], "record")
            were = "was" if self._counts[name] == 1 else "were"
            warnings.warn(f"{number} of {name} {were} rejected, the first: {first}", stacklevel=2)
        self._first.clear()
        self._counts.clear()


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
