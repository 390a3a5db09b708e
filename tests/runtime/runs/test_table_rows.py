"""Tables that are read again: rows begin and end from the next tick on, as intervals of the stream do."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from lars2asp.compiler import CheckedProgram, checked_program, compile_plan
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row, Term
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.connectors.inbox import ArrivedLine
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.explanations.words.question import parsed_atom
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.table_rows import LOOK_SECONDS, Rows, TableRows
from lars2asp.runtime.runs.wall_time import WallTimeRun
from lars2asp.runtime.sources.facts.atoms import to_rows
from lars2asp.runtime.sources.input_watermarks import FromInput, InputWatermarks
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Column, Semantics, Signature, Table
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import Location, Source
from tests.strategies import Case, core
from tests.strategies.streams import INPUTS, cases
from tests.support.definition import record
from tests.support.evaluating import serving
from tests.support.examples import number_of_examples
from tests.support.records import events

EXAMPLES = number_of_examples(8)
PHASES = [one for one in Phase if one.name != "explain"]


class Turns(TableRows):
    """Rows of one predicate that are others at some of the records, counted from 0."""

    def __init__(self, signature: Signature, turns: Mapping[int, Sequence[Row]]) -> None:
        self._signature, self._turns = signature, turns
        self._looks = 0
        self.rows = {signature: dict.fromkeys(turns.get(0, ()))}

    def look(self) -> None:
        if self._looks and self._looks in self._turns:
            self.rows = {self._signature: dict.fromkeys(self._turns[self._looks])}
        self._looks += 1

    def name_of(self, signature: Signature) -> str:
        return "t.csv"


def answers(
    plan: Plan, records: Sequence[Record], case: Case, tables: TableRows | None, evaluator: str
) -> tuple[list[tuple[int, bool, Sequence[str]]], list[str]]:
    """The answers at all ticks of a run, and what was rejected."""
    found: list[tuple[int, bool, Sequence[str]]] = []
    rejected: list[Rejected] = []

    def write(answer: Answer) -> None:
        found.append((answer.tick, answer.satisfiable, answer.holds.texts))

    session = Session(
        plan, start=case.start, complete_windows=case.complete_windows, evaluator=EvaluatorName(evaluator)
    )
    DataTimeRun(session, 1, write, rejected.append, tables=tables).over(records, case.last)
    return found, [one.reason for one in rejected]


def told(checked: CheckedProgram, signature: Signature) -> Plan:
    """The plan of a program of which one predicate is that of a table."""
    columns = tuple(Column(f"c{place}") for place in range(signature.arity))
    location = Location(Source("t.lars", "#table"), 0, 6)
    table = Table(signature.name, columns, "t.csv", location=location)
    return compile_plan(replace(checked, tables=(table,)).with_told_tables)


def as_stream(
    records: Sequence[Record], signature: Signature, turns: Mapping[int, Sequence[Row]], start: int | None
) -> list[Record]:
    """The records with what begins and ends of rows: of those at a record one tick behind the one before."""
    first = records[0].tick if start is None else start
    last = {number: max(one.tick, first) for number, one in enumerate(records)}
    from_ticks = {last[number - 1] + 1 if number else first: rows for number, rows in sorted(turns.items())}
    found, held = [*records], dict[Row, None]()
    for at, rows in from_ticks.items():
        new = dict.fromkeys(rows)
        began, ended = [row for row in new if row not in held], [row for row in held if row not in new]
        events = Events(begin=(AtomRows(signature, began),), end=(AtomRows(signature, ended),))
        place = next((number for number, one in enumerate(found) if one.tick >= at), len(found))
        if began or ended:
            found.insert(place, Record(at, events))
        held = new
    return found


VALUES = [0, 1, Term("x", (), True)]


@st.composite
def turns_of(draw: st.DrawFn, arity: int, most: int) -> dict[int, list[Row]]:
    row = st.tuples(*[st.sampled_from(VALUES)] * arity)
    later = draw(st.dictionaries(st.integers(1, most), st.lists(row, max_size=3), max_size=3))
    later = {number: rows for number, rows in later.items() if number < most}
    return {0: draw(st.lists(row, max_size=3)), **later}


def without(case: Case, name: str) -> list[Record]:
    """The records of a case without the atoms of a predicate."""
    found = []
    for one in case.records:
        facts, begin, end = (
            tuple(a for a in part if a[0] != name) for part in (one.facts, one.begin, one.end)
        )
        until = one.until if facts else None
        found.append(record(replace(one, facts=facts, until=until, begin=begin, end=end)))
    return found


@pytest.mark.parametrize("name", ["p", "e"])
def test_rows_are_intervals_of_the_stream(name: str) -> None:
    signature = Signature(name, INPUTS[name])

    @given(st.data())
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), phases=PHASES)
    def holds(data: st.DataObject) -> None:
        case = data.draw(cases(core.programs()))
        turns = data.draw(turns_of(signature.arity, len(case.records)))
        try:
            checked = checked_program(Source("random.lars", case.program))
        except ProgramError:
            assume(False)
        checked = replace(checked, semantics=Semantics(case.semantics))
        by_rows, by_stream = told(checked, signature), compile_plan(checked)
        assume(all(one.is_certain for one in by_stream.components) and not by_stream.assumed)
        records = without(case, name)
        stream = as_stream(records, signature, turns, case.start)
        evaluator = data.draw(
            st.sampled_from([name for name in serving(by_rows) if name in serving(by_stream)])
        )
        expected = answers(by_stream, stream, case, None, evaluator)
        assert answers(by_rows, records, case, Turns(signature, turns), evaluator) == expected

    holds()


STREAM = [(n, [f"paid({n % 3})", f"limit({n % 2})"][: n % 3]) for n in range(12)]
PROGRAMS = [
    "alarm(C) :- paid(C), blocked(C,_).",
    "alarm(C) :- blocked(C,_), not paid(C) in [2].",
    "alarm(C) :- blocked(C,N) always in [3], N > 4.",
    "alarm(C) :- paid(C) in [3 # by C], blocked(C,_).",
    "alarm(C) :- blocked(C,_) in [3 #].  other(C) :- paid(C) in [2 #].",
    "alarm(N) :- N = #count { C : blocked(C,_), paid(C) in [4] }.",
    "alarm(C) :- paid(C), not blocked(C,_).  alarm(C) :- alarm(C) in [1], blocked(C,_).",
    "blocked(9,9) :- paid(2).  alarm(C) :- blocked(C,_).",
    "alarm(C,T) :- blocked(C,_) at T in [2].",
    "#show blocked/2.  #show alarm/1.  alarm(C) :- paid(C), blocked(C,_).",
    "#complete_windows.  alarm(C) :- blocked(C,_) always in [2].",
    "{ kept(C) } :- blocked(C,_).  :- kept(C), paid(C).  :- not kept(C), blocked(C,_), not paid(C).",
]


def sources(folder: Path, text: str, rows: str = "card,limit\n0,5\n1,7\n7,3\n") -> CheckedProgram:
    """A program beside its table."""
    (folder / "t.csv").write_text(rows)
    (folder / "p.lars").write_text(f'#table blocked(card, limit) from "t.csv".\n{text}')
    return checked_program(*read_sources([folder / "p.lars"]))


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("start", [None, 0, 2])
def test_rows_that_stay_are_as_facts(tmp_path: Path, text: str, start: int | None) -> None:
    checked = sources(tmp_path, text)
    plan, by_facts = compile_plan(checked.with_told_tables), compile_plan(checked)
    assert plan.tables and not plan.facts
    records = [Record(tick, Events(to_rows(facts))) for tick, facts in STREAM]
    case = Case(text, (), start, 14, "recorded", complete_windows=False)
    for evaluator in {*serving(plan)} & {*serving(by_facts)}:
        expected = answers(by_facts, records, case, None, evaluator)
        assert answers(plan, records, case, TableRows(plan), evaluator) == expected


class Clock:
    """Seconds that pass by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watched(tmp_path: Path) -> tuple[TableRows, Callable[[str | None], Rows]]:
    """Rows of a table, and what writes its file, lets time pass and gives the rows that there are then."""
    plan = compile_plan(sources(tmp_path, "alarm(C) :- paid(C), blocked(C,_).").with_told_tables)
    clock, file = Clock(), tmp_path / "t.csv"
    rows = TableRows(plan, clock=clock)

    def write(text: str | None) -> Rows:
        if text is None:
            file.unlink()
        else:
            file.write_text(text)
        for _ in range(2):  # it is taken where it looks the same twice
            clock.now += LOOK_SECONDS
            rows.look()
        [found] = rows.rows.values()
        return found

    return rows, write


Watched = tuple[TableRows, Callable[[str | None], Rows]]


def test_a_changed_file_is_read_again(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    rows, write = watched
    assert [*rows.rows.values()] == [{(0, 5): None, (1, 7): None, (7, 3): None}]
    assert [*write("card,limit\n1,7\n8,1\n1,7\n")] == [(1, 7), (8, 1)]
    assert caplog.messages == ["t.csv: read again: 1 rows began, 2 ended"]
    before = rows.rows
    write("limit,card\n7,1\n1,8\n")
    assert rows.rows is before


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "cannot be read"),
        ("card\n1\n", "no column 'limit'"),
        ("card,limit\n1\n", "the row has 1 cells"),
        ("card,limit\nx,1\n", "when the run began: start the run again to accept this"),
    ],
)
def test_what_cannot_be_read_keeps_the_rows(
    watched: Watched, caplog: pytest.LogCaptureFixture, text: str | None, reason: str
) -> None:
    """It is said once, and the next version that can be read counts."""
    _, write = watched
    assert len(write(text)) == 3
    [said] = caplog.messages
    assert said.startswith("t.csv: it keeps the rows that it had: ")
    assert reason in said
    caplog.clear()
    assert [*write("card,limit\n4,4\n")] == [(4, 4)]
    assert caplog.messages == ["t.csv: read again: 1 rows began, 3 ended"]


def test_what_is_asked_for_is_read_at_once(tmp_path: Path) -> None:
    plan = compile_plan(sources(tmp_path, "alarm(C) :- paid(C), blocked(C,_).").with_told_tables)
    asked: list[bool] = []
    rows = TableRows(plan, lambda: bool(asked) and asked.pop(), Clock())
    (tmp_path / "t.csv").write_text("card,limit\n4,4\n")
    rows.look()
    assert [len(one) for one in rows.rows.values()] == [3]
    asked.append(True)
    rows.look()
    assert [*rows.rows.values()] == [{(4, 4): None}]


def test_tables_of_one_predicate_are_one(tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text("card;limit\n7;3\n8;2\n")
    text = '#table blocked(card, limit) from "u.csv". alarm(C) :- paid(C), blocked(C,_).'
    rows = TableRows(compile_plan(sources(tmp_path, text).with_told_tables))
    assert [*rows.rows.values()] == [dict.fromkeys([(0, 5), (1, 7), (7, 3), (8, 2)])]
    assert rows.name_of(Signature("blocked", 2)) == "t.csv, u.csv"


def test_decimals_and_no_rows(tmp_path: Path) -> None:
    text = "#decimals blocked(_,2). alarm(C) :- paid(C), blocked(C,_)."
    plan = compile_plan(sources(tmp_path, text, "card,limit\n1,5.5\n").with_told_tables)
    assert [*TableRows(plan).rows.values()] == [{(1, 550): None}]
    plan = compile_plan(sources(tmp_path, text, "card,limit\n").with_told_tables)
    assert [*TableRows(plan).rows.values()] == [{}]


def test_the_input_has_none_of_its_atoms(tmp_path: Path) -> None:
    plan = compile_plan(sources(tmp_path, "alarm(C) :- paid(C), blocked(C,_).").with_told_tables)
    records = [
        Record(n, Events(to_rows([one]))) for n, one in enumerate(["paid(0)", "blocked(3,3)", "paid(1)"])
    ]
    case = Case("", (), None, 2, "recorded", complete_windows=False)
    found, rejected = answers(plan, records, case, TableRows(plan), "auto")
    assert [texts for _, _, texts in found] == [("alarm(0)",), (), ("alarm(1)",)]
    assert rejected == ["blocked/2 comes from a #table that is read again, not from records"]


def test_rows_are_explained_by_their_file(tmp_path: Path) -> None:
    checked = sources(tmp_path, "alarm(C) :- paid(C), blocked(C,_).")
    plan = compile_plan(checked.with_told_tables, explained=True)
    session = Session(plan, explain_last=10)
    run = DataTimeRun(session, 1, lambda _: None, refused, tables=TableRows(plan))
    run.over([Record(1, Events(to_rows(["paid(7)"]))), Record(3, Events(to_rows(["paid(7)"])))], None)
    told = str(session.explained(parsed_atom("alarm(7)"), 3, None, 1, None))
    assert "blocked(7,3)" in told
    assert "t.csv" in told


def refused(one: Rejected) -> None:
    raise AssertionError(one)


@dataclass
class Silence:
    """A clock, and a source that says nothing; the rows of the table change at a time."""

    change: Callable[[], None]
    at: int
    ends_at: int
    now: int = 0

    def microseconds(self) -> int:
        return self.now

    def take(self, until: int | None) -> ArrivedLine | None:
        assert until is not None  # it looks at the table now and then
        if self.now < self.at <= until:
            self.change()
        self.now = max(self.now, until)
        return None


def test_by_the_clock_rows_begin_and_end_without_any_input(tmp_path: Path) -> None:
    plan = compile_plan(sources(tmp_path, "#tick 1 sec. alarm(C) :- blocked(C,_).").with_told_tables)
    second, tables = 1_000_000, Turns(Signature("blocked", 2), {0: [(7, 1)]})
    changed = {Signature("blocked", 2): {(8, 1): None}}
    source = Silence(lambda: setattr(tables, "rows", changed), 20 * second, 60 * second)
    found: list[tuple[int, tuple[str, ...]]] = []
    reading = Reading(Format.FACTS, Timeline(second))
    run = WallTimeRun(
        Session(plan, start=0),
        None,
        lambda answer: found.append((answer.tick, answer.holds.texts)),
        refused,
        reading=reading,
        reader_of=partial(LiveReader, on_reject=refused),
        clock=source,
        lateness=0,
        tables=tables,
    )
    run.over(source, 40)
    [(first, before), (then, after)] = found
    assert (first, before, after) == (0, ("alarm(7)",), ("alarm(8)",))
    assert 20 <= then <= 22


BLOCKED = Signature("blocked", 2)


class Kept(TableRows):
    """Rows of a table that somebody changes."""

    def __init__(self) -> None:
        self.change()

    def change(self, *rows: Row) -> None:
        self.rows = {BLOCKED: dict.fromkeys(rows)}

    def look(self) -> None:
        """They are as they are."""

    def name_of(self, signature: Signature) -> str:
        return "t.csv"


@pytest.mark.parametrize("kept_at", [None, 2, 8, 9, 11])
@pytest.mark.parametrize("of_inputs", [False, True])
def test_rows_that_are_read_again_hold_behind_the_newest_record(
    tmp_path: Path, *, of_inputs: bool, kept_at: int | None
) -> None:
    """Not at the ticks of records that wait, which came before; of several inputs the newest counts."""
    program = "#tick 1 sec. alert(N) :- failed(I,N), not blocked(I,_)."
    plan = compile_plan(sources(tmp_path, program).with_told_tables)
    tables, found = Kept(), list[int]()

    def made() -> DataTimeRun:
        inputs = InputWatermarks([0, 1]) if of_inputs else None
        write = partial(_note_alerts, found)
        session = Session(plan, start=0)
        return DataTimeRun(session, None, write, refused, lateness=10, tables=tables, inputs=inputs)

    def parts() -> Iterator[int]:
        yield from range(1, 8)
        tables.change((6, 0))
        yield from (30, 25, 31)
        tables.change()
        yield from (29, 32, 50)

    class StopError(Exception):
        """The run is interrupted."""

    def batches(ticks: Iterator[int], last: int | None) -> Iterator[Sequence[Record]]:
        for number, tick in enumerate(ticks):
            if number == last:
                raise StopError
            yield [Record(tick, events([f"failed(6,{tick})"]))]

    def over(run: DataTimeRun, ticks: Iterator[int], last: int | None) -> None:
        some = batches(ticks, last)
        if of_inputs:  # the other one comes as far at once
            each = ([FromInput(0, one), FromInput(1, [Record(one[0].tick, Events())])] for one in some)
            run.over_inputs(chain.from_iterable(each), None)
        else:
            run.over_batches(some, None)

    ticks, run = parts(), made()
    if kept_at is not None:
        with suppress(StopError):
            over(run, chain(islice(ticks, kept_at), [0]), kept_at)
        state = json.loads(json.dumps(run._state()))
        run = made()
        run.restore(state)
    over(run, ticks, None)
    assert sorted({*found}) == [1, 2, 3, 4, 5, 6, 7, 32, 50]


def _note_alerts(found: list[int], answer: Answer) -> None:
    found += [int(text[6:-1]) for text in answer.holds.texts if text.startswith("alert")]
