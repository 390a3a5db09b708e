"""The parts of the path."""

from collections.abc import Callable, Mapping, Sequence

from experiments.path import (
    aggregates,
    command_line,
    door,
    engine_rows,
    fresh_constants,
    growth,
    single_ticks,
)
from experiments.path.group import Group

PARTS: Mapping[str, Callable[[], Sequence[Group]]] = {
    "engines": engine_rows.groups,
    "command-line": command_line.groups,
    "single-ticks": single_ticks.groups,
    "aggregates": aggregates.groups,
    "growth": growth.groups,
    "fresh-constants": fresh_constants.groups,
    "door": door.groups,
}
"""By their names; each makes its groups."""


def group_of(part: str, name: str) -> Group:
    """A group by its name."""
    [found] = [group for group in PARTS[part]() if group.name == name]
    return found
