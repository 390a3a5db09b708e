"""What rules derive, as the code counts it."""

from collections import Counter
from collections.abc import Sequence
from copy import copy
from typing import Self

from lars2asp.analysis.arithmetic.linear_forms import linear_form
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes, changes_of
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.counted import CountedRows
from lars2asp.runtime.evaluators.delta.code.expressions import Scope
from lars2asp.runtime.evaluators.delta.code.steps import as_row
from lars2asp.runtime.evaluators.delta.rules.bodies import (
    Choice,
    Conjunct,
    Equation,
    GroupValue,
    Member,
    RowBody,
    Shape,
    Test,
)
from lars2asp.runtime.evaluators.delta.rules.term_forms import is_structure, variables_in
from lars2asp.syntax.nodes import Term, UnaryOperation, Variable

PERHAPS: tuple[Sequence[Row], Sequence[Row]] = ([()], ())
"""For `DerivedRows.waiting`: there may always be changes."""


class DerivedRows:
    """Rows that rules derive: of one predicate, or of several that get the same ones.

    Attributes:
        number: its number.
        is_counted: whether several instances may derive a row.
        counted: those that hold, if instances are counted.
        suffix: what the names of its lists end with in the code.
    """

    is_bulk = True
    suffix = ""

    def __init__(self, number: int, scope: Scope, *, is_counted: bool, is_net: bool) -> None:
        self.number = number
        self.is_counted = is_counted
        self.counted = CountedRows()
        self._is_net = is_net
        self._make_lists(scope)

    def _make_lists(self, scope: Scope) -> None:
        """Makes what takes instances that begin to fire, and those that cease, and names it in the code."""
        self._more: list[Row] = []
        self._less: list[Row] = []
        scope.names |= {self._list(True): self._more, self._list(False): self._less}
        scope.names |= {
            f"append_{self._list(True)}": self._more.append,
            f"append_{self._list(False)}": self._less.append,
        }

    def apart(self, scope: Scope, suffix: str) -> Self:
        """Takes instances for the same rows in lists of its own, whose names have a suffix in the code."""
        other = copy(self)
        other.suffix = suffix
        other._make_lists(scope)
        return other

    def _list(self, is_more: bool) -> str:
        return f"{'began' if is_more else 'ended'}{self.number}{self.suffix}"

    # --- code -----------------------------------------------------------------------------------------

    def bulk(self, codes: Sequence[str], *, is_more: bool) -> tuple[str, str]:
        """An expression for an instance, and the statement that takes a list of them."""
        return as_row(codes), f"{self._list(is_more)}.extend({{}})"

    def write(self, lines: CodeLines, codes: Sequence[str], *, is_more: bool, row: str | None = None) -> None:
        """Writes that one instance more, or one less, derives a row; `row` is its name, if it has one."""
        lines.line(f"append_{self._list(is_more)}({row or as_row(codes)})")

    # --- rows -----------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of rows that are kept."""
        return len(self.counted)

    def held(self) -> list[Row]:
        """The rows that hold, if instances are counted."""
        return list(self.counted.rows)

    def forget(self) -> None:
        """Forgets all rows."""
        self.counted.clear()

    def add(self, rows: Sequence[Row]) -> None:
        """One derivation more for each row."""
        self._more += rows

    @property
    def waiting(self) -> tuple[Sequence[Row], Sequence[Row]]:
        """What is empty as long as there are no changes: lists that stay the same."""
        return self._more, self._less

    @property
    def lists(self) -> tuple[list[Row], list[Row]]:
        """What takes instances that begin to fire, and those that cease: lists that stay the same."""
        return self._more, self._less

    def let_pass(self) -> None:
        """Instances may cease at the tick at which equal ones begin."""
        self._is_net = False

    def changes(self) -> Changes:
        """The changes since the last call."""
        if self._more == self._less:
            self._more.clear()
            self._less.clear()
            return NO_CHANGES
        more, less = self._more[:], self._less[:]
        self._more.clear()
        self._less.clear()
        if not self.is_counted:
            return changes_of((more, less)) if self._is_net else settled(more, less)
        if more and less and not self._is_net:
            new, old = {*more}, {*less}
            both = new & old
            if both and len(new) == len(more) and len(old) == len(less):
                more = [row for row in more if row not in both]
                less = [row for row in less if row not in both]
        began = self.counted.add(more) if more else more
        ended = self.counted.remove(less) if less else less
        if not self._is_net and began and ended:
            both = set(began).intersection(ended)
            if both:
                began = [row for row in began if row not in both]
                ended = [row for row in ended if row not in both]
        return changes_of((began, ended)) if began or ended else NO_CHANGES


def settled(more: list[Row], less: list[Row]) -> Changes:
    """The changes that are left where rows, which are derived once at most, began and ended in turn."""
    if more == less:
        return NO_CHANGES
    if not more or not less or set(less).isdisjoint(more):
        return changes_of((more, less))
    difference = Counter(more)
    difference.subtract(less)
    began = [row for row, number in difference.items() if number > 0]
    ended = [row for row, number in difference.items() if number < 0]
    return Changes(began, ended) if began or ended else NO_CHANGES


def is_net(body: RowBody) -> bool:
    """Whether no instance of a body begins to fire and ceases at one tick."""
    return all(
        isinstance(part, Test | Equation | Choice) or (not part.is_negative and _is_net(part))
        for part in body.parts
        if not isinstance(part, GroupValue)
    ) and not any(isinstance(part, GroupValue) for part in body.parts)


def _is_net(member: Conjunct) -> bool:
    assert isinstance(member, Member)
    return isinstance(member.relation, Shape) and not member.relation.is_projection


def is_single(body: RowBody, terms: Sequence[Term]) -> bool:
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
                case GroupValue(_, group, variable):
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
        return {name for argument in term.arguments for name in _determined(argument)}
    form = linear_form(term)
    if form is not None:
        return {form.variable} if abs(form.factor) == 1 else set()
    if isinstance(term, UnaryOperation) and term.operator in "-~":
        return _determined(term.argument)
    return set()
