"""Explanations of the answers of a program in evaluation."""

from collections.abc import Sequence
from typing import Any

from lars2asp.planning.plan import Plan
from lars2asp.runtime.explanations.conflict import Instance, conflict
from lars2asp.runtime.explanations.explainer import DEEPEST, Explainer
from lars2asp.runtime.explanations.explanation import Explanation
from lars2asp.runtime.explanations.history import History
from lars2asp.runtime.explanations.tick_texts import tick_texts, tick_texts_of
from lars2asp.runtime.reasoning.execution import Execution
from lars2asp.runtime.sources.timeline import Timeline
from lars2asp.syntax.nodes import Atom, Semantics


def explained(
    plan: Plan,
    execution: Execution,
    history: History,
    atom: Atom,
    tick: int,
    depth: int | None,
    timeline: Timeline | None,
    *,
    is_last: bool,
) -> Explanation:
    """Why an atom holds at a tick, or why not.

    Args:
        plan: the program, compiled to be explained.
        execution: its evaluation.
        history: what came and was answered.
        atom: the atom; one with variables stands for all that match it.
        tick: a tick that is over and kept.
        depth: the number of rules that stand upon one another, at most.
        timeline: how ticks are shown as times; None: as numbers.
        is_last: whether the tick is the last one that is over: only there can be found what clashes, where
            it has no answer stream.
    """
    if plan.explained is None:
        raise TypeError("the plan was not compiled to be explained")

    def conflicting(asked: int) -> Sequence[Instance]:
        task = execution.pipeline.last_task
        return conflict(task, asked) if task is not None and is_last and asked == tick else ()

    explainer = Explainer(
        plan.explained.program,
        history,
        execution.functions_of_values,
        is_strict=plan.semantics is Semantics.STRICT,
        complete_windows=execution.complete_windows,
        conflict=conflicting,
    )
    header: dict[str, Any] = {
        "tick": tick,
        "start": execution.first,
        "complete_windows": execution.complete_windows,
        "semantics": str(plan.semantics),
        "kept_from": history.kept_from,
        "depth": DEEPEST if depth is None else min(depth, DEEPEST),
    }
    uncertain = frozenset(s for one in plan.components if not one.is_certain for s in one.derives)
    if any(not component.is_certain for component in plan.components):
        header["followed"] = history.followed(uncertain, tick)
    shown_tick = tick_texts(None) if timeline is None else tick_texts_of(timeline)
    return Explanation(tuple(explainer.explain(atom, tick, depth)), header, shown_tick)
