"""What explanations are made of: claims, why each holds or not, the rules that fail, and literals.

`Explanation.claims` has the first claims. A claim's `reason` is a FromInput, FromProgram or FromRule if the
atom holds, an Absent or NoAnswer if it does not, and a Repeated or CutOff if nothing stands below it here.
"""

from typing import TYPE_CHECKING, Any

from lars2asp import gone
from lars2asp.runtime.explanations.words.claims import (
    Absent,
    Claim,
    CutOff,
    FailedRule,
    FromInput,
    FromProgram,
    FromRule,
    NoAnswer,
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
    "Called DefinedBy Element LastTold LateRule OtherHead Place Weighed Witness": "it is in "
    "lars2asp.runtime.explanations.words.claims",
}
"""What stood here before, and where it is."""

__all__ = [
    "Absent",
    "Claim",
    "CutOff",
    "FailedRule",
    "FromInput",
    "FromProgram",
    "FromRule",
    "NoAnswer",
    "Repeated",
    "RuleLiteral",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise gone(name, __name__, _ELSEWHERE)
