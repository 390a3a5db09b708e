"""The microbenchmarks of Laser (Bazoobandi, Beck, Urbani 2017): figures 2a, 2b, 3a and 3b."""

from collections.abc import Callable, Sequence
from functools import partial

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.by_hand.side_by_side import SideBySide
from experiments.by_hand.windows import Box, Diamond, Join
from experiments.engines.engine import Engine
from experiments.expectations import grows, is_flat
from experiments.streams import Stream, chain, chains, fresh_pairs, lasting

WINDOWS = (10, 20, 40, 80)
RATES = (200, 800)
RULES = (1, 2, 5, 10)
ENGINES = (
    EngineName.AUTO,
    EngineName.LASER,
    EngineName.LASER2,
    EngineName.ONESHOT,
    EngineName.TICKER,
    EngineName.BY_HAND,
)


def _settings(
    program: str,
    stream: Callable[[int, int], Stream],
    by_hand: Callable[[int], Engine],
    is_quick: bool,
) -> Sequence[Setting]:
    """A rule over windows of some sizes, with some rates."""
    return [
        Setting(
            name=_name(n, rate),
            x=n,
            program=program.format(n=n),
            stream=partial(stream, rate, n),
            warm_up=n + 20,
            ticks=10 if is_quick else 60,
            window=n,
            series=f"{rate} facts/tick",
            by_hand=partial(by_hand, n),
        )
        for rate in (RATES[:1] if is_quick else RATES)
        for n in (WINDOWS[1:2] if is_quick else WINDOWS)
    ]


def _fresh_pairs(rate: int, _: int) -> Stream:
    return fresh_pairs(rate)


def _chain(rate: int, _: int) -> Stream:
    return chain(rate)


def _lasting(rate: int, n: int) -> Stream:
    """Facts that stay for half a window to three windows."""
    return lasting(rate, n // 2, 3 * n)


def _name(n: int, rate: int) -> str:
    return f"n={n}, {rate} facts"


def _rules(is_quick: bool) -> Sequence[Setting]:
    """So many joins side by side, which share out the facts."""
    return [
        Setting(
            name=f"{rules} rules",
            x=rules,
            program=" ".join(f"q{i}(A,C) :- p{i}(A,B) in [20], p{i}(B,C) in [20]." for i in range(rules)),
            stream=partial(chains, rules, 200 // rules),
            warm_up=40,
            ticks=10 if is_quick else 60,
            window=20,
            by_hand=partial(SideBySide, [partial(Join, 20, f"q{i}") for i in range(rules)]),
        )
        for rules in ((10,) if is_quick else RULES)
    ]


_SMALL, _LARGE = (_name(n, RATES[-1]) for n in (WINDOWS[0], WINDOWS[-1]))
_FLAT = [is_flat(engine, _SMALL, _LARGE, 1.5) for engine in (EngineName.AUTO, EngineName.LASER)]
_GROWING = [grows(engine, _SMALL, _LARGE, 4) for engine in (EngineName.ONESHOT, EngineName.TICKER)]

_PAPER = """The paper measures a rule over a window whose size grows, with 200 to 800 triples a
second, and finds Laser ahead of C-SPARQL and CQELS, which compute what is in the window anew, the more so
the longer the window is."""


DIAMOND = Benchmark(
    name="laser-diamond",
    title="One rule with a diamond",
    source="Laser 2017, figure 2a",
    x_label="size of the window (ticks)",
    engines=ENGINES,
    settings=partial(_settings, "q(A,B) :- p(A,B) in [{n}].", _fresh_pairs, Diamond),
    per=Per.FACT,
    paper=_PAPER,
    why="""What is kept from tick to tick costs what arrives and what leaves, once each, whatever the size
of the window; who starts afresh at each tick pays for all that is in the window.""",
    expected=[*_FLAT, *_GROWING],
)

BOX = Benchmark(
    name="laser-box",
    title="One rule with a box",
    source="Laser 2017, figure 2b",
    x_label="size of the window (ticks)",
    engines=ENGINES,
    settings=partial(_settings, "q(A,B) :- p(A,B) always in [{n}].", _lasting, Box),
    per=Per.FACT,
    paper=_PAPER,
    why="""Facts stay for half a window to three windows, so that boxes begin and cease to hold, and most
facts at a tick are those of the tick before.""",
    expected=_FLAT,
)

JOIN = Benchmark(
    name="laser-join",
    title="Two windows joined",
    source="Laser 2017, figure 3a",
    x_label="size of the window (ticks)",
    engines=ENGINES,
    settings=partial(_settings, "q(A,C) :- p(A,B) in [{n}], p(B,C) in [{n}].", _chain, Join),
    per=Per.FACT,
    paper=_PAPER,
    why="""Each fact meets one before and one after it. Semi-naive evaluation looks at what is new only.""",
    expected=[*_FLAT, *_GROWING],
)

RULES_SIDE_BY_SIDE = Benchmark(
    name="laser-rules",
    title="Joins side by side, 200 facts a tick",
    source="Laser 2017, figure 3b",
    x_label="rules",
    engines=ENGINES,
    settings=_rules,
    per=Per.FACT,
    paper="""The paper lets the number of rules grow, with the same rate, and finds that the time of Laser
grows least.""",
    why="""The facts are shared out among the rules, so that what a fact costs should not depend on how
many there are; what each rule costs at each tick, however few facts it has, shows in the slope.""",
)
