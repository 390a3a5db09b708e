"""States of versions that kept a stream of their own for each form of a predicate."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.intervals import merged
from lars2asp.externals.terms.table import ReadRows, read_atoms
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.traces.trace import HeldRows
from lars2asp.externals.windows.arrivals import Arrived
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Plan
from lars2asp.runtime.evaluators.protocol import Evaluation, rows_of_keys
from lars2asp.runtime.flow.states import FlowState, arrival_key
from lars2asp.runtime.output import sets_of
from lars2asp.syntax.nodes import Signature

_ROLES = ("shown", "published", "recorded", "placed")


def state_of_streams(
    plan: Plan, lookups: Collection[Lookup], state: Mapping[str, Any], read: ReadRows
) -> FlowState | None:
    """A state of such a version; None if something is known of later ticks but when facts end.

    That is so as well if the tick has input of a predicate that rules derive.

    Args:
        plan: the program.
        lookups: what the version looked at, in its order.
        state: the state.
        read: reads its rows.
    """
    database, pipeline = state["database"], state["pipeline"]
    if database["future"] or database["open"] or database["placed_at"] is not None:
        return None
    now, has_failed = database["now"], not state["satisfiable"]
    last = None if pipeline["last"] is None else Evaluation.restored(pipeline["last"], read)
    current = {
        Signature(*one): dict(zip(read(rows), lasts, strict=True))
        for one, (rows, lasts) in database.get("current", ())
    }
    derives, shows = _derived(plan, pipeline, last, read)
    apart = plan.published.apart if not state["is_whole"] else frozenset(derives)
    held, begun = dict[Signature, HeldRows](), dict[Signature, dict[str, dict[Row, int]]]()
    asked = {one.signature for one in lookups if one.kind is LookupKind.INPUT}
    by_rules = {signature for one in plan.components for signature in one.derives}
    for signature, streams in database["predicates"]:
        one = Signature(*signature)
        if one in asked and one in by_rules and _has_input(streams[-1], now):
            return None
        held[one] = _held(streams, current.get(one, {}), now, read, is_apart=one in apart)
        for stream in streams:
            for name, keys, ticks in stream.get("begins", ()):
                text = name.removesuffix(" True").removesuffix(" False")  # of 0.3.0
                begun.setdefault(one, {}).setdefault(text, dict(zip(read(keys), ticks, strict=True)))
    return FlowState(
        state["first"],
        now,
        database["facts"],
        0,
        {Signature(*one): number for one, number in database.get("merged", ())},
        held,
        _arrived(lookups, database["arrivals"], read),
        current,
        derives,
        begun,
        shows,
        has_failed,
        last,
    )


def _has_input(stream: Mapping[str, Any], now: int) -> bool:
    """Whether a stream of the input alone has a row at a tick."""
    return bool(stream["held"][0]) or any(end >= now for each in stream["forms"] for _, end, _ in each)


def _held(
    streams: Sequence[Mapping[str, Any]],
    current: Mapping[Row, int],
    now: int,
    read: ReadRows,
    *,
    is_apart: bool,
) -> HeldRows:
    """When rows of a predicate held, as its streams have it.

    Args:
        streams: the streams.
        current: the facts that are held, and until when at most.
        now: the tick of the state.
        read: reads rows.
        is_apart: whether what rules derive is in streams of its own, which windows do not look at.
    """
    found: HeldRows = {}
    for stream in streams:
        rows, told = stream["told"]
        until = {row: end + 1 for row, (end, *_) in zip(read(rows), told, strict=True)}
        until |= {row: min(end + 1, FOR_EVER) for row, end in current.items()}
        passing = {*read(stream["passing"])}
        rows, begins = stream["held"]
        for row, begin in zip(read(rows), begins, strict=True):
            if row in until or row in passing or not is_apart:
                found.setdefault(row, []).extend((begin, max(now + 1, until.get(row, 0))))
        for stretches in stream["forms"]:
            for begin, end, some in stretches:
                for row in read(some):
                    found.setdefault(row, []).extend((begin, end + 1))
    return {row: merged(runs) for row, runs in found.items()}


def _derived(
    plan: Plan, pipeline: Mapping[str, Any], last: Evaluation | None, read: ReadRows
) -> tuple[dict[Signature, Collection[Row]], dict[Signature, Signature]]:
    """What rules derive, and which input is shown; and the predicates of the output."""
    handed_out: dict[str, dict[Signature, set[Row]]] = {}
    for stage in pipeline["stages"]:
        for role in _ROLES:
            handed_out.setdefault(role, {}).update(sets_of(read_atoms(stage["handed_out"][role], read)))
    if not pipeline["stages"] and last is not None:  # it may have been evaluated as one
        model = last.models[0]
        handed_out = {
            "shown": sets_of(rows_of_keys(model.shown).items()),
            "recorded": sets_of(model.recorded),
        }
    derives: dict[Signature, Collection[Row]] = dict(read_atoms(pipeline["input"], read))
    shows = {signature: signature for signature in plan.shown_input}
    for component in plan.in_batches if handed_out else ():
        for signature, destinations in component.delta_destinations.items():
            if destinations.shown is not None and component.is_certain:
                shows[signature] = destinations.shown
            for role in _ROLES:
                rows = handed_out.get(role, {}).get(getattr(destinations, role))
                if rows:
                    derives.setdefault(signature, rows)
    return derives, shows


def _arrived(lookups: Iterable[Lookup], state: Mapping[str, Any], read: ReadRows) -> dict[str, Arrived]:
    """The last arrivals: of each window without groups, and of each one with groups, in their order."""
    arrivals = [
        (begin, row, min(end + 1, FOR_EVER), Signature(*signature))
        for row, (signature, begin, end) in zip(read(state["rows"]), state["arrivals"], strict=True)
    ]
    plain, grouped = dict[str, None](), dict[str, None]()
    for one in lookups:
        if isinstance(one.window, LastArrivals) and one.signature is not None:
            (grouped if one.window.group else plain)[arrival_key(one)] = None
    found: dict[str, Arrived] = {}
    for key, places in zip(plain, state["plain"], strict=True):
        found[key] = {(): [arrivals[place] for place in places]} if places else {}
    for key, (rows, several) in zip(grouped, state["grouped"], strict=True):
        groups = zip(read(rows), several, strict=True)
        found[key] = {group: [arrivals[place] for place in places] for group, places in groups}
    return found
