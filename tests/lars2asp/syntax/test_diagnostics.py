"""Diagnostics as text."""

import pickle

import pytest

from lars2asp.compiler import check, compile_program
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.json.json_fields import UnfitError
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.source import Source


def test_messages_about_names_without_end_are_cut_off() -> None:
    name = "X" * 100_000
    [found] = check(Source("x.lars", f"a({name})."))
    assert len(found.message) < 3000
    assert len(found.hint) < 3000


def test_lines_that_are_shown_do_not_steer_a_terminal() -> None:
    """Control characters, and those that turn the direction of the text, are escaped."""
    (error,) = check(Source("t", 'a("\x1b[2J\u202e\t\x07"), b :- c(X)), d.'))
    shown = r'a("\x1b[2J\u202e' "\t" r'\x07"), b :- c(X)), d.'
    assert str(error).splitlines()[1] == f"  | {shown}"


def test_names_of_files_that_are_shown_do_not_steer_a_terminal() -> None:
    (error,) = check(Source("x\x1b[2J\n.lars", "a :- b(."))
    assert str(error).startswith("x\\x1b[2J\\n.lars:1:8-9: error: ")


def test_one_cause_in_several_files_is_told_once_with_all_places() -> None:
    first = Source("first.lars", "a :- b.\nc :- d in [1 sec].\ne :- f in [2 sec].\n")
    second = Source("second.lars", "\n".join(f"g{i} :- h in [{i} sec]." for i in (1, 2, 3, 4)))
    third = Source("third.lars", "i :- j.\nk :- l in [1 sec]. m :- n in [1 sec].\n\n\no :- p in [2 sec].")
    [found] = check(first, second, third)
    assert (str(found.location), len(found.also)) == ("first.lars:2:12-17", 8)
    assert str(found).splitlines()[3] == "  also: line 3; second.lars: lines 1-4; third.lars: lines 2, 5"


def test_what_has_causes_of_its_own_is_told_each_time() -> None:
    found = check(Source("x.lars", "a(X) :- b. c(X) :- d."))
    assert [one.message for one in found] == [
        "unsafe variable X: nothing gives it a value",
        "unsafe variable X: nothing gives it a value",
    ]


def test_errors_are_the_same_in_another_process() -> None:
    with pytest.raises(ProgramError) as raised:
        compile_program(Source("p.lars", "a(X). b :- c(Y), not d(Z)."))
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and "\n" in str(again)
    assert [str(one) for one in again.diagnostics] == [str(one) for one in raised.value.diagnostics]
    for error in (InputError("no", source="a.csv", line=3), UnfitError("no", 4)):
        found = pickle.loads(pickle.dumps(error))
        assert (str(found), vars(found)) == (str(error), vars(error))
