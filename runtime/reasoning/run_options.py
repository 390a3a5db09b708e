"""The options of a reasoner, by their names; `help(Reasoner)` documents them."""

from collections.abc import Sequence
from typing import SupportsIndex, TypedDict

from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.protocol import Consequences
from lars2asp.runtime.sources.facts.stream_items import Time
from lars2asp.runtime.tuning import Tuning


class RunOptions(TypedDict, total=False):
    """How a plan is run; see Reasoner."""

    start: Time | None
    complete_windows: bool
    models: int
    consequences: Consequences | str | None
    context: object
    evaluator: EvaluatorName | str
    clingo: Sequence[str]
    statistics: bool
    tick_timeout: float | None
    largest_gap: SupportsIndex | None
    largest_interval: int | None
    explain_from: int | None
    explain_at_most: int | None
    tuning: Tuning
