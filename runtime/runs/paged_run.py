"""A run with a live page: what the page is told of it, and asks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from math import isfinite
from time import time
from typing import Any

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.evaluators.costs.statistics import ComponentStatistics
from lars2asp.runtime.explanations.words.question import parsed_atom
from lars2asp.runtime.live_page.explanation_lines import explained_lines, marks_of
from lars2asp.runtime.live_page.messages import ComponentCost, Counted, Mark, Question, RuleCost
from lars2asp.runtime.live_page.telling import Telling
from lars2asp.runtime.runs.processes.stop import Stop
from lars2asp.runtime.runs.run import Run
from lars2asp.runtime.sinks.counters import Counters
from lars2asp.runtime.sources.times.timeline import Timeline

MOST_RULES_TOLD = 500
"""The number of rules that are told of, the first of the program."""


class PagedRun:
    """What the page of a run asks between two ticks.

    Args:
        run: the run.
        counters: gives how far it is.
        timeline: how ticks become times in explanations.
    """

    def __init__(self, run: Run, counters: Callable[[], Counters], timeline: Timeline) -> None:
        self._run = run
        self._counters = counters
        self._timeline = timeline

    def counted(self) -> Counted:
        """How far the run is."""
        found = self._run.session.statistics
        costs = [
            ComponentCost(one.predicates, str(one.evaluator), one.cost.steps, round(one.cost.seconds, 4))
            for one in found.components
            if one.cost is not None
        ]
        rules = islice(_rules(found.components), MOST_RULES_TOLD)
        return Counted(self._counters(), found.memory, costs, [*rules])

    def last(self) -> Answer | None:
        """The answer that was given last."""
        return self._run.given

    def explained(self, question: Question) -> tuple[Mapping[str, Any], Sequence[Mark]]:
        """An explanation, and what it rests on. Raises InputError, and TickTimeoutError when nobody waits."""
        session = self._run.session
        atom = parsed_atom(question.atom, session.plan.program)
        left = max(0.0, question.until - time())
        seconds = left if isfinite(left) else None
        found = session.explained(atom, question.tick, None, 1, self._timeline, seconds)
        return explained_lines(found), marks_of(found)


def _rules(components: Iterable[ComponentStatistics]) -> Iterator[RuleCost]:
    for component in components:
        for rule in component.rules:
            yield RuleCost(component.predicates, rule)


@contextmanager
def telling_page(telling: Telling, subject: PagedRun, stop: Stop, *, wakes: bool) -> Iterator[None]:
    """Within, the page is told what happens, and its questions are answered.

    Args:
        telling: the end of this process.
        subject: the run.
        stop: runs errands between two ticks.
        wakes: whether questions are answered while the process waits; see `Stop.running`.
    """
    with stop.running(telling.errands, wakes=wakes) as ask:
        telling.begin(subject, ask)
        try:
            yield
        finally:
            telling.end()
