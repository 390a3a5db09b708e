"""The events of a tick as lines of JSON, and the answers that tell that a tick is over."""

import random
import re
from collections.abc import Iterable

WINDOW = 30
"""In ticks."""

RULE = f"match(O,P) :- order(O,I) in [{WINDOW}], payment(P,I) in [{WINDOW}]."

PROGRAM = f"""
#input order(order, item) at time.
#input payment(payment, item) at time.
{RULE}
"""

_PROBE = 10**9
_PROBES = re.compile(rb"match\((1\d{9}),\1\)")
"""The order and the payment that come last at a tick have its number, and an item for themselves."""

LONGEST = 40
"""Bytes of the longest of these answers, and more."""


def lines(tick: int, number: int, choose: random.Random) -> bytes:
    """So many events, half of them orders, then those that are waited for; then the next tick begins.

    There are as many items as there are payments in a window, so that an order has a match or two.
    """
    items = max(1, number * WINDOW // 2)
    first = tick * number
    kinds = "order", "payment"
    texts = [
        f'{{"time":{tick},"{kinds[one % 2]}":{one},"item":{choose.randrange(items)}}}\n'
        for one in range(first, first + number)
    ]
    probe = _PROBE + tick
    texts += [f'{{"time":{tick},"{kind}":{probe},"item":{probe}}}\n' for kind in kinds]
    return "".join([*texts, f'{{"time":{tick + 1}}}\n']).encode()


def ticks_in(answers: bytes) -> Iterable[int]:
    """The ticks that a piece of output tells to be over."""
    return (int(found) - _PROBE for found in _PROBES.findall(answers))
