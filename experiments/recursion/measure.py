"""What positive recursion costs a tick: with `delta`, with `external`, and by hand.

    python -m experiments recursion

Changes are compared first. The product is measured from `step` to rows of changes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import median
from time import process_time

import click
from rich.console import Console
from rich.table import Table

from experiments.benchmarks.idlvsr_photovoltaic import powers, program
from experiments.recursion.reachable import Links, Pair, PairChanges, Reachable
from lars2asp import Reasoner
from lars2asp.externals.views import RowChanges

TICKS = 30
Event = tuple[int, ...]
Events = tuple[Sequence[Event], Sequence[Event]]
"""What begins and what ends at a tick."""

REACHABLE = """
    reachable({centre},P) :- link({centre},P), working(P).
    reachable(P,R) :- reachable(P,Q), link(Q,R), working(R).
"""
CLOSURE = "path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z)."


@dataclass(frozen=True)
class Workload:
    """A recursive program and events.

    Attributes:
        name: what it is.
        program: the rules, and facts that they look at.
        predicate: of the events.
        events: the events of each tick.
        links: the links, where the program says what is reachable over them.
    """

    name: str
    program: str
    predicate: str
    events: Sequence[Events]
    links: Links | None = None


@dataclass(frozen=True)
class Cost:
    """Milliseconds of CPU: of the first tick, and the median of the second half of all ticks."""

    first: float
    later: float

    def __str__(self) -> str:
        return f"{self.first:.0f} / {self.later:.2f}"


Measured = tuple[Cost, Sequence[PairChanges]]


@click.command()
def main() -> None:
    """Measure recursion with `delta`, with `external` and by hand."""
    title = "first tick / later ticks, ms of CPU"
    table = Table("workload", "delta", "external", "delete and rederive", "rows changed", title=title)
    for workload in workloads():
        found = [by_product(workload, name) for name in ("delta", "external")]
        if workload.links is not None:
            found.append(by_hand(workload, workload.links))
        expected = found[0][1]
        assert all(changes == expected for _, changes in found)
        changed = [sum(map(len, changes)) for changes in expected]
        costs = [str(cost) for cost, _ in found]
        rows = f"{changed[0]} / {median(changed[len(changed) // 2 :]):.0f}"
        table.add_row(workload.name, *costs, *[""] * (3 - len(costs)), rows)
    Console(width=140).print(table)


def workloads() -> Iterator[Workload]:
    """The workloads."""
    for side in (20, 26, 30):
        links = Links(side * side + 1, _links_in(program(side)))
        for is_failing in (False, True):
            name = f"photovoltaic {side} x {side}, {'panels fail' if is_failing else 'as published'}"
            yield reachability(name, links, list(_working(side, is_failing)))
    choose = Random(1)
    pairs = {(choose.randrange(900), choose.randrange(900)): None for _ in range(63_200)}
    links = Links(900, [(900, 0), *(pair for pair in pairs if pair[0] != pair[1])])
    for share in (50, 10, 1):
        name = f"900 nodes, {len(links.pairs)} links, {share} % change"
        yield reachability(name, links, list(flipping(900, 900 * share // 100)))
    links = Links(900, [(900, 0), *_streets(30)])
    yield reachability("900 nodes, streets, 1 % change", links, list(flipping(900, 9)))
    for nodes, fresh, window in ((100, 2, 40), (220, 3, 70), (1000, 20, 40)):
        name = f"closure, {nodes} nodes, {fresh} edges a tick stay for {window}"
        yield Workload(name, CLOSURE, "edge", list(_edges(nodes, fresh, window)))


def reachability(name: str, links: Links, events: Sequence[tuple[list[int], list[int]]]) -> Workload:
    """What is reachable while panels begin to work and cease to."""
    facts = " ".join(f"link({one},{other})." for one, other in sorted(links.pairs))
    rows = [([(p,) for p in began], [(p,) for p in ended]) for began, ended in events]
    return Workload(name, REACHABLE.format(centre=links.centre) + facts, "working", rows, links)


def _links_in(text: str) -> Iterator[Pair]:
    for fact in text.split():
        if fact.startswith("link(") and fact.endswith(")."):
            one, other = fact.removeprefix("link(").removesuffix(").").split(",")
            if one.isdigit() and other.isdigit():
                yield int(one), int(other)


def _working(side: int, is_failing: bool) -> Iterator[tuple[list[int], list[int]]]:
    """The panels that begin and cease to work: those that delivered something in the last 5 ticks do."""
    last: dict[int, int] = {}
    before: set[int] = set()
    for tick, facts in enumerate(islice(powers(side, is_failing), TICKS)):
        last.update((int(panel), tick) for _, panel, power in facts if int(power) >= 10)
        now = {panel for panel, seen in last.items() if seen >= tick - 4}
        yield sorted(now - before), sorted(before - now)
        before = now


def flipping(panels: int, count: int) -> Iterator[tuple[list[int], list[int]]]:
    """All work at first; then some change at each tick, those that are down come back at the next one."""
    choose = Random(2)
    yield [*range(panels)], []
    down: list[int] = []
    for _ in range(TICKS - 1):
        others = sorted(set(range(1, panels)) - {*down})
        fresh = choose.sample(others, count // 2)
        yield down, fresh
        down = fresh


def _streets(side: int) -> Iterator[Pair]:
    """Links both ways between neighbours of a grid."""
    for node in range(side * side):
        for other, is_there in ((node + 1, (node + 1) % side), (node + side, node + side < side * side)):
            if is_there:
                yield from ((node, other), (other, node))


def _edges(nodes: int, fresh: int, window: int) -> Iterator[Events]:
    choose = Random(3)
    last: dict[Pair, int] = {}
    before: set[Pair] = set()
    for tick in range(3 * window):
        last.update(((choose.randrange(nodes), choose.randrange(nodes)), tick) for _ in range(fresh))
        now = {edge for edge, seen in last.items() if seen > tick - window}
        yield sorted(now - before), sorted(before - now)
        before = now


def by_hand(workload: Workload, links: Links) -> Measured:
    """What a program by hand takes, and the changes at each tick."""
    reachable = Reachable(links)
    times, changes = [], []
    for began, ended in workload.events:
        start = process_time()
        found = reachable.step([panel for (panel,) in began], [panel for (panel,) in ended])
        times.append(process_time() - start)
        changes.append(found)
    return _cost(times), changes


def by_product(workload: Workload, evaluator: str) -> Measured:
    """What the product takes, and the changes at each tick."""
    reasoner = Reasoner.from_text(workload.program, evaluator=evaluator)
    times, changes = [], []
    for tick, (began, ended) in enumerate(workload.events):
        begin = [(workload.predicate, *row) for row in began]
        end = [(workload.predicate, *row) for row in ended]
        start = process_time()
        found = reasoner.step(tick, begin=begin, end=end).row_changes
        times.append(process_time() - start)
        changes.append(_pairs(found))
    return _cost(times), changes


def _pairs(found: RowChanges) -> PairChanges:
    here = PairChanges(set(), set())
    for _, changes in found:
        for rows, new in zip(here, changes, strict=True):
            rows.update((int(str(one)), int(str(other))) for one, other in new)
    return here


def _cost(times: Sequence[float]) -> Cost:
    return Cost(times[0] * 1e3, median(times[len(times) // 2 :]) * 1e3)
