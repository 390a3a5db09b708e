"""What follows from a program, as one value."""

from tests.support.programs import analysed

PROGRAM = """
    #const n = 2*k. #const k = 3.
    p(1). q(a,@f). r(X) at @now+1 :- p(X).
    { s(X) : t(X) in [n] } :- r(X) always in {1,4}, r(X) at T.
    :- u in [9 #].
"""


def test_what_is_known_of_a_program() -> None:
    analysis = analysed(PROGRAM.replace("[n]", "[6]"))
    assert analysis.constants == {"n": 6, "k": 3}
    assert list(map(str, analysis.derived)) == ["q/2", "r/1", "s/1"]
    assert list(map(str, analysis.placed)) == ["r/1"]
    assert sorted(map(str, analysis.shown)) == ["q/2", "r/1", "s/1"]
    assert {str(signature): back for signature, back in analysis.reach.items()} == {"t/1": 6, "r/1": None}
    assert len(analysis.rules) == 4
    assert {str(signature): len(rules) for signature, rules in analysis.facts.items()} == {"p/1": 1}
    assert [(str(head.atom.signature), head.is_chosen) for _, head in analysis.heads] == [
        ("q/2", False),
        ("r/1", False),
        ("s/1", True),
    ]
    assert len(analysis.streaming_atoms) == 4


def test_show_chooses_what_is_shown() -> None:
    assert list(map(str, analysed("a :- b. #show b/0.").shown)) == ["b/0"]
    assert not analysed("a :- b. #show.").shown


def test_externals_are_derived_by_no_rule() -> None:
    analysis = analysed("#external e(X) : p(X). a :- e(1).")
    assert list(map(str, analysis.externals)) == ["e/1"]
    assert list(map(str, analysis.derived)) == ["a/0"]


def test_each_is_computed_once() -> None:
    analysis = analysed(PROGRAM.replace("[n]", "[6]"))
    assert analysis.derived is analysis.derived
    assert analysis.reach is analysis.reach
