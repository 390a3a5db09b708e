"""Random programs with times and durations, each beside the same program with ticks, written by hand."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.streams import Case, cases
from tests.strategies.windows import TIME_WINDOWS

TICKS = [-2, -1, 0, 1, 2, 3, 5, 60, 90]

_RULES = [
    "a(D) :- e(X,D){w}, D {s} {d}.",
    "b(D) :- p(X){w}, p(Y), D = Y-X, D {s} {d}.",
    "b(|X-Y|) :- p(X){w}, e(Y,_).",
    "d(X,D) :- e(X,D), X+D {s} {t}.",
    "a(S) :- S = #sum {{ D,X : e(X,D){w} }}, S {s} {d}.",
    "a(M) :- M = #max {{ D : e(_,D){w}; {d} }}.",
    "c :- 2 <= #count {{ X,D : e(X,D){w}, D {s} {d} }}.",
    "b(D*2-{d}) :- e(_,D){w}.",
    "b(D/2) :- e(_,D), D {s} {d}.",
    "a(D \\ {d}) :- e(_,D), {d} != 0.",
    "a(X-X \\ {d}) :- p(X), {d} != 0.",
    "d(X+{d},{d}) :- p(X){w}.",
    "c :- p(X){w}, X {s} @now.",
    "b(@now-X) :- p(X){w}.",
    "a(T-X) :- p(X) at T in {o}, T-X {s} {d}.",
    "c :- e(_,D), not b(D){w}.",
    "b(D) :- e(X,D){w}, not p(X+D).",
    "c :- p(X){w}, {t} {s} X.",
    "a(D) :- b(D){w}, D {s} {d}.",
    "d(X,Y-X) :- d(X,D){w}, p(Y), Y-X {s} D.",
    "{{ b(D) : e(_,D), D {s} {d} }} 1 :- p(_).",
    "d(X,D) at T+1 :- e(X,D) at T in {o}, D {s} {d}.",
    "c :- e(X,{d}) at least 2 in {o}.",
    ":- a(D), D {s} {d}, c.",
]


@st.composite
def _durations(draw: DrawFn, ticks: int) -> str:
    """A duration of so many minutes, as programs may write it."""
    sign = "-" if ticks < 0 else ""
    size = abs(ticks)
    return draw(
        st.sampled_from(
            [f"{ticks} min", f"{sign}{60 * size} sec", f"{sign}{size * 60}.0 s"]
            + ([f"{sign}{size / 60} hour"] if size % 15 == 0 else [])
        )
    )


@st.composite
def timed_cases(draw: DrawFn) -> Case:
    """A program over times and durations on a stream of ticks."""
    program, by_ticks = "#tick 1 min. #types p(time), e(time,duration).\n", ""
    for rule in draw(st.lists(st.sampled_from(_RULES), min_size=1, max_size=5)):
        duration, time = draw(st.sampled_from(TICKS)), draw(st.sampled_from(TICKS))
        over = draw(st.sampled_from(["", " in {}", " in {}", " always in {}"])).format(draw(TIME_WINDOWS))
        sign = draw(st.sampled_from(["<", "<=", ">", ">=", "!=", "="]))
        words = {"w": over, "o": draw(TIME_WINDOWS), "s": sign}
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(minutes=time)
        written = draw(_durations(duration))
        program += rule.format(**words, d=written, t=f'"{moment.isoformat()}"') + "\n"
        by_ticks += rule.format(**words, d=duration, t=time) + "\n"
    found = draw(cases(st.just(program), values=TICKS))
    whole = "\n#complete_windows." if "#complete_windows." in found.program else ""
    return Case(**{**vars(found), "by_ticks": by_ticks + whole})
