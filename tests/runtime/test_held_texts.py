"""Texts that are kept while atoms hold: what is put together of them is what is written anew."""

import json
from collections.abc import Sequence
from io import StringIO
from itertools import groupby
from weakref import ref

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lars2asp.externals.terms.order import atom_key
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.externals.terms.terms import (
    BARE_TERM,
    INFIMUM,
    SUPREMUM,
    GroundAtom,
    Row,
    Term,
    Value,
    constant,
    function,
    tuple_term,
)
from lars2asp.externals.terms.text import NO_DECIMALS, Decimals, atom_text, atom_texts
from lars2asp.runtime.answer import Answer, PreviousAnswer, answer_at
from lars2asp.runtime.held_texts import HeldTexts
from lars2asp.runtime.output import OutputState, Version
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sinks.emission import Emission
from lars2asp.runtime.sinks.json_lines import JsonLines, json_line
from lars2asp.syntax.nodes import Signature
from tests.strategies import ALL_PROGRAMS, Case, cases
from tests.support.definition import record
from tests.support.examples import number_of_examples
from tests.support.plans import compiled

EXAMPLES = number_of_examples(8)

NUMBERS = st.integers(-3, 3)
STRINGS = st.sampled_from(["", "a", "b c", 'a"b', "a\\b", "\n", "\x9b2J", "ä"])
CONSTANTS = st.sampled_from([constant("a"), constant("b"), constant("ab")])
OTHERS = st.sampled_from(
    [
        *(
            INFIMUM,
            SUPREMUM,
            constant("a", is_positive=False),
            tuple_term(()),
            tuple_term((1,)),
            tuple_term((1, "a")),
        ),
        *(
            function("f", (1,)),
            function("f", (1,), is_positive=False),
            function("f", (constant("a"), 2)),
            function("g", (1,)),
        ),
    ]
)
VALUES: st.SearchStrategy[Value] = NUMBERS | STRINGS | CONSTANTS | OTHERS
PLACES = [NUMBERS, STRINGS, CONSTANTS, VALUES]

P, Q, R, NEGATIVE = Signature("p", 1), Signature("q", 2), Signature("r", 0), Signature("p", 1, False)
F, NAMELESS = Signature("f", 1), BARE_TERM
DECIMALS: Decimals = {Q: (1, 0)}

Sets = dict[Signature, set[Row]]


def _is_bare(value: Value) -> bool:
    """Other terms that are shown stand under the predicates that they look like."""
    return isinstance(value, int | str) or not value.name or value.name.startswith("#")


@st.composite
def outputs(draw: st.DrawFn) -> list[Sets]:
    """Outputs that follow one another, each with what stays of the one before.

    Values of a place are of one kind, or of any.
    """
    of_p, of_q = draw(st.sampled_from(PLACES)), draw(st.tuples(*[st.sampled_from(PLACES)] * 2))
    rows = {
        P: st.tuples(of_p),
        NEGATIVE: st.tuples(of_p),
        F: st.tuples(VALUES),
        Q: st.tuples(*of_q),
        R: st.just(()),
        NAMELESS: st.tuples(VALUES.filter(_is_bare)),
    }
    signatures = draw(st.sets(st.sampled_from([*rows]), min_size=1))
    found: list[Sets] = []
    for _ in range(draw(st.integers(1, 6))):
        before = found[-1] if found else {}
        here: Sets = {}
        for signature in signatures:
            more = draw(st.sets(rows[signature], max_size=4))
            stays = {row for row in before.get(signature, ()) if draw(st.booleans())}
            here[signature] = stays | more
        found.append(here)
    return found


def answers(turns: list[Sets]) -> list[Answer]:
    """Answers with these atoms, one after the other."""
    state, found = OutputState(decimals=DECIMALS), []
    for tick, rows in enumerate(turns):
        before = state.version
        found.append(Answer(tick, True, state.fix({s: set(each) for s, each in rows.items()}), before))
    return found


def written_anew(output: Sets, decimals: Decimals = DECIMALS) -> list[str]:
    """The atoms as text, in clingo's order."""
    atoms = [GroundAtom(signature, row) for signature, rows in output.items() for row in rows]
    return [atom_text(*atom, decimals) for atom in sorted(atoms, key=atom_key)]


@given(outputs(), st.sets(st.integers(0, 5)))
def test_full_lines_are_those_written_anew(turns: list[Sets], interruptions: set[int]) -> None:
    """The run may be interrupted between two lines; then the sink has nothing."""
    output = StringIO()
    sink = JsonLines(output, Emission())
    found = answers(turns)
    for answer in found:
        if answer.tick in interruptions:
            sink = JsonLines(output, Emission(), is_first=sink.is_first)
            sink.restore(None)
        sink.write(answer)
    expected = [json_line({"time": tick, "atoms": written_anew(atoms)}) for tick, atoms in enumerate(turns)]
    assert output.getvalue() == "".join(expected)
    assert [json.loads(line)["time"] for line in expected] == [*range(len(turns))]


@given(outputs(), st.data())
def test_atoms_are_those_written_anew(turns: list[Sets], data: st.DataObject) -> None:
    """Answers are asked in any order, late or early, or not at all."""
    state, found = OutputState(decimals=DECIMALS), list[Answer]()
    for tick, rows in enumerate(turns):
        before = state.version
        found.append(Answer(tick, True, state.fix({s: set(each) for s, each in rows.items()}), before))
        for number in data.draw(st.lists(st.integers(0, tick), max_size=3)):
            assert [*answer_at(found[number], tick).holds.texts] == written_anew(turns[number])


@given(outputs())
def test_an_atom_is_written_once_while_it_holds(turns: list[Sets]) -> None:
    written: list[tuple[Signature, Row]] = []

    def write(signature: Signature, rows: Sequence[Row]) -> list[str]:
        written.extend((signature, row) for row in rows)
        return atom_texts(signature, rows, DECIMALS)

    held, before = HeldTexts({}, write), Sets()
    for answer, atoms in zip(answers(turns), turns, strict=True):
        began = [(one, row) for one, rows in atoms.items() for row in rows - before.get(one, set())]
        written.clear()
        held.change(answer.row_changes)
        assert len(written) == len(set(written))
        assert set(written) == set(began)
        assert [*held.texts()] == written_anew(atoms)
        before = atoms


def test_what_nobody_asks_for_is_not_kept() -> None:
    """Texts, and the changes since, are let go when writing all anew is less than taking over the changes."""
    output = OutputState()

    def holds(number: int) -> Version:
        return output.fix({P: {(function("h", (number,)),)}})

    assert holds(0).texts() == ("p(h(0))",)
    terms = []
    for number in range(1, 9):
        holds(number)
        terms += [ref(row[0]) for row in output.now[P] if isinstance(row[0], Term)]
    assert [term() is None for term in terms] == [True] * 6 + [False] * 2  # the last changes have both
    assert output.version.texts() == ("p(h(8))",)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(cases(ALL_PROGRAMS), st.sampled_from([1, 2, None]), st.integers(2, 5))
def test_full_lines_of_programs(case: Case, every: int | None, interval: int) -> None:
    """They have what holds; from time to time another reasoner goes on from a snapshot, with another sink."""
    note(case.program)
    plan = compiled(case)

    def begun() -> tuple[Reasoner, JsonLines]:
        reasoner = Reasoner(plan, start=case.start, complete_windows=case.complete_windows)
        return reasoner, JsonLines(output, Emission())

    output, expected = StringIO(), list[str]()
    reasoner, sink = begun()
    previous = PreviousAnswer(every, as_models=False)
    ticks = groupby(map(record, case.records), key=lambda one: one.tick)
    for number, (tick, told) in enumerate(ticks, start=1):
        for answer in reasoner.run(told, until=tick, emit="every"):
            if previous.given(answer) is None:
                continue
            sink.write(answer)
            failed = {} if answer.satisfiable else {"satisfiable": False}
            atoms = written_anew({one: {*rows} for one, rows in answer.holds.rows.items()}, NO_DECIMALS)
            expected.append(json_line({"time": answer.tick, **failed, "atoms": atoms}))
        if number % interval == 0:
            before = reasoner
            reasoner, sink = begun()
            reasoner.resume(before.snapshot())
            terms = TermTable()
            state = previous.state(terms.write)
            previous = PreviousAnswer(every, as_models=False)
            previous.restore(state, TermReader(terms.table).read, reasoner.session.output)
    assert output.getvalue() == "".join(expected)
