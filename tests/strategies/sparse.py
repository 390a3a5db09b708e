"""Random cases in which little happens, so that time passes and nothing else tells what it changes."""

import dataclasses

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.oracle import Ground, Item
from tests.strategies.streams import Case, cases

SIZES = st.sampled_from([0, 1, 2, 3, 5, 8, 12])
STEPS = st.sampled_from([1, 2, 3, 5, 8])
GAPS = st.sampled_from([1, 2, 4, 9, 16])
LENGTHS = st.sampled_from([0, 1, 3, 6, 12])


@st.composite
def _windows(draw: DrawFn, *, tuples: bool) -> str:
    size, step = draw(SIZES), draw(STEPS)
    kinds = [f"[{size}]", f"[{size}]", f"[{size} step {step}]", f"[every {step}]", "offsets", "offsets"]
    kinds += [f"[{size}..{size + step}]"] * 2
    if tuples:
        count = draw(st.integers(1, 3))
        kinds += [f"[{count} #]", f"[{count} # p/1]", f"[{count} # by X]"]
    kind = draw(st.sampled_from(kinds))
    if kind != "offsets":
        return kind
    return "{" + ",".join(map(str, draw(st.lists(SIZES, min_size=1, max_size=3)))) + "}"


@st.composite
def _derivations(draw: DrawFn) -> list[str]:
    """Rules for a(X)."""
    window, ahead = draw(_windows(tuples=False)), draw(st.integers(-6, 12))
    temporary = draw(st.sampled_from(["", "", "", "#temp "]))
    return draw(
        st.sampled_from(
            [
                ["a(X) :- p(X)."],
                [f"a(X) :- p(X) in {window}."],
                [f"a(X) :- p(X) always in {window}."],
                ["a(X) :- p(X), not r."],
                [f"{temporary}a(X) at T+{ahead} :- p(X) at T in {window}."],
                [f"{temporary}a(X) at @now+{ahead} :- p(X)."],
                ["a(X) :- p(X).", f"a(X) :- a(X) in {window}, r."],
                ["a(X) :- p(X).", f"a(X) :- a(X) always in {window}."],
                [f"a(X) :- p(X), not b(X) in {window}."],
                ["a(X) :- p(X), not na(X).", "na(X) :- p(X), r, not a(X)."],
            ]
        )
    )


@st.composite
def _observations(draw: DrawFn, name: str) -> str:
    """A rule that shows what one streaming atom says."""
    atom = f"{name}(X)"
    window = draw(_windows(tuples=name == "p"))
    number = draw(st.integers(1, 4))
    fixed = draw(st.integers(0, 40))
    head, literal = draw(
        st.sampled_from(
            [
                ("b(X)", f"{atom} in {window}"),
                ("b(X)", f"{atom} in {window}"),
                ("b(X)", f"{atom} always in {window}"),
                ("b(X)", f"{atom} always in {window}"),
                ("d(X,T)", f"{atom} at T in {window}"),
                ("d(X,T)", f"{atom} at T in {window}"),
                ("d(X,@now-T)", f"{atom} at T in {window}"),
                ("d(X,@now)", f"{atom} in {window}"),
                ("d(X,@now)", atom),
                ("b(X)", f"{atom} at {fixed}"),
                ("b(X)", f"{atom} at @now-{number}"),
                ("d(X,T)", f"{atom} at T"),
                ("b(X)", f"{atom} at least {number} in {window}"),
                ("b(X)", f"{atom} at most {number} in {window}, k(X)"),
                ("d(X,N)", f"{atom} count N in {window}"),
                ("d(X,N)", f"{atom} count N in {window}"),
                ("b(X)", f"k(X), not {atom} in {window}"),
                ("b(X)", f"k(X), not {atom} always in {window}"),
                ("c(N)", f"N = #count {{ X : {atom} in {window} }}"),
                ("c(N)", f"N = #sum {{ 1,X,T : {atom} at T in {window} }}"),
                ("b(X)", f"{atom} in [20], {atom} at T in {window} : {atom} at T in [{number}]"),
            ]
        )
    )
    more = ["", "", "", "", "r", "not r", f"r in [{number}]", f"r in {{{number}}}"]
    return f"{head} :- {', '.join(filter(None, [literal, draw(st.sampled_from(more))]))}."


@st.composite
def lone_rules(draw: DrawFn) -> str:
    """A program with one rule that looks at the stream, or one more that it depends on."""
    lines = ["k(0). k(1)."]
    name = draw(st.sampled_from(["p", "a"]))
    if name == "a":
        lines += draw(_derivations())
    lines += [draw(_observations(name)) for _ in range(draw(st.sampled_from([1, 1, 1, 1, 2])))]
    if draw(st.integers(0, 7)) == 0:
        lines.append(f"{draw(st.sampled_from(['p(1)', 'a(0)', 'r']))}.")
    if draw(st.booleans()):
        lines.append("#show b/1. #show c/1. #show d/2.")
    return "\n".join(lines)


@st.composite
def momentary_rules(draw: DrawFn) -> str:
    """Programs with rules that fire only where something arrives, unless what they need holds on."""
    lines = ["k(0). k(1).", draw(st.sampled_from(["", "n(X) :- p(X)."]))]
    events = ["e :- r.", "e :- r, not p(0).", "e :- r. e :- p(1), r in [0].", "e :- r. e :- k(3)."]
    lines += draw(st.sampled_from([[], [], *([one, "h :- e."] for one in events)]))
    guards = ["r", "r", "p(0)", "p(X)", "r in [0]", "p(X) at _ in [0]", "e", "e", "e in [0]", "h", ""]
    for _ in range(draw(st.integers(1, 3))):
        rule = draw(_observations(draw(st.sampled_from(["p", "p", "n"]))))
        guard = draw(st.sampled_from(guards))
        lines.append(f"{rule[:-1]}, {guard}." if guard else rule)
    sign, window = draw(st.sampled_from(["", "not "])), draw(_windows(tuples=True))
    lines.append(draw(st.sampled_from(["", f"f(X) :- b(X), {sign}p(X) in {window}."])))
    guard, window = draw(st.sampled_from(["", ", r"])), draw(_windows(tuples=False))
    lines.append(draw(st.sampled_from(["", f"g(X) :- b(X) in {window}{guard}."])))
    return "\n".join(filter(None, lines))


@st.composite
def quiet_streams(draw: DrawFn, atoms: list[Ground]) -> tuple[Item, ...]:
    """A few records with gaps in between, about some of the atoms."""
    records = []
    tick = draw(st.integers(0, 9))
    is_open: set[Ground] = set()
    for _ in range(draw(st.integers(1, 5))):
        atom = draw(st.sampled_from(atoms))
        match draw(st.sampled_from(["fact", "fact", "until", "begin", "begin", "end"])):
            case "until":
                records.append(Item(tick, (atom,), tick + draw(LENGTHS)))
            case "begin":
                is_open.add(atom)
                records.append(Item(tick, begin=(atom,)))
            case "end" if is_open:
                ended = draw(st.sampled_from(sorted(is_open)))
                is_open.discard(ended)
                records.append(Item(tick, end=(ended,)))
            case _:
                records.append(Item(tick, (atom,)))
        tick += draw(GAPS)
    return tuple(records)


@st.composite
def quiet_cases(draw: DrawFn, programs: SearchStrategy[str] | None = None) -> Case:
    """A program, else one of a rule or two, on a stream of a few records."""
    program = draw(lone_rules() if programs is None else programs)
    atoms: list[Ground] = [("p", (0,)), ("p", (0,)), ("p", (0,)), ("p", (1,))]
    atoms += [("a", (0,))] if "a(X)" in program else []
    atoms += [("r", ()), ("r", ())] if "r" in program.replace("every", "") else []
    records = draw(quiet_streams(atoms))
    first = records[0].tick
    return Case(
        program,
        records,
        draw(st.sampled_from([None, None, 0, max(0, first - 2)])),
        records[-1].tick + draw(st.sampled_from([0, 12, 30])),
        draw(st.sampled_from(["recorded", "strict"])),
        draw(st.integers(0, 3)) == 0,
    )


@st.composite
def sparse_cases(draw: DrawFn, programs: SearchStrategy[str]) -> Case:
    """Cases with gaps in the stream."""
    case = draw(cases(programs))
    told: list[Item] = []
    more = 0
    last = case.records[0].tick
    for each in case.records:
        if each.tick > last:
            more += draw(st.sampled_from([0, 3, 11, 30]))
        last = each.tick
        until = each.until
        if until is not None:
            until += more + draw(st.sampled_from([0, 0, 7, 40]))
        told.append(dataclasses.replace(each, tick=each.tick + more, until=until))
    return dataclasses.replace(
        case, records=tuple(told), last=case.last + more + draw(st.sampled_from([0, 5, 40]))
    )
