"""Evaluators without a reasoner around them: which serve a plan, what they keep, how often they ground."""

from collections.abc import Iterable
from contextlib import suppress

from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.events import Events
from lars2asp.planning.arrivals import arrivals
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.choice import assign, needed
from lars2asp.runtime.evaluators.clingo.background import background_atoms
from lars2asp.runtime.evaluators.delta.evaluator import DeltaEvaluator
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.external import ExternalEvaluator
from lars2asp.runtime.evaluators.pipeline import Pipeline
from lars2asp.runtime.evaluators.protocol import Request, Task
from lars2asp.runtime.sources.facts.atoms import to_rows
from lars2asp.runtime.tuning import DEFAULT, Tuning


def serving(plan: Plan) -> list[EvaluatorName]:
    """The evaluators that can serve a plan, `auto` included; ticks by themselves are no blocks."""
    found: list[EvaluatorName] = []
    for name in (one for one in EvaluatorName if one is not EvaluatorName.FLOW):
        with suppress(EvaluatorError):
            assign(plan, name)
            found.append(name)
    return found


class Evaluating:
    """Evaluates a plan at every tick from 0 on; the input has no predicates of background data.

    Args:
        plan: the plan.
        name: the evaluator.
        tuning: the thresholds.
    """

    def __init__(self, plan: Plan, name: EvaluatorName, tuning: Tuning = DEFAULT) -> None:
        assignments = assign(plan, name)
        needs = needed(plan, assignments)
        self._database = IntervalDatabase(
            0,
            needs.lookups,
            needs.reach,
            background_atoms(plan.facts),
            placed=needs.placed,
            recorded=needs.recorded,
            published=needs.published,
            sweep_after=tuning.sweep_after,
        )
        program, database = plan.whole.program, self._database
        task = Task(
            program,
            database,
            Request(),
            {},
            lambda place, message: None,
            arrivals(plan.components),
            tuning=tuning,
        )
        self._pipeline = Pipeline(plan, assignments, task)

    def step(self, tick: int, facts: Iterable[str]) -> int:
        """Evaluates a tick; gives the number of output atoms."""
        events = Events(to_rows(facts))
        self._database.check(tick, events)
        self._database.gather(tick, events)
        self._database.commit(tick)
        assert self._pipeline.step(tick).satisfiable
        return self._pipeline.output.version.size

    @property
    def external(self) -> ExternalEvaluator:
        """The only evaluator `external`."""
        [found] = (one for one in self._pipeline.evaluators if isinstance(one, ExternalEvaluator))
        return found

    @property
    def delta(self) -> DeltaEvaluator:
        """The only evaluator `delta`."""
        [found] = (one for one in self._pipeline.evaluators if isinstance(one, DeltaEvaluator))
        return found
