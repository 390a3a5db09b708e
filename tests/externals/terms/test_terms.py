"""There is one object for equal terms, as long as something holds it."""

import gc
import pickle
from concurrent.futures import ThreadPoolExecutor

from lars2asp.externals.terms.terms import (
    CONSTANTS,
    INFIMUM,
    MOST_GONE,
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
    assert tuple_term(()) is tuple_term(()) is not tuple_term((1,))
    assert pickle.loads(pickle.dumps(INFIMUM)) is INFIMUM


def test_terms_that_nothing_holds_are_let_go() -> None:
    """Those within others as well, and without being counted."""
    held = [function("let_go", (number,)) for number in range(1000)]
    before = number_of_terms()
    for number in range(5 * MOST_GONE):
        tuple_term((function("let_go", (1000 + number,)),))
    del held[500:]
    gc.collect()
    number_of_terms()  # what stood in others is gone after that
    assert number_of_terms() <= before - 500
    assert [function("let_go", (number,)) for number in range(500)] == held


def test_threads_make_the_same_terms() -> None:
    def made(_: int) -> list[Term]:
        return [function("of_threads", (number,)) for number in range(5000)]

    with ThreadPoolExecutor(8) as threads:
        first, *others = threads.map(made, range(8))
    assert all(one is other for found in others for one, other in zip(first, found, strict=True))
