"""Random programs over constants that recur, and their streams; each always the same for its number."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class RandomCase:
    """A program with what its stream is like.

    Attributes:
        number: its number.
        program: the text.
        rate: the number of facts at a tick.
        constants: the number of constants that these have.
        is_certain: whether there is one answer stream.
    """

    number: int
    program: str
    rate: int
    constants: int
    is_certain: bool

    def stream(self) -> Iterator[Sequence[str]]:
        """The facts of tick after tick, without end."""
        random, drift = Random(-self.number - 1), 0
        is_drifting = random.random() < _DRIFTING
        weights = [random.randint(1, 3) for _ in range(self.constants)]
        rate = self.rate
        while True:
            if is_drifting:
                drift += random.random() < 1 / 2
            if random.random() < _TURN:
                rate = random.randint(1, self.rate)
            chosen = [drift + random.randrange(self.constants) for _ in range(max(1, rate // 2))]
            facts = [f"p({one})" for one in chosen]
            facts += [f"v({one},{weights[one % self.constants]})" for one in chosen]
            facts += [f"q({one},{random.choice(chosen)})" for one in chosen]
            yield [*facts[: max(2, rate)], f"stop({random.randint(3, 9)})"]


_DRIFTING = 0.2
"""The share of streams whose constants go by."""
_TURN = 0.05
"""The share of ticks with which facts become more, or fewer."""

_GUESSES = (
    "{ in(X) : p(X) }.",
    "1 { in(X) : p(X) } 1 :- p(_).",
    "1 { in(X) : p(X) in [2] } 2 :- p(_).",
    "{ in(X) } 1 :- p(X).",
    "in(X) ; out(X) :- p(X).",
    "in(X) :- p(X), not out(X). out(X) :- p(X), not in(X).",
    "{ in(X) : p(X), not q(X,X) } 3.",
    "{ in(X) } :- p(X), v(X,_) in [3].",
    "1 { in(X,K) : K = 1..3 } 1 :- p(X). in(X) :- in(X,1). :- in(X,K), in(Y,K), q(X,Y), X != Y.",
)
_CERTAIN_GUESSES = ("in(X) :- p(X).", "in(X) :- p(X), not q(X,X).", "in(X) :- p(X) in [3], v(X,W), W < 3.")
_RULES = (
    "j(X,Y) :- q(X,Z), q(Z,Y).",
    "j(X,Y) :- v(X,W), v(Y,W), X < Y.",
    "j(X,Y) :- in(X), in(Y), X < Y.",
    "t(X,Z) :- in(X), q(X,Y), in(Z), q(Z,Y).",
    "t(X,Y) :- in(X), p(Y), not q(X,Y).",
    "c(N) :- N = #count { X : in(X) }.",
    "s(S) :- S = #sum { W,X : in(X), v(X,W) }.",
    "s(S) :- S = #sum+ { W : in(X), v(X,W) }.",
    "m(M) :- M = #max { X : in(X) }.",
    "big :- #sum { W,X : in(X), v(X,W) } > 3.",
    "big :- #sum { 100000000*W,X : in(X), v(X,W) } > 300000000.",
    "many :- 2 { in(X) : v(X,_) }.",
    "all :- in(X) : p(X).",
    "r(X) :- in(X). r(Y) :- r(X), q(X,Y).",
    "r(X,Y) :- q(X,Y), in(X). r(X,Z) :- r(X,Y), q(Y,Z).",
    "n(1) :- in(_). n(N+1) :- n(N), not stop(N), N < 100.",
    "n(1) :- in(_). n(N+1) :- n(N), not over(N). over(N) :- stop(N). over(N) :- n(N), N > 60.",
    "f(X) :- p(X) in [4], not in(X).",
    "w(X,Y) :- in(X), v(Y,W), W = 2, X != Y, X+Y > 20.",
    "far(X,Y) :- p(X), p(Y), (X-Y)**2 > 100, in(X).",
    "d(X/(Y-3)) :- in(X), p(Y), X < 3.",
    "e(X) :- in(X), #count { Y : q(X,Y), in(Y) } > 1.",
    "h(X) : q(X,Y) :- in(Y).",
    "{ pick(X,Y) : q(X,Y) } 1 :- in(X).",
)
_CERTAIN_EXCLUDED = ("h(X)", "{ pick")
_LIMITS = (
    ":- in(X), in(Y), q(X,Y), X != Y.",
    ":- in(X), in(Y), in(Z), X < Y, Y < Z.",
    ":- in(X), in(Y), v(X,W), v(Y,W), X < Y.",
    ":- #count { X : in(X) } > 4.",
    ":- #sum { W,X : in(X), v(X,W) } > 20.",
    ":- in(X), in(Y), X*Y = 77.",
    ":- not in(X), p(X), v(X,1), v(X,2).",
)
_AIMS = (
    "#minimize { W,X : in(X), v(X,W) }.",
    "#maximize { W@2,X : in(X), v(X,W) }.",
    ":~ in(X), in(Y), q(X,Y). [1,X,Y]",
    "#maximize { 1,X : in(X) }. :~ in(X), in(Y), X < Y, q(X,Y). [2@1,X,Y]",
    ":~ not in(X), p(X). [1,X]",
)
_NOW = "late(@now,X) :- in(X)."


def random_case(number: int) -> RandomCase:
    """The case of a number."""
    random = Random(number)
    is_certain = random.random() < 0.15
    rate = round(2 * 25 ** random.random())
    constants = round(10 * 50 ** random.random())
    if is_certain:
        rules = [f for f in _RULES if not f.startswith(_CERTAIN_EXCLUDED)]
        parts = [random.choice(_CERTAIN_GUESSES), *random.sample(rules, random.randint(1, 4))]
    else:
        parts = [random.choice(_GUESSES), *random.sample(_RULES, random.randint(0, 3))]
        parts += random.sample(_LIMITS, random.randint(0, 2))
        parts += random.sample(_AIMS, random.randint(0, 1))
    chances: Sequence[tuple[float, Callable[[], str]]] = (
        (0.1, lambda: _NOW),
        (0.1, lambda: " ".join(f"link({one},{one * 7 % constants})." for one in range(1200))),
        (0.1, lambda: "l(Y) :- in(X), link(X,Y). link(1,2)."),
        (0.1, lambda: f"{_NOW} l(Y) :- in(X), kin(X,Y). kin(1..40,1..30)."),
    )
    parts += [text() for chance, text in chances if random.random() < chance]
    return RandomCase(number, "\n".join(parts), rate, constants, is_certain)
