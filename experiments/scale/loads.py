"""What is fed: programs and streams of a size, and what a plain loop finds."""

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from experiments.jobs.answers import Intervals, canonical

A_TICK = 100
"""Facts in a tick."""

POOL = 1000
"""So many ticks have facts of their own; then they come again."""

Fact = tuple[str, int, int]
"""A predicate, and what it is of: a key, and a value."""


class Load(Protocol):
    """A program of a size, and its stream."""

    @property
    def default(self) -> int:
        """A size that takes some seconds."""
        ...

    @property
    def full(self) -> int:
        """The size in question."""
        ...

    def program(self, size: int) -> str:
        """Its text."""
        ...

    def facts(self, size: int) -> int:
        """How many facts are fed, all in all."""
        ...

    def made(self, size: int, tick: int, choose: random.Random) -> Iterable[Fact]:
        """The facts of a tick."""
        ...

    def expected(self, size: int, stream: Iterable[tuple[int, Fact]], last: int) -> Intervals:
        """What a plain loop finds."""
        ...


@dataclass(frozen=True)
class ManyFacts:
    """So many facts of 1,000 sensors, whatever is held."""

    default: int = 1_000_000
    full: int = 100_000_000

    def program(self, size: int) -> str:
        return "hot(S) :- reading(S,V) in [60], V >= 95."

    def facts(self, size: int) -> int:
        return size

    def made(self, size: int, tick: int, choose: random.Random) -> Iterable[Fact]:
        return (("reading", sensor, choose.randrange(100)) for sensor in choose.sample(range(1000), A_TICK))

    def expected(self, size: int, stream: Iterable[tuple[int, Fact]], last: int) -> Intervals:
        found = ((tick, sensor) for tick, (_, sensor, value) in stream if value >= 95)
        return canonical(((f"hot({sensor})", tick, tick + 60) for tick, sensor in found), last)


@dataclass(frozen=True)
class LiveFacts:
    """So many facts within a window; it is filled, and then twice as many come."""

    default: int = 100_000
    full: int = 1_000_000

    def program(self, size: int) -> str:
        return f"seen(K) :- reading(K,_) in [{self._window(size)}]."

    def facts(self, size: int) -> int:
        return 3 * size

    def made(self, size: int, tick: int, choose: random.Random) -> Iterable[Fact]:
        first = tick * A_TICK
        return (("reading", key % (4 * size), 0) for key in range(first, first + A_TICK))

    def expected(self, size: int, stream: Iterable[tuple[int, Fact]], last: int) -> Intervals:
        window = self._window(size)
        return canonical(((f"seen({key})", tick, tick + window) for tick, (_, key, _) in stream), last)

    def _window(self, size: int) -> int:
        return size // A_TICK


@dataclass(frozen=True)
class ManyRules:
    """So many rules, each of a predicate of its own."""

    default: int = 1000
    full: int = 1000

    def program(self, size: int) -> str:
        return "\n".join(
            f"hot{rule}(S) :- reading{rule}(S,V) in [60], V >= {rule % 90}." for rule in range(size)
        )

    def facts(self, size: int) -> int:
        return 500_000

    def made(self, size: int, tick: int, choose: random.Random) -> Iterable[Fact]:
        return (
            (f"reading{choose.randrange(size)}", choose.randrange(1000), choose.randrange(100))
            for _ in range(A_TICK)
        )

    def expected(self, size: int, stream: Iterable[tuple[int, Fact]], last: int) -> Intervals:
        def found() -> Iterator[tuple[str, int, int]]:
            for tick, (name, sensor, value) in stream:
                rule = int(name.removeprefix("reading"))
                if value >= rule % 90:
                    yield f"hot{rule}({sensor})", tick, tick + 60

        return canonical(found(), last)


@dataclass(frozen=True)
class ManyKeys:
    """So many sensors, of each its last value; each is heard of five times."""

    default: int = 100_000
    full: int = 100_000

    def program(self, size: int) -> str:
        return "hot(S) :- reading(S,V) in [1 # by S], V >= 90."

    def facts(self, size: int) -> int:
        return 5 * size

    def made(self, size: int, tick: int, choose: random.Random) -> Iterable[Fact]:
        first = tick * A_TICK
        return (("reading", key % size, choose.randrange(100)) for key in range(first, first + A_TICK))

    def expected(self, size: int, stream: Iterable[tuple[int, Fact]], last: int) -> Intervals:
        since: dict[int, int] = {}
        found = []
        for tick, (_, key, value) in stream:
            if value >= 90:
                since.setdefault(key, tick)
            elif key in since:
                found.append((f"hot({key})", since.pop(key), tick - 1))
        found += [(f"hot({key})", begin, last) for key, begin in since.items()]
        return canonical(found, last)


LOADS: Mapping[str, Load] = {
    "facts": ManyFacts(),
    "live": LiveFacts(),
    "rules": ManyRules(),
    "keys": ManyKeys(),
}
"""By their names."""


def line(tick: int, facts: Iterable[Fact]) -> bytes:
    """A tick as a line of JSON."""
    return b'{"time":%d,"facts":%s}\n' % (tick, _texts(facts))


def lines(load: Load, size: int, facts: int) -> Iterator[bytes]:
    """A stream of so many facts: a line for each tick."""
    choose = random.Random(14)
    is_same = isinstance(load, ManyFacts | ManyRules)  # facts that come again are as good as others
    pool = [_texts(load.made(size, tick, choose)) for tick in range(POOL)] if is_same else []
    for tick in range(-(-facts // A_TICK)):
        texts = pool[tick % POOL] if is_same else _texts(load.made(size, tick, choose))
        yield b'{"time":%d,"facts":%s}\n' % (tick, texts)


def _texts(facts: Iterable[Fact]) -> bytes:
    return json.dumps([f"{name}({key},{value})" for name, key, value in facts]).encode()
