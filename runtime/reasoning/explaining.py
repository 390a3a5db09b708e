"""Explanations of the answers of a program in evaluation."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

from lars2asp.planning.plan import Plan
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.explanations.past.history import History
from lars2asp.runtime.explanations.reasons.conflict import NO_CONFLICT, Conflict, conflict
from lars2asp.runtime.explanations.reasons.costs import BestOthers
from lars2asp.runtime.explanations.reasons.explainer import Explainer
from lars2asp.runtime.explanations.words.claim_json import followed_json
from lars2asp.runtime.explanations.words.claims import DEEPEST
from lars2asp.runtime.explanations.words.explanation import Explanation
from lars2asp.runtime.explanations.words.question import asked_atom, check_question, hints_for
from lars2asp.runtime.explanations.words.tick_texts import tick_texts
from lars2asp.runtime.reasoning.execution import Execution
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Atom, External, Semantics


def explained(
    plan: Plan,
    execution: Execution,
    history: History,
    atom: Atom,
    tick: int,
    depth: int | None,
    explanations: int,
    timeline: Timeline | None,
    *,
    is_last: bool,
    seconds: float | None,
) -> Explanation:
    """Why an atom holds at a tick, or why not.

    Args:
        plan: the program, compiled to be explained.
        execution: its evaluation.
        history: what came and was answered.
        atom: the atom; one with variables stands for all that match it.
        tick: a tick that is over and kept.
        depth: the number of rules that stand upon one another, at most.
        explanations: how many are given of each atom that holds, at most.
        timeline: how ticks are shown as times; None: as numbers.
        is_last: whether the tick is the last one that is over: only there can be found what clashes, where
            it has no answer stream, and the best other answer stream, where answers are optimised.
        seconds: how long it may take; None for any time.

    Raises TickTimeoutError where it takes longer.
    """
    limit = None if seconds is None else TickLimit(seconds, "the explanation")
    if limit is not None:
        limit.begin()
    if plan.explained is None:
        raise TypeError(
            "this plan was compiled without explanations: compile the program with explained=True"
        )
    if explanations < 1:
        raise ValueError("explanations must be a number, 1 or more")

    is_strict, program = plan.semantics is Semantics.STRICT, plan.explained.program
    check_question(program, atom, history.told_predicates(), is_strict=is_strict)
    task = execution.last_task() if is_last else None
    task = None if task is None else replace(task, limit=limit)
    is_optimised = task is not None and task.program.optimizes and task.clingo.optimizes

    places = frozenset(one.location for one in program.but_plain_facts)

    def conflicting(asked: int) -> Conflict:
        return conflict(task, asked, places) if task is not None and asked == tick else NO_CONFLICT

    explainer = Explainer(
        program,
        history,
        execution.functions_of_values,
        is_strict=is_strict,
        complete_windows=execution.complete_windows,
        conflict=conflicting,
        others={tick: BestOthers(task, tick)} if task is not None and is_optimised else {},
        check=(lambda: None) if limit is None else limit.check,
    )
    header: dict[str, Any] = {
        "program": [
            {"file": one.name, "sha256": sha256(one.text.encode()).hexdigest()}
            for one in plan.explained.program.sources
        ],
        "tick": tick,
        "start": execution.first,
        "complete_windows": execution.complete_windows,
        "semantics": str(plan.semantics),
        "kept_from": history.kept_from,
        "depth": DEEPEST if depth is None else min(depth, DEEPEST),
    }
    uncertain = frozenset(s for one in plan.components if not one.is_certain for s in one.derives)
    uncertain |= {one.atom.signature for one in program.every(External)}
    if history.kept_from > execution.first:  # nobody can work out what held before
        uncertain |= {signature for one in plan.components for signature in one.derives}
    if any(not component.is_certain for component in plan.components):
        followed, placed = history.followed(uncertain, tick), explainer.placements.chosen(tick)
        header["followed"] = followed_json(followed, placed, explainer.numbers.in_ticks)
    shown_tick = tick_texts(timeline)
    claims = tuple(explainer.explain(asked_atom(atom, plan.decimals), tick, depth, explanations))
    hints = () if claims[0].holds else hints_for(atom, plan.explained.program, history)
    has_times = explainer.numbers.times is not None
    return Explanation(claims, header, shown_tick, hints, has_times)
