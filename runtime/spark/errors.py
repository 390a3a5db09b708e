"""What can go wrong with Spark itself."""

from lars2asp.diagnostics import Lars2aspError


class SparkSetupError(Lars2aspError):
    """Spark cannot be started here; the message says what is to be installed."""
