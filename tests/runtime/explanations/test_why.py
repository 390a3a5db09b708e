"""Questions to reasoners: why an atom holds, or why not."""

from collections.abc import Iterator
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from lars2asp import (
    Explanation,
    InputError,
    ProgramError,
    Reasoner,
    SnapshotError,
    compile_program,
)
from lars2asp.compiler import Overrides
from lars2asp.runtime.explanations.words.claims import Absent, Claim, CutOff, FromRule, NoAnswer, Repeated
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.strategies import ALL_PROGRAMS, Case, cases, choosing_programs, placing_programs
from tests.support.definition import record
from tests.support.examples import number_of_examples

ROOMS = """
    hot(R)   :- reading(R, T), T > 25.
    alarm(R) :- hot(R) always in [2], not opened(R) in [3].
"""


def text(explanation: Explanation, expected: str) -> None:
    """The text is as expected, without what the program's text is called."""
    assert str(explanation).replace("<text>:", "") == dedent(expected).strip("\n")


def rooms(*, last: int = 4, kept: int = 10) -> Reasoner:
    """A kitchen that grows warmer, up to a tick."""
    reasoner = Reasoner.from_text(ROOMS, explain_last=kept)
    for tick in range(last + 1):
        reasoner.step(tick, [("reading", "kitchen", 24 + tick)])
    return reasoner


def test_why() -> None:
    text(
        rooms().why("alarm(kitchen)"),
        """
        alarm("kitchen") at 4
        └─ 3  alarm(R) :- hot(R) always in [2], not opened(R) in [3].
           ├─ hot("kitchen") always in [2]   2 ███ 4
           │  └─ 2  hot(R) :- reading(R, T), T > 25.
           │     ├─ 2  reading("kitchen",26), 26 > 25   step(2)
           │     ├─ 3  reading("kitchen",27), 27 > 25   step(3)
           │     └─ 4  reading("kitchen",28), 28 > 25   step(4)
           └─ not opened("kitchen") in [3]   no record of opened("kitchen")
        """,
    )


def test_a_tuple_window_without_what_is_looked_for_names_what_arrived_instead() -> None:
    reasoner = Reasoner.from_text('alive(D) :- msg(D,"beat") in [1 # by D].', explain_last=5)
    reasoner.step(1, [("msg", "d", "beat")])
    reasoner.step(2, [("msg", "d", "data")])
    text(
        reasoner.why_not('alive("d")'),
        """
        alive("d") does not hold at 2
        └─ 1  alive(D) :- msg(D,"beat") in [1 # by D].
           └─ fails: msg("d","beat") in [1 # by "d"]   2 · by arrival
              └─ msg("d","data")   step(2)
        """,
    )


def test_why_not() -> None:
    text(
        rooms().why("alarm(kitchen)", 3),
        """
        alarm("kitchen") does not hold at 3
        └─ 3  alarm(R) :- hot(R) always in [2], not opened(R) in [3].
           └─ fails: hot("kitchen") always in [2]   1 ·██ 3
              └─ hot("kitchen") does not hold at 1
                 └─ 2  hot(R) :- reading(R, T), T > 25.
                    ├─ reading("kitchen",25)   step(1)
                    └─ fails: 25 > 25
        """,
    )


def test_which_of_the_two_is_said_depends_on_what_is_so() -> None:
    reasoner = rooms()
    for tick in (3, 4):
        assert str(reasoner.why("alarm(kitchen)", tick)) == str(reasoner.why_not("alarm(kitchen)", tick))


def test_variables_stand_for_all_that_hold() -> None:
    reasoner = rooms()
    reasoner.step(5, ["reading(hall,30)", "reading(attic,30)"])
    assert [claim.atom for claim in reasoner.why("hot(X)").claims] == ["hot(attic)", "hot(hall)"]
    assert not reasoner.why("alarm(X)").holds
    assert reasoner.why("reading(hall,X)").atom == "reading(hall,30)"


def test_what_cannot_be_asked() -> None:
    reasoner = rooms()
    for question in ("alarm(", "a. b", "a :- b", "not a", "{a}", "a in [3]", "1"):
        with pytest.raises(InputError, match="is not an atom"):
            reasoner.why(question)
    with pytest.raises(InputError, match="tick 5 is not over: the last one that is over is 4"):
        reasoner.why("alarm(kitchen)", 5)
    with pytest.raises(InputError, match="tick"):
        reasoner.why("alarm(kitchen)", -1)
    with pytest.raises(InputError, match="no tick is over"):
        Reasoner.from_text(ROOMS, explain_last=0).why("alarm(kitchen)")
    with pytest.raises(ValueError, match="explain_last=N"):
        Reasoner.from_text(ROOMS).why("alarm(kitchen)")


def test_options_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="explain_last"):
        Reasoner.from_text(ROOMS, explain_last=-1)
    with pytest.raises(TypeError, match="explain_last"):
        Reasoner.from_text(ROOMS, explain_last=True)
    with pytest.raises(ValueError, match="explained=True"):
        Reasoner(compile_program(Source("p", ROOMS)), explain_last=3)
    with pytest.raises(ValueError, match="consequences"):
        Reasoner.from_text(ROOMS, explain_last=3, consequences="brave")


def test_history_has_an_end() -> None:
    reasoner = rooms(last=600, kept=2)
    assert reasoner.why("alarm(kitchen)", 598).holds
    found, whole = (str(one.why("alarm(kitchen)")) for one in (reasoner, rooms(last=600, kept=10_000)))
    assert found != whole
    assert found.replace('of opened("kitchen") since 581', 'of opened("kitchen")') == whole
    with pytest.raises(InputError, match="tick 10 is not kept: explanations go back to"):
        reasoner.why("alarm(kitchen)", 10)


def test_what_lies_before_the_history_is_said() -> None:
    reasoner = Reasoner.from_text("a :- p. a :- a at @now-1, not stop.", explain_last=3)
    reasoner.step(0, ["p"])
    reasoner.step(1000, [])
    explanation = reasoner.why("a")
    assert explanation.holds
    assert explanation.lacks_history


@pytest.mark.parametrize("kept", [2, 50])
def test_snapshots_have_the_history(kept: int) -> None:
    first = rooms(last=400, kept=kept)
    second = Reasoner.from_text(ROOMS, explain_last=kept)
    second.resume(first.snapshot())
    for tick in range(401, 403):
        for reasoner in (first, second):
            reasoner.step(tick, [("reading", "kitchen", 20)], begin=[f"opened({tick})"])
    for tick in range(403 - kept, 403):
        for question in ("alarm(kitchen)", "hot(kitchen)", "opened(401)"):
            assert first.why(question, tick).to_dict() == second.why(question, tick).to_dict()
    plain = Reasoner.from_text(ROOMS)
    plain.step(0, [])
    with pytest.raises(SnapshotError, match="made without explain_last"):
        Reasoner.from_text(ROOMS, explain_last=kept).resume(plain.snapshot())


def test_hidden_predicates_are_explained_and_not_given() -> None:
    reasoner = Reasoner.from_text(f"{ROOMS} #show alarm/1.", explain_last=5, models=0)
    answers = [reasoner.step(tick, ["reading(hall,30)"]) for tick in range(3)]
    assert [answer.holds.texts for answer in answers] == [("alarm(hall)",)] * 3
    assert [answer.began.texts for answer in answers] == [("alarm(hall)",), (), ()]
    assert [len(answer.holds) for answer in answers] == [1, 1, 1]
    assert [[model.texts for model in answer.models] for answer in answers] == [[("alarm(hall)",)]] * 3
    assert reasoner.why("hot(hall)").holds


def test_no_circles() -> None:
    ring = " ".join(f"edge({n},{(n + 1) % 20})." for n in range(20))
    reasoner = Reasoner.from_text(
        f"{ring} reach(X,Y) :- edge(X,Y). reach(X,Y) :- reach(X,Z), reach(Z,Y).", explain_last=0
    )
    reasoner.step(0, [])
    for question in ("reach(3,3)", "reach(0,17)", "reach(5,4)"):
        (claim,) = reasoner.why(question).claims
        assert claim.holds
        assert not rests_on_itself(claim)


def rests_on_itself(root: Claim) -> bool:
    """Whether a claim that holds is, through literals that are not negated, below itself."""
    explained = {claim.number: claim for claim in root.claims() if not isinstance(claim.reason, Repeated)}

    def supports(claim: Claim) -> Iterator[int]:
        if isinstance(claim.reason, Repeated):
            yield claim.reason.number
        elif isinstance(claim.reason, FromRule):
            for literal in claim.reason.body:
                if not literal.text.startswith("not "):
                    yield from (
                        child.reason.number if isinstance(child.reason, Repeated) else child.number
                        for child in literal.claims
                        if child.holds
                    )

    below = {number: set(supports(claim)) for number, claim in explained.items() if claim.holds}
    while below:
        done = {number for number, others in below.items() if not others & below.keys()}
        if not done:
            return True
        below = {number: others for number, others in below.items() if number not in done}
    return False


@pytest.mark.parametrize("facts", [["n(70)"], []])
def test_a_tree_says_how_deep_it_is_at_most(facts: list[str]) -> None:
    rules = " ".join(f"n({number}) :- n({number + 1})." for number in range(70))
    reasoner = Reasoner.from_text(rules, explain_last=0)
    reasoner.step(0, facts)
    words = "... at most 60 rules below one another: ask about it by itself"
    found = reasoner.why("n(0)")
    assert found.to_text(depth=200).endswith(words)
    assert words in found.to_html()
    assert words not in reasoner.why("n(0)", depth=5).to_text(depth=200)


def test_a_variable_that_stands_twice_in_the_question() -> None:
    """The rule derives other atoms, so that its body is not true where the atom is meant."""
    reasoner = Reasoner.from_text("d(X,Y) :- e(X,Y).", explain_last=0)
    reasoner.step(0, ["e(0,1)"])
    (claim,) = reasoner.why("d(X,X)").claims
    assert isinstance(claim.reason, Absent)
    (rule,) = claim.reason.rules
    assert rule.failed is not None
    assert rule.failed.position == 0


def test_an_aggregate_that_binds_what_bounds_it() -> None:
    reasoner = Reasoner.from_text("c(Y) :- Y <= #sum { X : p(X) } = Y.", explain_last=0)
    reasoner.step(0, ["p(2)", "p(3)"])
    (claim,) = reasoner.why("c(5)").claims
    assert isinstance(claim.reason, FromRule)
    assert claim.reason.body[0].value == "5"


def test_what_clashes_at_a_tick_without_answer() -> None:
    reasoner = Reasoner.from_text(
        """
        1 { at(L,S) : slot(S) } 1 :- lesson(L).
        slot(1..3). lesson(maths). lesson(music). teacher(maths,ann). teacher(music,ann).
        :- at(L,S), at(K,S), L < K, teacher(L,T), teacher(K,T).
        :- at(L,S), closed(L,S).
        :- at(maths,S), S > 1.
        """,
        explain_last=3,
    )
    assert reasoner.step(0, ["closed(music,1)"]).satisfiable
    assert not reasoner.step(1, ["closed(maths,1)", "closed(music,2)"]).satisfiable
    (claim,) = reasoner.why("at(maths,S)").claims
    assert isinstance(claim.reason, NoAnswer)
    lines = {place.location.line for place, _ in claim.reason.clashing}
    assert lines == {5, 6}
    assert {"L": "maths", "S": "1"} in [found for _, found in claim.reason.clashing]
    assert not reasoner.step(3, ["closed(maths,1)"]).satisfiable
    (before,) = reasoner.why("at(maths,S)", 1).claims  # found at the last tick only
    assert isinstance(before.reason, NoAnswer)
    assert before.reason.clashing == ()


@pytest.mark.parametrize(
    ("program", "clashing"),
    [
        ("2 { a; b } :- go. :- a, b. :- c.", [":- a, b."]),
        ("3 { a; b } :- go. :- c.", ["3 { a; b } :- go."]),
        ("2 { a; b } :- go. { b } 0.", ["2 { a; b } :- go.", "{ b } 0."]),
        ("a :- not b. b :- not a. :- a. :- b. :- go.", [":- go."]),
    ],
)
def test_bounds_are_looked_at_if_constraints_do_not_clash(program: str, clashing: list[str]) -> None:
    reasoner = Reasoner.from_text(program, explain_last=0)
    assert not reasoner.step(0, ["go"]).satisfiable
    (claim,) = reasoner.why("a").claims
    assert isinstance(claim.reason, NoAnswer)
    assert sorted(place.text for place, _ in claim.reason.clashing) == clashing


@settings(
    max_examples=number_of_examples(10),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
@given(cases(ALL_PROGRAMS) | cases(placing_programs()) | cases(choosing_programs()), st.data())
def test_random_programs(case: Case, data: st.DataObject) -> None:
    """Answers are as without explanations, what is explained is as answered, and nothing rests on itself."""
    source, overrides = Source("p.lars", case.program), Overrides(semantics=Semantics(case.semantics))
    try:
        plans = [
            compile_program(source, overrides=overrides, explained=explained) for explained in (False, True)
        ]
    except ProgramError:
        assume(False)
    plain, asked = (
        Reasoner(plan, start=case.start, complete_windows=case.complete_windows, **more)  # type: ignore[arg-type]
        for plan, more in zip(plans, ({}, {"explain_last": 1000}), strict=True)
    )
    answers = []
    for reasoner in (plain, asked):
        found = reasoner.run(map(record, case.records), until=case.last, emit="every")
        answers.append([(a.tick, a.satisfiable, a.holds.texts, a.began.texts, a.ended.texts) for a in found])
    assert answers[0] == answers[1]
    tick, satisfiable, atoms, *_ = data.draw(st.sampled_from(answers[0]))
    known = sorted({atom for _, _, held, *_ in answers[0] for atom in held})
    for atom in data.draw(st.lists(st.sampled_from(known), max_size=3, unique=True)) if known else ():
        try:
            (claim,) = asked.why(atom, tick).claims
        except InputError as error:
            assert "strict semantics does not keep" in str(error)
            continue
        assert claim.atom == atom
        if satisfiable and (atom in atoms or case.semantics == "recorded"):
            assert claim.holds == (atom in atoms)
        assert not rests_on_itself(claim)
        for one in claim.claims():
            assert not isinstance(one.reason, CutOff)
            assert isinstance(one.reason, Repeated) or one.holds != isinstance(one.reason, Absent | NoAnswer)


def test_the_record_that_comes_nearest() -> None:
    """It differs in the fewest of the known arguments, in half of them at most; of several the latest."""
    reasoner = Reasoner.from_text(
        'warm(R) :- reading(R,H,"shut"), H > 3. free(R,S) :- slot(R,S), not taken(R,S,1).',
        explain_last=10,
    )
    reasoner.step(0, ['reading("bath",8,"open")', 'reading("hall",9,"shut")'])
    reasoner.step(
        1, ['reading("bath",9,"open")', "slot(a,1)", "taken(a,2,1)", "taken(b,7,1)", "taken(a,1,1)"]
    )
    reasoner.step(2, ["slot(a,3)"])
    words = 'no record of it; the nearest is reading("bath",9,"open"), step(1)'
    assert words in reasoner.why('reading("bath",H,"shut")').to_text()
    assert words in reasoner.why('warm("bath")').to_text()
    assert "the nearest is taken(a,1,1), step(1)" in reasoner.why("free(a,3)").to_text()
    for unlike in ('reading("sauna",H,"ajar")', 'reading("bath",H,K)', "taken(c,9,5)", "slot(b,X)"):
        assert "nearest" not in reasoner.why(unlike).to_text()


def test_values_that_last_are_named_once() -> None:
    """A box names each record that it rests on, with its ticks; not the last one three times."""
    reasoner = Reasoner.from_text(
        "hot(R) :- reading(R,T), T > 25. warm(R) :- hot(R), not off. alarm(R) :- hot(R) always in [5].\n"
        "worse(R) :- warm2(R) always in [5]. warm2(R) :- hot(R), 1 < 2.",
        explain_last=20,
    )
    reasoner.step(0, ["reading(hall,30)"], until=3)
    reasoner.step(4, ["reading(hall,31)"], until=20)
    reasoner.step(6)
    text = reasoner.why("alarm(hall)").to_text()
    assert "1 to 3  reading(hall,30), 30 > 25" in text
    assert "4 to 6  reading(hall,31), 31 > 25" in text
    assert "more tick" not in text
    text = reasoner.why("worse(hall)").to_text()
    assert text.count("reading(hall,31)") == text.count("reading(hall,30)") == 1
