"""Predicates of which it is known in advance when their atoms hold."""

from collections.abc import Sequence
from typing import Protocol

from lars2asp.externals.terms.terms import Row
from lars2asp.syntax.nodes import Signature


class Foreknown(Protocol):
    """A predicate of which it is known in advance when its atoms hold."""

    @property
    def signature(self) -> Signature:
        """The predicate."""
        ...

    def rows(self, tick: int) -> Sequence[Row]:
        """The atoms that hold at a tick, by their arguments."""
        ...

    def next_change(self, tick: int) -> int | None:
        """The first tick after one at which others hold; None for none."""
        ...
