"""Tests of rules, case by case, and what came of them, in words."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.rule_tests.case_run import CaseRun, Failure
from lars2asp.runtime.rule_tests.notation import ENDING, RuleCase, RuleFile
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.source import visible
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class CaseResult:
    """What came of a case.

    Attributes:
        file: the file.
        case: the case.
        failures: what was not as it was claimed; none where the case passed.
        run: the run; None where the case could not be run.
    """

    file: RuleFile
    case: RuleCase
    failures: tuple[Failure, ...]
    run: CaseRun | None

    @property
    def text(self) -> str:
        """The failures, with their places."""
        lines = [
            line
            for one in self.failures
            for line in (f"{self.file.path}:{one.line}: {one.text}", *(f"  {more}" for more in one.details))
        ]
        return visible("\n".join(lines))


def result_of(file: RuleFile, case: RuleCase, options: Sequence[str] = ()) -> CaseResult:
    """What comes of a case; more options go before its own."""
    run = CaseRun(file, case, options)
    try:
        return CaseResult(file, case, tuple(run.failures()), run)
    except Lars2aspError as error:
        failure = Failure(case.line, "the case cannot be run", tuple(str(error).splitlines()))
        return CaseResult(file, case, (failure,), None)


def rule_files(paths: Sequence[str]) -> Iterator[Path]:
    """The files with tests among files, and in folders. Raises InputError where there are none."""
    for name in paths:
        path = Path(name)
        found = sorted(path.rglob(f"*{ENDING}")) if path.is_dir() else [path]
        if not found:
            raise InputError(f"{name}: no file in it ends with {ENDING}")
        yield from found
