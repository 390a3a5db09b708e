"""`record()`: the numbers of records, in the order in which they arrive, over all inputs and files of a run.

Readers put the place of a fact within its record there, 0 for most and that of the element for `each`. Behind
them, where the inputs have come together, the number of the record is added.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lars2asp.analysis.number_forms import NumberForms
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.sources.recorded_input import PassedInput, RecordedInput
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.syntax.nodes import Input, Signature

_COUNT = "records"


class RecordCount:
    """Counts the records of a run.

    Attributes:
        count: the last number that was given.
    """

    def __init__(self) -> None:
        self.count = 0

    def number(self, count: int) -> int:
        """The number of the record that is the `count`th."""
        return count


class PartCount(RecordCount):
    """Counts the records of a part of a run; no record of another part has the same number.

    The numbers are small for the first parts: they end with those of the part, whose lengths they tell, as in
    Elias' delta code.

    Args:
        part: the numbers that tell the part from others, from 0; as many for each part.
    """

    def __init__(self, part: Sequence[int]) -> None:
        super().__init__()
        self._code = self._bits = 0
        for number in part:
            length = (number + 1).bit_length() - 1
            ones = (length + 1).bit_length() - 1
            for bits, value in ((ones + 1, (1 << ones) - 1), (ones, length + 1), (length, number + 1)):
                self._code |= (value & ((1 << bits) - 1)) << self._bits
                self._bits += bits

    def number(self, count: int) -> int:
        """See RecordCount."""
        return count << self._bits | self._code


class RecordNumbers:
    """Gives records their numbers, as declarations ask for them.

    Args:
        declarations: those of the input.
        decimals: how the numbers of predicates are written.
        counted: the numbers that were given.
    """

    def __init__(self, declarations: Sequence[Input], decimals: NumberForms, counted: RecordCount) -> None:
        self.counted = counted
        self._places: dict[Signature, list[tuple[int, int]]] = {}
        for one in declarations:
            signature = Signature(one.predicate, len(one.columns))
            forms = decimals.get(signature, (0,) * len(one.columns))
            for place, (column, form) in enumerate(zip(one.columns, forms, strict=True)):
                if column.conversion == "record":
                    scale = 10**form if isinstance(form, int) else 1
                    self._places.setdefault(signature, []).append((place, scale))
        self._last: tuple[Origin | None, int] = None, 0
        """The record that was numbered last, and the number before its own."""

    @property
    def are_asked(self) -> bool:
        """Whether a declaration asks for numbers."""
        return bool(self._places)

    def over(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records with their numbers; each gets its own when it is asked for."""
        return map(self.numbered, records)

    def numbered(self, record: Record) -> Record:
        """A record with its number. What one line tells at several ticks has one number."""
        facts = record.events.facts
        if self._places.keys().isdisjoint(atoms.signature for atoms in facts):
            return record
        origin, before = self._last
        if origin is None or record.origin is not origin:
            before = self.counted.count
        self._last = record.origin, before
        told = tuple(self._told(atoms, before) for atoms in facts)
        return record._replace(events=Events(told, *record.events[1:]))

    def _told(self, atoms: AtomRows, before: int) -> AtomRows:
        places = self._places.get(atoms.signature)
        if places is None:
            return atoms
        rows = []
        for row in atoms.rows:
            values: list[Any] = [*row]
            for place, scale in places:
                count = before + 1 + values[place] // scale
                values[place] = self.counted.number(count) * scale
                self.counted.count = max(self.counted.count, count)
            rows.append(tuple(values))
        return AtomRows(atoms.signature, rows)


class NumberedInput(PassedInput):
    """An input whose records get their numbers."""

    def __init__(self, source: RecordedInput, numbers: RecordNumbers) -> None:
        super().__init__(source, numbers.over)
        self._counted = numbers.counted

    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """See RecordedInput; with the last number."""
        return {**super().state(without_last=without_last), _COUNT: self._counted.count}

    def restore(self, state: Any) -> None:
        """See RecordedInput."""
        self._counted.count = state.get(_COUNT, 0)
        super().restore(state)
