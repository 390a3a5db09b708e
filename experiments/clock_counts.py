"""What is counted of runs by the clock."""

LAST = "microseconds to the last answer"
"""From when the last tick was due to its answer; where ticks pile up it grows with their number."""
IN_TIME = "share answered in time"
"""The share of ticks that were answered before the next one was due."""
LENGTH = "times the clock's length"
"""From when the first tick was due to the last answer, beside the time of the ticks by the clock."""
KEPT_UP = 1.2
"""The most of that with which ticks do not pile up: a pipeline has some of them on their way at the end."""
