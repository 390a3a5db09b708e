"""Answers to a webhook: batches of lines, each the body of a POST, or a POST for each atom."""

from collections.abc import Sequence
from typing import Any

from lars2asp.runtime.connectors.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed

ANSWER_SECONDS = 30
"""For how long an answer to a POST is waited for."""

TRIED_AGAIN = (408, 425, 429)
"""The statuses besides 500 and above after which a POST is tried again."""


class Webhook:
    """Posts lines to an address, as `application/x-ndjson`; an answer with a status of 2xx takes them.

    Where bodies are made by a template, each line is one. What was posted and not answered so is sent once
    more, so that it may come twice.

    Args:
        address: the address, in which a user and a password may stand.
        name: the same without these.
        posting: the headers and the bodies.

    Raises MissingPackageError, and InputError for headers that cannot be sent.
    """

    def __init__(self, address: str, name: str, posting: Posting | None = None) -> None:
        self.name = name
        self._address = address
        self._posting = posting or Posting()
        self._httpx = needed("httpx", "web", name)
        self._client: Any = None
        self.most_lines = MOST_LINES if self._posting.body is None else 1
        self._posting.sent_headers()

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Posts lines; see `Destination`."""
        if self._client is None:
            self._client = self._httpx.Client(timeout=ANSWER_SECONDS)
        template = self._posting.body
        if template is None:
            self._post(b"".join(line + b"\n" for line in lines), "application/x-ndjson")
            return
        kind = "application/json" if template.is_json else "text/plain; charset=utf-8"
        for line in lines:
            self._post(self._posting.payload(line), kind)

    def close(self) -> None:
        """Closes the connection; see `Destination`."""
        if self._client is not None:
            self._client.close()

    def _post(self, body: bytes, kind: str) -> None:
        given = self._posting.sent_headers()
        headers = {
            **({} if any(name.lower() == "content-type" for name in given) else {"Content-Type": kind})
        }
        try:
            answer = self._client.post(self._address, content=body, headers=headers | given)
        except self._httpx.TransportError as error:
            raise UnreachableError(str(error) or type(error).__name__) from error
        status = answer.status_code
        if status in TRIED_AGAIN or status >= 500:
            after = answer.headers.get("Retry-After", "")
            seconds = float(after) if after.isdecimal() else 0.0
            raise UnreachableError(f"the receiver answers with status {status}", seconds)
        if not 200 <= status < 300:
            raise InputError(
                f"{self.name}: the receiver refuses answers with status {status}: is this the right address?"
            )
