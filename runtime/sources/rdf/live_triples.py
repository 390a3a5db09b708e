"""Lines of triples from live sources."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lars2asp.runtime.sources.rdf.timed_triples import Timed, TimedTriples
from lars2asp.runtime.sources.rdf.triple_facts import TripleFacts
from lars2asp.runtime.sources.rdf.triple_texts import DocumentTriples, LineTriples
from lars2asp.runtime.sources.records import Line, OnReject, Origin, Record, Rejected


class LiveTriples:
    """Makes records of lines of triples, which each source has for itself.

    A triple is given as soon as its time is known: with those that say it, or when the next node begins.

    Args:
        facts: which facts triples are.
        texts_of: makes what reads the lines of a source, by its name.
        on_reject: takes what is rejected.
    """

    def __init__(
        self,
        facts: TripleFacts,
        texts_of: Callable[[str], LineTriples | DocumentTriples],
        on_reject: OnReject,
    ) -> None:
        self._facts = facts
        self._texts_of = texts_of
        self._on_reject = on_reject
        self._sources: dict[str, tuple[LineTriples | DocumentTriples, TimedTriples]] = {}

    def records(self, line: Line) -> Sequence[Record]:
        """The records that a line completes, or the end of a source."""
        source = line.source
        if line.end is None:
            known = self._sources.pop(source, None)
            return () if known is None else self._ended(known[1])
        if source not in self._sources:
            self._sources[source] = self._texts_of(source), self._facts.timed()
        texts, triples = self._sources[source]
        timed = Timed()
        for part in texts.line(line.text, Origin(source, line.number, str(line.text))):
            if isinstance(part, Rejected):
                timed.reject(part)
            else:
                self._facts.take(part, triples, timed)
        return self._made(timed)

    def finish(self) -> Sequence[Record]:
        """The records that the ends of the sources complete."""
        sources, self._sources = self._sources, {}
        return [record for _, triples in sources.values() for record in self._ended(triples)]

    def state(self) -> dict[str, Any]:
        """What later lines are read by, as JSON has it."""
        return {source: triples.state() for source, (_, triples) in self._sources.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        for source, known in state.items():
            triples = self._facts.timed()
            triples.restore(known)
            self._sources[source] = self._texts_of(source), triples

    def _ended(self, triples: TimedTriples) -> Sequence[Record]:
        timed = Timed()
        triples.end(timed)
        return self._made(timed)

    def _made(self, timed: Timed) -> Sequence[Record]:
        if not timed.quads and not timed.rejected:
            return ()
        records, rejected = self._facts.records(timed, in_columns=False)
        for _, one in rejected:
            self._on_reject(one)
        return records
