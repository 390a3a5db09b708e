"""lars2asp: stream reasoning with LARS, compiled to answer set programming.

>>> from lars2asp import Reasoner
>>> reasoner = Reasoner.from_text("alarm(R) :- hot(R) always in [2].")
>>> for tick in range(2):
...     print(tick, reasoner.step(tick, ["hot(hall)"]).holds.texts)
0 ('alarm(hall)',)
1 ('alarm(hall)',)
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from sys import modules
from typing import TYPE_CHECKING, Any

for _folder in ("externals", "runtime"):
    if (_link := Path(__file__).with_name(_folder)).is_file():
        raise ImportError(
            f"{_link} is a text file, not a symbolic link to ../{_folder}: git made this checkout without "
            "symbolic links. Check it out again after `git config core.symlinks true` (on Windows in "
            "developer mode), or install a wheel"
        )

if TYPE_CHECKING:
    from lars2asp.compiler import check as check
    from lars2asp.compiler import compile_program as compile_program
    from lars2asp.externals.events import Events as Events
    from lars2asp.externals.terms.terms import Term as Term
    from lars2asp.externals.terms.terms import constant as constant
    from lars2asp.externals.terms.terms import function as function
    from lars2asp.planning.plan import Plan as Plan
    from lars2asp.runtime.answer import Answer as Answer
    from lars2asp.runtime.answer import Atoms as Atoms
    from lars2asp.runtime.charts.chart import Chart as Chart
    from lars2asp.runtime.errors import EvaluationError as EvaluationError
    from lars2asp.runtime.errors import EvaluatorError as EvaluatorError
    from lars2asp.runtime.errors import FunctionError as FunctionError
    from lars2asp.runtime.errors import InputError as InputError
    from lars2asp.runtime.errors import InUseError as InUseError
    from lars2asp.runtime.errors import SnapshotError as SnapshotError
    from lars2asp.runtime.errors import TickTimeoutError as TickTimeoutError
    from lars2asp.runtime.evaluators.costs.statistics import Statistics as Statistics
    from lars2asp.runtime.explanations.words.explanation import Explanation as Explanation
    from lars2asp.runtime.plan_drawing.drawing import PlanDrawing as PlanDrawing
    from lars2asp.runtime.reasoner import Reasoner as Reasoner
    from lars2asp.runtime.reasoning.user_functions import pure as pure
    from lars2asp.runtime.revisions import Final as Final
    from lars2asp.runtime.revisions import Revised as Revised
    from lars2asp.runtime.sinks.answer_frames import AnswerFrame as AnswerFrame
    from lars2asp.runtime.sinks.answer_frames import AnswerFrames as AnswerFrames
    from lars2asp.runtime.sources.account import Account as Account
    from lars2asp.runtime.sources.arrow.frames import read_frame as read_frame
    from lars2asp.runtime.sources.files import read_file as read_file
    from lars2asp.runtime.sources.reading import Format as Format
    from lars2asp.runtime.sources.reading import Reading as Reading
    from lars2asp.runtime.sources.records import Origin as Origin
    from lars2asp.runtime.sources.records import PassedOver as PassedOver
    from lars2asp.runtime.sources.records import Record as Record
    from lars2asp.runtime.sources.records import Rejected as Rejected
    from lars2asp.runtime.sources.times.timeline import Timeline as Timeline
    from lars2asp.runtime.sources.times.timeline import TimeUnit as TimeUnit
    from lars2asp.syntax.diagnostics import Diagnostic as Diagnostic
    from lars2asp.syntax.diagnostics import Lars2aspError as Lars2aspError
    from lars2asp.syntax.diagnostics import ProgramError as ProgramError
    from lars2asp.syntax.diagnostics import Severity as Severity
    from lars2asp.syntax.nodes import Signature as Signature
    from lars2asp.syntax.source import Source as Source

    __version__: str

_NAMES = {
    "compiler": "check compile_program",
    "externals.events": "Events",
    "externals.terms.terms": "Term constant function",
    "planning.plan": "Plan",
    "runtime.answer": "Answer Atoms",
    "runtime.charts.chart": "Chart",
    "runtime.errors": "EvaluationError EvaluatorError FunctionError InputError InUseError SnapshotError "
    "TickTimeoutError",
    "runtime.evaluators.costs.statistics": "Statistics",
    "runtime.explanations.words.explanation": "Explanation",
    "runtime.plan_drawing.drawing": "PlanDrawing",
    "runtime.reasoner": "Reasoner",
    "runtime.reasoning.user_functions": "pure",
    "runtime.revisions": "Final Revised",
    "runtime.sinks.answer_frames": "AnswerFrame AnswerFrames",
    "runtime.sources.account": "Account",
    "runtime.sources.arrow.frames": "read_frame",
    "runtime.sources.files": "read_file",
    "runtime.sources.reading": "Format Reading",
    "runtime.sources.records": "Origin PassedOver Record Rejected",
    "runtime.sources.times.timeline": "Timeline TimeUnit",
    "syntax.diagnostics": "Diagnostic Lars2aspError ProgramError Severity",
    "syntax.nodes": "Signature",
    "syntax.source": "Source",
}
"""The public names, by the modules that define them."""
_MODULES = {name: f"lars2asp.{module}" for module, names in _NAMES.items() for name in names.split()}

_ELSEWHERE = {
    "follow": "it is a method: reasoner.run_live(source, on_answer)",
    "Clock Feed Line": "it is in lars2asp.connectors",
    "AtomRows Consequences EvaluatorName Fact OnReject Semantics StreamItem Time TimeFormat": "it is in "
    "lars2asp.typing",
    "Dialect": "use Reading(delimiter=, missing=, encoding=)",
    "Overrides": "compile_program and check have keywords, such as const={'n': 5}",
    "OtherFormatError": "catch SnapshotError",
    "TableForm": "use the fields of Reading",
    "Tuning": "it is in lars2asp.runtime.tuning",
    "Note": "see Diagnostic.notes",
    "Unfit": "it is called PassedOver now",
    "Options RunOptions FollowOptions": "Reasoner and its methods have keywords",
    "SparkError SparkSetupError": "catch Lars2aspError",
    "Input Location": "it is in lars2asp.syntax",
    "Absent Claim FailedRule NoAnswer": "it is in lars2asp.explanations",
    "Background": "it is FromProgram of lars2asp.explanations",
    "Cut": "it is CutOff of lars2asp.explanations",
    "Derived": "it is FromRule of lars2asp.explanations",
    "LiteralNode": "it is RuleLiteral of lars2asp.explanations",
    "Seen": "it is Repeated of lars2asp.explanations",
    "Told": "it is FromInput of lars2asp.explanations",
    "Called DefinedBy Element LastTold LateRule OtherHead Place Weighed Witness": "it is in "
    "lars2asp.runtime.explanations.words.claims",
    "ComponentStatistics Cost RuleStatistics Searches": "see the fields of Statistics",
    "ArrowStream": "any data frame with __arrow_c_stream__ is one",
}
"""Earlier names, and what to write now."""

__all__ = [*_MODULES, "__version__"]  # noqa: PLE0604 - all are strings


if not TYPE_CHECKING:  # type checkers would take every name for a public name

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
        raise gone(name, __name__, _ELSEWHERE)


def gone(name: str, module: str, elsewhere: Mapping[str, str]) -> Exception:
    """Returns the error for a name that a module does not export.

    Args:
        name: the name.
        module: the name of the module.
        elsewhere: the text to write for earlier names, which blanks separate.
    """
    for names, where in elsewhere.items():
        if name in names.split():  # no AttributeError: `from lars2asp import` would hide its text
            return ImportError(f"{name} is not a name of {module} any more: {where}")
    return AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=modules[module])


def __dir__() -> list[str]:
    return sorted(__all__)
