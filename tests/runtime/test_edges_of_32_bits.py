"""The least integer of 32 bits, -2147483648, at every place of programs and data: no value ends the process.

clingo divides in C, where the least integer divided by -1 raises a signal, and wraps around. The programs run
in processes of their own, which such a signal would end; what they give is exact.
"""

import json
import subprocess
import sys
from typing import Any

import pytest
from clingo import Function, Number

from lars2asp import Reasoner

LEAST = -2147483648
FACTS = [
    "reading(-2147483647)",
    *("base(1)", "scale(-1)", "least(-2147483648)", "far(2147483647)", "mixed(a)", "mixed(0)", "mixed(-1)"),
]

SERVED_BY_DELTA = [
    ("ratio((X-Y)/Z) :- reading(X), base(Y), scale(Z).", ["ratio(2147483648)"]),
    (r"rest((X-Y)\Z) :- reading(X), base(Y), scale(Z).", ["rest(0)"]),
    ("a(X/(Y/Z)) :- least(X), base(Y), scale(Z).", ["a(2147483648)"]),
    (r"a(X\(Y/Z)) :- least(X), base(Y), scale(Z).", ["a(0)"]),
    ("a(f(X/Y)) :- least(X), mixed(Y).", ["a(f(2147483648))"]),
    ("a(X/Y) :- least(Y), scale(X).", ["a(0)"]),
    ("a(X/-1) :- least(X).", ["a(2147483648)"]),
    (r"a(X\-1) :- least(X).", ["a(0)"]),
    ("#const k = -1. a(X/k) :- least(X).", ["a(2147483648)"]),
    ("#const m = -2147483648. a(m/Y) :- scale(Y).", ["a(2147483648)"]),
    ("a(2**31/Y) :- scale(Y).", ["a(-2147483648)"]),
    ("a :- least(X), scale(Y), X/Y = X.", []),
    ("a :- least(X), scale(Y), not X/Y != X.", []),
    ("a :- least(X), scale(Y), X/Y < 0.", []),
    ("a(Z) :- least(X), scale(Y), Z = X/Y.", ["a(2147483648)"]),
    ("a :- least(X), scale(Y), least(X/Y).", []),
    ("a :- least(X), scale(Y), not base(X/Y).", ["a"]),
    ("a :- least(X), scale(Y), least(X/Y) in [3].", []),
    ("a(S) :- S = #sum { X/Y : least(X), scale(Y) }.", ["a(2147483648)"]),
    ("a(S) :- S = #count { X/Y,Z : least(X), scale(Y), base(Z) }.", ["a(1)"]),
    ("a :- #sum { 1 : least(X), scale(Y), X/Y < 0 } > 0.", []),
    ("a :- X/Y < 0 : least(X), scale(Y).", []),
    ("a :- least(X/Y) : least(X), scale(Y).", []),
    ("a(X) :- least(0-X).", ["a(2147483648)"]),
    ("a(X) :- least(5-X).", ["a(2147483653)"]),
    ("a(X) :- far(-X-1).", ["a(-2147483648)"]),
    ("a(X) :- far(X*(-1)-1).", ["a(-2147483648)"]),
    ("a(X) :- least(X), least(Y), Y = 0-X.", []),
    ("a(X) :- least(X), not least(0-X).", ["a(-2147483648)"]),
    ("a(Y) :- least(X), Y+3 = 3-X.", ["a(2147483648)"]),
    ("a(N) :- N = #count { X : least(0-X) }.", ["a(1)"]),
    ("a :- least(0-X) : least(X).", []),
    ("a :- least(0-X) : base(1).", ["a"]),
    ("a :- 1 { least(0-X) }.", ["a"]),
    ("a(0-X) :- least(X). b :- a(-2147483648).", ["a(2147483648)"]),
    ("a(|X|) :- least(X).", ["a(2147483648)"]),
    ("a(-X) :- least(X).", ["a(2147483648)"]),
    ("a(X**Y) :- least(X), mixed(Y).", ["a(0)", "a(1)"]),
    ("a(-2147483648/-1) :- base(1).", ["a(2147483648)"]),
    (r"b(-2147483648\-1). a(X) :- b(X).", ["a(0)"]),
    ("#const m = -2147483648/-1. a(m) :- base(1).", ["a(2147483648)"]),
]
"""Programs, and their answers."""

OTHERS = [
    ("1 { a(X/Y) : least(X), scale(Y) } 1.", ["a(2147483648)"]),
    ("1 { a(0-X) : least(X) } 1.", ["a(2147483648)"]),
    ("a(X/Y) : least(X), scale(Y).", ["a(2147483648)"]),
    ("#show t(X/Y) : least(X), scale(Y).", ["t(2147483648)"]),
    ("a(1..2). { b(X) : a(X) } = 1. :~ b(X), least(Y), scale(Z), X = 1, Y/Z > 0. [1,X]", ["b(2)"]),
    ("#external e(X/Y) : least(X), scale(Y). [true] a(X) :- e(X).", ["a(2147483648)"]),
    (":- least(X), scale(Y), X/Y > 0. a :- base(1).", []),
    ("{ a }. :- a, least(X), scale(Y), X/Y < 0. b :- not a.", ["b"]),
    ("a at T+X/Y :- least(X), scale(Y), T = -2147483648+@now.", ["a"]),
]

_CHILD = """
import json, sys
from lars2asp import Reasoner
from lars2asp.runtime.errors import EvaluatorError
evaluator, facts, programs = json.load(sys.stdin)
answers = []
for program in programs:
    try:
        reasoner = Reasoner.from_text(program, evaluator=evaluator)
    except EvaluatorError:
        answers.append(None)
        continue
    answers.append([sorted(reasoner.step(tick, facts).holds.texts) for tick in (0, 1)])
print(json.dumps(answers))
"""


def answers(evaluator: str, programs: list[str]) -> list[list[list[str]] | None]:
    """The answers of programs at two ticks with the same facts, from a process that ends by itself.

    None for what the evaluator does not serve.
    """
    given = json.dumps([evaluator, FACTS, [f"#types mixed(any). {one}" for one in programs]])
    command = [sys.executable, "-c", _CHILD]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[list[list[str]] | None] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("evaluator", ["oneshot", "stamped", "external", "delta"])
def test_no_value_ends_the_process(evaluator: str) -> None:
    cases = [*SERVED_BY_DELTA, *OTHERS]
    found = answers(evaluator, [program for program, _ in cases])
    for (program, expected), given in zip(cases, found, strict=True):
        assert given in ([expected, expected], None), program
    served = len([given for given in found if given is not None])
    assert served >= {"oneshot": len(cases), "delta": len(SERVED_BY_DELTA)}.get(evaluator, len(cases) - 2)


PROGRAM_AND_ANSWER = """
#const m = -2147483648.
#decimals d(1).
q(X) :- p(X), X = -2147483648.
r(f(m),(m,)) :- p(m), p(-0x80000000).
s(X) :- d(X), X = -214748364.8.
d(-214748364.8).
p(-2147483648).
"""


@pytest.mark.parametrize("evaluator", ["oneshot", "stamped", "external", "delta"])
def test_programs_have_it(evaluator: str) -> None:
    reasoner = Reasoner.from_text(PROGRAM_AND_ANSWER, evaluator=evaluator)
    written = [*reasoner.step(0).holds.texts]
    assert written == ["q(-2147483648)", "s(-214748364.8)", "r(f(-2147483648),(-2147483648,))"]
    again = Reasoner.from_text("#decimals s(1). a(X) :- q(X). b(X,Y) :- r(X,Y).", evaluator=evaluator).step(
        0, written
    )
    assert [*again.holds.texts] == ["a(-2147483648)", "b(f(-2147483648),(-2147483648,))"]


@pytest.mark.parametrize(
    "fact",
    ["p(-2147483648)", "p(- - -2147483648)", "p(-0x80000000)", ("p", LEAST), Function("p", [Number(LEAST)])],
)
def test_facts_have_it(fact: Any) -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    assert [*reasoner.step(0, [fact]).holds.texts] == ["a(-2147483648)"]


def test_many_facts_have_it() -> None:
    reasoner = Reasoner.from_text("a(N) :- N = #count { X,Y : p(X,Y) }. b :- p(-2147483648,9).")
    texts, tuples = [f"p(-2147483648,{n})" for n in range(20)], [("p", LEAST, n) for n in range(20)]
    assert [*reasoner.step(0, texts).holds.texts] == ["b", "a(20)"]
    assert [*reasoner.step(1, tuples).holds.texts] == ["b", "a(20)"]
