"""Mutated programs, compiled and run for a few ticks."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from experiments.fuzzing.mutation import change_characters, change_tokens, replace_token
from experiments.fuzzing.outcomes import ROOT, Finding, FuzzOutcome
from experiments.fuzzing.supervision import Enter
from lars2asp.analysis.passes.growth import check_growth
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.compiler import check, compile_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import EvaluatorError, InputError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.diagnostics import Diagnostics, Lars2aspError, ProgramError, Severity
from lars2asp.syntax.source import Source

SLOW, SLOW_FOR_EACH = 2.0, 50e-6
"""A text that takes more seconds to compile, and for each character, is a finding."""

LONGEST_SAID = 2100
FOLDERS = (("examples", "*.lars"), ("tests/plain_asp", "*.lp"), ("tests/broken", "*.lars"))
PAGES = ("README.md", "docs/*.md")
_BLOCK = re.compile(r"^```(?:lars)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STATEMENT = re.compile(r".*?\.(?=\s)\s*", re.DOTALL)
_PREDICATE = re.compile(r"(?<![\w#@\"'])([a-z]\w*)\(([^()]*)\)")
WORDS = (
    *(
        "in [3]",
        "always in [2]",
        "at T in [5]",
        "at T",
        "at @now",
        "at @now + 1",
        "at least 2 in [3]",
        "at most 1 in [3]",
    ),
    *(
        "count N in [4]",
        "in {0,2}",
        "in [1 min]",
        "in [4 step 2]",
        "in [every 3]",
        "in [2 #]",
        "in [2 # p/1]",
    ),
    *(
        "in [2 # by X]",
        "in",
        "always",
        "at",
        "least",
        "most",
        "count",
        "step",
        "every",
        "by",
        "sec",
        "not",
        "not not",
    ),
    *(
        "#temp",
        "#const n = 3.",
        "#show.",
        "#show p/1.",
        "#tick 1 sec.",
        '#timezone "UTC".',
        "#semantics strict.",
        "#input p(x) at t.",
    ),
    *("#program base.", "#program other.", '#include "colours.lp".', "#include <incmode>.", "#defined p/1."),
    *(
        "#external p(X) : q(X).",
        "#minimize { X@1,X : p(X) }.",
        "#maximize",
        "#project p/1.",
        "#edge (a,b).",
        "#theory t {}.",
    ),
    *(
        "#heuristic a. [1,true]",
        "#script (python)",
        "#end.",
        "#count",
        "#sum",
        "#sum+",
        "#min",
        "#max",
        "#inf",
        "#sup",
    ),
    *(
        "#true",
        "#false",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        ":-",
        ":~",
        ":",
        ";",
        ",",
        ".",
        "..",
        "|",
        "@",
        "@now",
        "@f(X)",
    ),
    *(
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "==",
        "+",
        "-",
        "*",
        "/",
        "\\",
        "**",
        "^",
        "?",
        "&",
        "~",
        "_",
        "X",
        "Y",
        "p",
        "-p(X)",
    ),
    *(
        "p(X)",
        "p(1;2)",
        "p(1..3)",
        "(X,Y)",
        "(1;2)",
        "1..1000000000",
        "2**30",
        "2**2147483647",
        "X**X",
        "0",
        "1",
        "7",
    ),
    *(
        '"s"',
        '"open',
        "%*",
        "*%",
        "%",
        "#!",
        "{ p(X) : q(X) }",
        "#sum { X : p(X) }",
        "X = Y",
        "1 < X < 3",
        "p(X) : q(X)",
    ),
)


@cache
def corpus() -> tuple[Source, ...]:
    """The valid (or nearly valid) programs to begin with, each with the path of its file."""
    found = []
    for folder, pattern in FOLDERS:
        for path in sorted((ROOT / folder).rglob(pattern)):
            found.append(Source(str(path), path.read_text(encoding="utf-8")))
    for pattern in PAGES:
        for path in sorted(ROOT.glob(pattern)):
            blocks = _BLOCK.findall(path.read_text(encoding="utf-8"))
            found += [Source(str(path), block) for block in blocks if ":-" in block]
    return tuple(found)


@cache
def _texts() -> tuple[str, ...]:
    return tuple(source.text for source in corpus())


@dataclass(frozen=True)
class ProgramFuzz:
    """Cases of mutated programs.

    Attributes:
        seed: makes other cases.
        patience: how many seconds the steps of a program may take.
    """

    seed: int
    patience: float = 2.0

    @property
    def limits(self) -> Mapping[str, float]:
        """Seconds for each stage."""
        return {"compile": 10.0, "check": 10.0, "step": self.patience}

    @property
    def lenient(self) -> frozenset[str]:
        """Grounding may take for ever: a program can say so."""
        return frozenset({"step"})

    def text(self, case: int, stage: str) -> str:
        """The text of a case."""
        return self.program(case).text

    def has_no_end(self, case: int) -> bool:
        """Whether rules build numbers or terms without end, which `check` warns of."""
        found = Diagnostics()
        check_growth(ProgramAnalysis(compile_program(self.program(case)).program), found)
        return bool(found.found)

    def program(self, case: int) -> Source:
        """The program of a case."""
        return _mutated(Random(f"{self.seed} programs {case}"))

    def run(self, case: int, enter: Enter) -> FuzzOutcome:
        """Compiles a program and, where that is possible, runs it."""
        source, random, outcome = self.program(case), Random(f"{self.seed} steps {case}"), FuzzOutcome()
        enter("compile", source.text)
        began = time.perf_counter()
        plan = _compiled(source, case, outcome)
        seconds = time.perf_counter() - began
        outcome.took("compile", seconds, source.text)
        if seconds > SLOW + SLOW_FOR_EACH * len(source.text):
            outcome.findings.append(Finding("slow compile", case, f"{seconds:.1f} s", source.text))
        if plan is None or case % 8 == 0:
            enter("check", source.text)
            _check(source, plan is not None, case, outcome)
        if plan is not None:
            enter("step", source.text)
            began = time.perf_counter()
            _step(plan, source.text, random, outcome)
            outcome.took("step", time.perf_counter() - began, source.text)
        return outcome


def _mutated(random: Random) -> Source:
    source = random.choice(corpus())
    if "broken" in source.name and random.random() < 0.8:
        source = random.choice(corpus())
    text = source.text
    if random.random() < 0.5:
        text = _spliced(random, text, random.choice(_texts()))
    is_gentle = random.random() < 0.4
    for _ in range(random.choice((1, 1, 1, 1, 2, 4))):
        if is_gentle:
            text = replace_token(random, text, _texts())
        elif random.random() < 0.25:
            text = change_characters(random, text, _texts())
        else:
            text = change_tokens(random, text, _texts(), WORDS)
    return Source(source.name, text)


def _spliced(random: Random, text: str, other: str) -> str:
    """Statements of two programs."""
    one, two = _STATEMENT.findall(text), _STATEMENT.findall(other)
    share = random.choice((0.2, 0.5, 0.9))
    chosen = [statement for statement in (*one, *two) if random.random() < share]
    if random.random() < 0.5:
        random.shuffle(chosen)
    return "".join(chosen)


def _compiled(source: Source, case: int, outcome: FuzzOutcome) -> Plan | None:
    try:
        plan = compile_program(source)
    except Lars2aspError as error:
        outcome.counts["refused"] += 1
        if not str(error).strip():
            outcome.findings.append(Finding("compile: an error that says nothing", case, "", source.text))
        return None
    outcome.counts["compiled"] += 1
    return plan


def _check(source: Source, is_compiled: bool, case: int, outcome: FuzzOutcome) -> None:
    """Whether `check` says the same, and says it well."""
    diagnostics = check(source)
    if is_compiled == any(found.severity is Severity.ERROR for found in diagnostics):
        outcome.findings.append(Finding("check: says otherwise than compile", case, "", source.text))
    for found in diagnostics:
        for text in (found.message, found.hint):
            if not text.isprintable():
                kind = "check: a message that is not printable"
                outcome.findings.append(Finding(kind, case, ascii(text), source.text))
                return
            if len(text) > LONGEST_SAID:
                outcome.findings.append(Finding("check: a long message", case, text[:60], source.text))
                return


def _step(plan: Plan, text: str, random: Random, outcome: FuzzOutcome) -> None:
    """Runs a program for a few ticks on facts of predicates that stand in it."""
    evaluator = random.choice((EvaluatorName.AUTO,) * 6 + tuple(EvaluatorName))
    predicates = [(name, inner.count(",") + 1) for name, inner in _PREDICATE.findall(text)] or [("p", 1)]
    try:
        reasoner = Reasoner(plan, evaluator=evaluator, models=random.choice((1, 1, 1, 2)))
        for tick in (0, 1, 3):
            answer = reasoner.step(tick, _facts(random, predicates), begin=_facts(random, predicates)[:1])
            answer.holds.texts  # noqa: B018 - made when asked for
            answer.began.symbols, answer.ended.symbols  # noqa: B018
            outcome.counts["ticks"] += 1
    except EvaluatorError:
        outcome.counts["an evaluator cannot serve it"] += 1
    except ProgramError:
        outcome.counts["refused at the start"] += 1
    except InputError:
        outcome.counts["refused facts"] += 1
    except Lars2aspError:
        outcome.counts["refused by clingo"] += 1
    else:
        outcome.counts["run"] += 1


def _facts(random: Random, predicates: Sequence[tuple[str, int]]) -> list[tuple[str | int, ...]]:
    chosen = [random.choice(predicates) for _ in range(random.randrange(4))]
    return [
        (name, *(random.choice((1, 2, 3, 7, "x")) for _ in range(arity)))
        for name, arity in chosen
        if name != "not"
    ]
