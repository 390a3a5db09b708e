"""Warnings of feeds, of which the same one is not said again and again."""

import logging
from collections.abc import Callable
from time import monotonic

_log = logging.getLogger("lars2asp")

WARNING_SECONDS = 60.0
"""The least time between two warnings with the same text."""


class LimitedWarnings:
    """Logs warnings, each at most once in WARNING_SECONDS."""

    def __init__(self, name: str, clock: Callable[[], float] = monotonic) -> None:
        self._name = name
        self._clock = clock
        self._next: dict[str, float] = {}
        self._kept_back: dict[str, int] = {}
        self._is_gone = False

    def gone(self, reason: str, also: str = "") -> None:
        """Warns that the other end is gone and that the feed waits for it."""
        self._is_gone = True
        self.say(f"{reason}; it is waited for{also}")

    def back(self) -> None:
        """Reports that the other end answers, if it was gone."""
        if self._is_gone:
            self._is_gone = False
            self.say("it is there again")

    def say(self, text: str) -> None:
        """Logs a warning, with the number of times that it was kept back."""
        now = self._clock()
        if now < self._next.get(text, now):
            self._kept_back[text] = self._kept_back.get(text, 0) + 1
            return
        self._next[text] = now + WARNING_SECONDS
        more = self._kept_back.pop(text, 0)
        _log.warning("%s: %s%s", self._name, text, f" (and {more} times before)" if more else "")
