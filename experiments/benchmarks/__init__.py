"""The benchmarks: a module each."""

from collections.abc import Mapping

from experiments.benchmark import Benchmark
from experiments.benchmarks import laser, laser2

BENCHMARKS: Mapping[str, Benchmark] = {
    benchmark.name: benchmark
    for benchmark in (
        laser.DIAMOND,
        laser.BOX,
        laser.JOIN,
        laser.RULES_SIDE_BY_SIDE,
        laser2.BEST,
        laser2.WORST,
        laser2.CASCADE,
        laser2.THRESHOLDS,
    )
}
