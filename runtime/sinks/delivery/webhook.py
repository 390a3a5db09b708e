"""Answers to a webhook: batches of lines, each the body of a POST."""

from collections.abc import Sequence
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sinks.delivery.delivering import UnreachableError

ANSWER_SECONDS = 30
"""For how long an answer to a POST is waited for."""

TRIED_AGAIN = (408, 425, 429)
"""The statuses besides 500 and above after which a POST is tried again."""


class Webhook:
    """Posts lines to an address, as `application/x-ndjson`; an answer with a status of 2xx takes them.

    A batch for which no such answer came is sent once more, so that it may come twice.

    Args:
        address: the address, in which a user and a password may stand.
        name: the same without these.

    Raises MissingPackageError.
    """

    def __init__(self, address: str, name: str) -> None:
        self.name = name
        self._address = address
        self._httpx = needed("httpx", "web", name)
        self._client: Any = None

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Posts lines; see `Destination`."""
        if self._client is None:
            self._client = self._httpx.Client(timeout=ANSWER_SECONDS)
        self._post(b"".join(line + b"\n" for line in lines))

    def close(self) -> None:
        """Closes the connection; see `Destination`."""
        if self._client is not None:
            self._client.close()

    def _post(self, body: bytes) -> None:
        headers = {"Content-Type": "application/x-ndjson"}
        try:
            status = self._client.post(self._address, content=body, headers=headers).status_code
        except self._httpx.TransportError as error:
            raise UnreachableError(str(error) or type(error).__name__) from error
        if status in TRIED_AGAIN or status >= 500:
            raise UnreachableError(f"it answers with status {status}")
        if not 200 <= status < 300:
            raise InputError(
                f"{self.name}: it refuses answers with status {status}: is it the right address?"
            )
