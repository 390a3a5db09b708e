"""The cooling system: readings, answers, and the same by hand."""

from experiments.benchmark import STRICT_ENGINES, EngineName
from experiments.benchmarks.cooling import COOLING_WINDOWS, parts, setting
from tests.experiments.benchmarks.agreement import answers, answers_of_all, first


def test_readings_are_as_many_as_the_rate_and_none_comes_twice_at_a_tick() -> None:
    for rate in (100, 800):
        stream = first(setting(10, rate, 0, "", 10), 5)
        assert [len(set(facts)) for facts in stream] == [rate] * 5
        values = [value for facts in stream for _, value in facts]
        assert min(values) >= 0
        assert max(values) <= 200 * parts(rate)
        assert 0.4 < sum(value >= 100 * parts(rate) for value in values) / len(values) < 0.6


def test_streams_are_the_same_each_time() -> None:
    one = COOLING_WINDOWS.settings(True)[0]
    assert first(one, 3) == first(one, 3)


def test_engines_agree() -> None:
    found = answers_of_all(setting(3, 100, 0, "", 10), STRICT_ENGINES, 8)
    assert {"alarm", "normal", "isSteam", "veryHot(7)", "veryHot(4)"} <= found[7]
    assert "veryHot(3)" not in found[7]


def test_few_readings_are_now_and_then_neither_steam_nor_liquid() -> None:
    """With two readings a tick boxes begin and end, and nothing but what is frozen may be left."""
    few = setting(2, 2, 0, "", 10)
    assert answers(few, EngineName.BY_HAND, 60) == answers(few, EngineName.AUTO, 60)
    assert any("freeze" in answer for answer in answers(few, EngineName.BY_HAND, 60))
