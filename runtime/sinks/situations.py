"""Situations, which are the atoms of the output, as they begin and end, for people who watch a run.

The cost of an answer is that of its changes, and the cost of a look that of the rows shown.
"""

from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any, NamedTuple

from clingo import Symbol

from lars2asp.externals.symbol_table import SymbolKeys, Symbols
from lars2asp.externals.symbols import Classifier, NoAtomError, symbol_of
from lars2asp.runtime.answer import Answer

NEWS_SECONDS = 3.0
"""How long a situation counts as new, and is still shown when it has ended."""

MOST_ENDED = 200
"""The number of ended situations that are remembered: more than a terminal has rows."""


class Situation(NamedTuple):
    """A situation to be shown.

    Attributes:
        atom: the atom.
        begin: the tick of the answer that had it first.
        is_older: whether it may have begun before that, as that was the first answer.
        end: the tick of the first answer without it; None while it holds.
        is_new: whether it has just begun.
    """

    atom: Symbol
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
    """The situations of one predicate, by their keys, in the order in which they began."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.begun: dict[int, _Onset] = {}

    def latest(self) -> int:
        """The key of the situation that began last."""
        return next(reversed(self.begun))

    def last_begin(self) -> int:
        """When it began."""
        return self.begun[self.latest()].tick


class Situations:
    """The atoms that hold, since when, and those that have just ended; for one thread at a time.

    Attributes:
        tick: the tick of the last answer, None before the first.
        unsatisfiable_since: the tick since which there is no answer stream; None where there is one.
        streams: the number of answer streams of the last answer, if they are counted.
    """

    def __init__(self, *, counts_streams: bool = False) -> None:
        self.tick: int | None = None
        self.unsatisfiable_since: int | None = None
        self.streams = 1
        self._counts_streams = counts_streams
        self._groups: list[_PredicateSituations] = []
        self._others = self._group("terms that are no atoms")
        self._groups_of = Classifier(lambda predicate: self._group(str(predicate)))
        self._ended: dict[int, _EndedSituation] = {}

    def __len__(self) -> int:
        """The number of situations."""
        return sum(len(group.begun) for group in self._groups)

    def take(self, answer: Answer, at: float) -> None:
        """Takes an answer, with its changes since the one taken before, at a time in seconds."""
        tick = answer.tick
        began, ended = answer.changed_keys
        if self.tick is None:
            self._begin(answer.keys().difference(began), _Onset(tick, True, at - NEWS_SECONDS))
            ended = ()
        if ended:
            self._end(ended, tick, at)
        if began:
            self._begin(began, _Onset(tick, False, at))
        self.tick = tick
        if answer.satisfiable:
            self.unsatisfiable_since = None
        elif self.unsatisfiable_since is None:
            self.unsatisfiable_since = tick
        if self._counts_streams:
            self.streams = answer.streams

    def state(self) -> dict[str, Any]:
        """The situations, as JSON has them."""
        symbols = Symbols()
        begun = [
            [symbols.number(key), begun.tick, begun.is_older]
            for group in self._groups
            for key, begun in group.begun.items()
        ]
        return {
            "symbols": symbols.table,
            "begun": begun,
            "tick": self.tick,
            "unsatisfiable_since": self.unsatisfiable_since,
        }

    def restore(self, state: Mapping[str, Any], at: float) -> None:
        """Takes over a state, at a time in seconds; nothing in it counts as new."""
        keys = SymbolKeys(state["symbols"])
        for number, tick, is_older in state["begun"]:
            self._begin([keys.key(number)], _Onset(tick, is_older, at - NEWS_SECONDS))
        self.tick, self.unsatisfiable_since = state["tick"], state["unsatisfiable_since"]

    def rows(self, most: int, at: float) -> list[ViewRow]:
        """The rows of the view, at most `most`, in clingo's order of symbols, at a time in seconds.

        So each situation has its place, and those of a predicate stand together. Where rows are too few each
        predicate has a share for the situations that began last, and a row for the number of the others.
        Ended ones stay for a while where there is room.
        """
        if most < 1:
            return []
        groups = [group for group in self._groups if group.begun]
        room = most - len(self)
        if room < 0:
            return self._crowded(groups, most, at)
        found = [_situation(key, begun, at) for group in groups for key, begun in group.begun.items()]
        for key, (begun, tick, ended_at) in islice(reversed(self._ended.items()), room):
            if at - ended_at >= NEWS_SECONDS:
                break
            found.append(Situation(symbol_of(key), begun.tick, begun.is_older, tick, False))
        return [*sorted(found)]

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
            shares = [1] * len(groups)
        else:
            groups.sort(key=lambda group: len(group.begun))
            shares = _shares([len(group.begun) for group in groups], most)
        parts: list[tuple[Symbol, list[ViewRow]]] = []
        for group, share in zip(groups, shares, strict=True):
            count = len(group.begun)
            shown = count if share == count else share - 1
            found: list[ViewRow] = sorted(
                _situation(key, begun, at) for key, begun in islice(reversed(group.begun.items()), shown)
            )
            if shown < count:
                found.append(OmittedSituations(count - shown, group.name, 1, shown == 0))
            parts.append((symbol_of(group.latest()), found))
        parts.sort(key=lambda part: part[0])
        return [row for _, found in parts for row in found] + rest

    def _begin(self, keys: Collection[int], begun: _Onset) -> None:
        for key, group in zip(keys, self._grouped(keys), strict=True):
            group.begun.setdefault(key, begun)
            self._ended.pop(key, None)

    def _end(self, keys: Collection[int], tick: int, at: float) -> None:
        for key, group in zip(keys, self._grouped(keys), strict=True):
            begun = group.begun.pop(key, None)
            if begun is not None:
                self._ended[key] = _EndedSituation(begun, tick, at)
        if len(self._ended) > 2 * MOST_ENDED:
            self._ended = dict([*self._ended.items()][-MOST_ENDED:])

    def _grouped(self, keys: Collection[int]) -> list[_PredicateSituations]:
        try:
            return self._groups_of(keys)
        except NoAtomError:  # `#show t : body.` shows any term
            return [self._group_of(key) for key in keys]

    def _group_of(self, key: int) -> _PredicateSituations:
        try:
            return self._groups_of((key,))[0]
        except NoAtomError:
            return self._others

    def _group(self, name: str) -> _PredicateSituations:
        group = _PredicateSituations(name)
        self._groups.append(group)
        return group


def _situation(key: int, begun: _Onset, at: float) -> Situation:
    return Situation(symbol_of(key), begun.tick, begun.is_older, None, at - begun.at < NEWS_SECONDS)


def _shares(counts: list[int], room: int) -> list[int]:
    """The number of rows of each group, at least one; the smallest come first and leave rows to others."""
    shares = []
    for number, count in enumerate(counts):
        shares.append(min(count, room // (len(counts) - number)))
        room -= shares[-1]
    return shares
