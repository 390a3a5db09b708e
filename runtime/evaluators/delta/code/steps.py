"""Steps that find values for variables: as nested statements of Python, or as a comprehension."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import field
from enum import Enum
from typing import NamedTuple

from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.syntax.values import dataclass

SHORT = 2
"""The number of steps that are written twice, where that saves a loop."""


class StepKind(Enum):
    """The kinds of steps."""

    ONLY_IF = "if"
    LET = "="
    LOOP = "for"
    FOUND = "in"


class CodeStep(NamedTuple):
    """A step.

    Attributes:
        kind: the kind.
        target: the names that get values; empty for conditions.
        expression: the condition or the values, None (of one name) being no value.
        otherwise: what is called where it is none.
    """

    kind: StepKind
    target: str
    expression: str
    otherwise: str = ""


@dataclass
class Steps:
    """Steps, each of which sees what the ones before have found.

    Attributes:
        steps: the steps.
        prefix: what names begin with that are made up for values in between.
    """

    steps: list[CodeStep] = field(default_factory=list)
    prefix: str = "t"
    _names: int = 0

    def name(self) -> str:
        """A name that is not in use."""
        self._names += 1
        return f"{self.prefix}{self._names}"

    def only_if(self, condition: str) -> None:
        """Goes on where a condition is true."""
        self.steps.append(CodeStep(StepKind.ONLY_IF, "", condition))

    def let(self, target: str, value: str, otherwise: str = "") -> None:
        """Gives a value to a name, or values to several; `otherwise` is called where there is none."""
        self.steps.append(CodeStep(StepKind.LET, target, value, otherwise))

    def loop(self, target: str, values: str) -> None:
        """Goes on with each of some values."""
        self.steps.append(CodeStep(StepKind.LOOP, target, values))

    def loop_found(self, target: str, found: str) -> None:
        """Goes on with each row of what was found in an index: a row, or the set of several."""
        self.steps.append(CodeStep(StepKind.FOUND, target, found))

    @property
    def is_short(self) -> bool:
        """Whether the steps are short enough to be written twice."""
        return len(self.steps) <= SHORT and not self.has_loops

    @property
    def has_loops(self) -> bool:
        """Whether there are loops."""
        return any(step.kind in (StepKind.LOOP, StepKind.FOUND) for step in self.steps)

    def copy(self) -> "Steps":
        """The same steps, to which others may be added."""
        return Steps(list(self.steps), self.prefix, self._names)

    def since(self, other: "Steps") -> "Steps":
        """The steps that were added to a copy of others."""
        return Steps(self.steps[len(other.steps) :], self.prefix, self._names)

    def write(self, lines: CodeLines, inner: Callable[[], None]) -> None:
        """Writes nested statements around those that `inner` writes."""
        with ExitStack() as blocks:
            conditions: list[str] = []

            def test() -> None:
                if conditions:
                    blocks.enter_context(lines.block(f"if {' and '.join(conditions)}:"))
                    conditions.clear()

            for place, (kind, target, expression, otherwise) in enumerate(self.steps):
                if kind is StepKind.ONLY_IF:
                    conditions.append(expression)
                    continue
                test()
                rest = Steps(self.steps[place + 1 :])
                if kind is StepKind.FOUND and rest.is_short:
                    with (
                        lines.block(f"if type({expression}) is set:"),
                        lines.block(f"for {target} in {expression}:"),
                    ):
                        rest.write(lines, inner)
                    with lines.block("else:"):
                        lines.line(f"{target} = {expression}")
                        rest.write(lines, inner)
                    return
                if kind is StepKind.FOUND:
                    rows = f"{expression} if type({expression}) is set else ({expression},)"
                    blocks.enter_context(lines.block(f"for {target} in {rows}:"))
                elif kind is StepKind.LOOP:
                    blocks.enter_context(lines.block(f"for {target} in {expression}:"))
                else:
                    lines.line(f"{target} = {expression}")
                if otherwise:
                    conditions.append(f"({target} is not None or {otherwise})")
            test()
            inner()

    def comprehension(self, result: str, target: str, rows: str) -> str:
        """A comprehension of the results for rows."""
        parts = [result, f"for {target} in {rows}"]
        for kind, name, expression, otherwise in self.steps:
            if kind is StepKind.LOOP:
                parts.append(f"for {name} in {expression}")
            elif kind is StepKind.ONLY_IF:
                parts.append(f"if {expression}")
            elif name.isidentifier():
                alternative = f" or {otherwise}" if otherwise else ""
                parts.append(f"if ({name} := {expression}) is not None{alternative}")
            else:
                parts.append(f"for {name} in [{expression}]")
        return f"[{' '.join(parts)}]"


def packed(names: Sequence[str]) -> str:
    """A row of values as it is kept: one stands for itself."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def as_row(names: Sequence[str]) -> str:
    """A row of values as a tuple."""
    return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"


def targets(names: Sequence[str]) -> str:
    """Names to which the values of a row are given."""
    return f"[{', '.join(names)}]"
