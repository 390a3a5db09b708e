"""Tests of connectors: whether one keeps to its protocol, against a system that runs."""

import json
from collections.abc import Callable, Sequence
from threading import Event, Thread
from time import monotonic
from typing import Any

from lars2asp.runtime.connectors.connector import Connector, InputConnector, Message, OutputConnector
from lars2asp.runtime.connectors.message_destination import MessageDestination
from lars2asp.runtime.connectors.message_feed import MessageFeed, PassingFeed
from lars2asp.runtime.sources.records import Line

PATIENCE_SECONDS = 20.0
"""For how long messages are waited for."""

LONGEST_CALL_SECONDS = 5.0
"""The longest time that a call of an input may take: a run that is to end waits for it."""

MOST = 5
"""The number of messages that are added at once."""


def check_input(make: Callable[[], InputConnector], add: Callable[[int], bytes]) -> None:
    """Tests an input connector; `make` and `add` use a topic, or a table, that is empty at first.

    Args:
        make: Makes the connector, a new one each time.
        add: Adds the message with a number, and returns the text that is to be read.

    Raises:
        AssertionError: If the connector does not keep to the protocol; the message says to what.
    """
    connector = make()
    _check_attributes(connector)
    _require(isinstance(connector.source, str) and connector.source, "`source` is a text")
    connector.warn = lambda _: None
    begin = connector.open(None, 0)
    _require_no_messages(connector, begin)
    texts = [add(number) for number in range(MOST)]
    found = _read(connector, begin, MOST)
    _require([one.data for one in found] == texts, "`messages` gives all messages once, in order")
    _close(connector)
    if connector.keeps_messages:
        _check_positions(make, [begin, *(one.position for one in found)], found)
    elif connector.acknowledges:
        _check_acknowledged(make, texts)
    _check_feed(make(), add, texts if connector.keeps_messages else [])


def check_output(
    make: Callable[[], OutputConnector], messages: Sequence[bytes], read: Callable[[], list[bytes]]
) -> None:
    """Tests an output connector; `make` and `read` use a topic, or a table, that is empty at first.

    Args:
        make: Makes the connector, a new one each time.
        messages: At least three different messages that the system takes.
        read: Reads what the system took, as it is among the messages, in order.

    Raises:
        AssertionError: If the connector does not keep to the protocol; the message says to what.
    """
    first, *others = messages
    _require(len({*messages}) >= 3, "check_output needs three different messages")
    connector = make()
    _check_attributes(connector)
    connector.open()
    _send(connector, others)
    _require(read() == others, "`send` sends all messages once, in order")
    _send(connector, [first])
    _require(read() == [*others, first], "`send` goes on after a batch")
    _close(connector)
    connector.open()
    _send(connector, others)
    _close(connector)
    sent = [*others, first, *others]
    _require(read() == sent, "a connector that was closed opens again")
    destination = MessageDestination(make())
    destination.deliver([first])
    destination.close()
    _require(read() == [*sent, first], "a second connector adds to what is there")


def _check_attributes(connector: Connector) -> None:
    errors = connector.errors
    _require(isinstance(connector.name, str) and connector.name, "`name` is a text")
    _require(
        isinstance(errors, tuple) and all(issubclass(one, Exception) for one in errors),
        "`errors` is a tuple of classes of exceptions",
    )
    _close(connector)


def _close(connector: Connector) -> None:
    """Closes it twice, as a run does that fails while it opens a connector."""
    connector.close()
    connector.close()


def _check_positions(make: Callable[[], InputConnector], positions: list[Any], found: list[Message]) -> None:
    """Whether reading goes on after each position as JSON has it, in a connector of its own."""
    for number, position in enumerate(positions):
        connector = make()
        connector.warn = lambda _: None
        try:
            kept = json.loads(json.dumps(position))
        except (TypeError, ValueError) as error:
            raise AssertionError(f"not so: positions are values of JSON: {error}") from error
        begin = connector.open(kept, number)
        rest = _read(connector, begin, len(found) - number)
        _require(rest == found[number:], f"reading goes on after the position {position!r}")
        _require_no_messages(connector, rest[-1].position if rest else begin)
        _close(connector)


def _check_acknowledged(make: Callable[[], InputConnector], texts: list[bytes]) -> None:
    """Whether messages come again until they are acknowledged."""
    rules = {0: "messages come again until `acknowledge`", 2: "`acknowledge` is for all before"}
    for first, rule in rules.items():
        connector = make()
        connector.warn = lambda _: None
        connector.open(None, 0)
        found = _read(connector, None, len(texts) - first)
        _require([one.data for one in found] == texts[first:], rule)
        connector.acknowledge(found[-1 if first else 1].position)
        _require_no_messages(connector, None)
        _close(connector)


def _check_feed(connector: InputConnector, add: Callable[[int], bytes], before: list[bytes]) -> None:
    """Whether a feed reads what is there, then what comes, and ends."""
    feed = (MessageFeed if connector.keeps_messages else PassingFeed)(connector)
    lines: list[Line] = []
    stop, end = Event(), monotonic() + PATIENCE_SECONDS
    running = Thread(target=feed.run, args=(lines.append, stop), daemon=True)
    running.start()
    texts = [*before, add(MOST)] if before else []
    count = MOST
    while len(got := [one.text for one in lines if one.number]) < max(1, len(texts)) and monotonic() < end:
        if not before:  # it may not be there yet
            texts.append(add(count := count + 1))
        stop.wait(0.1)
    stop.set()
    running.join(LONGEST_CALL_SECONDS)
    _require(not running.is_alive(), f"a feed ends within {LONGEST_CALL_SECONDS:g} seconds")
    wanted = [line for text in texts for line in text.decode().splitlines()]
    _require(got == wanted if before else bool(got) and {*got} <= {*wanted}, "a feed gives all lines once")


def _read(connector: InputConnector, position: Any, count: int) -> list[Message]:
    """So many messages after a position, or those that come in time."""
    found: list[Message] = []
    end = monotonic() + PATIENCE_SECONDS
    while len(found) < count and monotonic() < end:
        found += connector.messages(found[-1].position if found else position)
    return found


def _require_no_messages(connector: InputConnector, position: Any) -> None:
    begin = monotonic()
    _require(not [*connector.messages(position)], "`messages` gives nothing if there is no new message")
    _require(monotonic() - begin < LONGEST_CALL_SECONDS, "`messages` waits at most a second")


def _send(connector: OutputConnector, messages: Sequence[bytes]) -> None:
    _require(sum(connector.send(messages)) == len(messages), "`send` yields how many messages were taken")


def _require(is_so: object, rule: str) -> None:
    if not is_so:
        raise AssertionError(f"not so: {rule}")
