"""Programs as they are before a change and after it, and streams."""

from collections.abc import Sequence

from hypothesis import strategies as st

HEADS = {"hot": 1, "alarm": 1, "often": 1, "calm": 1, "pair": 2, "n": 1, "late": 1, "box": 1}

LARGEST = 4
"""The size of windows; two lie on one another at most."""

Stream = Sequence[tuple[int, list[str]]]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Some of the rules, with other thresholds and windows, and perhaps other outputs."""
    size = st.integers(1, LARGEST)
    rules = [
        f"hot(R) :- t(R,V), V > {draw(st.integers(0, 3))}.",
        f"alarm(R) :- hot(R) always in [{draw(size)}].",
        f"often(R) :- s(R) at least {draw(st.integers(1, 3))} in [{draw(size)}].",
        f"calm(R) :- s(R), not hot(R) in [{draw(size)}].",
        f"pair(R,Q) :- s(R), s(Q) in [{draw(size)}], R < Q + {draw(st.integers(0, 2))}.",
        f"n(N) :- N = #count {{ R : s(R) in [{draw(size)}] }}.",
        f"late(R) :- s(R) in {{{draw(size)}}}.",
        f"box(R) :- s(R) always in [{draw(size)}].",
    ]
    kept = draw(st.sets(st.integers(1, len(rules) - 1), min_size=2))
    facts = draw(st.sampled_from(["", "", "s(3)."]))
    text = "\n".join([facts, rules[0], *(rules[number] for number in sorted(kept))])
    names = [name for name in HEADS if f"{name}(" in text]
    few = draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
    return text + "".join(f"\n#show {name}/{HEADS[name]}." for name in few)


@st.composite
def streams(draw: st.DrawFn) -> Stream:
    atoms = [f"s({r})" for r in (1, 2)] + [f"t({r},{v})" for r in (1, 2) for v in (1, 2, 3)]
    some = st.lists(st.sampled_from(atoms), max_size=4, unique=True)
    steps = draw(st.lists(st.tuples(st.integers(1, 3), some), min_size=8, max_size=14))
    tick, found = 0, []
    for step, facts in steps:
        found.append((tick, facts))
        tick += step
    return found
