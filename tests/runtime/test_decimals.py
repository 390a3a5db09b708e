"""Decimals, held to the same program with integers, whose input and output are scaled by hand."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program, compile_plan, compile_program
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import CONSTANTS, AtomRows
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Origin, Record, Rejected, refuse
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.parser import parse_input_declaration
from lars2asp.syntax.source import Source
from tests.strategies.decimal_programs import DecimalCase, Fact, by_hand, decimal_cases
from tests.support.evaluating import serving
from tests.support.examples import number_of_examples

READING = Signature("reading", 2)


def as_text(name: str, room: str, number: int, decimals: int) -> str:
    return f"{name}({room},{by_hand(number, decimals)})"


def as_tuple(name: str, room: str, number: int, decimals: int) -> tuple[Any, ...]:
    return name, CONSTANTS[room], Decimal(by_hand(number, decimals)) if decimals else number


def as_float(name: str, room: str, number: int, decimals: int) -> tuple[Any, ...]:
    text = by_hand(number, decimals)
    return name, CONSTANTS[room], float(text) if decimals else int(text)


def in_integers(name: str, room: str, number: int, decimals: int) -> tuple[Any, ...]:
    return name, CONSTANTS[room], number


@settings(max_examples=15, deadline=None)
@given(decimal_cases(), st.sampled_from([as_text, as_tuple, as_float]))
def test_a_program_with_decimals_is_the_one_with_integers(
    case: DecimalCase, given_as: Callable[[str, str, int, int], Any]
) -> None:
    with_point = compile_program(Source("x.lars", case.program))
    integers = compile_program(Source("x.lars", case.integers))
    assert with_point.whole.program.text == integers.whole.program.text
    assert with_point.whole.program.facts == integers.whole.program.facts
    for evaluator in serving(integers):
        one, other = Reasoner(with_point, evaluator=evaluator), Reasoner(integers, evaluator=evaluator)

        def told(facts: list[Fact], how: Callable[[str, str, int, int], Any]) -> list[Any]:
            return [how(*fact, case.decimals[fact[0]][-1]) for fact in facts]

        for tick, facts in enumerate(case.stream):
            answer = one.step(tick, told(facts, given_as))
            expected = other.step(tick, told(facts, in_integers))
            assert answer.holds.rows == expected.holds.rows
            texts = {
                case.text(found.name, row) for found, rows in expected.holds.rows.items() for row in rows
            }
            assert set(answer.holds.texts) == texts
            assert [*map(str, answer.holds.symbols)] == [*map(str, expected.holds.symbols)]


NUMBERS = st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(1, 9))
ROOMS = st.sampled_from(["hall", '"a, b"', "f(x)", "-3", "-a"])


@settings(max_examples=40)
@given(st.lists(st.tuples(NUMBERS, ROOMS), min_size=1, max_size=12), st.integers(1, 9))
def test_what_is_written_is_read_again(numbers: list[tuple[tuple[int, int], str]], decimals: int) -> None:
    plan = compile_program(Source("x.lars", f"#decimals reading(_,{decimals}). #show reading/2."))
    texts = {f"reading({room},{by_hand(number, decimals)})" for (number, _), room in numbers}
    answer = Reasoner(plan).step(0, sorted(texts))
    assert set(answer.holds.texts) == texts
    line = json.dumps({"time": 0, "facts": answer.holds.texts})
    [record] = Reading(timeline=Timeline(), decimals=plan.decimals).records([line], "x", refuse)
    assert {one: set(rows) for one, rows in record.events.facts} == answer.holds.rows
    assert [set(rows) for _, rows in FactReader(plan.decimals).parse_list(", ".join(answer.holds.texts))] == [
        *answer.holds.rows.values()
    ]


@settings(max_examples=40)
@given(NUMBERS, st.integers(1, 3), st.sampled_from(["text", "tuple", "csv", "json"]), st.integers(0, 7))
def test_numbers_that_do_not_fit_are_refused(
    number: tuple[int, int], decimals: int, form: str, others: int
) -> None:
    text = by_hand(*number)
    exact = Decimal(text).scaleb(decimals)
    fits = exact == exact.to_integral_value()
    reader, timeline = FactReader({READING: (0, decimals)}), Timeline()
    rejected: list[Rejected] = []
    facts = [f"reading(hall,{other}.0)" for other in range(others)] + [f"reading(hall,{text})"]
    found: list[AtomRows] = []
    try:
        if form == "text":
            found = [*reader.rows(facts)]
        elif form == "tuple":
            found = [*reader.rows([("reading", CONSTANTS["hall"], Decimal(text))])]
        else:
            reading = Reading(
                Format.CSV if form == "csv" else Format.JSONL,
                timeline,
                [parse_input_declaration("reading(constant(room), temp)")],
                decimals=reader.decimals,
            )
            lines = ["time,room,temp", f"0,hall,{text}"]
            if form == "json":
                lines = [json.dumps({"time": 0, "facts": facts})]
            found = [
                atoms for one in reading.records(lines, "x", rejected.append) for atoms in one.events.facts
            ]
    except InputError:
        assert not fits
        return
    assert bool(rejected) == (not fits)
    if fits:
        assert found[-1].rows[-1] == (CONSTANTS["hall"], int(exact))
    elif exact != exact.to_integral_value():
        assert "#decimals" in rejected[0].reason


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        ("reading(hall,24.11)", "24.11 has more than 1 decimal: declare #decimals reading(_,2)."),
        ("reading(hall," + "3" * 4000 + ")", "is longer than 4000 digits"),
        (
            "reading(2.5,24.1)",
            "2.5 is a decimal, but this argument is an integer: declare #decimals reading(1,1).",
        ),
        (
            "other(hall,1.50)",
            "1.50 is a decimal, but this argument is an integer: declare #decimals other(_,1).",
        ),
        ("reading(f(2.5),24.1)", "decimals are allowed only as arguments of the atom itself"),
        ("reading(hall,24.1.1)", "is not an atom"),
        (
            ("reading", "hall", 24.15),
            "argument 2 of reading: 24.15 has more than 1 decimal: declare #decimals reading(_,2).",
        ),
        (("reading", "hall", 0.1 + 0.2), "has more than 1 decimal: round it"),
        (
            ("reading", 2.5, 24.1),
            "1 of reading: 2.5 is a decimal, but this argument is an integer: declare it (#decimals "
            "reading(1,1).)",
        ),
        (
            ("-other", "hall", 1e-3),
            "2 of -other: 0.001 is a decimal, but this argument is an integer: declare it (#decimals "
            "other(_,3).)",
        ),
        (
            ("other", Decimal("1.50"), 7.0),
            "argument 1 of other: 1.50 is a decimal, but this argument is an integer",
        ),
        (("other", "hall", float("inf")), "inf is not a number"),
        (("other", "hall", 2.0**-100), "declare its decimals"),
        (("reading", "hall", float("nan")), "'nan' is not a number"),
        (("reading", "hall", Decimal("1e4000")), "is longer than 4000 digits"),
        (("reading", "hall", 10**5000), "is longer than 4000 digits"),
    ],
)
def test_what_is_said_of_numbers_that_do_not_fit(fact: Any, reason: str) -> None:
    with pytest.raises(InputError) as error:
        FactReader({READING: (0, 1)}).rows([fact])
    assert reason in str(error.value)


def test_numbers_of_numpy_and_arrow_are_values() -> None:
    numpy, arrow = pytest.importorskip("numpy"), pytest.importorskip("pyarrow")
    values = [
        numpy.float32(24.1),
        numpy.float64(24.1),
        numpy.int64(24),
        arrow.scalar(24.1),
        arrow.scalar(Decimal("24.1")),
    ]
    facts = [("reading", number, value) for number, value in enumerate(values)]
    [atoms] = FactReader({READING: (0, 1)}).rows(facts)
    assert [*atoms.rows] == [(0, 241), (1, 241), (2, 240), (3, 241), (4, 241)]


@pytest.mark.parametrize("number", [1, 5, 6, 30])
@pytest.mark.parametrize("other", [("temp", "hall", 1), "temp(hall,1)"])
def test_a_float_without_decimals_is_refused_by_name(number: int, other: Any) -> None:
    """Alone, among others of its column, and among facts of other kinds; the declaration then takes it."""
    facts = [*[other] * (number - 1), ("temp", "hall", 20.75)]
    with pytest.raises(InputError) as error:
        Reasoner.from_text("hot(R) :- temp(R,T), T > 20.").step(0, facts)
    assert "argument 2 of temp: 20.75" in str(error.value)
    [declaration] = re.findall(r"declare it \((.*?\.)\)", str(error.value))
    holds = Reasoner.from_text(f"{declaration} hot(R,T) :- temp(R,T), T > 20.74.").step(0, facts).holds
    assert holds.texts == ('hot("hall",20.75)',)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((20.6, "20.6"), (-2.5, "-2.5"), (20.0, "20.0"), (Decimal("20.60"), "20.6"), ("20.6", "20.6")),
        *((20, "20.0"), (1e22, f"{10**22}.0"), (-0.0, "0.0"), (1e-1, "0.1")),
    ],
)
def test_constants_may_be_floats(value: Any, text: str) -> None:
    program = "#decimals temp(1).  at(limit) :- temp(_).  #decimals at(1).  #const limit = 1.0."
    holds = Reasoner.from_text(program, const={"limit": value}).step(0, [("temp", 3.5)]).holds
    assert holds.texts == (f"at({text})",)


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), Decimal("NaN")])
def test_constants_are_numbers(value: Any) -> None:
    with pytest.raises(ValueError, match=r"the constant limit is .*, which is not a number"):
        Reasoner.from_text("a :- p(limit).  #const limit = 1.", const={"limit": value})


def test_a_float_as_a_constant_names_the_declaration_it_needs() -> None:
    with pytest.raises(ProgramError, match=r"declare it: #decimals temp\(2\)\."):
        Reasoner.from_text("a :- temp(T), T > limit.  #const limit = 1.", const={"limit": 20.25})


def test_strings_terms_and_symbols_stay_what_they_are() -> None:
    clingo = pytest.importorskip("clingo")
    reader = FactReader({READING: (0, 1)})
    symbol = clingo.parse_term("reading(hall,241)")
    facts = [("reading", CONSTANTS["hall"], "24"), symbol, ("reading", CONSTANTS["hall"], clingo.Number(241))]
    assert [row for one in facts for atoms in reader.rows([one]) for row in atoms.rows] == [
        (CONSTANTS["hall"], "24"),
        (CONSTANTS["hall"], 241),
        (CONSTANTS["hall"], 241),
    ]
    [atoms] = reader.rows(["reading(hall,none)", symbol, "reading(hall,24)"])
    assert [row[1] for row in atoms.rows] == [
        CONSTANTS["none"],
        241,
        240,
    ]


def test_a_scaled_column_makes_the_integer_of_the_program() -> None:
    declarations = [parse_input_declaration("reading(constant(room), temp*10)")]
    reading = Reading(Format.CSV, Timeline(), declarations, decimals={READING: (0, 1)})
    [record] = reading.records(["time,room,temp", "0,hall,24.16"], "x", refuse)
    assert record.events.facts[0].rows == [(CONSTANTS["hall"], 242)]


def test_a_snapshot_is_of_the_decimals_too() -> None:
    one, other = (
        Reasoner.from_text(f"#decimals reading({decimals}). a(T) :- reading(T) in [5].")
        for decimals in (1, 2)
    )
    one.step(0, ["reading(24.1)"])
    snapshot = one.snapshot()
    again = Reasoner.from_text("#decimals reading(1). a(T) :- reading(T) in [5].")
    again.resume(snapshot)
    assert again.step(1).holds.texts == ("a(24.1)",)
    with pytest.raises(Exception, match="another program"):
        other.resume(snapshot)


@settings(max_examples=number_of_examples(8), deadline=None)
@given(decimal_cases())
def test_explanations_have_the_numbers_that_integers_stand_for(case: DecimalCase) -> None:
    checked = checked_program(Source("x.lars", case.program))
    reasoner = Reasoner(compile_plan(checked, explained=True), explain_last=1000)
    stream: list[Record] = []
    for tick, facts in enumerate(case.stream):
        rows = FactReader(reasoner.plan.decimals).rows(
            [as_text(*one, case.decimals[one[0]][-1]) for one in facts]
        )
        stream.append(Record(tick, Events(rows), Origin("x", tick)))
    held = {answer.tick: answer.holds.texts for answer in reasoner.run(stream, emit="every")}
    atoms = sorted({atom for found in held.values() for atom in found})
    for atom in atoms[:6]:
        for tick in [min(held), max(held)]:
            explanation = json.loads(json.dumps(reasoner.why(atom, tick).to_dict()))
            assert explanation["explains"][0]["atom"] == atom
            assert explanation["explains"][0]["holds"] == (atom in held[tick])
            assert check_explanation(checked.written, arrivals(stream), explanation) == []


def test_an_explanation_with_decimals() -> None:
    reasoner = Reasoner.from_text(
        """
        #decimals reading(_,1).
        %!trace_rule {"% has %", R, T}.
        hot(R,T*1.5) :- reading(R,T), T > 25.5, not reading(R,90.0), 1 #count { S: reading(_,S) }.
        total(S) :- S = #sum { T,R: reading(R,T) }.
        """,
        explain_last=5,
    )
    reasoner.step(1, ["reading(hall,26)", "reading(attic,-0.5)"])
    text = reasoner.why("hot(hall,39.00)").to_text()
    for said in ("hall has 26.0", "reading(hall,26.0)", "26.0 > 25.5", "not reading(hall,90.0)", "-0.5:"):
        assert said in text
    assert "value 25.5" in reasoner.why("total(25.5)").to_text()
    assert "25.6" in reasoner.why("total(25.6)").to_text()
    with pytest.raises(InputError, match=r"26\.55 has more than 1 decimal"):
        reasoner.why("reading(hall,26.55)")
    with pytest.raises(InputError, match=r"nothing says how many decimals 2\.5 has there"):
        reasoner.why("other(2.5)")


def test_a_changed_number_in_an_explanation_is_found() -> None:
    program = "#decimals reading(1). a(T) :- reading(T), T > 25.5."
    checked = checked_program(Source("x.lars", program))
    reasoner = Reasoner(compile_plan(checked, explained=True), explain_last=5)
    stream = [Record(1, Events(FactReader(reasoner.plan.decimals).rows(["reading(26)"])), Origin("x", 1))]
    [_] = reasoner.run(stream, emit="every")
    said = json.dumps(reasoner.why("a(26)").to_dict())
    assert check_explanation(checked.written, arrivals(stream), json.loads(said)) == []
    for other in ("26.1", "26.00", "26", "260"):
        changed = json.loads(said.replace('reading(26.0)"', f'reading({other})"'))
        assert check_explanation(checked.written, arrivals(stream), changed) != []
