"""The parts of explanations: claims, their reasons, failed rules and literals.

`Explanation.claims` lists the first claims. The `reason` of a claim is a FromInput, FromProgram or FromRule
if the atom holds, and an Absent or NoAnswer if it does not. It is a Remembered if either lasts since an
earlier tick. A Repeated or CutOff ends a branch.
"""

from typing import TYPE_CHECKING, Any

from lars2asp import gone
from lars2asp.runtime.explanations.words.claims import (
    Absent,
    Claim,
    CutOff,
    FromInput,
    FromProgram,
    FromRule,
    NoAnswer,
    Remembered,
    Repeated,
    RuleLiteral,
)

_ELSEWHERE = {
    "Background": "it is called FromProgram now",
    "Cut": "it is called CutOff now",
    "Derived": "it is called FromRule now",
    "LiteralNode": "it is called RuleLiteral now",
    "Seen": "it is called Repeated now",
    "Told": "it is called FromInput now",
    "Called DefinedBy Element FailedRule LastTold LateRule OtherHead Place Weighed Witness": "it is in "
    "lars2asp.runtime.explanations.words.claims",
}
"""Earlier names, and what to write now."""

__all__ = [
    "Absent",
    "Claim",
    "CutOff",
    "FromInput",
    "FromProgram",
    "FromRule",
    "NoAnswer",
    "Remembered",
    "Repeated",
    "RuleLiteral",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise gone(name, __name__, _ELSEWHERE)
