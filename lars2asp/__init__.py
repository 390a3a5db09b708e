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
    from externals.events import Events as Events
    from lars2asp.compiler import Overrides as Overrides
    from lars2asp.compiler import check as check
    from lars2asp.compiler import compile_program as compile_program
    from lars2asp.diagnostics import Diagnostic as Diagnostic
    from lars2asp.diagnostics import Lars2aspError as Lars2aspError
    from lars2asp.diagnostics import ProgramError as ProgramError
    from lars2asp.source import Source as Source
    from runtime.answer import Answer as Answer
    from runtime.errors import EvaluationError as EvaluationError
    from runtime.errors import EvaluatorError as EvaluatorError
    from runtime.errors import InputError as InputError
    from runtime.errors import InUseError as InUseError
    from runtime.facts import Fact as Fact
    from runtime.follow import follow as follow
    from runtime.reasoner import Reasoner as Reasoner
    from runtime.records import Record as Record
    from runtime.records import Rejected as Rejected
    from runtime.sources.files import read_file as read_file
    from runtime.sources.reading import Reading as Reading
    from runtime.sources.table import Dialect as Dialect
    from runtime.statistics import Statistics as Statistics
    from runtime.timeline import Timeline as Timeline

_HOMES = {
    "Events": "externals.events",
    "Overrides": "lars2asp.compiler",
    "check": "lars2asp.compiler",
    "compile_program": "lars2asp.compiler",
    "Diagnostic": "lars2asp.diagnostics",
    "Lars2aspError": "lars2asp.diagnostics",
    "ProgramError": "lars2asp.diagnostics",
    "Source": "lars2asp.source",
    "Answer": "runtime.answer",
    "EvaluationError": "runtime.errors",
    "EvaluatorError": "runtime.errors",
    "InputError": "runtime.errors",
    "InUseError": "runtime.errors",
    "Fact": "runtime.facts",
    "follow": "runtime.follow",
    "Reasoner": "runtime.reasoner",
    "Record": "runtime.records",
    "Rejected": "runtime.records",
    "Reading": "runtime.sources.reading",
    "read_file": "runtime.sources.files",
    "Dialect": "runtime.sources.table",
    "Statistics": "runtime.statistics",
    "Timeline": "runtime.timeline",
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
