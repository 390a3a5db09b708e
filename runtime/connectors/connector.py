"""The protocol of connectors: what a system adds to live input and to answers for others.

lars2asp opens a connector, calls it in one thread, and closes it. It waits for a system that is gone and
opens the connector again; it keeps positions in checkpoints, makes lines of messages, and warns.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from lars2asp.runtime.errors import InputError


class Message(NamedTuple):
    """A message of a system.

    Attributes:
        position: What tells the message from others, as JSON has it; None if nothing does.
        data: Its text, one or more lines of UTF-8.
    """

    position: Any
    data: bytes


class Connector:
    """A system at an address. Its constructor opens nothing, and raises InputError for a wrong address.

    Attributes:
        name: The address in messages, without password.
        errors: What the methods raise if the system is gone for now.
        connection: What `open` opened, with a method `close`; None while there is none.
    """

    name: str
    errors: tuple[type[Exception], ...] = (OSError,)
    connection: Any = None

    def refusal(self, error: Exception) -> InputError | None:
        """Returns what ends the run if one of `errors` will not change, such as a wrong password."""
        return None

    def close(self) -> None:
        """Closes the connection, if there is one."""
        if self.connection is not None:
            connection, self.connection = self.connection, None
            connection.close()


class InputConnector(Connector):
    """Messages of a system in one order.

    Attributes:
        name: The address in messages, without password.
        errors: What the methods raise if the system is gone for now.
        source: What the messages belong to, such as a topic. Checkpoints keep positions under this name.
        keeps_messages: Whether messages can be read again from a position.
        acknowledges: Whether the system keeps each message until `acknowledge`, and then gives it no more.
        warn: Logs a warning, at most once a minute; lars2asp sets it.
    """

    source: str
    keeps_messages: bool = True
    acknowledges: bool = False
    warn: Callable[[str], None]

    def open(self, last: Any, count: int) -> Any:
        """Connects, and returns the position after which reading begins.

        Args:
            last: The position of the last message that was read; None if none ever was.
            count: How many messages were read.

        Raises:
            InputError: If the messages are not those of before.
        """
        raise NotImplementedError

    def messages(self, last: Any) -> Sequence[Message]:
        """Returns the messages after a position, as many as are there; waits at most a second for the first.

        Args:
            last: The position of the last message that was read.
        """
        raise NotImplementedError

    def acknowledge(self, last: Any) -> None:
        """Says that all messages up to a position are in the journal, or were read if there is none."""


class OutputConnector(Connector):
    """Takes messages, in order.

    Attributes:
        name: The address in messages, without password.
        errors: What the methods raise if the system is gone for now.
        all_or_none: Whether `send` takes all messages or none.
    """

    all_or_none: bool = False

    def check(self, message: bytes) -> None:
        """Raises InputError if a message can never be sent; called before the connector is opened."""

    def open(self) -> None:
        """Connects."""
        raise NotImplementedError

    def send(self, messages: Sequence[bytes]) -> Iterator[int]:
        """Sends messages, and yields again and again how many more the system has taken for good.

        lars2asp sends those that were not taken again.

        Raises:
            InputError: If the system refuses a message.
        """
        raise NotImplementedError
