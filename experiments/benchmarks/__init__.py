"""The benchmarks: a module each."""

from collections.abc import Mapping

from experiments.benchmark import Benchmark
from experiments.benchmarks.laser import DIAMOND

BENCHMARKS: Mapping[str, Benchmark] = {benchmark.name: benchmark for benchmark in (DIAMOND,)}
