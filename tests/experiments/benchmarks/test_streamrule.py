"""Windows of traffic events, and the parts of the rules over them."""

from itertools import islice

import pytest

from experiments.benchmark import EngineName, Setting
from experiments.benchmarks.streamrule import POSITIVE, RECURSIVE, STRATIFIED, windows
from experiments.engines.registry import making
from lars2asp.compiler import checked_program
from lars2asp.splitting.split import split
from lars2asp.syntax.source import Source

PROGRAMS = (POSITIVE, RECURSIVE, STRATIFIED)


def test_windows_are_of_their_size_and_the_same_each_time() -> None:
    first = list(islice(windows(600), 12))
    assert first == list(islice(windows(600), 12))
    assert {len(window) for window in first} == {600}
    assert all(len(set(window)) == 600 for window in first)
    assert len({tuple(window) for window in first}) == 10


@pytest.mark.parametrize("text", PROGRAMS)
def test_no_event_is_of_both_parts(text: str) -> None:
    program = checked_program(Source("traffic.lars", text))
    parts = split(program.program, program.semantics)
    assert len(parts.parts) == 2
    assert parts.levels == 1
    assert not parts.duplicated


@pytest.mark.parametrize("text", [RECURSIVE, STRATIFIED])
def test_parts_in_processes_give_what_one_reasoner_gives(text: str) -> None:
    setting = Setting("small", 0, text, lambda: windows(600), 0, 4, 0)
    answers: dict[EngineName, list[set[str]]] = {}
    for name in (EngineName.AUTO, EngineName.SPLIT):
        holds: set[str] = set()
        with making(setting, name) as engine:
            for tick, window in enumerate(islice(windows(600), 4)):
                changes = engine.step(tick, engine.facts(window))
                holds -= set(engine.texts(changes.ended))
                holds |= set(engine.texts(changes.began))
                answers.setdefault(name, []).append(set(holds))
    assert answers[EngineName.SPLIT] == answers[EngineName.AUTO]
    assert all(
        any(atom.startswith("warned_of_jam") for atom in answer) for answer in answers[EngineName.AUTO]
    )
