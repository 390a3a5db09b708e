"""The names of the evaluators."""

from lars2asp.syntax.option_values import OptionValue


class EvaluatorName(OptionValue):
    """The evaluators that can be asked for; `auto` leaves the choice to the planner."""

    AUTO = "auto"
    ONESHOT = "oneshot"
    STAMPED = "stamped"
    EXTERNAL = "external"
    DELTA = "delta"
    BLOCKS = "blocks"
