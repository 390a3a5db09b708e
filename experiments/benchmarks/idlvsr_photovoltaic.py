"""The photo-voltaic system with which I-DLV-sr is evaluated (Calimeri et al. 2021, section 5).

Program, links and streams are after their repository (DeMaCS-UNICAL/I-DLV-sr,
`ICLP2021-Experiments/Photo-voltaicSystem`), with a second for a tick. A name such as G24x24S15n24840 there
is a grid of 24 x 24 panels with 24,840 links: from each panel to the next one on the right and below, and
further ones at random, 15 per cent of all pairs in sum. The centre has a number of its own (577) and one
link, to panel 0. At each tick every panel has a power from 10 to 99 at random, so that all of them work,
always, and what is reachable never changes.

The series `panels fail` is of this project: one panel in a hundred breaks down at each tick and delivers
nothing for 5 to 30 ticks; one that is broken for more than 4 is not working.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.benchmarks.expectations import is_faster, keeps_up, saturates
from experiments.benchmarks.streams import Stream
from experiments.clock_counts import LENGTH

RULES = """
    energyThreshold(10).
    workingPanel(P) :- energyDelivered(P,W) at least 1 in [4], energyThreshold(T), W >= T.
    regularFunctioning :- unlinked at most 2 in [3].
    alert :- not regularFunctioning.
    callMaintenance :- alert always in [5].
    reachable({centre},P) :- link({centre},P), workingPanel(P).
    reachable(P,R) :- reachable(P,Q), link(Q,R), workingPanel(R).
    unlinked :- workingPanel(P), not reachable({centre},P).
"""

SIDES = (20, 22, 24, 26, 28, 30)
QUICK_SIDE = 14
"""Smaller than any of theirs: to read the links alone takes seconds otherwise."""

PERIODS = (1, 2, 4, 100)
"""Milliseconds from tick to tick, by the clock; the last one is the shortest of the paper."""
CLOCKED = 60
"""The ticks of a run by the clock, as many as there."""

DENSITY = 15
"""Links for a hundred pairs of panels."""

FAIL = "panels fail"
ENGINES = (EngineName.AUTO, EngineName.EXTERNAL, EngineName.ONESHOT, EngineName.STAMPED)


def links(side: int) -> int:
    """The number of links of a grid: 15 per cent of all pairs."""
    panels = side * side
    return panels * (panels - 1) // 2 * DENSITY // 100


@cache
def program(side: int) -> str:
    """The rules, and a grid's links."""
    choose, panels = random.Random(side), side * side
    pairs: dict[tuple[int, int], None] = {}
    for panel in range(panels):
        if (panel + 1) % side:
            pairs[panel, panel + 1] = None
        if panel + side < panels:
            pairs[panel, panel + side] = None
    while len(pairs) < links(side) - 1:
        one, other = choose.sample(range(panels), 2)
        pairs[one, other] = None
    pairs[panels + 1, 0] = None
    return RULES.format(centre=panels + 1) + " ".join(f"link({one},{other})." for one, other in pairs)


def powers(side: int, is_failing: bool) -> Stream:
    """The power of each panel at each tick."""
    choose, panels = random.Random(11), side * side
    broken: dict[int, int] = {}
    tick = 0
    while True:
        if is_failing:
            for panel in choose.sample(range(panels), panels // 100):
                broken.setdefault(panel, tick + choose.randint(5, 30))
            broken = {panel: until for panel, until in broken.items() if tick < until}
        yield [
            ("energyDelivered", panel, 0 if panel in broken else choose.randint(10, 99))
            for panel in range(panels)
        ]
        tick += 1


def setting(side: int, ticks: int, is_failing: bool = False) -> Setting:
    """The program on a grid."""
    series = FAIL if is_failing else "as published"
    return Setting(
        name=f"{side} x {side}, {series}",
        x=side * side,
        program=program(side),
        stream=partial(powers, side, is_failing),
        warm_up=6,
        ticks=ticks,
        window=5,
        series=series,
        semantics="recorded",
    )


def _settings(is_quick: bool) -> Sequence[Setting]:
    if is_quick:
        return [setting(QUICK_SIDE, 8)]
    found = [setting(side, 30) for side in SIDES]
    return [*found, *(setting(side, 30, is_failing=True) for side in (SIDES[0], SIDES[-1]))]


def at_period(side: int, period: int) -> str:
    """The name of a setting by the clock."""
    return f"{side} x {side}, a tick each {period} ms"


def _by_the_clock(is_quick: bool) -> Sequence[Setting]:
    return [
        replace(
            setting(side, 10 if is_quick else CLOCKED),
            name=at_period(side, period),
            x=period,
            series=f"{side} x {side}",
            period=period / 1000,
        )
        for side in ((QUICK_SIDE,) if is_quick else SIDES)
        for period in (PERIODS[-1:] if is_quick else PERIODS)
    ]


PHOTOVOLTAIC = Benchmark(
    name="idlvsr-photovoltaic",
    title="Photo-voltaic system: reachability with background data",
    source="Calimeri et al. 2021, figure 4 (b)",
    x_label="panels",
    engines=ENGINES,
    settings=_settings,
    per=Per.TICK,
    paper="""Grids have 20 x 20 to 30 x 30 panels. I-DLV-sr with incremental grounding takes less time
than the version without it, and the gap grows with the grid.""",
    why="""As published, all panels work at every tick, so an evaluator of reachability alone does that
work once. `oneshot` reads and grounds all links at each tick. A profile shows that it takes even longer to
collect the atoms of the answer, with the links. `external` also keeps reachability, and takes longer than
`auto` to count readings in windows. If panels fail, reachability changes at most ticks. Then `external`
changes truth values and calls the solver, and `stamped` does all of the work again.""",
    expected=(
        is_faster(
            EngineName.EXTERNAL,
            EngineName.ONESHOT,
            tuple(f"{side} x {side}, as published" for side in (20, 26, 30)),
            5,
        ),
        is_faster(
            EngineName.AUTO,
            EngineName.STAMPED,
            tuple(f"{side} x {side}, as published" for side in (20, 26, 30)),
            2,
        ),
    ),
)

PHOTOVOLTAIC_BY_THE_CLOCK = Benchmark(
    name="idlvsr-photovoltaic-clock",
    title="Photo-voltaic system by the clock",
    source="Calimeri et al. 2021, figure 4 (a.1) and (a.2)",
    x_label="milliseconds from tick to tick",
    engines=(EngineName.AUTO,),
    settings=_by_the_clock,
    per=Per.TICK,
    count=LENGTH,
    paper="""The paper runs 60 ticks, one each .1 to 2 s, on six grids. Total time stays the same up to
some period, and grows with the period from there on. That period is longer for larger grids, and latency
is least there. With shorter periods ticks pile up.""",
    why="""`auto` takes a hundredth of the paper's periods for a tick, or less, so nothing piles up at
these. Shorter periods show where that begins. It begins at longer periods on larger grids.""",
    expected=[
        *(keeps_up(EngineName.AUTO, at_period(side, PERIODS[-1])) for side in SIDES),
        saturates(EngineName.AUTO, at_period(SIDES[-1], PERIODS[0])),
    ],
)
