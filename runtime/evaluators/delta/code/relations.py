"""Relations in the code: rows that begin and end, their indexes, and what follows from a change.

An index maps some columns of the rows that hold to the others: to these themselves if there is one such row,
as there mostly is, else to the set of them. A row of one column is the value in it.
"""

from collections.abc import Sequence
from typing import Any

from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.counted import CountedRows
from lars2asp.runtime.evaluators.delta.code.expressions import Bindings, Scope
from lars2asp.runtime.evaluators.delta.code.steps import Steps, as_row, packed, targets
from lars2asp.runtime.evaluators.delta.rules.bodies import Shape
from lars2asp.syntax.nodes import Term, Variable
from lars2asp.syntax.source import NOWHERE

_INSERTION = """\
found = {name}.setdefault({key}, {rest})
if found is not {rest}:
    if type(found) is set:
        found.add({rest})
    else:
        {name}[{key}] = {{found, {rest}}}
"""
"""Code that puts a row into an index."""

_REMOVAL = """\
found = {name}.pop({key})
if type(found) is set:
    found.remove({rest})
    [{name}[{key}]] = found if len(found) == 1 else [found]
"""
"""Code that takes a row out of an index."""


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
        self.at_once = {True: CodeLines(), False: CodeLines()}
        self.each = {True: CodeLines(), False: CodeLines()}
        self.fetched = ""
        self.entries = ""
        self._title = title
        self._scope = scope
        self._shape = shape
        self._names: dict[tuple[int, ...], str] = {}
        self._counted: CountedRows | None = None
        if shape is not None and shape.is_projection:
            self._counted = counted = CountedRows()
            begin, end, rows = (f"{what}_{self.number}" for what in ("counted", "discounted", "all"))
            scope.names |= {begin: counted.add, end: counted.remove, rows: counted.rows}

    @property
    def lookup(self) -> Lookup | None:
        """The lookup whose answers make the rows."""
        return None if self._shape is None else self._shape.lookup

    @property
    def size(self) -> int:
        """The number of keys in its indexes."""
        return sum(map(len, self._kept))

    def forget(self) -> None:
        """Forgets all rows."""
        for kept in self._kept:
            kept.clear()

    @property
    def _kept(self) -> list[Any]:
        indexes = [self._scope.names[name] for name in self._names.values()]
        return indexes if self._counted is None else [*indexes, self._counted]

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
        return tuple(map(Variable, self.columns)) if self._shape is None else self._shape.terms

    def _add_index(self, places: tuple[int, ...]) -> str:
        name = "_".join(map(str, ("rows", self.number, *(("by", *places) if places else ()))))
        self._names[places] = name
        self._scope.names[name] = {} if places else set()
        return name

    # --- code -----------------------------------------------------------------------------------------

    def write(self, lines: CodeLines) -> None:
        """Writes the functions that take the rows that begin and those that end."""
        for is_begin, verb, what in ((True, "begin", "begin to hold"), (False, "end", "end")):
            with lines.block(f"def {verb}{self.number}(rows):"):
                lines.line(f'"""Rows of {self._title} {what}."""')
                if self._counted is None:
                    self.write_rows(lines)
                else:
                    names, steps = self._matched()
                    made = steps.comprehension(packed(self.columns), names, "rows")
                    rows = f"{'counted' if is_begin else 'discounted'}_{self.number}({made})"
                    lines.line(f"rows = {rows if len(self.columns) != 1 else f'[(row,) for row in {rows}]'}")
                lines.add(self.at_once[is_begin])
                self._write_indexes(lines, self.each[is_begin], is_begin=is_begin)
            lines.line()

    def write_rows(self, lines: CodeLines) -> None:
        """Makes rows of answers, where these are not the rows."""
        if self._shape is not None and not self._shape.is_plain:
            names, steps = self._matched()
            lines.line(f"rows = {steps.comprehension(as_row(self.columns), names, 'rows')}")

    def _matched(self) -> tuple[str, Steps]:
        """Names for the values of an answer, and the steps to the columns."""
        assert self._shape is not None
        bindings = Bindings(self._scope, NOWHERE, Steps(prefix="m"))
        places = [f"a{place}" for place in range(len(self._shape.terms))]
        for place, term in enumerate(self._shape.terms):
            if isinstance(term, Variable) and term.name in self.columns and term.name not in bindings.names:
                places[place] = bindings.names[term.name] = term.name
        for name, term in zip(places, self._shape.terms, strict=True):
            if not isinstance(term, Variable) or name != term.name:
                bindings.match(term, name)
        return targets(places), bindings.steps

    def _write_indexes(self, lines: CodeLines, each: CodeLines, *, is_begin: bool) -> None:
        """Writes what is done with the indexes, and with each row while it is in them."""
        indexes = CodeLines()
        for places, name in self._names.items():
            if places:
                key, rest = self._names_of_split(indexes, places)
                _add(indexes, _INSERTION if is_begin else _REMOVAL, name=name, key=key, rest=rest)
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


def _add(lines: CodeLines, template: str, **parts: Any) -> None:
    for line in template.format(**parts).splitlines():
        lines.line(line)
