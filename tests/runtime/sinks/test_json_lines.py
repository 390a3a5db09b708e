"""Answers as lines of JSON, written as by `json` but for characters that steer a terminal."""

import json
from collections.abc import Iterable
from io import StringIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.terms.terms import BARE_TERM, Row, constant
from lars2asp.externals.terms.text import NO_DECIMALS, Decimals
from lars2asp.externals.views import Changes, Rows
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.output import OutputState, sets_of
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


def sets_of_atoms(atoms: Iterable[tuple[Signature, Row]]) -> dict[Signature, set[Row]]:
    return sets_of((signature, [row]) for signature, row in atoms)


def answers(*outputs: Rows, decimals: Decimals = NO_DECIMALS) -> list[Answer]:
    """Answers with these atoms, one after the other."""
    state, found = OutputState(decimals=decimals), []
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


values = st.integers(-9, 9) | st.sampled_from("abc") | texts | st.sampled_from(["c", "d"]).map(constant)
atoms = st.one_of(
    *(
        st.tuples(st.just(P), st.tuples(some))
        for some in (st.integers(-9, 9), st.sampled_from("abc"), values)
    ),
    st.tuples(st.just(Q), st.tuples(st.integers(), st.sampled_from("abc"))),
    st.tuples(st.just(Signature("r", 0, False)), st.just(())),
    st.tuples(st.just(BARE_TERM), st.tuples(st.integers(0, 2))),
)


@given(st.lists(st.sets(atoms, max_size=6), min_size=2, max_size=6), st.booleans(), st.booleans())
def test_changes_at_once(
    outputs: list[set[tuple[Signature, Row]]], has_times: bool, has_decimals: bool
) -> None:
    """They are written as those of each answer."""
    emission = Emission(changes=True, times=str if has_times else None)
    decimals: Decimals = {P: (1,)} if has_decimals else {}
    found = answers(*map(sets_of_atoms, outputs), decimals=decimals)
    output = StringIO()
    sink = JsonLines(output, emission)
    assert sink.takes_changes
    sink.write(found[0])
    sink.write_changes([(one.tick, one.row_changes) for one in found[1:]], decimals)
    assert output.getvalue().splitlines(keepends=True) == written(emission, *found)


def test_who_needs_more_than_changes() -> None:
    for emission in (Emission(), Emission(changes=True, models=True)):
        assert not JsonLines(StringIO(), emission).takes_changes


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
