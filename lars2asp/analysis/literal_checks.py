"""Checks of parts of a literal: of the atom that a window is about, and of elements that change no sum."""

from collections.abc import Mapping, Sequence
from typing import Any

from lars2asp.analysis.explanation_shapes import Json, bare, need
from lars2asp.analysis.ground_terms import Bindings, instance_text
from lars2asp.syntax import nodes
from lars2asp.syntax.traversal import every


def check_of(window: Json, atom: nodes.Atom, known: Bindings) -> None:
    """Checks whether a window is about any instance of an atom, and about which."""
    is_open = any(variable.name not in known for variable in every(nodes.Variable, atom))
    text = instance_text(atom, known)
    need(("of" in window) is is_open, f"the window is about {'any' if is_open else 'one'} {text}")
    need(not is_open or bare(window["of"]) == bare(text), f"the window is about any {text}")


def check_adds(literal: Any, counted: Mapping[Any, str], elements: Sequence[Json]) -> None:
    """Checks which elements the value of an aggregate is said not to depend on.

    Args:
        literal: the aggregate, or a conditional literal.
        counted: the tuples that count, and their texts.
        elements: those that are told.
    """
    function = getattr(getattr(literal, "atom", None), "function", None)
    idle = {bare(text) for one, text in counted.items() if not _adds(function, one)}
    for element in elements:
        is_idle = bare(element["text"]) in idle
        does = "does not depend" if is_idle else "depends"
        need(element.get("adds", True) is not is_idle, f"the value {does} on `{element['text']}`")


def _adds(function: object, values: Any) -> bool:
    """Whether the value of an aggregate with a function depends on a tuple."""
    if function not in ("#sum", "#sum+"):
        return True
    weight = values[0] if values and type(values[0]) is int else 0
    return weight != 0 if function == "#sum" else weight > 0
