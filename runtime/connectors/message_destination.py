"""What destinations at brokers have in common."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from lars2asp.runtime.connectors.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.connectors.message_feed import Client
from lars2asp.runtime.connectors.posting import Posting


class Sender(Protocol):
    """A connection by which messages are sent, in their order. All may raise what the client raises."""

    def send(self, payloads: Sequence[bytes]) -> Iterator[int]:
        """Sends messages, and says again and again how many more of them, from the first on, are taken."""
        ...

    def close(self) -> None:
        """Closes the connection."""
        ...


class BrokerMessages:
    """Sends each line as a message, in order. What was taken before a connection failed is not sent again.

    A broker says by `_opened` how messages are sent.

    Args:
        name: the address, without user, password and options.
        client: knows the errors.
        posting: makes the messages.
    """

    def __init__(self, name: str, client: Client, posting: Posting | None) -> None:
        self.name = name
        self.most_lines = MOST_LINES
        self._errors = client
        self._posting = posting or Posting()
        self._sender: Sender | None = None
        self._batch: Sequence[bytes] = ()
        """The lines that are being sent."""
        self._taken = 0

    def _opened(self) -> Sender:
        raise NotImplementedError

    def _payload(self, line: bytes) -> bytes:
        """The message of a line. Raises InputError where it cannot be one."""
        return self._posting.payload(line)

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Sends lines; called again with the same ones it goes on with those not taken. See `Destination`."""
        if self._batch is not lines:
            self._batch, self._taken = lines, 0
        payloads = [self._payload(line) for line in lines[self._taken :]]
        try:
            if self._sender is None:
                self._sender = self._opened()
            for more in self._sender.send(payloads):
                self._taken += more
        except self._errors.errors as error:
            self._drop()
            refusal = self._errors.refusal(error)
            if refusal is not None:
                raise refusal from error
            raise UnreachableError(str(error).strip() or type(error).__name__) from error
        self._batch = ()

    def withdraw(self) -> int:
        """Gives up lines that are being sent; see `PartlyTaking`."""
        taken = self._taken if self._batch else 0
        self._batch = ()
        return taken

    def close(self) -> None:
        """Closes the connection; see `Destination`."""
        self._drop()

    def _drop(self) -> None:
        if self._sender is not None:
            sender, self._sender = self._sender, None
            sender.close()
