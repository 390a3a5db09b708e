"""A state that a changed program takes over: what is kept, what is not, and in which way the program changed.

What windows hold of the stream stays, and what rules derived before stays as it was derived then. From the
next tick on the new rules are evaluated. A state is taken over where each predicate is kept in the same form.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lars2asp.analysis.predicates import all_predicates, head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.terms.table import ReadRows, read_atoms, same_rows, written_atoms
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.noted_times import noted_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.evaluators.choice import Needs
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.flow.states import FlowState
from lars2asp.runtime.output import sets_of
from lars2asp.syntax.nodes import Constant, Held, Node, Rule, Signature, Statement, is_of_formula
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import shown

MOST_TOLD = 10
"""The number of rules of a kind that are told."""

_SINCE = "since: "
"""Begins the forms of windows that begin with an atom, of which each is one by itself."""

Forms = Mapping[str, int | None]

EVALUATED_AS_ONE = "this evaluation of a changed program cannot keep the old state"

_Told = tuple[str, str]
"""What a rule derives, and the rule as it is written."""

Shape = Mapping[str, Any]
"""What a changed program is held against, as JSON has it; see `shape_of`."""


def shape_of(plan: Plan, needs: Needs, rooms: Mapping[Signature, Sequence[str]]) -> dict[str, Any]:
    """What a state of a program keeps, and the rules of the program.

    Args:
        plan: the program.
        needs: what its evaluation looks at.
        rooms: in which form the database keeps each predicate.
    """
    decimals = {str(one): [str(form) for form in forms] for one, forms in plan.decimals.items()}
    arrivals = (one for one in needs.lookups if isinstance(one.window, LastArrivals))
    formulas = ProgramAnalysis(noted_program(plan)).formulas
    return {
        "rules": [[_heads(one), _text(one)] for one in _told(plan)],
        "meant": [to_text(one) for one in _told(plan)],
        "forms": {str(one): forms for one, forms in _forms(needs).items()},
        "facts": _facts(plan),
        "rooms": {str(one): [*names] for one, names in rooms.items()},
        "arrivals": [one.title for one in arrivals],
        "derives": sorted(
            map(str, {*needs.recorded, *needs.placed, *plan.published.at_once, *plan.published.apart})
        ),
        "formulas": {str(one): atom.text for one, atom in formulas.items()},
        "placed": sorted(map(str, needs.placed)),
        "held": [to_text(one) for one in plan.declarations if isinstance(one, Held)],
        "decimals": decimals,
        "predicates": sorted(map(str, all_predicates(plan.program))),
        "shown_input": sorted(map(str, plan.shown_input)),
        "is_certain": all(one.is_certain for one in plan.components) and not plan.assumed,
    }


def kept_streams(before: Shape, after: Shape, predicates: Iterable[Signature]) -> dict[Signature, list[int]]:
    """For each predicate of which something is kept, which of the streams of a state its streams go on from.

    Raises SnapshotError where a program cannot take over the state of another one, which says why.
    """
    check_kept(before, after)
    names = {str(one): one for one in predicates}
    found = {}
    for name, rooms in after["rooms"].items():
        kept = before["rooms"].get(name)
        if kept and rooms:
            found[names[name]] = _sources(name, kept, rooms, before, after)
    return found


def _sources(name: str, kept: Sequence[str], rooms: Sequence[str], before: Shape, after: Shape) -> list[int]:
    """The numbers of the streams that are kept of a predicate from which those of `rooms` go on.

    Where rules put nothing into the stream, all its streams have what the input has.
    """
    was_derived, is_derived = name in before["derives"], name in after["derives"]
    if kept == rooms and (is_derived or not was_derived):
        return [*range(len(rooms))]
    found = []
    for words in rooms:
        same = [number for number, one in enumerate(kept) if {*words.split()} & {*one.split()}]
        if was_derived or not same:
            raise _refused(f"the windows over {name} are of another kind")
        found.append(same[0])
    return found


def check_answers(before: Shape, after: Shape) -> None:
    """Raises SnapshotError where answers cannot go on from those of the program before, whatever is held."""
    if not (before["is_certain"] and after["is_certain"]):
        raise _refused("the program may have several answer streams, or none")
    _check_same(before, after, {"shown_input": "which atoms of the input are shown"})
    for predicate in sorted({*before["predicates"]}.intersection(after["predicates"])):
        if before["decimals"].get(predicate) != after["decimals"].get(predicate):
            raise _refused(f"the decimals of {predicate} changed")


def _check_same(before: Shape, after: Shape, kinds: Mapping[str, str]) -> None:
    for name, words in kinds.items():
        if before[name] != after[name]:
            raise _refused(f"{words} changed")


def check_kept(before: Shape, after: Shape) -> None:
    """Raises SnapshotError for what cannot be taken over whatever is kept."""
    check_answers(before, after)
    _check_same(before, after, {"arrivals": "the windows over numbers of arrivals", "held": "#held"})
    formulas = before.get("formulas", {})
    if any(after["formulas"].get(name, text) != text for name, text in formulas.items()):
        raise _refused("write new formulas in brackets after the old ones, because they are numbered")


def _refused(reason: str) -> SnapshotError:
    return SnapshotError(f"the changed program cannot keep the old state: {reason}")


def output_before(state: Mapping[str, Any], read: ReadRows) -> dict[Signature, set[Row]]:
    """The output of a program whose state it is, of which each tick has one answer stream."""
    if "flow" in state:
        return FlowState.read(state["first"], state["flow"], read).everything()
    pipeline = state["pipeline"]
    shown = (one for stage in pipeline["stages"] for one in stage["handed_out"]["shown"])
    return sets_of(read_atoms((*pipeline["input"], *shown), read))


def shown_before(state: Mapping[str, Any], others: Mapping[str, Any], read: ReadRows) -> dict[str, Any]:
    """The state of a pipeline, with the output of a state of a program whose components are others.

    Args:
        state: the state, with rows as they are.
        others: that of the program.
        read: reads its rows.
    """
    known = {Signature(*signature) for signature, _ in state["input"]}
    shown = [one for one in output_before(others, read).items() if one[0] not in known]
    parts = {"output": None if others["satisfiable"] else [], "shown": written_atoms(shown, same_rows)}
    return {**state, **parts}


def rules_changed(before: Shape, after: Shape) -> Iterator[str]:
    """In words which rules and constants changed."""
    gone, added, others = _changes(before, after)
    changed = {heads for heads, _ in gone} & {heads for heads, _ in added}
    yield from _listed("changed", [text for heads, text in added if heads in changed])
    yield from _listed("added", [text for heads, text in added if heads not in changed])
    yield from _listed("gone", [text for heads, text in gone if heads not in changed])
    yield from _listed("changed by a constant", [text for _, text in others])


def _changes(before: Shape, after: Shape) -> tuple[list[_Told], list[_Told], list[_Told]]:
    """The rules that are gone, those that were added, and those that mean something else by a constant."""
    old, new = ([(heads, text) for heads, text in shape["rules"]] for shape in (before, after))
    gone = [one for one in old if one not in new]
    added = [one for one in new if one not in old]
    meant = dict(zip(map(tuple, before["rules"]), before.get("meant", ()), strict=False))
    told = zip(new, after["meant"], strict=True)
    return gone, added, [one for one, own in told if meant.get(one, own) != own]


def not_kept(before: Shape, after: Shape, now: int) -> Iterator[str]:
    """In words what windows do not have yet, or have by the rules before, and up to which tick.

    Args:
        before: the shape of the program that the state is of.
        after: that of the one that takes it over.
        now: the last tick that is over.
    """
    touched = {one for rules in _changes(before, after) for heads, _ in rules for one in heads.split(", ")}
    if before["facts"] != after["facts"]:
        yield "other facts of the program hold from here on"
    for predicate, forms in sorted(after["forms"].items()):
        if predicate in touched:
            until = "" if None in forms.values() else f", up to tick {now + max(forms.values())}"
            yield f"windows still look at what {predicate} was by the rules before{until}"
        else:
            yield from _lacking(predicate, before["forms"].get(predicate, {}), forms, now)
    for predicate in before.get("placed", ()):
        if predicate in touched:
            yield f"what the rules before placed of {predicate} at ticks after {now} stays"
    for predicate, rooms in sorted(after["rooms"].items()):
        if rooms and not before["rooms"].get(predicate) and predicate in before["predicates"]:
            yield f"nothing was kept of {predicate}: what began before and holds on is missing"


def _lacking(predicate: str, kept: Forms, forms: Forms, now: int) -> Iterator[str]:
    """Which windows look at more of a predicate than was kept."""
    whole = now
    for form, reach in forms.items():
        before = kept.get(form, -1)
        if form.startswith(_SINCE):
            if form not in kept:
                yield f"{form.removeprefix(_SINCE)} is new: it is whole from the next beginning on"
        elif reach is None and before is not None:
            yield f"windows look further back at {predicate} than was kept"
        elif reach is not None and before is not None and reach > before:
            whole = max(whole, now + reach - before)
    if whole > now:
        yield f"windows look further back at {predicate} than was kept: they are whole from tick {whole} on"


def _facts(plan: Plan) -> str:
    """A short text for the plain facts of a program."""
    others = {id(one) for one in plan.program.but_plain_facts}
    return fingerprint(sorted(to_text(one) for one in plan.program.statements if id(one) not in others))


def _forms(needs: Needs) -> dict[Signature, dict[str, int | None]]:
    """In which ways the past of predicates is looked at, and how many ticks back in each (None: without end).

    What serves one way need not serve another: a window under `always` keeps no more than the last run.
    """
    found: dict[Signature, dict[str, int | None]] = {}
    for lookup in needs.lookups:
        signature, window = lookup.signature, lookup.window
        if signature is None or window is None or isinstance(window, LastArrivals):
            continue
        form, own = f"{lookup.kind.value} {type(window).__name__}", window.reach
        if isinstance(window, Since):
            form = f"{_SINCE}{lookup.title}"
        forms = found.setdefault(signature, {})
        known = forms.get(form, 0)
        forms[form] = None if known is None or own is None else max(known, own)
    return found


def _listed(what: str, texts: Sequence[str]) -> Iterator[str]:
    for text in texts[:MOST_TOLD]:
        yield f"{what}: {shown(text)}"
    if len(texts) > MOST_TOLD:
        yield f"{what}: {len(texts) - MOST_TOLD} more"


def _told(plan: Plan) -> Iterable[Statement]:
    """The rules and constants, without plain facts."""
    kinds = Rule | Constant
    return (one for one in plan.program.but_plain_facts if isinstance(one, kinds) and not is_of_formula(one))


def _heads(statement: Statement) -> str:
    """What a rule derives, or the name of a constant."""
    if isinstance(statement, Constant):
        return f"#const {statement.name}"
    assert isinstance(statement, Rule)
    return ", ".join(sorted({str(head.atom.signature) for head in head_atoms(statement)}))


def _text(statement: Node) -> str:
    """A statement as it is written, on one line."""
    location = statement.location
    return " ".join(location.source.text[location.begin : location.end].split()) or to_text(statement)
