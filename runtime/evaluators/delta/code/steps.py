"""Steps that find values for variables: as nested statements of Python, or as a comprehension."""

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import field
from enum import Enum
from typing import NamedTuple

from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.syntax.values import dataclass

SHORT = 2
"""The number of steps that are written twice, where that saves a loop."""

_NAME = re.compile(r"\w+")

_MOST_LOOPS = 12
"""The number of loops in one function; Python nests no more than 20."""

_MOST_TESTS = 12
"""The number of nested tests from which on others leave a loop; Python indents no more than 100 times."""


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
        """Writes nested statements around those that `inner` writes.

        Where there are too many loops those behind are functions, which share the names of all steps.
        """
        first, *others = self._in_functions()
        if others:
            names = {name for step in self.steps for name in _NAME.findall(step.target)} - {"_"}
            lines.line(f"{' = '.join(sorted(names))} = None")
        for number, steps in reversed([*enumerate(others, 1)]):
            with lines.block(f"def part{number}():"):
                lines.line(f"nonlocal {', '.join(sorted(names))}")
                steps._write(lines, _calling(lines, number + 1) if number < len(others) else inner)
        first._write(lines, _calling(lines, 1) if others else inner)

    def _in_functions(self) -> "list[Steps]":
        """The steps that each function has."""
        found, loops = [Steps()], 0
        for step in self.steps:
            loops += step.kind in (StepKind.LOOP, StepKind.FOUND)
            if loops > _MOST_LOOPS:
                found.append(Steps())
                loops = 1
            found[-1].steps.append(step)
        return found

    def _write(self, lines: CodeLines, inner: Callable[[], None]) -> None:
        with ExitStack() as blocks:
            conditions: list[str] = []
            tests = 0

            def test() -> None:
                nonlocal tests
                if not conditions:
                    return
                condition = " and ".join(conditions)
                conditions.clear()
                tests += 1
                if tests == _MOST_TESTS:
                    blocks.enter_context(lines.block("for _ in (None,):"))
                if tests < _MOST_TESTS:
                    blocks.enter_context(lines.block(f"if {condition}:"))
                    return
                with lines.block(f"if not ({condition}):"):
                    lines.line("continue")

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
                        rest._write(lines, inner)
                    with lines.block("else:"):
                        lines.line(f"{target} = {expression}")
                        rest._write(lines, inner)
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


def _calling(lines: CodeLines, number: int) -> Callable[[], None]:
    """Writes the call of a part."""
    return lambda: lines.line(f"part{number}()")


def packed(names: Sequence[str]) -> str:
    """A row of values as it is kept: one stands for itself."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def as_row(names: Sequence[str]) -> str:
    """A row of values as a tuple."""
    return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"


def targets(names: Sequence[str]) -> str:
    """Names to which the values of a row are given."""
    return f"[{', '.join(names)}]"
