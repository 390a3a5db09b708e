"""Which answers to lookups matter, as far as background data says."""

from lars2asp.compiler import compile_program
from lars2asp.syntax.source import Source

REACHABLE = (
    "reachable(R) :- start(R). reachable(R) :- reachable(Q), link(Q,R), {}. link(1,2). #show reachable/1."
)


def relevant(literal: str) -> dict[str, list[tuple[str, ...]]]:
    plan = compile_program(Source("x.lars", REACHABLE.format(literal)))
    [component] = plan.components
    return {
        f"{lookup.signature} {lookup.kind}": [tuple(one) for one in answers]
        for lookup, answers in component.program.relevant_answers.items()
    }


def test_atoms_over_arguments_of_background_data() -> None:
    assert relevant("working(R)") == {"working/1 told": [("working(R)", "link(Q,R)")]}
    assert relevant("working(R) in [5]") == {"working/1 in": [("working(R)", "link(Q,R)")]}


def test_atoms_over_other_terms() -> None:
    assert relevant("working(R,X), X > 3") == {}
    assert relevant("#count { X : working(R,X) } > 1") == {}
