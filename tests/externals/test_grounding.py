"""Grounding with functions over keys."""

from array import array
from collections.abc import Iterable

import pytest
from clingo import Control, Function, Number, Symbol

from lars2asp.externals.grounding import (
    KeyFunctions,
    NewAtoms,
    over_keys,
    search,
    shown_keys,
    switch,
    true_keys,
)
from lars2asp.externals.terms.symbols import key_of, key_of_value, symbol_of_key
from lars2asp.syntax.nodes import Signature


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
    KeyFunctions({"values": values}).ground(made, [("step", (key_of_value(5),))])
    assert known(made) == ["p(a,5)", "p(b(3),5)"]
    assert set(asked) == {(key_of_value(5), key_of_value(7))}


def texts(keys: Iterable[int]) -> list[str]:
    return sorted(str(symbol_of_key(key)) for key in keys)


@pytest.mark.parametrize("is_many", [True, False])
def test_functions_over_symbols(is_many: bool) -> None:
    def twice(number: Symbol) -> Symbol | list[Symbol]:
        made = Number(2 * number.number)
        return [made, number] if is_many else made

    made = control("p(X,t) :- X = @twice(3).")
    KeyFunctions({"twice": over_keys(twice)}).ground(made, [("base", ())])
    assert known(made) == (["p(3,t)", "p(6,t)"] if is_many else ["p(6,t)"])


def test_atoms_of_one_grounding_after_another() -> None:
    made = Control(["--warn=none"])
    made.enable_cleanup = False
    made.add("base", [], "-r. { p(b,2) }.")
    made.add("step", ["t"], "p(a,t). { p(c,t) }. q :- p(z,t).")
    some, others = NewAtoms(made, Signature("p", 2)), NewAtoms(made, Signature("r", 0, False))
    made.ground([("base", [])])
    assert texts(others.keys()) == ["-r"]
    [(key, literal)] = some.literals(of_firsts=True)
    assert (texts([key]), literal != 0) == (["b"], True)
    made.ground([("step", [Number(5)])])
    assert sorted((*texts([key]), literal != 0) for key, literal in some.literals(of_firsts=True)) == [
        ("a", False),
        ("c", True),
    ]
    again = NewAtoms(made, Signature("p", 2)).literals()
    assert sorted((*texts([key]), literal != 0) for key, literal in again) == [
        ("p(a,5)", False),
        ("p(b,2)", True),
        ("p(c,5)", True),
    ]
    assert not some.literals(of_firsts=True) and not others.keys()
    made.ground([("step", [Number(6)])])
    assert texts(some.keys()) == ["p(a,6)", "p(c,6)"]


def test_externals_are_switched_and_models_read() -> None:
    made = Control()
    made.add("base", [], "#external e(1..3). p(X) :- e(X). f. #show p/1. #show 7.")
    made.ground([("base", [])])
    atoms = NewAtoms(made, Signature("e", 1)).literals(of_firsts=True)
    found = []
    for numbers in ({1, 3}, {2}, set()):
        switch(made, [(literal, symbol_of_key(key).number in numbers) for key, literal in atoms])
        with search(made) as models:
            for model in models:
                found.append(
                    (texts(shown_keys(model)), texts(true_keys(model, [*atoms, (key_of_value(0), 0)])))
                )
    assert found == [
        (["7", "p(1)", "p(3)"], ["0", "1", "3"]),
        (["7", "p(2)"], ["0", "2"]),
        (["7"], ["0"]),
    ]


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
