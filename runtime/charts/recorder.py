"""What a chart needs of a run, kept while it goes on: intervals, marks of input, times without answer."""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lars2asp.externals.events import Events
from lars2asp.externals.terms.order import in_order, signature_key
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.externals.terms.terms import BARE_TERM, GroundAtom, Row
from lars2asp.externals.terms.text import NO_DECIMALS, Decimals, atom_text
from lars2asp.runtime.answer import NO_ANSWER, Answer
from lars2asp.runtime.charts.lanes import (
    LONGEST_TEXT,
    AtomLane,
    ChartData,
    InputLane,
    LaneGroup,
    predicate_name,
)
from lars2asp.runtime.sinks.columns import OpenIntervals
from lars2asp.runtime.sources.records import Record
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown


class ChartRecorder:
    """Takes the answers and the input of a run, and gives what its chart shows.

    Args:
        decimals: how the numbers of predicates are written.
    """

    def __init__(self, decimals: Decimals = NO_DECIMALS) -> None:
        self._decimals = decimals
        self._open = OpenIntervals()
        self._ended: dict[GroundAtom, array[int]] = {}
        self._earlier: set[GroundAtom] = set()
        """The atoms whose first interval begins before the chart does."""
        self._counts: dict[Signature, dict[int, int]] = {}
        self._gaps: list[int] = []
        self._gap: int | None = None
        """The tick since which there is no answer stream."""
        self._begin: int | None = None
        """The first tick, where the chart begins later than the stream."""
        self._is_first = True

    def take(self, answer: Answer) -> None:
        """Takes an answer, the changes of which are those since the one taken before."""
        ended = self._ended
        for signature, row, begin, end in self._open.take(answer, is_first=self._is_first):
            bars = ended.get(GroundAtom(signature, row))
            if bars is None:
                bars = ended[GroundAtom(signature, row)] = array("q")
            bars.append(begin)
            bars.append(end or begin)
        self._is_first = False
        if answer.satisfiable == (self._gap is None):
            return
        if self._gap is not None:
            self._gaps += (self._gap, answer.tick)
        self._gap = None if answer.satisfiable else answer.tick

    def begin_after(self, before: Answer) -> None:
        """Begins with the answer given before, where there was one; what held then began earlier."""
        if before is NO_ANSWER:
            return
        assert not [*self._open.take(before, is_first=True)]  # they begin
        self._is_first, self._begin = False, before.tick
        self._gap = None if before.satisfiable else before.tick
        self._earlier.update(GroundAtom(one, row) for one, row, _, _ in self._open.rest())

    def told(self, tick: int, events: Events) -> None:
        """Takes the input of a tick."""
        for part in (events.facts, events.begin, events.end):
            for signature, rows in part:
                counts = self._counts.setdefault(signature, {})
                counts[tick] = counts.get(tick, 0) + len(rows)

    def over(self, records: Iterable[Record]) -> Iterator[Record]:
        """Records, of which the input is taken."""
        for record in records:
            self.told(record.tick, record.events)
            yield record

    def data(self, last: int | None) -> ChartData:
        """What the chart shows of a run, from the first tick at which something came or held.

        Args:
            last: the last tick that is over, None before the first.
        """
        begin = self._begin
        if begin is None:
            firsts = [min(counts) for counts in self._counts.values()]
            firsts += [bars[0] for bars in self._ended.values()]
            firsts += [begin for _, _, begin, _ in self._open.rest()]
            firsts += [tick for tick in (*self._gaps[:1], self._gap) if tick is not None]
            begin = min(firsts, default=last or 0)
        end = begin if last is None else max(begin, last + 1)
        gaps = [*self._gaps, *(() if self._gap is None else (self._gap, end))]
        return ChartData(begin, end, self._groups(end), self._inputs(begin, end), gaps)

    def _groups(self, end: int) -> tuple[LaneGroup, ...]:
        rows: dict[Signature, dict[Row, list[int]]] = {}
        for (signature, row), bars in self._ended.items():
            rows.setdefault(signature, {})[row] = [*bars]
        for signature, row, begin, _ in self._open.rest():
            rows.setdefault(signature, {}).setdefault(row, []).extend((begin, end))
        return tuple(
            LaneGroup(
                predicate_name(one),
                tuple(self._lane(GroundAtom(one, row), rows[one][row]) for row in in_order(rows[one])),
            )
            for one in sorted(rows, key=_signature_key)
        )

    def _lane(self, atom: GroundAtom, bars: list[int]) -> AtomLane:
        return AtomLane(shown(atom_text(*atom, self._decimals), LONGEST_TEXT), bars, atom in self._earlier)

    def _inputs(self, begin: int, end: int) -> tuple[InputLane, ...]:
        found = []
        for one in sorted(self._counts, key=_signature_key):
            counts = {tick: n for tick, n in sorted(self._counts[one].items()) if begin <= tick < end}
            if counts:
                found.append(InputLane(predicate_name(one), counts))
        return tuple(found)

    # --- for runs that are handed over, or interrupted ------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What holds, as JSON has it: a run that goes on from it has a chart from there on."""
        return {"open": self._open.state(), "gap": self._gap, "is_first": self._is_first}

    def whole_state(self) -> dict[str, Any]:
        """All that was taken, as JSON has it, for another process of the same run."""
        terms = TermTable()
        ended = [
            [[*signature], terms.write([row]), [*bars]] for (signature, row), bars in self._ended.items()
        ]
        earlier = [[[*signature], terms.write([row])] for signature, row in self._earlier]
        counts = [[[*one], [*counts.items()]] for one, counts in self._counts.items()]
        whole = {"terms": terms.table, "ended": ended, "earlier": earlier, "counts": counts}
        return self.state() | {"whole": whole | {"gaps": self._gaps, "begin": self._begin}}

    def restore(self, state: Mapping[str, Any], now: int | None) -> None:
        """Takes over a state; if it is not the whole one, the chart begins at the tick that was over last."""
        self._is_first, self._gap, opened = state["is_first"], state["gap"], state["open"]
        whole = state.get("whole")
        if whole is not None:
            self._open.restore(opened)
            self._restore_whole(whole)
            return
        if now is None:
            return
        self._begin = now
        self._gap = None if self._gap is None else now
        begun = opened["begun"]
        self._open.restore({**opened, "begun": [[one, now, rows] for one, _, rows in begun]})
        self._earlier.update(GroundAtom(one, row) for one, row, _, _ in self._open.rest())

    def _restore_whole(self, whole: Mapping[str, Any]) -> None:
        read = TermReader(whole["terms"]).read
        for signature, rows, bars in whole["ended"]:
            [row] = read(rows)
            self._ended[GroundAtom(Signature(*signature), row)] = array("q", bars)
        for signature, rows in whole["earlier"]:
            [row] = read(rows)
            self._earlier.add(GroundAtom(Signature(*signature), row))
        self._counts = {Signature(*one): dict(map(tuple, counts)) for one, counts in whole["counts"]}
        self._gaps, self._begin = whole["gaps"], whole["begin"]


def _signature_key(signature: Signature) -> tuple[Any, ...]:
    """Terms that are no atoms come last."""
    return (9,) if signature == BARE_TERM else signature_key(signature)
