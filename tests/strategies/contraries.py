"""Cases of other strategies with classical negation: some predicates stand as the contraries of others."""

import re
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.oracle import Ground
from tests.strategies.streams import DERIVED, Case

_CONTRARY = {"a": ("p", "b"), "b": ("p", "a"), "c": ("r",), "d": ("e",)}
"""For predicates those of the same arity as whose contraries they may stand."""


@st.composite
def with_contraries(draw: DrawFn, cases: SearchStrategy[Case]) -> Case:
    """A case in which `-p` stands for `a`, and the like; in program and stream alike."""
    case = draw(cases)
    chosen = draw(st.lists(st.sampled_from(sorted(_CONTRARY)), min_size=1, max_size=2, unique=True))
    names = {name: f"-{draw(st.sampled_from(_CONTRARY[name]))}" for name in chosen}
    found = "|".join(rf"\b{name}\b(?=[(/])" if DERIVED[name] else rf"\b{name}\b" for name in names)
    program = re.sub(found, lambda match: names[match[0]], case.program)

    def renamed(atoms: tuple[Ground, ...]) -> tuple[Ground, ...]:
        return tuple((names.get(name, name), values) for name, values in atoms)

    records = tuple(
        replace(told, facts=renamed(told.facts), begin=renamed(told.begin), end=renamed(told.end))
        for told in case.records
    )
    return replace(case, program=program, records=records)
