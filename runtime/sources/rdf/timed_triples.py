"""The times of triples: that which their subject, their graph, or a node that names their subject has."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from itertools import repeat
from typing import Any, Self

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.rdf.triple_texts import Quad, Triples
from lars2asp.runtime.sources.records import Origin, PassedOver, Rejected
from lars2asp.syntax.rdf_terms import literal_of
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

MOST_KNOWN = 10_000
"""The number of nodes whose times are known, at most; when there are more, all are forgotten."""

MOST_WAITING = 1000
"""The number of triples that wait for a time."""

TickOf = Callable[[str], int]
"""Gives the tick of a time in text, or raises InputError."""


@dataclass
class Timed:
    """Triples with their ticks.

    Attributes:
        quads: the triples; None where a time alone is told.
        ticks: for each its tick.
        origins: for each where it stands.
        rejected: what is rejected, and before how many of the triples.
    """

    quads: list[Quad | None] = field(default_factory=list)
    ticks: list[int] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    rejected: list[tuple[int, Rejected]] = field(default_factory=list)

    def add(self, quad: Quad | None, tick: int, origin: Origin) -> None:
        """One more."""
        self.quads.append(quad)
        self.ticks.append(tick)
        self.origins.append(origin)

    def behind(self, line: int) -> "Timed":
        """The same without what stands before a line."""
        found = Timed()
        rejected = iter([*self.rejected, None])
        other = next(rejected)
        for number, (quad, tick, origin) in enumerate(zip(self.quads, self.ticks, self.origins, strict=True)):
            while other is not None and other[0] <= number:
                found.reject_from(line, other[1])
                other = next(rejected)
            if origin.line >= line:
                found.add(quad, tick, origin)
        while other is not None:
            found.reject_from(line, other[1])
            other = next(rejected)
        return found

    def reject_from(self, line: int, one: Rejected) -> None:
        """Rejects what comes behind those so far, unless it stands before a line."""
        if one.origin.line >= line:
            self.reject(one)

    def reject(self, one: Rejected) -> None:
        """Rejects what comes behind those so far."""
        self.rejected.append((len(self.quads), one))


class _Run:
    """Neighbouring triples of one subject in one graph.

    Attributes:
        subject: the subject.
        graph: the graph.
        quads: those that have no tick yet.
        origins: where these stand.
        named: the nodes that are objects of its triples.
        tick: the tick, once it is known.
        begins_with_time: whether its first triple says it.
    """

    __slots__ = ("begins_with_time", "graph", "named", "origins", "quads", "subject", "tick")

    def __init__(self, subject: str, graph: str) -> None:
        self.subject = subject
        self.graph = graph
        self.quads: list[Quad] = []
        self.origins: list[Origin] = []
        self.named: list[str] = []
        self.tick: int | None = None
        self.begins_with_time = False

    def state(self) -> list[Any]:
        """As JSON has it."""
        origins = [(one.source, one.line, one.text) for one in self.origins]
        return [self.subject, self.graph, self.quads, origins, self.named, self.tick, self.begins_with_time]

    @classmethod
    def of_state(cls, state: Sequence[Any]) -> Self:
        """That of a state."""
        run = cls(state[0], state[1])
        run.quads = [tuple(quad) for quad in state[2]]
        run.origins = [Origin(*origin) for origin in state[3]]
        run.named, run.tick, run.begins_with_time = state[4:]
        return run


class TimedTriples:
    """Gives triples their ticks, in the order in which they stand.

    The time of a triple is the first of these that there is: what the triples of its subject beside it say,
    what its graph has, what its subject was told before, what a node has that names its subject as an object.
    A node that is named stands beside the one that names it, before or behind. Triples that have no time when
    the next node with one is over are rejected.

    Args:
        times: for each property that says times what reads these.
        wanted: the properties of triples that are given; None for all. Of others only the times count.
        arrival: gives the tick of triples that have that of their arrival; None where they tell their times.
    """

    def __init__(
        self,
        times: Mapping[str, TickOf],
        wanted: Collection[str] | None,
        arrival: Callable[[], int] | None = None,
    ) -> None:
        self._times = times
        self._wanted = wanted
        self._arrival = arrival
        self._run: _Run | None = None
        self._waiting: list[_Run] = []
        self._own: dict[str, int] = {}
        """The ticks that nodes have."""
        self._named: dict[str, int] = {}
        """Those of nodes that name nodes, by the latter; all are the last tick."""
        self._ticks: dict[str, int] = {}
        """Those of times, by the property and the term."""
        self._tick = -1
        """That of the triple that was given last."""
        self._has_wanted = True
        """Whether one of this tick was wanted."""
        self._unwanted: Origin | None = None
        """Where the first triple of this tick stands that was not, and says no time."""

    def add(self, told: Triples, timed: Timed, tick: int | None = None) -> None:
        """Takes triples that come next, which have a tick of their own where it is given."""
        if tick is None and self._arrival is not None:
            tick = self._arrival()
        if tick is not None:
            for quad, origin in zip(told.quads, told.origins, strict=False):
                self._give(quad, tick, origin, timed)
            if not told.quads:
                timed.add(None, tick, told.origins[0])
            return
        times, run = self._times, self._run
        for quad, origin in zip(told.quads, told.origins, strict=True):
            subject, relation, other, graph = quad
            if run is None or subject != run.subject or graph != run.graph:
                run = self._begin(subject, graph, timed)
            if relation in times:
                run = self._timed_by(quad, origin, run, timed)
                if run is None:
                    run = self._run
                    continue
            if other[0] != '"':
                run.named.append(other)
            if run.tick is None or self._waiting:
                run.quads.append(quad)
                run.origins.append(origin)
                if len(run.quads) > MOST_WAITING:
                    self._end(timed)
                    run = self._begin(subject, graph, timed)
            else:
                self._give(quad, run.tick, origin, timed)
        if told.is_whole:
            self.finish(timed)

    def finish(self, timed: Timed) -> None:
        """Nothing comes behind that speaks of the same nodes."""
        self._end(timed)
        self._refuse(self._waiting, timed)
        self._waiting = []

    def end(self, timed: Timed) -> None:
        """The stream is over."""
        self.finish(timed)
        self._tell_unwanted(timed)

    def state(self) -> dict[str, Any]:
        """What later triples are read by, as JSON has it."""
        at = self._unwanted
        unwanted = None if at is None else (at.source, at.line, at.text)
        return {
            "run": None if self._run is None else self._run.state(),
            "waiting": [one.state() for one in self._waiting],
            "own": self._own,
            "named": self._named,
            "last": [self._tick, self._has_wanted, unwanted],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        self._run = None if state["run"] is None else _Run.of_state(state["run"])
        self._waiting = [*map(_Run.of_state, state["waiting"])]
        self._own, self._named = dict(state["own"]), dict(state["named"])
        self._tick, self._has_wanted, at = state["last"]
        self._unwanted = None if at is None else Origin(*at)

    def _begin(self, subject: str, graph: str, timed: Timed) -> _Run:
        self._end(timed)
        self._run = run = _Run(subject, graph)
        return run

    def _timed_by(self, quad: Quad, origin: Origin, run: _Run, timed: Timed) -> _Run | None:
        """The run to which a triple belongs that says its time; None where the triple is rejected."""
        subject, relation, other, graph = quad
        key = f"{relation} {other}"
        tick = self._ticks.get(key)
        if tick is None:
            try:
                tick = self._times[relation](_time_text(other))
            except InputError as error:
                timed.reject(Rejected(origin, f"{shown(relation)}: {error}"))
                return None
            if len(self._ticks) >= MOST_KNOWN:
                self._ticks.clear()
            self._ticks[key] = tick
        if run.tick is not None and run.tick != tick:
            if not run.begins_with_time:
                reason = (
                    f"{shown(subject)} already has another time: write the time of each of its states "
                    "first, or use a node or a graph of its own for each"
                )
                timed.reject(Rejected(origin, reason))
                return None
            run = self._begin(subject, graph, timed)
        if run.tick is None:
            run.begins_with_time = not run.quads
            run.tick = tick
            if not self._waiting:
                self._give_all(run, timed)
        return run

    def _end(self, timed: Timed) -> None:
        """The run is over."""
        run, self._run = self._run, None
        if run is None:
            return
        tick = run.tick
        if tick is None and run.graph:
            tick = self._own.get(run.graph)
        if tick is None:
            tick = self._own.get(run.subject)
        if tick is None:
            tick = self._named.get(run.subject)
        if tick is None:
            self._waiting.append(run)
            if sum(len(one.quads) for one in self._waiting) > MOST_WAITING:
                self._refuse([self._waiting.pop(0)], timed)
            return
        if len(self._own) > MOST_KNOWN:
            self._own.clear()
        if run.tick is not None:
            self._own[run.subject] = tick
        run.tick = tick
        self._claim(run, timed)
        if run.named:
            self._name(run.named, tick)
        self._give_all(run, timed)

    def _claim(self, run: _Run, timed: Timed) -> None:
        """Gives those that wait the tick of a run, where they are of its node or named by it."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        assert run.tick is not None
        nodes = {run.subject, *run.named}
        is_new = True
        while is_new:
            is_new = False
            for one in waiting:
                if one.tick is None and (one.subject in nodes or one.graph in nodes):
                    one.tick, is_new = run.tick, True
                    nodes.update(one.named)
        for one in waiting:
            if one.tick is None:
                self._refuse([one], timed)
            else:
                self._give_all(one, timed)
                self._name([one.subject, *one.named], run.tick)

    def _name(self, nodes: Sequence[str], tick: int) -> None:
        """Notes nodes that are named by one with a tick."""
        named = self._named
        if named and next(iter(named.values())) != tick:
            named.clear()
        named.update(zip(nodes, repeat(tick)))

    def _refuse(self, runs: Sequence[_Run], timed: Timed) -> None:
        """Rejects triples without a time."""
        asked = " or ".join(self._times)
        for run in runs:
            node = shown(run.subject)
            reason = (
                f"{node} has no time: give it, its graph, or a node that points to it the property {asked}"
            )
            for origin in run.origins:
                timed.reject(Rejected(origin, reason))

    def _give_all(self, run: _Run, timed: Timed) -> None:
        """Gives the triples of a run that have waited."""
        if not run.quads:
            return
        assert run.tick is not None
        first = 1 if self._wanted is None else len(run.quads)
        for quad, origin in zip(run.quads[:first], run.origins, strict=False):
            self._give(quad, run.tick, origin, timed)
        if first < len(run.quads):  # all are wanted, and of the tick of the first one
            timed.quads += run.quads[first:]
            timed.origins += run.origins[first:]
            timed.ticks += repeat(run.tick, len(run.quads) - first)
        run.quads, run.origins = [], []

    def _give(self, quad: Quad, tick: int, origin: Origin, timed: Timed) -> None:
        """Gives a triple, or of one that is not wanted the time, if it is a new one."""
        is_wanted = self._wanted is None or quad[1] in self._wanted
        if tick != self._tick:
            self._tell_unwanted(timed)
            self._tick, self._has_wanted, self._unwanted = tick, is_wanted, None
            timed.add(quad if is_wanted else None, tick, origin)
        elif is_wanted:
            self._has_wanted = True
            timed.add(quad, tick, origin)
        if not is_wanted and self._unwanted is None and quad[1] not in self._times:
            self._unwanted = origin

    def _tell_unwanted(self, timed: Timed) -> None:
        if not self._has_wanted and self._unwanted is not None:
            timed.reject(PassedOver(self._unwanted, "no triple at this time is of a property in #input"))
            self._unwanted = None


def _time_text(term: str) -> str:
    """The text of a time. Raises InputError."""
    if term[0] != '"':
        raise InputError(f"{shown(term)} is no time: a time must be a literal")
    if "\\" not in term:  # no quote is within
        return term[1 : term.rindex('"')]
    literal = literal_of(term)
    assert literal is not None
    return literal.text
