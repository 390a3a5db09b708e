"""Processes that fail, and the reason that tables show."""

LONGEST_REASON = 200
"""The characters of a reason that tables show."""


class FailedProcessError(RuntimeError):
    """A process ended with an exit status other than 0."""


def reason_of(error: Exception) -> str:
    """The last line of the text of an error, safe in a cell of a table."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1].strip()[:LONGEST_REASON].replace("|", "\\|")
