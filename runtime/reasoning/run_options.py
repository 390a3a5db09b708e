"""The keywords of a reasoner and of its methods, from the table of settings."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, SupportsIndex, TypedDict

from lars2asp.compiler import ProgramOptions
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.protocol import Consequences
from lars2asp.runtime.given_ticks import Every
from lars2asp.runtime.reasoning.keyword_values import check_values
from lars2asp.runtime.settings.table import renamed_keyword
from lars2asp.runtime.settings.values import seconds_in
from lars2asp.runtime.sources.facts.stream_items import Time
from lars2asp.runtime.sources.reject_warnings import RejectChoice
from lars2asp.runtime.tuning import Tuning

if TYPE_CHECKING:
    from lars2asp.runtime.connectors.clock import Clock
    from lars2asp.runtime.sources.reading import Reading

Duration = int | str | timedelta
"""A number of ticks, a text such as `15 sec`, or a timedelta."""

ClockDuration = float | str | timedelta
"""A number of seconds, a text such as `2 sec`, or a timedelta."""

Emit = Literal["change", "every", "windows"] | int | None
"""When to yield answers; None is "change"."""


class RunOptions(TypedDict, total=False):
    """Keywords that say how to run a plan; see Reasoner."""

    start: Time | str | None
    complete_windows: bool
    models: int
    consequences: Consequences | str | None
    functions: object
    evaluator: EvaluatorName | str
    clingo: Sequence[str]
    stats: bool
    tick_timeout: ClockDuration | None
    largest_gap: SupportsIndex | Duration | None
    ahead: Duration | None
    largest_interval: int | None
    explain_last: Duration | None
    explain_max_records: int | None
    tuning: Tuning
    """Thresholds that change no answer, for tests and experiments."""


class ReasonerOptions(RunOptions, ProgramOptions, total=False):
    """Keywords that say how to compile and run a program; see Reasoner."""

    dialect: str | None
    declare: Sequence[str] | None
    trusted: bool


class StreamOptions(TypedDict, total=False):
    """Keywords of `Reasoner.run` that say how to read a stream."""

    until: Time | str | None
    lateness: Duration | None
    on_reject: RejectChoice
    reading: "Reading | None"


class LiveOptions(StreamOptions, total=False):
    """Keywords of `Reasoner.run_live`."""

    emit: Emit
    clock: "Literal['data', 'wall'] | Clock"
    idle_timeout: ClockDuration | None
    serve: int | str | None
    serve_token: str | None


def every_of(emit: Emit) -> Every:
    """Returns the internal form. Raises ValueError for other texts."""
    if not isinstance(emit, str):
        return emit
    if emit not in ("change", "every", "windows"):
        raise ValueError(f'emit must be "change", "every", "windows" or a number of ticks, not {emit!r}')
    return {"change": None, "every": 1}.get(emit, "windows")


def seconds_of(keyword: str, given: ClockDuration | None) -> float | None:
    """A duration by the clock. Raises ValueError for a wrong value."""
    try:
        return None if given is None else seconds_in(given)
    except ValueError:
        raise ValueError(
            f"{keyword} is a number of seconds, a text such as '2 sec' or a timedelta, more than 0: {given!r}"
        ) from None


def check_keywords(given: Mapping[str, object], known: Collection[str], called: str) -> None:
    """Raises TypeError for unknown keywords, with the new name of a renamed keyword, and for wrong values."""
    for name in given:
        if name not in known:
            now = renamed_keyword(name, known)
            raise TypeError(
                f"{called}: the keyword {name} is now called {now}"
                if now is not None
                else f"{called} knows no keyword {name!r}: use {', '.join(known)}"
            )
    check_values(given)
