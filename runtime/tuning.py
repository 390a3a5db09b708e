"""Thresholds of the runtime: when something is worth its cost. They never change an answer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """Thresholds; tests hand in others.

    In brackets the benchmark of `python -m experiments` that a value was set by, where one was.

    Attributes:
        many_ticks: more ticks to evaluate in a gap of the stream are worth a warning, and a record is
            rejected for which they would have to be evaluated unless `largest_gap` is given.
        gap_sample: the number of evaluated ticks of a gap, after the windows are empty, from which the number
            of those to come is estimated.
        sweep_after: the number of past intervals of a predicate, besides twice as many as the sweep before
            left, from which on the database sweeps out those that no window reaches.
        deferred_least: the number of changes of a lookup that `delta` defers, besides as many as held before
            (`run chain-above-boxes`).
        block_facts: the number of facts from which on `flow` evaluates the ticks that they are of, besides
            twice as many as it keeps if it keeps states too; what more facts bring is no longer in the cache
            (`jobs whole`).
        block_bytes: the size of a file or a frame, for each rule and for 40 more, from which on `auto` takes
            it in blocks: their code takes time to make (`run` over logins with 4 and 300 rules).
        block_rows: the number of rows that rules derive in a block, about, at most, besides twice as many as
            `flow` keeps if it keeps states: blocks have fewer facts if these have many consequences.
        between_blocks: the number of records that go tick by tick behind blocks, and not less than windows
            hold, before blocks are tried again; after stretches in blocks that bring less than four times as
            many facts it doubles (`jobs between`).
        stamped_spare: the number of atoms of past ticks that `stamped` leaves in its Control, besides as many
            as the background data has.
        stamped_most_ticks: the number of ticks that share a Control of `stamped`.
        external_spare: the number of answers that `external` may know, however few hold, before it forgets.
        external_memory: the number of ticks, besides the reach of windows, for which `external` keeps answers
            that do not hold in its groundings.
        external_times: a grounding of `external` has no more than so many times as many instances as ticks
            have by themselves (`worst-ratios`).
        external_instances: the number of instances that it may have besides (`worst-ratios`).
        external_share: of the cost of ticks by themselves, what `external` may spend on groundings: one in so
            many (`worst-ratios`).
        external_advance: what it may spend when the first tick is over: the cost of so many ticks, so that a
            grounding that pays comes early (`run idlvsr-photovoltaic`).
        work_between_states: the number of input atoms and evaluated ticks after which a run of a program that
            clingo evaluates looks whether its memory has grown, and hands over to another process if so.
        memory_growth: in bytes, how much the memory of a process grows before another process goes on with
            its run (a quarter of it, if that is more); 0: another one goes on after each such amount of work,
            whatever evaluates the program.
        restart_share: of the time of a run that is explained, the part that the places from which it can be
            replayed may take: one in so many.
        early_share: of the time of a run whose answers are revised, the part that states to go back to may
            take: one in so many (`jobs early`).
        early_states: the number of such states within the lateness, at most, and one more.
        early_again: the number of records that are evaluated again for each that comes, at most: where many
            come late, revisions wait for others (`jobs early`).
        shard_journal: the number of input atoms and evaluated ticks after which a shard keeps its state anew.
        sampled_ticks: where statistics are wanted, at one tick of so many, but for the first ones, the time
            of single rules is measured; a prime, as streams have periods (`jobs statistics`).
        explained_spare: the number of ticks that a history for explanations keeps too long, at least, so
            that it forgets in bulk.
    """

    many_ticks: int = 1_000_000
    gap_sample: int = 1000
    sweep_after: int = 256
    deferred_least: int = 1000
    block_facts: int = 10_000
    block_bytes: int = 2000
    block_rows: int = 100_000
    between_blocks: int = 500
    stamped_spare: int = 4096
    stamped_most_ticks: int = 1024
    external_spare: int = 4096
    external_memory: int = 256
    external_times: int = 2
    external_instances: int = 2000
    external_share: int = 2
    external_advance: int = 8
    work_between_states: int = 20_000
    memory_growth: int = 256 * 2**20
    restart_share: int = 20
    early_share: int = 10
    early_states: int = 8
    early_again: int = 2
    shard_journal: int = 2000
    sampled_ticks: int = 499
    explained_spare: int = 64


DEFAULT = Tuning()
