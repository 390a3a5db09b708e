"""When windows `[since b]` and `[after b]` began, by what is known of b."""

from collections.abc import Iterable, Iterator, Mapping

from lars2asp.analysis.windows import Since
from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.runtime.explanations.past.holding import Interval, Run


def begun(runs: Iterable[Run], arrivals: Iterable[Interval], now: int) -> Iterator[int]:
    """The ticks up to now at which a row begins to hold, by runs that lie apart, or arrives."""
    yield from (first for first, _ in runs)
    yield from (one.first for one in arrivals if one.first <= now)


def key_of(window: Since, row: Row) -> Row | None:
    """The key of the windows that an atom begins; None where it begins none."""
    found: dict[int, Value] = {}
    for wanted, value in zip(window.key, row, strict=True):
        if wanted is None:
            continue
        known = found.setdefault(wanted, value) if isinstance(wanted, int) else ground_value(wanted)
        if known != value or type(known) is not type(value):
            return None
    return tuple(found[position] for position in window.positions)


def first_tick(window: Since, begins: Mapping[Row, int], known: Mapping[int, Value]) -> int | None:
    """The first tick of the window for arguments that are known; None where there is none, or one is not."""
    if not known.keys() >= set(window.positions):
        return None
    last = begins.get(tuple(known[position] for position in window.positions))
    return None if last is None else last + window.is_after
