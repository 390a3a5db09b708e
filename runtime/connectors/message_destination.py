"""Answers as messages that a connector sends."""

from collections.abc import Callable, Sequence

from lars2asp.runtime.connectors.connector import OutputConnector
from lars2asp.runtime.connectors.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.connectors.posting import Posting


class MessageDestination:
    """Sends each line as a message, in order. What was taken before a connection failed is not sent again.

    Args:
        connector: sends the messages.
        posting: makes them.
        most_lines: how many are sent at once.
    """

    def __init__(
        self, connector: OutputConnector, posting: Posting | None = None, most_lines: int = MOST_LINES
    ) -> None:
        self.name = connector.name
        self._connector = connector
        self._posting = posting or Posting()
        is_single = self._posting.dead_letters is not None and not connector.all_or_none
        self.most_lines = 1 if is_single else most_lines  # dead letters take those alone that are refused
        self._is_open = False
        self._batch: Sequence[bytes] = ()
        """The lines that are being sent."""
        self._taken = 0

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Sends lines; called again with the same ones it goes on with those not taken. See `Destination`."""
        if self._batch is not lines:
            self._batch, self._taken = lines, 0
        payloads = [self._posting.payload(line) for line in lines[self._taken :]]
        for payload in payloads:
            self._connector.check(payload)
        try:
            if not self._is_open:
                self._connector.open()
                self._is_open = True
            for more in self._connector.send(payloads):
                self._taken += more
        except self._connector.errors as error:
            self.close()
            refusal = self._connector.refusal(error)
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
        self._is_open = False
        self._connector.close()


def destination_by(
    make: Callable[[str], OutputConnector], address: str, posting: Posting | None
) -> MessageDestination:
    """The destination to which a connector sends. Raises what making it raises; see `feed_by`."""
    return MessageDestination(make(address), posting)
