"""The code of aggregates, which keeps the value of each group up to date.

The changes of elements are gathered while a tick's changes are taken. Then each group that changed is visited
once: it leaves or enters the relations that ask for the aggregate.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from lars2asp.externals.terms.terms import Row, Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.expressions import Scope, comparison_of
from lars2asp.runtime.evaluators.delta.code.extremes import Extreme
from lars2asp.runtime.evaluators.delta.code.relations import Relation
from lars2asp.runtime.evaluators.delta.code.steps import as_row, packed, targets
from lars2asp.runtime.evaluators.delta.rules.aggregates import Bounded, RowAggregate, Valued
from lars2asp.runtime.evaluators.reports import MESSAGE_LIMIT
from lars2asp.syntax.source import Location


class AggregateCode:
    """An aggregate in the code.

    Args:
        number: its number.
        aggregate: the aggregate.
        scope: the names that the code uses.
        is_single: whether no two instances of elements have one tuple.
        location: the place in the user's text.

    Attributes:
        is_direct: whether values change at once, as nothing follows from it that they do.
    """

    is_bulk = False

    def __init__(
        self, number: int, aggregate: RowAggregate, scope: Scope, *, is_single: bool, location: Location
    ) -> None:
        self.number = number
        self.aggregate = aggregate
        self._scope = scope
        self._is_single = is_single
        self._location = location
        self._is_extreme = not aggregate.is_number
        self.is_direct = False
        self._state: dict[str, dict[Any, Any]] = {f"more{number}": {}, f"values{number}": {}}
        if self._is_extreme:
            self._state |= {f"less{number}": {}, f"extremes{number}": {}}
        elif not is_single:
            self._state[f"tuples{number}"] = {}
        scope.names |= self._state
        scope.names["Extreme"] = Extreme
        self._bounded: dict[Bounded, Relation] = {}
        self._valued: Relation | None = None

    @property
    def name(self) -> str:
        """The name of the function that visits the groups that changed."""
        return f"visit{self.number}"

    @property
    def size(self) -> int:
        """The number of tuples or weights, and groups, that are kept."""
        extremes = self._state.get(f"extremes{self.number}", {})
        return sum(map(len, self._state.values())) + sum(map(len, extremes.values()))

    def forget(self) -> None:
        """Forgets all groups."""
        for one in self._state.values():
            one.clear()

    def add_relation(self, key: Bounded | Valued, relation: Relation) -> None:
        """The groups that meet bounds, or the groups and values, are kept in a relation."""
        if isinstance(key, Bounded):
            self._bounded[key] = relation
            relation.index(())
        else:
            self._valued = relation
            empty = self._scope.constant(self.aggregate.empty)
            relation.fetched = f"values{self.number}.get({{}}, {empty})"

    # --- elements -------------------------------------------------------------------------------------

    def write(self, lines: CodeLines, codes: Sequence[str], *, is_more: bool, row: str | None = None) -> None:
        """Writes that an instance of an element begins or ends."""
        size, n = self.aggregate.size, self.number
        group = packed(codes[:size])
        if not group.isidentifier():
            lines.line(f"group = {group}")
            group = "group"
        weight = codes[size] if len(codes) > size else ""
        if self._is_extreme:
            changes = f"{'more' if is_more else 'less'}{n}"
            lines.line(f"weights = {changes}.get({group})")
            with lines.block("if weights is None:"):
                lines.line(f"{changes}[{group}] = [{weight}]")
            with lines.block("else:"):
                lines.line(f"weights.append({weight})")
            return
        sign = "+" if is_more else "-"
        if self.aggregate.function != "#count":
            lines.line(f"weight = {weight}")
            test = "type(weight) is int" + (" and weight >= 0" if self.aggregate.function == "#sum+" else "")
            with lines.block(f"if {test}:"):
                self._write_tuple(
                    lines, codes, partial(self._write_change, lines, group, f"{sign} weight"), is_more
                )
            if is_more:
                with lines.block("else:"):
                    lines.line(f"{self._ignored()}({', '.join(codes[size:])})")
        else:
            self._write_tuple(lines, codes, partial(self._write_change, lines, group, f"{sign} 1"), is_more)

    def _write_change(self, lines: CodeLines, group: str, change: str) -> None:
        """Writes that the number of a group changes."""
        n = self.number
        if not self.is_direct:
            lines.line(f"more{n}[{group}] = more{n}.get({group}, 0) {change}")
            return
        lines.line(f"value = values{n}.get({group}, 0) {change}")
        with lines.block("if value:"):
            lines.line(f"values{n}[{group}] = value")
        with lines.block("else:"):
            lines.line(f"values{n}.pop({group}, None)")
        for key, relation in self._bounded.items():
            rows = relation.index(())
            with lines.block(f"if {self._condition(key)}:"):
                lines.line(f"{rows}.add({group})")
            with lines.block("else:"):
                lines.line(f"{rows}.discard({group})")

    def _write_tuple(
        self, lines: CodeLines, codes: Sequence[str], change: Callable[[], None], is_more: bool
    ) -> None:
        if self._is_single:
            change()
            return
        tuples = f"tuples{self.number}"
        lines.line(f"key = {as_row(codes)}")
        lines.line(f"count = {tuples}.get(key)" if is_more else f"count = {tuples}[key]")
        with lines.block("if count is None:" if is_more else "if count == 1:"):
            lines.line(f"{tuples}[key] = 1" if is_more else f"del {tuples}[key]")
            change()
        with lines.block("else:"):
            lines.line(f"{tuples}[key] = count {'+' if is_more else '-'} 1")

    def _ignored(self) -> str:
        """The name of what is called with tuples that do not count."""
        name = f"ignored{self.number}"
        if name not in self._scope.names:
            self._scope.names[name] = ignored(self._scope.on_message, self._location)
        return name

    # --- groups ---------------------------------------------------------------------------------------

    def write_visit(self, lines: CodeLines) -> None:
        """Writes the function that visits the groups that changed."""
        n = self.number
        if self._valued is not None and self._valued.is_idle:
            self._valued = None
        relations = [*self._bounded.values(), *([self._valued] if self._valued else [])]
        with lines.block(f"def {self.name}():"):
            lines.line(f'"""Groups of {self.aggregate.function} change."""')
            changes = [f"more{n}", f"less{n}"] if self._is_extreme else [f"more{n}"]
            with lines.block(f"if {' and '.join(f'not {one}' for one in changes)}:"):
                lines.line("return")
            relations = [one for one in relations if one.inline(is_begin=True) is None]
            for relation in relations:
                lines.line(f"begin_{relation.number}, end_{relation.number} = [], []")
            if self._is_extreme:
                self._write_extremes(lines)
            else:
                self._write_numbers(lines)
            for one in changes:
                lines.line(f"{one}.clear()")
            for relation in sorted(relations, key=lambda one: one is not self._valued):
                for verb in ("end", "begin"):
                    with lines.block(f"if {verb}_{relation.number}:"):
                        lines.line(f"{verb}{relation.number}({verb}_{relation.number})")
        lines.line()

    def _write_numbers(self, lines: CodeLines) -> None:
        n = self.number
        with lines.block(f"for group, number in more{n}.items():"):
            with lines.block("if not number:"):
                lines.line("continue")
            lines.line(f"before = values{n}.get(group, 0)")
            lines.line("value = before + number")
            with lines.block("if value:"):
                lines.line(f"values{n}[group] = value")
            with lines.block("else:"):
                lines.line(f"del values{n}[group]")
            self._write_changes(lines)

    def _write_extremes(self, lines: CodeLines) -> None:
        n = self.number
        empty = self._scope.constant(self.aggregate.empty)
        with lines.block(f"for group in more{n}.keys() | less{n}.keys():"):
            lines.line(f"extreme = extremes{n}.get(group)")
            with lines.block("if extreme is None:"):
                is_least = self.aggregate.function == "#min"
                lines.line(f"extreme = extremes{n}[group] = Extreme(is_least={is_least})")
            lines.line(f"before = values{n}.get(group, {empty})")
            lines.line(f"value = extreme.changed(more{n}.get(group, ()), less{n}.get(group, ()))")
            with lines.block("if extreme:"):
                lines.line(f"values{n}[group] = value")
            with lines.block("else:"):
                lines.line(f"del extremes{n}[group]")
                lines.line(f"values{n}.pop(group, None)")
            with lines.block("if value == before:"):
                lines.line("continue")
            self._write_changes(lines)

    def _write_changes(self, lines: CodeLines) -> None:
        """Writes what a group whose value changed begins or ends to be in."""
        size = self.aggregate.size
        if self._valued is not None:
            number = self._valued.number
            group = "*group" if size > 1 else "group" if size else ""
            for verb, name in (("end", "before"), ("begin", "value")):
                row = as_row([group, name] if group else [name])
                inline = self._valued.inline(is_begin=verb == "begin")
                if inline is None:
                    lines.line(f"{verb}_{number}.append({row})")
                else:
                    lines.line(f"{targets(self._valued.columns)} = {row}")
                    lines.add(inline)
        row = "group" if size != 1 else "(group,)"
        for key, relation in self._bounded.items():
            rows = relation.index(())
            with lines.block(f"if {self._condition(key)}:"), lines.block(f"if group not in {rows}:"):
                lines.line(f"begin_{relation.number}.append({row})")
            with lines.block(f"elif group in {rows}:"):
                lines.line(f"end_{relation.number}.append({row})")

    def _condition(self, key: Bounded) -> str:
        """The condition by which a group is in a relation."""
        tests = [
            comparison_of("value", comparison, self._scope.constant(bound), self._type_test(bound))
            for comparison, bound in key.guards
        ]
        condition = " and ".join(tests)
        return f"not ({condition})" if key.is_met_by_empty else condition

    def _type_test(self, bound: Value) -> str:
        """A condition by which values and a bound are integers."""
        if type(bound) is not int:
            return "False"
        return "" if self.aggregate.is_number else "type(value) is int"


def ignored(on_message: Callable[[Location, str], None], location: Location) -> Callable[..., None]:
    """Reports tuples that do not count, each once, up to a limit."""
    reported: set[Row] = set()

    def report(*values: Value) -> None:
        if len(reported) < MESSAGE_LIMIT and values not in reported:
            reported.add(values)
            on_message(location, f"tuple ignored:\n  {','.join(map(text_of, values))}")

    return report
