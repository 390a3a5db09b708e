"""Grounding with functions over keys."""

from array import array

import pytest
from clingo import Control, Function, Number

from lars2asp.externals.grounding import KeyFunctions
from lars2asp.externals.symbols import key_of, number_key


def control(text: str) -> Control:
    made = Control(logger=lambda code, message: None)
    made.add("base", [], text)
    made.add("step", ["t"], text.replace("base", "step"))
    return made


def known(made: Control) -> list[str]:
    return sorted(str(atom.symbol) for atom in made.symbolic_atoms)


def test_functions_take_and_give_keys() -> None:
    asked = []

    def values(number: int, other: int) -> "array[int]":
        asked.append((number, other))
        return array("Q", [key_of(Function("a", [])), key_of(Function("b", [Number(3)]))])

    made = control("p(X,t) :- X = @values(t,7).")
    KeyFunctions({"values": values}).ground(made, [("step", (number_key(5),))])
    assert known(made) == ["p(a,5)", "p(b(3),5)"]
    assert set(asked) == {(number_key(5), number_key(7))}


def test_a_function_may_have_no_arguments_and_no_values() -> None:
    made = control("p(X) :- X = @values. q :- not p(_) : X = 1.")
    KeyFunctions({"values": lambda: array("Q")}).ground(made, [("base", ())])
    assert known(made) == ["q"]


def test_what_a_function_raises_comes_out() -> None:
    def fail() -> "array[int]":
        raise ZeroDivisionError("no")

    functions = KeyFunctions({"values": fail})
    with pytest.raises(ZeroDivisionError, match="no"):
        functions.ground(control("p(X) :- X = @values."), [("base", ())])


def test_a_function_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError, match="others"):
        KeyFunctions({}).ground(control("p(X) :- X = @others."), [("base", ())])


def test_what_clingo_refuses_is_a_runtime_error() -> None:
    with pytest.raises(RuntimeError):
        KeyFunctions({}).ground(control("p(X) :- not q(X)."), [("base", ())])
