"""Situations, which are the atoms of the output, as they begin and end, for people who watch a run.

The cost of an answer is that of its changes, and the cost of a look that of the rows shown.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from lars2asp.externals.terms.order import atom_key
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.externals.terms.terms import BARE_TERM, GroundAtom, Row
from lars2asp.externals.terms.text import NO_DECIMALS, Decimals, atom_text
from lars2asp.runtime.answer import Answer
from lars2asp.syntax.nodes import Signature

NEWS_SECONDS = 3.0
"""How long a situation counts as new, and is still shown when it has ended."""

MOST_ENDED = 200
"""The number of ended situations that are remembered: more than a terminal has rows."""


class Situation(NamedTuple):
    """A situation to be shown.

    Attributes:
        atom: the atom as text.
        begin: the tick of the answer that had it first.
        is_older: whether it may have begun before that, as that was the first answer.
        end: the tick of the first answer without it; None while it holds.
        is_new: whether it has just begun.
    """

    atom: str
    begin: int
    is_older: bool
    end: int | None
    is_new: bool


class OmittedSituations(NamedTuple):
    """Situations for which there is no room.

    Attributes:
        number: their number.
        name: their predicate, such as `p/2`; None for several.
        predicates: the number of their predicates.
        is_all: whether these are all situations of the predicate.
    """

    number: int
    name: str | None
    predicates: int
    is_all: bool


ViewRow = Situation | OmittedSituations


class _Onset(NamedTuple):
    tick: int
    is_older: bool
    at: float


class _EndedSituation(NamedTuple):
    begun: _Onset
    tick: int
    at: float


class _PredicateSituations:
    """The situations of one predicate, by their rows, in the order in which they began."""

    def __init__(self, signature: Signature, decimals: Decimals) -> None:
        self.signature = signature
        self._decimals = decimals
        self.begun: dict[Row, _Onset] = {}

    @property
    def name(self) -> str:
        """The predicate, as people read it."""
        return "terms that are no atoms" if self.signature == BARE_TERM else str(self.signature)

    def latest(self) -> GroundAtom:
        """The situation that began last."""
        return GroundAtom(self.signature, next(reversed(self.begun)))

    def last_begin(self) -> int:
        """When it began."""
        return self.begun[self.latest().row].tick

    def situations(self, at: float, most: int | None = None) -> Iterator[tuple[GroundAtom, Situation]]:
        """The situations, or so many of those that began last, as they are at a time in seconds."""
        for row, (tick, is_older, began_at) in islice(reversed(self.begun.items()), most):
            atom = GroundAtom(self.signature, row)
            text = atom_text(*atom, self._decimals)
            yield atom, Situation(text, tick, is_older, None, at - began_at < NEWS_SECONDS)


class Situations:
    """The atoms that hold, since when, and those that have just ended; for one thread at a time.

    Attributes:
        tick: the tick of the last answer, None before the first.
        unsatisfiable_since: the tick since which there is no answer stream; None where there is one.
        streams: the number of answer streams of the last answer, if they are counted.
    """

    def __init__(self, *, counts_streams: bool = False, decimals: Decimals = NO_DECIMALS) -> None:
        self.tick: int | None = None
        self.unsatisfiable_since: int | None = None
        self.streams = 1
        self._counts_streams = counts_streams
        self._decimals = decimals
        self._groups: dict[Signature, _PredicateSituations] = {}
        self._ended: dict[GroundAtom, _EndedSituation] = {}

    def __len__(self) -> int:
        """The number of situations."""
        return sum(len(group.begun) for group in self._groups.values())

    def take(self, answer: Answer, at: float) -> None:
        """Takes an answer, with its changes since the one taken before, at a time in seconds."""
        tick = answer.tick
        if self.tick is None:
            begun = answer.began.rows
            for signature, rows in answer.holds.rows.items():
                new = set(begun.get(signature, ()))
                older = [row for row in rows if row not in new]
                self._begin(signature, older, _Onset(tick, True, at - NEWS_SECONDS))
                self._begin(signature, new, _Onset(tick, False, at))
        else:
            for signature, (began, ended) in answer.row_changes:
                self._end(signature, ended, tick, at)
                self._begin(signature, began, _Onset(tick, False, at))
        self.tick = tick
        if answer.satisfiable:
            self.unsatisfiable_since = None
        elif self.unsatisfiable_since is None:
            self.unsatisfiable_since = tick
        if self._counts_streams:
            self.streams = len(answer.models)

    def state(self) -> dict[str, Any]:
        """The situations, as JSON has them."""
        terms = TermTable()
        begun = [
            [[*signature], terms.write(group.begun), [[*onset[:2]] for onset in group.begun.values()]]
            for signature, group in self._groups.items()
        ]
        return {
            "terms": terms.table,
            "begun": begun,
            "tick": self.tick,
            "unsatisfiable_since": self.unsatisfiable_since,
        }

    def restore(self, state: Mapping[str, Any], at: float) -> None:
        """Takes over a state, at a time in seconds; nothing in it counts as new."""
        read = TermReader(state["terms"]).read
        for signature, rows, onsets in state["begun"]:
            for row, (tick, is_older) in zip(read(rows), onsets, strict=True):
                self._begin(Signature(*signature), [row], _Onset(tick, is_older, at - NEWS_SECONDS))
        self.tick, self.unsatisfiable_since = state["tick"], state["unsatisfiable_since"]

    def rows(self, most: int, at: float) -> list[ViewRow]:
        """The rows of the view, at most `most`, in clingo's order of symbols, at a time in seconds.

        So each situation has its place, and those of a predicate stand together. Where rows are too few each
        predicate has a share for the situations that began last, and a row for the number of the others.
        Ended ones stay for a while where there is room.
        """
        if most < 1:
            return []
        groups = [group for group in self._groups.values() if group.begun]
        room = most - len(self)
        if room < 0:
            return self._crowded(groups, most, at)
        found = [each for group in groups for each in group.situations(at)]
        for atom, (begun, tick, ended_at) in islice(reversed(self._ended.items()), room):
            if at - ended_at >= NEWS_SECONDS:
                break
            found.append(
                (atom, Situation(atom_text(*atom, self._decimals), begun.tick, begun.is_older, tick, False))
            )
        return [*_in_order(found)]

    def _crowded(self, groups: list[_PredicateSituations], most: int, at: float) -> list[ViewRow]:
        """Rows for too many situations."""
        rest: list[ViewRow] = []
        if len(groups) > most:
            groups.sort(key=_PredicateSituations.last_begin, reverse=True)
            others = groups[most - 1 :]
            groups = groups[: most - 1]
            rest.append(
                OmittedSituations(sum(len(group.begun) for group in others), None, len(others), False)
            )
            parted = [1] * len(groups)
        else:
            groups.sort(key=lambda group: len(group.begun))
            parted = shares([len(group.begun) for group in groups], most)
        parts: list[tuple[GroundAtom, list[ViewRow]]] = []
        for group, share in zip(groups, parted, strict=True):
            count = len(group.begun)
            shown = count if share == count else share - 1
            found: list[ViewRow] = [*_in_order(group.situations(at, shown))]
            if shown < count:
                found.append(OmittedSituations(count - shown, group.name, 1, shown == 0))
            parts.append((group.latest(), found))
        parts.sort(key=lambda part: (part[0].signature == BARE_TERM, atom_key(part[0])))
        return [row for _, found in parts for row in found] + rest

    def _begin(self, signature: Signature, rows: Iterable[Row], begun: _Onset) -> None:
        group = self._groups.get(signature)
        if group is None:
            group = self._groups[signature] = _PredicateSituations(signature, self._decimals)
        for row in rows:
            group.begun.setdefault(row, begun)
            self._ended.pop(GroundAtom(signature, row), None)

    def _end(self, signature: Signature, rows: Iterable[Row], tick: int, at: float) -> None:
        for row in rows:
            begun = self._groups[signature].begun.pop(row, None)
            if begun is not None:
                self._ended[GroundAtom(signature, row)] = _EndedSituation(begun, tick, at)
        if len(self._ended) > 2 * MOST_ENDED:
            self._ended = dict([*self._ended.items()][-MOST_ENDED:])


def _in_order(found: Iterable[tuple[GroundAtom, Situation]]) -> list[Situation]:
    return [situation for _, situation in sorted(found, key=lambda each: atom_key(each[0]))]


def shares(counts: list[int], room: int) -> list[int]:
    """The number of rows of each group; the smallest come first, and leave rows to others."""
    shares = []
    for number, count in enumerate(counts):
        shares.append(min(count, room // (len(counts) - number)))
        room -= shares[-1]
    return shares
