"""The code of rules derives in batches what their meaning says, whatever answers begin and end."""

import random
from collections.abc import Sequence

import pytest

from lars2asp.externals.operators import Segment
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.delta.code.batch_code import BatchCode
from lars2asp.syntax.nodes import Signature
from tests.runtime.evaluators.delta.code.test_row_code import JOINS, VALUES, change
from tests.support.row_rule_oracle import derived
from tests.support.row_rules import lookups_of, row_rules

TICKS = 40

RANKS = [
    "q(X,Y) :- p(X,Y), #count { Z : p(X,Z), (Z,Z) > (Y,X) } < 2.",
    "q(X,Y) :- p(X,Y), #count { V,U : p(U,V), (V,U) <= (Y,X) } >= 2.",
    "q(X,Y) :- p(X,Y), #count { U : p(U,V), (V,U) < (Y,X) } > 1. s(X) :- q(X,_), r(X).",
    "q(X) :- r(X), #count { U : p(U,V), (V,U) >= (X,X) } = 0.",
    "q(X,Y) :- p(X,Y), not r(X), #count { Z,1 : p(X,Z), (Z,X) > (Y,X) } <= 1.",
]
"""Whether a row stands behind so many others."""


def check(text: str, values: Sequence[Value], choose: random.Random) -> BatchCode:
    """Holds the code to the naive interpreter, over random answers in batches of random sizes."""
    rules = row_rules(text)
    code = BatchCode(rules, {}, lambda location, text: None)
    lookups = [*code.begin]
    answers: dict[Lookup, set[Row]] = {one: set() for one in lookups_of(rules)}
    expected: list[dict[Signature, set[Row]]] = []
    batches: list[list[Segment]] = [[] for _ in lookups]
    found: list[dict[Signature, set[Row]]] = []
    holds: dict[Signature, set[Row]] = {rule.derives: set() for rule in rules}
    begin: int | None = 0
    for tick in range(TICKS):
        before = {one: {*rows} for one, rows in answers.items()}
        change(answers, values, choose)
        for one, batch in zip(lookups, batches, strict=True):
            ended, began = [*before[one] - answers[one]], [*answers[one] - before[one]]
            if ended or began:
                batch.append((tick, ended, began))
        expected.append(derived(rules, answers))
        if choose.random() < 0.7 and tick < TICKS - 1:
            continue
        given = [(place, batch) for place, batch in enumerate(batches) if batch]
        changes = code.take(given, [], tick + 1, begin)
        for now in range(len(found), tick + 1):
            for signatures, segments in changes:
                for _, ended, began in (one for one in segments if one[0] == now):
                    for signature in signatures:
                        holds[signature] = (holds[signature] - {*ended}) | {*began}
            found.append({signature: {*rows} for signature, rows in holds.items() if rows})
        begin, batches = None, [[] for _ in lookups]
    assert found == [{one: {*rows} for one, rows in some.items() if rows} for some in expected]
    return code


@pytest.mark.parametrize("text", [*JOINS, *RANKS])
def test_batches(text: str) -> None:
    for seed in range(6):
        choose = random.Random(f"{text} {seed}")
        values = VALUES[:4] if seed % 2 else VALUES
        check(text, values, choose)


@pytest.mark.parametrize("text", RANKS)
def test_ranks_need_no_pairs(text: str) -> None:
    """Numbers and strings are sorted as they are; with other values the same comes out."""
    code = check(text, VALUES[:5], random.Random(1))
    assert "Rows of groups by ranks" in code.text
