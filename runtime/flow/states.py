"""States of `flow`, in memory and in the form that JSON has."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, groupby, islice
from typing import Any

from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.database.database import StreamSoFar
from lars2asp.externals.intervals import merged
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.traces.trace import HeldRows, runs_of
from lars2asp.externals.windows.arrivals import Arrived
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.protocol import Evaluation, recorded_by, rows_of_keys
from lars2asp.runtime.output import sets_of
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass

Begun = Mapping[Signature, Mapping[str, Mapping[Row, int]]]
"""By predicates and windows that they begin (`str(Since.key)`): when each window last began, by its key."""


def arrival_key(lookup: Lookup) -> str:
    """What lookups have in common that look at the same last arrivals."""
    window = lookup.window
    assert isinstance(window, LastArrivals)
    return f"{window} {lookup.signature}" if window.group else str(window)


@dataclass
class FlowState:
    """What is known when a tick is over: traces, and what operators cannot be made of from these.

    Attributes:
        start: the first tick of the timeline.
        now: the tick.
        facts: the number of facts so far.
        ticks: the number of ticks at which the output changed, as far as these were taken.
        merged: by predicates that are looked at, the facts that were equal to another of their tick.
        held: by predicates when rows held, as far back as windows look.
        arrived: the last arrivals that are in windows, by `arrival_key`.
        current: by predicates whose facts are held those that hold at the next tick, and until when at most.
        derives: what rules derive, by predicates, and which input is shown.
        begun: when windows last began that begin with an atom.
        shows: the predicates of the output, by those that are derived.
        has_failed: whether the tick has no answer stream.
        last: the answer streams of the component that may have several; None if there is none of either.
        output: the output, if not all of it is by rules that go on: it becomes what these derive at the next
            tick, and so does `derives`. None if it is what `derives` and `last` say.
        open: by predicates the rows that hold on until they end, with the ticks behind the last ones of
            facts, and of facts with which they arrived; 0 without.
        told: of predicates that rules derive the rows of the input that hold, with the ticks behind the last
            ones; and whether rules derive them as well.
        is_anew: whether nothing is derived at the tick, and all anew at the next one that is evaluated.
        is_timed_out: whether that is the next one at which something changes.
        future: by predicates of atoms that heads place at ticks the future log.
    """

    start: int
    now: int
    facts: int
    ticks: int
    merged: dict[Signature, int]
    held: Mapping[Signature, HeldRows]
    arrived: Mapping[str, Arrived]
    current: Mapping[Signature, Mapping[Row, int]]
    derives: Mapping[Signature, Collection[Row]]
    begun: Begun
    shows: Mapping[Signature, Signature]
    has_failed: bool = False
    last: Evaluation | None = None
    output: Mapping[Signature, Collection[Row]] | None = None
    open: Mapping[Signature, Mapping[Row, tuple[int, int]]] = field(default_factory=dict)
    told: Mapping[Signature, Mapping[Row, tuple[int, bool]]] = field(default_factory=dict)
    is_anew: bool = False
    is_timed_out: bool = False
    future: Mapping[Signature, Mapping[int, Collection[Row]]] = field(default_factory=dict)

    def changed(self, last: int, forgotten: Collection[Signature]) -> "FlowState":
        """The same for other rules, which are evaluated behind a tick; nothing has changed up to it.

        Of some predicates windows do not remember what rules derive.
        """
        held = {one: {**known} for one, known in self.held.items()}
        for signature, rows in () if self.has_failed else self.derives.items():
            if signature in forgotten:
                continue
            known = held.setdefault(signature, {})
            for row in rows:
                known[row] = merged([*known.get(row, ()), self.now, last + 1])
        told = {
            one: {row: until for row, until in some.items() if until[0] > last}
            for one, some in self.told.items()
        }
        return replace(self, now=last, held=held, output=self.everything(), last=None, told=told)

    def everything(self) -> dict[Signature, set[Row]]:
        """The output."""
        known = self.shown() if self.output is None else self.output
        solved = {} if self.last is None else rows_of_keys(self.last.output)
        return sets_of((*known.items(), *solved.items()))

    @property
    def recorded(self) -> dict[Signature, set[Row]]:
        """What later ticks see of the answer streams."""
        return recorded_by(self.last)

    def shown(self, but: Collection[Signature] = ()) -> dict[Signature, Collection[Row]]:
        """The output by certain rules and of the input; but for that of some predicates."""
        return {shown: self.derives.get(one, ()) for one, shown in self.shows.items() if one not in but}

    def written(self, write: WriteRows, background: Iterable[AtomRows]) -> dict[str, Any]:
        """The state as JSON has it, without the rows that always hold."""
        always = {signature: {*rows} for signature, rows in background}
        return {
            "now": self.now,
            "facts": self.facts,
            "ticks": self.ticks,
            "merged": [[[*signature], number] for signature, number in self.merged.items()],
            "held": [_held(one, held, always.get(one, ()), write) for one, held in self.held.items()],
            "arrived": [_arrived(key, groups, write) for key, groups in self.arrived.items()],
            "current": [
                [[*signature], write(facts), [*facts.values()]] for signature, facts in self.current.items()
            ],
            "derives": written_atoms(self.derives.items(), write),
            "begun": [
                [[*signature], [[name, write(ticks), [*ticks.values()]] for name, ticks in windows.items()]]
                for signature, windows in self.begun.items()
            ],
            "shows": [[[*one], [*shown]] for one, shown in self.shows.items()],
            "has_failed": self.has_failed,
            "last": None if self.last is None else self.last.state(write),
            "output": None if self.output is None else written_atoms(self.output.items(), write),
            "open": [_pairs(one, some, write) for one, some in self.open.items()],
            "told": [_pairs(one, some, write) for one, some in self.told.items()],
            "is_anew": self.is_anew,
            "is_timed_out": self.is_timed_out,
            "future": [
                [[*one], [[tick, write(rows)] for tick, rows in ticks.items()]]
                for one, ticks in self.future.items()
            ],
        }

    @staticmethod
    def read(start: int, state: Mapping[str, Any], read: ReadRows) -> "FlowState":
        """What `written` wrote of a timeline that starts at a tick."""
        last, output = state["last"], state["output"]
        return FlowState(
            start,
            state["now"],
            state["facts"],
            state["ticks"],
            {Signature(*one): number for one, number in state["merged"]},
            {
                Signature(*one): {row: [*some] for row, some in zip(read(rows), runs, strict=True)}
                for one, rows, runs in state["held"]
            },
            {key: _read_arrived(parts, read) for key, *parts in state["arrived"]},
            {
                Signature(*one): dict(zip(read(rows), ends, strict=True))
                for one, rows, ends in state["current"]
            },
            {signature: {*rows} for signature, rows in read_atoms(state["derives"], read)},
            {
                Signature(*one): {
                    name: dict(zip(read(keys), ticks, strict=True)) for name, keys, ticks in windows
                }
                for one, windows in state["begun"]
            },
            {Signature(*one): Signature(*shown) for one, shown in state["shows"]},
            state["has_failed"],
            None if last is None else Evaluation.restored(last, read),
            None if output is None else sets_of(read_atoms(output, read)),
            _read_pairs(state["open"], read),
            _read_pairs(state["told"], read),
            state["is_anew"],
            state["is_timed_out"],
            {
                Signature(*one): {tick: [*read(rows)] for tick, rows in ticks}
                for one, ticks in state["future"]
            },
        )

    @staticmethod
    def of(
        start: int,
        last: int,
        stream: StreamSoFar,
        derives: Mapping[Signature, Collection[Row]],
        *,
        has_failed: bool,
    ) -> "FlowState":
        """What is known of a stream up to a tick, what rules derive at it, and whether it has no answer."""
        held = {one: {row: merged(runs) for row, runs in some.items()} for one, some in stream.held.items()}
        for signature, known in held.items():  # a state tells what is derived apart from what held
            for row in () if has_failed else derives.get(signature, ()):
                known[row] = merged([*known.get(row, ()), last, last + 1])
        arrived = {arrival_key(lookup): groups for lookup, groups in stream.arrived.items()}
        told = stream.facts, 0, {**stream.merged}
        begun = stream.begun
        return FlowState(
            start, last, *told, held, arrived, stream.current, derives, begun, {}, has_failed=has_failed
        )

    @staticmethod
    def of_blocks(start: int, state: Mapping[str, Any], read: ReadRows) -> "FlowState":
        """What shards of 0.3.0 wrote."""
        held = {
            Signature(*one): dict(zip(read(rows), runs, strict=True)) for one, rows, runs in state["held"]
        }
        for one, rows, ticks in state.get("points", ()):
            by_row: dict[Row, list[int]] = {}
            for row, tick in zip(read(rows), ticks, strict=True):
                by_row.setdefault(row, []).append(tick)
            known = held.setdefault(Signature(*one), {})
            for row, some in by_row.items():
                known[row] = merged([*known.get(row, ()), *runs_of(some)])
        return FlowState(
            start,
            state["now"],
            state["facts"],
            state["ticks"],
            {Signature(*one): number for one, number in state["merged"]},
            held,
            {},
            {},
            {Signature(*one): {*read(rows)} for one, rows in state["derives"]},
            {},
            {},
        )


def _held(signature: Signature, held: HeldRows, always: Collection[Row], write: WriteRows) -> list[Any]:
    """When rows held, but for those that always do."""
    known = {row: runs for row, runs in held.items() if row not in always} if always else held
    return [[*signature], write(known), [[*runs] for runs in known.values()]]


def _pairs(signature: Signature, some: Mapping[Row, tuple[Any, Any]], write: WriteRows) -> list[Any]:
    """Rows, each with two values."""
    return [[*signature], write(some), [[*each] for each in some.values()]]


def _read_pairs(state: Iterable[Any], read: ReadRows) -> dict[Signature, dict[Row, tuple[Any, Any]]]:
    """What `_pairs` wrote."""
    return {
        Signature(*one): dict(zip(read(rows), map(tuple, some), strict=True)) for one, rows, some in state
    }


def _arrived(key: str, groups: Arrived, write: WriteRows) -> list[Any]:
    """The arrivals of groups: the keys, how many arrivals each has, and these one after the other."""
    some = [*chain.from_iterable(groups.values())]
    return [
        key,
        write(groups),
        [*map(len, groups.values())],
        [tick for tick, _, _, _ in some],
        write([row for _, row, _, _ in some]),
        [end for _, _, end, _ in some],
        [[[*one], len([*same])] for one, same in groupby(signature for _, _, _, signature in some)],
    ]


def _read_arrived(parts: Sequence[Any], read: ReadRows) -> Arrived:
    """What `_arrived` wrote."""
    keys, numbers, ticks, rows, ends, signatures = parts
    of = chain.from_iterable([Signature(*one)] * number for one, number in signatures)
    some = zip(ticks, read(rows), ends, of, strict=True)
    return {key: [*islice(some, number)] for key, number in zip(read(keys), numbers, strict=True)}
