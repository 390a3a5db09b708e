"""The options of a run that must stay as they were while it goes on from its checkpoints.

What else can be given may change from one part of a run to the next. The docs list both
(docs/long-runs.md).
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from lars2asp.planning.plan import Plan
from lars2asp.runtime.sources.reading import Reading, format_of
from lars2asp.runtime.sources.text_files import STANDARD

NOT_GIVEN = "not given"

PROGRAM = "the program"
FUNCTIONS = "the files of --functions"
DECLARATIONS = "--map or #input"

_SHOWN_AS_CHANGED = (PROGRAM, FUNCTIONS, DECLARATIONS)
"""What is kept of these is no text for people."""

_FILES = ("--output", "--rejects")


def of_program(plan: Plan) -> str:
    """Tells programs apart."""
    told = [plan.text, plan.facts, plan.part, *map(str, plan.scripts)]
    return sha256(repr(told).encode()).hexdigest()


def of_files(names: Iterable[str]) -> str:
    """Tells apart what files say. Raises OSError where one cannot be read."""
    return sha256(repr([Path(name).read_bytes() for name in names]).encode()).hexdigest()


def of_reading(reading: Reading, name: str) -> dict[str, str]:
    """The options that say how an input of some name is read."""
    timeline, dialect = reading.timeline, reading.dialect
    length = timeline.tick_length
    by_name = "by the names of files" if name != STANDARD and Path(name).is_dir() else format_of(name)
    return {
        "--format": str(reading.format or by_name),
        "--tick or #tick": NOT_GIVEN if length is None else f"{length / 1e6:g} sec",
        "--time-unit": str(timeline.unit),
        "--origin": timeline.origin.isoformat(),
        "--timezone or #timezone": _given(timeline.zone),
        DECLARATIONS: repr([*map(repr, reading.declarations)]),
        "--delimiter": repr(dialect.delimiter),
        "--largest-record": f"{reading.largest_record} bytes",
        "--missing": ", ".join(map(repr, sorted(dialect.missing))) or NOT_GIVEN,
    }


def changes(kept: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What has changed, each in words."""
    found = []
    for name in now:
        before, after = kept.get(name, NOT_GIVEN), now[name]
        if before == after or (name in _FILES and _is_same_file(before, after)):
            continue
        if name in _SHOWN_AS_CHANGED:
            found.append(f"{name} changed")
        else:
            found.append(f"{name} was {before}, is {after}")
    others = [change for change in found if not change.startswith(PROGRAM)]
    return others or found  # constants and the like make another program too


def _given(value: object) -> str:
    return NOT_GIVEN if value is None else str(value)


def _is_same_file(one: str, other: str) -> bool:
    return STANDARD not in (one, other) and Path(one).absolute() == Path(other).absolute()
