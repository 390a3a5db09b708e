"""Several live inputs of a run in data time: their records as they come, and who is silent."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field
from typing import Protocol

from lars2asp.runtime.connectors.clock import Clock
from lars2asp.runtime.runs.wall_time import ArrivalSource
from lars2asp.runtime.sinks.counters import InputTime
from lars2asp.runtime.sources.input_watermarks import FromInput, InputWatermarks
from lars2asp.runtime.sources.live_reader import LiveReaders
from lars2asp.runtime.sources.records import Line
from lars2asp.syntax.values import dataclass


class ReleasingSource(ArrivalSource, Protocol):
    """A source with a state, which has the line that was taken last until it is released."""

    def release(self) -> None:
        """Who took the line keeps what it brought: the state of the source is without it."""
        ...


@dataclass(eq=False)
class LiveInputs:
    """What several live inputs bring, one after the other.

    Attributes:
        names: those of the inputs.
        reader: reads their lines.
        clock: says how long an input has been silent.
        idles: in microseconds, for how long each input may be silent until the run no longer waits for it;
            None: for ever. Empty: all inputs may be.
        of_connections: the numbers of the inputs whose connections have a watermark each. Inputs with
            positions count as a whole, and besides each of their sources while it has something to be read.
        of_files: the numbers of those that are one file each: it has positions, and no sources beside it.
        latenesses: in ticks, by how much records of each may come late, where that is not the same.
    """

    names: Sequence[str]
    reader: LiveReaders
    clock: Clock
    idles: Sequence[int | None] = ()
    of_connections: frozenset[int] = frozenset()
    of_files: frozenset[int] = frozenset()
    latenesses: Sequence[int] = ()
    _heard: dict[Hashable, int] = field(default_factory=dict, init=False)
    """When each input that is waited for was heard of last, in microseconds since the Unix epoch."""

    def watermarks(self) -> InputWatermarks:
        """Those of the inputs, at their beginning."""
        most = max(self.latenesses, default=0)
        sooner = {number: most - lateness for number, lateness in enumerate(self.latenesses)}
        waited = (one for one in range(len(self.names)) if one not in self.of_connections)
        return InputWatermarks(waited, sooner)

    def times(self, watermarks: InputWatermarks) -> tuple[InputTime, ...]:
        """How far each input has come; another thread may ask."""
        return tuple(
            InputTime(self._name(one), tick, is_left_out) for one, tick, is_left_out in [*watermarks]
        )

    def _name(self, one: Hashable) -> str:
        return str(one[1]) if isinstance(one, tuple) else self.names[one] if isinstance(one, int) else ""

    def over(self, source: ReleasingSource) -> Iterator[FromInput]:
        """What the inputs bring until all have ended. Raises what `LiveReader.records` and `take` raise."""
        begun = self.clock.microseconds()
        self._heard = {one: begun for one in range(len(self.names)) if one not in self.of_connections}
        while True:
            arrived = source.take(self._deadline())
            if arrived is None:
                yield from self._silent()
            elif arrived.line is None:
                break
            else:
                source.release()  # its records wait in the run before one of them is let go
                yield from self._of_line(arrived.line, arrived.at)
        yield FromInput(0, self.reader.finish())

    def _of_line(self, line: Line, at: int) -> Iterator[FromInput]:
        """What a line brings."""
        one: Hashable = line.input
        has_sources = line.position is not None and line.input not in self.of_files
        if line.input in self.of_connections or has_sources:
            one = (line.input, line.source)
        yield FromInput(one, self.reader.records(line), not line.number and bool(line.end))
        if line.end is None and (not line.number or one != line.input):
            self._heard.pop(one, None)
            yield FromInput(one, None)
            return
        self._heard[one] = at
        if line.position is not None and line.number:
            self._heard[line.input] = at

    def _idle(self, one: Hashable) -> int | None:
        """For how many microseconds an input, or one of its sources, may be silent."""
        number = one[0] if isinstance(one, tuple) else one
        return self.idles[number] if self.idles and isinstance(number, int) else None

    def _deadline(self) -> int | None:
        """When an input will have been silent for too long, in microseconds since the Unix epoch."""
        if not any(self.idles):
            return None
        deadlines = [at + idle for one, at in self._heard.items() if (idle := self._idle(one)) is not None]
        return min(deadlines, default=None)

    def _silent(self) -> Iterator[FromInput]:
        """The inputs that have been silent for too long."""
        now = self.clock.microseconds()
        for one, at in [*self._heard.items()]:
            idle = self._idle(one)
            if idle is not None and at <= now - idle:
                del self._heard[one]
                yield FromInput(one, None)
