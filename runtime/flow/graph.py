"""The graph of operators: the order of their work, when they are due, and regions that go tick by tick."""

from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.operators import Batch, Handed, Operator, Readers

_MOST_ENTRIES = 4
"""The entries of each operator in the heap, on average: those that count no more are taken out then."""


_TURNS = 8
"""So many segments and ticks for each operator that nobody reads, and for 16 more, come until these work."""


class Graph:
    """Operators, each before those that read it.

    The heap of due ticks has a few entries for each operator. Only the entry at its tick `called` counts. An
    operator that is not due costs nothing.

    Args:
        operators: the operators, in the order of their work.
    """

    def __init__(self, operators: Sequence[Operator]) -> None:
        self._operators = operators
        self._passive = [one for one in operators if one.is_passive]
        self._taken, self._most_taken = 0, _TURNS * (16 + len(self._passive))
        """How many segments came since they took theirs, and how often the graph was advanced."""
        self._most_due = _MOST_ENTRIES * len(operators)
        self._active: list[int] = []
        self._due: list[tuple[int, int]] = []
        for number, one in enumerate(operators):
            one.number = number
            one.called = FOR_EVER
            self._expect(one)

    def push(self, readers: Readers, batch: Batch) -> None:
        """Hands a batch to its readers."""
        self._taken += len(batch)
        for reader, place in readers:
            reader.inputs[place] += batch
            if not reader.is_active:
                reader.is_active = True
                heappush(self._active, reader.number)

    def advance(self, frontier: int) -> None:
        """All ticks before the frontier are over: whoever has input or is due works."""
        operators, active, due = self._operators, self._active, self._due
        while due and due[0][0] < frontier:
            tick, number = heappop(due)
            operator = operators[number]
            if operator.called != tick:  # it was called for at an earlier tick meanwhile
                continue
            operator.called = FOR_EVER
            if operator.due >= frontier:
                self._expect(operator)
            elif not operator.is_active:
                operator.is_active = True
                heappush(active, operator.number)
        while active:
            operator = operators[heappop(active)]
            operator.is_active = False
            for readers, batch in operator.advance(frontier):
                for reader, place in readers if batch else ():
                    reader.inputs[place] += batch
                    if not reader.is_active:
                        reader.is_active = True
                        heappush(active, reader.number)
            if operator.due < operator.called:
                self._expect(operator)
        self._taken += 1
        if self._taken >= self._most_taken:
            self.rest(frontier)

    def rest(self, frontier: int) -> None:
        """Operators that nobody reads take their input, if as much has come as there are of them."""
        if self._taken < len(self._passive):
            return
        self._taken = 0
        for one in self._passive:
            one.advance(frontier)

    def _expect(self, operator: Operator) -> None:
        """Calls for an operator at the tick at which it is due."""
        if operator.due < operator.called:
            operator.called = operator.due
            heappush(self._due, (operator.due, operator.number))
            if len(self._due) > self._most_due:
                self._tidy()

    def _tidy(self) -> None:
        """Takes out the entries that count no more."""
        self._due[:] = sorted((one.called, one.number) for one in self._operators if one.called < FOR_EVER)

    @property
    def next_due(self) -> int:
        """The first tick at which time alone may change something; FOR_EVER for none."""
        due, operators = self._due, self._operators
        while due:
            tick, number = due[0]
            operator = operators[number]
            if operator.due == operator.called == tick:
                return tick
            heappop(due)
            if operator.called == tick:
                operator.called = FOR_EVER
                self._expect(operator)
        return FOR_EVER


class _Port(Operator):
    """Gathers what operators of a region hand to others."""

    def advance(self, frontier: int) -> Handed:
        """Leaves it there until the region hands it on."""
        return ()


class Region(Operator):
    """Operators that depend on each other through windows without the current tick: they go tick by tick.

    That is exact, as all earlier ticks are final. Only the region pays for it.

    Args:
        operators: the operators, each before those that read it at the same tick.
        ports: what gathers what others read.
        entries: the operators that others hand batches to, with the numbers of their inputs.
    """

    def __init__(
        self,
        operators: Sequence[Operator],
        ports: Sequence[Operator],
        entries: Sequence[tuple[Operator, int]],
    ) -> None:
        super().__init__(len(entries))
        self._graph = Graph([*operators, *ports])
        self._ports, self._entries = ports, entries
        self.due = self._graph.next_due

    @property
    def outputs(self) -> Iterable[Readers]:
        """Who reads what leaves the region."""
        return [port.readers for port in self._ports]

    def advance(self, frontier: int) -> Handed:
        """Goes from tick to tick: the next one is the first with input, or at which an operator is due."""
        graph = self._graph
        waiting: dict[int, list[tuple[Readers, Batch]]] = {}
        for entry, batch in zip(self._entries, self.inputs, strict=True):
            for segment in batch:
                waiting.setdefault(segment[0], []).append(([entry], [segment]))
            batch.clear()
        ticks = sorted(waiting, reverse=True)
        while True:
            tick = graph.next_due
            if ticks and ticks[-1] <= tick:
                tick = ticks.pop()
                for readers, batch in waiting[tick]:
                    graph.push(readers, batch)
            elif tick >= frontier:
                break
            graph.advance(tick + 1)
        self.due = graph.next_due
        found = [(port.readers, port.inputs[0]) for port in self._ports if port.inputs[0]]
        for port in self._ports:
            port.inputs[0] = []
        return found


def arranged(operators: Sequence[Operator], sources: Sequence[Readers]) -> list[Operator]:
    """Operators in the order of their work, those that depend on each other together in regions.

    Args:
        operators: the operators.
        sources: who reads what comes from outside: lists in which regions take the place of their operators.
    """
    edges: list[tuple[Operator | None, tuple[Operator, int]]]
    edges = [(None, each) for readers in sources for each in readers]
    edges += [(one, each) for one in operators for readers in one.outputs for each in readers]
    regions: dict[Operator, Region] = {}
    entries: dict[Region, dict[tuple[Operator, int], int]] = {}
    found: list[Operator] = []
    for group in _components(operators):
        if len(group) == 1 and all(reader is not group[0] for reader in _readers(group[0])):
            found.append(group[0])
            continue
        inside = {*group}
        order = [one for [one] in _components(group, waits=True)]
        asked = dict.fromkeys(each for one, each in edges if each[0] in inside and one not in inside)
        region = Region(order, _ports_of(group, inside), [*asked])
        entries[region] = {each: number for number, each in enumerate(asked)}
        regions |= dict.fromkeys(group, region)
        found.append(region)
    for readers in (*(readers for one in found for readers in one.outputs), *sources):
        readers[:] = [_entry(each, regions, entries) for each in readers]
    return found


def _ports_of(group: Iterable[Operator], inside: Collection[Operator]) -> list[Operator]:
    """What takes the place of readers outside of a region."""
    found: list[Operator] = []
    for one in group:
        for readers in one.outputs:
            outside = [each for each in readers if each[0] not in inside]
            if outside:
                port = _Port()
                port.readers = outside
                found.append(port)
                readers[:] = [*(each for each in readers if each[0] in inside), (port, 0)]
    return found


def _entry(
    reader: tuple[Operator, int],
    regions: dict[Operator, Region],
    entries: dict[Region, dict[tuple[Operator, int], int]],
) -> tuple[Operator, int]:
    region = regions.get(reader[0])
    return reader if region is None else (region, entries[region][reader])


def _readers(operator: Operator) -> Iterable[Operator]:
    return (reader for readers in operator.outputs for reader, _ in readers)


def _components(operators: Sequence[Operator], *, waits: bool = False) -> list[list[Operator]]:
    """The strongly connected parts of a graph, each before those that it leads to.

    Args:
        operators: the operators.
        waits: whether only inputs count that operators wait for at each tick.
    """
    number = {one: number for number, one in enumerate(operators)}
    graph = {
        one: [
            reader
            for readers in one.outputs
            for reader, place in readers
            if reader in number and not (waits and not reader.waits_for(place))
        ]
        for one in operators
    }
    return [sorted(part, key=number.__getitem__) for part in reversed(strongly_connected(graph))]
