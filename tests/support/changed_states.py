"""States of snapshots that somebody has changed."""

from typing import Any

from hypothesis import strategies as st

_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 40),
    st.sampled_from([2**31, 2**62, 2**63, 10**30, -(10**30)]),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["p(", "p(1)", "1", "-p(1)", ""]),
    st.just([]),
    st.just({}),
)


def changed(draw: st.DataObject, state: Any) -> Any:
    """The state, changed at one place."""
    parent: Any = state
    place: Any = draw.draw(st.sampled_from(sorted(state)))
    while (inner := parent[place]) and isinstance(inner, dict | list) and draw.draw(st.integers(0, 9)):
        parent = inner
        place = draw.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
    match draw.draw(st.integers(0, 3)):
        case 0:
            del parent[place]
        case 1 if isinstance(parent, list):
            parent.append(parent[place])
        case _:
            parent[place] = draw.draw(_VALUES)
    return state
