"""Snapshots of versions before `flow` had a form of its own: a reasoner goes on with their answers."""

import json
from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.externals.terms.table import TermReader
from lars2asp.runtime.reasoning.snapshot import unpacked

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


def test_a_changed_program_goes_on_from_a_snapshot_of_an_earlier_version() -> None:
    """At once with the answers that the earlier version gives, and with the changes."""
    folder = KEPT.parent / "changed_before_flow"
    kept, state = (
        json.loads((folder / "program.json").read_text()),
        unpacked((folder / "program.snapshot").read_bytes()),
    )
    told, reasoner = dict(kept["input"]), Reasoner.from_text(kept["program"])
    reasoner.session.restore(state, TermReader(state["terms"]).read, kept["shape"])
    found = []
    for tick, *_ in kept["answers"]:
        answer = reasoner.step(tick, told.get(tick, []))
        found.append([tick, *(sorted(one.texts) for one in (answer.holds, answer.began, answer.ended))])
    assert found == kept["answers"]
