"""Content caching of Eiter, Ogris and Schekotihin."""

from dataclasses import replace

from experiments.benchmarks.eiter import EITER_STREAM, EITER_WINDOWS, ENGINES, PHASE, PROGRAM
from tests.experiments.benchmarks.agreement import answers_of_all, first


def test_qualities_change_after_a_phase_and_a_cycle_ends_with_off() -> None:
    stream = first(EITER_WINDOWS.settings(True)[0], 4 * PHASE)
    values = [facts[0][1] for facts in stream]
    assert values == [5] * PHASE + [15] * PHASE + [25] * PHASE + [5] * PHASE
    assert [tick for tick, facts in enumerate(stream) if ("off",) in facts] == [3 * PHASE - 1]


def test_engines_agree() -> None:
    """Neither low, mid nor high at all ticks of a window: the one around tick 60."""
    setting = replace(EITER_WINDOWS.settings(True)[0], program=PROGRAM.format(n=3))
    found = answers_of_all(setting, ENGINES, 70)
    assert found[20] == {"low", "random"}  # fifo needs rtm50 as well
    assert found[61] == {"mid", "random"}
    assert found[63] == {"mid", "lru", "done"}


def test_a_cycle_ends_with_finish() -> None:
    found = answers_of_all(EITER_WINDOWS.settings(True)[0], ENGINES[:1], 3 * PHASE + 3)
    assert ["finish" in answer for answer in found[3 * PHASE - 2 :]] == [False, True, True, False, False]


def test_streams_are_timed_from_their_first_tick() -> None:
    assert [(one.x, one.warm_up, one.ticks) for one in EITER_STREAM.settings(False)] == [
        (100, 0, 100),
        (250, 0, 250),
        (500, 0, 500),
        (1000, 0, 1000),
    ]
