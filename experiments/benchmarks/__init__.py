"""The benchmarks: a module each."""

from collections.abc import Mapping

from experiments.benchmark import Benchmark
from experiments.benchmarks import laser, laser2, queens, streamrule

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
        queens.QUEENS,
        streamrule.POSITIVE_RULES,
        streamrule.RECURSIVE_RULES,
        streamrule.STRATIFIED_RULES,
    )
}
