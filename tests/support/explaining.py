"""Explanations of programs on streams, which the checker accepts."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lars2asp.analysis.held_facts import held_facts
from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.syntax.source import Source
from tests.support.records import events

Stream = Mapping[int, Sequence[str]]


def explained(text: str, stream: Stream, atom: str, tick: int) -> tuple[str, dict[str, Any]]:
    """An explanation that the checker accepts, as text and as JSON; the atom may have variables."""
    checked = checked_program(Source("p.lars", text))
    told = [Record(at, events(facts), Origin("s", at)) for at, facts in stream.items()]
    reasoner = Reasoner(compile_plan(checked, explained=True), explain_last=100_000)
    held = {
        answer.tick: answer.holds.texts
        for answer in reasoner.run(told, until=max(tick, *stream), emit="every")
    }
    explanation = reasoner.why(atom, tick)
    found = json.loads(json.dumps(explanation.to_dict()))
    assert check_explanation(checked.written, arrivals(told, held_facts(checked.written)), found) == []
    first = found["explains"][0]
    assert first["holds"] is (first["atom"] in held[tick])
    assert first["holds"] or atom not in held[tick]
    return explanation.to_text(), found
