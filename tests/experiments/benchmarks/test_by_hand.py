"""Programs written by hand give the answers of the reasoner."""

import pytest

from experiments.benchmark import EngineName, Per, Setting
from experiments.benchmarks import BENCHMARKS
from experiments.measuring.worker import run

QUICK = [
    pytest.param(setting, id=f"{benchmark.name}, {setting.name}")
    for benchmark in BENCHMARKS.values()
    for setting in benchmark.settings(True)
    if setting.by_hand is not None and setting.is_certain
]


@pytest.mark.parametrize("setting", QUICK)
def test_by_hand_the_answers_are_the_same(setting: Setting) -> None:
    ticks = setting.window + 4
    by_hand = run(setting, EngineName.BY_HAND, Per.TICK, 60.0, ticks)
    auto = run(setting, EngineName.AUTO, Per.TICK, 60.0, ticks)
    assert by_hand.digests == auto.digests
    assert len(auto.digests) == ticks
    assert len(set(auto.digests)) > 1
