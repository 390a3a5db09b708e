"""The errors that reading and evaluating a stream can raise."""

from collections.abc import Sequence
from typing import Self

from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.source import NOWHERE, Location


class SnapshotError(Lars2aspError):
    """A snapshot is damaged, or of another program or version."""


class OtherFormatError(SnapshotError):
    """A snapshot was made by a version of lars2asp that writes them in another way."""


class InputError(Lars2aspError, ValueError):
    """Facts, records or times that cannot be taken; nothing of them was taken.

    Its fields are those of a line in a file of `--rejects`.

    Attributes:
        source: the file, or the name of what else the input came from, where it is one that is at fault.
        line: the line of the record that is not valid, counted from 1; None where there is no record.
        record: the text of the record.
        reason: what is wrong, without the place; the whole message where there is none.
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
        """The error that a source as a whole is at fault."""
        return cls(f"{source}: {reason}", source=source, reason=reason)


class EvaluationError(Lars2aspError):
    """clingo refused the program at some tick; the message speaks of the user's text."""


class FunctionError(EvaluationError):
    """A function of the user's, which the program calls, failed, or gave what is not a symbol of clingo."""


class UncomputableError(EvaluationError):
    """A tick cannot be computed, such as by an interval with too many values, or a number beyond clingo's.

    The tick has no answer, and the stream goes on.

    Attributes:
        location: the rule, if it is known.
        values: the values of the rule's variables that are known.
    """

    def __init__(self, message: str, location: Location = NOWHERE, values: Sequence[object] = ()) -> None:
        super().__init__(f"{location}: error: {message}")
        self.location = location
        self.values = tuple(values)


class TickTimeoutError(EvaluationError):
    """clingo took longer for a tick than it may; the tick has no answer, and the stream goes on."""


class EvaluatorError(Lars2aspError):
    """The evaluator that was asked for cannot serve the program; the message says why."""


class InUseError(Lars2aspError, RuntimeError):
    """A reasoner was called while another thread, or a function that it waits for, was in it.

    Nothing was changed, and the call that was there first goes on.
    """


class Terminated(BaseException):
    """The process is asked to end (SIGTERM); what is open is closed on the way out."""
