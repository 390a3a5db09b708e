"""Answers as lines of JSON, written as by `json` but for characters that steer a terminal."""

import json
from io import StringIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.terms.terms import constant
from lars2asp.externals.views import Changes, Rows
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.output import OutputState
from lars2asp.runtime.sinks.emission import Emission
from lars2asp.runtime.sinks.json_lines import JsonLines, json_line
from lars2asp.syntax.nodes import Signature

P, Q = Signature("p", 1), Signature("q", 2)


def written(emission: Emission, *answers: Answer) -> list[str]:
    output = StringIO()
    sink = JsonLines(output, emission)
    for answer in answers:
        sink.write(answer)
    return output.getvalue().splitlines(keepends=True)


def answers(*outputs: Rows) -> list[Answer]:
    """Answers with these atoms, one after the other."""
    state, found = OutputState(), []
    for tick, rows in enumerate(outputs):
        before = state.version
        found.append(Answer(tick, True, state.fix({s: set(each) for s, each in rows.items()}), before))
    return found


texts = st.text() | st.sampled_from(["a", 'a"b', "a\\b", "\u2028", "\x9b2J", "\u00e4", "\x00", ""])


@given(st.lists(texts, unique=True))
def test_atoms_are_written_as_by_json(names: list[str]) -> None:
    [answer] = answers({P: [(name,) for name in names]})
    [line] = written(Emission(), answer)
    value: dict[str, Any] = {"time": 0, "atoms": list(answer.holds.texts)}
    assert line == json_line(value)
    assert json.loads(line) == value


def test_changes() -> None:
    """Those since the line before; the first line has all that holds."""
    a, b = constant("a"), constant("b")
    found = answers({P: [(b,), (a,)]}, {P: [(b,)], Q: [(1, "x"), (-1, a)]}, {Q: [(1, "x")]})
    assert written(Emission(changes=True), *found) == [
        '{"time": 0, "began": ["p(a)", "p(b)"], "ended": []}\n',
        '{"time": 1, "began": ["q(-1,a)", "q(1,\\"x\\")"], "ended": ["p(a)"]}\n',
        '{"time": 2, "began": [], "ended": ["p(b)", "q(-1,a)"]}\n',
    ]


def test_ticks_without_an_answer_stream() -> None:
    state = OutputState()
    nothing = state.version
    found = [Answer(1, False, nothing, nothing), Answer(2, False, nothing, nothing, timed_out=True)]
    assert written(Emission(), *found) == [
        '{"time": 1, "satisfiable": false, "atoms": []}\n',
        '{"time": 2, "satisfiable": false, "timeout": true, "atoms": []}\n',
    ]


def test_answer_streams() -> None:
    version = OutputState().change([(P, Changes([(1,)]))])
    answer = Answer(0, True, version, version, lambda: [{P: [(2,), (1,)]}, {}])
    assert written(Emission(models=True), answer) == ['{"time": 0, "models": [["p(1)", "p(2)"], []]}\n']
