"""Messages are acknowledged in their order, and only when their lines are kept."""

from lars2asp.runtime.connectors.mqtt_acknowledgements import Acknowledgements, Delivered


class Connection:
    """A connection that notes what is acknowledged."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.numbers: list[int] = []
        self.is_open = is_open

    def acknowledge(self, message: Delivered) -> bool:
        if self.is_open:
            self.numbers.append(message.number)
        return self.is_open


def connected(*, is_kept: bool = True, waits: bool = True) -> tuple[Acknowledgements, Connection]:
    """A first connection of a first session."""
    acknowledgements, connection = Acknowledgements(is_kept=is_kept, waits_until_kept=waits), Connection()
    acknowledgements.connects(connection.acknowledge)
    acknowledgements.begins_session()
    return acknowledgements, connection


def emit(acknowledgements: Acknowledgements, number: int, source: str = "t", last: int | None = None) -> None:
    """All lines of a message are emitted."""
    message = acknowledgements.delivered(number, qos=1, is_repeated=False)
    acknowledgements.emitted(message, source, number if last is None else last)


def test_a_message_is_acknowledged_when_its_last_line_is_kept() -> None:
    acknowledgements, connection = connected()
    emit(acknowledgements, 1, last=3)
    emit(acknowledgements, 2, last=4)
    acknowledgements.kept("t", 2)
    acknowledgements.kept("another", 9)
    assert connection.numbers == []
    acknowledgements.kept("t", 3)
    assert connection.numbers == [1]
    acknowledgements.kept("t", 4)
    assert connection.numbers == [1, 2]


def test_lines_may_be_kept_before_the_message_is_whole() -> None:
    acknowledgements, connection = connected()
    acknowledgements.kept("t", 1)
    emit(acknowledgements, 1)
    assert connection.numbers == [1]


def test_the_order_is_that_of_the_messages_whatever_their_topics() -> None:
    acknowledgements, connection = connected()
    emit(acknowledgements, 1, "a", 1)
    emit(acknowledgements, 2, "b", 1)
    acknowledgements.kept("b", 1)
    assert connection.numbers == []
    acknowledgements.kept("a", 1)
    assert connection.numbers == [1, 2]


def test_without_a_journal_an_emitted_message_is_acknowledged() -> None:
    acknowledgements, connection = connected(waits=False)
    emit(acknowledgements, 1)
    assert connection.numbers == [1]


def test_a_copy_on_the_next_connection_is_acknowledged_in_place_of_the_message() -> None:
    acknowledgements, first = connected()
    emit(acknowledgements, 1)
    emit(acknowledgements, 2)
    second = Connection()
    acknowledgements.connects(second.acknowledge)
    acknowledgements.kept("t", 1)
    for number in (1, 2):
        assert acknowledgements.takes(acknowledgements.delivered(number, qos=1, is_repeated=True))
    assert not acknowledgements.takes(acknowledgements.delivered(3, qos=1, is_repeated=True))
    acknowledgements.kept("t", 2)
    assert (first.numbers, second.numbers) == ([], [1, 2])


def test_a_connection_that_is_gone_takes_no_acknowledgement() -> None:
    acknowledgements, first = connected(waits=False)
    first.is_open = False
    emit(acknowledgements, 1)
    second = Connection()
    acknowledgements.connects(second.acknowledge)
    assert acknowledgements.takes(acknowledgements.delivered(1, qos=1, is_repeated=True))
    assert second.numbers == [1]


def test_a_new_session_delivers_new_messages_under_old_numbers() -> None:
    acknowledgements, _ = connected()
    emit(acknowledgements, 1)
    acknowledgements.connects(Connection().acknowledge)
    acknowledgements.begins_session()
    assert not acknowledgements.takes(acknowledgements.delivered(1, qos=1, is_repeated=True))


def test_a_message_of_qos_0_is_not_acknowledged() -> None:
    acknowledgements, connection = connected(waits=False)
    acknowledgements.emitted(acknowledgements.delivered(0, qos=0, is_repeated=False), "t", 1)
    assert connection.numbers == []
