"""Random cases in which facts of the input are held."""

import dataclasses
import re

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.oracle import Ground, Item
from tests.strategies.streams import CONSTANTS, DERIVED, INPUTS, Case

_KEYS = {0: ((),), 1: ((), (), (0,)), 2: ((0,), (0,), (1,), (0, 1), ())}
"""For predicates of some arity the places of the keys; mostly there are several facts of one key."""


@st.composite
def with_held(draw: DrawFn, cases: SearchStrategy[Case]) -> Case:
    """A case in which some predicates are held; nothing of these begins or ends; more is told of them."""
    case = draw(cases)
    arities = INPUTS | DERIVED
    seen = [name for name in arities if re.search(rf"\b{name}\b", case.program)]
    in_records = {atom[0] for one in case.records for atom in (*one.facts, *one.begin)}
    told = [name for name in seen if name in in_records] or seen or ["p"]
    names = draw(st.lists(st.sampled_from(told), min_size=1, max_size=2, unique=True))
    program = re.sub(r"#show .*", "", case.program)  # the oracle has all that is derived
    directives = "\n".join(draw(_directives(name, arities[name])) for name in names)
    records: list[Item] = []
    for one in case.records:
        facts = one.facts
        begin = tuple(atom for atom in one.begin if atom[0] not in names)
        end = tuple(atom for atom in one.end if atom[0] not in names)
        if draw(st.booleans()):
            facts += tuple(atom for atom in one.begin if atom[0] in names)
        again: list[Ground] = [atom for record in records for atom in record.facts if atom[0] in names]
        if draw(st.booleans()):
            name = draw(st.sampled_from(names))
            values = tuple(draw(st.sampled_from(CONSTANTS)) for _ in range(arities[name]))
            facts += (draw(st.sampled_from([(name, values), *again])),)
        records.append(dataclasses.replace(one, facts=facts, begin=begin, end=end))
    return dataclasses.replace(case, program=f"{directives}\n{program}", records=tuple(records))


@st.composite
def _directives(draw: DrawFn, name: str, arity: int) -> str:
    key = draw(st.sampled_from(_KEYS[arity]))
    arguments = ["X", "Y"][:arity]
    shown = [one if place in key or draw(st.booleans()) else "_" for place, one in enumerate(arguments)]
    by = f" by {','.join(arguments[place] for place in key)}" if key else ""
    longest = draw(st.sampled_from(["", "", " for 0", " for 1", " for 2", " for 5", " for 13"]))
    arguments_text = f"({','.join(shown)})" if shown else ""
    return f"#held {name}{arguments_text}{by}{longest}."
