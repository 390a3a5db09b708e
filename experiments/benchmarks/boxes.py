"""Boxes beside facts that never come twice: where what cannot be derived is hidden among what is new.

After the microbenchmarks of Laser2 (Bazoobandi, Bal, van Harmelen, Urbani 2020), in which all facts come at
each tick. A rule with a box over `n` ticks cannot fire for `n` ticks after the box's formula did not hold.
Here there are so many gaps that no box ever holds, or there are none; or a chain of rules is above a box that
never holds. Rates and sizes are chosen here.
"""

from collections.abc import Callable, Sequence
from functools import partial

from experiments.benchmark import STRICT_ENGINES, Benchmark, Per, Setting
from experiments.benchmarks.expectations import EVALUATIONS, laser2_has
from experiments.benchmarks.streams import FRESH_FOR, Stream
from experiments.by_hand.guarded import Guarded
from experiments.engine import Engine

FACTS = 200
"""Facts of `p`, and of `r`, at each tick."""

WINDOWS = (5, 10, 20, 40, 80)
CHAINS = (1, 5, 10, 20)


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
        by_hand=by_hand,
    )


def _windows(gaps: Callable[[int], int], is_quick: bool) -> Sequence[Setting]:
    return [_setting(f"n={n}", n, 1, n, gaps(n), is_quick) for n in (WINDOWS[2:3] if is_quick else WINDOWS)]


def _chains(is_quick: bool) -> Sequence[Setting]:
    return [
        _setting(f"{rules} rules", rules, rules, 20, 10, is_quick)
        for rules in (CHAINS[2:3] if is_quick else CHAINS)
    ]


FAILING = Benchmark(
    name="boxes-that-fail",
    title="Boxes that never hold",
    source="this project, after Laser2 2020",
    x_label="size of the window (ticks)",
    engines=STRICT_ENGINES,
    settings=partial(_windows, lambda n: max(2, n // 2)),
    per=Per.TICK,
    count=EVALUATIONS,
    paper="""The best case for disabling rules, as in its figure 2: a rule whose box fails at every
gap.""",
    why="""The box fails at every gap, and two gaps fall into each window, so the rule can never fire.
Laser2 evaluates fewer formulae, and fewer still with larger windows, but takes as long. A box without an
instance ends a join at once in these evaluators. The rest of the time goes into noting the facts, which
both must do. `auto` puts facts off while nothing can fire, and mostly notes facts, too.""",
    expected=[
        laser2_has("n=40", 0.1, EVALUATIONS),
        laser2_has("n=80", 1.1),
    ],
)

HOLDING = Benchmark(
    name="boxes-that-hold",
    title="Boxes that always hold",
    source="this project, after Laser2 2020",
    x_label="size of the window (ticks)",
    engines=STRICT_ENGINES,
    settings=partial(_windows, lambda n: 0),
    per=Per.TICK,
    count=EVALUATIONS,
    paper="""The paper measures no such stream. No rule is ever disabled, so the times show the cost of
looking for impossible derivations.""",
    why="""Once the window is full, nothing is impossible. A box holds at its tick only, so Laser
derives every result again at each tick, and takes longer with larger windows. `auto` counts the facts that
begin and end, and derives nothing again.""",
    expected=[
        laser2_has("n=40", 1, EVALUATIONS),
        laser2_has("n=40", 1.3),
    ],
)

CHAIN = Benchmark(
    name="chain-above-boxes",
    title="A chain of rules above a box that never holds, n = 20",
    source="this project, after Laser2 2020",
    x_label="rules",
    engines=STRICT_ENGINES,
    settings=_chains,
    per=Per.TICK,
    count=EVALUATIONS,
    paper="""Laser2 also disables rules that need the results of disabled rules, as in its figure 4.
The saving grows with the number of such rules.""",
    why="""New facts arrive for the window of each rule, so Laser evaluates each rule of the chain at
each tick. Laser2 evaluates the rules only once in the length of a window. `auto` puts the facts off for
each rule.""",
    expected=[
        laser2_has("20 rules", 0.2, EVALUATIONS),
        laser2_has("20 rules", 1),
    ],
)
