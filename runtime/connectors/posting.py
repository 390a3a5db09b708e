"""How answers are sent to others: headers, bodies, retries, and where what is refused goes."""

import json
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path

from lars2asp.runtime.connectors.delivering import Retries
from lars2asp.runtime.errors import InputError
from lars2asp.syntax.values import dataclass

SECRET = "{secret}"
"""What stands in a header in place of the secret."""


@dataclass(frozen=True)
class DeadLetters:
    """A file for what a destination refuses, or did not take in time: one JSON object a line.

    Attributes:
        path: the file, to which is added.
    """

    path: str

    def add(self, name: str, reason: str, lines: Sequence[bytes]) -> None:
        """Adds lines that were not delivered. Raises InputError where they cannot be written."""
        letters = [{"to": name, "reason": reason, "sent": json.loads(line)} for line in lines]
        try:
            with Path(self.path).open("a", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(letter)}\n" for letter in letters)
        except OSError as error:
            raise InputError(f"{self.path}: cannot write the dead letters: {error.strerror}") from error


@dataclass(frozen=True)
class Body:
    """What makes the bodies of POSTs and messages.

    Attributes:
        text: as the user wrote it.
        is_json: whether bodies are JSON.
    """

    text: str
    is_json: bool


@dataclass(frozen=True)
class Posting:
    """How answers are sent.

    Attributes:
        headers: names and values of the headers of a POST.
        secret_file: the file of a secret, which stands where headers say `{secret}`; where none does it is
            that of `Authorization: Bearer`.
        body: makes the bodies of POSTs and messages; None: they are JSON lines.
        retries: how often a destination is tried that takes nothing.
        dead_letters: takes what is not delivered; None: that ends the run.
    """

    headers: tuple[tuple[str, str], ...] = ()
    secret_file: str | None = None
    body: Body | None = None
    retries: Retries = field(default_factory=Retries)
    dead_letters: DeadLetters | None = None

    def payload(self, line: bytes) -> bytes:
        """What is sent of a line: the line, or the body that it has."""
        return line if self.body is None else str(json.loads(line)).encode()

    def sent_headers(self) -> dict[str, str]:
        """The headers, with the secret, which is read anew. Raises InputError where it cannot be read."""
        headers = dict(self.headers)
        if self.secret_file is None:
            return headers
        try:
            secret = Path(self.secret_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            raise InputError(f"{self.secret_file}: cannot read the secret: {reason}") from error
        if not secret or not secret.isprintable() or not secret.isascii():
            raise InputError(f"{self.secret_file}: a secret must be one line of ASCII")
        if not any(SECRET in value for value in headers.values()):
            headers["Authorization"] = f"Bearer {SECRET}"
        return {name: value.replace(SECRET, secret) for name, value in headers.items()}
