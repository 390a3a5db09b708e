"""Operators over changes: each takes batches of ordered changes and hands on its own.

The words are those of differential dataflow (McSherry, Murray, Isaacs, Isard 2013) and DBSP (Budiu and
others 2023). A *segment* has what changes at a tick. A *batch* has the segments of a relation between two
frontiers, in the order of ticks. All ticks before a *frontier* are final.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.terms.terms import Row

Segment = tuple[int, Sequence[Row], Sequence[Row]]
"""A tick, the rows that end at it, and those that begin: a row is in at most one of the two.

A row that begins holds at the tick and did not at the one before; a row that ends held then and does not now.
"""

PointSegment = tuple[int, Sequence[Row]]
"""A tick and the rows that hold at it and not beyond, each once: facts of the input."""

Batch = list[Any]
"""Segments of one kind."""

Readers = list[tuple["Operator", int]]
"""Who takes a batch: operators, each with the number of its input."""

Handed = Iterable[tuple[Readers, Batch]]
"""What an operator hands on, and to whom."""


class Operator:
    """A node of the graph.

    Attributes:
        number: its place in the order of work.
        due: the first tick at which time alone changes what it hands on; FOR_EVER for none.
        called: the tick under which the graph calls for it.
        is_active: whether it has input, or is due.
        is_passive: whether nobody reads it: it may take its input later.
        is_delayed: whether what it hands on at a tick depends on earlier ticks alone of its first input.
        inputs: the batches that came, by the numbers of its inputs.
        readers: who takes its output.
    """

    is_passive = is_delayed = False

    def __init__(self, inputs: int = 1) -> None:
        self.number = 0
        self.due = self.called = FOR_EVER
        self.is_active = self.is_passive  # one that is active is not called for
        self.inputs: list[Batch] = [[] for _ in range(inputs)]
        self.readers: Readers = []

    @property
    def outputs(self) -> Iterable[Readers]:
        """The readers of each of its outputs."""
        return (self.readers,)

    def waits_for(self, place: int) -> bool:
        """Whether what it hands on at a tick may depend on what an input has at that tick."""
        return bool(place) or not self.is_delayed

    def advance(self, frontier: int) -> Handed:
        """Takes its input, and hands on what changes at ticks before the frontier, which are final now."""
        raise NotImplementedError


class Timed(Operator):
    """An operator over segments that changes its output at ticks which it knows beforehand."""

    def __init__(self) -> None:
        super().__init__()
        self._acts: dict[int, list[Any]] = {}
        self._ticks: list[int] = []
        self._now = -1

    def advance(self, frontier: int) -> Handed:
        """Goes from tick to tick."""
        out: Batch = []
        ticks, segments = self._ticks, self.inputs[0]
        for tick, ended, began in segments:
            while ticks and ticks[0] < tick:
                self._act(heappop(ticks), out)
            self._now = tick
            self.take(tick, ended, began)
            if ticks and ticks[0] == tick:
                self._act(heappop(ticks), out)
            else:
                self.hand_out(tick, out)
        while ticks and ticks[0] < frontier:
            self._act(heappop(ticks), out)
        segments.clear()
        self.due = ticks[0] if ticks else FOR_EVER
        return ((self.readers, out),) if out else ()

    def _act(self, tick: int, out: Batch) -> None:
        self._now = tick
        for act in self._acts.pop(tick):
            self.turn(act)
        self.hand_out(tick, out)

    def call(self, tick: int, act: Any) -> None:
        """Something is to be done at a tick: at once, if it is the current one."""
        if tick <= self._now:
            self.turn(act)
            return
        if tick >= FOR_EVER:
            return
        acts = self._acts.get(tick)
        if acts is None:
            self._acts[tick] = [act]
            heappush(self._ticks, tick)
        else:
            acts.append(act)

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Takes a segment."""
        raise NotImplementedError

    def turn(self, act: Any) -> None:
        """Does what was to be done at the current tick."""
        raise NotImplementedError

    def hand_out(self, tick: int, out: Batch) -> None:
        """Adds the segment of the current tick to the output, if something has changed."""
        raise NotImplementedError


def net(tick: int, ended: Sequence[Row], began: Sequence[Row], out: Batch) -> None:
    """Adds a segment to a batch, without rows that both end and begin."""
    if ended and began:
        both = {*ended}.intersection(began)
        if both:
            ended = [row for row in ended if row not in both]
            began = [row for row in began if row not in both]
    if ended or began:
        out.append((tick, ended, began))


def begin_with(held: Mapping[int, Collection[Row]], inputs: list[Batch], tick: int) -> None:
    """Rows that were there before a tick begin at it, but for those that end then.

    Args:
        held: the rows, by the numbers of inputs.
        inputs: what comes from the tick on.
        tick: the tick.
    """
    for place, rows in held.items():
        batch = inputs[place]
        ended, began = (batch[0][1], batch[0][2]) if batch and batch[0][0] == tick else ((), ())
        gone = {*ended}
        here = [*(row for row in rows if row not in gone), *began]
        inputs[place] = [*([(tick, (), here)] if here else []), *(one for one in batch if one[0] != tick)]
