"""The queries of Nexmark as whole processes, beside plain loops, DuckDB, pathway and PyFlink."""

import csv
import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from experiments.jobs.answers import Form
from experiments.jobs.nexmark.queries import NONE, QUERIES
from experiments.jobs.part import Settings, Table
from experiments.jobs.whole import Cost, Texts, Way, is_installed, lines_of, measured
from experiments.measuring.machine import Machine
from experiments.reporting.results import FOLDER

TEXTS = Texts(
    {
        Way.LOOP: ("experiments.jobs.nexmark.loops", "LOOPS"),
        Way.PATHWAY: ("experiments.jobs.nexmark.pathway_tables", "TABLES"),
        Way.DUCKDB: ("experiments.jobs.nexmark.duckdb_queries", "QUERIES"),
        Way.FLINK: ("experiments.jobs.nexmark.flink_sql", "QUERIES"),
    },
    Form.INTERVALS,
)
PEERS = (Way.PATHWAY, Way.DUCKDB, Way.FLINK)
LEAST = 9000
"""Rows, for an answer to each query."""

TAKEN = {
    Way.PATHWAY: "takes the whole file at once, and works intervals out from ticks: averages that change "
    "(q4) and the ten highest of a window (q19) are functions in Python",
    Way.DUCKDB: "takes the whole file at once",
    Way.FLINK: "takes the whole file at once: in batches, where a row can ask for the next one",
}
"""How others come to the same answers."""

KEPT = ("query", "system", "rows", "CPU s", "start-up, CPU s", "wall s", "MiB", "lines")
"""The columns of the file of results."""

PACKAGES = ("apache-flink", "duckdb", "pathway")

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
    cells = []
    kept: list[Sequence[object]] = []
    for name, query in QUERIES.items():
        if settings.only in name:
            rows = settings.some(query.rows, LEAST)
            found = measured(name, query, rows, ways, settings, TEXTS)
            own, loop = found[Way.CHANGES], found[Way.LOOP]
            what = f"{name}: {query.what.removeprefix('Nexmark, ')}"
            for way, cost in found.items():
                label = f"{what}; {way.value}" if way is Way.CHANGES else f"{name}; {way.value}"
                lines = str(lines_of(way, name, query, TEXTS))
                kept.append([name, way.value, rows, *_kept(cost), lines])
                cells.append([label, f"{rows:,}", *_costs(cost, own, loop, rows), lines])
    if settings.scale == 1 and not settings.only:
        write(FOLDER, kept, settings.peers)
    yield Table("Nexmark: CPU seconds of whole processes", HEADINGS, cells)
    missing = [(way.value, "not installed: skipped") for way in PEERS if way not in there]
    yield Table("Nexmark: other systems", ("", "it"), [*TAKEN.items(), *missing])
    yield Table("Nexmark: what is no program here", ("", "it"), [*NONE.items()])


def write(folder: Path, rows: Sequence[Sequence[object]], peers: str) -> None:
    """Writes what was measured, and on what."""
    with (folder / "nexmark.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(KEPT)
        table.writerows(rows)
    here = Machine.here()
    code = "import importlib.metadata as a, sys\nfor one in a.distributions():\n" + (
        " if one.name in sys.argv: print(one.name, one.version)"
    )
    said = subprocess.run(
        [peers, "-c", code, *PACKAGES], stdout=subprocess.PIPE, check=False, text=True
    ).stdout
    here = replace(here, versions=", ".join([here.versions, *said.splitlines()]))
    (folder / "nexmark.json").write_text(json.dumps([asdict(here)], indent=2) + "\n")


def _kept(cost: Cost) -> Sequence[str]:
    if cost.whole is None:
        return ["", f"{cost.start:.2f}", "", ""]
    return [f"{cost.whole:.2f}", f"{cost.start:.2f}", f"{cost.wall:.2f}", f"{cost.memory / 2**20:.0f}"]


def _costs(cost: Cost, own: Cost, loop: Cost, rows: int) -> list[str]:
    if cost.whole is None or cost.net is None:
        return ["too long", f"{cost.start:.2f}", *[""] * 6]
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
