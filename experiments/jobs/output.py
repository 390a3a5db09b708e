"""What answers cost on the way out: waiting for a first one, and full lines of all that holds."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from time import process_time

from experiments.jobs.part import Settings, Table, number
from lars2asp import Reasoner
from lars2asp.runtime.answer import PreviousAnswer
from lars2asp.runtime.sinks.emission import Emission
from lars2asp.runtime.sinks.json_lines import JsonLines

HOSTS, BEATS = 2000, 200_000
SILENCE = 180

FLEET = f"lost(H) :- beat(H) in [1 # by H], not beat(H) in [{SILENCE}]."
"""Hosts that were heard of, and not lately."""

HELD, LINES = 2000, 1000
STATES = "state(X,Y) :- last(X,Y) in [1 # by X]."
"""The last value of each."""

Facts = Sequence[tuple[str, int] | tuple[str, int, int]]


class DifferentLinesError(Exception):
    """The product writes other lines than the plain loop."""


def tables(settings: Settings) -> Iterator[Table]:
    """A table of fleets, and one of lines."""
    hosts = settings.some(HOSTS, 40)
    beats = settings.some(BEATS, 10 * hosts)
    took: dict[str, float] = {}
    for what, silent in (("one host is silent from the first answer on", 1), ("no host is silent", 0)):
        settings.say(what)
        took[what] = min(of_fleet(hosts, beats, silent) for _ in range(settings.runs))
    yield _table(f"{hosts:,} hosts, {beats:,} heartbeats: us a heartbeat", took, beats)
    held, lines = settings.some(HELD, 40), settings.some(LINES, 50)
    ways: dict[str, Callable[[int, int], tuple[float, str]]] = {
        "plain loop, all sorted and written": by_hand,
        "full lines": lambda held, lines: written(held, lines, Emission()),
        "changes": lambda held, lines: written(held, lines, Emission(changes=True)),
    }
    took, output = {}, dict[str, str]()
    for what, way in ways.items():
        settings.say(what)
        runs = [way(held, lines) for _ in range(settings.runs)]
        took[what], output[what] = min(seconds for seconds, _ in runs), runs[0][1]
    if output["full lines"] != output["plain loop, all sorted and written"]:
        raise DifferentLinesError
    yield _table(f"Lines of {held:,} atoms, one of which changes: us a line", took, lines)


def _table(title: str, took: Mapping[str, float], number_of: int) -> Table:
    """A table of seconds for so many, each beside the first."""
    first = next(iter(took.values()))
    cells = [[what, number(one * 1e6 / number_of), f"{one / first:.2f}"] for what, one in took.items()]
    return Table(title, ["", "us", "ratio"], cells)


def of_fleet(hosts: int, beats: int, silent: int) -> float:
    """CPU seconds for heartbeats of hosts, beside which some come once alone.

    Answers are given if they change.
    """
    each = max(1, 3 * hosts // SILENCE)  # in a tick
    numbers = iter(range(beats))
    stream: list[tuple[int, Facts]] = [(0, [("beat", -1 - host) for host in range(silent)])]
    for tick in range(1, beats // each + 1):
        stream.append((tick, [("beat", next(numbers) % hosts) for _ in range(each)]))
    reasoner, given = Reasoner.from_text(FLEET), PreviousAnswer(None, as_models=False)
    began, answers = process_time(), 0
    for tick, facts in stream:
        answers += given.given(reasoner.step(tick, facts)) is not None
    took = process_time() - began
    if answers != silent:
        raise DifferentLinesError
    return took


def _changes(held: int, lines: int) -> Iterator[tuple[int, int]]:
    for line in range(lines):
        yield line * 7919 % held, line


def written(held: int, lines: int, emission: Emission) -> tuple[float, str]:
    """CPU seconds for lines of the product, without the first one, and the lines."""
    reasoner, output = Reasoner.from_text(STATES), StringIO()
    sink = JsonLines(output, emission)
    sink.write(reasoner.step(0, [("last", one, -1) for one in range(held)]))
    began = process_time()
    for one, value in _changes(held, lines):
        sink.write(reasoner.step(value + 1, [("last", one, value)]))
    return process_time() - began, output.getvalue()


def by_hand(held: int, lines: int) -> tuple[float, str]:
    """The same by a plain loop."""
    states, output = dict.fromkeys(range(held), -1), StringIO()

    def write(tick: int) -> None:
        atoms = [f"state({one},{value})" for one, value in sorted(states.items())]
        output.write(json.dumps({"time": tick, "atoms": atoms}) + "\n")

    write(0)
    began = process_time()
    for one, value in _changes(held, lines):
        states[one] = value
        write(value + 1)
    return process_time() - began, output.getvalue()
