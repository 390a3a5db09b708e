"""The windows of Laser2's benchmarks: `n` ticks, as in its paper."""

from collections.abc import Callable
from itertools import islice

import pytest

from experiments.benchmark import Setting
from experiments.benchmarks.laser2 import BEST, NEVER, ONE_OPERATOR, SEVERAL_RULES, SMALL_WINDOWS, WORST
from experiments.engine import Engine
from experiments.native import Laser, Laser2
from tests.experiments.native.running import checked

TICKS = 40


def evaluations(setting: Setting, make: Callable[[Setting], Engine]) -> int:
    """The formulae that are evaluated in some ticks."""
    engine = make(setting)
    for tick, facts in enumerate(islice(setting.stream(), TICKS)):
        engine.step(tick, engine.facts(facts[:3]))
    return engine.counts["formula evaluations"]


def both(setting: Setting) -> tuple[int, int]:
    """Without the technique, and with it."""
    return (
        evaluations(setting, lambda one: Laser(checked(one.program))),
        evaluations(setting, lambda one: Laser2(checked(one.program), one.laser2_threshold)),
    )


@pytest.mark.parametrize("n", SMALL_WINDOWS)
def test_the_rule_rests_for_the_ticks_of_its_window(n: int) -> None:
    """Figure 3a: with a window of one tick the technique spares nothing."""
    setting = next(one for one in WORST.settings(False) if one.name == f"n={n}, 100 facts, from 1")
    without, with_it = both(setting)
    assert without == TICKS
    assert with_it == -(-TICKS // n)


@pytest.mark.parametrize("benchmark", [ONE_OPERATOR, BEST, WORST, SEVERAL_RULES], ids=lambda one: one.name)
def test_a_window_of_n_covers_n_ticks(benchmark: object) -> None:
    assert hasattr(benchmark, "settings")
    for setting in benchmark.settings(False):
        n = int(setting.name.split("n=")[1].split(",")[0])
        assert f"[{n - 1}]" in setting.program
        assert setting.window == (9 if benchmark is WORST else n - 1)
        assert setting.laser2_threshold in (2, 0, 9, NEVER)
