"""The watermarks of several inputs, of which the least counts."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lars2asp.runtime.sources.records import Record


class FromInput(NamedTuple):
    """Records that an input brings at once, or its silence.

    Attributes:
        input: which input, or which of its connections.
        records: the records; None where the input is left out until it brings some: it has ended, or has said
            nothing for too long.
        begins: whether the input, or the part of it, is waited for from now on.
    """

    input: Hashable
    records: Sequence[Record] | None
    begins: bool = False


class InputWatermarks:
    """How far each of several inputs has come, in ticks.

    Args:
        inputs: the inputs that are waited for from the beginning; others count from their first record on, or
            when they begin. Those that are a pair are parts of an input, which comes as far as they do.
        sooner: by how many ticks records of an input come less late than those of the latest one of all.
    """

    def __init__(self, inputs: Iterable[Hashable], sooner: Mapping[int, int] | None = None) -> None:
        self._sooner = sooner or {}
        self._latest: dict[Hashable, int | None] = dict.fromkeys(inputs)
        self._left_out: set[Hashable] = set()

    def reach(self, one: Hashable, tick: int) -> None:
        """An input has come to a tick."""
        self._left_out.discard(one)
        latest = self._latest.get(one)
        if latest is None or tick > latest:
            self._latest[one] = +tick
        if isinstance(one, tuple) and one[0] in self._latest:
            self.reach(one[0], tick)

    def begin(self, one: Hashable) -> None:
        """An input is waited for from now on."""
        self._latest.setdefault(one, None)
        self._left_out.discard(one)

    def leave_out(self, one: Hashable) -> None:
        """An input is not waited for until it brings something again."""
        if one in self._latest:
            self._left_out.add(one)

    def latest(self, one: Hashable) -> int | None:
        """The latest tick of an input; None before its first record."""
        return self._latest.get(one)

    def sooner(self, one: Hashable) -> int:
        """By how many ticks its records come less late than those of another input."""
        number = one[0] if isinstance(one, tuple) else one
        return self._sooner.get(number, 0) if isinstance(number, int) else 0

    @property
    def least(self) -> int | None:
        """The tick that all have reached that are waited for; None while one of them has brought nothing.

        Those whose records come less late count as further. Where none is waited for the furthest one counts.
        """
        waited = [one for one in self._latest if one not in self._left_out]
        reached = [
            latest + self.sooner(one)
            for one in waited or self._latest
            if (latest := self._latest[one]) is not None
        ]
        if len(reached) < len(waited):
            return None
        return (min if waited else max)(reached, default=None)

    def __iter__(self) -> Iterator[tuple[Hashable, int | None, bool]]:
        """Each input, its latest tick, and whether it is left out."""
        return ((one, latest, one in self._left_out) for one, latest in self._latest.copy().items())

    def state(self) -> list[Any]:
        """The inputs, as JSON has them."""
        return [[one, latest, is_left_out] for one, latest, is_left_out in self]

    def restore(self, state: Iterable[Any]) -> None:
        """Takes over a state."""
        for kept, latest, is_left_out in state:
            one = tuple(kept) if isinstance(kept, list) else kept
            self._latest[one] = latest
            if is_left_out:
                self._left_out.add(one)
