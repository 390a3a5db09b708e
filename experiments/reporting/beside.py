"""Conclusions from the costs of jobs in other systems, worked out from the numbers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from experiments.jobs.costs import JobCost
from experiments.jobs.whole import Way

EQUAL = 1.1
"""A difference of a tenth counts as equal."""

NAMES: Mapping[Way, str] = {
    Way.CHANGES: "lars2asp",
    Way.BYTEWAX: "bytewax",
    Way.PATHWAY: "pathway",
    Way.DUCKDB: "DuckDB",
    Way.POLARS: "polars",
    Way.FLINK: "PyFlink",
    Way.LOOP: "a plain loop",
}
"""The names of systems that readers see; other forms of the product are not shown."""

LEAST_NET = 0.5
"""In starts: less than that without the start is lost in the differences of starts."""

AT_ONCE = frozenset({Way.PATHWAY, Way.DUCKDB, Way.POLARS, Way.FLINK})
"""The systems that read a whole file at once."""

Costs = Mapping[str, Mapping[Way, JobCost]]
"""By jobs and systems."""


def by_job(found: Iterable[JobCost]) -> Costs:
    """The costs that are shown, jobs and systems in their order."""
    jobs: dict[str, dict[Way, JobCost]] = {}
    for one in found:
        jobs.setdefault(one.job, {})[Way(one.system)] = one
    return {job: {way: costs[way] for way in NAMES if way in costs} for job, costs in jobs.items()}


def systems(costs: Costs) -> Sequence[Way]:
    """The systems that did a job, in their order."""
    return [way for way in NAMES if any(way in own for own in costs.values())]


@dataclass(frozen=True)
class Beside:
    """How a system compares with the product.

    Attributes:
        ratios: by jobs that both do in time: its CPU time, in that of the product.
        nets: the same without the starts, unless these hide the rest.
        starts: by jobs: the part of its time that is the start.
        lines: by jobs: the lines of its program, divided by the product's.
        ended: jobs that take too long in it alone.
        own_ended: jobs that take too long in the product alone.
    """

    ratios: Mapping[str, float]
    nets: Mapping[str, float]
    starts: Mapping[str, float]
    lines: Mapping[str, float]
    ended: Sequence[str]
    own_ended: Sequence[str]

    @classmethod
    def of(cls, way: Way, costs: Costs) -> "Beside":
        """How it compares in the jobs that it does."""
        ratios, nets, starts, lines = {}, {}, {}, {}
        ended, own_ended = [], []
        for job, found in costs.items():
            if way not in found or Way.CHANGES not in found:
                continue
            one, own = found[way], found[Way.CHANGES]
            lines[job] = one.lines / own.lines
            if one.cost.failed:
                continue
            if one.cost.whole is None:
                if own.cost.whole is not None:
                    ended.append(job)
            elif own.cost.whole is None:
                own_ended.append(job)
            else:
                ratios[job] = one.cost.whole / own.cost.whole
                starts[job] = min(1.0, one.cost.start / one.cost.whole)
                net, own_net = one.cost.net or 0.0, own.cost.net or 0.0
                if net > LEAST_NET * one.cost.start and own_net > LEAST_NET * own.cost.start:
                    nets[job] = net / own_net
        return cls(ratios, nets, starts, lines, ended, own_ended)

    @property
    def number(self) -> int:
        """In how many jobs they are compared."""
        return len(self.ratios) + len(self.ended) + len(self.own_ended)

    @property
    def ahead(self) -> int:
        """In how many jobs the product takes less."""
        return len(self.ended) + sum(one > EQUAL for one in self.ratios.values())

    @property
    def behind(self) -> Sequence[str]:
        """The jobs in which the product takes more."""
        return [*(job for job, one in self.ratios.items() if one < 1 / EQUAL), *self.own_ended]


def least(costs: Costs) -> Counter[Way]:
    """The number of jobs in which each system takes the least CPU time, without the loop."""
    found: Counter[Way] = Counter()
    for own in costs.values():
        wholes = {
            way: one.cost.whole
            for way, one in own.items()
            if way is not Way.LOOP and one.cost.whole is not None
        }
        if wholes:
            found[min(wholes, key=wholes.__getitem__)] += 1
    return found


def conclusions(costs: Costs, unit: str) -> Sequence[str]:
    """The systems with the least time, and how each system compares.

    Args:
        costs: the costs.
        unit: jobs, or queries.
    """
    numbers = [f"{NAMES[way]} in {number}" for way, number in least(costs).most_common()]
    besides = {way: Beside.of(way, costs) for way in systems(costs) if way is not Way.CHANGES}
    cheaper = [
        NAMES[way]
        for way, one in besides.items()
        if way in AT_ONCE and one.ratios and median(one.ratios.values()) < 1 / EQUAL
    ]
    if cheaper:
        costs_less = "cost less" if len(cheaper) > 1 else "costs less"
        advice = f"For one question over a whole file, {_listed(cheaper)} {costs_less} in the median."
    else:
        advice = "No system that takes a whole file at once costs less in the median."
    first = f"Least CPU time, without the loop: {_listed(numbers)} of {len(costs)} {unit}."
    return [
        f"{first} {advice}",
        *(f"**{NAMES[way]}** {said(one, unit)}" for way, one in besides.items() if one.number),
    ]


def said(beside: Beside, unit: str) -> str:
    """How a system compares with the product, in words."""
    parts = []
    if beside.ratios:
        parts.append(f"takes in the median {spread(beside.ratios)} the CPU time of lars2asp")
    if beside.ended:
        parts.append(f"takes too long for {_listed(beside.ended)}")
    sentences = [f"{' and '.join(parts)}." if parts else "ends, and lars2asp takes too long."]
    less = f"less in {beside.ahead or 'none'} of {beside.number} {unit}"
    sentences.append(f"lars2asp takes {less}, more in {_more(beside)}.")
    if beside.nets:
        number = len(beside.nets)
        some = "one" if number == 1 else str(number)
        part = "" if number == len(beside.ratios) else f" (in the {some} with more work than start)"
        sentences.append(f"Without the starts it takes {spread(beside.nets)} the time{part}.")
    elif beside.starts:
        sentences.append(f"Its start is {100 * median(beside.starts.values()):.0f} % of its time.")
    return " ".join([*sentences, f"Its programs take {spread(beside.lines)} the lines."])


def _more(beside: Beside) -> str:
    """The jobs in which the product takes more, and how many times as much, the most first."""
    ratios = sorted((one, job) for job, one in beside.ratios.items() if job in beside.behind)
    named = [
        *(f"{job} ({_times(1 / one)})" for one, job in ratios),
        *(f"{job} (too long)" for job in beside.own_ended),
    ]
    if not named:
        return "none"
    if len(named) == beside.number > 2 and not beside.own_ended:
        return f"all: from {named[-1]} to {named[0]}"
    return f"{len(named)}: {_listed(named)}"


def spread(ratios: Mapping[str, float]) -> str:
    """The median, with the least and the greatest of several."""
    values = [*ratios.values()]
    middle = _times(median(values))
    return f"{middle} ({_ratio(min(values))} to {_ratio(max(values))})" if len(values) > 1 else middle


def _times(ratio: float) -> str:
    return f"{_ratio(ratio)} times"


def _ratio(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
