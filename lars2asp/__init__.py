"""lars2asp: stream reasoning with LARS, compiled to answer set programming.

from lars2asp import Reasoner

reasoner = Reasoner.from_text("alarm :- hot always in [2].")
for tick in range(4):
    print(tick, reasoner.step(tick, ["hot"]).atoms)
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lars2asp.compiler import Overrides as Overrides
    from lars2asp.compiler import check as check
    from lars2asp.compiler import compile_program as compile_program
    from lars2asp.externals.events import Events as Events
    from lars2asp.runtime.answer import Answer as Answer
    from lars2asp.runtime.errors import EvaluationError as EvaluationError
    from lars2asp.runtime.errors import EvaluatorError as EvaluatorError
    from lars2asp.runtime.errors import InputError as InputError
    from lars2asp.runtime.errors import InUseError as InUseError
    from lars2asp.runtime.evaluators.statistics import Statistics as Statistics
    from lars2asp.runtime.reasoner import Reasoner as Reasoner
    from lars2asp.runtime.runs.follow import follow as follow
    from lars2asp.runtime.sources.atoms import Fact as Fact
    from lars2asp.runtime.sources.files import read_file as read_file
    from lars2asp.runtime.sources.reading import Reading as Reading
    from lars2asp.runtime.sources.records import Record as Record
    from lars2asp.runtime.sources.records import Rejected as Rejected
    from lars2asp.runtime.sources.table import Dialect as Dialect
    from lars2asp.runtime.sources.timeline import Timeline as Timeline
    from lars2asp.syntax.diagnostics import Diagnostic as Diagnostic
    from lars2asp.syntax.diagnostics import Lars2aspError as Lars2aspError
    from lars2asp.syntax.diagnostics import ProgramError as ProgramError
    from lars2asp.syntax.source import Source as Source

_HOMES = {
    "Events": "lars2asp.externals.events",
    "Overrides": "lars2asp.compiler",
    "check": "lars2asp.compiler",
    "compile_program": "lars2asp.compiler",
    "Diagnostic": "lars2asp.syntax.diagnostics",
    "Lars2aspError": "lars2asp.syntax.diagnostics",
    "ProgramError": "lars2asp.syntax.diagnostics",
    "Source": "lars2asp.syntax.source",
    "Answer": "lars2asp.runtime.answer",
    "EvaluationError": "lars2asp.runtime.errors",
    "EvaluatorError": "lars2asp.runtime.errors",
    "InputError": "lars2asp.runtime.errors",
    "InUseError": "lars2asp.runtime.errors",
    "Fact": "lars2asp.runtime.sources.atoms",
    "follow": "lars2asp.runtime.runs.follow",
    "Reasoner": "lars2asp.runtime.reasoner",
    "Record": "lars2asp.runtime.sources.records",
    "Rejected": "lars2asp.runtime.sources.records",
    "Reading": "lars2asp.runtime.sources.reading",
    "read_file": "lars2asp.runtime.sources.files",
    "Dialect": "lars2asp.runtime.sources.table",
    "Statistics": "lars2asp.runtime.evaluators.statistics",
    "Timeline": "lars2asp.runtime.sources.timeline",
}

__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604 - all are strings

try:
    __version__ = version("lars2asp")
except PackageNotFoundError:  # run from a checkout that is not installed
    __version__ = "0"


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first asked for (PEP 562)."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
