"""Mutated lines and programs, a few of those that `python -m experiments fuzz` tries."""

from experiments.fuzzing.fuzz import fuzz_lines, fuzz_programs


def test_good_lines_around_bad_ones_are_counted() -> None:
    outcome = fuzz_lines(3000, seed=7)
    assert list(map(str, outcome.findings)) == []
    assert outcome.counts["good lines"] > 2900
    assert outcome.counts["taken"] > 100
    assert outcome.counts["rejected"] > 1000


def test_broken_programs_are_refused_and_others_run() -> None:
    outcome = fuzz_programs(300, seed=7)
    assert list(map(str, outcome.findings)) == []
    assert outcome.counts["refused"] > 100
    assert outcome.counts["run"] > 20
