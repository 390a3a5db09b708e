"""Random programs with decimals, each beside the same program with integers, written by hand."""

from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.terms.text import text_of

ROOMS = ["hall", "attic"]

Fact = tuple[str, str, int]
"""A predicate, a room and the integer that the program sees."""


class DecimalCase(NamedTuple):
    """A program and a stream.

    Attributes:
        program: with numbers that have a point.
        integers: the same with integers.
        decimals: those of the arguments of predicates.
        stream: the input of ticks.
    """

    program: str
    integers: str
    decimals: dict[str, tuple[int, ...]]
    stream: list[list[Fact]]

    def text(self, name: str, row: Row) -> str:
        """An atom as it is expected in the output."""
        arguments = [
            by_hand(value, places) if isinstance(value, int) else text_of(value)
            for value, places in zip(row, self.decimals[name], strict=True)
        ]
        return f"{name}({','.join(arguments)})"


def by_hand(number: int, decimals: int) -> str:
    """A number with so many digits behind the point."""
    if not decimals:
        return str(number)
    digits = f"{abs(number):0{decimals + 1}d}"
    return f"{'-' if number < 0 else ''}{digits[:-decimals]}.{digits[-decimals:]}"


_RULES = [
    ("hot(R,T) :- reading(R,T){window}, T {sign} {t}.", {"hot": "-t"}),
    ("cold(R) :- reading(R,T) always in [1], |T-{t}| {sign} {t}.", {"cold": "-"}),
    ("total(S) :- S = #sum {{ T,R: reading(R,T){window} }}, S {sign} {t}.", {"total": "t"}),
    ("most(S) :- S = #max {{ T: reading(_,T){window}; {t} }}.", {"most": "t"}),
    (
        "mean(R,S/N) :- reading(R,_), S = #sum {{ T,X: reading(R,T) at X in [2] }}, "
        "N = #count {{ X: reading(R,_) at X in [2] }}.",
        {"mean": "-t"},
    ),
    ("cost(R,T*S) :- reading(R,T), price(R,S){window}, T*S {sign} {ts}.", {"cost": "-+"}),
    ("half(T/{two}) :- reading(_,T).", {"half": "t"}),
    ("gap(T-U) :- reading(hall,T){window}, U = V+{t}, reading(attic,V).", {"gap": "t"}),
    ("same(R) :- reading(R,{t}){window}.", {"same": "-"}),
    ("other(R) :- reading(R,_){window}, not reading(R,{t}).", {"other": "-"}),
    ("over(R,L) :- reading(R,T), limit(R,L), -T {sign} L.", {"over": "-t"}),
    ("down(T) :- reading(_,T), T <= {big}. down(X-{big}) :- down(X), X > -{big}.", {"down": "t"}),
    ("{{ pick(R,S) : price(R,S), S {sign} {s} }} 1 :- reading(R,_).", {"pick": "-s"}),
    ("later(T) at @now+1 :- reading(_,T), T != {t}.", {"later": "t"}),
    ("near(R) :- reading(R,T), price(R,S), T*1{s0} {sign} S*1{t0}.", {"near": "-"}),
]


@st.composite
def decimal_cases(draw: DrawFn) -> DecimalCase:
    """A program with declared and derived decimals, and its input."""
    places = {"t": draw(st.integers(0, 3)), "s": draw(st.integers(0, 3)), "-": 0}
    places["+"] = places["t"] + places["s"]
    numbers = st.integers(-30, 30)
    lines: list[tuple[str, dict[str, str]]] = [("limit(hall,{t}).", {}), ("limit(attic,{t}).", {})]
    lines += draw(st.lists(st.sampled_from(_RULES), min_size=1, max_size=5))
    decimals: dict[str, tuple[int, ...]] = {
        "reading": (0, places["t"]),
        "price": (0, places["s"]),
        "limit": (0, places["t"]),
    }
    program, integers = [], []
    declared = [f"{name}(_,{found[-1]})" for name, found in decimals.items() if found[-1]]
    if declared:
        program.append(f"#decimals {', '.join(declared)}.")
    for line, heads in lines:
        t, s, ts, big = (draw(numbers) for _ in range(4))
        words = {"window": draw(st.sampled_from(["", " in [1]", " in {1,2}"]))}
        words["sign"] = draw(st.sampled_from(["<", "<=", ">", ">=", "!=", "="]))

        def said(number: int, kind: str) -> str:
            text = by_hand(number, places[kind])
            return text + "0" * draw(st.integers(0, 1)) if places[kind] else text

        with_point = {
            "t": said(t, "t"),
            "s": said(s, "s"),
            "ts": said(ts, "+"),
            "big": said(abs(big) + 10, "t"),
            "two": "2",
            "s0": f".{'0' * places['s']}" if places["s"] else "",
            "t0": f".{'0' * places['t']}" if places["t"] else "",
        }
        as_integers = {
            "t": str(t),
            "s": str(s),
            "ts": str(ts),
            "big": str(abs(big) + 10),
            "two": "2",
            "s0": "0" * places["s"],
            "t0": "0" * places["t"],
        }
        program.append(line.format(**words, **with_point))
        integers.append(line.format(**words, **as_integers))
        decimals |= {name: tuple(places[kind] for kind in kinds) for name, kinds in heads.items()}
    facts = st.tuples(st.sampled_from(["reading", "reading", "price"]), st.sampled_from(ROOMS), numbers)
    stream = draw(st.lists(st.lists(facts, max_size=4), min_size=1, max_size=6))
    return DecimalCase("\n".join(program), "\n".join(integers), decimals, stream)
