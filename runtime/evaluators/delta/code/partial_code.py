"""Partial joins in the code: what one derives are the rows of a relation."""

from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.expressions import Scope
from lars2asp.runtime.evaluators.delta.code.heads import DerivedRows
from lars2asp.runtime.evaluators.delta.code.relations import Relation


class PartialCode:
    """A partial join.

    Attributes:
        derived: its rows.
        relation: what they are in.
    """

    def __init__(self, derived: DerivedRows, relation: Relation, scope: Scope) -> None:
        self.derived = derived
        self.relation = relation
        scope.names[f"changes{relation.number}"] = derived.changes

    @property
    def name(self) -> str:
        """The name of the function that hands on its changes."""
        return f"hand_on{self.relation.number}"

    @property
    def size(self) -> int:
        """The number of rows that are kept."""
        return self.derived.size

    def forget(self) -> None:
        """Forgets all rows."""
        self.derived.forget()

    def write_visit(self, lines: CodeLines) -> None:
        """Writes the function that hands on its changes."""
        number = self.relation.number
        with lines.block(f"def {self.name}():"):
            lines.line(f"began, ended = changes{number}()")
            with lines.block("if ended:"):
                lines.line(f"end{number}(ended)")
            with lines.block("if began:"):
                lines.line(f"begin{number}(began)")
        lines.line()
