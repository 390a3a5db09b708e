"""The errors that reading and evaluating a stream can raise."""

from collections.abc import Sequence
from typing import Self

from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.source import NOWHERE, Location


class SnapshotError(Lars2aspError):
    """A snapshot is damaged, or from another program, other options or another version."""


class OtherFormatError(SnapshotError):
    """A snapshot from a version of lars2asp with another format."""


class InputError(Lars2aspError, ValueError):
    """lars2asp cannot read facts, records or times; it took none of them.

    Attributes:
        source: The file or the name of the input; None if no input is at fault.
        line: The line of the bad record, counted from 1; None without a record.
        record: The text of the record.
        reason: The problem, without the place.
    """

    def __init__(
        self,
        message: str = "",
        *,
        source: str | None = None,
        line: int | None = None,
        record: str | None = None,
        reason: str | None = None,
    ) -> None:
        super().__init__(message)
        self.source = source
        self.line = line
        self.record = record
        self.reason = message if reason is None else reason

    @classmethod
    def of(cls, source: str, reason: str) -> Self:
        """Returns the error for a source as a whole."""
        return cls(f"{source}: {reason}", source=source, reason=reason)


class EvaluationError(Lars2aspError):
    """clingo refused the program at a tick; the message names the place in your program."""


class FunctionError(EvaluationError):
    """A function of yours, called by the program, failed or returned a value of a wrong type."""


class UncomputableError(EvaluationError):
    """lars2asp cannot compute a tick, for example because an interval contains too many values.

    The tick is without an answer, and the stream continues.

    Attributes:
        location: The rule, if known.
        values: The known values of its variables.
    """

    def __init__(self, message: str, location: Location = NOWHERE, values: Sequence[object] = ()) -> None:
        super().__init__(f"{location}: error: {message}")
        self.location = location
        self.values = tuple(values)


class TickTimeoutError(EvaluationError):
    """An explanation or a tick took longer than `tick_timeout`; the stream continues."""


class EvaluatorError(Lars2aspError):
    """The evaluator that you chose cannot run the program; the message says why."""


class InUseError(Lars2aspError, RuntimeError):
    """Another thread, or a function that the program calls, used the reasoner during a call.

    The second call changed nothing; the first call continues.
    """


class Terminated(BaseException):
    """A signal (SIGTERM) ends the process; open files and connections are closed."""
