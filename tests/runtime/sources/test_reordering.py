"""Records that come late are sorted in; those that come later than that are rejected."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.__main__ import main
from lars2asp.externals.events import Events
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.facts.atoms import to_rows
from lars2asp.runtime.sources.records import Record, Rejected, refuse
from lars2asp.runtime.sources.reordering import Reordering, record_state, restored_record

ALL = 1000
"""Later than all ticks, when no more records come."""


def record(tick: int, number: int = 0) -> Record:
    return Record(tick, Events(to_rows([("p", number)])))


@given(st.lists(st.integers(0, 30), max_size=40), st.integers(1, 12), st.integers(0, 40))
def test_order(ticks: list[int], lateness: int, saved_at: int) -> None:
    """As by definition: late is what lies more than the lateness before the latest one so far.

    With a state that is handed to another order on the way.
    """
    rejected: list[Rejected] = []
    arrived: list[int] = []

    def records() -> Iterator[Record]:
        for number, tick in enumerate(ticks):
            arrived.append(tick)
            yield record(tick, number)
        arrived.append(ALL)

    source, got = records(), list[Record]()
    order = Reordering(lateness, rejected.append)
    for ready in order.over(source):
        if len(got) == saved_at:
            break
        assert ready.tick <= max(arrived) - lateness
        got.append(ready)
    before = order
    state = before.state(list)
    order = Reordering(lateness, rejected.append)
    order.restore(state, list)
    assert len(order) == len(before)
    got += order.over(source)
    in_time = [
        record(tick, number)
        for number, tick in enumerate(ticks)
        if tick >= max(ticks[: number + 1]) - lateness
    ]
    assert got == sorted(in_time, key=lambda each: each.tick)
    assert order.late == len(rejected) == len(ticks) - len(in_time)


def test_a_state_has_the_order_in_which_atoms_came() -> None:
    waiting = Record(3, Events(to_rows([("p", 1), ("q", 1), ("p", 2)])))
    restored = restored_record(record_state(waiting, list), list)
    assert [(atoms.signature.name, *atoms.rows) for atoms in restored.events.facts] == [
        ("p", (1,)),
        ("q", (1,)),
        ("p", (2,)),
    ]


@given(st.lists(st.integers(0, 30), max_size=9), st.integers(0, 9), st.integers(0, 1))
def test_without_lateness_records_pass_as_they_come(ticks: list[int], saved_at: int, lateness: int) -> None:
    """The one that was given last waits until the next one is asked for, also for a state."""
    told = [record(tick, number) for number, tick in enumerate(ticks)]
    before, order = Reordering(0, refuse), Reordering(lateness, refuse)
    got = [ready for _, ready in zip(range(saved_at), before.over(told), strict=False)]
    assert got == told[:saved_at]
    order.restore(before.state(list), list)
    waiting = got[-1:] if saved_at <= len(told) else []
    assert len(order) == len(before) == len(waiting)
    assert list(order.over(())) == waiting


def test_late_records_are_sorted_in() -> None:
    choose = random.Random(1)
    told = [(tick, [f"p({tick % 7})"]) for tick in range(100)]
    mixed = sorted(told, key=lambda each: each[0] + choose.random() * 5)
    program = "a(X) :- p(X) in [3], not p(X) in {1}. b(X) :- p(X) in [4 #]."
    expected = [answer.holds.texts for answer in Reasoner.from_text(program).run(told, emit="every")]
    got = Reasoner.from_text(program, start=0).run(mixed, lateness=5, emit="every")
    assert [answer.holds.texts for answer in got] == expected
    with pytest.raises(InputError, match="late: tick 1 arrived after 9, more than 5 ticks late"):
        list(Reordering(5, refuse).over([record(3), record(9), record(1)]))
    with pytest.raises(ValueError, match="0 or more"):
        list(Reasoner.from_text(program).run([], lateness=-1, emit="every"))


def test_late_records_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.lars").write_text("#tick 10 sec. a(X) :- p(X).")
    (tmp_path / "input.facts").write_text("3: p(1)\n5: p(2)\n4: p(3)\n8: p(4)\n5: p(5)\n7: p(6)\n")
    arguments = ["run", str(tmp_path / "program.lars"), "--input", str(tmp_path / "input.facts")]
    assert main([*arguments, "--input-format", "facts", "--lateness", "15 sec"]) == 1
    out, err = capsys.readouterr()
    assert [line.split('"atoms": ')[1] for line in out.splitlines()] == [
        '["a(1)"]}',
        '["a(3)"]}',
        '["a(2)"]}',
        "[]}",
        '["a(6)"]}',
        '["a(4)"]}',
    ]
    assert (
        "input.facts:5: error: late: tick 5 (1970-01-01T00:00:50+00:00) arrived after 8 "
        "(1970-01-01T00:01:20+00:00), more than 20 sec late; to accept all records so far, add "
        "--lateness '30 sec'"
    ) in err
    for wrong in ("soon", "-3", "5 fortnights"):
        assert main([*arguments, "--input-format", "facts", "--lateness", wrong]) == 2
        assert "is not a duration" in capsys.readouterr().err
