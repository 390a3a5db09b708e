"""The microbenchmarks of Laser2 (Bazoobandi, Bal, van Harmelen, Urbani 2020, section 5): figures 1 to 4.

Programs, streams, windows and numbers of facts are the paper's; its figure 3 has a window of 10 next to the
small one. A window of `n` covers `n` ticks there (section 2), so it is `[n-1]` here. The paper takes 300
ticks; here those of a full window are timed.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.benchmarks.expectations import EVALUATIONS, is_flat, laser2_has
from experiments.benchmarks.streams import Stream

WINDOWS = (10, 50, 100)
FACTS = (100, 500, 1000)
SMALL_WINDOWS = (1, 2, 3)
RULES = (10, 20)
FACTS_BELOW_RULES = 300
"""The facts of `p` at each tick below several rules."""

ENGINES = (EngineName.AUTO, EngineName.LASER, EngineName.LASER2, EngineName.ONESHOT)
NEVER = 1_000_000
"""A size that no window has: Laser2 looks for impossible derivations in no smaller window."""

SMALL_FROM = 10
"""The size below which the paper would leave windows out."""

ONE_SHOT_MOST = 10_000
"""The most facts in a window that clingo is handed at each tick."""


def same(facts: int) -> Stream:
    """The same facts p(a,a) at each tick."""
    at_each = [("p", a, a) for a in range(facts)]
    while True:
        yield at_each


def with_gaps(every: int, facts: int) -> Stream:
    """Facts p(a,a) at each tick, and q(a,a) beside them at all but each so-manieth."""
    first, second = [("p", a, a) for a in range(facts)], [("q", a, a) for a in range(facts)]
    while True:
        for tick in range(every):
            yield first + second if tick else first


def _setting(
    x: float, series: str, program: str, stream: Callable[[], Stream], n: int, facts: int
) -> Setting:
    too_slow = n * facts > ONE_SHOT_MOST
    return Setting(
        name=series,
        x=x,
        program=program,
        stream=stream,
        warm_up=n + 20,
        ticks=60,
        window=n - 1,
        series=series,
        without={EngineName.ONESHOT: "too slow: the whole window is ground at each tick"} if too_slow else {},
    )


def _one_operator(is_quick: bool) -> Sequence[Setting]:
    """Figure 1: a rule with a diamond, and one with a box, over facts that come at each tick."""
    rules = {"diamond": "q(X,Y) :- p(X,Y) in [{n}].", "box": "q(X,Y) :- p(X,Y) always in [{n}]."}
    return [
        replace(
            _setting(n, f"{operator}, {facts} facts", rule.format(n=n - 1), partial(same, facts), n, facts),
            name=f"{operator}, n={n}, {facts} facts",
            laser2_threshold=NEVER,
        )
        for operator, rule in rules.items()
        for facts in (FACTS[:1] if is_quick else FACTS)
        for n in (WINDOWS[:1] if is_quick else WINDOWS)
    ]


def _best(is_quick: bool) -> Sequence[Setting]:
    """Figure 2: a box that fails once in each window."""
    rule = "m(X,Y) :- p(X,Y) in [{n}], q(X,Y) always in [{n}]."
    return [
        replace(
            _setting(n, f"{facts} facts", rule.format(n=n - 1), partial(with_gaps, n, facts), n, facts),
            name=f"n={n}, {facts} facts",
        )
        for facts in (FACTS[:1] if is_quick else FACTS)
        for n in (WINDOWS[:1] if is_quick else WINDOWS)
    ]


def _worst(is_quick: bool) -> Sequence[Setting]:
    """Figure 3: a box that fails at each tick, over so small a window that this is soon no longer known."""
    rule = "m(X,Y) :- p(X,Y) in [9], q(X,Y) always in [{n}]."
    return [
        replace(
            _setting(
                n,
                f"{facts} facts, windows from {least} on",
                rule.format(n=n - 1),
                partial(same, facts),
                10,
                facts,
            ),
            name=f"n={n}, {facts} facts, from {least}",
            laser2_threshold=least - 1,
        )
        for least in (1, SMALL_FROM)
        for facts in (FACTS[:1] if is_quick else FACTS)
        for n in (SMALL_WINDOWS[:1] if is_quick else SMALL_WINDOWS)
    ]


def _several_rules(is_quick: bool) -> Sequence[Setting]:
    """Figure 4: a chain of rules above a box that never holds."""
    facts = FACTS_BELOW_RULES
    return [
        replace(
            _setting(n, f"{rules} rules", _chain(rules, n), partial(same, facts), n, facts),
            name=f"n={n}, {rules} rules",
        )
        for rules in (RULES[:1] if is_quick else RULES)
        for n in (WINDOWS[:1] if is_quick else WINDOWS)
    ]


def _chain(rules: int, n: int) -> str:
    text = [f"h1(X,Y) :- p(X,Y) in [{n - 1}], q(X,Y) always in [{n - 1}]."]
    return " ".join(text + [f"h{i + 1}(X,Y) :- h{i}(X,Y)." for i in range(1, rules)])


ONE_OPERATOR = Benchmark(
    name="laser2-operators",
    title="One rule with a diamond or with a box, the same facts at each tick",
    source="Laser2 2020, figure 1 (Laser2 against Laser1)",
    x_label="size of the window (ticks)",
    engines=ENGINES,
    settings=_one_operator,
    per=Per.FACT,
    paper="""The paper compares Laser2, written in Go and without its technique, with Laser1 in Python.
Laser2 is faster everywhere. With a diamond, the time for a fact stays the same or falls with more facts.
With a box, it grows with the window and with the facts.""",
    why="""Both are the same Python code here, so there is nothing to compare but the operators. Once
the window is full, nothing begins or ends. Then engines only look each fact up.""",
    expected=[
        laser2_has("diamond, n=50, 1000 facts", 1.2),
        is_flat(EngineName.LASER, "diamond, n=50, 100 facts", "diamond, n=50, 1000 facts", 1.2),
        is_flat(EngineName.AUTO, "box, n=10, 1000 facts", "box, n=100, 1000 facts", 1.2),
    ],
)

BEST = Benchmark(
    name="laser2-best",
    title="A box that fails once in each window",
    source="Laser2 2020, figure 2 (best case)",
    x_label="size of the window (ticks)",
    engines=ENGINES,
    settings=_best,
    per=Per.FACT,
    count=EVALUATIONS,
    paper="""The rule is disabled nearly always. Far fewer formulae are evaluated, and fewer still with
larger windows. Time hardly depends on the window; without the technique it grows.""",
    why="""A box without an instance ends a join at once in these evaluators, so the formulae that
Laser2 spares cost Laser little.""",
    expected=[
        laser2_has("n=100, 1000 facts", 0.1, EVALUATIONS),
        is_flat(EngineName.LASER2, "n=10, 1000 facts", "n=100, 1000 facts", 1.5),
        is_flat(EngineName.AUTO, "n=10, 1000 facts", "n=100, 1000 facts", 1.5),
    ],
)

WORST = Benchmark(
    name="laser2-worst",
    title="A box over 1 to 3 ticks that never holds",
    source="Laser2 2020, figure 3 (worst case)",
    x_label="size of the box's window (ticks)",
    engines=ENGINES,
    settings=_worst,
    per=Per.FACT,
    count=EVALUATIONS,
    paper="""With a window of 1 the rule is evaluated at every tick in spite of the technique, which
takes time. With windows of 2 and 3 that is less. The paper suggests to leave out windows of 10 or less.""",
    why="""The technique compares once for each formula of a rule here, whatever the number of facts.""",
    expected=[
        laser2_has(f"n=1, 1000 facts, from {SMALL_FROM}", 1.0, EVALUATIONS),
        laser2_has("n=1, 1000 facts, from 1", 1.2),
    ],
)

SEVERAL_RULES = Benchmark(
    name="laser2-rules",
    title="A chain of rules above a box that never holds",
    source="Laser2 2020, figure 4 (multiple rules)",
    x_label="size of the window (ticks)",
    engines=ENGINES,
    settings=_several_rules,
    per=Per.FACT,
    count=EVALUATIONS,
    paper="""Laser2 also disables a rule that needs the results of disabled rules. It is up to 31 times
faster (n = 100, 20 rules), and time hardly depends on the window and the number of rules.""",
    why="""The other rules of the chain have no window. Laser spends hardly anything on a rule without
new instances. `auto` does not look at these rules.""",
    expected=[
        laser2_has("n=100, 20 rules", 0.2, EVALUATIONS),
        is_flat(EngineName.LASER2, "n=10, 10 rules", "n=100, 20 rules", 1.5),
        is_flat(EngineName.AUTO, "n=10, 10 rules", "n=100, 20 rules", 1.5),
    ],
)
