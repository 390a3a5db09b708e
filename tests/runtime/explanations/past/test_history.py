"""What a reasoner keeps to explain its answers by: all that an answer rests on, however long ago it came."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.analysis.held_facts import held_facts
from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import Overrides, checked_program, compile_plan
from lars2asp.definition.stream import Arrival
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Origin
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.strategies import GROUPS, Case
from tests.support.definition import record
from tests.support.examples import number_of_examples

FORGETFUL = Tuning(explained_spare=0)

LAST = 200

GROUPED = "last(R,V) :- v(R,V) in [1 # by R]."
PARTLY = "x :- not y. y :- not x. #temp a(1) :- p. a(0) at @now."
PLACED = "x :- not y. y :- not x. #temp c :- q. c at @now+1 :- p. c at @now-2 :- r. s(T) :- c at T."
TWO = "two :- p(1) in [2 #], not p(9) in [2 #]."


def asked(program: str, told: dict[int, list[str]], question: str) -> dict[str, Any]:
    """The explanation at the last tick of a reasoner that keeps one tick."""
    reasoner = Reasoner.from_text(program, explain_last=0)
    for tick in range(LAST + 1):
        reasoner.step(tick, told.get(tick, []))
    found = reasoner.why(question)
    whole = Reasoner.from_text(program, explain_last=10 * LAST)
    for tick in range(LAST + 1):
        whole.step(tick, told.get(tick, []))
    assert found.holds == whole.why(question).holds
    restored = Reasoner.from_text(program, explain_last=0)
    restored.resume(reasoner.snapshot())
    restored.step(LAST + 1, [])
    reasoner.step(LAST + 1, [])
    assert restored.why(question).to_dict() == reasoner.why(question).to_dict()
    explanation: dict[str, Any] = json.loads(json.dumps(found.to_dict()))
    return explanation


@pytest.mark.parametrize(
    ("program", "told", "question"),
    [
        (GROUPED, {0: ["v(a,1)"], 1: ["v(b,1)"], LAST - 10: ["v(b,2)"]}, "last(a,1)"),
        (GROUPED, {0: ["v(a,1)"], 1: ["v(a,2)", "v(b,1)"]}, "last(a,1)"),
        (TWO, {0: ["p(9)"], 1: ["p(1)"], 2: ["p(2)"]}, "two"),
        (TWO, {0: ["q"], 1: ["p(1)"], 2: ["q"], 3: ["p(9)"]}, "two"),
        ("s :- p at 3.", {3: ["p"]}, "s"),
        ("s :- not p at 3.", {3: ["p"]}, "s"),
        ("s :- d at 3. d :- p.", {3: ["p"], 4: ["p"]}, "s"),
        ("s :- not d at 3. d :- p.", {3: ["p"], 4: ["p"], LAST - 50: ["p"]}, "s"),
        ("s :- not d at 3. d at 3 :- p.", {9: ["p"]}, "s"),
        ("s(T) :- d(X) at T, X > 1. d(X) :- p(X).", {3: ["p(2)"], 6: ["p(1)"]}, "s(3)"),
        ("s :- not more. more :- d at T, T > 2. d :- p.", {3: ["p"]}, "s"),
        ("x :- not y. y :- not x. #temp a at @now :- p. s :- a at _, not a.", {3: ["p"]}, "s"),
        # a(1) does not last, a(0) does
        (f"{PARTLY} s :- a(X) at _, X > 0, not a(X).", {3: ["p"]}, "s"),
        (f"{PARTLY} s :- a(X) at 3.", {3: ["p"]}, "s"),
        (f"{PARTLY} s :- a(1) at 3.", {3: ["p"], 4: ["p"]}, "s"),
        (f"{PARTLY} s(X) :- a(X) at @now-1.", {3: ["p"], LAST - 1: ["p"]}, "s(0)"),
        (f"{PARTLY} s(X) :- a(X) at @now-1.", {3: ["p"], LAST - 1: ["p"]}, "s(1)"),
        # c at 4 was placed before, c at 7 later on; c at 6 does not last
        (PLACED, {3: ["p"], 4: ["q"], 6: ["q"], 7: ["q"], 9: ["r"]}, "s(4)"),
        (PLACED, {3: ["p"], 4: ["q"], 6: ["q"], 7: ["q"], 9: ["r"]}, "s(6)"),
        (PLACED, {3: ["p"], 4: ["q"], 6: ["q"], 7: ["q"], 9: ["r"]}, "s(7)"),
    ],
)
def test_what_came_long_ago(program: str, told: dict[int, list[str]], question: str) -> None:
    """The literals have the truth that the answers have, and the checker says so."""
    explanation = asked(program, told, question)
    checked = checked_program(Source("<text>", program))
    stream = [Arrival(tick, tick, fact, f"step({tick})") for tick, facts in told.items() for fact in facts]
    assert explanation["kept_from"] > LAST - 100
    assert check_explanation(checked.written, stream, explanation) == []


@pytest.mark.parametrize(
    ("program", "told", "because"),
    [
        # the evaluation that placed it is not kept
        ("d at @now+2 :- p.", {7: ["p"]}, "not kept"),
        ("d at 9 :- p.", {2: ["p"]}, "not kept"),
        ("d at 9 :- p.", {2: ["q"]}, "nothing"),
        # another arrival than those in the window
        ("d :- r at 1 in [1 # r/0].", {1: ["r"], 3: ["r"]}, "nothing"),
        ("d :- q(T), r at T in [1 # r/0].", {1: ["r"], 3: ["r"], 9: ["q(1)"]}, "nothing"),
        ("d :- q(T), r at T in [1 # r/0].", {3: ["r"], 9: ["q(1)"]}, "nothing"),
        # the answer stream that was followed at the first tick is not known
        (
            "a(X) :- p(X), not b(X). b(X) :- p(X), not a(X). d :- a(X). a(X) :- a(X) in {1}, p(X).",
            {0: ["p(1)"]},
            "nothing",
        ),
    ],
)
def test_what_is_forgotten(program: str, told: dict[int, list[str]], because: str) -> None:
    """The explanation of the last tick rests on what is known alone, and the checker goes along."""
    checked = checked_program(Source("<text>", program))
    reasoner = Reasoner(compile_plan(checked, explained=True), explain_last=0, tuning=FORGETFUL)
    for tick in range(10):
        held = reasoner.step(tick, told.get(tick, [])).holds.texts
    explanation = reasoner.why("d").to_dict()
    (root,) = explanation["explains"]
    assert (root["because"], root["holds"]) == (because, "d" in held)
    stream = [Arrival(tick, tick, fact, f"step({tick})") for tick, facts in told.items() for fact in facts]
    assert check_explanation(checked.written, stream, explanation) == []


@pytest.mark.parametrize("group", GROUPS)
def test_random_programs(group: str) -> None:
    """A history that forgets as soon as it may explains the last tick as the definition has it."""

    @settings(
        max_examples=number_of_examples(2),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    @given(GROUPS[group], st.data())
    def explaining(case: Case, data: st.DataObject) -> None:
        note(case.program)
        overrides = Overrides(semantics=Semantics(case.semantics))
        try:
            checked = checked_program(Source("random.lars", case.program), overrides=overrides)
        except ProgramError:
            assume(False)
        reasoner = Reasoner(
            compile_plan(checked, explained=True),
            start=case.start,
            complete_windows=case.complete_windows,
            explain_last=0,
            tuning=FORGETFUL,
        )
        told = [record(one)._replace(origin=Origin("stream", n)) for n, one in enumerate(case.records)]
        held = {
            answer.tick: answer.holds.texts for answer in reasoner.run(told, until=case.last, emit="every")
        }
        in_order = sorted(told, key=lambda one: one.tick)
        stream = arrivals(in_order, held_facts(checked.written))
        known = sorted({atom for atoms in held.values() for atom in atoms})
        for atom in data.draw(st.lists(st.sampled_from(known), max_size=4, unique=True)) if known else ():
            try:
                explanation = json.loads(json.dumps(reasoner.why(atom).to_dict()))
            except InputError:  # it rests on a choice that is not kept
                assert case.semantics == "strict"
                continue
            assert check_explanation(checked.written, stream, explanation) == [], atom

    explaining()


def test_fewer_ticks_are_kept_where_many_records_came() -> None:
    """Never less than windows look back at: explanations are those of a reasoner that keeps all."""
    program = "hot :- reading(T), T > 25. alarm :- hot always in [2]."
    bounded = Reasoner.from_text(program, explain_last=10_000, explain_max_records=100, tuning=FORGETFUL)
    whole = Reasoner.from_text(program, explain_last=10_000)
    for tick in range(1000):
        facts = [("reading", 20 + tick % 9)]
        bounded.step(tick, facts)
        whole.step(tick, facts)
    with pytest.raises(InputError, match="tick 500 is not kept: explanations go back to 9"):
        bounded.why("alarm", 500)
    found = [(bounded.why("alarm", tick), whole.why("alarm", tick)) for tick in range(985, 1000)]
    assert {one.holds for one, _ in found} == {True, False}
    assert all(one.holds == other.holds for one, other in found)
    assert all(str(one) == str(other) for one, other in found if one.holds)


def test_what_a_record_begins_twice_ends_once() -> None:
    """Also where the record was forgotten before the end came."""
    reasoner = Reasoner.from_text("a :- on(X).", explain_last=0, tuning=FORGETFUL)
    reasoner.step(0, begin=["on(x)", "on(x)"])
    for tick in range(1, 10):
        reasoner.step(tick)
    reasoner.step(10, end=["on(x)"])
    assert not reasoner.why("on(x)").holds
    assert not reasoner.why("a").holds
