"""Facts come in by many ways; by each of them numbers at places with decimals are what they say."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pytest

from lars2asp import Answer, Reading, Reasoner, read_file, read_frame

PROGRAM = """
    #input p(n) at time. #decimals p(1), limit(1).
    limit(25.5).
    h(N) :- p(N), limit(L), N > L.
"""
JSONL = '{"time": 0, "facts": ["p(26)", "p(24.1)"]}\n{"time": 1, "facts": []}\n'
FRAME = pd.DataFrame({"time": [0, 0, 1], "n": [26.0, 24.1, None]})


def file(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def followed(reasoner: Reasoner, folder: Path) -> list[Answer]:
    found: list[Answer] = []
    reasoner.run_live(f"{file(folder, 'a.jsonl', JSONL)}", found.append, until=0)
    return found


def followed_async(reasoner: Reasoner, folder: Path) -> list[Answer]:
    async def answers() -> list[Answer]:
        source = file(folder, "a.jsonl", JSONL)
        async with aclosing(reasoner.run_live_async(source, until=0)) as found:
            return [answer async for answer in found]

    return asyncio.run(answers())


def reading(reasoner: Reasoner) -> Reading:
    return Reading(declarations=reasoner.plan.inputs, decimals=reasoner.plan.decimals)


WAYS: dict[str, Callable[[Reasoner, Path], list[Answer]]] = {
    "step": lambda one, _: [one.step(0, ["p(26)", ("p", 24.1)])],
    "begin": lambda one, _: [one.step(0, begin=[("p", Decimal(26)), "p(24.1)"])],
    "pairs": lambda one, _: [*one.run([(0, [("p", 26)]), (0, ["p(24.1)"])], emit="every")],
    "jsonl": lambda one, folder: [*one.run(file(folder, "a.jsonl", JSONL), emit="every")],
    "csv": lambda one, folder: [*one.run(file(folder, "a.csv", "time,n\n0,26\n0,24.1\n"), emit="every")],
    "frame": lambda one, _: [*one.run(FRAME, emit="every")],
    "read_file": lambda one, folder: [
        *one.run(read_file(file(folder, "a.jsonl", JSONL), reading(one)), emit="every")
    ],
    "read_frame": lambda one, _: [*one.run(read_frame(FRAME, reading(one)), emit="every")],
    "follow": followed,
    "follow_async": followed_async,
}


@pytest.mark.parametrize("way", [*WAYS])
def test_numbers_are_what_they_say(way: str, tmp_path: Path) -> None:
    answers = WAYS[way](Reasoner.from_text(PROGRAM + "#show h/1."), tmp_path)
    assert answers[0].holds.texts == ("h(26.0)",)
