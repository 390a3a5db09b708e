"""What single rules have done and cost."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.runtime.evaluators.costs.rule_statistics import RuleStatistics
from lars2asp.runtime.tuning import DEFAULT
from lars2asp.syntax.diagnostics import ProgramError
from tests.strategies.aggregates import aggregating_programs
from tests.strategies.recursion import cyclic_programs
from tests.strategies.streams import TAKING_ALL
from tests.support.examples import number_of_examples

OFTEN = replace(DEFAULT, sampled_ticks=1)
"""Each tick is sampled."""


def rules(reasoner: Reasoner) -> list[RuleStatistics]:
    """What the rules have done, without their time."""
    return [replace(rule, seconds=0.0) for one in reasoner.statistics.components for rule in one.rules]


def measured(program: str) -> Reasoner:
    return Reasoner.from_text(program, stats=True, tuning=OFTEN)


# --- what is counted ------------------------------------------------------------------------------


#   tick      0       1       2       3
#   p         1 2     1               3
#   hot       2                       3
def test_a_rule_over_one_atom() -> None:
    """Its code runs for the rows of p that begin at a tick, and for those that end."""
    reasoner = measured("hot(X) :-\n    p(X),  X > 1.")
    expected = [(1, 1, 0), (2, 2, 0), (3, 2, 0), (4, 3, 0)]
    for tick, facts in enumerate([["p(1)", "p(2)"], ["p(1)"], [], ["p(3)"]]):
        reasoner.step(tick, facts)
        evaluations, changes, rows = expected[tick]
        assert rules(reasoner) == [
            RuleStatistics("hot(X) :- p(X), X > 1.", "<text>:1", evaluations, changes, rows)
        ]


#   tick      0        1       2
#   p |       1 2 --------------->
#   q         1        1 2
#   pair      1        1 2
def test_a_join_keeps_the_rows_that_it_joins() -> None:
    reasoner = measured("pair(X) :- p(X), q(X).")
    reasoner.step(0, ["q(1)"], begin=["p(1)", "p(2)"])
    assert rules(reasoner) == [RuleStatistics("pair(X) :- p(X), q(X).", "<text>:1", 2, 1, 3)]
    reasoner.step(1, ["q(1)", "q(2)"])
    assert rules(reasoner) == [RuleStatistics("pair(X) :- p(X), q(X).", "<text>:1", 3, 2, 4)]
    reasoner.step(2)
    assert rules(reasoner) == [RuleStatistics("pair(X) :- p(X), q(X).", "<text>:1", 4, 4, 2)]


#   tick      0     1     2     3
#   p         x     x
#   q               x     x
#   a         |-----------------|
def test_an_atom_counts_for_the_rule_that_made_it_begin_and_for_that_by_which_it_ended() -> None:
    reasoner = measured("a :- p. a :- q.")
    for tick, facts in enumerate([["p"], ["p", "q"], ["q"], []]):
        reasoner.step(tick, facts)
    assert rules(reasoner) == [
        RuleStatistics("a :- p.", "<text>:1:1", 2, 1, 0),
        RuleStatistics("a :- q.", "<text>:1:9", 2, 1, 0),
    ]


def test_rules_that_only_rename_atoms_keep_nothing() -> None:
    reasoner = measured("a(X) :- p(X) in [2].\nb(X) :- a(X), q.")
    for tick, facts in enumerate([["p(1)", "p(2)", "q"], ["p(1)"], [], [], []]):
        reasoner.step(tick, facts)
    found = {rule.text: rule for rule in rules(reasoner)}
    assert found["a(X) :- p(X) in [2]."] == RuleStatistics("a(X) :- p(X) in [2].", "<text>:1", 3, 4, 0)
    assert found["b(X) :- a(X), q."].changes == 4


#   link  0: 1-2, 2-3    1: 2-3, 1-3    2: none
def test_rules_that_depend_on_themselves() -> None:
    """At 1 path(1,3) is derived by the first rule, and by the second no more: it does not change."""
    reasoner = measured("path(X,Y) :- link(X,Y).\npath(X,Z) :- path(X,Y), link(Y,Z).")
    changes = []
    for tick, facts in enumerate([["link(1,2)", "link(2,3)"], ["link(2,3)", "link(1,3)"], []]):
        reasoner.step(tick, facts)
        changes.append([rule.changes for rule in rules(reasoner)])
    assert changes == [[2, 1], [3, 1], [5, 1]]
    assert [rule.rows for rule in rules(reasoner)] == [0, 0]


def test_an_aggregate_keeps_groups() -> None:
    reasoner = measured("busy(A) :- airport(A), #count { F : left(A,F) in [9] } >= 2.")
    reasoner.step(0, ["left(a,1)", "left(a,2)", "left(b,1)"], begin=["airport(a)", "airport(b)"])
    [rule] = rules(reasoner)
    assert (rule.evaluations, rule.changes) == (2, 1)
    assert rule.rows == 2 + 2 + 1  # airports, groups, and the group that is large enough
    reasoner.step(20)
    [rule] = rules(reasoner)
    assert (rule.evaluations, rule.changes, rule.rows) == (3, 2, 2)


def test_rules_with_the_same_body_share_what_it_costs() -> None:
    reasoner = measured("a(X) :- p(X), q(X).\nb(X) :- p(X), q(X).")
    for tick in range(20):
        reasoner.step(tick, ["p(1)", f"q({tick % 2})"])
    one, other = rules(reasoner)
    assert (one.evaluations, one.changes, one.rows) == (other.evaluations, other.changes, other.rows)
    first, second = reasoner.statistics.components[0].rules
    assert first.seconds == pytest.approx(second.seconds)
    assert first.seconds > 0


def test_a_rule_that_says_what_another_one_does_changes_nothing() -> None:
    reasoner = measured("a(X) :- p(X), q(X).\na(Y) :- p(Y), q(Y).")
    reasoner.step(0, ["p(1)", "q(1)"])
    assert [(rule.evaluations, rule.changes) for rule in rules(reasoner)] == [(2, 1), (2, 0)]


def test_facts_are_no_rules_here() -> None:
    reasoner = measured("a(1). a(X) :- p(X).")
    reasoner.step(0, ["p(1)", "p(2)"])
    assert rules(reasoner) == [RuleStatistics("a(X) :- p(X).", "<text>:1", 1, 1, 2)]


def test_pools_and_alternatives_are_one_rule() -> None:
    reasoner = measured("a(X;X+1) :- p(X).\nb(X) :- p(X), not 1 < X < 3.")
    reasoner.step(0, ["p(1)", "p(2)"])
    assert [(rule.text, rule.changes) for rule in rules(reasoner)] == [
        ("a(X;X+1) :- p(X).", 3),
        ("b(X) :- p(X), not 1 < X < 3.", 1),
    ]


def test_long_rules_are_cut_off() -> None:
    reasoner = measured(f"a(X) :- p(X), {', '.join(f'X != {number}' for number in range(10, 99))}.")
    reasoner.step(0, ["p(1)"])
    [rule] = rules(reasoner)
    assert rule.text.endswith(" ...")
    assert len(rule.text) < 110


# --- evaluators, snapshots ------------------------------------------------------------------------


def test_clingo_tells_no_rules_apart() -> None:
    """Each has the ticks and the time of all of them, and what its own windows hold."""
    text = "a(X) :- p(X).\n1 { c(X) : a(X) } 1 :- a(_).\nd(X) :- c(X), not p(X) in [5].\n:- e in [9], c(7)."
    reasoner = Reasoner.from_text(text, stats=True)
    reasoner.step(0, ["p(1)", "e"])
    reasoner.step(1, ["p(2)", "e"])
    first, second = reasoner.statistics.components
    assert [one.others for one in first.rules] == [None]
    assert second.cost is not None
    assert [(one.place, one.evaluations, one.seconds, one.others) for one in second.rules] == [
        (f"<text>:{line}", second.cost.steps, second.cost.seconds, 2) for line in (2, 3, 4)
    ]
    assert [one.held for one in second.rules] == [0, 2, 1]


@pytest.mark.parametrize(
    ("rule", "held"),
    [
        ("a(X) :- p(X) in [30].", 10),
        ("a(X) :- p(X) in [2], q.", 3),
        ("a(X,N) :- p(X) count N in [5].", 6),
        ("a(X) :- p(X) always in [5].", 6),
        ("a(X) :- p(X) at least 2 in [5].", 6),
        ("a(X,T) :- p(X) at T in [5].", 6),
        ("a(X) :- p(X) in [1..5].", 6),
        ("a(X) :- p(X) in [4 #].", 4),
        ("a(X) :- p(X) in [since q].", 10),
        ("a(X) :- o in [5], p(X).", 1),
        ("a(X) :- p(X).", 0),
    ],
)
def test_windows_reach_intervals_for_a_rule(rule: str, held: int) -> None:
    """However it is evaluated, and whatever other rules look at."""
    others = "\nlong(X) :- p(X) in [90], q.\nlong(X) :- p(X) in [80 #], q."
    for evaluator in ("auto", "external"):
        reasoner = Reasoner.from_text(rule + others, stats=True, evaluator=evaluator)
        reasoner.step(0, ["q"], begin=["o"])
        for tick in range(1, 11):
            reasoner.step(tick, [f"p({tick % 5})"])
        found = [one for one in rules(reasoner) if one.text == rule]
        assert [one.held for one in found] == [held], evaluator


def test_nothing_is_measured_without_statistics() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X), X > 1.")
    reasoner.step(0, ["p(2)"])
    assert rules(reasoner) == []


def test_what_rules_have_done_goes_on_with_another_evaluator() -> None:
    reasoner = measured("a(X) :- p(X), X > 1.")
    done = []
    for tick, name in enumerate(["delta", "external", "delta"]):
        reasoner.use(name)
        reasoner.step(tick, ["p(2)"] if tick != 1 else ["p(3)"])
        done.append([(rule.evaluations, rule.changes) for rule in rules(reasoner)])
    assert done == [[(1, 1)], [(1, 1)], [(2, 2)]]


def test_after_a_snapshot_they_are_counted_anew() -> None:
    one = measured("a(X) :- p(X), q(X).")
    one.step(0, begin=["p(1)"])
    one.step(1, ["q(1)"])
    other = measured("a(X) :- p(X), q(X).")
    other.resume(one.snapshot())
    other.step(2, ["q(2)"])
    assert [(rule.evaluations, rule.changes, rule.rows) for rule in rules(other)] == [(2, 1, 2)]


# --- time -----------------------------------------------------------------------------------------

LAYERS = """\
few(X) :- p(X), X < 3.
many(X,Y) :- p(X), p(Y), X < Y, q(Y-X).
sums(N) :- N = #sum { X : p(X) in [3] }.
path(X,Y) :- link(X,Y) in [4].
path(X,Z) :- path(X,Y), link(Y,Z) in [4].
path(X,X) :- few(X), p(X+1).
"""


def stream(ticks: int) -> Iterable[tuple[int, list[str]]]:
    for tick in range(ticks):
        pairs = [f"link({tick * 7 % 9},{tick * 5 % 8})", f"link({tick % 4},{tick % 3})"]
        yield tick, [f"p({tick % 7})", f"p({tick * 3 % 11})", f"q({tick % 5})", *pairs]


@pytest.mark.parametrize("every", [1, 3, 499])
def test_rules_take_part_of_the_time_of_their_component(every: int) -> None:
    reasoner = Reasoner.from_text(LAYERS, stats=True, tuning=replace(DEFAULT, sampled_ticks=every))
    plain = Reasoner.from_text(LAYERS)
    for tick, facts in stream(400):
        assert reasoner.step(tick, facts).holds.texts == plain.step(tick, facts).holds.texts
    components = reasoner.statistics.components
    found = [rule for one in components for rule in one.rules]
    assert len(found) == 6
    assert all(rule.seconds > 0 for rule in found)
    if every == 1:
        for one in components:
            assert one.cost is not None
            assert sum(rule.seconds for rule in one.rules) <= one.cost.seconds


# --- what answers show ----------------------------------------------------------------------------


def _facts(draw: st.DrawFn) -> list[str]:
    values = st.sampled_from(["0", "1", "x"])
    names = draw(st.lists(st.sampled_from(["p", "e", "r"]), max_size=4))
    arity = {"p": 1, "e": 2, "r": 0}
    texts = [(name, [draw(values) for _ in range(arity[name])]) for name in names]
    return [f"{name}({','.join(given)})" if given else name for name, given in texts]


@st.composite
def streams(draw: st.DrawFn) -> list[list[str]]:
    """The facts of tick after tick."""
    return [_facts(draw) for _ in range(draw(st.integers(1, 9)))]


def _name(atom: str) -> str:
    return atom.split("(", maxsplit=1)[0].split(":-", maxsplit=1)[0].split(" ", maxsplit=1)[0].rstrip(".")


@pytest.mark.parametrize("programs", [cyclic_programs, aggregating_programs], ids=["recursion", "aggregates"])
@settings(max_examples=number_of_examples(12))
@given(st.data())
def test_the_changes_of_rules_are_those_of_the_answers(programs: object, data: st.DataObject) -> None:
    """Of each predicate that rules alone derive; answers are those of a reasoner that measures nothing."""
    assert callable(programs)
    program: str = data.draw(programs()) + f"\n{TAKING_ALL}"
    told = data.draw(streams())
    try:
        plain = Reasoner.from_text(program)
    except ProgramError:
        assume(False)
    reasoner = Reasoner.from_text(
        program, stats=True, tuning=replace(DEFAULT, sampled_ticks=data.draw(st.sampled_from([1, 2])))
    )
    shown: Counter[str] = Counter()
    for tick, facts in enumerate(told):
        answer = reasoner.step(tick, facts)
        assert answer.holds.texts == plain.step(tick, facts).holds.texts
        shown.update(map(_name, map(str, (*answer.began.symbols, *answer.ended.symbols))))
    given_too = {_name(line) for line in program.splitlines() if ":-" not in line}
    made: Counter[str] = Counter()
    by_clingo = set()  # which does not say what changed by which rule
    for rule in rules(reasoner):
        if rule.others is not None:
            by_clingo.add(_name(rule.text))
        made[_name(rule.text)] += rule.changes
        assert rule.rows >= 0
    for name in made.keys() - given_too - by_clingo:
        assert made[name] == shown[name], (name, rules(reasoner))
