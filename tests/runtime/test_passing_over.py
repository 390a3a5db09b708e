"""Passing over ticks, a capability of several modules: where nothing can change, no answer is missed."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Unpack

import pytest
from clingo import Number, Symbol
from hypothesis import HealthCheck, example, given, note, settings
from hypothesis import strategies as st

from lars2asp.compiler import compile_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.evaluators.choice import OF_CLINGO
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.reasoning.run_options import RunOptions
from lars2asp.runtime.sources.records import Record
from lars2asp.syntax.source import Source
from tests.oracle import Ground, Item, Oracle, Pair
from tests.strategies import ALL_PROGRAMS, Case, momentary_rules, quiet_cases, sparse_cases, with_held
from tests.support.definition import record
from tests.support.evaluating import serving
from tests.support.every_tick import EveryTick
from tests.support.examples import number_of_examples
from tests.support.plans import compiled
from tests.support.programs import parse_text
from tests.support.records import events

EXAMPLES = number_of_examples(5)


def answers(reasoner: Reasoner, records: Iterable[Item], last: int) -> Iterator[Answer]:
    return reasoner.run(map(record, records), until=last, emit="every")


class Failing:
    """A function that fails for 0."""

    def f(self, number: Symbol) -> Symbol:
        return Number(1 // number.number)


def at_every_tick(plan: Plan, **options: Unpack[RunOptions]) -> Reasoner:
    """A reasoner that evaluates every tick."""
    reasoner = Reasoner(plan, **options)
    reasoner.session = EveryTick(plan, **options)
    return reasoner


def compare(case: Case, number: int) -> None:
    """Compares answers up to the first tick with several answer streams, from which on there is a choice."""
    note(case.program)
    plan = compiled(case)
    names = serving(plan)
    name = names[number % len(names)]
    note(name)
    one, other = (
        make(plan, start=case.start, complete_windows=case.complete_windows, models=0, evaluator=evaluator)
        for make, evaluator in ((Reasoner, name), (at_every_tick, EvaluatorName.ONESHOT))
    )
    number_of_ticks = 0
    for got, expected in zip(
        answers(one, case.records, case.last), answers(other, case.records, case.last), strict=True
    ):
        assert got.tick == expected.tick
        models = {frozenset(model.texts) for model in got.models}
        assert models == {frozenset(model.texts) for model in expected.models}, f"at tick {got.tick}"
        number_of_ticks += 1
        if len(got.models) > 1 or len(expected.models) > 1:
            return
    assert number_of_ticks == case.last + 1 - (case.records[0].tick if case.start is None else case.start)
    assert other.counts[:2] == (number_of_ticks, 0)


Property = Callable[[Case, int], None]


def examples(test: Property) -> Property:
    """Settings that both groups share."""
    return settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )(test)


@examples
@given(sparse_cases(ALL_PROGRAMS), st.integers(0, 10))
def test_answers_are_those_of_every_tick(case: Case, number: int) -> None:
    """Programs of all kinds, on streams with gaps."""
    compare(case, number)


@examples
@given(quiet_cases(), st.integers(0, 10))
def test_answers_of_few_rules_are_those_of_every_tick(case: Case, number: int) -> None:
    """Nothing but the rule looked at wakes the reasoner; windows are short and long."""
    compare(case, number)


@examples
@given(with_held(quiet_cases() | quiet_cases(momentary_rules())), st.integers(0, 10))
def test_answers_over_facts_that_are_held_are_those_of_every_tick(case: Case, number: int) -> None:
    """They end by time alone, unless others come or the same ones again."""
    compare(case, number)


@examples
@given(quiet_cases(momentary_rules()), st.integers(0, 10))
def test_answers_of_rules_that_need_an_event_are_those_of_every_tick(case: Case, number: int) -> None:
    """They are not told when windows lose what they had, before something happens."""
    compare(case, number)


EVERY_KIND = """
a(X) :- p(X) in [6].                        b(X) :- p(X) always in [9].
c(X) :- p(X) in [5 step 7].                 d(X) :- q(X) in [every 6].
e(X) :- q(X) at T in [5], not p(X) at T in [7].
f(X) :- q(X) at least 2 in [12].            g(X) :- p(X) in {3,8}.
h(X) :- q(X) in [2 #].                      i(X) :- q(X) always in [2 # q/1].
j(X,N) :- q(X) count N in [8].              k(X) at T+11 :- q(X) at T in [3].
l(X) :- k(X) in [5].                        m(X) :- p(X) in [9], not q(X) in [4].
n(X) :- q(X) always in [every 5].           o(X) :- a(X) always in [7], not k(X) in {2}.
s(X) :- p(X) always in [3 step 4].          t(X) :- q(X) at _, not p(X), not d(X).
u(X,@now-T) :- q(X) at T in [6].            v(X) :- r, b(X).
w :- not v(2), q(_) in [2].                 y(X) :- y(X) in {1}, p(X).
y(X) :- q(X), p(X).                         #temp z(X) :- k(X) in [4], k(X) at most 2 in [4].
"""

TEN_EVENTS = (
    Item(0, (("p", (1,)),)),
    Item(25, (("q", (1,)),), begin=(("p", (2,)),)),
    Item(28, (("q", (1,)), ("q", (2,)))),
    Item(60, end=(("p", (2,)),)),
    Item(85, (("q", (3,)), ("r", ())), until=97),
    Item(89, (("p", (3,)),)),
    Item(125, begin=(("p", (3,)), ("r", ()))),
    Item(155, (("q", (1,)),)),
    Item(160, (("p", (4,)), ("q", (4,)))),
    Item(190, (("p", (1,)),), end=(("p", (3,)),)),
)
"""With gaps longer than all windows, so that longer ones make no difference but to the ticks."""

END = 215


def stretched(tick: int) -> int:
    """The same tick with about so much more time before it that the last one is tick 1,000,000,000.

    The time that comes in between is a multiple of all steps, and lies where nothing changes any more.
    """
    more = 420 * (10**9 // 420 // 6)
    return tick + more * sum(tick >= quiet for quiet in (22, 55, 82, 122, 152, 187))


@cache
def by_definition() -> list[tuple[int, frozenset[str]]]:
    """The ticks at which the answer changes, and the answer."""
    oracle = Oracle(parse_text(EVERY_KIND), TEN_EVENTS, start=0, is_strict=False, complete_windows=False)
    found, state, before = [], frozenset[Pair](), frozenset[str]()
    for tick in range(END):
        [stream] = oracle.answer_streams(tick, state)
        # no window looks back further at what is recorded
        state = frozenset((atom, at) for atom, at in stream.recorded if at > tick - 13)
        if stream.output != before:
            before = stream.output
            found.append((tick, before))
    return found


@pytest.mark.parametrize("evaluator", ["auto", "oneshot", "stamped"])
def test_ten_events_in_a_thousand_million_ticks(evaluator: str) -> None:
    """As by definition, where the same events lie closer together."""
    told = (
        dataclasses.replace(
            told, tick=stretched(told.tick), until=None if told.until is None else stretched(told.until)
        )
        for told in TEN_EVENTS
    )
    found = Reasoner.from_text(EVERY_KIND, evaluator=evaluator).run(
        map(record, told), until=stretched(END), emit=None
    )
    assert [(answer.tick, frozenset(answer.holds.texts)) for answer in found] == [
        (stretched(tick), atoms) for tick, atoms in by_definition()
    ]


# --- what tells by the passing of time alone --------------------------------------------------------------

HELD = (3, *range(20, 30), *range(45, 58))
"""The ticks at which p holds: one by itself, an interval, and what is begun and ended."""

RECORDS = (
    Item(3, (("p", ()),)),
    Item(20, (("p", ()),), until=29),
    Item(45, begin=(("p", ()),)),
    Item(58, end=(("p", ()),)),
)

WINDOW_TICKS: Mapping[str, Callable[[int], Iterable[int]]] = {
    "[6]": lambda now: range(now - 6, now + 1),
    "{2,5}": lambda now: (now - 5, now - 2),
    "[6 step 4]": lambda now: range(now - now % 4 - 6, now - now % 4 + 1),
    "[every 5]": lambda now: range((now + 1) // 5 * 5 - 5, (now + 1) // 5 * 5),
}

Derivation = Callable[[int], Iterable[int]]
"""At which ticks the atom holds, as far as it is known at a tick."""

DERIVATIONS: Mapping[str, Derivation] = {
    "s :- p.": lambda now: HELD,
    "s :- p in [7].": lambda now: {tick + more for tick in HELD for more in range(8)},
    "s :- p, not n. n :- p, not s, not p.": lambda now: HELD,
    "s at @now+4 :- p.": lambda now: [tick + 4 for tick in HELD],
    "s at @now-2 :- p, not p in {1}.": lambda now: [tick - 2 for tick in (3, 20, 45) if tick <= now],
    "s at T+9 :- p at T in [1].": lambda now: [tick + 9 for tick in HELD],
}

SAID: Mapping[str, Callable[[list[int], int], Iterable[str]]] = {
    "b :- {} in {}.": lambda held, size: ["b"] if held else [],
    "b :- {} always in {}.": lambda held, size: ["b"] if held and len(held) == size else [],
    "b(T) :- {} at T in {}.": lambda held, size: [f"b({tick})" for tick in held],
    "b(N) :- {} count N in {}.": lambda held, size: [f"b({len(held)})"] if held else [],
}
"""What a rule says of the ticks of a window at which the atom holds, and the number of its ticks."""


@pytest.mark.parametrize("window", WINDOW_TICKS)
@pytest.mark.parametrize("rule", SAID)
@pytest.mark.parametrize("derivation", ["", *DERIVATIONS])
def test_what_begins_and_ends_tells_on_time(derivation: str, rule: str, window: str) -> None:
    """Of one rule, with little else to wake the reasoner; its changes follow from the ticks of windows."""
    source = rule.format("s" if derivation else "p", window)
    expected, before = [], frozenset[str]()
    for now in range(80):
        ticks = [tick for tick in WINDOW_TICKS[window](now) if tick >= 0]
        holding = DERIVATIONS[derivation](now) if derivation else HELD
        said = frozenset(SAID[rule]([tick for tick in ticks if tick in holding and tick <= now], len(ticks)))
        if said != before:
            expected.append((now, said))
            before = said
    reasoner = Reasoner.from_text(f"{derivation} {source} #show b/0. #show b/1.", start=0)
    answers = reasoner.run(map(record, RECORDS), until=79, emit=None)
    assert [(answer.tick, frozenset(answer.holds.texts)) for answer in answers] == expected


P, Q = (("p", ()),), (("q", ()),)

Expected = Mapping[int, str]
"""The atoms that are shown from a tick on."""

ON_TIME: tuple[tuple[str, tuple[Item, ...], Expected], ...] = (
    # what is begun grows in windows of arrivals, and what was begun and ended ends in them
    (
        "b(T) :- p at T in [2 #].",
        (Item(3, begin=P), Item(5, end=P)),
        {3: "b(3)", 4: "b(3) b(4)"},
    ),
    ("b(N) :- p count N in [1 #].", (Item(3, P, until=5),), {3: "b(1)", 4: "b(2)", 5: "b(3)"}),
    ("b :- p always in [1 #].", (Item(3, P, until=16),), {3: "b", 17: ""}),
    # a certain tick comes
    ("b :- p at 7.", (Item(3, P, until=12),), {7: "b"}),
    ("s :- p. b :- s at 7, not s.", (Item(3, P, until=12),), {13: "b"}),
    ("s :- p. b(T) :- s at T, not s.", (Item(3, P, until=4),), {5: "b(3) b(4)"}),
    # a window is cut off at the start, or may not be
    ("s :- p. b :- s always in {0,2}.", (Item(1, begin=P),), {1: "b", 2: "", 3: "b"}),
    ("p. b(N) :- p count N in [2].", (Item(30, Q),), {0: "b(1)", 1: "b(2)", 2: "b(3)"}),
    # the tick itself is spoken of
    ("b(@now) :- p in [1].", (Item(3, P),), {3: "b(3)", 4: "b(4)", 5: ""}),
    ("b(@now) :- p in [1], not q in [1].", (Item(3, P),), {3: "b(3)", 4: "b(4)", 5: ""}),
    (
        "k(4). k(5). b(X) :- k(X), not c(X). c(@now) :- p in [3].",
        (Item(3, P),),
        {0: "b(4) b(5)", 4: "b(5)", 5: "b(4)", 6: "b(4) b(5)"},
    ),
    (
        "s(@now-T) :- p at T in [3]. b(X) :- s(X) in {5}.",
        (Item(3, P),),
        {8: "b(0)", 9: "b(1)", 10: "b(2)", 11: "b(3)", 12: ""},
    ),
    ("k(4). b :- p at T in [9], k(@now-T).", (Item(3, P),), {7: "b", 8: ""}),
    ("b. :- p at T in [4], @now-T > 2.", (Item(3, P),), {0: "b", 6: "", 8: "b"}),
    # a head with bounds that cannot be met is a constraint
    ("b. 2 { a } :- p at T in [4], @now-T > 2. #show b/0.", (Item(3, P),), {0: "b", 6: "", 8: "b"}),
    (
        "b. 1 < #count { 1 : a } :- p at T in [4], @now-T > 2. #show b/0.",
        (Item(3, P),),
        {0: "b", 6: "", 8: "b"},
    ),
    (
        "b(T) :- q at T in [every 9]. b(@now) :- p in [1].",
        (Item(8, begin=Q), Item(12, P), Item(14, end=Q)),
        {
            8: "b(8)",
            12: "b(8) b(12)",
            13: "b(8) b(13)",
            14: "b(8)",
            17: "b(9) b(10) b(11) b(12) b(13)",
            26: "",
        },
    ),
    # what grew while nothing looked at it is looked at
    ("b(T) :- p at T in [9], q.", (Item(0, begin=P), Item(2, Q)), {2: "b(0) b(1) b(2)", 3: ""}),
    (
        "b(T) :- p at T in [1], q.",
        (Item(0, begin=P), Item(7, Q), Item(20, Q)),
        {7: "b(6) b(7)", 8: "", 20: "b(19) b(20)", 21: ""},
    ),
    (
        "b(T) :- p at T in [1], q in [1].",
        (Item(3, begin=P), Item(7, Q)),
        {7: "b(6) b(7)", 8: "b(7) b(8)", 9: ""},
    ),
    # rules place something
    ("s at @now+3 :- p in [2]. b :- s.", (Item(3, P),), {6: "b", 9: ""}),
    (
        "s at @now/4*4+9 :- p in [9]. b :- s in {1}.",
        (Item(4, P),),
        {14: "b", 15: "", 18: "b", 19: "", 22: "b", 23: ""},
    ),
    ("#temp s at 5 :- p. b :- s in [4].", (Item(7, begin=P),), {7: "b", 10: ""}),
    ("#temp s at 5 :- p. b :- s in {3}.", (Item(6, begin=P),), {8: "b", 9: ""}),
    ("s at @now-2 :- p. b :- s always in {9,10}.", (Item(3, P, until=4),), {11: "b", 12: ""}),
)
"""Programs, streams, and when what is shown of b changes."""


@pytest.mark.parametrize(("program", "records", "expected"), ON_TIME, ids=[row[0] for row in ON_TIME])
def test_changes_come_on_time(program: str, records: tuple[Item, ...], expected: Expected) -> None:
    plan = compile_program(Source("on_time.lars", f"{program} #show b/0. #show b/1."))
    for name in serving(plan):
        found = Reasoner(plan, start=0, evaluator=name).run(map(record, records), until=60, emit=None)
        assert {answer.tick: " ".join(answer.holds.texts) for answer in found} == expected, name


def test_boxes_that_need_whole_windows_begin_on_time() -> None:
    """They hold from the tick on from which their window lies on the timeline."""
    for rule, first in (("p always in [4]", 7), ("p always in {2,5}", 8), ("p always in [every 4]", 7)):
        reasoner = Reasoner.from_text(f"p. b :- {rule}. #show b/0.", start=3, complete_windows=True)
        found = [(answer.tick, answer.holds.texts) for answer in reasoner.run([(60, [])], emit=None)]
        assert found == [(first, ("b",))], rule


class Moody:
    """Fails once."""

    has_failed = False

    def one(self) -> Symbol:
        """1, but not at first."""
        if self.has_failed:
            return Number(1)
        self.has_failed = True
        raise ValueError


def test_the_tick_after_one_that_failed_is_evaluated() -> None:
    reasoner = Reasoner.from_text("b :- p, @one() = 1.", functions=Moody())
    with pytest.raises(EvaluationError):
        reasoner.step(0, begin=["p"])
    found = [(answer.tick, answer.holds.texts) for answer in reasoner.run([], until=60, emit=None)]
    assert found == [(1, ("b",))]


def test_given_are_the_ticks_that_a_number_divides() -> None:
    """The changes of an answer are those since the one given before."""
    reasoner = Reasoner.from_text("a(X) :- p(X) in [2].", start=0)
    found = [
        (answer.tick, answer.holds.texts, [*answer.began.texts], [*answer.ended.texts])
        for answer in reasoner.run([(3, ["p(1)"]), (9, ["p(2)"])], until=18, emit=5)
    ]
    assert found == [
        (0, (), [], []),
        (5, ("a(1)",), ["a(1)"], []),
        (10, ("a(2)",), ["a(2)"], ["a(1)"]),
        (15, (), [], ["a(2)"]),
    ]
    assert reasoner.now == 18
    with pytest.raises(ValueError, match="1 or more"):
        next(reasoner.run([(20, [])], emit=0))


def test_a_rule_that_speaks_of_the_tick_waits_for_what_it_needs() -> None:
    """It is evaluated at every tick only while it can fire."""
    reasoner = Reasoner.from_text("a(@now-T) :- b at T in [3]. b :- p. c at T+9 :- p at T in [1].")
    found = {a.tick: a.holds.texts for a in reasoner.run([(10, ["p"])], until=21, emit=None)}
    assert found == {
        10: ("b", "a(0)"),
        11: ("a(1)",),
        12: ("a(2)",),
        13: ("a(3)",),
        14: (),
        19: ("c",),
        20: (),
    }
    evaluated = reasoner.counts[0]
    assert list(reasoner.run([], until=1_000_000, emit=None)) == []
    assert reasoner.counts[0] == evaluated


def test_ticks_that_follow_each_other_leave_nothing_to_pass_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may change by time alone is not asked for while each has input."""
    reasoner = Reasoner.from_text("a(X,T) :- p(X) at T in [3].")
    reasoner.step(0, ["p(1)"])
    monkeypatch.setattr(reasoner.session, "next_change", None)
    for tick in range(1, 5):
        reasoner.step(tick, ["p(2)"])
    assert len(reasoner.step(5, ["p(2)"]).holds) == 4


@pytest.mark.parametrize("evaluator", ["auto", "oneshot", "external", "stamped"])
def test_ticks_with_records_that_tell_nothing_are_passed_over(evaluator: str) -> None:
    """As if there were none, however they are told."""
    program = "a(X) :- p(X) in [50]. b :- p(X) always in [every 10]."
    stepped, ran, alone = (
        Reasoner.from_text(program, evaluator=evaluator, explain_last=explain_last)
        for explain_last in (5, None, None)
    )
    told = [(tick, ["p(1)"] if tick in (0, 60) else []) for tick in range(200)]
    by_steps = [stepped.step(tick, facts).holds.texts for tick, facts in told]
    assert [answer.holds.texts for answer in ran.run(told, emit="every")] == by_steps
    assert [
        answer.holds.texts for answer in alone.run([told[0], told[60]], until=199, emit="every")
    ] == by_steps
    assert stepped.counts == ran.counts == alone.counts
    assert alone.counts[0] < 20


def test_a_step_past_silent_ticks_is_not_undone() -> None:
    """Answers that are given at ticks without input go on behind it."""
    reasoner = Reasoner.from_text("a :- p in [5].")
    run = reasoner.run([(0, ["p"]), (20, [])], emit=2)
    found = [(answer.tick, len(answer.holds)) for answer in (next(run), next(run))]
    assert found == [(0, 1), (2, 1)]
    assert reasoner.step(3).holds.texts == ("a",)
    assert [(answer.tick, len(answer.holds)) for answer in run] == [
        *((4, 1), (6, 0), (8, 0), (10, 0), (12, 0), (14, 0), (16, 0), (18, 0), (20, 0)),
    ]


def test_a_tick_that_follows_a_failure_is_looked_at() -> None:
    reasoner = Reasoner.from_text("a(@f(X)) :- p(X) in [5].", functions=Failing(), evaluator="oneshot")
    assert reasoner.step(0, ["p(1)"]).holds.texts == ("a(1)",)
    with pytest.raises(EvaluationError):
        reasoner.step(1, ["p(0)"])
    with pytest.raises(EvaluationError):
        reasoner.step(2)


# --- blocks over what rules derive ------------------------------------------------------------------------

BLOCKS = ("[4 step 2]", "[0 step 3]", "[1 step 4]", "[3 step 1]", "[every 3]", "[every 1]", "[every 5]")
BELOW = (
    *("d(X) :- p(X).", "d(X) :- p(X), not q(X).", "d(X) :- p(X) in [2].", "d(X) :- c(X). c(X) :- p(X)."),
    *("d(X) :- p(X). d(X) :- d(X) in {}, not q(X).", "d(X) :- p(X). d(X) :- d(X) always in {}, q(X)."),
    *("d(X) :- p(X), not n(X). n(X) :- q(X), not d(X).", "d(X) :- p(X). d(1)."),
    *("#temp d(X) :- p(X).", "d(X) :- p(X). #temp d(X) :- q(X).", "d(X) at @now-1 :- p(X)."),
    *("d(X) at @now+2 :- p(X).", "d(X) :- p(X), not e(X) in {{1}}.", "d(X) :- p(X), not e(X)."),
)
OVER = (
    *("e(X) :- d(X) in {}.", "e(X) :- d(X) always in {}.", "e(X) :- d(X) count 3 in {}."),
    *("e(X) :- d(X) at least 2 in {}.", "e(X) :- p(X), d(X) at most 2 in {}."),
    *("e(X) :- p(X), not d(X) in {}.", "e(X) :- d(X) in {}. e(X) :- e(X) in {}."),
    *("e(X,T) :- d(X) at T in {}.", "e(X,N) :- d(X) count N in {}."),
)
ABOVE = (
    *("", "", "f(X) :- e(X) in {}.", ":- e(X), q(X).", ":- not e(1), q(1)."),
    "g(X) :- e(X), not h(X). h(X) :- e(X), not g(X). :- h(X).",
)


@st.composite
def block_cases(draw: st.DrawFn) -> Case:
    """Windows over what rules derive of a stream that is mostly silent."""
    windows = st.sampled_from(BLOCKS)
    parts = [draw(st.sampled_from(part)) for part in (BELOW, OVER, ABOVE)]
    program = " ".join(part.format(draw(windows), draw(windows)) for part in parts)
    records, tick, begun = [], draw(st.integers(0, 4)), set[Ground]()
    for _ in range(draw(st.integers(1, 4))):
        atom: Ground = (draw(st.sampled_from("ppq")), (draw(st.integers(1, 2)),))
        match draw(st.sampled_from(["begin", "begin", "fact", "until"])):
            case "begin" if atom in begun:
                begun.remove(atom)
                records.append(Item(tick, end=(atom,)))
            case "begin":
                begun.add(atom)
                records.append(Item(tick, begin=(atom,)))
            case "until":
                records.append(Item(tick, (atom,), until=tick + draw(st.integers(1, 9))))
            case _:
                records.append(Item(tick, (atom,)))
        tick += draw(st.integers(1, 25))
    semantics = draw(st.sampled_from(["recorded", "recorded", "strict"]))
    return Case(program, tuple(records), None, tick + 40, semantics, complete_windows=draw(st.booleans()))


A_BLOCK_LEFT_AFTER_LEAPS = Case(
    "d(X) :- p(X). e(X) :- d(X) in [4 step 2].",
    (
        Item(0, begin=(("p", (1,)),)),
        Item(1, begin=(("p", (2,)),)),
        Item(6, end=(("p", (1,)),)),
    ),
    None,
    47,
    "recorded",
    complete_windows=False,
)
"""What ended leaves the block two leaps later, and nothing happens at the first one."""

COUNTED_IN_A_BLOCK = Case(
    "d(X) :- p(X). d(X) :- d(X) in [4 step 2], not q(X). e(X) :- d(X) at least 2 in [1 step 4].",
    (Item(0, begin=(("p", (1,)),)),),
    None,
    20,
    "recorded",
    complete_windows=False,
)
"""The tick at which the block leaps counts from the next one on, which is evaluated for another reason."""


@examples
@given(block_cases(), st.integers(0, 10))
@example(A_BLOCK_LEFT_AFTER_LEAPS, 0)
@example(COUNTED_IN_A_BLOCK, 0)
def test_blocks_over_what_is_derived(case: Case, number: int) -> None:
    """While what is derived holds on, and when it does no more."""
    compare(case, number)


def told_from(tick: int, *names: str) -> Item:
    """What begins at a tick and does not end."""
    return Item(tick, begin=tuple((name, ()) for name in names))


@pytest.mark.parametrize(
    ("program", "records"),
    [
        # what is derived depends on the block
        ("d :- p. d :- d in [0 step 3].", (Item(0, P),)),
        (
            "d :- p. d :- e. e :- d in [0 step 4], not q in {2}.",
            (Item(0, P), Item(9, Q), Item(12, P)),
        ),
        # while a tick has no answer nothing is recorded
        ("d :- p. e :- d in [0 step 3]. :- not e, q.", (told_from(1, "p", "q"),)),
        ("d :- p. e :- d in [1 step 5]. :- e, q.", (told_from(1, "p"), told_from(4, "q"))),
        # other answers change than the one that is followed
        ("d :- p, not n. n :- p, not d. e :- d in [0 step 3]. :- not e, q.", (told_from(0, "p", "q"),)),
        ("{ d } :- p. e :- d always in [every 3].", (told_from(1, "p"),)),
        # what is derived is forgotten
        ("#temp d :- p. e :- d in [2 step 4].", (told_from(1, "p"),)),
        ("#semantics strict. d :- p. e :- d in [2 step 4].", (told_from(1, "p"),)),
        ("#semantics strict. d :- p. e :- d always in [every 1]. f :- d in [every 4].", (told_from(1, "p"),)),
    ],
)
def test_the_current_tick_comes_into_blocks_and_leaves_them(program: str, records: tuple[Item, ...]) -> None:
    plan = compile_program(Source("blocks.lars", program))
    for name in serving(plan):
        found, expected = (
            [
                [set(model.texts) for model in answer.models]
                for answer in answers(make(plan, evaluator=name, models=0), records, 40)
            ]
            for make in (Reasoner, at_every_tick)
        )
        assert found == expected, name


@pytest.mark.parametrize("window", ["[4 step 2]", "[1 step 4]", "[every 5]"])
@pytest.mark.parametrize("rule", ["in", "always in", "count 2 in", "at least 2 in"])
def test_silence_of_any_length_costs_the_same_while_something_is_derived(rule: str, window: str) -> None:
    """Whatever evaluates the window over it; with a constraint as well.

    Only `flow` looks at the ticks at which a window moves: for counts, and over what clingo derives itself.
    """
    silence = 1_000
    for more in ("", ":- e(7)."):
        plan = compile_program(Source("d.lars", f"d(X) :- p(X). e(X) :- d(X) {rule} {window}. {more}"))
        for name in serving(plan):
            moves = rule == "count 2 in" or (rule != "in" and name in OF_CLINGO)
            reasoner = Reasoner(plan, evaluator=name)
            records = [Item(3, begin=(("p", (1,)),)), Item(silence, end=(("p", (1,)),))]
            for _ in reasoner.run(map(record, records), until=2 * silence, emit=None):
                assert reasoner.counts[0] < (silence + 20 if moves else 20), name
            assert reasoner.counts[0] < (silence + 20 if moves else 20), name


@pytest.mark.parametrize("evaluator", ["auto", "oneshot", "stamped", "external"])
def test_what_is_to_hold_at_many_ticks_is_looked_at_when_it_does(evaluator: str) -> None:
    """And when it does no more; whether the input tells it or rules derive it."""
    program = """
        often(X) :- p(X) at least 1000000 in [5000000].     rare(X) :- q(X), p(X) at most 400000 in [900000].
        r(X) :- p(X).                                       long(X) :- r(X) at least 700000 in [].
        s(X) :- r(X), q(X).                                 also(X) :- s(X) at least 10 in [20].
    """
    reasoner = Reasoner.from_text(program.replace("[]", "[100000000]"), evaluator=evaluator)
    stream = [
        Record(10, events(begin=["p(1)", "q(1)"])),
        Record(2_000_010, events(end=["p(1)"])),
    ]
    changes = {
        (answer.tick, str(atom)): is_added
        for answer in reasoner.run(stream, until=9_000_000, emit=None)
        for atoms, is_added in ((answer.began.symbols, True), (answer.ended.symbols, False))
        for atom in atoms
        if atom.name not in "rs"
    }
    assert changes == {
        (10, "rare(1)"): True,
        (19, "also(1)"): True,
        (400_010, "rare(1)"): False,
        (700_009, "long(1)"): True,
        (1_000_009, "often(1)"): True,
        (2_000_021, "also(1)"): False,
        (2_500_010, "rare(1)"): True,
        (6_000_011, "often(1)"): False,
    }
    assert reasoner.counts[0] < 400
