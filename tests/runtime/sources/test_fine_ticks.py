"""Ranks have the order of times."""

from lars2asp.runtime.sources.fine_ticks import NO_MOMENT, PRECISE_UNTIL, moment_at, moment_ranked, rank_of

LAST = 253_402_300_799_999_999
"""The last microsecond of the year 9999."""
MICROSECONDS = [
    *(NO_MOMENT, -62_135_596_800_000_000, -1, 0, 1, 1_792_890_000_000_000),
    *(PRECISE_UNTIL - 1, PRECISE_UNTIL, PRECISE_UNTIL + 1, LAST),
]


def test_ranks_are_in_the_order_of_times() -> None:
    fine = [moment_at(1000 * one + rest) for one in MICROSECONDS[3:7] for rest in (1, 999)]
    moments = sorted([*MICROSECONDS, *fine])
    ranks = [rank_of(one) for one in moments]
    assert ranks == sorted(set(ranks))
    assert all(-(2**63) <= one < 2**63 for one in ranks)
    assert [moment_ranked(one) for one in ranks] == moments
