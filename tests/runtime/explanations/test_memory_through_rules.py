"""Memory that goes through several rules is told once; the checker accepts it, and refuses changed ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import run

Json = dict[str, Any]
PROGRAM = """
p(R) :- on(R).
p(R) :- q(R) in {1}, not off(R).
q(R) :- p(R) in {2}, not off(R).
a(R) :- on(R).
a(R) :- b(R) in {1}, not off(R).
b(R) :- a(R).
x(R) :- on(R).
x(R) :- y(R) in {1}, not off(R).
y(R) :- z(R) in {1}.
z(R) :- x(R), not off(R).
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "m.lars").write_text(PROGRAM)
    times = {3: ["on(hall)"], 90: []}
    lines = [json.dumps({"time": tick, "facts": facts}) for tick, facts in times.items()]
    (tmp_path / "m.jsonl").write_text("\n".join(lines))
    return tmp_path


def why(folder: Path, question: str, at: int, *more: str) -> str:
    return run(folder, "why", "m.lars", question, "--input", "m.jsonl", "--at", str(at), *more).stdout


@pytest.mark.parametrize(
    ("question", "at", "below"),
    [("p(hall)", 90, 14), ("q(hall)", 89, 14), ("a(hall)", 90, 14), ("b(hall)", 90, 14), ("x(hall)", 89, 20)],
)
def test_it_is_told_once_and_the_checker_accepts_it(folder: Path, question: str, at: int, below: int) -> None:
    text = why(folder, question, at)
    assert text.count("since ") == 1
    assert "m.jsonl:1" in text
    assert len(text.splitlines()) <= below
    (folder / "e.json").write_text(why(folder, question, at, "--output-format", "json"))
    assert (
        run(folder, "check-why", "m.lars", "e.json", "--input", "m.jsonl").stdout == "it is an explanation\n"
    )


def _memory(node: Any) -> Json:
    """The claim that it has been so since an earlier tick."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if one.get("because") == "memory" and "through" in one:
                return one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    raise AssertionError(node)


CHANGES: list[Callable[[Json], object]] = [
    lambda one: one.pop("through"),
    lambda one: one.update(through=[]),
    lambda one: one.update(step=one["step"] + 1),
    lambda one: one.update(step=0),
    lambda one: one["through"][0].update(ago=one["through"][0]["ago"] + 1),
    lambda one: one["through"][0].update(ago=-1),
    lambda one: one["through"][0].update(atom="on(hall)"),
    lambda one: one["through"][0].update(atom="q(bath)"),
    lambda one: one["through"][0].update(statement=one["statement"]),
    lambda one: one["through"][0].update(bindings={}),
    lambda one: one["through"].append(one["through"][0]),
    lambda one: one.update(statement=one["through"][0]["statement"]),
]


@pytest.mark.parametrize("change", range(len(CHANGES)))
def test_the_checker_refuses_what_is_changed(folder: Path, change: int) -> None:
    explanation = json.loads(why(folder, "p(hall)", 90, "--output-format", "json"))
    CHANGES[change](_memory(explanation))
    (folder / "e.json").write_text(json.dumps(explanation))
    done = run(folder, "check-why", "m.lars", "e.json", "--input", "m.jsonl", status=1)
    assert "it is an explanation" not in done.stdout


def test_a_memory_that_was_broken_begins_again(folder: Path) -> None:
    times = {
        3: ["on(hall)"],
        40: ["off(hall)"],
        41: ["off(hall)"],
        42: ["off(hall)"],
        50: ["on(hall)"],
        80: [],
    }
    lines = [json.dumps({"time": tick, "facts": facts}) for tick, facts in times.items()]
    (folder / "m.jsonl").write_text("\n".join(lines))
    text = why(folder, "a(hall)", 80)
    assert "since 50, m.jsonl:5" in text
