"""The outcome of a case: counts, times, and findings, which are mistakes of the product."""

import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST_SHOWN = 600
"""Characters of a text in the report of a finding."""


@dataclass(frozen=True)
class Finding:
    """A mistake of ours: what happened, at which case, and what provoked it."""

    kind: str
    case: int
    detail: str
    text: str

    def __str__(self) -> str:
        text = repr(self.text)
        shown = (
            text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} ({len(self.text)} characters)"
        )
        return f"{self.kind}\n  case {self.case}: {self.detail[:LONGEST_SHOWN]}\n  {shown}"


@dataclass
class FuzzOutcome:
    """The outcome of one case.

    Attributes:
        counts: how often what happened.
        findings: the mistakes.
        slowest: for each stage the longest time in seconds that it took, and for which text.
    """

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    slowest: dict[str, tuple[float, str]] = field(default_factory=dict)

    def took(self, stage: str, seconds: float, text: str) -> None:
        """Notes the time that a stage took."""
        if seconds > self.slowest.get(stage, (0.0, ""))[0]:
            self.slowest[stage] = (seconds, text)

    def add(self, other: "FuzzOutcome") -> None:
        """Takes in what came of another case."""
        self.counts += other.counts
        self.findings += other.findings
        for stage, (seconds, text) in other.slowest.items():
            self.took(stage, seconds, text)


def kind_of(error: BaseException) -> str:
    """The type of an exception and the place of ours that it went through last."""
    places = [
        f"{Path(frame.filename).relative_to(ROOT)}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(ROOT) and ".venv" not in frame.filename
    ]
    return f"{type(error).__name__} at {places[-1] if places else 'no place of ours'}"
