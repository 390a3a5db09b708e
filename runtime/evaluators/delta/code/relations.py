"""Relations in the code: rows that begin and end, their indexes, and what follows from a change.

An index maps some columns of the rows that hold to the others: to these themselves if there is one such row,
as there mostly is, else to the set of them. A row of one column is the value in it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.counted import CountedRows
from lars2asp.runtime.evaluators.delta.code.expressions import Bindings, Scope
from lars2asp.runtime.evaluators.delta.code.steps import Steps, as_row, packed, targets
from lars2asp.runtime.evaluators.delta.rules.bodies import Shape
from lars2asp.syntax.nodes import Term, Variable
from lars2asp.syntax.source import NOWHERE

INSERTION = """\
found = {name}.setdefault({key}, {rest})
if found is not {rest}:
    if type(found) is set:
        found.add({rest})
    else:
        {name}[{key}] = {{found, {rest}}}
"""
"""Code that puts a row into an index."""

REMOVAL = """\
found = {name}.pop({key})
if type(found) is set:
    found.remove({rest})
    [{name}[{key}]] = found if len(found) == 1 else [found]
"""
"""Code that takes a row out of an index."""


class Piece(NamedTuple):
    """What is done with rows that begin or end, for one join.

    Attributes:
        owner: the name of the join, for who measures time.
        lines: the code.
        is_apart: whether it looks at no other rows of the same relation.
    """

    owner: str
    lines: CodeLines
    is_apart: bool


class Relation:
    """A set of rows that changes.

    Args:
        columns: the names of the columns.
        title: what it is, for readers of the code.
        scope: the names that the code uses.
        shape: of the answers that make the rows, if they are answers to a lookup.
        integers: the columns whose values are integers.

    Attributes:
        number: its number.
        columns: the names of the columns.
        shape: of the answers that make the rows, if they are answers to a lookup.
        at_once: code for all rows that begin (True), and for all that end.
        each: the same for each row, while it is in the indexes.
        fetched: of an aggregate's values, code for the value of a group.
        entries: of rows that depend on each other, the name of what has their stamps.
    """

    def __init__(
        self,
        columns: Sequence[str],
        title: str,
        scope: Scope,
        shape: Shape | None = None,
        integers: Sequence[str] = (),
    ) -> None:
        self.number = next(scope.relation_numbers)
        self.columns = columns
        self.integers = integers
        self.at_once: dict[bool, list[Piece]] = {True: [], False: []}
        self.each: dict[bool, list[Piece]] = {True: [], False: []}
        self.fetched = ""
        self.entries = ""
        self._title = title
        self._scope = scope
        self.shape = shape
        self._names: dict[tuple[int, ...], str] = {}
        self._counted: CountedRows | None = None
        if shape is not None and shape.is_projection:
            self._counted = counted = CountedRows()
            begin, end, rows = (f"{what}_{self.number}" for what in ("counted", "discounted", "all"))
            scope.names |= {begin: counted.add, end: counted.remove, rows: counted.rows}

    @property
    def lookup(self) -> Lookup | None:
        """The lookup whose answers make the rows."""
        return None if self.shape is None else self.shape.lookup

    @property
    def size(self) -> int:
        """The number of keys in its indexes."""
        return sum(map(len, self._kept))

    @property
    def rows(self) -> int:
        """The number of rows that are kept, each once; may look at all keys of an index."""
        if self._counted is not None:
            return len(self._counted.rows)
        indexes = {places: self._scope.names[name] for places, name in self._names.items()}
        if () in indexes:
            return len(indexes[()])
        for index in indexes.values():
            return sum(len(found) if type(found) is set else 1 for found in index.values())
        return 0

    def forget(self) -> None:
        """Forgets all rows."""
        for kept in self._kept:
            kept.clear()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is done with rows that begin and end; known once all joins are written."""
        return not (self._names or any(self.at_once.values()) or any(self.each.values()))

    @property
    def indexes(self) -> list[Any]:
        """The indexes."""
        return [self._scope.names[name] for name in self._names.values()]

    @property
    def _kept(self) -> list[Any]:
        return self.indexes if self._counted is None else [*self.indexes, self._counted]

    def index(self, places: Sequence[int], *, is_own: bool = False) -> str:
        """The name of the index by the columns at some places; for none, or all, of the set of rows.

        Args:
            places: the places.
            is_own: whether it is read while the rows of this relation change.
        """
        kept = tuple(places) if len(places) < len(self.columns) else ()
        if not kept and self._counted is not None and not is_own:
            return f"all_{self.number}"
        return self._names.get(kept) or self._add_index(kept)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms over the columns that rows are as they come."""
        return tuple(map(Variable, self.columns)) if self.shape is None else self.shape.terms

    def _add_index(self, places: tuple[int, ...]) -> str:
        name = "_".join(map(str, ("rows", self.number, *(("by", *places) if places else ()))))
        self._names[places] = name
        self._scope.names[name] = {} if places else set()
        return name

    # --- code -----------------------------------------------------------------------------------------

    def inline(self, *, is_begin: bool) -> CodeLines | None:
        """What is done with a row that begins or ends, to stand in other code; None if it cannot."""
        return None

    def write(self, lines: CodeLines, first: str = "") -> None:
        """Writes the functions that take rows that begin and rows that end; `first` is their first line."""
        for is_begin in (True, False):
            with lines.block(self._head(is_begin)):
                lines.line(self._told(is_begin))
                if first:
                    lines.line(first)
                self._write_changed(lines, is_begin)
                for piece in self.at_once[is_begin]:
                    lines.add(piece.lines)
                each = CodeLines()
                for piece in self.each[is_begin]:
                    each.add(piece.lines)
                self._write_indexes(lines, each, is_begin=is_begin)
            lines.line()

    def write_timed(self, lines: CodeLines, first: str, *, is_begin: bool) -> None:
        """Writes one of these functions so that it says whose time passes: `switch` takes owners.

        What needs no other rows of the relation has a loop of its own, as clocks take long beside a row.
        """
        with lines.block(self._head(is_begin)):
            lines.line(self._told(is_begin))
            lines.line(first)
            lines.line(f"outer = switch({self.owner!r})")
            self._write_changed(lines, is_begin)
            for piece in self.at_once[is_begin]:
                lines.line(f"switch({piece.owner!r})")
                lines.add(piece.lines)
            each = CodeLines()
            for piece in self.each[is_begin]:
                if piece.is_apart:
                    lines.line(f"switch({piece.owner!r})")
                    with lines.block("for row in rows:"):
                        lines.line(f"{targets(self.columns)} = row")
                        lines.add(piece.lines)
                else:
                    each.line(f"switch({piece.owner!r})")
                    each.add(piece.lines)
                    each.line(f"switch({self.owner!r})")
            lines.line(f"switch({self.owner!r})")
            self._write_indexes(lines, each, is_begin=is_begin)
            lines.line("switch(outer)")

    @property
    def owner(self) -> str:
        """Its name, for who measures time."""
        return f"relation {self.number}"

    def _head(self, is_begin: bool) -> str:
        return f"def {'begin' if is_begin else 'end'}{self.number}(rows):"

    def _told(self, is_begin: bool) -> str:
        what = "begin to hold" if is_begin else "end"
        return f'"""Rows of {self._title} {what}."""'

    def _write_changed(self, lines: CodeLines, is_begin: bool) -> None:
        """Makes the rows of the relation that begin or end of what is given."""
        if self._counted is None:
            self.write_rows(lines)
            return
        names, steps = self._matched()
        made = steps.comprehension(packed(self.columns), names, "rows")
        rows = f"{'counted' if is_begin else 'discounted'}_{self.number}({made})"
        lines.line(f"rows = {rows if len(self.columns) != 1 else f'[(row,) for row in {rows}]'}")

    def write_rows(self, lines: CodeLines) -> None:
        """Makes rows of answers, where these are not the rows."""
        if self.shape is not None and not self.shape.is_plain:
            names, steps = self._matched()
            lines.line(f"rows = {steps.comprehension(as_row(self.columns), names, 'rows')}")

    def _matched(self) -> tuple[str, Steps]:
        """Names for the values of an answer, and the steps to the columns."""
        assert self.shape is not None
        bindings = Bindings(self._scope, NOWHERE, Steps(prefix="m"))
        places = [f"a{place}" for place in range(len(self.shape.terms))]
        for place, term in enumerate(self.shape.terms):
            if isinstance(term, Variable) and term.name in self.columns and term.name not in bindings.names:
                places[place] = bindings.names[term.name] = term.name
        for name, term in zip(places, self.shape.terms, strict=True):
            if not isinstance(term, Variable) or name != term.name:
                bindings.match(term, name)
        return targets(places), bindings.steps

    def _write_indexes(self, lines: CodeLines, each: CodeLines, *, is_begin: bool) -> None:
        """Writes what is done with the indexes, and with each row while it is in them."""
        indexes = CodeLines()
        for places, name in self._names.items():
            if places:
                key, rest = self._names_of_split(indexes, places)
                add_template(indexes, INSERTION if is_begin else REMOVAL, name=name, key=key, rest=rest)
            elif each.lines:
                row = "row" if len(self.columns) != 1 else self.columns[0]
                indexes.line(f"{name}.{'add' if is_begin else 'remove'}({row})")
            else:
                rows = "rows" if len(self.columns) != 1 else "[row for [row] in rows]"
                lines.line(f"{name}.{'update' if is_begin else 'difference_update'}({rows})")
        if indexes.lines or each.lines:
            with lines.block("for row in rows:"):
                lines.line(f"{targets(self.columns)} = row")
                for one in (indexes, each) if is_begin else (each, indexes):
                    lines.add(one)

    def _names_of_split(self, lines: CodeLines, places: Sequence[int]) -> tuple[str, str]:
        """Names for the columns at some places, and for the others."""
        columns = list(enumerate(self.columns))
        split = {
            "key": packed([column for place, column in columns if place in places]),
            "rest": packed([column for place, column in columns if place not in places]),
        }
        for name, code in split.items():
            if not code.isidentifier():
                lines.line(f"{name} = {code}")
        key, rest = (code if code.isidentifier() else name for name, code in split.items())
        return key, rest


def add_template(lines: CodeLines, template: str, **parts: Any) -> None:
    """Adds the lines of a template."""
    for line in template.format(**parts).splitlines():
        lines.line(line)
