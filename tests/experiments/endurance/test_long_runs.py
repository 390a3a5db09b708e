"""Early ticks and late ones."""

from experiments.benchmarks import BENCHMARKS
from experiments.endurance.long_runs import SETTINGS


def test_the_settings_are_those_of_benchmarks() -> None:
    for benchmark, setting in SETTINGS:
        assert setting in [one.name for one in BENCHMARKS[benchmark].settings(False)], benchmark
