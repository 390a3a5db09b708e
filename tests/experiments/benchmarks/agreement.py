"""Engines that are held to each other on the settings of benchmarks."""

from collections.abc import Sequence
from itertools import islice

from experiments.benchmark import EngineName, Setting
from experiments.engine import Fact
from experiments.engines.registry import making


def first(setting: Setting, ticks: int) -> list[Sequence[Fact]]:
    """The facts at the first ticks."""
    return list(islice(setting.stream(), ticks))


def answers(setting: Setting, name: EngineName, ticks: int) -> list[set[str]]:
    """The answers of an engine at the first ticks."""
    found, now = [], set[str]()
    with making(setting, name) as engine:
        for tick, facts in enumerate(first(setting, ticks)):
            changes = engine.step(tick, engine.facts(facts))
            now = now - set(engine.texts(changes.ended)) | set(engine.texts(changes.began))
            found.append(now)
    return found


def answers_of_all(setting: Setting, engines: Sequence[EngineName], ticks: int) -> list[set[str]]:
    """The answers that engines give at the first ticks; it is tested that all agree."""
    expected = answers(setting, engines[0], ticks)
    for name in engines[1:]:
        assert answers(setting, name, ticks) == expected, name
    return expected
