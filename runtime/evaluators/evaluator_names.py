"""The names of the evaluators."""

from collections.abc import Mapping

from lars2asp.syntax.option_values import OptionValue


class EvaluatorName(OptionValue):
    """The evaluators; with `auto` lars2asp chooses one for each component."""

    AUTO = "auto"
    ONESHOT = "oneshot"
    STAMPED = "stamped"
    EXTERNAL = "external"
    DELTA = "delta"
    FLOW = "flow"

    @classmethod
    def _earlier(cls) -> Mapping[str, str]:
        """The names of today, by earlier ones."""
        return {"blocks": "flow"}
