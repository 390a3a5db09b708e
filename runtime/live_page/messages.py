"""What the process that reasons and the one that serves the page tell each other.

Messages are pickled behind their length. Both ends are processes of one run, on a pair of sockets that
nobody else has.
"""

import pickle
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from math import inf
from typing import Any, NamedTuple

from lars2asp.runtime.evaluators.costs.rule_statistics import MOST_RULES, RuleStatistics, by_cost
from lars2asp.runtime.sinks.counters import Counters
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.values import dataclass

_LENGTH = struct.Struct(">I")


class Answered(NamedTuple):
    """An answer: its changes since the one told before.

    Attributes:
        tick: the tick.
        satisfiable: whether there is an answer stream.
        changes: the name of a predicate, the atoms that began and those that ended, as text.
        at: when it came, in seconds since the Unix epoch.
    """

    tick: int
    satisfiable: bool
    changes: Sequence[tuple[str, Sequence[str], Sequence[str]]]
    at: float


class Whole(NamedTuple):
    """All that holds, where changes were not told.

    Attributes:
        tick: the tick of the answer.
        satisfiable: whether there is an answer stream.
        atoms: the name of a predicate, and its atoms that hold, as text.
        at: when it came, in seconds since the Unix epoch.
        lost_since: the tick of the first answer that was not told; None where none was lost.
    """

    tick: int
    satisfiable: bool
    atoms: Sequence[tuple[str, Sequence[str]]]
    at: float
    lost_since: int | None = None


class InputCounts(NamedTuple):
    """How many facts the input told at a tick, by the names of their predicates."""

    tick: int
    counts: Sequence[tuple[str, int]]


class ComponentCost(NamedTuple):
    """What a component has cost: see `ComponentStatistics`; the time is in seconds."""

    predicates: str
    evaluator: str
    steps: int
    seconds: float


class RuleCost(NamedTuple):
    """What a rule has done and cost; `predicates` are those of its component."""

    predicates: str
    statistics: RuleStatistics


class Counted(NamedTuple):
    """How far the run is.

    Attributes:
        counters: its counters.
        memory: in bytes, that of the process that reasons.
        components: what the components have cost.
        rules: what rules have done and cost, in the order of the program.
    """

    counters: Counters
    memory: int
    components: Sequence[ComponentCost]
    rules: Sequence[RuleCost] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it: of rules those that took most time, and how many there are."""
        components = [one._asdict() for one in self.components]
        costliest = sorted(self.rules, key=lambda one: by_cost(one.statistics))[:MOST_RULES]
        found = [{"predicates": one.predicates, **asdict(one.statistics)} for one in costliest]
        rules = {"rules": found, "number_of_rules": len(self.rules)}
        counters = self.counters
        inputs = {name: account.json for name, account in counters.accounts.items()}
        times = [one._asdict() for one in counters.inputs]
        counts = asdict(replace(counters, accounts={}, inputs=()))
        del counts["accounts"]
        counts |= {"inputs": inputs, "input_times": times}
        return {**counts, "memory": self.memory, "components": components, **rules}


class Refused(NamedTuple):
    """A record that was rejected: where it stands, why, and its text."""

    where: str
    reason: str
    text: str


class Question(NamedTuple):
    """Why an atom holds at a tick, or why not.

    Attributes:
        number: tells the questions of a run apart.
        atom: the atom as text; it may have variables.
        tick: the tick; None for the last one that is over.
        until: when nobody waits for the answer any more, in seconds since the Unix epoch.
    """

    number: int
    atom: str
    tick: int | None
    until: float = inf


class Mark(NamedTuple):
    """What an explanation rests on: an atom, and ticks of its lane.

    Attributes:
        atom: the atom as text.
        input: the name of its predicate, where the input told it.
        runs: the first and the last of ticks that follow one another.
        is_window: whether these are the ticks of a window, and not those at which the atom holds.
    """

    atom: str
    input: str | None
    runs: Sequence[tuple[int, int]]
    is_window: bool = False


class Reply(NamedTuple):
    """What was found out for a question.

    Attributes:
        number: that of the question.
        found: the explanation as JSON has it, or `{"error": "why there is none"}`.
        marks: what it rests on.
    """

    number: int
    found: Mapping[str, Any]
    marks: Sequence[Mark] = ()


class Begun(NamedTuple):
    """When tick 0 begins, in microseconds since the Unix epoch, where the first record decides it."""

    origin: int


class Over(NamedTuple):
    """The run is over; what it told last stays on the page."""


Message = Begun | Answered | Whole | InputCounts | Counted | Refused | Reply | Over
"""What the process that reasons tells."""


@dataclass(frozen=True)
class PageOf:
    """What the process that serves the page must know of a run.

    Attributes:
        title: the names of the program's files and of the input.
        timeline: how ticks become times.
        kept: for how many ticks lanes are kept.
        explains: whether questions are answered.
        token: what a browser must give; None where it need not.
        hosts: the names by which the page may be asked for, in small letters.
        any_address: whether it may be asked for by any address besides.
    """

    title: str
    timeline: Timeline
    kept: int
    explains: bool
    token: str | None
    hosts: frozenset[str]
    any_address: bool = False


def packed(message: object) -> bytes:
    """A message as bytes."""
    found = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(found)) + found


class Unpacking:
    """Makes messages of bytes as they come."""

    def __init__(self) -> None:
        self._rest = bytearray()

    @property
    def is_partial(self) -> bool:
        """Whether a message is not whole yet."""
        return bool(self._rest)

    def messages(self, data: bytes) -> Iterator[Any]:
        """The messages that are whole with these bytes."""
        rest = self._rest
        rest += data
        place = 0
        while len(rest) - place >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(rest, place)
            end = place + _LENGTH.size + length
            if len(rest) < end:
                break
            yield pickle.loads(memoryview(rest)[place + _LENGTH.size : end])
            place = end
        del rest[:place]
