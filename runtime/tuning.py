"""Thresholds of the runtime: when something is worth its cost. They never change an answer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """Thresholds, with the values that benchmarks gave them; tests hand in others.

    Attributes:
        many_ticks: more ticks to evaluate in a gap of the stream are worth a warning, and a record is
            rejected for which they would have to be evaluated unless `largest_gap` is given.
        gap_sample: how many evaluated ticks of a gap, after the windows are empty, tell how many come.
        sweep_after: how many intervals come before the database looks for those no window sees.
        delta_spare: how many answers that do not hold `delta` knows, however few hold, before the Control is
            made again (`bench firings`).
        delta_few: how many answers that do not hold are joined by clingo, however few hold (`bench firings`).
        deferred_least: how many changes `delta` defers, however few atoms hold (`run laser2-best`).
        novelty_period: in ticks, how long the planner watches a component before it judges (`bench firings`).
        stamped_spare: how many atoms of past ticks `stamped` leaves in its Control besides as many as the
            background data has (`run eiter-windows`).
        stamped_most_ticks: how many ticks share a Control of `stamped`.
        external_spare: how many atoms that are not in use `external` leaves in its Control (`run
            idlvsr-caching-events`).
        external_memory: in ticks, how long `external` remembers answers that do not hold.
        work_between_states: how many facts and ticks lie between two states that a run hands over or keeps.
        shard_journal: how many facts a shard's journal has before its state is kept again.
    """

    many_ticks: int = 1_000_000
    gap_sample: int = 1000
    sweep_after: int = 256
    delta_spare: int = 16384
    delta_few: int = 256
    deferred_least: int = 1000
    novelty_period: int = 16
    stamped_spare: int = 4096
    stamped_most_ticks: int = 1024
    external_spare: int = 4096
    external_memory: int = 256
    work_between_states: int = 20_000
    shard_journal: int = 2000


DEFAULT = Tuning()
