"""Rows that depend on each other at one tick, kept up to date by counting from below.

Rows that hold have stamps, higher ones the later they are derived. Each row counts the instances that derive
it *from below*, from rows with lower stamps, apart from all others: those from below make no cycle. A row
that has none left is withdrawn. If it has other instances when all that rests on it alone is withdrawn too,
it is derived anew with a new stamp: then these are from below.

One count would let cycles keep themselves alive. To delete all that may rest on what ended, and rederive
(Gupta, Mumick, Subrahmanian 1993, section 7), also deletes what has other instances from below.
"""

import sys
from collections.abc import Callable, Iterator, Sequence

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.expressions import Scope
from lars2asp.runtime.evaluators.delta.code.heads import PERHAPS, DerivedRows, settled
from lars2asp.runtime.evaluators.delta.code.steps import as_row

NEVER = sys.maxsize
"""The stamp of rows that do not hold."""


class Recursive(DerivedRows):
    """Rows that rules derive from themselves: those of a predicate, or of a part of a join.

    Args:
        number: its number.
        scope: the names that the code uses.
        stamps: the stamps to come, of all rows of the rules.

    Attributes:
        begin: the functions that take rows that begin to hold, each once.
        end: the functions that take rows that end.
    """

    is_bulk = False
    _new_entry = "[NEVER, 1, 0]"
    """Code for the numbers of a row that has its first instance."""
    _at_end = ""
    """What the code does besides where the last instance from below ceases."""

    def __init__(self, number: int, scope: Scope, stamps: Iterator[int]) -> None:
        super().__init__(number, scope, is_counted=True, is_net=False)
        self.begin: list[Callable[[Sequence[Row]], None]] = []
        self.end: list[Callable[[Sequence[Row]], None]] = []
        self._stamps = stamps
        self._entries: dict[Row, list[int]] = {}
        """For each row that has instances: its stamp, the number of those from below, that of all others."""
        self._began: list[Row] = []
        self._ended: list[Row] = []
        scope.names |= {self.entries: self._entries, "NEVER": NEVER}

    @property
    def entries(self) -> str:
        """The name of the stamps and numbers of rows in the code."""
        return f"entries{self.number}"

    @property
    def size(self) -> int:
        """The number of rows that are kept."""
        return len(self._entries)

    def held(self) -> list[Row]:
        """The rows that hold."""
        return list(self._entries)

    def write(
        self,
        lines: CodeLines,
        codes: Sequence[str],
        *,
        is_more: bool,
        row: str | None = None,
        stamps: Sequence[str] = (),
    ) -> None:
        """Writes that one instance more, or one less, derives a row.

        Args:
            lines: the code.
            codes: code for the row's values.
            is_more: whether the instance begins to fire.
            row: the row's name, if it has one.
            stamps: the names of the stamps of the rows that the instance is made of.
        """
        stamp = f"max({', '.join(stamps)})" if len(stamps) > 1 else "".join(stamps) or "0"
        lines.line(f"head = {row or as_row(codes)}")
        if is_more:
            lines.line(f"entry = {self.entries}.get(head)")
            with lines.block("if entry is None:"):
                lines.line(f"{self.entries}[head] = {self._new_entry}")
                lines.line(f"append_{self._list(True)}(head)")
            with lines.block(f"elif {stamp} < entry[0]:"):
                lines.line("entry[1] += 1")
            with lines.block("else:"):
                lines.line("entry[2] += 1")
            return
        lines.line(f"entry = {self.entries}[head]")
        with lines.block(f"if {stamp} < entry[0]:"):
            lines.line("entry[1] -= 1")
            with lines.block("if not entry[1]:"):
                lines.line(f"append_{self._list(False)}(head)")
                if self._at_end:
                    lines.line(self._at_end)
        with lines.block("else:"):
            lines.line("entry[2] -= 1")

    def add(self, rows: Sequence[Row]) -> None:
        """One derivation for each row; to be called once, before all else."""
        self._entries.update((row, [NEVER, 1, 0]) for row in rows)
        self._more += rows

    def withdraw(self) -> bool:
        """Withdraws the rows that have lost all instances from below; says whether there were any."""
        entries, rows = self._entries, self._unfounded()
        if not rows:
            return False
        for end in self.end:
            end(rows)
        for row in rows:
            others = entries[row][2]
            if others:
                entries[row][:3] = NEVER, others, 0
            else:
                del entries[row]
        self._ended += rows
        return True

    def _unfounded(self) -> list[Row]:
        """The rows that have lost all instances from below."""
        entries, rows = self._entries, []
        for row in dict.fromkeys(self._less):
            entry = entries.get(row)
            if entry is None or entry[1]:
                continue
            if entry[0] == NEVER:
                del entries[row]
            else:
                rows.append(row)
        self._less.clear()
        return rows

    def derive_again(self) -> None:
        """What was withdrawn and has instances is to be derived."""
        self._more += filter(self._entries.__contains__, self._ended)

    def derive(self) -> bool:
        """Gives stamps to the rows that have instances and no stamp; says whether there were any."""
        rows = self._stamped()
        if not rows:
            return False
        for begin in self.begin:
            begin(rows)
        self._began += rows
        return True

    def _stamped(self) -> list[Row]:
        """The rows that have instances and had no stamp."""
        rows = []
        for row in self._more:
            entry = self._entries.get(row)
            if entry is not None and entry[0] == NEVER:
                entry[0] = next(self._stamps)
                rows.append(row)
        self._more.clear()
        return rows

    @property
    def waiting(self) -> tuple[Sequence[Row], Sequence[Row]]:
        """Nothing that stays the same tells it."""
        return PERHAPS

    def changes(self) -> Changes:
        """The changes since the last call."""
        if not self._began and not self._ended:
            return NO_CHANGES
        began, ended, self._began, self._ended = self._began, self._ended, [], []
        return settled(began, ended)


def settle(several: Sequence[Recursive], check: Callable[[], None]) -> None:
    """Follows the changes of instances to the end; `check` raises where that takes too long."""
    while any(one.withdraw() for one in several):
        check()
    for one in several:
        one.derive_again()
    while any(one.derive() for one in several):
        check()
