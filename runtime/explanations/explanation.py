from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lars2asp.runtime.explanations.tree import Claim


@dataclass(frozen=True)
class Explanation:
    claims: tuple[Claim, ...]
    header: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return {**self.header, "explains": [claim.to_dict() for claim in self.claims]}
