"""lars2asp: stream reasoning with LARS, compiled to answer set programming.

from lars2asp import Reasoner

reasoner = Reasoner.from_text("alarm :- hot always in [2].")
for tick in range(4):
    print(tick, reasoner.step(tick, ["hot"]).atoms)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lars2asp.compiler import Overrides as Overrides
    from lars2asp.compiler import check as check
    from lars2asp.compiler import compile_program as compile_program
    from lars2asp.externals.events import Events as Events
    from lars2asp.externals.terms.terms import AtomRows as AtomRows
    from lars2asp.externals.terms.terms import Term as Term
    from lars2asp.externals.terms.terms import constant as constant
    from lars2asp.externals.terms.terms import function as function
    from lars2asp.planning.plan import Plan as Plan
    from lars2asp.runtime.answer import Answer as Answer
    from lars2asp.runtime.charts.chart import Chart as Chart
    from lars2asp.runtime.errors import EvaluationError as EvaluationError
    from lars2asp.runtime.errors import EvaluatorError as EvaluatorError
    from lars2asp.runtime.errors import FunctionError as FunctionError
    from lars2asp.runtime.errors import InputError as InputError
    from lars2asp.runtime.errors import InUseError as InUseError
    from lars2asp.runtime.errors import OtherFormatError as OtherFormatError
    from lars2asp.runtime.errors import SnapshotError as SnapshotError
    from lars2asp.runtime.errors import TickTimeoutError as TickTimeoutError
    from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName as EvaluatorName
    from lars2asp.runtime.evaluators.meter import Cost as Cost
    from lars2asp.runtime.evaluators.meter import Searches as Searches
    from lars2asp.runtime.evaluators.protocol import Consequences as Consequences
    from lars2asp.runtime.evaluators.rule_statistics import RuleStatistics as RuleStatistics
    from lars2asp.runtime.evaluators.statistics import ComponentStatistics as ComponentStatistics
    from lars2asp.runtime.evaluators.statistics import Statistics as Statistics
    from lars2asp.runtime.explanations.words.claims import Absent as Absent
    from lars2asp.runtime.explanations.words.claims import Background as Background
    from lars2asp.runtime.explanations.words.claims import Called as Called
    from lars2asp.runtime.explanations.words.claims import Claim as Claim
    from lars2asp.runtime.explanations.words.claims import Cut as Cut
    from lars2asp.runtime.explanations.words.claims import DefinedBy as DefinedBy
    from lars2asp.runtime.explanations.words.claims import Derived as Derived
    from lars2asp.runtime.explanations.words.claims import Element as Element
    from lars2asp.runtime.explanations.words.claims import FailedRule as FailedRule
    from lars2asp.runtime.explanations.words.claims import LastTold as LastTold
    from lars2asp.runtime.explanations.words.claims import LateRule as LateRule
    from lars2asp.runtime.explanations.words.claims import LiteralNode as LiteralNode
    from lars2asp.runtime.explanations.words.claims import NoAnswer as NoAnswer
    from lars2asp.runtime.explanations.words.claims import OtherHead as OtherHead
    from lars2asp.runtime.explanations.words.claims import Place as Place
    from lars2asp.runtime.explanations.words.claims import Seen as Seen
    from lars2asp.runtime.explanations.words.claims import Told as Told
    from lars2asp.runtime.explanations.words.claims import Weighed as Weighed
    from lars2asp.runtime.explanations.words.claims import Witness as Witness
    from lars2asp.runtime.explanations.words.explanation import Explanation as Explanation
    from lars2asp.runtime.feeds.clock import Clock as Clock
    from lars2asp.runtime.feeds.feed import Feed as Feed
    from lars2asp.runtime.plan_drawing.drawing import PlanDrawing as PlanDrawing
    from lars2asp.runtime.reasoner import Reasoner as Reasoner
    from lars2asp.runtime.reasoning.run_options import Options as Options
    from lars2asp.runtime.reasoning.run_options import RunOptions as RunOptions
    from lars2asp.runtime.reasoning.user_functions import pure as pure
    from lars2asp.runtime.runs.follow import FollowOptions as FollowOptions
    from lars2asp.runtime.runs.follow import follow as follow
    from lars2asp.runtime.sinks.answer_frames import AnswerFrame as AnswerFrame
    from lars2asp.runtime.sinks.answer_frames import AnswerFrames as AnswerFrames
    from lars2asp.runtime.sources.arrow_streams import ArrowStream as ArrowStream
    from lars2asp.runtime.sources.atoms import Fact as Fact
    from lars2asp.runtime.sources.files import read_file as read_file
    from lars2asp.runtime.sources.frames import read_frame as read_frame
    from lars2asp.runtime.sources.reading import Format as Format
    from lars2asp.runtime.sources.reading import Reading as Reading
    from lars2asp.runtime.sources.records import Line as Line
    from lars2asp.runtime.sources.records import OnReject as OnReject
    from lars2asp.runtime.sources.records import Origin as Origin
    from lars2asp.runtime.sources.records import Record as Record
    from lars2asp.runtime.sources.records import Rejected as Rejected
    from lars2asp.runtime.sources.stream_items import StreamItem as StreamItem
    from lars2asp.runtime.sources.stream_items import Time as Time
    from lars2asp.runtime.sources.table_form import Dialect as Dialect
    from lars2asp.runtime.sources.table_form import TableForm as TableForm
    from lars2asp.runtime.sources.time_formats import TimeFormat as TimeFormat
    from lars2asp.runtime.sources.timeline import Timeline as Timeline
    from lars2asp.runtime.sources.timeline import TimeUnit as TimeUnit
    from lars2asp.runtime.spark.spark_errors import SparkError as SparkError
    from lars2asp.runtime.spark.spark_errors import SparkSetupError as SparkSetupError
    from lars2asp.runtime.tuning import Tuning as Tuning
    from lars2asp.syntax.diagnostics import Diagnostic as Diagnostic
    from lars2asp.syntax.diagnostics import Lars2aspError as Lars2aspError
    from lars2asp.syntax.diagnostics import ProgramError as ProgramError
    from lars2asp.syntax.diagnostics import Severity as Severity
    from lars2asp.syntax.nodes import Input as Input
    from lars2asp.syntax.nodes import Semantics as Semantics
    from lars2asp.syntax.nodes import Signature as Signature
    from lars2asp.syntax.source import Location as Location
    from lars2asp.syntax.source import Source as Source

    __version__: str

_NAMES = {
    "compiler": "Overrides check compile_program",
    "externals.events": "Events",
    "externals.terms.terms": "AtomRows Term constant function",
    "planning.plan": "Plan",
    "runtime.answer": "Answer",
    "runtime.charts.chart": "Chart",
    "runtime.errors": "EvaluationError EvaluatorError FunctionError InputError InUseError OtherFormatError "
    "SnapshotError TickTimeoutError",
    "runtime.evaluators.evaluator_names": "EvaluatorName",
    "runtime.evaluators.meter": "Cost Searches",
    "runtime.evaluators.protocol": "Consequences",
    "runtime.evaluators.rule_statistics": "RuleStatistics",
    "runtime.evaluators.statistics": "ComponentStatistics Statistics",
    "runtime.explanations.words.explanation": "Explanation",
    "runtime.explanations.words.claims": "Absent Background Called Claim Cut DefinedBy Derived Element "
    "FailedRule LastTold LateRule LiteralNode NoAnswer OtherHead Place Seen Told Weighed Witness",
    "runtime.feeds.clock": "Clock",
    "runtime.feeds.feed": "Feed",
    "runtime.plan_drawing.drawing": "PlanDrawing",
    "runtime.reasoner": "Reasoner",
    "runtime.reasoning.run_options": "Options RunOptions",
    "runtime.reasoning.user_functions": "pure",
    "runtime.runs.follow": "FollowOptions follow",
    "runtime.sinks.answer_frames": "AnswerFrame AnswerFrames",
    "runtime.sources.arrow_streams": "ArrowStream",
    "runtime.sources.atoms": "Fact",
    "runtime.sources.files": "read_file",
    "runtime.sources.frames": "read_frame",
    "runtime.sources.reading": "Format Reading",
    "runtime.sources.records": "Line OnReject Origin Record Rejected",
    "runtime.sources.stream_items": "StreamItem Time",
    "runtime.sources.table_form": "Dialect TableForm",
    "runtime.sources.time_formats": "TimeFormat",
    "runtime.sources.timeline": "Timeline TimeUnit",
    "runtime.spark.spark_errors": "SparkError SparkSetupError",
    "runtime.tuning": "Tuning",
    "syntax.diagnostics": "Diagnostic Lars2aspError ProgramError Severity",
    "syntax.nodes": "Input Semantics Signature",
    "syntax.source": "Location Source",
}
"""The public names, by the modules that define them."""
_MODULES = {name: f"lars2asp.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = [*_MODULES, "__version__"]  # noqa: PLE0604 - all are strings


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first asked for (PEP 562)."""
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    if name == "__version__":
        from importlib import metadata  # noqa: PLC0415 - it takes longer than all else here

        try:
            return metadata.version("lars2asp")
        except metadata.PackageNotFoundError:  # run from a checkout that is not installed
            return "0"
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
