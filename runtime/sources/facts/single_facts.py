"""JSON lines with a time and one fact each, many at once."""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.externals.events import Events
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.runtime.sources.fine_ticks import fine_ticks
from lars2asp.runtime.sources.records import OneEach, Origin, Record, made_of
from lars2asp.runtime.sources.row_events import LONGEST_KNOWN, MOST_KNOWN
from lars2asp.runtime.sources.times.time_texts import TimeTexts
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit


class SingleFacts:
    """Reads records that have a time and one fact; equal facts share their events.

    Args:
        timeline: how times are read.
        facts: reads facts.
    """

    def __init__(self, timeline: Timeline, facts: FactReader) -> None:
        self._are_ticks = timeline.unit is TimeUnit.TICK
        self._times = TimeTexts(timeline, are_cells=False)
        self._facts = facts
        self._known: dict[str, Events] = {}
        """The events of facts, by their texts."""
        self._is_full = False

    def read(self, objects: Sequence[Any], origins: Iterable[Origin]) -> list[Record] | None:
        """The records of objects of JSON; None where one is not such a record, or not valid."""
        if not {dict}.issuperset(map(type, objects)) or not {2}.issuperset(map(len, objects)):
            return None
        try:
            times, lists = [*map(itemgetter("time"), objects)], [*map(itemgetter("facts"), objects)]
        except KeyError:
            return None
        if not {list}.issuperset(map(type, lists)) or not {1}.issuperset(map(len, lists)):
            return None
        texts = [*chain.from_iterable(lists)]
        if not {str}.issuperset(map(type, texts)):
            return None
        ticks = self._ticks(times)
        if ticks is None:
            return None
        try:
            events = [*map(self._known.__getitem__, texts)]
        except KeyError:
            if not self._learnt({*texts}):
                return None
            events = [*map(self._known.__getitem__, texts)]
        return OneEach(made_of(Record, ticks, events, origins))

    def _ticks(self, times: Sequence[Any]) -> Sequence[int | None] | None:
        """The ticks of times; None where one has none, or where that is not known."""
        kinds = {*map(type, times)}
        if kinds == {int} and self._are_ticks:
            return times if min(times) >= 0 and max(times) <= LARGEST_TICK else None
        if kinds != {str}:
            return None
        ticks, wrong, moments = self._times.ticks(times)
        return None if wrong else fine_ticks(ticks, moments)

    def _learnt(self, texts: Collection[str]) -> bool:
        """Keeps the events of the facts of a block; false where one is not valid."""
        new = [text for text in texts if text not in self._known]
        if self._is_full or len(self._known) + len(new) > MOST_KNOWN:
            self._known, self._is_full, new = {}, False, [*texts]
        atoms = self._facts.known_atoms(new)
        try:
            self._known |= {
                text: Events(atoms[text] if text in atoms else self._facts.parse_atoms([text]))
                for text in new
            }
        except InputError:
            return False
        self._is_full = max(map(len, new)) > LONGEST_KNOWN
        return True
