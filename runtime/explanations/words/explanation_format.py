"""The forms in which an explanation is written."""

from lars2asp.syntax.option_values import OptionValue


class ExplanationFormat(OptionValue):
    """How an explanation is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"
