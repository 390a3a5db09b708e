"""Why a tick has no answer stream: what is named cannot hold together, and each of it counts."""

import json
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import pytest
from clingo import Control
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.explanations.reasons.conflict import Instance, conflict
from lars2asp.runtime.explanations.words.claims import NoAnswer
from lars2asp.runtime.explanations.words.instances import Bound
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source
from tests.support.examples import IS_NIGHTLY, number_of_examples
from tests.support.records import events

EXAMPLES = number_of_examples(20)

Json = dict[str, Any]


def explained(program: str, facts: Sequence[str], atom: str) -> tuple[NoAnswer, Json, list[str]]:
    """Why an atom does not hold at a tick without answer stream, its JSON, and what the checker says."""
    checked = checked_program(Source("p.lars", program))
    reasoner = Reasoner(compile_plan(checked, explained=True), explain_last=1)
    told = [Record(0, events(facts), Origin("s", 1))]
    assert [answer.satisfiable for answer in reasoner.run(told, emit="every")] == [False]
    found = reasoner.why(atom)
    (claim,) = found.claims
    assert isinstance(claim.reason, NoAnswer)
    as_json = json.loads(json.dumps(found.to_dict()))
    return claim.reason, as_json, check_explanation(checked.written, arrivals(told), as_json)


@pytest.mark.parametrize(
    ("program", "facts", "atom", "clashing", "contraries"),
    [
        ("a :- p, not a.", "p", "a", ["a :- p, not a."], []),
        ("a :- p, not a. a :- q.", "p", "a", ["a :- p, not a."], []),
        (
            "a :- p, not b. b :- p, not c. c :- p, not a. d :- p.",
            "p",
            "a",
            ["a :- p, not b.", "b :- p, not c.", "c :- p, not a."],
            [],
        ),
        ("a at @now :- p, not a in [0].", "p", "a", ["a at @now :- p, not a in [0]."], []),
        ("a :- #count { 1 : a; 2 : p } < 2, p.", "p", "a", ["a :- #count { 1 : a; 2 : p } < 2, p."], []),
        ("a ; b :- p. c :- a, not c. d :- b, not d.", "p", "a",
         ["a ; b :- p.", "c :- a, not c.", "d :- b, not d."], []),
        ("a ; b :- p. :- a, p. c :- b, not c.", "p", "a", [":- a, p."], []),
        ("b :- p. -b :- q.", "p q", "b", ["-b :- q.", "b :- p."], ["b"]),
        ("b(X) :- p(X). -b(X) :- q(X).", "p(1) p(2) q(2)", "b(1)",
         ["-b(X) :- q(X).", "b(X) :- p(X)."], ["b(2)"]),
        ("a(X) ; b(X) :- p(X). 1 { a(X) ; b(X) } :- p(X), -a(X).", "p(1) p(2) a(1) -a(1)", "b(1)",
         [], ["a(1)"]),
        ("c :- b. -b :- q.", "b -b", "c", [], ["b"]),
        ("b :- p. -b :- q.", "p -b", "b", ["b :- p."], ["b"]),
        ("b :- p. -b.", "p", "b", ["b :- p."], ["b"]),
        ("-b(1). b(X) :- p(X) in [3].", "p(1)", "b(1)", ["b(X) :- p(X) in [3]."], ["b(1)"]),
        ("b :- c. c :- p. -b :- q.", "p q", "b", ["-b :- q."], ["b"]),
        ("1 { b; c } 1 :- p. -b :- p. -c :- p.", "p", "b", ["1 { b; c } 1 :- p."], []),
        ("2 { a(X) : q(X) } 2 :- p.", "p q(1)", "a(1)", ["2 { a(X) : q(X) } 2 :- p."], []),
        ("#count { X : a(X) : q(X) } = 2 :- p.", "p q(1)", "a(1)",
         ["#count { X : a(X) : q(X) } = 2 :- p."], []),
        ("3 <= #sum { X : a(X) : q(X) } :- p.", "p q(1)", "a(1)",
         ["3 <= #sum { X : a(X) : q(X) } :- p."], []),
        ("N { a(X) : q(X) } :- p(N).", "p(1) p(2) q(1)", "a(1)", ["N { a(X) : q(X) } :- p(N)."], []),
        ("{ a(X) at @now+1 : q(X) } = 2 :- p. b :- a(1).", "p q(1)", "b",
         ["{ a(X) at @now+1 : q(X) } = 2 :- p."], []),
        ("X < 3 :- p(X). a :- p(_), not b. b :- p(_), not a.", "p(4)", "a", ["X < 3 :- p(X)."], []),
        ("#false :- p. a :- p.", "p", "a", ["#false :- p."], []),
        ("not p ; not q :- r. a :- p.", "p q r", "a", ["not p ; not q :- r."], []),
        ("#edge (X,Y) : p(X,Y). a :- p(1,2).", "p(1,2) p(2,1)", "a", ["#edge (X,Y) : p(X,Y)."] * 2, []),
        ("a ; b :- p. :- a. :- b.", "p", "a", [":- a.", ":- b."], []),
        ("#temp a :- p, not a.", "p", "a", ["#temp a :- p, not a."], []),
        ("#semantics strict. a :- p, not a.", "p", "a", ["a :- p, not a."], []),
        ("#semantics strict. a :- p, not a in [1]. b :- a in [2].", "p", "b", ["a :- p, not a in [1]."], []),
        ("a(1;2) :- p, not a(1). a(1) :- q.", "p", "a(1)", ["a(1;2) :- p, not a(1)."], []),
        ("#decimals p(1). #decimals q(1). #decimals b(1). b(X) :- p(X). -b(X) :- q(X).",
         "p(15) q(15)", "b(1.5)",
         ["-b(X) :- q(X).", "b(X) :- p(X)."], ["b(1.5)"]),
    ],
)  # fmt: skip
def test_what_clashes(
    program: str, facts: str, atom: str, clashing: list[str], contraries: list[str]
) -> None:
    reason, _, faults = explained(program, facts.split(), atom)
    assert sorted(place.text for place, _ in reason.clashing) == clashing
    assert [*reason.contraries] == contraries
    assert faults == []


def test_the_text_of_contraries() -> None:
    reasoner = Reasoner.from_text("b(X) :- p(X).\n-b(X) :- q(X).", explain_last=1)
    reasoner.step(0, ["p(1)", "q(1)"])
    assert reasoner.why("b(1)").to_text() == (
        "b(1) does not hold at 0   this tick has no answer: these cannot hold together\n"
        "├─ <text>:1  b(X) :- p(X).    X = 1\n"
        "├─ <text>:2  -b(X) :- q(X).   X = 1\n"
        "└─ b(1), -b(1)                they exclude each other"
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (("clashing", 0, "bindings", "X"), "2"),
        (("clashing", 0, "bindings", "X"), "b("),
        (("clashing", 0, "bindings"), {}),
        (("clashing", 0, "bindings", "Y"), "1"),
        (("clashing", 0, "statement", "line"), 2),
        (("clashing", 1), None),
        (("contraries", 0), "p(1)"),
        (("contraries", 0), "-b(1)"),
        (("contraries", 0), "b(Y)"),
        (("contraries", 0), 1),
        (("contraries",), ["b(1)", "b(1)"]),
    ],
)
def test_what_is_told_otherwise_is_refused(key: tuple[Any, ...], value: object) -> None:
    program = "b(X) :- p(X). {c}. -b(X) :- q(X)."
    facts = ["p(1)", "q(1)"]
    _, found, faults = explained(program, facts, "b(1)")
    assert faults == []
    changed = deepcopy(found)
    node: Any = changed["explains"][0]
    for one in key[:-1]:
        node = node[one]
    node[key[-1]] = node[0] if value is None else value
    checked = checked_program(Source("p.lars", program))
    told = arrivals([Record(0, events(facts), Origin("s", 1))])
    assert check_explanation(checked.written, told, changed)


@pytest.mark.parametrize("statement", ["{ b }.", "q.", ":~ p. [1]"])
def test_statements_that_demand_nothing_are_refused(statement: str) -> None:
    program = f"a :- p, not a. {statement}"
    _, found, _ = explained(program, ["p"], "a")
    clashing = found["explains"][0]["clashing"][0]
    clashing["statement"] |= {"number": 1, "text": statement}
    checked = checked_program(Source("p.lars", program))
    told = arrivals([Record(0, events(["p"]), Origin("s", 1))])
    (fault,) = check_explanation(checked.written, told, found)
    assert fault.endswith("the statement demands nothing")


# --- random programs -------------------------------------------------------------------------------------

DERIVED = ("a", "b", "c", "-a", "-b")


class _Rule(NamedTuple):
    """A statement by its parts: left bound, elements, right bound of its head (or the head), and its body."""

    head: str
    bounds: tuple[str, str] | None
    body: str

    @property
    def text(self) -> str:
        head = self.head if self.bounds is None else f"{self.bounds[0]} {{ {self.head} }} {self.bounds[1]}"
        return f"{head} :- {self.body}.".strip()

    @property
    def values(self) -> list[str]:
        return ["1", "2"] if "X" in self.body else [""]

    @property
    def kind(self) -> str:
        if not self.head:
            return "constraint"
        return "rule" if self.bounds is None else "bounds"

    def lines(self, value: str, *, is_off: bool) -> Iterator[str]:
        """An instance, or what stays of it when it is let off."""
        text = self.text
        if is_off:
            text = f"{{ {self.head} }} :- {self.body}." if self.head else ""
        yield _positive(text.replace("X", value))


@st.composite
def literals(draw: DrawFn) -> str:
    sign = draw(st.sampled_from(["", "", "not "]))
    return f"{sign}{draw(st.sampled_from(DERIVED))}(X)"


@st.composite
def rules(draw: DrawFn) -> _Rule:
    body = ", ".join([draw(st.sampled_from(["p(X)", "q(X)"])), *draw(st.lists(literals(), max_size=2))])
    kind = draw(st.sampled_from(["rule", "rule", "rule", "disjunction", "constraint", "bounds"]))
    one, other = (f"{draw(st.sampled_from(DERIVED))}({draw(st.sampled_from(['X', 'X', '1']))})" for _ in "ab")
    if kind == "constraint":
        return _Rule("", None, body)
    if kind == "rule":
        return _Rule(one, None, body)
    if kind == "disjunction":
        return _Rule(f"{one} ; {other}", None, body)
    return _Rule(
        f"{one} ; {other}", draw(st.sampled_from([("1", ""), ("1", "1"), ("2", ""), ("", "0")])), body
    )


def _positive(text: str) -> str:
    """A text with predicates like others in place of classical negations."""
    return re.sub(r"-(?=[ab]\()", "not_", text)


def has_answer(
    program: Sequence[_Rule], facts: Sequence[str], off: set[tuple[int, str]], apart: set[str]
) -> bool:
    """Whether a program has an answer set, some instances let off, and some atoms beside their contraries."""
    lines = [f"{_positive(fact)}." for fact in facts]
    for number, rule in enumerate(program):
        for value in rule.values:
            lines += rule.lines(value, is_off=(number, value) in off)
    told = {rule.head for rule in program} | {rule.body for rule in program}
    for name in (one for one in ("a", "b") if any(f"-{one}(" in text for text in told)):
        lines += [f":- {name}({x}), not_{name}({x})." for x in "12" if f"{name}({x})" not in apart]
    control = Control(["--warn=none"])
    control.add("\n".join(lines))
    control.ground()
    return bool(control.solve().satisfiable)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=not IS_NIGHTLY,
)
@given(
    st.lists(rules(), min_size=2, max_size=7),
    st.lists(st.sampled_from(["p(1)", "p(2)", "q(1)", "q(2)", "a(1)", "-a(1)"]), min_size=1, unique=True),
)
def test_random_conflicts(program: list[_Rule], facts: list[str]) -> None:
    """What is named alone has no answer stream, and without any one of it there is one."""
    everything = {(number, value) for number, rule in enumerate(program) for value in rule.values}
    atoms = {f"{name}({x})" for name in ("a", "b") for x in "12"}
    text = "\n".join(rule.text for rule in program)
    note(text)
    assume(not has_answer(program, facts, set(), set()))
    checked = checked_program(Source("p.lars", text))
    session = Session(compile_plan(checked, explained=True), evaluator="oneshot")
    told = Record(0, events(facts), Origin("s", 1))
    with session:
        accepted = session.accept(told, lambda _: None)
        assert accepted is not None
        session.gather(accepted)
        assert [answer.satisfiable for answer in session.finish(None)] == [False]
    task = session.execution.last_task()
    assert task is not None
    found = conflict(task, 0, frozenset(one.location for one in checked.written.statements))
    named = {(one.location.line - 1, Bound(one.values).texts.get("X", "")) for one in found.instances}
    contraries = {f"{one.signature.name}({one.row[0]})" for one in found.contraries}
    assert all(isinstance(one, Instance) for one in found.instances)
    assert all(one.signature == Signature(one.signature.name, 1) for one in found.contraries)
    assert named or contraries
    kinds = ["constraint", "bounds", "", "rule"]
    """What is let off at each stage; at the third contraries are, as at the fourth."""
    assert any(
        _is_minimal(
            program,
            facts,
            {one for one in everything if program[one[0]].kind in kinds[: stage + 1]} - named,
            named,
            atoms - contraries if stage > 1 else set(),
            contraries,
        )
        for stage in range(4)
    )


def _is_minimal(
    program: Sequence[_Rule],
    facts: Sequence[str],
    off: set[tuple[int, str]],
    named: set[tuple[int, str]],
    apart: set[str],
    contraries: set[str],
) -> bool:
    """Whether what is named has no answer stream, and has one without any one of it."""
    without = [*((off | {one}, apart) for one in named), *((off, apart | {one}) for one in contraries)]
    has_any = has_answer(program, facts, off, apart)
    return not has_any and all(has_answer(program, facts, *others) for others in without)


@settings(
    max_examples=EXAMPLES // 3, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
@given(
    st.lists(rules(), min_size=2, max_size=7),
    st.lists(st.sampled_from(["p(1)", "p(2)", "q(1)", "q(2)", "a(1)", "-a(1)"]), min_size=1, unique=True),
)
def test_explanations_of_random_conflicts(program: list[_Rule], facts: list[str]) -> None:
    """They are accepted, whatever components the program has; and name something."""
    text = "\n".join(rule.text for rule in program)
    note(text)
    assume(any(rule.head.startswith("b(X)") for rule in program))
    assume(not has_answer(program, facts, set(), set()))
    reason, _, faults = explained(text, facts, "b(1)")
    assert reason.clashing or reason.contraries
    assert faults == []
