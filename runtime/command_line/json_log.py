"""Messages as JSON lines, for those who gather them."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import TextIOBase
from typing import TextIO

_LEVELS = {"error": "error:", "warning": "warning:"}


class JsonLog(TextIOBase):
    """A stream of messages, each of which becomes an object of JSON in a line.

    An object has `time` (ISO 8601, UTC), `level` (error, warning or info) and `message`, which may have
    several lines. What is written up to a line end at once is a message.

    Args:
        output: takes the lines.
    """

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._text = ""

    def write(self, text: str) -> int:
        """Takes a part of a message."""
        self._text += text
        if self._text.endswith("\n"):
            message, self._text = self._text, ""
            level = next((level for level, sign in _LEVELS.items() if sign in message), "info")
            self.say(level, message)
        return len(text)

    def say(self, level: str, message: str) -> None:
        """Writes a message."""
        message = message.strip("\n")
        if message:
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            line = json.dumps({"time": at, "level": level, "message": message})
            self._output.write(f"{line}\n")
            self._output.flush()

    def flush(self) -> None:
        """Writes what has no line end yet."""
        message, self._text = self._text, ""
        self.say("info", message)

    def fileno(self) -> int:
        """That of the output."""
        return self._output.fileno()


class _Handler(logging.Handler):
    """What is logged, as messages."""

    def __init__(self, log: JsonLog) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a message."""
        self._log.say(record.levelname.lower(), record.getMessage())


@contextmanager
def json_log() -> Iterator[None]:
    """Within, what goes to standard error, and what is logged, are JSON lines there."""
    before, logger = sys.stderr, logging.getLogger("lars2asp")
    if before is None:
        yield
        return
    log = JsonLog(before)
    handler, passes_on = _Handler(log), logger.propagate
    sys.stderr = log
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield
    finally:
        log.flush()
        logger.removeHandler(handler)
        logger.propagate = passes_on
        sys.stderr = before
