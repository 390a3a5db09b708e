"""Random programs whose rules mostly agree on a key, in layers, so that much of them can be split."""

import re

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.parts import AtomText, windows_for
from tests.strategies.windows import ALL_WINDOWS, TIME_WINDOWS

INPUTS = {"p": 1, "e": 2, "r": 0, "k": 1}
DERIVED = {"a": 1, "b": 1, "d": 2, "f": 2, "c": 0, "g": 1}
"""As the streams tell them, lowest first, and two that are never told."""
LEVELS = list(DERIVED)
KINDS = ["", "", " in", " in", " always in", " at T in", " at T", " at least 2 in", " count N in"]


@st.composite
def _literals(draw: DrawFn, names: list[str], key: str, *, negated: bool = False) -> str:
    """An atom, mostly with the key among its arguments, in a window."""
    name = draw(st.sampled_from(names))
    arity = (INPUTS | DERIVED)[name]
    others = ["_"] if negated else ["Y", "_", "_", "1"]
    usual = draw(st.integers(0, 7)) > 0
    first = draw(st.integers(0, 3)) > 0
    terms = [key if usual else draw(st.sampled_from(others)), draw(st.sampled_from(others))][:arity]
    if arity == 2 and not first:
        terms.reverse()
    atom = AtomText(name, tuple(terms))
    kind = draw(st.sampled_from(["", " in", " always in", " at least 2 in"] if negated else KINDS))
    if not kind or kind == " at T":
        return f"{atom}{kind}"
    often = 2 if name in INPUTS else 9
    windows = ALL_WINDOWS if draw(st.integers(0, often)) == 0 else TIME_WINDOWS
    return f"{atom}{kind} {draw(windows_for(atom, windows))}"


@st.composite
def _rules(draw: DrawFn, name: str) -> str:
    lower = LEVELS[: LEVELS.index(name)]
    names = [*INPUTS, "p", "e", "e", *lower, *lower]
    key = "X"
    body = [draw(_literals(["p", "e", "e", *(n for n in lower if DERIVED[n])], key))]
    body += draw(st.lists(_literals(names, key), max_size=1))
    text = " ".join(body)
    bound = [v for v in "XYTN" if any(sign in text for sign in (f"({v}", f",{v})", f" {v} ", f"at {v}"))]
    if "X" in bound:
        negated = draw(st.lists(_literals(names, key, negated=True), max_size=1))
        body += [f"not {literal}" for literal in negated]
        if draw(st.integers(0, 4)) == 0:
            window = draw(TIME_WINDOWS)
            aggregate = draw(
                st.sampled_from(
                    [
                        f"M = #count {{ V : e(X,V) in {window} }}",
                        f"#sum {{ V,S : e(X,V) at S in {window} }} >= 1",
                        f"not p(V) in {window} : e(X,V) in {window}",
                        f"p(X) in {window} : e(V,X)",
                    ]
                )
            )
            body.append(aggregate)
            bound += ["M"] if "M" in aggregate else []
    others = [*bound, *bound, "1"]
    terms = ["X" if "X" in bound else draw(st.sampled_from(others)), draw(st.sampled_from(others))]
    if draw(st.integers(0, 5)) == 0:
        terms.reverse()
    head = str(AtomText(name, tuple(terms[: DERIVED[name]])))
    ticks = ["@now", "@now-1", "@now+1", "@now+2", "3", *(["T", "T+1"] if "T" in bound else [])]
    if draw(st.integers(0, 9)) == 0:
        head = f"{head} at {draw(st.sampled_from(ticks))}"
    if draw(st.integers(0, 9)) == 0:
        head = f"#temp {head}"
    if draw(st.integers(0, 9)) == 0 and " at " not in head and "{ V" not in text and ":" not in str(body):
        body.append(draw(_literals([name], key)).replace(" count N in", " in"))
    return f"{head} :- {'; '.join(body)}."


@st.composite
def _relays(draw: DrawFn) -> list[str]:
    """Rules that join by one argument, and others that join what these derive by another one."""
    windows = [draw(st.one_of(st.just(""), TIME_WINDOWS.map(lambda w: f" in {w}"))) for _ in range(4)]
    usual = ["", " always in [1]", " at T in [3]", " count N in [2]", " in [every 3]", " in [2 step 3]"]
    usual += ["", " at @now-1", " in {1}", " at least 2 in {0,1,3}"]
    rare = [" in [2 # d/2]", " in [2 # by Y]", " in [2 #]"]
    kind = draw(st.sampled_from([*usual, *usual, *rare]))
    below = draw(
        st.sampled_from(
            [
                f"e(X,Y){windows[0]}, p(X){windows[1]}",
                f"e(X,Y){windows[0]}, not p(X){windows[1]}",
                f"e(X,Y){windows[0]}, #count {{ V : e(X,V){windows[1]} }} < 2",
                f"e(X,Y){windows[0]}, e(X,Z){windows[1]}, Z != Y",
                f"e(X,Y) in [{draw(st.integers(1, 2))} # by X], p(X)",
            ]
        )
    )
    own = f"d(X,Y){kind or windows[2]}"
    above = draw(
        st.sampled_from(
            [
                f"b(Y) :- {own}, p(Y){windows[3]}.",
                f"b(Y) :- {own}, not p(Y){windows[3]}.",
                f"b(Y) :- p(Y){windows[3]}, not d(_,Y){windows[2]}.",
                f"f(Y,X) :- {own}, e(Y,_){windows[3]}.",
                f"c :- {own}.",
                f"f(Y,M) :- p(Y){windows[3]}, M = #count {{ X : {own} }}.",
            ]
        )
    )
    heads = [*["d(X,Y)"] * 9, "#temp d(X,Y)", "d(X,Y) at @now+1", "d(X,Y) at @now-1"]
    facts = draw(st.sampled_from(["", "", "d(1,1)."]))
    return [f"{draw(st.sampled_from(heads))} :- {below}.", facts, above]


@st.composite
def _enrichments(draw: DrawFn) -> list[str]:
    """Rules that look things up in tables, and the rows of these."""
    windows = [draw(st.one_of(st.just(""), TIME_WINDOWS.map(lambda w: f" in {w}"))) for _ in range(2)]
    one, other = windows
    rules = [
        f"b(Y) :- e(X,_){one}, m(X,Y).",
        f"b(Y) :- e(X,_){one}, m(X,Y), not p(X){other}.",
        f"b(Z) :- e(X,_){one}, m(X,Y), n(Y,Z).",
        f"b(Y) :- m(X,Y), not p(X){one}.",
        f"b(Y) :- a(X){one}, m(X,Y).",
        f"f(Y,M) :- m(_,Y), M = #count {{ X : e(X,_){one}, m(X,Y) }}.",
        f"f(Y,X) :- p(X){one}, m(X,Y), e(X,_){other}.",
        f"d(X,Y) :- e(X,_){one}, m(X,Y), not p(Y){other}.",
        f"g(Y) :- n(_,Y); p(X){one} : m(X,Y), e(X,_).",
        f"a(X) :- p(X){one}, n(Y,X), not e(_,Y){other}.",
        f"a(X) :- e(X,Y){one}, m(Y,X).",
        f"c :- a(X){one}, m(X,1).",
    ]
    rows = ["m(0,0).", "m(0,1).", "m(0,x).", "m(1,x).", "m(x,y).", "m(w,0).", "n(0,1).", "n(x,x).", "n(1,w)."]
    facts = draw(st.lists(st.sampled_from(rows), min_size=3, unique=True))
    constant = draw(st.sampled_from(["", "#const w = x.", "#const w = 1."]))
    return [constant, *draw(st.lists(st.sampled_from(rules), min_size=1, max_size=3, unique=True)), *facts]


@st.composite
def splittable_programs(draw: DrawFn) -> str:
    """A program with one answer stream at each tick, almost always."""
    lines = draw(_relays()) if draw(st.integers(0, 2)) == 0 else []
    lines += draw(_enrichments()) if draw(st.integers(0, 2)) == 0 else []
    most = 2 if lines else 6
    lines += [draw(_rules(draw(st.sampled_from(LEVELS)))) for _ in range(draw(st.integers(most // 3, most)))]
    facts = ["k(0).", "k(1).", "p(0).", "e(1,0).", "a(1).", "d(0,x).", "f(1,1)."]
    lines += draw(st.lists(st.sampled_from(facts), max_size=3, unique=True))
    if draw(st.integers(0, 2)) == 0:
        shown = ["a/1", "b/1", "c/0", "d/2", "f/2", "g/1", "p/1", "k/1", "e/2", "r/0"]
        chosen = draw(st.lists(st.sampled_from(shown), min_size=1, max_size=6, unique=True))
        used = set(re.findall(r"\w+", " ".join(lines)))
        lines += [f"#show {one}." for one in chosen if one.partition("/")[0] in used]
    return "\n".join(lines)
