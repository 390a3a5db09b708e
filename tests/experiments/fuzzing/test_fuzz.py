"""Mutated lines and programs, a few of those that `python -m experiments fuzz` tries."""

from experiments.fuzzing.fuzz import fuzz_lines, fuzz_programs
from tests.support.examples import number_of_examples

LINES = 30 * number_of_examples(30)
PROGRAMS = 3 * number_of_examples(40)


def test_good_lines_around_bad_ones_are_counted() -> None:
    outcome = fuzz_lines(LINES, seed=7)
    assert list(map(str, outcome.findings)) == []
    assert outcome.counts["good lines"] > 0.96 * LINES
    assert outcome.counts["taken"] > LINES / 30
    assert outcome.counts["rejected"] > LINES / 3


def test_broken_programs_are_refused_and_others_run() -> None:
    outcome = fuzz_programs(PROGRAMS, seed=7)
    assert list(map(str, outcome.findings)) == []
    assert outcome.counts["refused"] > PROGRAMS / 3
    assert outcome.counts["run"] > PROGRAMS / 15
