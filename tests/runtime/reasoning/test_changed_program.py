"""A changed program goes on from a state: as if it had run always, once windows are whole."""

import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st

from lars2asp import Reasoner, SnapshotError
from lars2asp.externals.terms.table import TermReader
from lars2asp.runtime.reasoning.snapshot import unpacked
from tests.strategies.changed_programs import LARGEST, Stream, programs, streams
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(7)


def taken_over(before: Reasoner, text: str, evaluator: str, warmed: Reasoner | None = None) -> Reasoner:
    """A reasoner for a changed program that goes on from another one. Raises SnapshotError."""
    shape, state = before.session.execution.shape, unpacked(before.snapshot())
    after = Reasoner.from_text(text, evaluator=evaluator)
    history = None if warmed is None else warmed.session
    after.session.restore(state, TermReader(state["terms"]).read, shape, history)
    return after


def answers(reasoner: Reasoner, stream: Stream, last: int) -> dict[int, tuple[str, ...]]:
    return {one.tick: one.holds.texts for one in reasoner.run(stream, until=last, emit="every")}


@settings(max_examples=EXAMPLES, deadline=None)
@given(programs(), programs(), streams(), st.integers(2, 6), st.sampled_from(["auto", "external"]))
def test_answers_are_those_of_the_changed_program(
    old: str, new: str, stream: Stream, part: int, evaluator: str
) -> None:
    note(f"{old}\n--\n{new}")
    before = Reasoner.from_text(old, start=0)
    answers(before, stream[:part], stream[part - 1][0])
    try:
        after = taken_over(before, new, evaluator)
    except SnapshotError as error:
        event(str(error).partition(": ")[2])
        return
    event("taken over")
    now, last = stream[part - 1][0], stream[-1][0] + 3 * LARGEST
    found = answers(after, stream[part:], last)
    expected = answers(Reasoner.from_text(new, start=0, evaluator=evaluator), stream, last)
    assert set(found) == set(range(now + 1, last + 1))
    settled = range(now + 1 + 2 * LARGEST, last + 1)
    assert {tick: found[tick] for tick in settled} == {tick: expected[tick] for tick in settled}


@settings(max_examples=EXAMPLES, deadline=None)
@given(programs(), programs(), streams(), st.integers(2, 6), st.sampled_from(["auto", "external", "stamped"]))
def test_with_a_history_answers_are_those_of_the_changed_program_at_once(
    old: str, new: str, stream: Stream, part: int, evaluator: str
) -> None:
    """And changes are told from what was said before."""
    note(f"{old}\n--\n{new}")
    now, last = stream[part - 1][0], stream[-1][0] + 3 * LARGEST
    before = Reasoner.from_text(old, start=0)
    said = set(answers(before, stream[:part], now)[now])
    warmed = Reasoner.from_text(new, start=0, evaluator=evaluator)
    answers(warmed, stream[:part], now)
    try:
        after = taken_over(before, new, evaluator, warmed)
    except SnapshotError as error:
        assert "which atoms of the input are shown changed" in str(error)
        return
    expected = answers(Reasoner.from_text(new, start=0, evaluator=evaluator), stream, last)
    for one in after.run(stream[part:], until=last, emit="every"):
        said = (said - {*one.ended.texts}) | {*one.began.texts}
        assert one.holds.texts == expected[one.tick]
        assert said == {*one.holds.texts}
    assert one.tick == last


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(1, 3), st.integers(1, 3), streams(), st.integers(2, 6))
def test_other_thresholds_and_outputs_lose_nothing(old: int, new: int, stream: Stream, part: int) -> None:
    """Windows over the input are as large as before: the answers are those of the new program at once."""
    text = """
        often(R) :- s(R) at least {n} in [4].
        pair(R,Q) :- s(R), s(Q) in [3], R + {n} > Q.
        n(N) :- N = #count {{ R : s(R) in [2] }}, N >= {n}.
        """
    before = Reasoner.from_text(text.format(n=old), start=0)
    answers(before, stream[:part], stream[part - 1][0])
    changed = text.format(n=new) + "% with a comment\n#show often/1. #show n/1. #show pair/2."
    after = taken_over(before, changed, "auto")
    last = stream[-1][0] + 9
    found = answers(after, stream[part:], last)
    expected = answers(Reasoner.from_text(changed, start=0), stream, last)
    assert found == {tick: atoms for tick, atoms in expected.items() if tick in found}


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was said of the change."""
    return [one.getMessage().removeprefix("the program changed: ") for one in caplog.records]


def test_the_change_is_told(caplog: pytest.LogCaptureFixture) -> None:
    old = "#const n = 2. a(X) :- p(X) in [3], X > n. b(X) :- a(X) in [5]. c(X) :- p(X)."
    new = "#const n = 3. a(X) :- p(X) in [7], X > n. b(X) :- a(X) in [5]. d(X) :- p(X), q(X) in [4]."
    before = Reasoner.from_text(old, start=0)
    before.step(10, ["p(3)"])
    taken_over(before, new, "auto")
    assert told(caplog) == [
        "changed: #const n = 3.",
        "changed: a(X) :- p(X) in [7], X > n.",
        "added: d(X) :- p(X), q(X) in [4].",
        "gone: c(X) :- p(X).",
        "windows still look at what a/1 was by the rules before, up to tick 15",
        "windows look further back at p/1 than was kept: they are whole from tick 14 on",
        "windows look further back at q/1 than was kept: they are whole from tick 15 on",
    ]


def test_what_a_window_keeps_is_whole_for_windows_of_its_kind_alone(caplog: pytest.LogCaptureFixture) -> None:
    before = Reasoner.from_text("p(7). a(X) :- p(X) always in [9]. b(X) :- p(X) in [9].", start=0)
    answers(before, [(2, ["p(1)"]), (4, ["p(1)"])], 5)
    after = taken_over(before, "a(X,N) :- p(X) count N in [9]. b(X) :- p(X) in [9].", "auto")
    texts = told(caplog)
    assert "other facts of the program hold from here on" in texts
    assert "windows look further back at p/1 than was kept: they are whole from tick 15 on" in texts
    assert "b(1)" in answers(after, [], 9)[9]


def test_windows_that_begin_with_an_atom_keep_nothing_for_others(caplog: pytest.LogCaptureFixture) -> None:
    old = "a(N) :- p count N in [3]. b :- p in [since q]."
    new = "a(N) :- p count N in [5]. b :- p in [since q]. c :- p in [after q]."
    before = Reasoner.from_text(old, start=0)
    before.step(10, ["p"])
    taken_over(before, new, "auto")
    assert told(caplog)[-2:] == [
        "p/0 in after(q/0) is new: it is whole from the next beginning on",
        "windows look further back at p/0 than was kept: they are whole from tick 12 on",
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("a :- p.", "{ a } :- p.", "several answer streams"),
        ("a(X) :- p(X) in [3 #].", "a(X) :- p(X) in [4 #].", "windows over numbers of arrivals changed"),
        ("#held p(_). a(X) :- p(X).", "a(X) :- p(X).", "#held changed"),
        ("a(X) :- p(X). #show p/1.", "a(X) :- p(X). #show a/1.", "atoms of the input are shown changed"),
        ("#decimals p(1). a(X) :- p(X).", "#decimals p(2). a(X) :- p(X).", "the decimals of a/1 changed"),
    ],
)
def test_what_cannot_be_taken_over_is_refused_by_name(old: str, new: str, reason: str) -> None:
    before = Reasoner.from_text(old, start=0)
    before.step(1, ["p(1)" if "(" in old else "p"])
    with pytest.raises(SnapshotError, match=reason):
        taken_over(before, new, "auto")


def test_what_was_kept_of_a_formula_is_not_that_of_another() -> None:
    """Formulas have numbers; what is noted of the clock has a name by its text."""
    header = '#tick 1 min. #timezone "UTC". #calendar hour(H).\n'
    kept, added = "a(X) :- (e(X), f) in [60].", "z(X) :- (g(X), f) in [60]."
    before = Reasoner.from_text(header + kept, start=0)
    before.step(5, ["e(1)", "f"])
    assert taken_over(before, f"{header}{kept}\n{added}", "auto").step(6).holds.texts == ("a(1)",)
    with pytest.raises(
        SnapshotError, match="write new formulas in brackets after the old ones, because they are numbered"
    ):
        taken_over(before, f"{header}{added}\n{kept}", "auto")
    kept, added = (f"{one}(X) :- {one[0]}(X) at T in [60], hour(0) at T." for one in ("ea", "gz"))
    before = Reasoner.from_text(header + kept, start=0)
    before.step(5, ["e(1)"])
    assert taken_over(before, f"{header}{added}\n{kept}", "auto").step(6).holds.texts == ("ea(1)",)
