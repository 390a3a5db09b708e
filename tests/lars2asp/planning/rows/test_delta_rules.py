"""Rules over rows: what they look like, and that they derive what clingo derives from the same rules."""

from typing import Any

import clingo
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from lars2asp.compiler import compile_program
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Row, Value, function
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Plan
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source
from tests.support.row_rule_oracle import derived

SCRIPT = "#script (python)\ndef f(x): ...\ndef g(x): ...\n#end.\n"


def planned(text: str) -> Plan:
    return compile_program(Source("x.lars", text))


def rules_of(text: str) -> str:
    return "\n".join(
        str(rule).replace("LARS_", "V")
        for component in planned(text).components
        for rule in component.delta_rules.rules
    )


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # atoms and windows
        ("h(X) :- p(X,_), not q(X,_).", "h/1(X) :- now p/2(X,V1), not now q/2(X,_)."),
        ("h(X) :- p(X), not not q(X,_).", "h/1(X) :- now p/1(X), not not now q/2(X,_)."),
        ("h(X) :- -p(X), not -q in [3].", "h/1(X) :- now -p/1(X), not in sliding(3) -q/0()."),
        ("h(X) :- p(X) in [3], q always {1}.", "h/1(X) :- in sliding(3) p/1(X), always offsets(1) q/0()."),
        ("h(T,N) :- p at T, q count N in [3].", "h/2(T,N) :- at unbounded p/0(T), count sliding(3) q/0(N)."),
        ("h :- p at @now-2, q at 7.", "h/0() :- in offsets(2) p/0(), in fixed(7) q/0()."),
        ("h(@now-1) :- p.", "h/1(V0-1) :- now p/0(), span sliding(0)(V0,V0)."),
        (
            "h(X) :- p(X,E) in [3], E = @now.",
            "h/1(X) :- in sliding(3) p/2(X,E), E = V0, span sliding(0)(V0,V0).",
        ),
        ("h :- p at @now in [3].", "h/0() :- at sliding(3) p/0(V0), span sliding(0)(V0,V0)."),
        (
            "h :- r, #count { X : p(X) at T in [3], T < @now } > 1.",
            "h/0() :- now r/0(), #count { X : at sliding(3) p/1(X,T), T < V0 } > 1, span sliding(0)(V0,V0).",
        ),
        ("h :- p at least 2 in [3].", "h/0() :- least 2 sliding(3) p/0()."),
        ("h :- p at least 1 in [3].", "h/0() :- in sliding(3) p/0()."),
        (
            "h :- q(K), p(_) at least K in [3].",
            "h/0() :- now q/1(K), count sliding(3) p/1(V1,V2), K >= 1, K <= V2.",
        ),
        (
            "h :- q(K), not p(_) at least K+1 in [3].",
            "h/0() :- now q/1(K), V2 = K+1, "
            "#count {  : count sliding(3) p/1(V1,V3), V2 >= 1, V2 <= V3 } = 0.",
        ),
        ("h :- p, #true, not #false.", "h/0() :- now p/0()."),
        ("h :- p, #false.", ""),
        # terms
        ("h(X) :- p(X+1,f(2*X)).", "h/1(X) :- now p/2(X+1,f(2*X))."),
        ("h(X) :- p(X,X*X).", "h/1(X) :- V1 = X*X, now p/2(X,V1)."),
        ("h(X) :- p(X), not q(X*X).", "h/1(X) :- now p/1(X), not now q/1(X*X)."),
        ("h(X..Y) :- p(X,Y).", "h/1(V1) :- now p/2(X,Y), V1 = X..Y."),
        ("h :- p(1..3), not q(1..2).", "h/0() :- V1 = 1..3, now p/1(V1), V2 = 1..2, not now q/1(V2)."),
        ("h(n,X) :- p(X), X < m. #const n = f(m). #const m = 2.", "h/2(f(2),X) :- now p/1(X), X < 2."),
        ("n(X) :- p(X), n. #const n = 2.", "n/1(X) :- now p/1(X), now n/0()."),
        (
            SCRIPT + "h(@f(X)) :- p(X), not q(@g(X)).",
            "h/1(V1) :- now p/1(X), V2 = @g(X), not now q/1(V2), V1 = @f(X).",
        ),
        # comparisons
        ("h(X) :- p(X,Y), 1 < X <= Y.", "h/1(X) :- now p/2(X,Y), 1 < X, X <= Y."),
        ("h(X) :- p(X), not 1 < X <= 5.", "h/1(X) :- now p/1(X), 1 >= X.\nh/1(X) :- now p/1(X), X > 5."),
        ("h(X) :- X = 1..3, 1..9 = X.", "h/1(X) :- X = 1..3, X = 1..9."),
        ("h(X) :- p(X), X != 1..3.", "h/1(X) :- now p/1(X), V1 = 1..3, X != V1."),
        ("h(X) :- not X != 1..3.", "h/1(X) :- X = 1..3."),
        ("h(X) :- 0 < X, 2*X < 9.", "h/1(X) :- 0 < X, 2*X < 9, X = 1..4."),
        ("h(X) :- p(Y), f(X,Y*Y) = Y.", "h/1(X) :- now p/1(Y), V1 = Y*Y, f(X,V1) = Y."),
        (SCRIPT + "h(X) :- f(X) = @f(1).", "h/1(X) :- f(X) = @f(1)."),
        # aggregates
        ("h(N) :- N = #count { X : p(X,_) }.", "h/1(N) :- #count { X : now p/2(X,V1) } = N."),
        ("h :- not 1 < #sum { X : p(X) } < 5.", "h/0() :- not #sum { X : now p/1(X) } > 1 < 5."),
        ("h(X) :- X+1 = #max { Y : p(Y) }.", "h/1(X) :- #max { Y : now p/1(Y) } = V1, X+1 = V1."),
        (
            "h(X) :- q(X), #min { Y : p(Y) } < X+1.",
            "h/1(X) :- now q/1(X), V1 = X+1, #min { Y : now p/1(Y) } < V1.",
        ),
        ("h :- #count { X+1, 1..3 : p(X) } = 3.", "h/0() :- #count { X+1,V1 : now p/1(X), V1 = 1..3 } = 3."),
        ("h :- #count { X : 0 < X, X < 3 } = 2.", "h/0() :- #count { X : 0 < X, X < 3, X = 1..2 } = 2."),
        ("h :- p, #sum { X : p(X) }.", "h/0() :- now p/0()."),
        ("h :- p, not #sum { X : p(X) }.", ""),
        # sets
        (
            "h(X) :- p(X), 2 { q(X) ; q(Y) : r(Y), not s(Y,_) ; not q(X) }.",
            "h/1(X) :- now p/1(X), "
            "#count { 0,X : now q/1(X); 0,Y : now r/1(Y), not now s/2(Y,_), now q/1(Y); "
            "1,X : not now q/1(X) } >= 2.",
        ),
        (
            "h :- { p(X) : X < 3 ; q(X) : q(X) ; X = 1..2 ; 1 < 2 } = 2, p(X).",
            "h/0() :- #count { 0,X : X < 3, now p/1(X); 1,X : now q/1(X), now q/1(X); 2,X : X = 1..2; "
            "3,1,2 : 1 < 2 } = 2, now p/1(X).",
        ),
        # conditional literals
        (
            "h(X) :- p(X), q(X,Y,_) : r(Y).",
            "h/1(X) :- now p/1(X), #count {  : now r/1(Y), not now q/3(X,Y,_) } = 0.",
        ),
        ("h :- not q(X) : r(X).", "h/0() :- #count {  : now r/1(X), not not now q/1(X) } = 0."),
        ("h :- 1 < X < 3 : r(X).", "h/0() :- #count {  : now r/1(X), 1 >= X;  : now r/1(X), X >= 3 } = 0."),
        (
            "h :- q(X,Y,Y) : r(X).",
            "h/0() :- #count { X : now r/1(X) } = V1, #count { X : now r/1(X), now q/3(X,Y,Y) } = V1.",
        ),
        (
            "h :- q(X*X) : r(X).",
            "h/0() :- #count { X : now r/1(X) } = V2, #count { X : now r/1(X), V1 = X*X, now q/1(V1) } = V2.",
        ),
        ("h :- p, #true : r(X).", "h/0() :- now p/0()."),
        ("h :- #false : r(X).", "h/0() :- #count {  : now r/1(X) } = 0."),
    ],
)
def test_rules_over_rows(rule: str, expected: str) -> None:
    assert rules_of(rule) == expected


def test_lookups_are_those_of_bodies_elements_and_own_input() -> None:
    [component] = planned("h(X) :- p(X), #count { Y : q(Y) in [3], not p(Y) } > 2.").components
    assert [str(lookup.kind) + " " + str(lookup.signature) for lookup in component.delta_rules.lookups] == [
        "now p/1",
        "in q/1",
        "told h/1",
    ]


# --- the same meaning as clingo's ---------------------------------------------------------------------------

_VALUES = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-2",
    "7",
    "a",
    "b",
    '"s"',
    "f(1)",
    "f(a)",
    "f(f(2))",
    "(1,a)",
    "-a",
    "-f(1)",
    "#sup",
]


def value_of(symbol: clingo.Symbol) -> Value:
    match symbol.type:
        case clingo.SymbolType.Number:
            return symbol.number
        case clingo.SymbolType.String:
            return symbol.string
        case clingo.SymbolType.Infimum:
            return INFIMUM
        case clingo.SymbolType.Supremum:
            return SUPREMUM
        case _:
            return function(symbol.name, row_of(symbol), is_positive=symbol.positive)


def row_of(symbol: clingo.Symbol) -> Row:
    return tuple(map(value_of, symbol.arguments))


def by_clingo(program: str, signature: Signature) -> set[Row]:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        [model] = [list(model.symbols(atoms=True)) for model in handle]
    return {
        row_of(atom) for atom in model if (atom.name, len(atom.arguments), atom.positive) == tuple(signature)
    }


_REFUSALS = (
    "arithmetic in a negated chain of comparisons (line 1)",
    "`_` in comparisons that are never true (line 1)",
)


def by_rules(rule: str, facts: str) -> set[Row] | None:
    """What the rules over rows derive; None where there are none."""
    signatures = (Signature(name, arity) for name in "pqr" for arity in (1, 2))
    answers = {Lookup(LookupKind.NOW, one): by_clingo(facts, one) for one in signatures}
    [component] = planned(rule).components
    if component.delta_rules.refusal is not None:
        assert component.delta_rules.refusal in _REFUSALS
        return None
    return derived(component.delta_rules.rules, answers).get(Signature("h", 2), set())


@st.composite
def terms(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.integers(0, 11 if depth else 5))
    if kind < 4:
        return draw(st.sampled_from(["X", "X", "Y"]))
    if kind == 4:
        return draw(st.sampled_from(["_", "Z", "1..2"]))
    if kind == 5:
        return draw(st.sampled_from(_VALUES))
    inner = [draw(terms(depth=depth - 1)) for _ in range(2)]
    if kind < 8:
        return draw(st.sampled_from(["f({})", "({},{})", "-{}", "f(f({}))", "|{}|", "~({})"])).format(*inner)
    if kind < 10:
        return draw(st.sampled_from(["{}+1", "2*{}", "3-{}", "{}-1", "2*{}+1", "-{}"])).format(
            f"({inner[0]})"
        )
    sign = draw(st.sampled_from(["+", "-", "*", "/", "\\", "..", "&", "^", "?"]))
    return f"({inner[0]}){sign}({inner[1]})"  # no `**`: it takes clingo too long


@st.composite
def atoms(draw: st.DrawFn) -> str:
    arity = draw(st.integers(1, 2))
    return f"{draw(st.sampled_from('pqr'))}({','.join(draw(terms()) for _ in range(arity))})"


_SIGNS = st.sampled_from(["", "", "", "not ", "not not "])
_COMPARED = st.sampled_from(["=", "=", "!=", "<", "<=", ">", ">="])


@st.composite
def simple_literals(draw: st.DrawFn) -> str:
    kind = draw(st.integers(0, 6))
    if kind < 4:
        return draw(_SIGNS) + draw(atoms())
    if kind == 4:
        return draw(st.sampled_from(["#true", "#false", "not #false", "not 0 < X < 3", "0 < X < Y"]))
    return f"{draw(_SIGNS)}{draw(terms())} {draw(_COMPARED)} {draw(terms())}"


@st.composite
def aggregates(draw: st.DrawFn) -> str:
    elements = []
    is_set = draw(st.booleans())
    for _ in range(draw(st.integers(1, 2))):
        condition = [draw(simple_literals()) for _ in range(draw(st.integers(0, 2)))]
        if is_set:
            before = draw(simple_literals())
        else:
            before = ",".join(draw(terms(depth=1)) for _ in range(draw(st.integers(1, 2))))
            condition.append(draw(atoms()))
        elements.append(f"{before} : {', '.join(condition)}" if condition else before)
    function = "" if is_set else draw(st.sampled_from(["#count", "#sum", "#sum+", "#min", "#max"]))
    left = f"{draw(terms(depth=1))} {draw(_COMPARED)}" if draw(st.booleans()) else ""
    right = f"{draw(_COMPARED)} {draw(terms(depth=1))}" if draw(st.booleans()) else ""
    return f"{draw(_SIGNS)}{left} {function} {{ {'; '.join(elements)} }} {right}"


@st.composite
def conditional_literals(draw: st.DrawFn) -> str:
    condition = [draw(simple_literals()) for _ in range(draw(st.integers(1, 2)))]
    return f"{draw(simple_literals())} : {', '.join(condition)}"


@st.composite
def rules(draw: st.DrawFn) -> str:
    """A rule for h/2, most of whose variables are bound by atoms."""
    kinds: list[st.SearchStrategy[Any]] = [
        simple_literals(),
        simple_literals(),
        aggregates(),
        conditional_literals(),
    ]
    body = [draw(st.one_of(kinds)) for _ in range(draw(st.integers(1, 3)))]
    head = [draw(terms(depth=1)) for _ in range(2)]
    written = " ".join([*head, *body])
    binding = [f"p({name})" for name in "XYZ" if name in written and draw(st.integers(0, 9))]
    return f"h({','.join(head)}) :- {'; '.join([*binding, *body])}."


@st.composite
def many_facts(draw: st.DrawFn) -> str:
    values = st.sampled_from(_VALUES)
    found = ["p(1;2;a).", "#defined p/2. #defined q/1. #defined q/2. #defined r/1. #defined r/2."]
    for _ in range(draw(st.integers(0, 12))):
        arguments = [draw(values) for _ in range(draw(st.integers(1, 2)))]
        found.append(f"{draw(st.sampled_from('pqr'))}({','.join(arguments)}).")
    return " ".join(found)


@settings(max_examples=50, deadline=None)
@given(rules(), many_facts())
def test_rules_over_rows_derive_what_clingo_derives(rule: str, facts: str) -> None:
    try:
        found = by_rules(rule, facts)
    except ProgramError:
        assume(False)
    if found is None:
        event("refused")
        return
    expected = by_clingo(f"{facts} {rule}", Signature("h", 2))
    event("some" if expected else "none")
    assert found == expected
