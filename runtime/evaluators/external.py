"""The evaluator `external`: one grounding, whose window atoms are switched from tick to tick.

Every tuple that a lookup ever gave becomes a clingo external; a tick switches those that changed and solves.
A tuple that is not known yet needs another grounding, over all that were seen lately (the overgrounding of
Calimeri et al. 2021, section 5, with whole groundings in place of incremental ones). While the stream keeps
bringing unknown ones, ticks are evaluated as `oneshot` does, and groundings become rarer: one that does not
serve as many ticks as it was waited for doubles the wait for the next.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

from clingo import Control, Function, Symbol

from externals.database import IntervalDatabase
from lars2asp.plan import Ask, Lookup, Plan
from runtime.evaluators.oneshot import OneShot
from runtime.evaluators.protocol import Step
from runtime.evaluators.solving import OnMessage, Solving, Wanted

LONGEST_WAIT = 1024
"""In ticks: how long a grounding is put off at most while unknown tuples keep coming."""

MEMORY = 256
"""In ticks, besides the reach of windows: tuples not seen for so long are left out of the next grounding."""

MOST_DEAD = 4
"""A grounding with so many times as many tuples as hold now is made again."""

SMALL = 4096
"""So many tuples are never too many."""


def refusal(plan: Plan) -> str | None:
    """Why the evaluator cannot serve a plan; None where it can."""
    if plan.depends_on_now:
        return "its rules depend on the current tick (@now, `at T` over what rules derive, or a head `at T`)"
    if plan.has_externals:
        return "it has externals of its own that are true or free"
    return None


class External:
    """Evaluates a plan that `refusal` says nothing against, with one Control for many ticks.

    Takes what OneShot takes.
    """

    def __init__(
        self,
        plan: Plan,
        database: IntervalDatabase,
        wanted: Wanted,
        functions: Mapping[str, Callable[..., Any]],
        on_message: OnMessage,
    ) -> None:
        self._plan = plan
        self._database = database
        self._solving = Solving(plan, wanted, on_message)
        self._oneshot = OneShot(plan, database, wanted, functions, on_message)
        self._functions = functions
        self._names = dict(zip(plan.lookups, plan.ask_names, strict=True))
        self._text = self._overground_text()
        reaches = [reach for reach in plan.reach.values() if reach is not None]
        self._memory = MEMORY + max(reaches, default=0)
        self._seen: dict[Lookup, dict[Symbol, int]] = {lookup: {} for lookup in plan.lookups}
        self._now: dict[Lookup, frozenset[Symbol]] = {}
        self._grounded: _Grounded | None = None
        self._wait = 1
        self._waited = 0
        self._last: Step | None = None

    def step(self, tick: int) -> Step:
        """The answer streams at a tick. Raises EvaluationError."""
        now = {lookup: frozenset(self._database.answer(lookup, tick)) for lookup in self._plan.lookups}
        if self._last is not None and now == self._now:
            return self._last
        self._last = None  # nothing is known should solving fail
        for lookup, tuples in now.items():
            before = self._now.get(lookup, frozenset())
            self._seen[lookup].update(dict.fromkeys(tuples ^ before, tick))
        self._now = now
        if sum(map(len, self._seen.values())) > SMALL + MOST_DEAD * sum(map(len, now.values())):
            self._seen = {lookup: dict.fromkeys(tuples, tick) for lookup, tuples in now.items()}
        self._last = self._evaluate(tick)
        return self._last

    def _evaluate(self, tick: int) -> Step:
        grounded, now = self._grounded, self._now
        if grounded is not None and grounded.knows(now) and not grounded.is_wasteful(now):
            grounded.served += 1
        else:
            self._waited += 1
            if self._waited < self._wait:
                return self._oneshot.solve(tick, {lookup: list(tuples) for lookup, tuples in now.items()})
            if grounded is not None:
                paid = grounded.served >= self._wait
                self._wait = max(1, self._wait // 2) if paid else min(LONGEST_WAIT, 2 * self._wait)
            self._waited = 0
            grounded = self._grounded = self._ground(tick)
        with self._solving.told():
            grounded.switch(now)
            return self._solving.solve(grounded.control)

    def _overground_text(self) -> str:
        """The plan's text with external atoms for what is asked, and below it their declarations."""

        def asked(ask: Ask) -> str:
            return f"{self._names[ask.lookup]}({ask.pattern})"

        lines = [
            "".join(piece if isinstance(piece, str) else asked(piece) for piece in line.pieces)
            for line in self._plan.lines
        ]
        declared: dict[Lookup, str] = {}
        for line in self._plan.lines:
            for piece in line.pieces:
                if isinstance(piece, Ask) and piece.lookup not in declared:
                    name = self._names[piece.lookup]
                    declared[piece.lookup] = f"#external {name}(X) : X = @{name}."
        return "\n".join([*lines, *declared.values()]) + "\n"

    def _ground(self, tick: int) -> "_Grounded":
        """A Control for all tuples that were seen lately."""
        for lookup, seen in self._seen.items():
            live = self._now[lookup]
            self._seen[lookup] = {
                found: last for found, last in seen.items() if found in live or last >= tick - self._memory
            }
        with self._solving.told():
            control = self._solving.control("base", [], self._text)
            tuples: dict[str, Callable[..., Any]] = {
                self._names[lookup]: partial(list, seen) for lookup, seen in self._seen.items()
            }
            control.ground([("base", [])], SimpleNamespace(**self._functions, **tuples))
            return _Grounded(control, self._names, self._seen)


class _Grounded:
    """A Control with an external atom for each tuple that is known.

    Attributes:
        control: the Control.
        served: for how many ticks it served.
    """

    def __init__(
        self,
        control: Control,
        names: Mapping[Lookup, str],
        known: Mapping[Lookup, Mapping[Symbol, int]],
    ) -> None:
        self.control = control
        self.served = 0
        self._literals: dict[Lookup, dict[Symbol, int]] = {}
        for lookup, name in names.items():
            literals = self._literals[lookup] = {}
            atoms = control.symbolic_atoms
            for found in known[lookup]:
                atom = atoms[Function(name, [found])]
                if atom is not None:
                    literals[found] = atom.literal
        self._true: dict[Lookup, frozenset[Symbol]] = {lookup: frozenset() for lookup in names}
        self._size = sum(map(len, self._literals.values()))

    def knows(self, now: Mapping[Lookup, frozenset[Symbol]]) -> bool:
        """Whether every tuple has its atom."""
        return all(tuples <= self._literals[lookup].keys() for lookup, tuples in now.items())

    def is_wasteful(self, now: Mapping[Lookup, frozenset[Symbol]]) -> bool:
        """Whether far more tuples are known than hold."""
        return self._size > SMALL and self._size > MOST_DEAD * sum(map(len, now.values()))

    def switch(self, now: Mapping[Lookup, frozenset[Symbol]]) -> None:
        """Makes the atoms of these tuples true and all others false."""
        assign = self.control.assign_external
        for lookup, tuples in now.items():
            before, literals = self._true[lookup], self._literals[lookup]
            if tuples == before:
                continue
            for found in before - tuples:
                assign(literals[found], False)
            for found in tuples - before:
                assign(literals[found], True)
            self._true[lookup] = tuples
