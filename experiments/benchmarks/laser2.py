"""Impossible derivations, after Laser2 (Bazoobandi, Bal, van Harmelen, Urbani 2020): figures 1 to 4.

A rule with a box over `n` ticks cannot fire for `n` ticks after the box's formula did not hold. In the best
case there are so many gaps that no box ever holds, in the worst there are none; a cascade is a chain of rules
above one that cannot fire; and below some size of window knowing what is impossible costs more than it saves.
Rates and sizes are chosen here.
"""

from collections.abc import Callable, Sequence
from functools import partial

from experiments.benchmark import STRICT_ENGINES, Benchmark, EngineName, Expectation, Measured, Per, Setting
from experiments.benchmarks.streams import FRESH_FOR, Stream
from experiments.by_hand.guarded import Guarded
from experiments.engine import Engine

FACTS = 200
"""Facts of `p`, and of `r`, at each tick."""

WINDOWS = (5, 10, 20, 40, 80)
SMALL_WINDOWS = (2, 4, 8, 16)
CHAINS = (1, 5, 10, 20)
THRESHOLD = 10
EVALUATIONS = "formula evaluations"


def with_gaps(every: int) -> Stream:
    """Readings p(a), all missing at each so-manieth tick (0: at none), and r(a,b) that are always new."""
    readings = [("p", a) for a in range(FACTS)]
    while True:
        for tick in range(FRESH_FOR):
            others = [("r", a, tick) for a in range(FACTS)]
            yield others if every and (tick + 1) % every == 0 else [*readings, *others]


def chain_of(rules: int, n: int) -> str:
    """A rule with a box, and rules each of which needs the one before."""
    text = [f"q1(A,B) :- p(A) always in [{n}], r(A,B) in [{n}]."]
    text += [f"q{i + 1}(A,B) :- q{i}(A,B), r(A,B) in [{n}]." for i in range(1, rules)]
    return " ".join(text)


def _setting(
    name: str,
    x: float,
    rules: int,
    n: int,
    gaps: int,
    is_quick: bool,
    series: str = "",
    threshold: int = 2,
) -> Setting:
    by_hand: Callable[[], Engine] = partial(Guarded, n, rules)
    return Setting(
        name=name,
        x=x,
        program=chain_of(rules, n),
        stream=partial(with_gaps, gaps),
        warm_up=n + 20,
        ticks=20 if is_quick else 80,
        window=n,
        series=series,
        by_hand=by_hand,
        laser2_threshold=threshold,
    )


def _windows(gaps: Callable[[int], int], is_quick: bool) -> Sequence[Setting]:
    return [_setting(f"n={n}", n, 1, n, gaps(n), is_quick) for n in (WINDOWS[2:3] if is_quick else WINDOWS)]


def _chains(is_quick: bool) -> Sequence[Setting]:
    return [
        _setting(f"{rules} rules", rules, rules, 20, 10, is_quick)
        for rules in (CHAINS[2:3] if is_quick else CHAINS)
    ]


def _thresholds(is_quick: bool) -> Sequence[Setting]:
    return [
        _setting(
            f"n={n}, from {threshold}",
            n,
            1,
            n,
            3 * n + 1,
            is_quick,
            f"windows from {threshold} on",
            threshold,
        )
        for threshold in (1, THRESHOLD)
        for n in (SMALL_WINDOWS[2:3] if is_quick else SMALL_WINDOWS)
    ]


def _compares(
    text: str, name: str, holds: Callable[[float, float], bool], count: str | None = None
) -> Expectation:
    """Compares Laser2 with Laser on a setting, by time or by a count."""

    def compared(found: Measured) -> bool:
        one, other = found[name, EngineName.LASER2], found[name, EngineName.LASER]
        if count is None:
            return holds(one.time, other.time)
        return holds(one.counts[count], other.counts[count])

    return Expectation(text, compared)


BEST = Benchmark(
    name="laser2-best",
    title="Boxes that never hold",
    source="after Laser2 2020, figure 1 (best case)",
    x_label="size of the window (ticks)",
    engines=STRICT_ENGINES,
    settings=partial(_windows, lambda n: max(2, n // 2)),
    per=Per.TICK,
    count=EVALUATIONS,
    paper="""The best case for disabling rules: one whose box fails at every gap. The numbers of the
paper's figures are not repeated here.""",
    why="""The box fails at every gap, and gaps come twice in each window, so that the rule can never
fire. Laser2 evaluates fewer formulae, the fewer the larger the window, but takes as long: in these
evaluators a box without an instance ends a join at once, and noting the facts, which both have to do, is
what is left. `auto` puts off what comes while nothing can fire; what is left of its time is noting the
facts as well.""",
    expected=[
        _compares(
            "Laser2 evaluates at most a tenth of Laser's formulae at n = 40",
            "n=40",
            lambda a, b: 10 * a <= b,
            EVALUATIONS,
        ),
        _compares(
            "Laser2 takes at most 1.1 times as long as Laser at n = 80", "n=80", lambda a, b: a <= 1.1 * b
        ),
    ],
)

WORST = Benchmark(
    name="laser2-worst",
    title="Boxes that always hold",
    source="after Laser2 2020, figure 2 (worst case)",
    x_label="size of the window (ticks)",
    engines=STRICT_ENGINES,
    settings=partial(_windows, lambda n: 0),
    per=Per.TICK,
    count=EVALUATIONS,
    paper="""The worst case: no rule is ever disabled, and what is seen is the cost of looking for
impossible derivations. The numbers of the paper's figures are not repeated here.""",
    why="""Once the window is full nothing is impossible. A box holds at its tick only, so that Laser
derives every result over it anew at each tick, and takes longer the larger the window is; `auto` counts
what begins and ends to hold, and does not.""",
    expected=[
        _compares(
            "Laser2 evaluates as many formulae as Laser at n = 40", "n=40", lambda a, b: a == b, EVALUATIONS
        ),
        _compares(
            "Laser2 takes at most 1.3 times as long as Laser at n = 40", "n=40", lambda a, b: a <= 1.3 * b
        ),
    ],
)

CASCADE = Benchmark(
    name="laser2-cascade",
    title="A chain of rules above a box that never holds, n = 20",
    source="after Laser2 2020, figure 3 (cascade)",
    x_label="rules",
    engines=STRICT_ENGINES,
    settings=_chains,
    per=Per.TICK,
    count=EVALUATIONS,
    paper="""A rule whose body needs what only disabled rules derive is disabled with them, so that the
saving grows with the number of such rules. The numbers of the paper's figures are not repeated here.""",
    why="""Laser looks at the window of each rule of the chain at each tick, since new facts come for it;
Laser2 looks at none of them but every window's length. `auto` puts off what comes for each of them.""",
    expected=[
        _compares(
            "Laser2 evaluates fewer than a fifth of Laser's formulae with 20 rules",
            "20 rules",
            lambda a, b: 5 * a < b,
            EVALUATIONS,
        ),
        _compares("Laser2 is faster than Laser with 20 rules", "20 rules", lambda a, b: a < b),
    ],
)

THRESHOLDS = Benchmark(
    name="laser2-threshold",
    title="Small windows, some of which hold",
    source="after Laser2 2020, figure 4 (threshold)",
    x_label="size of the window (ticks)",
    engines=(
        EngineName.AUTO,
        EngineName.LASER,
        EngineName.LASER2,
        EngineName.BY_HAND,
    ),
    settings=_thresholds,
    per=Per.TICK,
    count=EVALUATIONS,
    paper="""The smaller the window, the sooner a rule that was disabled is looked at again, and the less
is saved; windows below a threshold are left out. The numbers of the paper's figures are not repeated
here.""",
    why="""A gap comes about every three windows.""",
    expected=[
        _compares(
            "below the threshold Laser2 evaluates what Laser does",
            f"n=4, from {THRESHOLD}",
            lambda a, b: a == b,
            EVALUATIONS,
        ),
        _compares(
            "from the threshold on it evaluates less",
            f"n=16, from {THRESHOLD}",
            lambda a, b: a < b,
            EVALUATIONS,
        ),
    ],
)
