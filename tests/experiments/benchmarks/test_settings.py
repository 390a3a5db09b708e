"""The settings of all benchmarks."""

import pytest

from experiments.benchmark import Benchmark
from experiments.benchmarks import BENCHMARKS
from experiments.endurance.long_runs import SETTINGS


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda benchmark: benchmark.name)
def test_settings_have_names_of_their_own(benchmark: Benchmark) -> None:
    for is_quick in (True, False):
        names = [one.name for one in benchmark.settings(is_quick)]
        assert len(names) == len(set(names)) > 0


@pytest.mark.parametrize(("benchmark", "setting"), SETTINGS)
def test_those_of_long_runs_exist(benchmark: str, setting: str) -> None:
    assert setting in [one.name for one in BENCHMARKS[benchmark].settings(False)]
