"""Checks of parts of a claim: its statement, its costs, and what it says the input told last."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lars2asp.analysis.predicates import head_atoms, is_fact
from lars2asp.checking.explanation_shapes import Json, are_runs, need, shaped
from lars2asp.definition.matching import match_all
from lars2asp.definition.stream import Arrival, NaiveStream
from lars2asp.definition.terms import read_atom, row
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Node, Program, Signature
from lars2asp.syntax.printer import as_written as duration_as_written
from lars2asp.syntax.traversal import rewrite, variable_names


def checked_statement(program: Program, statement: Any) -> int:
    """The number of a statement that is told of as the program has it."""
    number: int = shaped(statement, "statement")["number"]
    count = len(program.statements)
    need(0 <= number < count, f"it rests on statement {number}, but the program has {count} statements")
    source, begin, end = (location := program.statements[number].location)
    text = " ".join(source.text[begin:end].split())
    told = statement["source"], statement["line"], statement["text"]
    need(
        told == (source.name, location.line, text),
        f"it rests on {_named(*told)}, but the program has there {_named(source.name, location.line, text)}",
    )
    return number


def _named(source: object, line: object, text: object) -> str:
    return f"{source}:{line} `{text}`"


def places_of(program: Program, numbers: Iterable[int]) -> str:
    """Files and lines of statements."""
    places = [program.statements[number].location for number in sorted(numbers)]
    return ", ".join(f"{place.source.name}:{place.line}" for place in places) or "none"


def sources_of(program: Program) -> dict[Signature, str]:
    """For the predicates that the program defines whether `rules` do, or `facts` alone."""
    found: dict[Signature, str] = {}
    for statement in program.statements:
        if isinstance(statement, nodes.External) and statement.value != nodes.Function("false"):
            found[statement.atom.signature] = "rules"
        elif isinstance(statement, nodes.Rule):
            source = "facts" if is_fact(statement) else "rules"
            for head in head_atoms(statement):
                if found.get(head.atom.signature) != "rules":
                    found[head.atom.signature] = source
    return found


def check_last_told(
    claim: Json, atom: nodes.Atom, stream: NaiveStream, arrivals: Iterable[Arrival], kept_from: int
) -> None:
    """Checks what a claim says the input told last of an atom that does not hold."""
    ticks, told = (claim["tick"], claim["seen_at"]), list(stream.told_of(atom))
    known = {
        max((min(one.last, until) for one in told if one.tick <= until), default=None) for until in ticks
    }
    if "known_from" in claim:
        need(claim["known_from"] == kept_from, f"what the input told is known from tick {kept_from} on")
        known = {None if tick is None or tick < kept_from else tick for tick in known}
    need(claim["last_told"] in known, "the input told it last at another tick")
    if "last_atom" not in claim and "last_record" not in claim:
        return
    need("last_atom" in claim and "last_record" in claim, "it names an atom without its record")
    need(claim["last_told"] is not None, "it names a record, but no tick")
    last = read_atom(claim["last_atom"])
    told_row = row(last.arguments, {})
    is_meant = told_row is not None and last.signature == atom.signature
    is_meant = is_meant and told_row is not None and match_all(atom.arguments, told_row, {}) is not None
    need(is_meant, f"`{claim['last_atom']}` is not the atom that it is about")
    need(
        any(
            one.record == claim["last_record"]
            and one.tick <= claim["last_told"]
            and read_atom(one.atom) == last
            and claim["last_told"] in {until if one.last is None else min(until, one.last) for until in ticks}
            for one in arrivals
        ),
        f"{claim['last_record']} did not tell {claim['last_atom']} up to tick {claim['last_told']}",
    )


def check_nearest(claim: Json, atom: nodes.Atom, arrivals: Sequence[Arrival], ticks: tuple[int, int]) -> None:
    """Checks which atom a claim says that the input told that comes nearest to one that it did not tell."""
    if "nearest" not in claim:
        return
    need(claim["last_told"] is None, "the input told the atom itself")
    told = shaped(claim["nearest"], "nearest")
    near, seen_at = read_atom(told["atom"]), max(ticks)
    distance = _distance(atom, near)
    need(distance is not None, f"`{told['atom']}` does not come near")
    ends = {one.last for one in arrivals if one.record == told["record"] and read_atom(one.atom) == near}
    known = {seen_at if last is None else min(last, until) for last in ends for until in (seen_at, *ticks)}
    need(told["tick"] in known, f"{told['record']} did not tell {told['atom']} up to tick {told['tick']}")
    if "known_from" in claim or len(arrivals) > MOST_COMPARED:
        return
    distances = (_distance(atom, read_atom(one.atom)) for one in arrivals if one.tick <= seen_at)
    is_nearest = distance == min(one for one in distances if one is not None)
    need(is_nearest, f"something is nearer than `{told['atom']}`")


MOST_COMPARED = 1000
"""Of longer inputs it is not looked whether something is nearer: explanations look at the end of them."""


def _distance(atom: nodes.Atom, other: nodes.Atom) -> int | None:
    """In how many known arguments an atom differs from another; None where less than half are the same."""
    if atom.signature != other.signature:
        return None
    known = [
        pair for pair in zip(atom.arguments, other.arguments, strict=True) if not variable_names(pair[0])
    ]
    differing = sum(1 for one, told in known if row((one,), {}) != row((told,), {}))
    return differing if 0 < 2 * differing <= len(known) else None


def check_costs(program: Program, stream: NaiveStream, node: Json, at: int) -> None:
    """Checks the costs in a node about an atom that was chosen at a tick, or was not.

    The best other answer stream is not looked for: it must be no better than the one that was followed.
    """
    need(("cost" in node) is any(program.every(nodes.WeakConstraint)), "costs, where answers are optimised")
    if "cost" in node:
        found, other = stream.cost(at), node.get("other")
        need(_levels(node["cost"]) == found, f"the answer stream of tick {at} costs {found}")
        need(other is None or not _is_less(_levels(other), found), "the other answer stream is better")


def _levels(costs: Any) -> dict[int, int]:
    """The costs that a node tells, by priority."""
    need(are_runs(costs), "a cost is not a list of pairs of numbers")
    need(len({level for level, _ in costs}) == len(costs), "a priority has two costs")
    return {level: cost for level, cost in costs if cost}


def _is_less(costs: Mapping[int, int], others: Mapping[int, int]) -> bool:
    """Whether costs are less at the highest priority at which they differ."""
    differing = [one for one in {*costs, *others} if costs.get(one, 0) != others.get(one, 0)]
    return bool(differing) and costs.get(max(differing), 0) < others.get(max(differing), 0)


def as_written(node: Node) -> Node:
    """A node with the units that windows are written with."""

    return rewrite(node, lambda one: duration_as_written(one) if isinstance(one, nodes.Duration) else one)
