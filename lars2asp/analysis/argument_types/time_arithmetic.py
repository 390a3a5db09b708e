"""What arithmetic makes of times and durations, which are numbers of ticks, and what has no meaning."""

from typing import NamedTuple

from lars2asp.analysis.argument_types.kinds import (
    DURATION,
    NUMBER,
    NUMBERS,
    TEMPORAL,
    TICK,
    TIME,
    UNSURE,
    Kinds,
)


class Result(NamedTuple):
    """What an operation makes of two numbers.

    Attributes:
        kind: the kind of its value.
        wrong: why it has no meaning, if it has none.
        hint: what to do then.
    """

    kind: Kinds
    wrong: str = ""
    hint: str = ""


_ADDED = Result(NUMBER, "two times cannot be added", "subtract them to get a duration: S-T")
_MULTIPLIED = Result(NUMBER, "a time cannot be multiplied", "multiply a duration, such as S-T of two times")
_SQUARED = Result(NUMBER, "two durations cannot be multiplied", "multiply a duration by a number")
_DIVISOR = Result(NUMBER, "nothing can be divided by a time", "divide by a number or a duration")
_TAKEN_AWAY = Result(
    NUMBER, "a time cannot be subtracted from a duration", "subtract the duration from the time"
)
NEGATIVE = Result(NUMBER, "a time cannot be negative", "subtract two times to get a duration: S-T")
"""A minus before a time."""

_SUMS = {
    **{(TIME, TIME): _ADDED, (TIME, TICK): _ADDED, (TICK, TIME): _ADDED},
    **{(TIME, NUMBER): Result(TIME), (NUMBER, TIME): Result(TIME)},
    **{(TIME, DURATION): Result(TIME), (DURATION, TIME): Result(TIME)},
    **{(TICK, NUMBER): Result(TICK), (NUMBER, TICK): Result(TICK)},
    **{(TICK, DURATION): Result(TICK), (DURATION, TICK): Result(TICK)},
    **dict.fromkeys([(DURATION, DURATION), (DURATION, NUMBER), (NUMBER, DURATION)], Result(DURATION)),
}
_DIFFERENCES = {
    **dict.fromkeys([(TIME, TIME), (TIME, TICK), (TICK, TIME)], Result(DURATION)),
    **{(TIME, NUMBER): Result(TIME), (TIME, DURATION): Result(TIME)},
    **{(TICK, NUMBER): Result(TICK), (TICK, DURATION): Result(TICK)},
    **dict.fromkeys([(DURATION, DURATION), (DURATION, NUMBER), (NUMBER, DURATION)], Result(DURATION)),
    (DURATION, TIME): _TAKEN_AWAY,
}
_PRODUCTS = {
    **dict.fromkeys([(one, TIME) for one in (NUMBER, TICK, TIME, DURATION)], _MULTIPLIED),
    **dict.fromkeys([(TIME, one) for one in (NUMBER, TICK, DURATION)], _MULTIPLIED),
    **{(DURATION, NUMBER): Result(DURATION), (NUMBER, DURATION): Result(DURATION)},
    (DURATION, DURATION): _SQUARED,
}
_QUOTIENTS = {
    **dict.fromkeys([(one, TIME) for one in (NUMBER, TICK, TIME, DURATION)], _DIVISOR),
    (DURATION, NUMBER): Result(DURATION),
}
_REMAINDERS = {
    **dict.fromkeys([(one, TIME) for one in (NUMBER, TICK, TIME, DURATION)], _DIVISOR),
    **dict.fromkeys([(one, NUMBER) for one in (TIME, DURATION)], Result(DURATION)),
    **dict.fromkeys([(one, DURATION) for one in (TICK, TIME, DURATION)], Result(DURATION)),
}
_INTERVALS = {
    **dict.fromkeys([(TIME, TIME), (TIME, NUMBER), (TIME, TICK), (TICK, TIME), (NUMBER, TIME)], Result(TIME)),
    **dict.fromkeys([(DURATION, DURATION), (DURATION, NUMBER), (NUMBER, DURATION)], Result(DURATION)),
}
_TABLES = {
    **{"+": _SUMS, "-": _DIFFERENCES, "*": _PRODUCTS, "/": _QUOTIENTS, "\\": _REMAINDERS, "..": _INTERVALS},
}


def result_of(operator: str, left: Kinds, right: Kinds) -> Result:
    """What an operation makes of operands of these kinds; a number where more is not known for certain."""
    return _TABLES.get(operator, {}).get((_only(left), _only(right)), Result(NUMBER))


def _only(kinds: Kinds) -> Kinds:
    """The kind that a number is; just a number where it may be several, or is not one for certain."""
    found = kinds & NUMBERS
    if found & TEMPORAL and not kinds & UNSURE:
        found &= TEMPORAL
    return found if found in (TICK, TIME, DURATION) else NUMBER
