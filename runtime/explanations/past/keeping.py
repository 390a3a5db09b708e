"""Whether a reasoner keeps a history to explain its answers by, and of what."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import Rows
from lars2asp.planning.plan import Plan
from lars2asp.runtime.explanations.past.fleeting import Fleeting
from lars2asp.runtime.explanations.past.history import History
from lars2asp.runtime.explanations.past.older import Looks
from lars2asp.runtime.tuning import DEFAULT
from lars2asp.syntax.nodes import Program, Signature


def history_of(
    plan: Plan,
    options: Mapping[str, Any],
    held: Callable[[], Rows],
    recorded: Callable[[Signature], Collection[Row]],
) -> History | None:
    """The history that a reasoner keeps; None where its answers are not to be explained.

    Args:
        plan: the program.
        options: those of the reasoner.
        held: gives the derived atoms that hold now.
        recorded: gives those of a predicate that later ticks see.

    Raises ValueError where they cannot be.
    """
    kept = options.get("explain_last")
    if kept is None:
        return None
    if not isinstance(kept, int) or isinstance(kept, bool) or kept < 0:
        raise ValueError("explain_last is a number of ticks, 0 or more")
    if plan.explained is None:
        raise ValueError("explain_last needs a plan that was compiled with explained=True")
    if options.get("consequences") is not None:
        raise ValueError("explanations are of one answer stream: leave out consequences or explain_last")
    looks = Looks.of(plan.explained.program)
    return History(
        kept,
        sum(ticks for ticks in plan.reach.values() if ticks is not None) + looks.reach,
        held,
        looks,
        options.get("tuning", DEFAULT).explained_spare,
        Fleeting(_partly_temporary(plan.explained.program), recorded),
        plan.held,
        plan.calendar,
        options.get("explain_max_records"),
        frozenset(one.signature for one in plan.tables),
    )


def _partly_temporary(program: Program) -> frozenset[Signature]:
    """The predicates that rules with `#temp` derive, and others as well."""
    heads = {(head.atom.signature, rule.is_temporary) for rule, head in ProgramAnalysis(program).heads}
    return frozenset(one for one, _ in heads if (one, True) in heads and (one, False) in heads)
