"""Reasoners over the records of a case, and all that comes out of them."""

from lars2asp.planning.plan import Plan
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from tests.strategies import Case
from tests.support.definition import record

Line = tuple[int, bool, tuple[str, ...], list[str], list[str], list[tuple[str, ...]]]


def made(case: Case, plan: Plan, name: EvaluatorName, models: int) -> Reasoner:
    return Reasoner(
        plan, start=case.start, complete_windows=case.complete_windows, models=models, evaluator=name
    )


def run_on(reasoner: Reasoner, case: Case, first: int, last: int) -> list[Line]:
    """What comes out from a tick to another one, all of it in order."""
    records = [record(told) for told in case.records if first <= told.tick <= last]
    return [
        (
            answer.tick,
            answer.satisfiable,
            answer.holds.texts,
            sorted(answer.began.texts),
            sorted(answer.ended.texts),
            [tuple(map(str, model.symbols)) for model in answer.models],
        )
        for answer in reasoner.run(records, until=last, emit="every")
    ]
