"""Which messages of an MQTT broker are acknowledged, and when."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Condition

from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class Delivered:
    """A message as the broker delivered it.

    The broker uses the number of a message for no other one before it is acknowledged.

    Attributes:
        number: the number that the broker gave it.
        session: the number of the session; a broker that loses its sessions begins another one.
        connection: the number of the connection.
        is_repeated: whether the broker delivered it before.
        qos: its quality of service; the broker waits for no acknowledgement of 0.
    """

    number: int
    session: int
    connection: int
    is_repeated: bool
    qos: int

    @property
    def is_of_earlier_run(self) -> bool:
        """Whether an earlier run got it and did not acknowledge it."""
        return self.is_repeated and self.connection == 1


@dataclass(frozen=True)
class _Emitted:
    delivered: Delivered
    source: str
    last: int


class Acknowledgements:
    """Acknowledges each message of a feed when all its lines are emitted, or kept by a journal.

    A message whose connection is lost before comes again if the session is kept. Its second copy is not
    emitted, and is acknowledged in its place.

    Args:
        is_kept: whether the broker keeps the session while there is no connection.
        waits_until_kept: whether lines must be kept first.
    """

    def __init__(self, *, is_kept: bool, waits_until_kept: bool) -> None:
        self._is_kept = is_kept
        self._waits = waits_until_kept
        self._acknowledge: Callable[[Delivered], bool] = lambda _: False
        self._connection = 0
        self._session = 0
        self._kept: dict[str, int] = {}
        """The number of the last line of each source that is kept."""
        self._open: OrderedDict[tuple[int, int], _Emitted] = OrderedDict()
        """The messages of this connection that wait, in the order of their lines."""
        self._again: dict[tuple[int, int], _Emitted] = {}
        """Those of lost connections, which come again."""
        self._changed = Condition()

    def connects(self, acknowledge: Callable[[Delivered], bool]) -> None:
        """A connection begins.

        Args:
            acknowledge: acknowledges a message; whether the connection was there for it.
        """
        with self._changed:
            self._acknowledge = acknowledge
            self._connection += 1
            if self._is_kept:
                self._again |= self._open
            self._open.clear()
            self._changed.notify_all()

    def begins_session(self) -> None:
        """The broker knows nothing of an earlier session, and delivers nothing again."""
        with self._changed:
            self._session += 1
            self._again.clear()

    def delivered(self, number: int, *, qos: int, is_repeated: bool) -> Delivered:
        """A message that the current connection has delivered."""
        return Delivered(number, self._session, self._connection, is_repeated, qos)

    def takes(self, copy: Delivered) -> bool:
        """Whether this is another copy of an emitted message; then it is acknowledged in its place."""
        with self._changed:
            before = self._again.pop((copy.session, copy.number), None) if copy.is_repeated else None
            if before is not None:
                self._add(_Emitted(copy, before.source, before.last))
        return before is not None

    def emitted(self, message: Delivered, source: str, last: int) -> None:
        """All lines of a message are emitted.

        Args:
            message: the message.
            source: the source of its lines.
            last: the number of its last line, or of the one before if the message has no line.
        """
        with self._changed:
            self._add(_Emitted(message, source, last))

    def kept(self, source: str, number: int) -> None:
        """The lines of a source up to a number are kept."""
        with self._changed:
            self._kept[source] = max(number, self._kept.get(source, 0))
            self._settle()

    def wait(self, seconds: float) -> None:
        """Waits until all emitted messages of this connection are acknowledged, but no longer than this."""
        with self._changed:
            self._changed.wait_for(lambda: not self._open, seconds)

    def _add(self, emitted: _Emitted) -> None:
        message = emitted.delivered
        if not message.qos:
            return
        key = message.session, message.number
        if message.connection == self._connection:
            self._open[key] = emitted
            self._settle()
        elif self._is_kept and message.session == self._session:
            self._again[key] = emitted

    def _settle(self) -> None:
        """Acknowledges messages in their order, up to the first whose lines are not kept."""
        while self._open:
            key, first = next(iter(self._open.items()))
            if self._waits and first.last > self._kept.get(first.source, 0):
                break
            del self._open[key]
            if not self._acknowledge(first.delivered) and self._is_kept:
                self._again[key] = first
        self._changed.notify_all()
