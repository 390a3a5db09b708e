"""The cooling system of Laser (Bazoobandi, Beck, Urbani 2017, section 4): figure 5, the program of figure 4.

The program is that of Laser's repository (karmaresearch/Laser, `evalCoolingSystem`), which reads whole
degrees from 0 to 200 at random. With more than some dozens of readings at a tick most of these would be the
same fact, and facts count once; so the thermometers read here in parts of a degree, finer with higher
rates, and no two read the same. As there, half of the readings are steam, nearly half are liquid and a
quarter is very hot.
"""

import random
from collections.abc import Sequence
from functools import partial

from experiments.benchmark import STRICT_ENGINES, Benchmark, EngineName, Per, Setting
from experiments.benchmarks.expectations import is_faster, is_flat
from experiments.benchmarks.streams import Stream
from experiments.by_hand.cooling import Cooling

PROGRAM = """
    steam(V) at T :- temp(V) at T in [{n}], V >= {steam}.
    liquid(V) at T :- temp(V) at T in [{n}], V >= {degree}, V < {steam}.
    isSteam at T :- steam(V) at T in [{n}].
    isLiquid at T :- liquid(V) at T in [{n}].
    alarm :- isSteam always in [{n}].
    normal :- isLiquid always in [{n}].
    veryHot(T) :- steam(V) at T in [{n}], V >= {very_hot}.
    veryCold(T) :- liquid(V) at T in [{n}], V = {degree}.
    freeze :- not alarm, not normal.
"""

WINDOWS = (1, 20, 40, 80)
RATES = (200, 400, 800)
READINGS_A_DEGREE = 40
"""The number of readings at a tick that makes degrees finer by one part."""

SLOW = "too slow: the whole window is ground at each tick"


def readings(rate: int) -> Stream:
    """`rate` readings at each tick, no two of them the same, from 0 to 200 degrees."""
    choose, values = random.Random(5), range(200 * parts(rate) + 1)
    while True:
        yield [("temp", value) for value in choose.sample(values, rate)]


def parts(rate: int) -> int:
    """The number of parts of a degree."""
    return max(1, rate // READINGS_A_DEGREE)


def setting(n: int, rate: int, x: int, series: str, ticks: int) -> Setting:
    """The program over a window, with a number of readings at each tick."""
    degree = parts(rate)
    slow = {EngineName.ONESHOT: 16_000, EngineName.TICKER: 32_000}
    return Setting(
        name=f"n={n}, {rate} facts",
        x=x,
        program=PROGRAM.format(n=n, degree=degree, steam=100 * degree, very_hot=150 * degree),
        stream=partial(readings, rate),
        warm_up=n + 5,
        ticks=ticks,
        window=n,
        series=series,
        by_hand=partial(Cooling, n, degree),
        without={engine: SLOW for engine, most in slow.items() if n * rate > most},
    )


def _windows(is_quick: bool) -> Sequence[Setting]:
    if is_quick:
        return [setting(20, 100, 20, "100 facts/tick", 10)]
    return [setting(n, 200, n, "200 facts/tick", 40) for n in WINDOWS]


def _rates(is_quick: bool) -> Sequence[Setting]:
    if is_quick:
        return [setting(20, rate, rate, "n=20", 10) for rate in RATES[:1]]
    return [setting(n, rate, rate, f"n={n}", 40) for n in (20, 80) for rate in RATES]


_PAPER = """Windows and rates grow as in the microbenchmarks: 1 to 80 seconds, 200 to 800 readings a
second. Laser is considerably faster than Ticker, and takes at most 100 us for a reading at 800 a second."""

_WHY = """`auto` classifies the readings of the tick alone, and counts them. It notes each atom that
one part of the program passes to the next, once at the begin and once at the end. Each window atom hands
all readings of the window to `oneshot`, which makes a symbol of each. That takes longer than grounding. So
the time of `oneshot` grows with the window, and the time of `auto` does not."""

COOLING_WINDOWS = Benchmark(
    name="laser-cooling-windows",
    title="Cooling system: nine rules over windows of some sizes",
    source="Laser 2017, figure 5 (program of figure 4)",
    x_label="size of the window (ticks)",
    engines=STRICT_ENGINES,
    settings=_windows,
    per=Per.FACT,
    paper=_PAPER,
    why=_WHY,
    expected=(
        is_flat(EngineName.AUTO, "n=1, 200 facts", "n=80, 200 facts", 1.5),
        is_flat(EngineName.LASER, "n=1, 200 facts", "n=80, 200 facts", 1.5),
        is_faster(EngineName.AUTO, EngineName.ONESHOT, ("n=20, 200 facts", "n=80, 200 facts"), 5),
        is_faster(EngineName.LASER, EngineName.TICKER, ("n=20, 200 facts", "n=80, 200 facts"), 5),
    ),
)

COOLING_RATES = Benchmark(
    name="laser-cooling-rates",
    title="Cooling system: nine rules over streams of some rates",
    source="Laser 2017, figure 5 (program of figure 4)",
    x_label="facts at a tick",
    engines=STRICT_ENGINES,
    settings=_rates,
    per=Per.FACT,
    paper=_PAPER,
    why=_WHY,
    expected=(
        is_flat(EngineName.AUTO, "n=20, 200 facts", "n=20, 800 facts", 1.5),
        is_flat(EngineName.LASER, "n=20, 200 facts", "n=20, 800 facts", 1.5),
    ),
)
