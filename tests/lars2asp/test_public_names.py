"""What `lars2asp` exports: every type that stands in the signature of something exported is exported too."""

import inspect
import pydoc
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from clingo import Symbol

import lars2asp
import lars2asp.connectors
import lars2asp.explanations
import lars2asp.syntax
import lars2asp.typing
from lars2asp import (
    Answer,
    AnswerFrames,
    Chart,
    Explanation,
    Final,
    Plan,
    PlanDrawing,
    Reading,
    Reasoner,
    Revised,
    Timeline,
)
from lars2asp.connectors import Clock, Feed
from lars2asp.runtime.runs.follow import LiveSources
from lars2asp.runtime.sources.reject_warnings import RejectChoice
from lars2asp.typing import LiveOptions, ReasonerOptions, StreamOptions

MOST_NAMES = 44
MOST_OF_EXPLANATIONS = 10

OPAQUE = (Plan, lars2asp.syntax.Input)
"""Users hand these on and look at nothing in them."""
HAND_ON = (Answer, AnswerFrames, Chart, PlanDrawing)
FOR_THE_PROJECT = {"Changes", "ChartData", "ChartFormat", "DrawingFormat", "FrameKind", "OutputState"}
FOR_THE_PROJECT |= {"Bound", "ClaimedAtom", "FailedRule", "Instance", "Session", "StreamGraph", "Version"}
FOR_THE_PROJECT |= {"Called", "DefinedBy", "Element", "LastTold", "LateRule", "OtherHead", "Place"}
FOR_THE_PROJECT |= {"Weighed", "Witness"}
"""Only methods of answers and their frames take or give these that the project itself calls; claims have
values, of which users see the texts."""
CLAIMS = tuple(vars(lars2asp.explanations)[name] for name in lars2asp.explanations.__all__)
PARTS = {
    "ComponentStatistics",
    "Cost",
    "Searches",
    "RuleStatistics",
    "ArrowStream",
    "TimeForm",
    "DurationForm",
    "TickMoments",
    "LateMoments",
    "RowNumbers",
    "RecordCount",
    "RecordNumbers",
    "TimesMet",
    "WantedColumns",
    "Required",
    "RepeatedHours",
    "TimeOrder",
    "FileLines",
    "TripleFacts",
    "LiveTriples",
    "Dialect",
    "Note",
    "Overrides",
    "ProgramOptions",
    "TableForm",
    "Tuning",
}
"""Parts of statistics and of readings, all data frames, and forms of times and numbers: users do not name
these."""

NAMES: dict[str, Any] = {
    "Any": Any,
    "Symbol": Symbol,
    "Explanation": Explanation,
    "Clock": Clock,
    "Feed": Feed,
    "Reading": Reading,
    "Reasoner": Reasoner,
    "Timeline": Timeline,
    "LiveSources": LiveSources,
    "RejectChoice": RejectChoice,
}
NAMES |= {
    "Chart": Chart,
    "PlanDrawing": PlanDrawing,
    "AnswerFrames": AnswerFrames,
    "Final": Final,
    "Revised": Revised,
    "pa": pa,
    "pd": pd,
    "pl": pl,
}
"""What modules import for type checkers only."""

PUBLIC = {
    name: getattr(module, name)
    for module in (lars2asp, lars2asp.connectors, lars2asp.typing, lars2asp.syntax, lars2asp.explanations)
    for name in module.__all__
    if name != "__version__"
}


def functions(exported: Any) -> Iterator[Any]:
    """What has annotations: the thing itself, its public methods and properties."""
    yield exported
    for name, member in vars(exported).items() if inspect.isclass(exported) else ():
        if name == "__init__" or not name.startswith("_"):
            found = getattr(member, "fget", None) or getattr(member, "func", member)
            found = getattr(found, "__func__", found)
            if inspect.isfunction(found):
                yield found


def named(annotation: Any) -> Iterator[type]:
    """The classes of the project that an annotation names."""
    if isinstance(annotation, type) and annotation.__module__.startswith("lars2asp"):
        yield annotation
    for argument in annotation if isinstance(annotation, list) else get_args(annotation):
        yield from named(argument)


@pytest.mark.parametrize("name", [name for name, found in PUBLIC.items() if found not in OPAQUE])
def test_types_in_public_signatures_are_exported(name: str) -> None:
    exported = PUBLIC[name]
    if not callable(exported) or get_args(exported):  # an alias such as Fact
        return
    for function in functions(exported):
        for annotation in get_type_hints(function, localns=NAMES).values():
            for found in named(annotation):
                assert found.__name__ in {*PUBLIC, *PARTS} or (
                    exported in (*HAND_ON, *CLAIMS) and found.__name__ in FOR_THE_PROJECT
                ), function


def test_keywords_are_documented() -> None:
    of_reasoner = pydoc.plain(pydoc.render_doc(Reasoner))
    for name in ReasonerOptions.__annotations__:
        assert name == "tuning" or re.search(rf"^ \| +{name}: ", of_reasoner, re.MULTILINE), name
    for method, options in ((Reasoner.run, StreamOptions), (Reasoner.run_live, LiveOptions)):
        documented = pydoc.plain(pydoc.render_doc(method))
        for name in options.__annotations__:
            assert re.search(rf"^ +{name}: ", documented, re.MULTILINE), name


def test_there_are_few_names() -> None:
    assert len(lars2asp.__all__) <= MOST_NAMES
    assert len(lars2asp.explanations.__all__) <= MOST_OF_EXPLANATIONS


OF_0_2 = (
    "Answer Clock ComponentStatistics Consequences Cost Diagnostic Dialect EvaluationError EvaluatorError "
    "EvaluatorName Events Fact Feed Format InUseError Input InputError Lars2aspError Line Location OnReject "
    "Options Origin OtherFormatError Overrides Plan ProgramError Reading Reasoner Record Rejected RunOptions "
    "Semantics Severity SnapshotError Source SparkError SparkSetupError Statistics StreamItem "
    "TickTimeoutError TimeUnit Timeline Tuning check compile_program follow read_file"
)
"""The names that release 0.2.0 had."""


def test_names_of_the_last_release_are_there_or_say_what_to_write() -> None:
    for name in OF_0_2.split():
        if name not in lars2asp.__all__:
            with pytest.raises(ImportError, match=f"{name} is not a name of lars2asp any more: "):
                getattr(lars2asp, name)


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("Told", "FromInput of lars2asp.explanations"),
        ("Claim", "lars2asp.explanations"),
        ("Input", "lars2asp.syntax"),
        ("follow", "a method"),
    ],
)
def test_names_that_are_elsewhere_are_said_to_be(name: str, where: str) -> None:
    with pytest.raises(ImportError, match=f"{name} is not a name of lars2asp any more: .*{where}"):
        getattr(lars2asp, name)


@pytest.mark.parametrize(
    ("name", "where"),
    [("Told", "FromInput"), ("LiteralNode", "RuleLiteral"), ("Witness", "lars2asp.runtime.explanations")],
)
def test_names_of_explanations_that_are_elsewhere(name: str, where: str) -> None:
    with pytest.raises(
        ImportError, match=f"{name} is not a name of lars2asp.explanations any more: .*{where}"
    ):
        getattr(lars2asp.explanations, name)


def test_names_are_imported_when_they_are_used() -> None:
    """`import lars2asp` alone is quick, and no name needs Spark."""
    listed = "import lars2asp, sys; print('clingo' in sys.modules, dir(lars2asp) == sorted(lars2asp.__all__))"
    found = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False", "True"]
    stepped = "from lars2asp import Reasoner; import sys; Reasoner.from_text('a :- p.').step(0, ['p'])"
    stepped += "; print(sorted(sys.modules.keys() & {'asyncio', 'ssl', 'pyarrow', 'csv'}))"
    found = subprocess.run([sys.executable, "-c", stepped], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]", "each module more is walked through by the garbage collector"
    unloaded = f"import lars2asp, sys; {'; '.join(f'lars2asp.{name}' for name in lars2asp.__all__)}"
    unloaded += "; print('pyspark' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", unloaded], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False"]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = lars2asp.nothing  # type: ignore[attr-defined]


def test_type_checkers_see_the_names_that_there_are() -> None:
    text = Path(lars2asp.__file__).read_text()
    seen = set(re.findall(r"^    from .* import (\w+) as \1$", text, re.MULTILINE))
    assert seen == {*lars2asp.__all__} - {"__version__"}


if TYPE_CHECKING:
    # A `__getattr__` that type checkers see would make every name of the module a public name. mypy says
    # where an error that is ignored is none.
    from lars2asp import Nonexistent  # type: ignore[attr-defined]  # noqa: F401
    from lars2asp.explanations import Claims  # type: ignore[attr-defined]  # noqa: F401
    from lars2asp.spark import answer  # type: ignore[attr-defined]  # noqa: F401

    lars2asp.Reasoner.from_text("a :- p.", tik=1)  # type: ignore[call-arg]
