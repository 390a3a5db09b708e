"""The errors that reading and evaluating a stream can raise."""

from lars2asp.syntax.diagnostics import Lars2aspError


class SnapshotError(Lars2aspError):
    """A snapshot is damaged, or of another program or version."""


class OtherFormatError(SnapshotError):
    """A snapshot was made by a version of lars2asp that writes them in another way."""


class InputError(Lars2aspError, ValueError):
    """Facts, records or times that cannot be taken; nothing of them was taken."""


class EvaluationError(Lars2aspError):
    """clingo refused the program at some tick; the message speaks of the user's text."""


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
