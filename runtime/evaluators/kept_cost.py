"""What evaluating ticks costs, by a fresh Control each and by one that is kept, and what that one may cost.

All is counted in instances, by what is known of a tick whatever the machine does meanwhile: the same stream
is evaluated the same way each time, so that where there are several answer streams the same one is followed.
"""

from typing import NamedTuple

from lars2asp.runtime.evaluators.solving import Load
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.values import dataclass

_CONTROL = 300
"""Making a Control, reading the text and reading a model cost as much as so many instances."""

_SWITCHING = 50
_SEARCH_SHARE = 8
"""A tick with a kept grounding costs so much, and one in so many of its instances."""
_COMPLEXITY_SHARE = 32
"""Or, if that is more, one in so many of what there is to its constraints."""

_MATCH = 2
_ANSWER = 2
"""In a grounding that is counted an atom on the way to instances costs so much, and a known answer."""

_MATCHES = 8
"""The search for instances may come to so many times as many atoms as there may be instances."""

_CONFLICT = 5
_CONFLICT_SHARE = 2000
_MODEL = 5
_MODEL_SHARE = 40
"""What a conflict costs, with some of the constraints, and reading a model: clingo looks at all atoms."""


def fresh_cost(load: Load) -> int:
    """The cost of a tick with a Control of its own."""
    return _CONTROL + load.instances + _search_cost(load.instances, load)


def kept_cost(size: int, load: Load) -> int:
    """The cost of a tick with a kept grounding that has a number of instances."""
    work = max(size // _SEARCH_SHARE, load.complexity // _COMPLEXITY_SHARE)
    return _SWITCHING + work + _search_cost(size, load)


def grounding_cost(answers: int, matches: int) -> int:
    """The cost of a grounding over so many answers whose search for instances came to so many atoms."""
    return _CONTROL + _ANSWER * answers + _MATCH * matches


def _search_cost(size: int, load: Load) -> int:
    conflict = _CONFLICT + load.complexity // _CONFLICT_SHARE
    return conflict * load.conflicts + load.models * (_MODEL + size // _MODEL_SHARE)


class Bounds(NamedTuple):
    """How large a grounding may be.

    Attributes:
        instances: the number of instances.
        matches: the number of atoms on the way to them.
    """

    instances: int
    matches: int


@dataclass
class Allowance:
    """What kept groundings may cost: a part of what ticks would cost without them.

    Attributes:
        balance: what is left of it; below 0 while ticks have cost more.
    """

    tuning: Tuning

    balance: int = 0
    _is_advanced: bool = False

    def earn(self, cost: int) -> None:
        """Takes a tick with a Control of its own."""
        if not self._is_advanced:
            self._is_advanced = True
            self.balance += self.tuning.external_advance * cost
        self.balance += cost // self.tuning.external_share

    def serve(self, fresh: int, saved: int) -> None:
        """Takes a tick with a kept grounding: its cost without one, and what is saved of that."""
        self.balance += fresh // self.tuning.external_share + min(0, saved)

    def bounds(self, instances: int, answers: int) -> Bounds:
        """How large a grounding over a number of answers may be where ticks have so many instances."""
        most = self.largest(instances)
        affordable = (self.balance - grounding_cost(answers, 0)) // _MATCH
        return Bounds(most - answers, min(_MATCHES * most, affordable))

    def largest(self, instances: int) -> int:
        """The number of instances of a grounding with which a tick costs no more than by itself."""
        return self.tuning.external_instances + self.tuning.external_times * instances
