"""The microbenchmarks of Laser (Bazoobandi, Beck, Urbani 2017): figures 2a, 2b, 3a and 3b."""

from collections.abc import Callable, Sequence
from functools import partial

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.by_hand.windows import Box, Diamond, Join
from experiments.engines.engine import Engine
from experiments.streams import Stream, chain, fresh_pairs

WINDOWS = (10, 20, 40, 80)
RATES = (200, 800)
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
    stream: Callable[[int], Stream],
    by_hand: Callable[[int], Engine],
    is_quick: bool,
) -> Sequence[Setting]:
    """A rule over windows of some sizes, with some rates."""
    return [
        Setting(
            name=f"n={n}, {rate} facts",
            x=n,
            program=program.format(n=n),
            stream=partial(stream, rate),
            warm_up=n + 20,
            ticks=10 if is_quick else 40,
            window=n,
            series=f"{rate} facts/tick",
            by_hand=partial(by_hand, n),
        )
        for rate in (RATES[:1] if is_quick else RATES)
        for n in (WINDOWS[1:2] if is_quick else WINDOWS)
    ]


DIAMOND = Benchmark(
    name="laser-diamond",
    title="One rule with a diamond",
    source="Laser 2017, figure 2a",
    x_label="size of the window (ticks)",
    engines=ENGINES,
    settings=partial(_settings, "q(A,B) :- p(A,B) in [{n}].", fresh_pairs, Diamond),
    per=Per.FACT,
    paper="",
    why="",
)
