"""Claims in which times and durations are integers, as the checker of explanations has them."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from lars2asp.runtime.explanations.words.instances import ClaimedAtom, ClaimedTuple, Numbers
from lars2asp.syntax.nodes import Node


def in_ticks(value: Any, known: dict[int, Any] | None = None) -> Any:
    """A claim, or a part of one, with ticks in place of times and durations.

    Args:
        value: the claim.
        known: parts that are done already, by their identity: a claim may stand below several.
    """
    known = {} if known is None else known
    match value:
        case Numbers():
            return value.in_ticks
        case ClaimedAtom(decimals=forms) | ClaimedTuple(decimals=forms):
            decimals = tuple(form if isinstance(form, int) else None for form in forms)
            return replace(value, decimals=decimals)
        case Node() | str():
            return value
        case tuple() | list():
            items = [in_ticks(one, known) for one in value]
            return value._make(items) if hasattr(value, "_make") else type(value)(items)
        case Mapping():
            return {key: in_ticks(one, known) for key, one in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    if id(value) not in known:
        changes = {one.name: in_ticks(getattr(value, one.name), known) for one in fields(value) if one.init}
        known[id(value)] = replace(value, **changes)
    return known[id(value)]
