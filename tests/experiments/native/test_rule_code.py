"""Rules as Python text."""

import textwrap

from experiments.native import rule_code
from experiments.native.book import Book
from experiments.native.native_program import native_program
from experiments.native.rule_code import JoinPlan, written_out
from tests.experiments.native.running import checked


def test_the_text_is_as_the_module_shows_it() -> None:
    assert rule_code.__doc__ is not None
    program, text = (part.partition("\n\n")[0] for part in rule_code.__doc__.split("\n\n    ")[1:3])
    native = native_program(checked(program))
    [rule] = native.rules
    book = Book(native)
    found, _ = written_out(rule, JoinPlan(0, excludes_new=True), book.state(rule.predicate), book)
    shown = textwrap.dedent("    " + text).replace("...", "").strip()
    assert textwrap.indent(shown, "    ") in found


def test_what_is_new_in_two_formulae_is_joined_once() -> None:
    native = native_program(checked("q(X,Z) :- p(X,Y) in [80], p(Y,Z) in [80]."))
    [rule] = native.rules
    book = Book(native)
    first, second = (
        written_out(rule, JoinPlan(driver, excludes_new=True), book.state(rule.predicate), book)[0]
        for driver in (0, 1)
    )
    assert "[0] == t: continue" not in first
    assert "[0] == t: continue" in second
