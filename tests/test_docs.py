"""What the pages in docs say is so: their examples are run.

An example is a block ```lars, what `lars2asp check` says of it (```check; nothing where there is none), and
streams with the answers (```stream). A block with a file name, as ```csv readings.csv, is a file beside it.
In a stream `1: hot` is input, and `1 -> alarm` is the answer from tick 1 to the next such line. `-> none`
is a tick without an answer, and `-> {a} | {b}` lists several. A block ```why has questions about the
answers to the stream above it, which are then left out, and the explanations.
`CONSTRUCTS` and `LANGUAGE` are written likewise: how each construct is explained, and what it means.
"""

import argparse
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from clingo import Symbol, parse_term

from lars2asp import Reading, Reasoner, Timeline, check, read_file
from lars2asp.analysis.argument_types.function_types import FunctionType
from lars2asp.analysis.tick_moments import EPOCH
from lars2asp.compiler import Overrides
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.evaluators.choice import assign
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoning.user_functions import given_functions, load_module
from lars2asp.runtime.sources.reading import Format, format_of
from lars2asp.syntax.diagnostics import Severity
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import Source
from tests.support.pages import BLOCK, CODE, PAGES, ROOT, page_name, without_code
from tests.support.processes import completed

PROGRAM = "program.lars"
CONSTRUCTS = ROOT / "tests" / "runtime" / "explanations" / "constructs.md"
LANGUAGE = ROOT / "tests" / "lars2asp" / "constructs.md"

_ANSWER = re.compile(r"(\d+) ->\s*(.*)")
_QUESTION = re.compile(r"(.+?)(?: @ (\d+))?(?: --depth (\d+))?(?: --explanations (\d+))?")


# --- examples -------------------------------------------------------------------------------------


class Stream(NamedTuple):
    """Input and answers, and the command-line options with which the program runs on it.

    Where there are questions about the answers, these are not written.
    """

    options: str
    text: str
    questions: tuple["Question", ...] = ()


class Question(NamedTuple):
    """A question and the explanation."""

    text: str
    explanation: str


@dataclass(frozen=True)
class Example:
    """A program of a page, the files beside it, and what is said of it."""

    place: str
    program: str
    files: dict[str, str] = field(default_factory=dict)
    says: list[str] = field(default_factory=list)
    streams: list[Stream] = field(default_factory=list)

    def written(self, folder: Path) -> Path:
        """The path of the program in a folder that has all of the files."""
        for name, text in {**self.files, PROGRAM: self.program}.items():
            (folder / name).write_text(text)
        return folder / PROGRAM


def examples(page: Path) -> Iterator[Example]:
    """The examples of a page in our spelling."""
    text = page.read_text()
    files: dict[str, str] = {}
    current: Example | None = None
    for block in BLOCK.finditer(text):
        kind, _, info = block[1].partition(" ")
        match kind:
            case "lars" | "csv" | "python" | "turtle" | "sparql" if info:
                files[info] = block[2]
            case "lars":
                if current is not None:
                    yield current
                line = text.count("\n", 0, block.start()) + 1
                current, files = Example(f"{page_name(page)}:{line}", block[2], files), {}
            case "check":
                assert current is not None
                current.says.extend(block[2].splitlines())
            case "stream":
                assert current is not None
                current.streams.append(Stream(info, block[2]))
            case "why":
                assert current is not None
                stream = current.streams.pop()
                current.streams.append(stream._replace(questions=(*stream.questions, *questions(block[2]))))
    if current is not None:
        yield current


def questions(text: str) -> Iterator[Question]:
    """The questions of a block, each a line that begins with `? `."""
    for part in re.split(r"^(?=[?] )", text, flags=re.MULTILINE):
        if part:
            line, _, explanation = part.partition("\n")
            yield Question(line[2:], explanation.rstrip("\n"))


EXAMPLES = [example for page in (*PAGES, CONSTRUCTS, LANGUAGE) for example in examples(page)]
RUNS = [
    pytest.param(example, stream, id=f"{example.place}-{number}")
    for example in EXAMPLES
    for number, stream in enumerate(example.streams, start=1)
    if not stream.questions
]
ASKED = [
    pytest.param(example, stream, question, id=f"{example.place}-{question.text}")
    for example in EXAMPLES
    for stream in example.streams
    for question in stream.questions
]


def functions_of(example: Example, folder: Path) -> dict[str, FunctionType | None]:
    """The functions in the modules beside an example."""
    modules = (load_module(folder / name) for name in example.files if name.endswith(".py"))
    return {name: one for module in modules for name, one in given_functions(module).items()}


@pytest.mark.parametrize("example", [pytest.param(e, id=e.place) for e in EXAMPLES])
def test_check_says_of_an_example_what_stands_below_it(example: Example, tmp_path: Path) -> None:
    path = example.written(tmp_path)
    overrides = Overrides(functions=functions_of(example, tmp_path))
    found = [
        str(diagnostic).splitlines()[0] for diagnostic in check(*read_sources([path]), overrides=overrides)
    ]
    assert [line.removeprefix(f"{path}:") for line in found] == example.says


@pytest.mark.parametrize(("example", "stream"), RUNS)
def test_an_example_has_the_answers_that_stand_below_it(
    example: Example, stream: Stream, tmp_path: Path
) -> None:
    assert differences(example, stream, tmp_path) == []


@pytest.mark.parametrize(
    "example", [pytest.param(e, id=e.place) for e in EXAMPLES if e.place.startswith("how-to/patterns/")]
)
def test_patterns_are_evaluated_by_delta(example: Example, tmp_path: Path) -> None:
    """None needs clingo."""
    plan = Reasoner.from_file(example.written(tmp_path)).plan
    chosen = {assignment.evaluator for assignment in assign(plan, EvaluatorName.AUTO)}
    assert chosen == {EvaluatorName.DELTA}


def test_a_wrong_example_is_noticed(tmp_path: Path) -> None:
    """Answers that are not so, answers that are missing, answers at ticks that there are not."""

    def found(text: str) -> list[str]:
        example = Example("here", "a :- p. { b } :- p.\n#show a/0. #show b/0.")
        return differences(example, Stream("", text), tmp_path)

    assert found("0: p\n0 -> {a} | {a,b}\n1 -> {}\n") == []
    assert len(found("0: p\n0 -> {a}\n1 -> {}\n")) == 1
    assert len(found("0: p\n0 -> b\n1 ->\n")) == 1
    assert len(found("0: p\n1 ->\n")) == 1
    assert len(found("0: p\n0 -> none\n1 ->\n")) == 1
    assert len(found("0 -> none\n1: q\n")) == 1


# --- streams --------------------------------------------------------------------------------------


def differences(example: Example, stream: Stream, folder: Path) -> list[str]:
    """What the answers of a run are in place of those in a stream, each difference a line."""
    lines = stream.text.splitlines()
    answers = [match for line in lines if (match := _ANSWER.fullmatch(line))]
    given = [line for line in lines if not _ANSWER.fullmatch(line)]
    (folder / "stream").write_text("".join(f"{line}\n" for line in given))
    path = example.written(folder)
    has_models = any(answer[2].startswith("{") for answer in answers)
    reasoner, reading, source = _prepared(path, stream.options, has_models)
    if source is None:
        source = folder / "stream"
        is_json = any(line.startswith("{") for line in given)
        form = Format.JSONL if is_json else Format.FACTS
        reading = Reading(form, reading.timeline, reading.declarations, decimals=reading.decimals)
    records = list(read_file(source, reading))
    expected = {int(answer[1]): answer[2].strip() for answer in answers}
    last = max([*(record.tick for record in records), *expected])
    wanted, found = "", []
    if "--emit windows" in stream.options:
        again, _, _ = _prepared(path, stream.options, has_models)
        written = [answer.tick for answer in again.run(records, until=last, emit="windows")]
        if written != [*expected]:
            found.append(f"answers are written at {written}, not at {[*expected]}")
    for answer in reasoner.run(records, until=last, emit="every"):
        wanted = expected.pop(answer.tick, wanted)
        if not _agrees(answer, wanted):
            shown = [", ".join(map(str, model.symbols)) for model in answer.models]
            found.append(f"{answer.tick} -> {shown}, not {wanted or 'the empty answer'}")
    return [*found, *(f"{tick} is not a tick of the run" for tick in expected)]


def _prepared(
    path: Path, options: str, has_models: bool, explain_last: int | None = None
) -> tuple[Reasoner, Reading, Path | None]:
    """The reasoner, how input is read, and a file of input, as options of the command line say."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("--complete-windows", action="store_true")
    parser.add_argument("--semantics")
    parser.add_argument("--consequences")
    parser.add_argument("--functions")
    parser.add_argument("--input")
    parser.add_argument("--origin")
    parser.add_argument("--emit")
    parser.add_argument("--start", type=int)
    parser.add_argument("-c", action="append", default=[])
    given = parser.parse_args(shlex.split(options))
    chosen: dict[str, Any] = {
        "complete_windows": given.complete_windows,
        "origin": given.origin,
        "semantics": given.semantics,
        "consequences": given.consequences,
        "start": given.start,
        "const": dict(definition.split("=") for definition in given.c),
        "models": 0 if has_models else 1,
        "explain_last": explain_last,
    }
    if given.functions:
        chosen["functions"] = load_module(path.parent / given.functions)
    reasoner = Reasoner.from_file(path, **chosen)
    plan = reasoner.plan
    timeline = Timeline.of(plan)
    source = path.parent / given.input if given.input else None
    form = format_of(str(source)) if source else None
    return reasoner, Reading(form, timeline, plan.inputs, decimals=plan.decimals), source


def _agrees(answer: Answer, wanted: str) -> bool:
    """Whether an answer is the one that is written."""
    if wanted == "none":
        return not answer.satisfiable
    if not answer.satisfiable:
        return False
    if wanted.startswith("{"):
        models = [_symbols(model.strip().removeprefix("{").removesuffix("}")) for model in wanted.split("|")]
        return sorted(models) == sorted(model.symbols for model in answer.models)
    if re.search(r"\d{10}", wanted):  # which clingo does not read
        return wanted == ", ".join(answer.holds.texts)
    if answer.holds.decimals and wanted == ", ".join(answer.holds.texts):
        return True
    return not re.search(r"\d\.\d", wanted) and _symbols(wanted) == answer.holds.symbols


def _symbols(text: str) -> tuple[Symbol, ...]:
    """The terms of a list such as `a, b(1)`."""
    return tuple(parse_term(f"({text},)").arguments) if text.strip() else ()


# --- questions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("example", "stream", "question"), ASKED)
def test_an_explanation_is_the_one_that_stands_below_its_question(
    example: Example, stream: Stream, question: Question, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert explained(example, stream, question) == question.explanation


def explained(example: Example, stream: Stream, question: Question) -> str:
    """What a question is answered; the working directory is a folder for the files."""
    asked = _QUESTION.fullmatch(question.text)
    assert asked is not None, question.text
    folder = Path()
    (folder / "stream").write_text(stream.text)
    reasoner, reading, source = _prepared(example.written(folder), stream.options, False, explain_last=10**6)
    if source is None:
        source = folder / "stream"
        form = Format.JSONL if stream.text.startswith("{") else Format.FACTS
        reading = Reading(form, reading.timeline, reading.declarations, decimals=reading.decimals)
    tick = None if asked[2] is None else int(asked[2])
    for _ in reasoner.run(read_file(source, reading), until=tick, emit="every"):
        pass
    timeline = reading.timeline if reading.timeline.origin != EPOCH else None
    depth = None if asked[3] is None else int(asked[3])
    explanations = int(asked[4] or 1)
    found = reasoner.why(asked[1], tick, depth=depth, explanations=explanations, timeline=timeline)
    return found.to_text()


# --- Python code ----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [pytest.param(page, id=page_name(page)) for page in PAGES])
def test_python_code_prints_what_its_comments_say(page: Path, tmp_path: Path) -> None:
    for block in BLOCK.finditer(page.read_text()):
        if block[1] == "python":
            done = completed([sys.executable, "-c", block[2]], cwd=tmp_path)
            comments: list[str] = re.findall(r"^(?:.*\)  )?# (.*)$", block[2], re.MULTILINE)
            assert done.stdout.splitlines() == comments


# --- spellings ------------------------------------------------------------------------------------


def spellings(page: Path) -> Iterator[str]:
    """The code in the columns `here` of a page's tables, options and input left out."""
    column: int | None = None
    for line in without_code(page).splitlines():
        if not line.startswith("|"):
            column = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if "here" in cells:
            column = cells.index("here")
        elif column is not None:
            for code in CODE.findall(cells[column]):
                text = str(code[1]).replace(r"\|", "|").strip()
                if not re.match(r"-|\{\"|\d+[-:]|lars2asp ", text):
                    yield text


SPELLINGS = [(page_name(page), text) for page in PAGES for text in spellings(page)]


@pytest.mark.parametrize(("page", "text"), SPELLINGS)
def test_spellings_of_other_systems_have_the_right_counterpart(page: str, text: str) -> None:
    """It is a statement or the literals of a body."""
    program = text if text.endswith(".") else f"spelled :- {text}."
    if "#tick" not in program:
        program = f"#tick 1 sec.\n{program}"
    found = check(
        Source(page, program), overrides=Overrides(functions=frozenset({"twice", "split", "close"}))
    )
    assert [str(d) for d in found if d.severity is Severity.ERROR] == []
