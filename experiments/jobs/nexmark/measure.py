"""The queries of Nexmark as whole processes, beside plain loops, DuckDB, pathway and PyFlink."""

from collections.abc import Iterator

from experiments.jobs.answers import Form
from experiments.jobs.costs import Cost, JobCost, machine_with, write
from experiments.jobs.nexmark.queries import NONE, QUERIES
from experiments.jobs.part import Settings, Table
from experiments.jobs.whole import PACKAGES, Texts, Way, costs_of, is_installed, measured
from experiments.kept_results import FOLDER

TEXTS = Texts(
    {
        Way.LOOP: ("experiments.jobs.nexmark.loops", "LOOPS"),
        Way.PATHWAY: ("experiments.jobs.nexmark.pathway_tables", "TABLES"),
        Way.DUCKDB: ("experiments.jobs.nexmark.duckdb_queries", "QUERIES"),
        Way.FLINK: ("experiments.jobs.nexmark.flink_sql", "QUERIES"),
    },
    Form.INTERVALS,
    {Way.DUCKDB: ("TABLES",), Way.FLINK: ("COLUMNS", "VIEWS")},
)
PEERS = (Way.PATHWAY, Way.DUCKDB, Way.FLINK)
LEAST = 9000
"""Rows, for an answer to each query."""

TAKEN = {
    Way.PATHWAY: "takes the whole file at once, and works out intervals from ticks; changing averages (q4) "
    "and the ten highest bids of a window (q19) are functions in Python",
    Way.DUCKDB: "takes the whole file at once",
    Way.FLINK: "takes the whole file at once, in batches in which a row can ask for the next row",
}
"""How other systems find the answers."""

HEADINGS = (
    "",
    "rows",
    "whole, s",
    "start-up, s",
    "without, s",
    "us a row",
    "without / loop",
    "whole / lars2asp",
    "wall, s",
    "memory, MiB",
    "lines",
)


def tables(settings: Settings) -> Iterator[Table]:
    """A table of all queries, how others come to answers, and queries that are no programs here."""
    there = [way for way in PEERS if is_installed(way, settings.peers)]
    ways = [Way.CHANGES, Way.LOOP, *there]
    machine = machine_with(settings.peers, [PACKAGES[way] for way in PEERS])
    cells = []
    kept: list[JobCost] = []
    for name, query in QUERIES.items():
        if settings.only in name:
            rows = settings.some(query.rows, LEAST)
            found = measured(name, query, rows, ways, settings, TEXTS)
            own, loop = found[Way.CHANGES], found[Way.LOOP]
            what = f"{name}: {query.what.removeprefix('Nexmark, ')}"
            costs = costs_of(name, query, rows, found, TEXTS)
            for one in costs:
                label = what if one.system == Way.CHANGES else name
                numbers = [f"{rows:,}", *_costs(one.cost, own, loop, rows), str(one.lines)]
                cells.append([f"{label}; {one.system}", *numbers])
            kept += costs
    if settings.is_all and {*PEERS} <= {*there}:
        write(FOLDER, "nexmark", kept, machine)
    yield Table("Nexmark: CPU seconds of whole processes", HEADINGS, cells)
    missing = [(way.value, "not installed: skipped") for way in PEERS if way not in there]
    yield Table("Nexmark: other systems", ("", "it"), [*TAKEN.items(), *missing])
    yield Table("Nexmark: what is no program here", ("", "it"), [*NONE.items()])


def _costs(cost: Cost, own: Cost, loop: Cost, rows: int) -> list[str]:
    if cost.whole is None or cost.net is None:
        return [cost.without_time, f"{cost.start:.2f}", *[""] * 6]
    return [
        f"{cost.whole:.2f}",
        f"{cost.start:.2f}",
        f"{cost.net:.2f}",
        f"{cost.net * 1e6 / rows:.2f}",
        _over(cost.net, loop.net),
        _over(cost.whole, own.whole),
        f"{cost.wall:.2f}",
        f"{cost.memory / 2**20:.0f}",
    ]


def _over(one: float | None, other: float | None) -> str:
    return "" if one is None or not other else f"{one / other:.2f}"
