"""The Python API."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent
from typing import Any

import clingo
import pytest

from lars2asp import (
    Events,
    InputError,
    ProgramError,
    Reading,
    Reasoner,
    Record,
    Rejected,
    Timeline,
    read_file,
)
from lars2asp.compiler import compile_program, read_program
from lars2asp.externals.grounding import KeyFunctions
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.planning.asp.asp_program import Draft
from lars2asp.planning.plan import Translated
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source
from lars2asp.typing import Fact
from tests.support.records import events


def test_step_takes_strings_symbols_and_tuples() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    facts: list[Fact] = ["p(1)", clingo.Function("p", [clingo.Function("c")]), ("p", "text"), ("p", (1, "x"))]
    assert reasoner.step(0, facts).holds.texts == ("a(1)", "a(c)", 'a("text")', 'a((1,"x"))')


def test_answers_tell_what_changed() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    reasoner.step(0, ["p(1)", "p(2)"])
    answer = reasoner.step(1, ["p(2)", "p(3)"])
    assert [*answer.began.texts] == ["a(3)"]
    assert [*answer.ended.texts] == ["a(1)"]
    assert answer.models == (answer.holds,)


def test_step_evaluates_the_ticks_it_passes_over() -> None:
    """Without that a would not have lived on through ticks 1 to 4."""
    reasoner = Reasoner.from_text("a :- p. a :- a in {1}.")
    reasoner.step(0, ["p"])
    assert reasoner.step(5).holds.texts == ("a",)
    assert reasoner.now == 5


def test_step_with_intervals() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    assert reasoner.step(0, ["p(1)"], begin=["p(2)"], until=1).holds.texts == ("a(1)", "a(2)")
    assert reasoner.step(1).holds.texts == ("a(1)", "a(2)")
    assert reasoner.step(2).holds.texts == ("a(2)",)
    assert reasoner.step(3, end=["p(2)"]).holds.texts == ()


@pytest.mark.parametrize(
    ("tick", "arguments", "message"),
    [
        (3, {}, "tick 3 is already over: the next tick is 4"),
        (2**61 + 1, {}, "is not between 0 and"),
        (5.5, {}, "is no integer"),
        (4, {"facts": ["p(X)"]}, "contains the variable X"),
        (4, {"facts": "p(1)"}, "is a single fact: pass a list"),
        (4, {"facts": [("p", 1.5)]}, "1.5 is a decimal"),
        (4, {"end": ["p(1)"]}, "was not begun"),
        (4, {"facts": ["p(1)"], "until": 3}, "before their own tick"),
    ],
)
def test_what_step_refuses_changes_nothing(tick: Any, arguments: dict[str, Any], message: str) -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    reasoner.step(3, ["p(1)"])
    with pytest.raises(InputError, match=message):
        reasoner.step(tick, **arguments)
    assert reasoner.now == 3
    assert reasoner.step(4, ["p(2)"]).holds.texts == ("a(2)",)


def test_run_gives_an_answer_for_every_tick() -> None:
    reasoner = Reasoner.from_text("a :- p in [1].", start=1)
    found = [
        (answer.tick, answer.holds.texts)
        for answer in reasoner.run([(2, ["p"]), (5, ["p"])], until=7, emit="every")
    ]
    assert found == [(1, ()), (2, ("a",)), (3, ("a",)), (4, ()), (5, ("a",)), (6, ("a",)), (7, ())]


def test_run_goes_on_where_the_last_one_stopped() -> None:
    reasoner = Reasoner.from_text("a :- p in [1].")
    assert [a.tick for a in reasoner.run([(2, ["p"])], emit="every")] == [2]
    assert [(a.tick, a.holds.texts) for a in reasoner.run([(4, [])], emit="every")] == [(3, ("a",)), (4, ())]


#   tick      0    1    2    3 ... 7    8
#   p(1)      x                         x
#   a(1)      x....x....x               x
@pytest.mark.parametrize("models", [1, 0])
def test_pieces_of_a_stream_give_together_what_changes(models: int) -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X) in [2].", models=models)

    def changes(stream: list[tuple[int, list[Fact]]], until: int | None) -> list[tuple[int, str, str]]:
        answers = reasoner.run(stream, until=until, emit=None)
        return [
            (answer.tick, " ".join(answer.began.texts), " ".join(answer.ended.texts)) for answer in answers
        ]

    assert changes([(0, ["p(1)"])], 2) == [(0, "a(1)", "")]
    assert changes([], 2) == []
    assert changes([(7, ["q(1)"])], None) == [(3, "", "a(1)")]
    assert changes([(8, ["p(1)"])], None) == [(8, "a(1)", "")]
    assert changes([(9, [])], None) == []


def test_changes_are_those_since_the_answer_given_before_by_whichever_call() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X) in [2].")
    told: list[tuple[int, str, str]] = []

    def note(*answers: Answer) -> None:
        told.extend((a.tick, " ".join(a.began.texts), " ".join(a.ended.texts)) for a in answers)

    note(*reasoner.run([(1, ["p(1)"]), (2, ["p(2)"]), (4, [])], emit=2))
    note(*reasoner.run([(5, ["p(3)"]), (7, ["p(4)"])], emit=4))
    note(reasoner.step(8, ["p(5)"]))
    note(*reasoner.run([(9, ["p(5)"])], emit=None))
    note(*reasoner.run([(10, ["p(6)"])], emit=None))
    note(reasoner.step(11))
    assert told == [
        (2, "a(1) a(2)", ""),
        (4, "", "a(1)"),
        (8, "a(4) a(5)", "a(2)"),
        (10, "a(6)", "a(4)"),
        (11, "", ""),
    ]


def test_a_run_that_was_left_open_goes_on_behind_a_step() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    rejected: list[Rejected] = []
    stream: list[tuple[int, list[Fact]]] = [(0, ["p(0)"]), (1, ["p(1)"]), (6, ["p(6)"])]
    run = reasoner.run(stream, on_reject=rejected.append, emit="every")
    assert next(run).holds.texts == ("a(0)",)
    assert reasoner.step(5, ["p(5)"]).holds.texts == ("a(5)",)
    assert [(answer.tick, answer.holds.texts, *answer.ended.texts) for answer in run] == [
        (6, ("a(6)",), "a(5)")
    ]
    assert [record.reason for record in rejected] == ["the time goes backwards: tick 1 after 5"]
    reasoner = Reasoner.from_text("a(X) :- p(X) in [1].")
    run = reasoner.run([(0, []), (9, [])], emit="every")
    assert [next(run).tick for _ in range(3)] == [0, 1, 2]
    assert reasoner.step(5, ["p(5)"]).holds.texts == ("a(5)",)
    assert [(answer.tick, *answer.holds.texts) for answer in run] == [(6, "a(5)"), (7,), (8,), (9,)]


@pytest.mark.parametrize(
    ("times", "reason"),
    [
        ([0, 5, 4], "tick 4 after 5"),
        ([0, 5, 4, 5, 2], "tick 4 after 5"),
        ([3, 4, 2], "tick 2 after 4"),
        ([3, 2], "tick 2 after 3"),
    ],
)
def test_a_time_that_goes_backwards_is_told_with_the_last_one(times: list[int], reason: str) -> None:
    reasoner = Reasoner.from_text("a :- p.")
    with pytest.raises(InputError, match=f"the time goes backwards: {reason}$"):
        list(reasoner.run([(tick, ["p"]) for tick in times], emit="every", on_reject="stop"))


def test_a_time_before_what_another_call_came_to_is_told_with_it() -> None:
    reasoner = Reasoner.from_text("a :- p.")
    reasoner.step(4)
    with pytest.raises(InputError, match=r"the time goes backwards: tick 3 after 4$"):
        list(reasoner.run([(3, ["p"])], emit="every", on_reject="stop"))


#   tick      0    1    2    3    4    5
#   on        begin          |         end
#   p         x....x....x....x              until 3
#   q         x              |
#                          start
def test_of_what_lies_before_the_start_counts_what_still_holds_at_it() -> None:
    records = [
        Record(0, events(begin=["on"])),
        Record(0, events(["p"], until=3)),
        Record(1, events(["q"])),
        Record(5, events(end=["on"])),
    ]
    reasoner = Reasoner.from_text("#show on/0. #show p/0. #show q/0. a :- on, p, q.", start=3)
    found = [(answer.tick, answer.holds.texts) for answer in reasoner.run(records, emit="every")]
    assert found == [(3, ("on", "p")), (4, ("on",)), (5, ())]
    assert list(Reasoner.from_text("a :- q.", start=3).run(records[:3], emit="every")) == []


def test_a_long_gap_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    tuning = Tuning(many_ticks=10)
    recurring = "a(@now) :- p in [30]."
    with caplog.at_level(logging.WARNING, logger="lars2asp"):
        Reasoner.from_text("a :- p.", start=0, tuning=tuning).step(20)
        Reasoner.from_text(recurring, start=0, tuning=tuning).step(20)
        assert not caplog.messages
        for _ in Reasoner.from_text(recurring, start=0, tuning=tuning).run(
            [(0, ["p"])], until=20, emit="every"
        ):
            pass
    assert caplog.messages == ["10 ticks without a record were evaluated up to tick 10"]


def test_run_reads_nothing_after_until() -> None:
    def stream() -> Iterator[tuple[int, list[str]]]:
        yield 0, ["p"]
        yield 5, ["p"]
        raise AssertionError("read too far")

    reasoner = Reasoner.from_text("a :- p.")
    assert [a.tick for a in reasoner.run(stream(), until=3, emit="every")] == [0, 1, 2, 3]


def test_run_on_a_file_as_the_program_declares_it(tmp_path: Path) -> None:
    program, table = tmp_path / "p.lars", tmp_path / "t.csv"
    program.write_text('#tick 1 min. #timezone "UTC". #input p(x*10) at when. a(X) :- p(X) in [1].')
    table.write_text("when,x\n1970-01-01T00:05:30,2.5\n1970-01-01T00:08:00,3\n")
    found = [
        (answer.tick, answer.holds.texts) for answer in Reasoner.from_file(program).run(table, emit="every")
    ]
    assert found == [(5, ("a(25)",)), (6, ("a(25)",)), (7, ()), (8, ("a(30)",))]
    origin = Timeline(60_000_000, origin=datetime(1970, 1, 1, 0, 5, tzinfo=UTC))
    reasoner = Reasoner.from_file(program)
    timeline = replace(origin, zone=reasoner.plan.zone)
    records = read_file(table, Reading(timeline=timeline, declarations=reasoner.plan.inputs))
    assert [answer.tick for answer in reasoner.run(records, emit="every")] == [0, 1, 2, 3]


def test_times_of_a_file_without_offset_are_in_the_zone_that_is_declared(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("time,x\n1970-01-01 03:00,1\n")
    program = "#tick 1 hour. #input p(x). a(X) :- p(X)."

    def ticks(program: str, timezone: str | None = None) -> list[int]:
        reasoner = Reasoner.from_text(program, timezone=timezone)
        return [answer.tick for answer in reasoner.run(table, emit="every", on_reject="stop")]

    with pytest.raises(InputError, match="the time 1970-01-01 03:00 lacks a time zone"):
        ticks(program)
    assert ticks(f'#timezone "Europe/Vienna". {program}') == [2]
    assert ticks(f'#timezone "Europe/Vienna". {program}', timezone="UTC") == [3]
    assert ticks(program, timezone="Europe/Athens") == [1]


def test_the_origin_that_is_declared_or_given() -> None:
    moment = datetime(2026, 1, 1, 0, 5, tzinfo=UTC)
    program = '#tick 1 min. #origin "2026-01-01T00:00Z". a :- p.'
    assert Reasoner.from_text(program).step(moment, ["p"]).tick == 5
    assert Reasoner.from_text(program, origin="2026-01-01T00:03:00Z").step(moment).tick == 2
    assert Reasoner.from_text(program, origin=moment).step(moment).tick == 0


def test_whole_windows_that_are_declared_or_asked_for() -> None:
    def first(text: str, complete_windows: bool = False) -> int | None:
        reasoner = Reasoner.from_text(text, complete_windows=complete_windows)
        found = reasoner.run([(tick, ["p"]) for tick in range(4)])
        return next(answer.tick for answer in found if answer.holds.texts)

    program = "a :- p always in [2]."
    assert first(program) == 0
    assert first(program, complete_windows=True) == 2
    assert first(f"{program} #complete_windows.") == 2


def test_rejected_records_do_not_stop_a_run() -> None:
    rejected: list[Rejected] = []
    stream: list[tuple[int, list[Fact]]] = [
        (0, ["p(1)"]),
        (1, ["p(X)"]),
        (-1, ["p(1)"]),
        (1, [("p", 2.5)]),
        (2, ["p(2)"]),
        (1, ["p(3)"]),
    ]
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    found = [answer.holds.texts for answer in reasoner.run(stream, on_reject=rejected.append, emit="every")]
    assert found == [("a(1)",), (), ("a(2)",)]
    assert [record.origin.line for record in rejected] == [2, 3, 4, 6]


def test_a_batch_of_which_nothing_counts_does_not_move_the_clock() -> None:
    rejected: list[Rejected] = []
    reasoner = Reasoner.from_text("a :- p.")
    stream = [Record(0, _ending("q")), Record(3, _ending("q"))]
    assert list(reasoner.run(stream, on_reject=rejected.append, emit="every")) == []
    assert len(rejected) == 2
    assert reasoner.step(1, ["p"]).holds.texts == ("a",)


def _ending(name: str) -> Events:
    return events(end=[name])


def test_several_models() -> None:
    reasoner = Reasoner.from_text("a :- not b. b :- not a.", models=0)
    answer = reasoner.step(0)
    assert {model.texts for model in answer.models} == {("a",), ("b",)}
    assert answer.models[0].symbols == answer.holds.symbols


def test_bad_programs_and_options() -> None:
    with pytest.raises(ProgramError, match="unsafe variable X"):
        Reasoner.from_text("a(X).")
    with pytest.raises(TypeError, match=r"not str: use Reasoner\.from_text"):
        Reasoner("a.")  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match="'guess' is not a value of EvaluatorName: there are 'auto', 'oneshot', "
    ):
        Reasoner.from_text("a.", evaluator="guess")
    with pytest.raises(
        ValueError, match="'loose' is not a value of Semantics: there are 'recorded', 'strict'"
    ):
        Reasoner.from_text("a.", semantics="loose")
    with pytest.raises(ValueError, match="start"):
        Reasoner.from_text("a.", start=-1)
    with pytest.raises(ValueError, match="number of models"):
        Reasoner.from_text("a.", models=-1)
    with pytest.raises(TypeError, match="knows no keyword 'bogus'"):
        Reasoner.from_text("a.", bogus=3)  # type: ignore[call-arg]


def test_what_clingo_refuses_is_told_about_the_user_s_text() -> None:
    plan = compile_program(Source("x.lars", "a.\nb(X) :- p(X)."))
    program = plan.whole.program
    [place] = {line.origin for line in program.lines if line.text.startswith("b(X) :-")}
    (rule,) = read_program(Source("x.lars", "b(X) :- not p(X).")).statements
    unsafe = replace(program, drafts=(Draft(rule, place),))
    whole = replace(plan.whole, translation=lambda: Translated(unsafe))
    reasoner = Reasoner(replace(plan, whole=whole), evaluator="oneshot")
    with pytest.raises(EvaluationError, match=r"^x\.lars:2:1-14: error: unsafe variables") as raised:
        reasoner.step(0)
    assert "#inc" not in str(raised.value)


@pytest.mark.parametrize("evaluator", ["oneshot", "external"])
def test_a_failed_tick_leaves_no_stale_answer(evaluator: str) -> None:
    class Functions:
        fails = False

        def same(self, term: clingo.Symbol) -> clingo.Symbol:
            if self.fails:
                raise RuntimeError
            return term

    functions = Functions()
    reasoner = Reasoner.from_text("a(@same(X)) :- p(X).", evaluator=evaluator, functions=functions)
    reasoner.step(0)
    functions.fails = True
    with pytest.raises(EvaluationError):
        reasoner.step(1, ["p(1)"])
    functions.fails = False
    assert reasoner.step(2, ["p(1)"]).holds.texts == ("a(1)",)


def test_a_failed_tick_is_over_and_what_was_told_counts() -> None:
    program = """
        #script (python)
        def f(x): return x if x.number != 1 else {}
        #end.
        a(@f(X)) :- p(X). b(X) :- p(X) in [2 #]. c(X) :- p(X) always in [5].
        """
    reasoner = Reasoner.from_text(dedent(program))
    reasoner.step(0, ["p(0)"])
    with pytest.raises(EvaluationError, match=r"gave \{\}"):
        reasoner.step(1, ["p(1)"])
    assert reasoner.now == 1
    with pytest.raises(InputError, match="the next tick is 2"):
        reasoner.step(1, ["p(1)"])
    assert reasoner.step(2, ["p(2)"]).holds.texts == ("a(2)", "b(1)", "b(2)")


def test_a_first_step_that_is_refused_does_not_start_the_timeline() -> None:
    reasoner = Reasoner.from_text("a :- p always in [5]. b :- p in [3].")
    with pytest.raises(InputError):
        reasoner.step(10, end=["p"])
    assert reasoner.step(3, ["p"]).holds.texts == ("a", "b")


def test_a_run_that_is_given_up_tells_nothing_of_later_ticks() -> None:
    reasoner = Reasoner.from_text("a :- p.")
    for answer in reasoner.run([(0, []), (5, ["p"])], emit="every"):
        if answer.tick == 2:
            break
    assert [reasoner.step(tick).holds.texts for tick in (3, 4, 5)] == [(), (), ()]


def test_a_tick_that_is_given_up_tells_nothing() -> None:
    reasoner = Reasoner.from_text("a :- p.")
    records = [Record(1, events(begin=["p"])), Record(1, _ending("z"))]
    with pytest.raises(InputError):
        list(reasoner.run(records, emit="every", on_reject="stop"))
    assert reasoner.step(5).holds.texts == ()


def test_a_rejected_record_does_not_move_the_clock() -> None:
    rejected: list[Rejected] = []
    records = [Record(50, _ending("q")), Record(1, events(["q"])), Record(2, Events())]
    found = Reasoner.from_text("a :- q.").run(records, on_reject=rejected.append, emit="every")
    assert [(answer.tick, answer.holds.texts) for answer in found] == [(1, ("a",)), (2, ())]
    assert len(rejected) == 1


def test_a_step_over_a_gap_tells_what_changed_since_the_step_before() -> None:
    reasoner = Reasoner.from_text("a :- p. b :- p in [1].")
    reasoner.step(0, ["p"])
    assert list(reasoner.step(5).ended.texts) == ["a", "b"]


def test_what_clingo_remarks_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    reasoner = Reasoner.from_text("a. #types p(any).\nb(X+1-@now) :- p(X).")
    with caplog.at_level(logging.WARNING, logger="lars2asp"):
        for tick in range(3):
            reasoner.step(tick, ["p(x)"])
    [message] = caplog.messages
    assert message.startswith("<text>:2:1-21: info: operation undefined")
    assert "Inc" not in message


def test_facts_that_end_before_they_begin_are_rejected_before_the_start_too() -> None:
    rejected: list[Rejected] = []
    told = Record(2, events(["p"], until=1))
    for start in (None, 5):
        reasoner = Reasoner.from_text("a :- p in [9].", start=start)
        list(reasoner.run([told, (6, ["q"])], on_reject=rejected.append, emit="every"))
    assert [found.reason for found in rejected] == ["the facts hold until 1, before their own tick 2"] * 2


def test_options_of_the_wrong_kind() -> None:
    with pytest.raises(ValueError, match="number of models"):
        Reasoner.from_text("a.", models=2.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="start"):
        Reasoner.from_text("a.", start=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="consequences are one set of atoms: remove models"):
        Reasoner.from_text("a.", models=2, consequences="brave")
    with pytest.raises(InputError, match="no integer"):
        Reasoner.from_text("a.").step(0, ["p"], until=1.5)  # type: ignore[arg-type]


def test_what_is_no_tick_or_no_end_is_told_in_a_line() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    with pytest.raises(InputError, match=r"tick ~1e6020 is not between"):
        reasoner.step(2**20000)
    with pytest.raises(InputError) as raised:
        reasoner.step(0, end=[clingo.Function("p", [clingo.String("\x1b[2J\n" + "x" * 10_000)])])
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize("evaluator", ["oneshot", "external"])
def test_a_program_that_needs_too_much_memory(evaluator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ground(*_: object) -> None:
        raise MemoryError

    reasoner = Reasoner.from_text("a(X) :- p(X) in [2], X + 1 > 0.", evaluator=evaluator)
    monkeypatch.setattr(clingo.Control, "ground", ground)
    monkeypatch.setattr(KeyFunctions, "ground", ground)
    with pytest.raises(EvaluationError, match="more memory than there is"):
        reasoner.step(0, ["p(1)"])


@pytest.mark.parametrize("name", ["New York", "X", "1", "x,y", "p(1)", " p", "-p", "p\n", "_", "\u00e4"])
def test_names_that_no_predicate_can_have_are_refused_when_they_are_told(name: str) -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X). n :- p(X) in [2 #].")
    told = [clingo.Function("p", [clingo.Number(1)]), clingo.Function(name, [clingo.Number(1)])]
    for _ in range(2):
        with pytest.raises(InputError, match="is not a name of a predicate: an atom is a name or"):
            reasoner.step(0, told)
        with pytest.raises(InputError, match="is not a name of a predicate"):
            reasoner.step(0, begin=told)
    rejected: list[Rejected] = []
    assert list(reasoner.run([(0, told)], on_reject=rejected.append, emit="every")) == []
    assert len(rejected) == 1
    assert reasoner.step(0, told[:1]).holds.texts == ("n", "a(1)")


@pytest.mark.parametrize("evaluator", ["auto", "oneshot", "stamped", "external", "delta"])
def test_arguments_may_have_any_name(evaluator: str) -> None:
    """They are no names of constants that a program can have, and are kept as they are."""
    program = "a(X) :- p(X) in [2]. b(X,Y) :- a(X), p(Y), X != Y. c(X) :- p(X), not p(X) in {1}."
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    york, one, pair = clingo.Function("New York"), clingo.Function("1"), clingo.Function("x,y")
    answer = reasoner.step(0, [clingo.Function("p", [term]) for term in (york, one, pair, clingo.Number(1))])
    terms = {symbol.arguments[0] for symbol in answer.holds.symbols if symbol.name == "a"}
    assert terms == {york, one, pair, clingo.Number(1)}
    assert len([symbol for symbol in answer.holds.symbols if symbol.name == "b"]) == 12
    later = reasoner.step(1, [clingo.Function("p", [one])])
    assert len([symbol for symbol in later.holds.symbols if symbol.name == "a"]) == 4
    assert [symbol for symbol in later.holds.symbols if symbol.name == "c"] == []


def test_where_there_is_no_answer_stream_all_atoms_are_removed() -> None:
    """Those of components with one answer stream, and those that a choice has made."""
    reasoner = Reasoner.from_text(
        "{ on(S) } :- p(S,_). :- p(S,_), not on(S). :- p(_,9). old(S) :- p(S,_) in [5]."
    )
    assert reasoner.step(1, ["p(1,1)"]).began.texts == ("old(1)", "on(1)")
    assert reasoner.step(2, ["p(2,9)"]).ended.texts == ("old(1)", "on(1)")
    assert reasoner.step(3, ["p(2,1)"]).began.texts == ("old(1)", "old(2)", "on(2)")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (Events((clingo.Function("p", [clingo.Number(1)]),)), "must be pairs of a predicate and rows"),  # type: ignore[arg-type]
        (Events(("p(1)",)), "must be pairs of a predicate and rows"),  # type: ignore[arg-type]
        (Events((), ("pq",)), "must be pairs of a predicate and rows"),  # type: ignore[arg-type]
        (Events(5), "a tuple, not a int"),  # type: ignore[arg-type]
        (["p(1)"], "events are Events, not a list"),
        (None, "events are Events, not a NoneType"),
    ],
)
def test_records_of_what_are_no_events(given: Any, words: str) -> None:
    """It is said what they are, and the stream goes on where records may be rejected."""
    for start in (None, 0):
        reasoner = Reasoner.from_text("a(X) :- p(X).", start=start)
        with pytest.raises(InputError, match=words):
            list(reasoner.run([Record(0, given)], emit="every", on_reject="stop"))
    rejected: list[Rejected] = []
    list(Reasoner.from_text("a(X) :- p(X).").run([Record(0, given)], on_reject=rejected.append, emit="every"))
    assert len(rejected) == 1
    signature = Signature("p", 1)
    plain = [Record(tick, Events((AtomRows(signature, [(tick,)]),))) for tick in range(9)]
    for evaluator in ("delta", "flow"):
        for place in (0, 4):
            reasoner = Reasoner.from_text("a(X) :- p(X).", evaluator=evaluator)
            stream = [*plain[:place], Record(place, given), *plain[place:]]
            rejected.clear()
            answers = list(reasoner.run(stream, on_reject=rejected.append))
            assert [answer.began.texts for answer in answers] == [(f"a({tick})",) for tick in range(9)]
            assert words in rejected[0].reason and len(rejected) == 1
