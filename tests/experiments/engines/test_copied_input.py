"""Parts that share some of their input, by the cliques of its dependency graph."""

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from experiments.benchmark import EngineName, Setting
from experiments.benchmarks.streamrule import CONNECTED, POSITIVE, windows
from experiments.engine import RefusedError, text_of
from experiments.engines.copied_input import maximal_cliques, merged, parts_by_cliques
from lars2asp.compiler import CheckedProgram, Overrides, checked_program
from lars2asp.splitting.parts import Split
from lars2asp.syntax.nodes import Semantics, Signature
from lars2asp.syntax.source import Source
from tests.experiments.benchmarks.agreement import answers_of_all
from tests.experiments.engines.test_process_engines import InThisProcess, of_one, of_split
from tests.support.examples import number_of_examples


def checked(text: str) -> CheckedProgram:
    return checked_program(Source("test.lars", text), overrides=Overrides(semantics=Semantics.STRICT))


def parts(text: str) -> Split:
    program = checked(text)
    return parts_by_cliques(program.program, program.semantics)


def of(*names: str) -> frozenset[Signature]:
    return frozenset(Signature(name, 1) for name in names)


def test_cliques_are_all_that_are_connected() -> None:
    """a - b - c, a - c, c - d"""
    edges = {"a": "bc", "b": "ac", "c": "abd", "d": "c"}
    graph = {Signature(one, 1): {*of(*others)} for one, others in edges.items()}
    assert {*maximal_cliques(graph)} == {of("a", "b", "c"), of("c", "d")}


def test_cliques_with_much_in_common_are_merged() -> None:
    assert merged([of("a", "b", "c"), of("b", "c", "d")], []) == [of("a", "b", "c", "d")]
    assert merged([of("a", "b", "c"), of("c", "d", "e")], []) == [of("a", "b", "c"), of("c", "d", "e")]
    assert merged([of("a", "b"), of("c", "d")], [of("b", "c")]) == [of("a", "b", "c", "d")]


def test_what_connects_places_and_cars_is_copied() -> None:
    found = parts(CONNECTED)
    assert len(found.parts) == 2
    assert [str(one) for one in found.duplicated if not str(one).startswith(("crowded",))] == [
        "number_of_cars/2"
    ]
    outputs = [one for part in found.parts for one in part.outputs]
    assert len(outputs) == len(set(outputs))


def test_a_program_whose_input_falls_apart_has_nothing_copied() -> None:
    assert not parts(POSITIVE).duplicated


def test_programs_with_several_answers_are_refused() -> None:
    with pytest.raises(RefusedError):
        parts("{ a(X) } :- p(X).")


def test_answers_are_those_of_one_reasoner() -> None:
    setting = Setting("small", 0, CONNECTED, lambda: windows(600), 0, 4, 0)
    found = answers_of_all(setting, [EngineName.AUTO, EngineName.COPIED], 4)
    assert any("danger" in atom for atom in found[-1])


INPUT = "abcde"


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Rules over one to three predicates of the input, and over what the rules above them derive."""
    rules = []
    for number in range(draw(st.integers(2, 5))):
        body = draw(st.lists(st.sampled_from(INPUT), min_size=1, max_size=3, unique=True))
        literals = [f"{name}(X)" for name in body]
        if len(literals) > 1 and draw(st.booleans()):
            literals[-1] = f"not {literals[-1]}"
        if number and draw(st.booleans()):
            literals.append(f"h{draw(st.integers(0, number - 1))}(X)")
        if draw(st.booleans()):
            literals[0] += " in [2]"
        rules.append(f"h{number}(X) :- {', '.join(literals)}.")
    return " ".join(rules)


facts = st.lists(st.tuples(st.sampled_from(INPUT), st.integers(0, 2)), max_size=6, unique=True)


@settings(max_examples=number_of_examples(15), deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.lists(facts, min_size=1, max_size=6))
def test_random_programs(text: str, stream: list[list[tuple[str, int]]]) -> None:
    note(text)
    program = checked(text)
    found = parts_by_cliques(program.program, program.semantics)
    ordered = [sorted(one, key=text_of) for one in stream]
    given_by_parts = of_split(program, ordered, parts=found, make_workers=InThisProcess)
    assert given_by_parts == of_one(program, ordered)
