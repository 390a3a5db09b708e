"""Labels, as in the examples of xclingo; what stands in its documentation is cited."""

import logging
from collections.abc import Mapping

import pytest

from lars2asp.runtime.explanations.words.labels import Labels
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source
from tests.runtime.explanations.trees import atom, bound

DRUNK = """
person(gabriel;clare).
alcohol(gabriel, 40).

%!trace_rule {"% drove drunk", P}
punish(P) :- drive(P), alcohol(P,A), A>30, person(P).

%!trace_rule {"% resisted to authority", P}
punish(P) :- resist(P), person(P).

%!trace_rule {"% goes to prison",P}
sentence(P, prison) :- punish(P).
sentence(P, innocent) :- person(P), not punish(P).

%!trace {"% alcohol's level is %",P,A} alcohol(P,A).
%!trace {"% was drunk",P} alcohol(P,A).
%!show_trace sentence(P,S).
%!mute punish(P) : vip_person(P).
"""
"""`dont_drive_drunk.lp`, the last label of a rule left out."""


def said(text: str, number: int, bindings: Mapping[str, str] | None = None) -> str:
    """The label of a statement, counted from 0."""
    program = parse(Source("p.lars", text))
    return Labels(program).label_of_rule(program.statements[number].location, bound(bindings or {}))


def atoms(text: str) -> Labels:
    return Labels(parse(Source("p.lars", text)))


def label(labels: Labels, text: str) -> str:
    """The label of an atom."""
    return labels.label_of_atom(atom(text))


def rule_labels(text: str, bindings: Mapping[str, str]) -> dict[int, str]:
    """The labels of the statements of a text, by lines."""
    program = parse(Source("p.lars", text))
    labels = Labels(program)
    found = {
        one.location.line: labels.label_of_rule(one.location, bound(bindings)) for one in program.statements
    }
    return {line: label for line, label in found.items() if label}


# --- rules ------------------------------------------------------------------------------------------------


def test_the_label_of_a_rule_stands_in_front_of_it() -> None:
    assert rule_labels(DRUNK, {"P": "gabriel", "A": "40"}) == {
        6: "gabriel drove drunk",
        9: "gabriel resisted to authority",
        12: "gabriel goes to prison",
    }


def test_the_spelling_with_a_dot() -> None:
    unbalanced = (
        "table(a). leg(a,1).\n\n"
        '%!trace_rule {"Table % is unbalanced", X}.\n'
        "unbalanced(X) :- table(X), #count{Y:leg(X,Y)}<4.\n"
    )
    assert rule_labels(unbalanced, {"X": "a"}) == {4: "Table a is unbalanced"}
    decided = 'h(kill,false).\n%!trace_rule {"I decided to kill"}.\nh(kill,true).\n'
    assert rule_labels(decided, {}) == {3: "I decided to kill"}
    diagnosis = (
        '%!trace_rule {"The bulb has been damaged at %",T}\n'
        "  h(bulb,broken,T) :- o(surge,T), not h(protect,on,T-1), time(T),T>0.\n\n"
        "% Something happening actually occurs\n"
        "  o(A,I) :- obs_o(A,I), time(I),I>0.\n"
    )
    assert rule_labels(diagnosis, {"T": "3"}) == {2: "The bulb has been damaged at 3"}


def test_terms_are_evaluated_and_strings_have_no_quotes() -> None:
    text = '%!trace_rule {"% had % at %: %, %", R, T/10, "the door", f(R,T), Unknown}.\na(R) :- b(R, T).\n'
    assert (
        said(text, 0, {"R": '"kit \\"chen\\""', "T": "-265"})
        == 'kit "chen" had -26 at the door: f(kit "chen",-265), Unknown'
    )


def test_percent_signs_and_terms_need_not_be_as_many() -> None:
    assert said('%!trace_rule {"% is 100%", R}.\na(R) :- b(R).\n', 0, {"R": '"%x"'}) == "%x is 100%"
    assert said('%!trace_rule {"it is", R, R}.\na(R) :- b(R).\n', 0, {"R": "x"}) == "it is"


def test_comments_and_blanks_may_stand_between() -> None:
    between = '%!trace_rule {"yes"}.\n\n% a remark. b.\n%* and\n a.\n *%\n#! more\na :- b.\nc :- d.\n'
    assert rule_labels(between, {}) == {8: "yes"}
    assert (said(between, 0), said(between, 1)) == ("yes", "")
    several = '%!trace_rule {"one"}.\n%!trace_rule {"two"}.\na :- b.\n'
    assert said(several, 0) == "one; two"


def test_a_rule_of_several_lines_and_its_pools() -> None:
    program = parse(Source("p.lars", '%!trace_rule {"% is far", X}.\np(X,\n  (1;2)) :-\n  q(X).\n'))
    labels = Labels(program)
    assert {labels.label_of_rule(one.location, bound({"X": "a"})) for one in program.statements} == {
        "a is far"
    }


def test_strings_and_block_comments_hold_no_labels() -> None:
    assert not atoms('a("%!trace_rule {\\"no\\"}.\\n"). b :- c.\n')
    assert not atoms('%*\n%!trace_rule {"no"}.\n*%\na :- b.\n')
    assert not atoms('%* %* *%\n%!trace_rule {"no"}.\n*%\na :- b.\n')
    assert not atoms('a :- %!trace_rule {"no"}.\n  b.\n')
    assert not atoms("%% %!trace_rule {no}.\na :- b.\n")
    text = 'a("*% %!trace_rule {").\n%!trace_rule {"yes {%}", "}"}.\nb :- c.\n'
    assert (said(text, 0), said(text, 1)) == ("", "yes {}}")


def test_a_program_of_several_sources() -> None:
    first = Source("a.lars", '%!trace_rule {"first"}.\na :- b.\n')
    second = Source("b.lars", 'b :- c.\n%!trace_rule {"second"}.\nc :- d.\n')
    program = parse(first, second)
    labels = Labels(program)
    assert [labels.label_of_rule(one.location, bound({})) for one in program.statements] == [
        "first",
        "",
        "second",
    ]


# --- atoms ------------------------------------------------------------------------------------------------


def test_the_labels_of_atoms_are_said_together() -> None:
    labels = atoms(DRUNK)
    assert label(labels, "alcohol(gabriel,40)") == ("gabriel alcohol's level is 40; gabriel was drunk")
    assert label(labels, "alcohol(gabriel)") == ""
    assert label(labels, "drive(gabriel)") == ""


def test_conditions_compare() -> None:
    labels = atoms('%!trace {"% is above (%)",P,A} alcohol(P,A) : A>40, P != clare.\na :- b.\n')
    assert label(labels, "alcohol(gabriel,41)") == "gabriel is above (41)"
    assert label(labels, "alcohol(gabriel,40)") == ""
    assert label(labels, "alcohol(clare,41)") == ""


def test_the_newer_spelling() -> None:
    labels = atoms(
        '%!trace {switch(S), "switch % is enabled",S} :- switch(S).\n'
        '%!trace {obl(P,V),"obligation: %=%",P,V} :- obl(P,V).\n'
        '%!trace {a(6), "a(6)"}.\n'
        '%!trace {-on, "it is off"} .\n'
        "a :- b.\n"
    )
    assert label(labels, "switch(3)") == "switch 3 is enabled"
    assert label(labels, "obl(kill,false)") == "obligation: kill=false"
    assert (label(labels, "a(6)"), label(labels, "a(7)")) == ("a(6)", "")
    assert (label(labels, "-on"), label(labels, "on")) == ("it is off", "")


def test_patterns_of_terms() -> None:
    labels = atoms(
        '%!trace {"Hypothesis: there has been a power surge at %",T} o(surge,T).\n'
        '%!trace {"% was initially %",F,V} h(F,V,0).\n'
        '%!trace {"% and % twice", X, Y} same(f(X,"it",_),(Y,X)).\n'
        "a :- b.\n"
    )
    assert label(labels, "o(surge,1)") == "Hypothesis: there has been a power surge at 1"
    assert label(labels, "o(break,1)") == ""
    assert label(labels, "h(light,off,0)") == "light was initially off"
    assert label(labels, 'same(f("a","it",9),(3,"a"))') == "a and 3 twice"
    assert label(labels, 'same(f("a","it",9),(3,"b"))') == ""
    assert label(labels, 'same(f("a",it,9),(3,"a"))') == ""


# --- mistakes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "label",
    [
        "%!trace_rule",
        "%!trace_rule {}.",
        '%!trace_rule {"open}.',
        '%!trace_rule {R, "label"}.',
        '%!trace_rule {"%", f(R}.',
        '%!trace_rule {"%", R} a(R).',
        '%!trace_rule {"%",, R}.',
        '%!trace {"%", R}.',
        '%!trace {"%", R} p(R) : q(R).',
        '%!trace {"%", R} not p(R).',
        "%!trace {p(R)} :- p(R).",
        '%!trace {p(R), "%", R} p(R).',
        '%!trace {"%", R} p(1..R).',
    ],
)
def test_a_label_that_cannot_be_read_is_left_out_with_one_warning(
    label: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "lars2asp"):
        labels = atoms(f"a :- b.\n{label}\nc :- d.\n")
    assert not labels
    [record] = caplog.records
    assert record.name == "lars2asp"
    assert record.getMessage().startswith(
        f"p.lars:2: this label is left out, as it cannot be read: {label} ("
    )


def test_other_annotations_are_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    assert not atoms("%!show_trace {a(X)}.\n%!mute {b}.\n%!trace_all x\n%! trace\n%!tracer {\na :- b.\n")
    assert caplog.records == []


def test_numbers_in_conditions_have_the_decimals_of_the_program() -> None:
    """As in rules: 30.5 is 305 where one decimal is declared, or where a rule makes one."""
    labels = atoms(
        "#decimals reading(_,1).\n"
        '%!trace {"% is hot", R} reading(R,T) : T > 30.5.\n'
        '%!trace {reading(R,T), "% freezes", R} :- reading(R,T), T+1.0 < 0.5.\n'
        '%!trace {"% is named", R} other(R,V) : V > 3.\n'
        "a :- b.\n"
    )
    assert label(labels, "reading(k,306)") == "k is hot"
    assert label(labels, "reading(k,305)") == ""
    assert label(labels, "reading(k,-6)") == "k freezes"
    assert label(labels, "reading(k,-5)") == ""
    assert label(labels, "other(k,4)") == "k is named"


def test_a_condition_with_too_many_decimals_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "lars2asp"):
        labels = atoms('#decimals p(1).\na :- b.\n%!trace {"%", R} p(R) : R > 30.55.\n')
    assert not labels
    assert len(caplog.records) == 1
