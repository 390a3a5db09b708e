"""What cannot meet is an error that names both places; what may meet is none."""

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.analysis.passes.argument_types import check_types
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.compiler import PASSES, check, read_program
from lars2asp.syntax.diagnostics import Diagnostic, Diagnostics, Severity
from lars2asp.syntax.source import Location, Source
from tests.strategies import GROUPS, keyed_choices, splittable_programs
from tests.strategies.decimal_programs import decimal_cases
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(20)
VALID = st.one_of(
    splittable_programs(),
    keyed_choices(),
    decimal_cases().map(lambda case: case.program),
    *(group.map(lambda case: case.program) for group in GROUPS.values()),
)
LIMIT, TURNED = "limit(kitchen,25).\n", "limit(25,kitchen).\n"
TIMES = "#types order(integer,time,time), left(duration), d(duration). left(3). d(2).\n"
IN = "#input reading(text(room), number(temp), constant(state), window).\n"


def errors(program: str) -> list[Diagnostic]:
    return [one for one in check(Source("x.lars", program)) if one.severity is Severity.ERROR]


def text_of(location: Location) -> str:
    return location.source.text[location.begin : location.end]


def test_a_plain_column_is_of_either_type() -> None:
    [error] = errors("#input r(v).\na :- r(V), V = on.")
    assert error.notes[0].message == "this is a number or text: a plain column contains either"


@pytest.mark.parametrize(
    ("program", "place", "others", "hint"),
    [
        # text where numbers are taken
        ("#input r(text(v)).\na :- r(V), V > 250.", "V > 250", ["text(v)"], 'number("v")'),
        ("#input r(text(v)).\na :- r(V), 250 <= V.", "250 <= V", ["text(v)"], 'number("v")'),
        ("#input r(text(v)).\na(V+1) :- r(V).", "V", ["text(v)", "V+1"], 'number("v")'),
        ("#input r(text(v)).\na(W) :- r(V), W = 2*V.", "V", ["text(v)", "2*V"], 'number("v")'),
        ("#input r(text(v)).\na(|V|) :- r(V).", "V", ["text(v)"], 'number("v")'),
        ("#input r(text(v)).\na(S) :- S = #sum { V : r(V) in [5] }.", "V", ["text(v)"], 'number("v")'),
        ("#input r(text(v)).\na :- r(V), p at V.", "V", ["text(v)", "V"], 'number("v")'),
        ("#input r(text(v)).\na :- r(V), p count V in [3].", "V", ["text(v)", "V"], 'number("v")'),
        (IN + "a(S) :- reading(R,_,S,_), S < 3.", "S < 3", ["constant(state)"], 'number("state")'),
        # names, texts and numbers where others are
        (IN + "a(R) :- reading(R,_,_,shut).", "shut", ["window"], '"shut"'),
        (IN + "a(R) :- reading(R,_,_,W), W = shut.", "W = shut", ["window"], '"shut"'),
        (IN + "a :- reading(kitchen,_,_,_).", "kitchen", ["text(room)"], '"kitchen"'),
        (IN + "a :- reading(_,_,\"on\",_).", '"on"', ["constant(state)"], 'text("state")'),
        (IN + "a :- not reading(7,_,_,_).", "7", ["text(room)"], ""),
        (IN + 'a :- reading(_,"high",_,_).', '"high"', ["number(temp)"], 'text("temp")'),
        (IN + "a :- reading(f(1),_,_,_).", "f(1)", ["text(room)"], ""),
        # joins
        (IN + LIMIT + "a :- reading(R,_,_,_), limit(R,_).", "R", ["text(room)", "kitchen"], '"kitchen"'),
        (IN + TURNED + "a :- reading(_,T,_,_), limit(_,T).", "T", ["number(temp)", "kitchen"], ""),
        (IN + "a :- reading(X,X,_,_).", "X", ["text(room)", "number(temp)"], ""),
        (IN + 'on("x").\na :- reading(_,_,S,_), on(S).', "S", ["constant(state)", '"x"'], "text"),
        (IN + "a :- reading(R,T,_,_), R = T.", "R = T", ["text(room)", "number(temp)"], ""),
        (IN + "h(R) :- reading(R,_,_,_). \na :- h(5).", "5", ["text(room)"], ""),
        (IN + "h(T,R) :- reading(R,T,_,_). a :- h(R,T), T > 20.", "T > 20", ["text(room)"], 'number("room")'),
        (IN + "a(X) :- reading(X,_,_,_). b(X) :- reading(_,_,X,_). c :- a(X), b(X).", "X",
         ["text(room)", "constant(state)"], ""),
        (IN + "a(R) :- reading(R,_,_,_), not known(R).\nknown(5).", "R", ["text(room)", "5"], ""),
        (IN + "a :- reading(R,_,_,_) in [5], reading(_,R,_,_).", "R", ["text(room)", "number(temp)"], ""),
        (IN + "a :- reading(R,T,_,_), p(R,T). p(X,Y) :- reading(Y,X,_,_) in [3].", "R",
         ["text(room)", "number(temp)"], ""),
        (IN + "a(R) :- reading(R,_,_,_), R != kitchen.", "R != kitchen", ["text(room)"], '"kitchen"'),
        (IN + "a(R) :- reading(R,_,_,_), R = kitchen.", "R = kitchen", ["text(room)"], '"kitchen"'),
        (IN + "a(R) :- reading(R,T,_,_), T = \"high\".", 'T = "high"', ["number(temp)"], "text"),
        (IN + "a(R) :- reading(R,T,_,_), T > \"25\".", 'T > "25"', ["number(temp)"], "write 25"),
        (IN + "a(R) :- reading(R,_,S,_), S = \"on\".", 'S = "on"', ["constant(state)"], "write on"),
        (IN + "a(R) :- reading(R,_,S,_), S != \"on\".", 'S != "on"', ["constant(state)"], "write on"),
        (IN + "a(R) :- reading(R,_,S,_), S = 1.", "S = 1", ["constant(state)"], ""),
        # aggregates, conditions, choices
        (IN + "a(S) :- S = #sum { R,T : reading(R,T,_,_) }.", "R", ["text(room)"], 'number("room")'),
        (IN + "a(S) :- S = #sum+ { X : reading(_,_,X,_) }.", "X", ["constant(state)"], ""),
        (IN + "a :- #count { R : reading(R,_,_,_), R > 5 } > 3.", "R > 5", ["text(room)"], 'number("room")'),
        (IN + "a :- #max { R : reading(R,_,_,_) } > 5.", "5", ["text(room)"], 'number("room")'),
        (IN + "a :- M = #max { R : reading(R,_,_,_) }, M > 5.", "M > 5", ["text(room)"], 'number("room")'),
        (IN + "a :- b : reading(R,_,_,_), R < 3. b.", "R < 3", ["text(room)"], ""),
        (IN + "{ a(R) : reading(R,_,_,_), limit(R) }. limit(kitchen).", "R", ["text(room)", "kitchen"], ""),
        (IN + "n(C) :- C = #count { R : reading(R,_,_,_) }. a :- n(\"5\").", '"5"',
         ["C = #count { R : reading(R,_,_,_) }"], ""),
        (IN + ":~ reading(R,_,_,_). [R]", "R", ["text(room)"], ""),
        # units: times and durations
        (TIMES + "a(A+B) :- order(_,A,B).", "A+B", ["order(integer,time,time)"], ""),
        (TIMES + "a(2*A) :- order(_,A,_).", "2*A", ["order(integer,time,time)"], ""),
        (TIMES + "a(S) :- S = #sum { A,I : order(I,A,_) }.", "A", ["order(integer,time,time)"], ""),
        (TIMES + "d(B-A) :- order(_,A,B). a :- d(D), order(_,D,_).", "D", ["d(duration)"], ""),
        (TIMES + "a :- d(D), order(_,A,_), D < A.", "D < A", ["d(duration)"], ""),
        (TIMES + "a(D-A) :- order(_,A,B), D = B-A.", "D-A", ["order(integer,time,time)"], ""),
        (TIMES + "a(D*D) :- order(_,A,B), D = B-A.", "D*D", ["B-A"], ""),
        (TIMES + "left(A) :- order(_,A,_).", "A", ["order(integer,time,time)", "left(duration)"], ""),
        (TIMES + "a :- order(_,A,_), left(A).", "A", ["order(integer,time,time)", "left(duration)"], ""),
        (TIMES + "a :- order(\"x\",_,_).", '"x"', ["order(integer,time,time)"], ""),
        # declared types
        ("#types p(text).\np(X+1) :- q(X).", "X+1", ["p(text)"], ""),
        ("#types p(integer).\np(a).", "a", ["p(integer)"], ""),
        ("#types p(text). #input p(number(v)).", "number(v)", ["p(text)"], 'text("v")'),
        ("#decimals p(1). #input p(text(v)).", "text(v)", ["p(1)"], 'number("v")'),
        ("#types p(text).\na :- p(X), X > 5.", "X > 5", ["p(text)"], ""),
        ("#types p(name), q(text).\na :- p(X), q(X).", "X", ["p(name)", "q(text)"], ""),
        ('a :- X = "x", X > 5.\na :- p(X).', "X > 5", ['"x"'], ""),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_both_places(program: str, place: str, others: list[str], hint: str) -> None:
    found = errors(program)
    assert found, "nothing is said"
    error = found[0]
    assert text_of(error.location) == place
    noted = [text_of(note.location) for note in error.notes]
    assert set(others) <= {*noted}, noted
    assert hint in error.hint


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(VALID)
def test_random_programs_have_no_types_that_cannot_meet(program: str) -> None:
    """Those that other passes refuse are passed over."""
    note(program)
    diagnostics = Diagnostics()
    analysis = ProgramAnalysis(read_program(Source("x.lars", program), diagnostics=diagnostics))
    for one in PASSES:
        if one is not check_types:
            rewritten = one(analysis, diagnostics)
            analysis = ProgramAnalysis(rewritten) if rewritten else analysis
    assume(not diagnostics.has_errors)
    check_types(analysis, diagnostics)
    assert not diagnostics.has_errors


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("ValveOpen", 'write text("state") in #input'),
        ("valve open", 'write text("state") in #input'),
        ("valve_open", 'write valve_open, without quotes, or text("state") in #input'),
    ],
)
def test_a_name_without_quotes_is_proposed_only_if_it_is_one(text: str, hint: str) -> None:
    program = f'#tick 1 sec. #input valve(constant(state)) at ts. a :- valve("{text}").'
    [found] = check(Source("x.lars", program))
    assert found.hint == hint
