"""Units of time: their names in programs, and all other ways to write them."""

TICK = "tick"
"""The unit of durations that count ticks."""

UNIT_NAMES = {
    **dict.fromkeys(("msec", "ms", "msecs", "millisecond", "milliseconds"), "msec"),
    **dict.fromkeys(("sec", "s", "secs", "second", "seconds"), "sec"),
    **dict.fromkeys(("min", "m", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("hour", "h", "hours"), "hour"),
    **dict.fromkeys(("day", "d", "days"), "day"),
}
"""The spellings of each unit that has a length."""

NAMES = {
    **UNIT_NAMES,
    **{f"{name}{plural}": name for name in (TICK, "week", "month", "year") for plural in ("", "s")},
}
"""The same with ticks, and with the units by the clock of a zone."""
