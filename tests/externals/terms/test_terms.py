"""There is one object for equal terms, as long as something holds it."""

import gc
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from lars2asp.externals.terms import terms
from lars2asp.externals.terms.terms import (
    CONSTANTS,
    INFIMUM,
    MOST_CONSTANTS,
    Term,
    constant,
    function,
    number_of_terms,
    tuple_term,
)


def test_equal_terms_are_one_object() -> None:
    assert constant("a") is CONSTANTS["a"] is function("a", ()) is pickle.loads(pickle.dumps(constant("a")))
    assert constant("a", is_positive=False) is function("a", (), is_positive=False) is not constant("a")
    assert function("f", (1, "x", constant("a"))) is function("f", (1, "x", constant("a")))
    assert tuple_term(()) is function("", ()) is not tuple_term((1,))
    assert constant("a" * 1000) is constant("a" * 1000) is function("a" * 1000, ())
    assert pickle.loads(pickle.dumps(INFIMUM)) is INFIMUM


def test_terms_that_nothing_holds_are_let_go() -> None:
    """Those within others as well, and without being counted."""
    held = [function("let_go", (number,)) for number in range(1000)]
    before = number_of_terms()
    for number in range(3 * MOST_CONSTANTS):
        tuple_term((function("let_go", (constant(f"let_go_{number}"),)),))
    for number in range(1000):
        constant("let_go" * 100 + str(number))
    del held[500:]
    gc.collect()
    assert number_of_terms() <= before - 500 + MOST_CONSTANTS
    assert [function("let_go", (number,)) for number in range(500)] == held


def test_threads_make_the_same_terms() -> None:
    def made(_: int) -> list[Term]:
        return [function("of_threads", (constant(f"of_threads_{number}"),)) for number in range(5000)]

    with ThreadPoolExecutor(8) as threads:
        first, *others = threads.map(made, range(8))
    assert all(one is other for found in others for one, other in zip(first, found, strict=True))


@pytest.mark.parametrize("many", [1, 2000])
def test_columns_of_rows(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    """Whichever way they are taken."""
    monkeypatch.setattr(terms, "MANY_ROWS", many)
    assert terms.columns_of([(1, "a"), (2, "b")]) == [(1, 2), ("a", "b")]
    assert terms.columns_of([(), ()]) == []
    with pytest.raises(ValueError, match=r"argument 2|unpack"):
        terms.columns_of([(1, 2), (1,)])


@pytest.mark.parametrize("value", [1.0, True, 2.5, None, ("a",), [1]])
def test_arguments_of_terms_are_values(value: Any) -> None:
    """Equal to 1 as a key, 1.0 would be what stands in the place of 1 from then on."""
    with pytest.raises(TypeError, match=r'an int, a str or a Term, not .*\("temp", 20\.5\)|unhashable'):
        function("not_a_term", (value,))
    assert type(function("not_a_term", (1,)).arguments[0]) is int
