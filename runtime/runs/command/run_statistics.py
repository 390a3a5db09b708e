"""Counts and costs of a run, as text and as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, fields, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.evaluators.costs.meter import Cost, Searches
from lars2asp.runtime.evaluators.costs.rule_statistics import MOST_RULES, RuleStatistics, costliest
from lars2asp.runtime.evaluators.costs.statistics import ComponentStatistics, Statistics
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.command.run_end import LONGEST
from lars2asp.runtime.sinks.counters import InputTime
from lars2asp.syntax.source import shown
from lars2asp.syntax.summaries import counted
from lars2asp.syntax.values import dataclass

MOST_SHOWN = 60
"""The length at which the predicates of a component are cut off in the table."""

_HEADINGS = (
    *("Component", "Evaluator", "Steps", "Time", "Groundings", "Time", "Solvings", "Time"),
    "Derives",
)
_COSTS = ("steps", "seconds", "groundings", "grounding_seconds", "solvings", "solving_seconds")
"""The names that JSON has for the parts of a Cost, in their order."""

_OF_RULES = ("Evaluations", "Changes", "Rows", "Held", "Time, sampled", "Rule")

_OF_SEARCHES = ("clingo for", *(one.name.capitalize() for one in fields(Searches)))

_TO_THE_LEFT = ("Evaluator", "Derives", "Rule")


class RunCosts:
    """The costs of a run, in all processes that it was handed over to.

    Args:
        session: the session of this process.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._began = perf_counter()
        self._seconds = 0.0
        self._costs: dict[str, Cost] = {}
        """The costs of components in earlier processes, by their predicates."""
        self._searches: dict[str, Searches] = {}
        """What clingo said of its searches there."""
        self._rules: dict[str, list[Sequence[Any]]] = {}
        """What the rules of components had done and cost there, in their order."""

    @property
    def seconds(self) -> float:
        """The duration of the run."""
        return self._seconds + perf_counter() - self._began

    @property
    def statistics(self) -> Statistics:
        """The statistics of its reasoners."""
        done = self._session.statistics
        return replace(done, components=tuple(map(self._with_before, done.components)))

    def state(self) -> dict[str, Any]:
        """The costs, as JSON has them."""
        components = self.statistics.components if self._session.is_measured else ()
        costs = {each.predicates: astuple(each.cost) for each in components if each.cost is not None}
        searches = {one.predicates: astuple(one.searches) for one in components if one.searches is not None}
        rules = {
            one.predicates: [[rule.evaluations, rule.changes, rule.seconds] for rule in one.rules]
            for one in components
            if one.rules
        }
        return {"seconds": self.seconds, "costs": costs, "searches": searches, "rules": rules}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        self._seconds = state["seconds"]
        self._costs = {predicates: Cost(*cost) for predicates, cost in state["costs"].items()}
        searches = state.get("searches", {})  # states of earlier versions have none
        self._searches = {predicates: Searches(*found) for predicates, found in searches.items()}
        self._rules = state.get("rules", {})

    def _with_before(self, component: ComponentStatistics) -> ComponentStatistics:
        cost, searches = component.cost, component.searches
        if cost is None:
            return component
        cost += self._costs.get(component.predicates, Cost())
        before = self._searches.get(component.predicates)
        if before is not None:
            searches = before if searches is None else before + searches
        rules, earlier = component.rules, self._rules.get(component.predicates, ())
        if len(rules) == len(earlier):
            rules = tuple(
                rule.after(RuleStatistics("", "", evaluations, changes, seconds=seconds))
                for rule, (evaluations, changes, seconds) in zip(rules, earlier, strict=True)
            )
        return replace(component, cost=cost, searches=searches, rules=rules)


@dataclass(frozen=True)
class RunStatistics:
    """A run up to now.

    Attributes:
        reasoner: the statistics of its reasoner.
        seconds: its duration.
        rejected: the number of rejected records.
        late: the number of those that came too late.
        lag: for a live source, the longest delay of a line or a deadline in seconds.
        inputs: of several live inputs how far each has come.
        unfit: the number of records that no `#input` fits.
    """

    reasoner: Statistics
    seconds: float
    rejected: int = 0
    late: int = 0
    lag: float | None = None
    inputs: tuple[InputTime, ...] = ()
    unfit: int = 0

    @property
    def text(self) -> str:
        """A table for people, in lines."""
        done = self.reasoner
        atoms = f"{done.atoms} atom{'s' if done.atoms != 1 else ''}"
        rows = {
            "Time": self._time,
            "Lag": "" if self.lag is None else f"{_seconds(self.lag)} at most",
            "Ticks": f"{done.ticks} evaluated, {done.passed_over} passed over",
            "Facts": f"{done.facts} received{self._merged}",
            "Inputs": "; ".join(one.text for one in self.inputs),
            "Records": self._records,
            "Intervals": f"{done.intervals} held, of {atoms}",
            "Memory": f"{done.memory / 2**20:.1f} MiB",
        }
        lines = [f"{name:<9} : {value}" for name, value in rows.items() if value]
        if done.components:
            lines += [
                "",
                *_table([_HEADINGS, *map(_row, range(1, len(done.components) + 1), done.components)]),
            ]
        searches = [
            (str(number), *map(str, astuple(component.searches)))
            for number, component in enumerate(done.components, start=1)
            if component.searches is not None
        ]
        if searches:
            lines += ["", *_table([_OF_SEARCHES, *searches])]
        rules = costliest(rule for component in done.components for rule in component.rules)
        if rules:
            lines += ["", *_table([_OF_RULES, *map(_rule_row, rules[:MOST_RULES])])]
        if len(rules) > MOST_RULES:
            lines.append(f"... and {counted(len(rules) - MOST_RULES, 'rule')} that took less time")
        return "".join(f"{line}\n" for line in lines)

    @property
    def _records(self) -> str:
        """The counts of each input on a line."""
        inputs = self.reasoner.inputs
        if not inputs:
            return f"{self.rejected} rejected, {self.late} of them late"
        return f"\n{' ' * 12}".join(
            f"{shown(name, LONGEST)}: {account.text}" for name, account in inputs.items()
        )

    @property
    def _merged(self) -> str:
        merged = sum(self.reasoner.merged.values())
        return f", {merged} of them repeated at the same tick" if merged else ""

    @property
    def _time(self) -> str:
        costs = [component.cost for component in self.reasoner.components if component.cost is not None]
        if not costs:
            return _seconds(self.seconds)
        parts = (
            ("components", sum(cost.seconds for cost in costs)),
            ("grounding", sum(cost.grounding for cost in costs)),
            ("solving", sum(cost.solving for cost in costs)),
        )
        return f"{_seconds(self.seconds)} ({', '.join(f'{name} {_seconds(time)}' for name, time in parts)})"

    @property
    def json(self) -> dict[str, Any]:
        """The same numbers for programs; null where something is missing or was not measured."""
        done = self.reasoner
        return {
            "seconds": self.seconds,
            "lag_seconds": self.lag,
            "ticks": {"evaluated": done.ticks, "passed_over": done.passed_over},
            "facts": done.facts,
            "merged": dict(done.merged),
            "records": {"rejected": self.rejected, "late": self.late, "unfit": self.unfit},
            "inputs": {name: account.json for name, account in done.inputs.items()},
            **({"input_times": [one._asdict() for one in self.inputs]} if self.inputs else {}),
            "intervals": done.intervals,
            "atoms": done.atoms,
            "memory_bytes": done.memory,
            "components": [_object(component) for component in done.components],
        }


def read_costs(path: str) -> dict[str, Cost]:
    """What components have cost in a run, by their predicates, from a file that `--stats-json` wrote.

    Raises InputError for what is not such a file, and where nothing was measured.
    """
    try:
        found = json.loads(Path(path).read_text("utf-8"))
        measured = [one for one in found["components"] if one["cost"] is not None]
        return {str(one["derives"]): _cost(one["cost"]) for one in measured}
    except OSError as error:
        raise InputError(f"{path}: cannot read this file: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: lars2asp run --stats-json did not write this file") from error


def _cost(found: Mapping[str, Any]) -> Cost:
    steps, seconds, groundings, grounding, solvings, solving = (found[name] for name in _COSTS)
    return Cost(
        *(int(steps), float(seconds)), *(int(groundings), float(grounding)), *(int(solvings), float(solving))
    )


def _object(component: ComponentStatistics) -> dict[str, Any]:
    cost = component.cost
    return {
        "derives": component.predicates,
        "evaluator": str(component.evaluator),
        "cost": None if cost is None else dict(zip(_COSTS, astuple(cost), strict=True)),
        "searches": None if component.searches is None else asdict(component.searches),
        "rules": [asdict(rule) for rule in component.rules],
    }


def _row(number: int, component: ComponentStatistics) -> tuple[str, ...]:
    measured = ["-"] * len(_COSTS)
    if component.cost is not None:
        values = zip(_COSTS, astuple(component.cost), strict=True)
        measured = [_seconds(value) if name.endswith("seconds") else str(value) for name, value in values]
    return (str(number), str(component.evaluator), *measured, shown(component.predicates, MOST_SHOWN))


def _rule_row(rule: RuleStatistics) -> tuple[str, ...]:
    parts = (rule.changes, rule.rows) if rule.others is None else ("-", "-")
    counts = map(str, (rule.evaluations, *parts, rule.held))
    return (*counts, _seconds(rule.seconds), f"{rule.place}: {rule.text}{_with(rule)}")


def _with(rule: RuleStatistics) -> str:
    """With how many others a rule is measured together."""
    return f" (with {counted(rule.others, 'other')}, by clingo)" if rule.others else ""


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines with the cells of each column below each other; numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if heading in _TO_THE_LEFT else cell.rjust(width)
            for heading, cell, width in zip(rows[0], row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


def _seconds(time: float) -> str:
    return f"{time:.3f} s"
