"""What rules derive, as the code counts it."""

from collections.abc import Sequence
from typing import Any

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.runtime.evaluators.delta.bodies import Body, Choice, Equation, Member, Part, Shape, Test, Value
from lars2asp.runtime.evaluators.delta.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.expressions import Scope
from lars2asp.runtime.evaluators.delta.steps import as_row
from lars2asp.runtime.evaluators.delta.term_forms import is_structure, linear_form, variables_in
from lars2asp.syntax.nodes import Term, UnaryOperation, Variable


class Derived:
    """Rows that rules derive: of one predicate, or of several that get the same ones.

    Attributes:
        number: its number.
        is_counted: whether several instances may derive a row.
        is_net: whether no row begins and ends at one tick.
        began: the rows that began since the last call of `changes`.
        ended: the rows that ended.
        counts: the number of instances that derive a row, if these are counted.
    """

    def __init__(self, number: int, scope: Scope, *, is_counted: bool, is_net: bool) -> None:
        self.number = number
        self.is_counted = is_counted
        self.is_net = is_net
        self.began: list[Row] = []
        self.ended: list[Row] = []
        self.counts: dict[Row, int] = {}
        self.add = f"append_began{number}"
        self.withdraw = f"append_ended{number}"
        scope.names |= {
            f"began{number}": self.began,
            f"ended{number}": self.ended,
            self.add: self.began.append,
            self.withdraw: self.ended.append,
        }
        if is_counted:
            scope.names[f"counts{number}"] = self.counts

    @property
    def is_bulk(self) -> bool:
        """Whether instances may be counted all at once."""
        return not self.is_counted

    def bulk(self, codes: Sequence[str], *, is_more: bool) -> tuple[str, str]:
        """An expression for an instance, and the statement that takes a list of them."""
        return as_row(codes), f"{'began' if is_more else 'ended'}{self.number}.extend({{}})"

    def write(self, lines: CodeLines, codes: Sequence[str], *, is_more: bool, row: str | None = None) -> None:
        """Writes that one instance more, or one less, derives a row; `row` is its name, if it has one."""
        if not self.is_counted:
            lines.line(f"{self.add if is_more else self.withdraw}({row or as_row(codes)})")
            return
        counts = f"counts{self.number}"
        if row is None:
            lines.line(f"head = {as_row(codes)}")
            row = "head"
        if is_more:
            lines.line(f"count = {counts}.get({row})")
            with lines.block("if count is None:"):
                lines.line(f"{counts}[{row}] = 1")
                lines.line(f"{self.add}({row})")
            with lines.block("else:"):
                lines.line(f"{counts}[{row}] = count + 1")
        else:
            lines.line(f"count = {counts}[{row}]")
            with lines.block("if count == 1:"):
                lines.line(f"del {counts}[{row}]")
                lines.line(f"{self.withdraw}({row})")
            with lines.block("else:"):
                lines.line(f"{counts}[{row}] = count - 1")

    def add_facts(self, rows: Sequence[Row]) -> None:
        """One derivation more for each row."""
        for row in rows:
            if self.is_counted:
                count = self.counts.get(row, 0)
                self.counts[row] = count + 1
                if count:
                    continue
            self.began.append(row)

    def changes(self) -> Changes:
        """The changes since the last call."""
        if not self.began and not self.ended:
            return NO_CHANGES
        began, ended = self.began[:], self.ended[:]
        self.began.clear()
        self.ended.clear()
        return Changes(began, ended) if self.is_net else settled(began, ended)


def settled(began: list[Any], ended: list[Any]) -> Changes:
    """The changes that are left where rows began and ended in turn."""
    if not began or not ended or set(ended).isdisjoint(began):
        return Changes(began, ended) if began or ended else NO_CHANGES
    difference = dict.fromkeys(began, 0)
    for row in began:
        difference[row] += 1
    for row in ended:
        difference[row] = difference.get(row, 0) - 1
    found = Changes(
        [row for row, number in difference.items() if number > 0],
        [row for row, number in difference.items() if number < 0],
    )
    return found if found.began or found.ended else NO_CHANGES


def is_net(body: Body) -> bool:
    """Whether no instance of a body begins to fire and ceases at one tick."""
    return all(
        isinstance(part, Test | Equation | Choice) or (not part.is_negative and _is_net(part))
        for part in body.parts
        if not isinstance(part, Value)
    ) and not any(isinstance(part, Value) for part in body.parts)


def _is_net(member: Part) -> bool:
    assert isinstance(member, Member)
    return isinstance(member.relation, Shape) and not member.relation.is_projection


def is_single(body: Body, terms: Sequence[Term]) -> bool:
    """Whether at most one instance of a body has given values for terms."""
    known: set[str] = set()
    for term in terms:
        known |= _determined(term)
    before = -1
    while before < len(known):
        before = len(known)
        for part in body.parts:
            match part:
                case Equation(variable, term):
                    if known.issuperset(variables_in(term)):
                        known.add(variable)
                    if variable in known:
                        known |= _determined(term)
                case Value(_, group, variable):
                    if known.issuperset(group):
                        known.add(variable)
    members = {name for part in body.parts if isinstance(part, Member) for name in part.variables}
    choices = {part.variable for part in body.parts if isinstance(part, Choice)}
    return known >= members | choices


def _determined(term: Term) -> set[str]:
    """The variables whose values follow from the value of a term."""
    if isinstance(term, Variable):
        return {term.name}
    if is_structure(term):
        return {name for argument in term.arguments for name in _determined(argument)}  # type: ignore[union-attr]
    form = linear_form(term)
    if form is not None:
        return {form.variable} if abs(form.factor) == 1 else set()
    if isinstance(term, UnaryOperation) and term.operator in "-~":
        return _determined(term.argument)
    return set()
