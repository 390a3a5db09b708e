"""Relations in the code: rows that begin and end, their indexes, and what follows from a change.

An index maps some columns of the rows that hold to the others: to these themselves if there is one such row,
as there mostly is, else to the set of them. A row of one column is the value in it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.expressions import Bindings, Scope
from lars2asp.runtime.evaluators.delta.code.steps import Steps, packed, targets
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

_BEGINS_AGAIN = """\
count = {name}.get(key)
if count is not None:
    {name}[key] = count + 1
    continue
{name}[key] = 1
"""
"""Code that counts one more answer that makes a row; goes on where it is the first."""

_ENDS_PARTLY = """\
count = {name}[key]
if count != 1:
    {name}[key] = count - 1
    continue
"""
"""Code that counts one answer less; goes on where it was the last."""


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
        begins: code for a row that begins to hold, when it is in the indexes.
        ends: code for a row that ends, while it is in the indexes.
        fetched: of an aggregate's values, code for the value of a group.
        entries: of rows that depend on each other, the name of what has their stamps.
        all_begin: code for all rows at once.
        all_end: code for all rows at once.
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
        self.begins = CodeLines()
        self.ends = CodeLines()
        self.all_begin = CodeLines()
        self.all_end = CodeLines()
        self.fetched = ""
        self.entries = ""
        self._title = title
        self._scope = scope
        self._shape = shape
        self._names: dict[tuple[int, ...], str] = {}
        self._uses_row = False
        if self.is_counted:
            self._add_index(())

    @property
    def lookup(self) -> Lookup | None:
        """The lookup whose answers make the rows."""
        return None if self._shape is None else self._shape.lookup

    @property
    def is_plain(self) -> bool:
        """Whether what comes are the rows themselves."""
        return self._shape is None or self._shape.is_plain

    @property
    def is_counted(self) -> bool:
        """Whether several answers may make one row."""
        return self._shape is not None and self._shape.is_projection

    @property
    def size(self) -> int:
        """The number of keys in its indexes."""
        return sum(len(self._scope.names[name]) for name in self._names.values())

    def forget(self) -> None:
        """Forgets all rows."""
        for name in self._names.values():
            self._scope.names[name].clear()

    def index(self, places: Sequence[int]) -> str:
        """The name of the index by the columns at some places; for none, or all, of the set of rows."""
        kept = tuple(places) if len(places) < len(self.columns) else ()
        return self._names.get(kept) or self._add_index(kept)

    def row(self) -> str:
        """Code for the row that begins or ends, as it is kept."""
        if len(self.columns) != 1 and self.is_plain:
            self._uses_row = True
            return "row"
        return packed(self.columns)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms over the columns that rows are as they come."""
        return tuple(map(Variable, self.columns)) if self._shape is None else self._shape.terms

    def head(self) -> str | None:
        """Code for the row that begins or ends as a tuple, if there is one."""
        if not self.is_plain:
            return None
        self._uses_row = True
        return "row"

    def _add_index(self, places: tuple[int, ...]) -> str:
        name = "_".join(map(str, ("rows", self.number, *(("by", *places) if places else ()))))
        self._names[places] = name
        self._scope.names[name] = {} if places or self.is_counted else set()
        return name

    # --- code -----------------------------------------------------------------------------------------

    def taken(self) -> tuple[str, Steps]:
        """Names for the values of a row as it comes, and the steps to the columns."""
        bindings = Bindings(self._scope, NOWHERE, Steps(prefix="m"))
        if self.is_plain:
            return targets(self.columns), bindings.steps
        assert self._shape is not None
        places = [f"a{place}" for place in range(len(self._shape.terms))]
        for place, term in enumerate(self._shape.terms):
            if isinstance(term, Variable) and term.name in self.columns and term.name not in bindings.names:
                places[place] = bindings.names[term.name] = term.name
        for name, term in zip(places, self._shape.terms, strict=True):
            if not isinstance(term, Variable) or name != term.name:
                bindings.match(term, name)
        return targets(places), bindings.steps

    def write(self, lines: CodeLines) -> None:
        """Writes the functions that take the rows that begin and those that end."""
        with lines.block(f"def begin{self.number}(rows):"):
            lines.line(f'"""Rows of {self._title} begin to hold."""')
            lines.add(self.all_begin)
            if self.begins or not self._is_set:
                self._write_loop(lines, self._begins_with_indexes)
            else:
                lines.line(f"{self._names[()]}.update({self._all()})")
        lines.line()
        with lines.block(f"def end{self.number}(rows):"):
            lines.line(f'"""Rows of {self._title} end."""')
            lines.add(self.all_end)
            if self.ends or not self._is_set:
                self._write_loop(lines, self._ends_with_indexes)
            else:
                lines.line(f"{self._names[()]}.difference_update({self._all()})")
        lines.line()

    @property
    def _is_set(self) -> bool:
        """Whether nothing but the set of rows is kept."""
        return list(self._names) == [()] and not self.is_counted

    def _all(self) -> str:
        """Code for all rows as they are kept."""
        if self.is_plain and len(self.columns) != 1:
            return "rows"
        names, steps = self.taken()
        return steps.comprehension(packed(self.columns), names, "rows")

    def _write_loop(self, lines: CodeLines, write: Callable[[CodeLines], None]) -> None:
        inner = CodeLines()
        write(inner)
        if not inner:
            return
        names, steps = self.taken()
        if self.is_plain and self._uses_row:
            with lines.block("for row in rows:"):
                if self.columns:
                    lines.line(f"{targets(self.columns)} = row")
                lines.add(inner)
        else:
            with lines.block(f"for {names} in rows:"):
                steps.write(lines, lambda: lines.add(inner))

    def _begins_with_indexes(self, lines: CodeLines) -> None:
        if self.is_counted:
            lines.line(f"key = {packed(self.columns)}")
            _add(lines, _BEGINS_AGAIN, name=self._names[()])
        for places, name in self._names.items():
            if places:
                key, rest = self._names_of_split(lines, places)
                _add(lines, _INSERTION, name=name, key=key, rest=rest)
            elif not self.is_counted:
                lines.line(f"{name}.add({self.row()})")
        lines.add(self.begins)

    def _ends_with_indexes(self, lines: CodeLines) -> None:
        if self.is_counted:
            lines.line(f"key = {packed(self.columns)}")
            _add(lines, _ENDS_PARTLY, name=self._names[()])
        lines.add(self.ends)
        for places, name in self._names.items():
            if places:
                key, rest = self._names_of_split(lines, places)
                _add(lines, _REMOVAL, name=name, key=key, rest=rest)
            elif self.is_counted:
                lines.line(f"del {name}[{packed(self.columns)}]")
            else:
                lines.line(f"{name}.remove({self.row()})")

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
