"""An engine by the clock: it gets the facts of a tick when the tick is due; how long does its answer take?

An engine that takes longer than a period falls behind, and the latency of each tick is greater than that of
the one before: it is saturated (Eiter, Ogris, Schekotihin 2019, figure 6; Calimeri et al. 2021, figure 4 a).
"""

import time
from dataclasses import dataclass, field
from itertools import islice

from experiments.benchmark import Setting
from experiments.clock_counts import IN_TIME, LAST, LENGTH
from experiments.engine import Engine
from experiments.engines.process_engines import PipelinedEngine


@dataclass
class ClockedRun:
    """The ticks of a run by the clock.

    Attributes:
        latencies: by tick, seconds from when it was due to its answer.
        began: when the first tick was due.
        ended: when the last answer came.
    """

    latencies: dict[int, float] = field(default_factory=dict)
    began: float = 0.0
    ended: float = 0.0

    def counts(self, setting: Setting) -> dict[str, float]:
        """The counts of the ticks after the warm-up."""
        assert setting.period is not None
        timed = {tick: one for tick, one in self.latencies.items() if tick >= setting.warm_up}
        return {
            LAST: timed[max(timed)] * 1e6,
            IN_TIME: sum(latency <= setting.period for latency in timed.values()) / len(timed),
            LENGTH: (self.ended - self.began) / (len(self.latencies) * setting.period),
        }


def run_by_the_clock(engine: Engine, setting: Setting) -> ClockedRun:
    """Gives each tick to an engine when it is due, or as soon after that as the engine is ready."""
    assert setting.period is not None
    period = setting.period
    count = setting.warm_up + setting.ticks
    stream = [engine.facts(facts) for facts in islice(setting.stream(), count)]
    run = ClockedRun(began=time.perf_counter() + period)

    def due(tick: int) -> float:
        return run.began + tick * period

    def is_over(tick: int) -> None:
        run.ended = time.perf_counter()
        run.latencies[tick] = run.ended - due(tick)

    for tick, facts in enumerate(stream):
        if isinstance(engine, PipelinedEngine):
            while engine.is_under_way and time.perf_counter() < due(tick):
                done = engine.advance()
                if done is not None:
                    is_over(done[0])
        time.sleep(max(0.0, due(tick) - time.perf_counter()))
        if isinstance(engine, PipelinedEngine):
            done = engine.put(tick, facts)
            if done is not None:
                is_over(done[0])
        else:
            engine.step(tick, facts)
            is_over(tick)
    if isinstance(engine, PipelinedEngine):
        for tick, _ in engine.drain():
            is_over(tick)
    return run
