"""The names of the evaluators."""

from lars2asp.syntax.option_values import OptionValue


class EvaluatorName(OptionValue):
    """The evaluators; with `auto` lars2asp chooses one for each component."""

    AUTO = "auto"
    ONESHOT = "oneshot"
    STAMPED = "stamped"
    EXTERNAL = "external"
    DELTA = "delta"
    BLOCKS = "blocks"
