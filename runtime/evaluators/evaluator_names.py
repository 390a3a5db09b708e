"""The names of the evaluators."""

from enum import StrEnum


class EvaluatorName(StrEnum):
    """The evaluators that can be asked for; `auto` leaves the choice to the planner."""

    AUTO = "auto"
    ONESHOT = "oneshot"
    STAMPED = "stamped"
    EXTERNAL = "external"
    DELTA = "delta"
