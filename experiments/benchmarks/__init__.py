"""The benchmarks: a module each."""

from collections.abc import Mapping

from experiments.benchmark import Benchmark
from experiments.benchmarks import (
    boxes,
    choice,
    cooling,
    eiter,
    flights,
    idlvsr_caching,
    idlvsr_join,
    idlvsr_photovoltaic,
    laser,
    laser2,
    queens,
    streamrule,
)

BENCHMARKS: Mapping[str, Benchmark] = {
    benchmark.name: benchmark
    for benchmark in (
        laser.DIAMOND,
        laser.BOX,
        laser.JOIN,
        laser.RULES_SIDE_BY_SIDE,
        cooling.COOLING_WINDOWS,
        cooling.COOLING_RATES,
        laser2.ONE_OPERATOR,
        laser2.BEST,
        laser2.WORST,
        laser2.SEVERAL_RULES,
        boxes.FAILING,
        boxes.HOLDING,
        boxes.CHAIN,
        eiter.EITER_WINDOWS,
        eiter.EITER_STREAM,
        queens.QUEENS,
        idlvsr_caching.CACHING_EVENTS,
        idlvsr_caching.CACHING_WINDOWS,
        idlvsr_join.HEAVY_JOIN,
        idlvsr_photovoltaic.PHOTOVOLTAIC,
        streamrule.POSITIVE_RULES,
        streamrule.RECURSIVE_RULES,
        streamrule.STRATIFIED_RULES,
        choice.CHOICE,
        flights.FLIGHTS,
    )
}
