"""Snapshots of versions before `flow` had a form of its own: a reasoner goes on with their answers."""

import json
from pathlib import Path

import pytest

from lars2asp import Reasoner

KEPT = Path(__file__).parent / "kept" / "before_flow"


@pytest.mark.parametrize("name", sorted(path.stem for path in KEPT.glob("*.json")))
def test_a_reasoner_goes_on_from_a_snapshot_of_an_earlier_version(name: str) -> None:
    kept = json.loads((KEPT / f"{name}.json").read_text())
    told, ended = dict(kept["input"]), dict(kept["end"])
    evaluators = [kept["options"]]
    if kept["options"] == {"evaluator": "oneshot"}:  # parts go on from the whole program
        evaluators.append({})
    for options in evaluators:
        reasoner = Reasoner.from_text(kept["program"], **options)
        reasoner.resume((KEPT / f"{name}.snapshot").read_bytes())
        found = []
        for tick, *_ in kept["answers"]:
            answer = reasoner.step(tick, told.get(tick, []), end=ended.get(tick, []))
            found.append([tick, answer.satisfiable, sorted(answer.holds.texts)])
        assert found == kept["answers"]
