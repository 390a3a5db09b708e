"""A reasoner that takes over a snapshot goes on as the one that made it."""

import os

import pytest
from clingo import Function, Symbol
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lars2asp.plan import Plan
from runtime.errors import SnapshotError
from runtime.evaluators.choice import EvaluatorName, serving
from runtime.reasoner import Reasoner
from runtime.snapshot import FORMAT
from tests.externals.test_symbol_table import SYMBOLS
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
    for damaged in (snapshot[:-1], snapshot.replace(b'"p"', b'"r"'), snapshot + b" "):
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


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SYMBOLS, min_size=1, max_size=4), st.sampled_from(["auto", "oneshot"]))
def test_arguments_come_back_as_the_very_same_symbols(symbols: list[Symbol], evaluator: str) -> None:
    """Also those that clingo could not read from their text, in whatever a snapshot has of them."""
    program = """
        a(X) :- p(X) in [3]. b(X) at @now+2 :- p(X). c(X) :- o(X). d(X) :- p(X) in [2 #]. e(X) :- a(X) in [2].
        """
    one, other = (Reasoner.from_text(program, evaluator=evaluator) for _ in range(2))
    one.step(0, [("p", symbol) for symbol in symbols], begin=[("o", symbol) for symbol in symbols])
    other.resume(one.snapshot())
    for tick in range(1, 7):
        ended = [("o", symbol) for symbol in symbols] if tick == 4 else []
        expected, found = one.step(tick, end=ended), other.step(tick, end=ended)
        assert (found.symbols, found.added, found.removed) == (
            expected.symbols,
            expected.added,
            expected.removed,
        )
    assert expected.symbols
    assert {symbol.arguments[0] for symbol in expected.symbols} <= set(symbols)


def test_symbols_that_functions_make_come_back() -> None:
    class Functions:
        def named(self, text: Symbol) -> Symbol:
            return Function(text.string)

    program = "a(@named(X)) :- p(X). b(X) :- a(X) in [3]."
    one, other = (Reasoner.from_text(program, context=Functions()) for _ in range(2))
    one.step(0, [("p", "New York"), ("p", "1"), ("p", "x,y"), ("p", "X")])
    other.resume(one.snapshot())
    names = {symbol.arguments[0] for symbol in other.step(1).symbols}
    assert names == {Function("New York"), Function("1"), Function("x,y"), Function("X")}


def test_a_snapshot_of_another_format_is_refused_by_its_name() -> None:
    reasoner = Reasoner.from_text("a :- p.")
    old = reasoner.snapshot().replace(FORMAT.encode(), b"lars2asp-snapshot-2")
    with pytest.raises(SnapshotError, match=f"no snapshot of the format {FORMAT}, but lars2asp-snapshot-2$"):
        reasoner.resume(old)
    with pytest.raises(SnapshotError, match=r"but something else$"):
        reasoner.resume(b'{"x": 1}')
