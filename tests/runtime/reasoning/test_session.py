"""A session takes records one by one: accepted, ticks before them finished, gathered for their tick."""

from collections.abc import Iterable

import pytest

from lars2asp import Answer, Events, InputError, Record, Rejected, compile_program
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sources.facts.atoms import to_rows
from lars2asp.runtime.sources.records import refuse
from lars2asp.syntax.source import Source

PROGRAM = compile_program(Source("<text>", "a(X) :- p(X) in [1]. b :- on."))


def record(tick: int, *facts: str, begin: Iterable[str] = (), until: int | None = None) -> Record:
    return Record(tick, Events(to_rows(facts), to_rows(begin), (), until))


def run(session: Session, records: Iterable[Record]) -> tuple[list[tuple[int, tuple[str, ...]]], list[str]]:
    """The answers at the ticks that are evaluated, and the reasons of rejected records."""
    rejected: list[Rejected] = []
    answers: list[Answer] = []
    with session:
        for each in records:
            accepted = session.accept(each, rejected.append)
            if accepted is not None:
                answers += session.finish(accepted.tick - 1)
                session.gather(accepted)
        answers += session.finish(None)
    return [(answer.tick, answer.holds.texts) for answer in answers], [each.reason for each in rejected]


def test_records_of_one_tick_are_gathered_for_it() -> None:
    records = [record(0, "p(1)"), record(0, "p(2)"), record(3, "p(3)"), record(2, "p(4)"), record(4)]
    answers, rejected = run(Session(PROGRAM), records)
    assert answers[0] == (0, ("a(1)", "a(2)"))
    assert answers[-3:] == [(2, ()), (3, ("a(3)",)), (4, ("a(3)",))]
    assert rejected == ["the time goes backwards: tick 2 after 3"]


def test_an_accepted_record_refuses_those_of_ticks_before_it_though_it_is_not_gathered() -> None:
    session = Session(PROGRAM)
    with session:
        assert session.accept(record(5), refuse) == record(5)
        assert session.accept(record(5), refuse) == record(5)
        with pytest.raises(InputError, match="the time goes backwards: tick 4 after 5"):
            session.accept(record(4), refuse)
        assert session.gathered is None
    assert session.accept(record(4), refuse) == record(4)


def test_a_record_before_the_start_counts_as_far_as_it_holds_from_there_on() -> None:
    session = Session(PROGRAM, start=3)
    assert session.accept(record(1, "p(1)", begin=["on"]), refuse) == record(3, begin=["on"])
    assert session.accept(record(2, "p(2)", until=4), refuse) == record(3, "p(2)", until=4)


def test_what_is_gathered_for_no_tick_is_forgotten() -> None:
    """The timeline has not begun, so that it may begin before."""
    session = Session(PROGRAM)
    with pytest.raises(InputError, match="nobody knows"), session:
        session.gather(record(7, "p(1)", begin=["on"]))
        assert session.gathered is not None
        raise InputError("nobody knows")
    assert session.gathered is None
    assert session.now is None
    assert run(session, [record(2, "p(2)")]) == ([(2, ("a(2)",))], [])
    assert session.counts == (1, 0, 1)


def test_ticks_at_which_something_changes_lie_ahead() -> None:
    session = Session(PROGRAM)
    assert session.next_change() is None
    assert run(session, [record(2, "p(2)")])[0]
    change = session.next_change()
    assert change is not None
    assert 2 < change <= 4
    answers = {answer.tick: answer.holds.texts for answer in session.finish(9)}
    assert min(answers) == change
    assert answers[max(answers)] == ()
    assert (session.now, session.next_change()) == (9, None)
    assert [answer.tick for answer in session.finish(20, every=5)] == [10, 15, 20]


def test_a_session_that_has_not_begun_has_counted_nothing() -> None:
    session = Session(compile_program(Source("<text>", "a(X) :- p(X) at least 2 in [3].")))
    assert session.counts == (0, 0, 0)
    assert session.merged == {}
    assert session.statistics.facts == 0
