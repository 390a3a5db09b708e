"""Types for annotations: the values that keywords of lars2asp accept."""

from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.protocol import Consequences
from lars2asp.runtime.reasoning.run_options import (
    Duration,
    Emit,
    LiveOptions,
    ReasonerOptions,
    RunOptions,
    StreamOptions,
)
from lars2asp.runtime.sources.facts.atoms import Fact
from lars2asp.runtime.sources.facts.stream_items import StreamItem, Time
from lars2asp.runtime.sources.records import OnReject
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.syntax.nodes import Semantics

__all__ = [
    "AtomRows",
    "Consequences",
    "Duration",
    "Emit",
    "EvaluatorName",
    "Fact",
    "LiveOptions",
    "OnReject",
    "ReasonerOptions",
    "RunOptions",
    "Semantics",
    "StreamItem",
    "StreamOptions",
    "Time",
    "TimeFormat",
]
