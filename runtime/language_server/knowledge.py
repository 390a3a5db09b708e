"""What a program means where somebody points at it, in Markdown: types, windows, evaluators, costs."""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from lars2asp.analysis.argument_types.type_texts import what_says
from lars2asp.analysis.predicates import head_atoms, is_fact, streaming_atoms, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import (
    ClockHopping,
    ClockTumbling,
    Fixed,
    Hopping,
    LastArrivals,
    Since,
    TickWindow,
    Tumbling,
    Unbounded,
)
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.evaluators.choice import Assignment, assign
from lars2asp.runtime.evaluators.costs.meter import Cost
from lars2asp.runtime.evaluators.costs.rule_statistics import MOST_OF_RULE
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.plan_text import derived
from lars2asp.runtime.language_server.statements import Occurrence
from lars2asp.runtime.reasoning.user_functions import pure_by_text
from lars2asp.runtime.runs.command.run_statistics import read_costs
from lars2asp.runtime.sources.survey.table_survey import duration_text
from lars2asp.syntax.nodes import Column, Input, Program, Rule, Signature, Spread, Table
from lars2asp.syntax.source import Location, Source, shown
from lars2asp.syntax.string_escapes import quoted
from lars2asp.syntax.summaries import counted
from lars2asp.syntax.values import dataclass


class RunCost(NamedTuple):
    """What a run has cost, as `--stats-json` wrote it.

    Attributes:
        components: the cost of components, by what they derive.
        rules: the seconds of rules, by their texts.
    """

    components: Mapping[str, Cost]
    rules: Mapping[str, float]


NO_RUN = RunCost({}, {})
"""Nothing is known of a run."""


def run_cost(path: Path) -> RunCost:
    """The costs in a file of `--stats-json`. Raises InputError."""
    components = read_costs(str(path))
    try:
        found = json.loads(path.read_text("utf-8"))["components"]
        rules = {rule["text"]: float(rule["seconds"]) for one in found for rule in one["rules"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: it is not a file that lars2asp run --stats-json has written") from error
    return RunCost(components, rules)


@dataclass(frozen=True)
class Knowledge:
    """What is known of a program without mistakes.

    Attributes:
        plan: its plan.
        written: its statements, windows in ticks.
        cost: what its last run has cost.
    """

    plan: Plan
    written: Program
    cost: RunCost = NO_RUN

    @classmethod
    def of(cls, sources: tuple[Source, ...], cost: RunCost) -> "Knowledge":
        """What is known of a program. Raises ProgramError."""
        checked = checked_program(*sources)
        return cls(compile_plan(checked), checked.written, cost)

    @cached_property
    def _assigned(self) -> dict[Signature, Assignment]:
        """The components of predicates."""
        pure = pure_by_text(self.plan, None)
        found: dict[Signature, Assignment] = {}
        for one in assign(self.plan, EvaluatorName.AUTO, pure):
            found |= dict.fromkeys(one.component.derives, one)
        return found

    @cached_property
    def _analysis(self) -> ProgramAnalysis:
        return ProgramAnalysis(self.written)

    def window_at(self, source: Source, offset: int) -> tuple[Location, str] | None:
        """The streaming atom whose window is at an offset of a text, and what its window spans."""
        for one in streaming_atoms(self.written):
            place = one.location
            if place.source is source and one.atom.location.end <= offset < place.end:
                text = " ".join(source.text[one.atom.location.end : place.end].split())
                words = "; ".join(self._span(window_of(one, self._analysis.constants)))
                return place, f"`{text}` {words}"
        return None

    def column_at(self, source: Source, offset: int) -> tuple[Location, str] | None:
        """The column of an `#input` or `#table` at an offset of a text, and what it reads."""
        for declared in (one for one in self.written.statements if isinstance(one, Input | Table)):
            conditions = {one.location: one.column for one in declared.conditions}
            columns = {one.location: one for one in declared.columns}
            for place, column in (columns | conditions).items():
                if place.source is source and place.begin <= offset < place.end:
                    text = " ".join(source.text[place.begin : place.end].split())
                    words = [*_column_words(column)]
                    if declared.spread is not None:
                        words += _spread_words(declared.spread, column)
                    if place in conditions:
                        words.append("records for which this is false, or the value is missing, are left out")
                    return place, f"`{text}` {'; '.join(words)}"
        return None

    def of_predicate(self, one: Occurrence) -> str:
        """What is known of a predicate, as Markdown."""
        signature = Signature(one.name, one.arity)
        lines = [f"**{one.name}/{one.arity}**", ""]
        for number, place in enumerate(self.plan.types.get(signature, ()), start=1):
            evidence = what_says(place)
            lines.append(f"{number}. {place.type}{f': {evidence}' if evidence else ''}")
        lines += ["", *self._where_from(signature)]
        reach = self.plan.reach.get(signature, 0)
        if signature in self.plan.reach:
            lines += ["", f"looked at {'without end' if reach is None else self._ticks(reach)} back"]
        return "\n".join(lines)

    def of_rule(self, text: str) -> str:
        """What a rule has cost, by its text."""
        seconds = self.cost.rules.get(shown(" ".join(text.split()), MOST_OF_RULE))
        return "" if seconds is None else f"this rule took {seconds:.3f} s in the last run"

    def _where_from(self, signature: Signature) -> Iterator[str]:
        rules = [
            rule
            for rule in self.written.rules()
            if any(head.atom.signature == signature for head in head_atoms(rule))
        ]
        facts = sum(map(is_fact, rules))
        assignment = self._assigned.get(signature)
        if assignment is not None:
            derived_by = counted(len(rules) - facts, "rule")
            yield f"derived by {derived_by}, evaluated by `{assignment.evaluator}`: {assignment.reason}"
            cost = self.cost.components.get(derived(self.plan, assignment.component))
            if cost is not None:
                yield f"\nits component cost {cost} in the last run"
        elif len(rules) > facts:
            yield "left out: no answer depends on it"
        elif not facts:
            yield "told by the stream"
        if facts:
            yield f"\n{counted(facts, 'fact')}"

    def _span(self, window: TickWindow) -> Iterator[str]:
        match window:
            case LastArrivals(size, signature, group):
                of = f" of {signature}" if signature else " for each value of its group" if group else ""
                yield f"the last {counted(size, 'arrival')}{of}"
            case Since(signature, _, is_after):
                yield f"from {'behind ' if is_after else ''}when {signature} last began, to now"
            case Fixed(tick):
                yield f"tick {tick}, once it has come"
            case Unbounded():
                yield "from the start to now"
            case Hopping(furthest, step, nearest):
                ends = f"from {self._ticks(furthest)} to {self._ticks(nearest)}"
                yield f"{ends} before the last tick of a step of {self._ticks(step)}"
            case Tumbling(size):
                yield f"the last complete block of {self._ticks(size)}"
            case ClockHopping(furthest, _, nearest):
                yield f"from {self._ticks(furthest)} to {self._ticks(nearest)} before the block of the clock"
            case ClockTumbling():
                yield "the last complete block of the clock"
            case _:
                least, most = window.ages or (0, window.reach or 0)
                end = "now" if not least else f"{self._ticks(least)} ago"
                yield f"from {self._ticks(most)} ago to {end}"
                if window.most_ticks is not None:
                    yield counted(window.most_ticks, "tick")

    def _ticks(self, number: int) -> str:
        length = self.plan.tick_length
        told = f" ({duration_text(number * length)})" if length and number else ""
        return f"{counted(number, 'tick')}{told}"


_OF_RECORD = {
    "row": "the number of the line or row, as in messages; each file starts over",
    "file": "the file or other source of the record",
    "record": "the number of the record, unique in the run over all inputs and files",
}

_READ_AS = {
    "": "a cell: an integer if possible, otherwise a text, unless its place declares a type",
    "text": "a cell as text",
    "int": "a cell that is an integer",
    "constant": "a cell as the name of a constant",
    "number": "a cell that is a number",
    "fixed": "a constant, the same in each fact",
    "any": "any cell",
    "time": "a cell that is a time",
    "duration": "a cell that is a duration",
}


_OF_MARKS = (
    "is its unit; lars2asp rejects cells with another unit",
    "after the number means that it is positive",
    "after the number means that it is negative",
)
"""What is said of the fields of NumberMarks."""


def _spread_words(spread: Spread, column: Column) -> Iterator[str]:
    """What a column of a declaration with `each K, V` stands for."""
    each = f"each column that matches {quoted(spread.source)}"
    if not spread.is_of_columns:
        each = f"each key of the object in {spread.source}"
    for name in column.names if column.is_cell else ():
        if name == spread.key:
            yield f"{name} is the name of {each}" if spread.is_of_columns else f"{name} is {each}"
        elif spread.reads_value(name):
            yield f"{name} is read for {each}"


def _column_words(column: Column) -> Iterator[str]:
    """What a column reads, in words."""
    if column.is_of_record:
        yield _OF_RECORD[column.conversion]
        return
    yield _READ_AS[column.conversion]
    for word, said in zip(column.marks._fields, _OF_MARKS, strict=True):
        if mark := getattr(column.marks, word):
            yield f"{quoted(mark)} {said}"
    if column.is_rounded:
        yield "rounded to the decimals of its place, halves away from zero"
    if column.scale is not None:
        yield f"times {column.scale}, rounded to an integer"
    if column.or_missing:
        yield "a cell that cannot be read so is missing"
    if column.otherwise is not None:
        yield f"{quoted(column.otherwise)} is read in place of a missing cell"


def rule_at(program: Program, source: Source, offset: int) -> Rule | None:
    """The rule that stands at an offset of a text."""
    for rule in program.rules():
        place = rule.location
        if place.source is source and place.begin <= offset < place.end:
            return rule
    return None
