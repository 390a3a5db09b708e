"""Mistakes of the input by kind, so that equal ones do not fill standard error."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from lars2asp.runtime.sources.records import Rejected
from lars2asp.syntax.values import dataclass

SHOWN_EACH = 5
"""The number of mistakes of a kind that are shown."""

MOST_KINDS = 100
"""The number of kinds that are told apart; all further mistakes are one kind."""

FIRST_COUNT = 100
"""How many more of a kind there are is said at so many, and whenever there are ten times as many."""

_VALUES = re.compile(r"""'[^']*'|"[^"]*"|\([^()]*\)|[^\s:;,(]*[0-9][^\s;,)]*""")


def kind_of(reason: str) -> str:
    """A reason without its values: what stands in quotes or parentheses, and words with digits."""
    while (shorter := _VALUES.sub("_", reason)) != reason:
        reason = shorter
    return reason


@dataclass
class _Kind:
    """The mistakes of a kind: their number, the number at which it is said next, and the last one as text."""

    count: int = 0
    next_count: int = FIRST_COUNT
    last: str = ""


class Mistakes:
    """Counts mistakes by kind, and says which of them are shown."""

    def __init__(self) -> None:
        self._kinds: dict[str, _Kind] = {}

    def messages(self, rejected: Rejected, record: str) -> Iterator[str]:
        """The lines to show for a mistake, none for most.

        Args:
            rejected: the mistake.
            record: the record as people see it.
        """
        name = kind_of(rejected.reason)
        if name not in self._kinds and len(self._kinds) >= MOST_KINDS:
            name = ""
        kind = self._kinds.setdefault(name, _Kind())
        kind.count += 1
        kind.last = str(rejected)
        if kind.count <= SHOWN_EACH:
            yield kind.last
            yield f"  | {record}"
            if kind.count == SHOWN_EACH:
                yield "  (more like this one are only counted)"
        elif kind.count - SHOWN_EACH == kind.next_count:
            kind.next_count *= 10
            yield f"{kind.last}\n  (and {kind.count - SHOWN_EACH - 1} more like this one so far)"

    def summary(self) -> Iterator[str]:
        """A line for each kind of which not all were shown: the last one, and how many there are."""
        for kind in self._kinds.values():
            if kind.count > SHOWN_EACH:
                more = kind.count - SHOWN_EACH - 1
                yield f"{kind.last}\n  (and {more} more like this one)" if more else kind.last

    def state(self) -> dict[str, Any]:
        """The counts, as JSON has them."""
        return {name: [kind.count, kind.next_count, kind.last] for name, kind in self._kinds.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        self._kinds = {name: _Kind(*kind) for name, kind in state.items()}
