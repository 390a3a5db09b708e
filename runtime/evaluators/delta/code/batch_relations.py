"""Relations in the code of batches: most ticks of a stream have few rows, so each row is taken by itself."""

import re
from typing import Any

from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.relations import INSERTION, REMOVAL, Relation, add_template
from lars2asp.runtime.evaluators.delta.code.steps import as_row, packed, targets

_ROW = re.compile(r"\brow\b")

_IN_VISIT = re.compile(r"\b(?:group|number|before|value)\b")
"""The names that the loop over groups has."""

_COUNTED = """\
number = {rows}.get({key})
if number is not None:
    {rows}[{key}] = number + 1
    continue
{rows}[{key}] = 1
"""
"""Code that counts what makes a row that begins, and goes on with those that were not there."""

_DISCOUNTED = """\
number = {rows}[{key}]
if number > 1:
    {rows}[{key}] = number - 1
    continue
del {rows}[{key}]
"""
"""The same for a row that ends, and those that are not there any more."""


class BatchRelation(Relation):
    """A set of rows that changes; if several answers may make a row, their number is kept.

    Takes what Relation takes.

    Attributes:
        is_momentary: whether it has facts of the current tick alone, in indexes while they are taken.
    """

    is_momentary = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if self._counted is not None:
            self._scope.names[f"all_{self.number}"] = {}

    def mark_momentary(self) -> None:
        """It has facts of the current tick alone; to be called before code is written."""
        self.is_momentary = True
        self._counted = None

    def inline(self, *, is_begin: bool) -> CodeLines | None:
        """What is done with a row of an aggregate's values, in the loop over groups that changed."""
        if self._names or self.at_once[True] or self.at_once[False] or not self.each[True]:
            return None
        lines = CodeLines()
        for piece in self.each[is_begin]:
            for line in piece.lines.lines:
                lines.line(_ROW.sub(as_row(self.columns), line))
        both = (each.lines for one in (True, False) for each in self.each[one])
        is_apart = not any(_IN_VISIT.search(line) for one in both for line in one.lines)
        return lines if is_apart else None

    def write(self, lines: CodeLines, first: str = "") -> None:
        """Writes the functions that take rows that begin and rows that end."""
        if self.is_momentary:
            self._write_moment(lines)
            return
        for is_begin in (True, False):
            with lines.block(self._head(is_begin)):
                lines.line(self._told(is_begin))
                if first:
                    lines.line(first)
                for piece in self.at_once[is_begin]:
                    lines.add(piece.lines)
                self._write_each(lines, is_begin)
            lines.line()

    def _write_each(self, lines: CodeLines, is_begin: bool) -> None:
        """Writes what is done with each row."""
        is_plain = self.shape is None or self.shape.is_plain
        inner, each = CodeLines(), CodeLines()
        for piece in self.each[is_begin]:
            each.add(piece.lines)
        if self._counted is not None:
            key = packed(self.columns)
            if not key.isidentifier():
                inner.line(f"key = {key}")
                key = "key"
            add_template(inner, _COUNTED if is_begin else _DISCOUNTED, rows=f"all_{self.number}", key=key)
        if not is_begin:
            inner.add(each)
        for places, name in self._names.items():
            if not places and is_plain and not each.lines and len(self.columns) != 1:
                lines.line(f"{name}.{'update' if is_begin else 'difference_update'}(rows)")
            else:
                self._write_index(inner, places, name, is_begin=is_begin)
        if is_begin:
            inner.add(each)
        self._write_loop(lines, inner)

    def _write_loop(self, lines: CodeLines, inner: CodeLines) -> None:
        """Writes the loop over rows."""
        if not inner.lines:
            return
        has_row = any(map(_ROW.search, inner.lines))
        if self.shape is None or self.shape.is_plain:
            with lines.block(f"for {'row' if has_row else targets(self.columns)} in rows:"):
                if has_row:
                    lines.line(f"{targets(self.columns)} = row")
                lines.add(inner)
            return
        names, steps = self._matched()

        def write() -> None:
            if has_row:
                lines.line(f"row = {as_row(self.columns)}")
            lines.add(inner)

        with lines.block(f"for {names} in rows:"):
            steps.write(lines, write)

    def _write_moment(self, lines: CodeLines) -> None:
        """Writes the function that takes facts of a tick into indexes, and the one that derives of them."""
        indexes, each = CodeLines(), CodeLines()
        for places, name in self._names.items():
            self._write_index(indexes, places, name, is_begin=True)
        for piece in self.each[True]:
            each.add(piece.lines)
        for verb, words, inner in (("load", "Facts", indexes), ("fire", "What follows of facts", each)):
            if inner.lines:
                with lines.block(f"def {verb}{self.number}(rows):"):
                    lines.line(f'"""{words} of {self._title}."""')
                    self._write_loop(lines, inner)
                lines.line()

    def _write_index(self, lines: CodeLines, places: tuple[int, ...], name: str, *, is_begin: bool) -> None:
        """Writes that a row is put into an index, or taken out of it."""
        if places:
            key, rest = self._names_of_split(lines, places)
            add_template(lines, INSERTION if is_begin else REMOVAL, name=name, key=key, rest=rest)
        else:
            row = "row" if len(self.columns) != 1 else self.columns[0]
            lines.line(f"{name}.{'add' if is_begin else 'remove'}({row})")
