"""Records, and what is said of rejected ones."""

import pickle
from itertools import chain, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import InputError, Reasoner
from lars2asp.runtime.sources.records import Origin, Origins, Rejected


def test_the_reason_of_a_rejected_record_is_one_line() -> None:
    assert Rejected(Origin("x", 1), 'p("\ufeff\n")').reason == 'p("\\ufeff\\n")'
    assert len(Rejected(Origin("x", 1), "p" * 10_000).reason) < 1100


def test_an_error_says_which_record_is_at_fault(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text('{"time": 0}\n{"time": 1, "facts": ["p("]}\n')
    with pytest.raises(InputError) as raised:
        list(Reasoner.from_text("a :- p.").run(tmp_path / "s.jsonl", emit="every", on_reject="stop"))
    error = pickle.loads(pickle.dumps(raised.value))
    assert (error.source, error.line) == (str(tmp_path / "s.jsonl"), 2)
    assert error.record == '{"time": 1, "facts": ["p("]}'
    assert str(error) == f"{error.source}:2: error: {error.reason}"


def test_an_error_says_which_file_is_at_fault(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in "absent.jsonl", "empty":
        with pytest.raises(InputError) as raised:
            list(Reasoner.from_text("a :- p.").run(tmp_path / name, emit="every", on_reject="stop"))
        error = raised.value
        assert (error.source, error.line, error.record) == (str(tmp_path / name), None, None)
        assert str(error) == f"{error.source}: {error.reason}"


def test_an_error_about_what_a_program_gives_has_a_reason_alone() -> None:
    with pytest.raises(InputError) as raised:
        Reasoner.from_text("a :- p.").step(0, ["p("])
    error = raised.value
    assert (error.source, error.line, error.record, error.reason) == (None, None, None, str(error))
    with pytest.raises(InputError) as raised:
        list(Reasoner.from_text("a :- p.").run([(3, []), (2, [])], emit="every", on_reject="stop"))
    assert (raised.value.line, raised.value.reason) == (2, "the time goes backwards: tick 2 after 3")


@given(st.data())
def test_origins_that_are_made_when_they_are_asked_for(data: st.DataObject) -> None:
    """They are those of the same records given one by one: in pieces, together, and in another order."""
    lines = data.draw(st.lists(st.integers(1, 99), unique=True, max_size=9)) or range(3, 9)
    whole = Origins("s", lines, [f"line {line}" for line in lines])
    expected = [Origin("s", line, f"line {line}") for line in lines]
    assert [*whole] == [whole[place] for place in range(len(whole))] == expected
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)))))
    parts = [whole[first:end] for first, end in pairwise([0, *cuts, len(whole)])]
    assert [*chain.from_iterable(parts)] == [*Origins.together(parts)] == expected
    order = data.draw(st.permutations(range(len(whole))))
    assert [*whole.in_order(order)] == [expected[place] for place in order]
    others = [whole[3:], whole[:2]]
    assert [*Origins.together(others)] == [*expected[3:], *expected[:2]]
