"""The form of explanations: which objects have which keys, and how texts and runs of ticks are compared."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from lars2asp.definition.terms import read_atom
from lars2asp.syntax import nodes

Json = dict[str, Any]
"""An object of an explanation."""

SHAPES: Mapping[str, str] = {
    "explanation": "tick:int start:int complete_windows:bool semantics:str kept_from:int depth:int"
    " followed?:dict explains:list program?:list input?:str hints?:list",
    "followed": "atoms:dict without_answer:list placed:list fleeting?:dict",
    "claim": "id:int atom:str tick:int seen_at:int holds:bool because:str label?:str",
    "input": "record:str first:int last:int|NoneType",
    "background": "statement:dict",
    "rule": "statement:dict bindings:dict at:int body:list calls?:list",
    "choice": "statement:dict bindings:dict at:int body:list cost?:list other?:list|NoneType calls?:list"
    " condition?:list",
    "call": "call:str value:str",
    "nothing": "last_told:int|NoneType rules:list last_atom?:str last_record?:str known_from?:int"
    " defined_by?:str later?:list rules_from?:int nearest?:dict",
    "nearest": "atom:str tick:int record:str",
    "late": "statement:dict at:int",
    "memory": "since:dict statement?:dict bindings?:dict step?:int through?:list",
    "through": "atom:str statement:dict bindings:dict ago:int",
    "seen": "see:int",
    "depth": "",
    "not kept": "",
    "no answer": "clashing:list contraries?:list",
    "failed": "statement:dict bindings:dict at:int failed:dict|NoneType met?:list"
    " cost?:list other?:list|NoneType others?:list more?:bool",
    "other": "atom:str tick:int|NoneType bindings:dict body:list count?:int",
    "statement": "number:int source:str line:int text:str label?:str",
    "literal": "position:int literal:str holds:bool claims?:list window?:dict value?:str elements?:list"
    " written?:str undefined?:str element?:int",
    "clashing": "statement:dict bindings:dict",
    "window": "ticks:list holds_at:list tuples:bool of?:str",
    "element": "text:str claims?:list adds?:bool",
}
"""The keys of the objects and the types of their values; `?` behind those that may be missing."""


_NUMBERS = re.compile(r"""("(?:[^"\\]|\\.)*")|(?<![A-Za-z0-9_'])([0-9]+)\.([0-9]+)""")
_BLANK = re.compile(r"""("(?:[^"\\]|\\.)*")|\s+|(?<![A-Za-z0-9_'\s])\((-[0-9]+)\)""")
_SAID = ("atom", "last_atom", "literal", "written", "value", "of", "undefined")
"""The keys of texts with values of the program."""


def in_integers(explanation: Any, program: nodes.Program) -> Any:
    """An explanation with the integers of the program: the digits of the numbers that it has, without points.

    All decimals of a place are written, so that these are the integers (lars2asp.checking.decimal_points).
    """
    return shaped(_integers(explanation) if has_decimals(program) else explanation, "explanation")


def has_decimals(program: nodes.Program) -> bool:
    """Whether numbers of a program may have points."""
    return any(program.every(nodes.Decimals))


def _integers(node: Any) -> Any:
    if isinstance(node, list):
        return [*map(_integers, node)]
    if not isinstance(node, dict):
        return node
    found: Json = {}
    for key, value in node.items():
        if key == "bindings" and isinstance(value, dict):
            found[key] = {name: without_points(text) for name, text in value.items()}
        elif key in ("atoms", "fleeting") and isinstance(value, dict):
            found[key] = {without_points(text): runs for text, runs in value.items()}
        elif key in ("cost", "other") and isinstance(value, list):
            found[key] = [[*map(_integer, one)] if isinstance(one, list) else one for one in value]
        elif key == "contraries" and isinstance(value, list):
            found[key] = [*map(without_points, value)]
        elif key == "placed" and isinstance(value, list):
            found[key] = [[*map(without_points, one)] if isinstance(one, list) else one for one in value]
        elif key in _SAID or (key == "text" and "number" not in node):
            found[key] = without_points(value)
        else:
            found[key] = _integers(value)
    return found


def _integer(cost: Any) -> Any:
    text = without_points(cost)
    is_integer = isinstance(text, str) and text != cost and text.removeprefix("-").isdecimal()
    return int(text) if is_integer else cost


def without_points(text: Any) -> Any:
    """A text with the digits of its numbers."""
    if not isinstance(text, str) or "." not in text:
        return text
    return _NUMBERS.sub(lambda found: found[1] or str(int(found[2] + found[3])), text)


class FaultError(Exception):
    """What is wrong with a node of an explanation."""


def need(condition: object, fault: str) -> None:
    """Raises a fault if a condition is not met."""
    if not condition:
        raise FaultError(fault)


def does(holds: bool) -> str:
    return "holds" if holds else "does not hold"


def shaped(node: Any, *kinds: str) -> Any:
    """An object that has the keys of its kinds, and no others."""
    need(isinstance(node, Mapping), f"a {kinds[0]} is not an object")
    shape = dict(entry.split(":") for kind in kinds for entry in SHAPES[kind].split())
    for key in node:
        types = shape.get(key, shape.get(f"{key}?"))
        need(types is not None, f"a {kinds[0]} has no `{key}`")
        need(
            types and type(node[key]).__name__ in types.split("|"),
            f"`{key}` of a {kinds[0]} does not have the type {types}",
        )
    missing = [key for key in shape if not key.endswith("?") and key not in node]
    need(not missing, f"a {kinds[0]} lacks {', '.join(missing)}")
    return node


def check_header(explanation: Json) -> None:
    """Checks what an explanation says of how the answers were computed."""
    need(explanation["semantics"] in ("recorded", "strict"), "the semantics is unknown")
    runs: list[Any] = []
    if "followed" in explanation:
        followed = shaped(explanation["followed"], "followed")
        runs = [followed["without_answer"], *followed["atoms"].values()]
        runs += followed.get("fleeting", {}).values()
        for one in followed["placed"]:
            is_placed = isinstance(one, list) and list(map(type, one)) == [str, int, int]
            need(is_placed, "what was placed is not an atom with two ticks")
    need(all(map(are_runs, runs)), "`followed` has no runs of ticks")


def claims_of(root: Any) -> Iterator[Json]:
    """The claims of a tree, as far as they have ids."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if "because" in node and type(node.get("id")) is int:
                yield node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def atom_of(claim: Any) -> nodes.Atom:
    """The atom of a claim that is not checked yet."""
    kinds = (
        [type(claim.get(key)) for key in ("id", "atom", "tick", "holds")] if isinstance(claim, dict) else []
    )
    need(kinds == [int, str, int, bool], "a claim is malformed")
    return read_atom(claim["atom"])


def turns(
    checks: Sequence[Callable[[Sequence[Json]], None]], claims: Sequence[Json], *, any_of: bool = False
) -> None:
    """Checks that claims are what each of some checks asks for, one after the other, or what any asks for.

    Raises the fault that is found where most of them are met.
    """
    if len(checks) == 1:
        checks[0](claims)
        return
    faults: dict[int, FaultError] = {}

    def is_met(number: int, first: int) -> bool:
        if number == len(checks):
            faults.setdefault(number, FaultError("a claim supports nothing"))
            return first == len(claims)
        for last in range(first, len(claims) + 1):
            try:
                checks[number](claims[first:last])
            except FaultError as fault:
                faults[number] = fault
            else:
                if is_met(number + 1, last):
                    return True
        return False

    if not any_of and is_met(0, 0):
        return
    for check in checks if any_of else ():
        try:
            check(claims)
        except FaultError as fault:
            faults[0] = fault
        else:
            return
    raise faults[max(faults)] if faults else FaultError("there is nothing to support")


def are_runs(runs: Any) -> bool:
    """Whether a value is a list of pairs of ticks."""
    return isinstance(runs, list) and all(
        isinstance(run, list) and list(map(type, run)) == [int, int] for run in runs
    )


def runs_of(ticks: set[Any]) -> list[list[int]]:
    """Ticks as runs, each with its first and last one."""
    first = sorted(tick for tick in ticks if tick - 1 not in ticks)
    last = sorted(tick for tick in ticks if tick + 1 not in ticks)
    return [list(run) for run in zip(first, last, strict=True)]


def bare(text: str) -> str:
    """A text without the blanks outside of strings, and with no brackets around negative numbers."""
    return _BLANK.sub(lambda found: found[1] or found[2] or "", text)
