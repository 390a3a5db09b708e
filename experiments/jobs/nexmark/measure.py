"""The queries of Nexmark as whole processes, beside plain loops and DuckDB."""

from collections.abc import Iterator

from experiments.jobs.answers import Form
from experiments.jobs.nexmark.queries import NONE, QUERIES
from experiments.jobs.part import Settings, Table
from experiments.jobs.whole import Cost, Texts, Way, is_installed, lines_of, measured

TEXTS = Texts(
    {
        Way.LOOP: ("experiments.jobs.nexmark.loops", "LOOPS"),
        Way.DUCKDB: ("experiments.jobs.nexmark.duckdb_queries", "QUERIES"),
    },
    Form.INTERVALS,
)
LEAST = 9000
"""Rows, for an answer to each query."""

HEADINGS = (
    "",
    "rows",
    "lars2asp, s",
    "start-up, s",
    "us a row",
    "loop, s",
    "duckdb, s",
    "net / loop",
    "whole / duckdb",
    "MiB",
    "lines",
    "loop, lines",
    "duckdb, lines",
)


def tables(settings: Settings) -> Iterator[Table]:
    """A table of all queries, and one of those that are no programs here."""
    ways = [Way.CHANGES, Way.LOOP, *([Way.DUCKDB] if is_installed(Way.DUCKDB, settings.peers) else [])]
    cells = []
    for name, query in QUERIES.items():
        if settings.only in name:
            rows = settings.some(query.rows, LEAST)
            found = measured(name, query, rows, ways, settings, TEXTS)
            own, loop, duckdb = (found.get(way, Cost(None, 0)) for way in (Way.CHANGES, Way.LOOP, Way.DUCKDB))
            lines = [str(lines_of(way, name, query, TEXTS)) for way in (Way.CHANGES, Way.LOOP, Way.DUCKDB)]
            a_row = None if own.net is None else own.net * 1e6
            cells.append(
                [
                    f"{name}: {query.what.removeprefix('Nexmark, ')}",
                    f"{rows:,}",
                    "too long" if own.whole is None else f"{own.whole:.2f}",
                    f"{own.start:.2f}",
                    _over(a_row, rows),
                    _over(loop.whole, 1),
                    _over(duckdb.whole, 1),
                    _over(own.net, loop.net),
                    _over(own.whole, duckdb.whole),
                    f"{own.memory / 2**20:.0f}",
                    *lines,
                ]
            )
    yield Table("Nexmark: CPU seconds of whole processes", HEADINGS, cells)
    yield Table("Nexmark: what is no program here", ("", "it"), [*NONE.items()])


def _over(one: float | None, other: float | None) -> str:
    return "" if one is None or not other else f"{one / other:.2f}"
