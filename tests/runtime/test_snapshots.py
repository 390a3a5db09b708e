"""A reasoner that takes over a snapshot goes on as the one that made it."""

import os

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lars2asp.plan import Plan
from runtime.errors import SnapshotError
from runtime.evaluators.choice import EvaluatorName, serving
from runtime.reasoner import Reasoner
from runtime.snapshot import FORMAT
from tests.runtime.test_oracle import record
from tests.runtime.test_passing_over import compiled
from tests.strategies import ALL_PROGRAMS, Case, sparse_cases

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "120"))

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
            answer.atoms,
            sorted(map(str, answer.added)),
            sorted(map(str, answer.removed)),
            [tuple(map(str, model)) for model in answer.models],
        )
        for answer in reasoner.run(records, until=last)
    ]


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(
    sparse_cases(ALL_PROGRAMS),
    st.integers(0, 10),
    st.lists(st.integers(0, 60), max_size=6),
    st.sampled_from([1, 0]),
)
def test_a_reasoner_that_resumes_goes_on_alike(
    case: Case, number: int, snapshots: list[int], models: int
) -> None:
    """Also where it has a choice, as both begin anew with the snapshot."""
    note(case.program)
    plan = compiled(case)
    names = serving(plan)
    name = names[number % len(names)]
    note(name)
    one, other = made(case, plan, name, models), made(case, plan, name, models)
    first = case.records[0].tick
    ends = sorted({first + tick for tick in snapshots if first + tick < case.last})
    for last in (*ends, case.last):
        expected = run_on(one, case, first, last)
        assert run_on(other, case, first, last) == expected
        first = last + 1
        other = made(case, plan, name, models)
        other.resume(one.snapshot())
        assert other.now == one.now


def test_a_snapshot_knows_what_it_is_of() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X) in [3].")
    reasoner.step(4, ["p(1)"])
    snapshot = reasoner.snapshot()
    for program, options in (
        ("a(X) :- p(X) in [4].", {}),
        ("a(X) :- p(X) in [3].", {"start": 2}),
        ("a(X) :- p(X) in [3].", {"models": 0}),
    ):
        with pytest.raises(SnapshotError, match="another program, or of other options"):
            Reasoner.from_text(program, **options).resume(snapshot)  # type: ignore[arg-type]
    for damaged in (snapshot[:-1], snapshot.replace(b"p(1)", b"p(2)"), snapshot + b" "):
        with pytest.raises(SnapshotError, match="damaged"):
            Reasoner.from_text("a(X) :- p(X) in [3].").resume(damaged)
    for other in (b"", b"\xff", b"{}", snapshot.replace(FORMAT.encode(), b"lars2asp-snapshot-0")):
        with pytest.raises(SnapshotError, match="no snapshot of the format"):
            Reasoner.from_text("a(X) :- p(X) in [3].").resume(other)
    with pytest.raises(ValueError, match="has not been used"):
        reasoner.resume(snapshot)


def test_another_evaluator_may_take_over_a_snapshot_of_certain_components() -> None:
    one = Reasoner.from_text("a(X) :- p(X) in [3]. b(X) :- a(X) in [2].", evaluator="delta")
    one.step(0, ["p(1)"])
    other = Reasoner.from_text("a(X) :- p(X) in [3]. b(X) :- a(X) in [2].", evaluator="stamped")
    other.resume(one.snapshot())
    for tick in range(1, 9):
        assert other.step(tick).atoms == one.step(tick).atoms


@pytest.mark.parametrize("models", [1, 0])
def test_changes_are_told_over_a_snapshot(models: int) -> None:
    """They are those since the answer that the reasoner of the snapshot gave."""
    program = "a(X) :- p(X) in [2]. b :- not c. c :- not b. #show a/1."
    one = Reasoner.from_text(program, models=models)
    list(one.run([(0, ["p(1)"]), (1, ["p(2)"])], every=2))
    other = Reasoner.from_text(program, models=models)
    other.resume(one.snapshot())
    for reasoner in (one, other):
        [answer] = reasoner.run([(2, [])], every=None)
        assert (answer.tick, *map(str, answer.added)) == (2, "a(2)")
        last = Reasoner.from_text(program, models=models)
        last.resume(reasoner.snapshot())
        assert list(last.run([(2 + 1, ["p(1)"])], every=None)) == []
