"""What a reasoner says that it has done, and what that cost."""

from collections.abc import Iterator
from typing import Any

import pytest

from lars2asp import EvaluationError, Reasoner
from lars2asp.runtime.evaluators.costs.meter import Cost
from lars2asp.runtime.evaluators.costs.statistics import ComponentStatistics, Statistics
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName

COPY = "a(X) :- p(X)."
NO_TIME = 1e-9
"""Sums of times may differ by so much."""


def counts(reasoner: Reasoner) -> tuple[int, int, int]:
    """How many ticks were evaluated and how many passed over, and how many atoms told."""
    found = reasoner.statistics
    return found.ticks, found.passed_over, found.facts


def costs(statistics: Statistics) -> list[Cost]:
    """What the components cost."""
    return [component.cost for component in statistics.components if component.cost is not None]


# --- what is counted ------------------------------------------------------------------------------


#   tick    10                    1000   1001   ...   1010
#   told    begin p(1), p(2)             end p(1)
def test_ticks_and_facts() -> None:
    """All ticks since the timeline began are evaluated or passed over."""
    reasoner = Reasoner.from_text(COPY)
    assert counts(reasoner) == (0, 0, 0)
    reasoner.step(10, begin=["p(1)", "p(2)"])
    assert counts(reasoner) == (1, 0, 2)
    reasoner.step(1000)  # nothing is told, and nothing is due
    assert counts(reasoner) == (1, 990, 2)
    reasoner.step(1001, end=["p(1)"])
    assert counts(reasoner) == (2, 990, 3)
    reasoner.step(1010)
    ticks, passed_over, facts = counts(reasoner)
    assert (ticks + passed_over, facts) == (1001, 3)


def test_the_timeline_begins_with_its_start() -> None:
    reasoner = Reasoner.from_text(COPY, start=4)
    reasoner.step(10, ["p(1)"])
    ticks, passed_over, _ = counts(reasoner)
    assert ticks + passed_over == 7


def test_passed_over_is_what_is_given_without_being_evaluated() -> None:
    reasoner = Reasoner.from_text(COPY)
    given = list(reasoner.run([(0, []), (6, ["p(1)"])], until=99, emit="every"))
    ticks, passed_over, _ = counts(reasoner)
    assert len(given) == ticks + passed_over == 100
    assert ticks < 5


@pytest.mark.parametrize("program", [COPY, "a(X) :- p(X) in [2 #].", "a :- q."])
def test_a_fact_counts_as_often_as_it_is_told(program: str) -> None:
    """In whatever way, and whether the program asks for it or not."""
    reasoner = Reasoner.from_text(program)
    reasoner.step(0, ["p(1)", "p(1)", "p(2)"], begin=["p(3)"])
    reasoner.step(1, ["p(1)"], until=5, end=["p(3)"], begin=["p(3)", "p(1)"])
    assert reasoner.statistics.facts == 8


def test_what_is_rejected_or_never_becomes_a_tick_does_not_count() -> None:
    rejected: list[object] = []
    reasoner = Reasoner.from_text(COPY)
    told = [(0, ["p(1)"]), (1, ["p(1)", "p(X)"]), (2, ["p(2)"]), (1, ["p(3)"]), (3, ["p(4)", "p(5)"])]
    answers = reasoner.run(told, on_reject=rejected.append, emit="every")
    assert next(answers).tick == 0
    assert counts(reasoner) == (1, 0, 1)
    for answer in answers:
        if answer.tick == 2:
            break
    answers.close()  # type: ignore[attr-defined]
    assert len(rejected) == 2
    assert reasoner.statistics.facts == 2


def test_a_tick_that_clingo_refuses_is_a_tick() -> None:
    class Functions:
        def half(self, number: Any) -> Any:
            raise RuntimeError("no")

    reasoner = Reasoner.from_text("a(@half(X)) :- p(X).", functions=Functions())
    with pytest.raises(EvaluationError):
        reasoner.step(0, ["p(1)"])
    assert counts(reasoner) == (1, 0, 1)


def test_counts_go_on_where_a_snapshot_left_them() -> None:
    """What components have cost is counted anew."""
    one = Reasoner.from_text(COPY, stats=True)
    one.step(0, begin=["p(1)"])
    one.step(500, ["p(2)"])
    other = Reasoner.from_text(COPY, stats=True)
    other.resume(one.snapshot())
    assert counts(other) == counts(one) == (2, 499, 2)
    other.step(501, ["p(3)"])
    assert counts(other) == (3, 499, 3)
    assert [cost.steps for cost in costs(other.statistics)] == [1]
    before = Reasoner.from_text(COPY)
    before.resume(Reasoner.from_text(COPY).snapshot())
    assert counts(before) == (0, 0, 0)


# --- what is held ---------------------------------------------------------------------------------


def held(reasoner: Reasoner) -> tuple[int, int]:
    return reasoner.statistics.intervals, reasoner.statistics.atoms


def test_what_windows_forget_is_held_no_more() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X) in [10].")
    assert held(reasoner) == (0, 0)
    for tick in range(8):
        reasoner.step(tick, [f"p({tick})", "p(a)"])
    assert held(reasoner) == (9, 9)
    reasoner.step(14)
    assert held(reasoner) == (5, 5)
    reasoner.step(100)
    assert held(reasoner) == (0, 0)


#   tick   0   1   2   3   4   ...   9
#   p(1)   x       x       x
#   p(2)       |---------------------|
def test_an_atom_may_have_several_intervals() -> None:
    reasoner = Reasoner.from_text("a(X,T) :- p(X) at T in [50].")
    reasoner.step(0, ["p(1)"])
    reasoner.step(1, ["p(2)"], until=9)
    reasoner.step(2, ["p(1)"])
    reasoner.step(4, ["p(1)"])
    assert held(reasoner) == (4, 2)


def test_background_data_and_the_future_are_held() -> None:
    reasoner = Reasoner.from_text("p(7). a(X) :- p(X) in [1]. b(X) at T+50 :- q(X) at T in [0].")
    reasoner.step(0, ["q(1)"])
    assert held(reasoner) == (3, 3)
    reasoner.step(100)
    assert held(reasoner) == (1, 1)


def test_arrivals_are_held_as_long_as_they_are_in_a_window() -> None:
    program = "a(X) :- p(X) in [3 #]. b(X) :- p(X) in [2 # p/1]."
    reasoner = Reasoner.from_text(program, evaluator="delta")
    seen = []
    for tick in range(6):
        reasoner.step(10 * tick, [f"p({tick})"])
        reasoner.step(10 * tick + 9)
        seen.append(held(reasoner))
    assert seen == [(1, 1), (2, 2), (3, 3), (3, 3), (3, 3), (3, 3)]


def test_memory_is_that_of_the_process() -> None:
    reasoner = Reasoner.from_text(COPY)
    before = reasoner.statistics.memory
    much = bytearray(b"x") * 2**26
    assert reasoner.statistics.memory > before + len(much) // 2 > 2**20


# --- what components cost -------------------------------------------------------------------------

LAYERS = "a(X) :- p(X) in [3]. b(X,Y) :- a(X), q(Y). 1 { c(X) : a(X) } 1 :- a(_). :- c(9)."


def test_components_are_named() -> None:
    reasoner = Reasoner.from_text(LAYERS)
    assert not reasoner.statistics.components
    reasoner.step(0, ["p(1)"])
    found = reasoner.statistics.components
    assert found == (
        ComponentStatistics("a/1", EvaluatorName.DELTA, None),
        ComponentStatistics("b/2", EvaluatorName.DELTA, None),
        ComponentStatistics("c/1", EvaluatorName.EXTERNAL, None),
    )
    reasoner = Reasoner.from_text(LAYERS, evaluator="oneshot")
    reasoner.step(0, ["p(1)"])
    [whole] = reasoner.statistics.components
    assert (whole.predicates, whole.evaluator) == ("the whole program", "oneshot")
    reasoner = Reasoner.from_text(":- p(1).")
    reasoner.step(0, ["p(1)"])
    assert [part.predicates for part in reasoner.statistics.components] == ["nothing"]


def told(ticks: int) -> Iterator[tuple[int, list[str]]]:
    """Some facts that recur, and others that do not."""
    for tick in range(ticks):
        yield tick, [f"p({tick % 7},{tick % 5})", f"p({tick},{tick + 1})"]


@pytest.mark.parametrize("name", ["oneshot", "stamped", "external", "delta"])
def test_the_time_of_clingo_is_part_of_that_of_a_component(name: str) -> None:
    reasoner = Reasoner.from_text(
        "a(X,Z+1) :- p(X,Y) in [3], p(Y,Z) in [2], not q(X).", evaluator=name, stats=True
    )
    cost = Cost()
    for tick, facts in told(60):
        reasoner.step(tick, facts)
        [now] = costs(reasoner.statistics)
        assert now.steps == tick + 1
        assert now.seconds > cost.seconds
        assert now.grounding >= cost.grounding
        assert now.solving >= cost.solving
        assert now.grounding + now.solving <= now.seconds + NO_TIME
        cost = now
    by_clingo = name != "delta"
    assert (cost.groundings > 0, cost.grounding > 0) == (by_clingo, by_clingo)
    has_solved = name in ("oneshot", "external")  # grounding alone finds it where rules are certain
    assert (cost.solvings > 0, cost.solving > 0) == (has_solved, has_solved)
    if name == "oneshot":
        assert cost.groundings == cost.solvings == 60


def test_a_component_is_not_ground_again_where_nothing_changes() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X). b(X) :- a(X) in [1].", evaluator="oneshot", stats=True)
    for tick in range(20):
        reasoner.step(tick, ["p(1)"])
    [cost] = costs(reasoner.statistics)
    assert (cost.steps, cost.groundings) == (2, 2)


@pytest.mark.parametrize(
    "options",
    [{}, {"models": 0}, {"models": 2}, {"consequences": "brave"}, {"consequences": "cautious"}],
    ids=str,
)
@pytest.mark.parametrize("name", ["auto", "oneshot", "stamped", "external"])
@pytest.mark.parametrize("more", ["", ":~ c(X). [X]"])
def test_no_answer_is_another_for_being_measured(options: dict[str, Any], name: str, more: str) -> None:
    program = "a(X) :- p(X,_) in [2]. 1 { c(X) : a(X) } 2 :- a(_). :- c(6). d(X) :- c(X), not a(9)." + more
    one, other = (
        Reasoner.from_text(program, evaluator=name, stats=is_measured, **options)
        for is_measured in (False, True)
    )
    for expected, got in zip(one.run(told(25), emit="every"), other.run(told(25), emit="every"), strict=True):
        assert (got.tick, got.satisfiable, got.holds.texts) == (
            expected.tick,
            expected.satisfiable,
            expected.holds.texts,
        )
        assert [one.texts for one in got.models] == [one.texts for one in expected.models]
    assert sum(cost.solvings for cost in costs(other.statistics)) > 0
    assert costs(one.statistics) == []


def test_what_evaluates_a_component_now_is_told() -> None:
    """All that has evaluated it counts."""
    reasoner = Reasoner.from_text("a(X,Y+1) :- b(X,Y) in [1].", stats=True)
    for tick, name in enumerate(("delta", "external", "stamped", "delta")):
        reasoner.use(name)
        reasoner.step(tick, [f"b({tick},1)"])
        [component] = reasoner.statistics.components
        assert component.evaluator == name
        assert component.cost is not None
        assert component.cost.steps == tick + 1


def test_the_whole_program_comes_after_the_components_that_it_takes_over_from() -> None:
    """The input tells of background data, which components cannot do with."""
    reasoner = Reasoner.from_text(
        "high at T :- limit(L), p(V) at T in [2], L <= V. a :- high in [1]. limit(5).", stats=True
    )
    reasoner.step(0, ["p(7)"])
    reasoner.step(1, ["p(1)"])
    parts = reasoner.statistics.components
    assert "the whole program" not in [part.predicates for part in parts]
    reasoner.step(2, ["p(1)", "limit(1)"])
    reasoner.step(3, ["p(2)"])
    *before, whole = reasoner.statistics.components
    assert [part.predicates for part in before] == [part.predicates for part in parts]
    assert whole.predicates == "the whole program"
    assert [cost.steps for cost in costs(reasoner.statistics)] == [2] * len(parts) + [2]
    assert counts(reasoner) == (4, 0, 5)
