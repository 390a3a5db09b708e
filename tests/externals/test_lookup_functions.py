"""Answers of the database on their way to clingo: rows, keys, and the functions that are called for them."""

import random

import pytest
from clingo import Control, parse_term

from lars2asp.analysis.windows import Sliding
from lars2asp.externals.lookup_functions import KeptAnswer, LookupFunctions, answer_keys, answer_rows
from lars2asp.externals.terms.symbols import key_of, symbol_of_key
from lars2asp.externals.terms.terms import Row, Value, constant
from lars2asp.externals.views import Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

P2, Q0 = Signature("p", 2), Signature("q", 0, False)
WINDOW = Sliding(5)
A, B = constant("a"), constant("b")


@pytest.mark.parametrize(
    ("lookup", "rows", "texts"),
    [
        (Lookup(LookupKind.INPUT, P2), [(A, 1), (1, "x")], ["p(a,1)", 'p(1,"x")']),
        (Lookup(LookupKind.NOW, Q0), [()], ["-q"]),
        (Lookup(LookupKind.LEAST, P2, WINDOW, 2), [(A, B)], ["p(a,b)"]),
        (Lookup(LookupKind.AT, P2, WINDOW), [(A, 1, 7), (A, 1, 8)], ["(p(a,1),7)", "(p(a,1),8)"]),
        (Lookup(LookupKind.COUNT, Q0, WINDOW), [(3,)], ["(-q,3)"]),
        (Lookup(LookupKind.COUNT_BEFORE, P2, WINDOW), [(A, "x", 3)], ['(p(a,"x"),3)']),
        (Lookup(LookupKind.SCHEDULED, P2), [(A, 1, 7)], ["(p(a,1),7)"]),
        (Lookup(LookupKind.SPAN, None, WINDOW), [(3, 5), (7, 7)], ["(3,5)", "(7,7)"]),
        (Lookup(LookupKind.TICKS, None, WINDOW), [(3,)], ["(3,)"]),
        (Lookup(LookupKind.HAS_NOW, None, WINDOW), [()], ["()"]),
        (Lookup(LookupKind.NOTHING_BEFORE, None, WINDOW), [], []),
    ],
)
def test_answers_as_generated_text_has_them(lookup: Lookup, rows: list[Row], texts: list[str]) -> None:
    keys = answer_keys(lookup, rows)
    assert keys == [key_of(parse_term(text)) for text in texts]
    assert answer_rows(lookup, keys) == rows


@pytest.mark.parametrize("is_ordered", [True, False])
def test_an_answer_follows_its_changes(is_ordered: bool) -> None:
    choose = random.Random(3)
    lookup = Lookup(LookupKind.AT, P2, WINDOW)
    values: list[Value] = [A, B, 1, -1, "a"]
    kept, now = KeptAnswer(lookup, is_ordered=is_ordered), set[Row]()
    for tick in range(100):
        rows: set[Row] = {(choose.choice(values), choose.choice(values), tick % 3) for _ in range(6)}
        kept.change(Changes(list(rows - now), list(now - rows)))
        now = rows
        assert set(kept.rows) == now
        if tick % 2:
            keys = kept.keys()
            assert set(keys) == set(answer_keys(lookup, list(now)))
            if is_ordered:
                symbols = list(map(symbol_of_key, keys))
                assert symbols == sorted(symbols)


def test_calls_are_told_apart_by_their_arguments() -> None:
    one, other = Lookup(LookupKind.IN, P2, WINDOW), Lookup(LookupKind.IN, P2, Sliding(6))
    least = Lookup(LookupKind.LEAST, Signature("p", 2, False), WINDOW, 3)
    functions = LookupFunctions(
        {LookupKind.IN: "in", LookupKind.LEAST: "least"},
        [one, other, least],
        {"same": lambda symbol: symbol},
    )
    answers = {lookup: KeptAnswer(lookup, is_ordered=False) for lookup in (one, other, least)}
    answers[one].change(Changes([(A, 1), (A, 2)]))
    answers[least].change(Changes([(B, 7)]))
    functions.hand_out(answers)
    control = Control()
    control.add(
        "base",
        [],
        f"""
        one(X) :- X = @in("p",2,"{one.window}",9). other(X) :- X = @in("p",2,"{other.window}",9).
        least(X) :- X = @least("-p",2,"{least.window}",3,9). same(@same(7)).
        """,
    )
    functions.functions.ground(control, [("base", [])])
    found = {str(atom.symbol) for atom in control.symbolic_atoms}
    assert found == {"one(p(a,1))", "one(p(a,2))", "least(-p(b,7))", "same(7)"}
