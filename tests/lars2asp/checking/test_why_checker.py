"""The checker of explanations: what is right is accepted, and what is wrong in it is named."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.definition.stream import Arrival
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.nodes import Program
from lars2asp.syntax.source import Source

Json = dict[str, Any]

ROOMS = """\
hot(R) :- reading(R,C), C > 25.
alarm(R) :- hot(R) at least 2 in [2], not off(R) in [1].
dull :- not alarm(_).
last(R,C) :- reading(R,C) in [1 # by R].
total(S) :- S = #sum { C,R : reading(R,C) in [1] }.
fine :- hot(R) : room(R).
room(hall). room(attic).
#temp short :- hot(_).
late(R) at @now-1 :- hot(R).
on :- off(hall).
on :- up.
up :- on.
calm(K) :- off(hall) at most K in [2], K = 0..1.
"""
STREAM = [
    Arrival(0, 0, "reading(hall,30)", "step(0)"),
    Arrival(1, 1, "reading(hall,29)", "step(1)"),
    Arrival(1, 1, "reading(attic,20)", "step(1)"),
    Arrival(2, None, "off(hall)", "step(2)"),
]


def written(text: str) -> Program:
    """The explained program of a text."""
    return checked_program(Source("rooms.lars", text)).written


def explained(atom: str, tick: int) -> Json:
    """An explanation of an atom of ROOMS."""
    plan = compile_plan(checked_program(Source("rooms.lars", ROOMS)), explained=True)
    reasoner = Reasoner(plan, explain_last=10)
    reasoner.step(0, ["reading(hall,30)"])
    reasoner.step(1, ["reading(hall,29)", "reading(attic,20)"])
    reasoner.step(2, begin=["off(hall)"])
    return reasoner.why(atom, tick).to_dict()


def problems(explanation: Json) -> list[str]:
    """What is wrong with one."""
    return check_explanation(written(ROOMS), STREAM, explanation)


def test_what_is_right() -> None:
    """Explanations of each kind of literal are accepted; those of others, handed on as these, are not."""
    asked = [("alarm(hall)", 1), ("alarm(hall)", 2), ("alarm(R)", 0), ("dull", 2), ("dull", 1)]
    asked += [("last(hall,29)", 2), ("last(hall,30)", 2), ("total(79)", 1), ("total(1)", 1), ("fine", 1)]
    asked += [("short", 1), ("short", 2), ("late(hall)", 1), ("on", 2), ("up", 2), ("on", 1), ("up", 1)]
    asked += [("calm(0)", 1), ("calm(0)", 2), ("calm(1)", 2), ("room(hall)", 0), ("room(cellar)", 0)]
    for atom, tick in asked:
        explanation = explained(atom, tick)
        assert problems(explanation) == [], (atom, tick)
        other = deepcopy(explanation)
        other["explains"][0]["holds"] = not other["explains"][0]["holds"]
        assert problems(other), (atom, tick)


def changed(explanation: Json, change: Callable[[Json], None]) -> list[str]:
    """What is wrong with an explanation after a change of its root."""
    explanation = deepcopy(explanation)
    change(explanation["explains"][0])
    return problems(explanation)


def test_what_is_wrong() -> None:
    """Whatever is changed is found, and named with the claim."""
    alarm = explained("alarm(hall)", 1)
    assert changed(alarm, lambda root: root["body"].pop()) == ["claim 1: the body has other literals"]
    assert changed(alarm, lambda root: root.update(bindings={})) == [
        "claim 1: the variables R have no values"
    ]
    assert changed(alarm, lambda root: root.update(bindings={"R": "attic"})) == [
        "claim 1: the instance has another head"
    ]
    assert changed(alarm, lambda root: root["body"][0]["window"].update(ticks=[[0, 2]])) == [
        "claim 1: the window has the ticks [[0, 1]]"
    ]
    assert changed(alarm, lambda root: root["body"][0].pop("claims")) == [
        "claim 1: no claim supports `hot(hall) at least 2 in [2]`"
    ]
    assert changed(alarm, lambda root: root.update(remark="trust me")) == ["claim 1: a claim has no `remark`"]
    assert changed(alarm, lambda root: root.update(at="1")) == [
        "claim 1: `at` of a claim does not have the type int"
    ]
    assert changed(alarm, lambda root: root.update(atom="p. q")) == ["claim 1: `p. q` is not an atom"]
    total = explained("total(79)", 1)
    (fault,) = changed(total, lambda root: root["body"][0]["elements"].pop())
    assert fault.startswith("claim 1: the elements are [")
    assert changed(explained("alarm(hall)", 2), lambda root: root["rules"].pop()) == [
        "claim 1: the rules for it are rooms.lars:2"
    ]


def test_what_says_too_little() -> None:
    """Each tick that counts is told of, by claims about the atom of the literal; and nothing is cut off."""
    alarm = explained("alarm(hall)", 1)
    hot = "hot(R) at least 2 in [2]".replace("R", "hall")
    assert changed(alarm, lambda root: root["body"][0]["claims"].pop()) == [f"claim 1: `{hot}` needs 2 ticks"]
    (fault,) = changed(alarm, lambda root: root["body"][1].pop("claims"))
    assert fault == "claim 1: no claim says why `off(hall) in [1]` is not true"
    assert changed(alarm, lambda root: root["body"][1]["claims"][0].update(atom="on"))
    assert changed(alarm, lambda root: root["bindings"].update(C="30"))
    total = explained("total(79)", 1)
    assert changed(total, lambda root: root["body"][0]["elements"][0].pop("claims"))

    def cut_off(root: Json) -> None:
        for key in root.keys() - {"id", "atom", "tick", "seen_at", "holds"}:
            del root[key]
        root["because"] = "depth"

    assert changed(alarm, cut_off) == ["claim 1: the tree is not cut off here"]
    low = explained("hot(attic)", 1)
    (fault,) = changed(low, lambda root: root["rules"][0].pop("met"))
    assert fault == "claim 1: other literals gave the comparison its values"
    assert changed(low, lambda root: root["rules"][0]["failed"].update(value="26")) == [
        "claim 1: the comparison has other values"
    ]


def test_what_rests_on_itself() -> None:
    """A circle of positive literals supports nothing, though all that is said in it is true."""
    explanation = explained("on", 2)
    root = explanation["explains"][0]
    statements = {s.location.line - 1: i for i, s in enumerate(written(ROOMS).statements)}
    lines = ROOMS.splitlines()

    def derived(number: int, atom: str, line: int, below: Json, literal: str) -> Json:
        place = {"number": statements[line], "source": "rooms.lars", "line": line + 1, "text": lines[line]}
        body = [{"position": 0, "literal": literal, "holds": True, "claims": [below]}]
        claim = {"id": number, "atom": atom, "tick": 2, "seen_at": 2, "holds": True, "because": "rule"}
        return claim | {"statement": place, "bindings": {}, "at": 2, "body": body}

    seen = {"id": 13, "atom": "on", "tick": 2, "seen_at": 2, "holds": True, "because": "seen", "see": 11}
    up = derived(12, "up", lines.index("up :- on."), seen, "on")
    explanation["explains"][0] = derived(11, "on", lines.index("on :- up."), up, "up")
    assert problems(explanation) == ["claim 11: it rests on itself"]
    up = derived(12, "up", lines.index("up :- on."), root, "on")
    explanation["explains"][0] = derived(11, "on", lines.index("on :- up."), up, "up")
    assert problems(explanation) == []


def test_a_choice() -> None:
    """What was followed is held to the rules, and a choice that was not made is no fault of its body."""
    text = "1 { a; b } 1 :- p. c :- a. :- r."
    program, plan = written(text), compile_plan(checked_program(Source("rooms.lars", text)), explained=True)
    reasoner = Reasoner(plan, explain_last=10)
    reasoner.step(0, ["p"], until=1)
    chosen = "a" if "a" in reasoner.step(1).holds.texts else "b"
    other = "b" if chosen == "a" else "a"
    stream = [Arrival(0, 1, "p", "step(0)")]
    for atom in ("a", "b", "c"):
        explanation = reasoner.why(atom).to_dict()
        assert check_explanation(program, stream, explanation) == []
        for atoms in (
            {"a": [[0, 1]], "b": [[1, 1]], "c": [[0, 1]]},
            {"c": [[0, 1]]},
            {chosen: [[2, 3]]},
            {other: [[0, 1]]},
        ):
            explanation["followed"] = {"atoms": atoms, "without_answer": [], "placed": []}
            assert check_explanation(program, stream, explanation)


def test_whole_windows_that_the_program_demands() -> None:
    program = "#complete_windows. a :- p always in [1]."
    plan = compile_plan(checked_program(Source("rooms.lars", program)), explained=True)
    reasoner = Reasoner(plan, explain_last=10)
    reasoner.step(0, ["p"])
    explanation = reasoner.why("a", 0).to_dict()
    assert explanation["complete_windows"]
    stream = [Arrival(0, 0, "p", "step(0)")]
    assert check_explanation(written(program), stream, explanation) == []
    others = explanation | {"complete_windows": False}
    (fault,) = check_explanation(written(program), stream, others)
    assert fault == "explanation: the program demands complete windows, and it has others"
