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
        laser.RULES_AND_WINDOWS,
        laser.SEMI_NAIVE,
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
        queens.QUEENS_BY_THE_CLOCK,
        idlvsr_caching.CACHING_EVENTS,
        idlvsr_caching.CACHING_WINDOWS,
        idlvsr_join.HEAVY_JOIN,
        idlvsr_photovoltaic.PHOTOVOLTAIC,
        idlvsr_photovoltaic.PHOTOVOLTAIC_BY_THE_CLOCK,
        idlvsr_caching.REQUESTS_BY_THE_CLOCK,
        streamrule.JOURNEY_RULES,
        streamrule.POSITIVE_RULES,
        streamrule.RECURSIVE_RULES,
        streamrule.STRATIFIED_RULES,
        streamrule.CONNECTED_RULES,
        choice.CHOICE,
        flights.FLIGHTS,
    )
}
