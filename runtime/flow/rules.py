"""The rules of a component as one operator: what they derive follows from the changes of their lookups."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from lars2asp.externals.operators import Batch, Handed, Operator, Readers, begin_with
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.runtime.evaluators.delta.code.batch_code import BatchCode
from lars2asp.runtime.evaluators.delta.evaluator import renamed
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Location

OnMessage = Callable[[Location, str], None]

Functions = Mapping[str, Callable[..., Any]]


_FEW = 16
"""The number of inputs that are all looked at."""


class _Inputs(list[Batch]):
    """Inputs of which it is known which have a batch: if there are hundreds, few have one at a tick."""

    def __init__(self, inputs: Iterable[Batch]) -> None:
        super().__init__(inputs)
        self._places: set[int] = set()

    def __setitem__(self, place: Any, batch: Any) -> None:
        self._places.add(place)
        super().__setitem__(place, batch)

    def taken(self) -> list[int]:
        """The places of those that may have one since the last call."""
        found = sorted(self._places)
        self._places.clear()
        return found


class Rules(Operator):
    """The rules of a component.

    Semi-naive evaluation with counting (Gupta, Mumick, Subrahmanian 1993, section 4): at each tick the code
    takes what changes of one lookup after the other. Rules that only rename atoms hand on batches.

    Args:
        rules: the rules.
        start: the first tick of the timeline.
        functions: the users' functions that are pure, over values.
        on_message: takes messages about undefined operations, each once.
        largest_interval: the number of values that intervals may have.
        momentary: lookups whose answers are facts of the current tick alone.
        limit: how long a tick may take.

    Attributes:
        lookups: the lookups, by the numbers of the inputs.
        momentary: those whose inputs are points, by the numbers behind these.
        readers_of: who reads what is derived, by predicates.
        renamed: the lookups whose answers are what is derived as they are.
        text: the code.
    """

    _kind = BatchCode
    """The kind of code."""

    def __init__(
        self,
        rules: DeltaRules,
        start: int,
        functions: Functions,
        on_message: OnMessage,
        largest_interval: int,
        momentary: Collection[Lookup],
        limit: TickLimit | None = None,
    ) -> None:
        names = renamed(rules)
        self._code = code = self._kind(
            [one for one in rules.rules if one.derives not in names],
            functions,
            on_message,
            *([] if limit is None else [limit.check]),
            separates_input=rules.separates_input,
            largest_interval=largest_interval,
            momentary=momentary,
        )
        self.text, self._limit = code.text, limit
        self.lookups = list(dict.fromkeys([*code.begin, *names.values()]))
        self.momentary = [*code.moments]
        super().__init__(len(self.lookups) + len(self.momentary))
        self._came = _Inputs(self.inputs)
        if len(self.inputs) > _FEW:
            self.inputs = self._came
        derived = dict.fromkeys(one.derives for one in rules.rules)
        self.readers_of: dict[Signature, Readers] = {signature: [] for signature in derived}
        self._names: list[list[Signature]] = [
            [signature for signature, lookup in names.items() if lookup == each] for each in self.lookups
        ]
        self.renamed = frozenset(names.values())
        self._in_code = len(code.begin)
        self._first: Mapping[int, Collection[Row]] = {}
        """What lookups have when it begins to derive, by the numbers of inputs."""
        self._is_new = bool(code.derived)
        if self._is_new:
            self.due = start

    @property
    def chosen(self) -> Mapping[Lookup, tuple[int, frozenset[Value]]]:
        """By lookups of which only rows with certain values at a place matter: the place and the values."""
        return self._code.chosen

    @property
    def chosen_points(self) -> Mapping[Lookup, tuple[int, frozenset[Value]]]:
        """The same of momentary lookups."""
        return self._code.chosen_points

    @property
    def is_idle(self) -> bool:
        """Whether it has nothing to do: it has no code, and others read what it renames."""
        return not (self._code.derived or any(self._names))

    def renaming(self) -> Iterable[tuple[int, Readers]]:
        """By inputs that are what is derived as they are: who reads that."""
        for place, signatures in enumerate(self._names):
            if signatures:
                yield place, [each for signature in signatures for each in self.readers_of[signature]]

    def rename_no_more(self, place: int) -> None:
        """The readers of what is derived read the input themselves."""
        self._names[place] = []

    def has_code(self, place: int) -> bool:
        """Whether an input is looked at by code."""
        return place < self._in_code

    @property
    def outputs(self) -> list[Readers]:
        """The readers of each predicate."""
        return [*self.readers_of.values()]

    def advance(self, frontier: int) -> Handed:
        """Goes from tick to tick at which a lookup changes."""
        found: list[tuple[Readers, Batch]] = []
        batches: list[tuple[int, Batch]] = []
        points: list[tuple[int, Batch]] = []
        inputs, number, came = self.inputs, len(self.lookups), self._came
        if self._first:
            begin_with(self._first, inputs, self.due)
            self._first = {}
        for place in came.taken() if inputs is came else range(len(inputs)):
            batch = inputs[place]
            if not batch:
                continue
            list.__setitem__(inputs, place, [])
            if place >= number:
                points.append((place - number, batch))
                continue
            for signature in self._names[place]:
                found.append((self.readers_of[signature], batch))
            if place < self._in_code:
                batches.append((place, batch))
        code, begin = self._code, self.due if self._is_new else None
        self._is_new = False
        if batches or points or begin is not None or code.passes_at < frontier:
            if self._limit is None:
                taken = code.take(batches, points, frontier, begin)
            else:
                taken = self._limit.interrupted(lambda: code.take(batches, points, frontier, begin))
            for signatures, segments in taken:
                found += [(self.readers_of[signature], segments) for signature in signatures]
        self.due = code.passes_at
        return found

    def begin(self, held: Mapping[int, Collection[Row]], tick: int) -> None:
        """Derives from a tick on; before it lookups have these rows, and nothing is derived."""
        number = len(self.lookups)
        self._first = {place: rows for place, rows in held.items() if place < number}
        self.due, self._is_new = tick, bool(self._code.derived)

    def prime(self, held: Mapping[int, Collection[Row]], now: int) -> dict[Signature, Collection[Row]]:
        """Goes on from a tick that is over, at which lookups have these rows; gives what is derived then."""
        number = len(self.lookups)
        batches: list[tuple[int, Batch]] = []
        points: list[tuple[int, Batch]] = []
        for place, rows in held.items():
            if not rows:
                continue
            if place >= number:
                points.append((place - number, [(now, [*rows])]))
            elif place < self._in_code:
                batches.append((place, [(now, (), [*rows])]))
        found = {
            signature: held.get(place, ()) for place, names in enumerate(self._names) for signature in names
        }
        for signatures, segments in self._code.take(batches, points, now + 1, now):
            for _, _, began in segments:
                found |= dict.fromkeys(signatures, began)
        self._is_new = False
        self.due = self._code.passes_at
        return found
