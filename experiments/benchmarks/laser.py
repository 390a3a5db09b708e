"""The microbenchmarks of Laser (Bazoobandi, Beck, Urbani 2017): figures 2a, 2b, 3a and 3b.

Programs, streams and parameters are after Laser's repository (karmaresearch/Laser, `eval.py`, `runEval.sh`,
`stream/`), with a second for a tick: windows of 1 to 80 seconds, 200 to 800 facts a second. Facts of the
diamond and of the joins never come twice; those of the box are drawn from a third as many as there are at a
tick. Rules side by side have the same body there and here; here each has a head of its own.
"""

from collections.abc import Callable, Sequence
from functools import partial

from experiments.benchmark import STRICT_ENGINES, Benchmark, EngineName, Per, Setting
from experiments.benchmarks.expectations import grows, is_faster, is_flat
from experiments.benchmarks.streams import Stream, chain, drawn, fresh_pairs
from experiments.by_hand.window_rules import BoxByHand, DiamondByHand, JoinByHand
from experiments.engine import Engine

WINDOWS = (1, 20, 40, 80)
RATES = (200, 400, 800)
RULES = (10, 20, 50, 100)
RULES_OVER_WINDOWS = (10, 50)
_ALL = [(n, rate) for rate in reversed(RATES) for n in WINDOWS]


def _settings(
    program: str,
    stream: Callable[[int], Stream],
    by_hand: Callable[[int], Engine],
    is_quick: bool,
) -> Sequence[Setting]:
    """A rule over windows of some sizes, with some rates."""
    return [
        Setting(
            name=_name(n, rate),
            x=n,
            program=program.format(n=n),
            stream=partial(stream, rate),
            warm_up=n + 20,
            ticks=10 if is_quick else 60,
            window=n,
            series=f"{rate} facts/tick",
            by_hand=partial(by_hand, n),
        )
        for n, rate in ([(20, 200)] if is_quick else _ALL)
    ]


def _name(n: int, rate: int) -> str:
    return f"n={n}, {rate} facts"


def _rules(is_quick: bool) -> Sequence[Setting]:
    """A number of joins side by side."""
    return [
        Setting(
            name=f"{rules} rules",
            x=rules,
            program=" ".join(f"q{i}(A,C) :- p(A,B) in [20], p(B,C) in [20]." for i in range(rules)),
            stream=partial(chain, 200),
            warm_up=40,
            ticks=10 if is_quick else 60,
            window=20,
            by_hand=partial(JoinByHand, 20, [f"q{i}" for i in range(rules)]),
            without=dict.fromkeys((EngineName.ONESHOT, EngineName.TICKER), "too slow") if rules > 20 else {},
        )
        for rules in (RULES[:1] if is_quick else RULES)
    ]


def _rules_over_windows(is_quick: bool) -> Sequence[Setting]:
    """Some joins side by side, over windows of each size."""
    return [
        _joins(rules, n, is_quick)
        for rules in (RULES_OVER_WINDOWS[:1] if is_quick else RULES_OVER_WINDOWS)
        for n in (WINDOWS[:1] if is_quick else WINDOWS)
    ]


def _joins(rules: int, n: int, is_quick: bool) -> Setting:
    is_slow = rules * n > 10 * 20
    return Setting(
        name=f"n={n}, {rules} rules",
        x=n,
        program=" ".join(f"q{i}(A,C) :- p(A,B) in [{n}], p(B,C) in [{n}]." for i in range(rules)),
        stream=partial(chain, 200),
        warm_up=n + 20,
        ticks=10 if is_quick else 60,
        window=n,
        series=f"{rules} rules",
        by_hand=partial(JoinByHand, n, [f"q{i}" for i in range(rules)]),
        without=dict.fromkeys((EngineName.ONESHOT, EngineName.TICKER), "too slow") if is_slow else {},
    )


_SMALL, _LARGE = (_name(n, RATES[-1]) for n in (WINDOWS[0], WINDOWS[-1]))
_FLAT = [is_flat(engine, _SMALL, _LARGE, 1.5) for engine in (EngineName.AUTO, EngineName.LASER)]
_GROWING = [grows(engine, _SMALL, _LARGE, 10) for engine in (EngineName.ONESHOT, EngineName.TICKER)]

_PAPER = """Windows cover 1 to 80 seconds, with 200 to 800 facts a second, as here. Laser is faster
than the systems that the paper compares it with, and its time grows less with window and rate. These
systems are C-SPARQL and CQELS, and Ticker (over clingo) for a box. `laser` is our rewriting of it."""


DIAMOND = Benchmark(
    name="laser-diamond",
    title="One rule with a diamond",
    source="Laser 2017, figure 2a",
    x_label="size of the window (ticks)",
    engines=STRICT_ENGINES,
    settings=partial(_settings, "q(A,B) :- p(A,B) in [{n}].", fresh_pairs, DiamondByHand),
    per=Per.FACT,
    paper=_PAPER,
    why="""An engine that keeps facts from tick to tick pays for each fact when it arrives and when it
leaves, whatever the size of the window. An engine that starts over at each tick pays for the whole
window.""",
    expected=[*_FLAT, *_GROWING],
)

BOX = Benchmark(
    name="laser-box",
    title="One rule with a box",
    source="Laser 2017, figure 2b",
    x_label="size of the window (ticks)",
    engines=STRICT_ENGINES,
    settings=partial(_settings, "q(A) :- p(A) always in [{n}].", drawn, BoxByHand),
    per=Per.FACT,
    paper=_PAPER,
    why="""Most facts repeat from tick to tick. Some are missing at each tick, and boxes over them fail
for the length of a window.""",
    expected=_FLAT,
)

JOIN = Benchmark(
    name="laser-join",
    title="Two windows joined",
    source="Laser 2017, figure 3a",
    x_label="size of the window (ticks)",
    engines=STRICT_ENGINES,
    settings=partial(_settings, "q(A,C) :- p(A,B) in [{n}], p(B,C) in [{n}].", chain, JoinByHand),
    per=Per.FACT,
    paper=_PAPER,
    why="""Each fact meets one before it and one after it. Semi-naive evaluation only considers new
facts.""",
    expected=[*_FLAT, *_GROWING],
)

RULES_SIDE_BY_SIDE = Benchmark(
    name="laser-rules",
    title="Rules with the same body, 200 facts a tick",
    source="Laser 2017, figure 3b",
    x_label="rules",
    engines=STRICT_ENGINES,
    settings=_rules,
    per=Per.FACT,
    paper=_PAPER,
    why="""Every rule finds a result for each fact, so the cost of a fact grows with the number of
rules. `auto` joins once for all rules with the same body, and passes the same rows on for each head.""",
    expected=[grows(EngineName.LASER, "10 rules", "100 rules", 4)],
)

RULES_AND_WINDOWS = Benchmark(
    name="laser-rules-windows",
    title="Rules with the same body over windows of some sizes, 200 facts a tick",
    source="Laser 2017, figure 3b",
    x_label="size of the window (ticks)",
    engines=STRICT_ENGINES,
    settings=_rules_over_windows,
    per=Per.FACT,
    paper="""The paper varies the number of rules and the window together. Laser is ahead of C-SPARQL
and CQELS, except in the last setting, which no system ended in time.""",
    why="""A fact meets as many others with any window. So the number of rules counts for engines that
keep the results of joins.""",
    expected=[
        grows(EngineName.LASER, "n=1, 10 rules", "n=1, 50 rules", 2),
        grows(EngineName.LASER, "n=80, 10 rules", "n=80, 50 rules", 2),
        is_flat(EngineName.AUTO, "n=1, 50 rules", "n=80, 50 rules", 1.5),
    ],
)

SEMI_NAIVE = Benchmark(
    name="laser-semi-naive",
    title="Two windows joined, with and without semi-naive evaluation",
    source="Laser 2017, the text to figure 3a (not drawn there)",
    x_label="size of the window (ticks)",
    engines=(EngineName.AUTO, EngineName.LASER, EngineName.LASER_NAIVE),
    settings=partial(_settings, "q(A,C) :- p(A,B) in [{n}], p(B,C) in [{n}].", chain, JoinByHand),
    per=Per.FACT,
    paper="""Without semi-naive evaluation Laser joins all facts of the window at each tick. That is
slightly faster with small windows, and up to 10 times slower with large windows and high rates.""",
    why="""`laser naive` is `laser` with one switch off: a rule joins all instances, and not only new
ones. In a window of one tick half of the facts are new, in one of 80 ticks one fact in 81.""",
    expected=[
        is_faster(EngineName.LASER, EngineName.LASER_NAIVE, [_LARGE], 5),
        grows(EngineName.LASER_NAIVE, _SMALL, _LARGE, 5),
    ],
)
