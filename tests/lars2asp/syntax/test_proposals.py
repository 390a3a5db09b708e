"""What messages propose to write: put in its place, it is accepted, and it says what was meant."""

from collections.abc import Iterator
from itertools import cycle

import pytest

from lars2asp.compiler import check
from lars2asp.syntax.diagnostics import Diagnostic, Severity
from lars2asp.syntax.source import Source

ATOMS = ("p", "p(X)", "-p(X,f(g(X),(1,2)))", 'p("a, (b) :- c. d",X)', "p( X , Y )", "p'_1(X)")
NAMED = tuple(atom for atom in ATOMS if not atom.startswith("-"))
"""Those that do not make a difference of the word before them."""

TERMS = ("X", "3", "f(X,g(Y))", "(X+1)", '"a b"')
NUMBERS = ("X", "3", "(X+1)", "|X|", "-Y")
SUMS = ("X", "3", "X + 1", "(X+1)*2", "-Y", "X*Y-1", "f(X)")
WINDOWS = ("[5]", "[90 sec]", "{1,2}", "[5 #]", "[2 min step 1 min]")
TICKS = ("T", "3", "T-1", "(T+1)")
BOUND = ", bound(X,Y,T)."

# What stands between « and » is written otherwise: as the second text says.
WRITTEN = [
    # Laser
    ("h :- «time_win(5,0,1,@({tick},{atom}))»", "{atom} at {tick} in [5]"),
    ("h :- «time_win( 5 , 0, 1, @( {tick} , {atom} ) )»", "{atom} at {tick} in [5]"),
    ("h :- «time_win(5,0,1,diamond(not({atom})))»", "not {atom} always in [5]"),
    ("h :- «time_win(5,0,1,box(not({atom})))»", "not {atom} in [5]"),
    ("h :- «time_win(5, 0, 1, @({tick}, ({atom})))»", "{atom} at {tick} in [5]"),
    ("h :- «tuple_win(5, @( {tick} , {atom} ) )»", "{atom} at {tick} in [5 #]"),
    ("h :- «tuple_win(5,0,1, diamond( not({atom})))»", "not {atom} always in [5 #]"),
    ("h :- «@({tick},{atom})»", "{atom} at {tick}"),
    ("«@({tick},{atom})» :- q", "{atom} at {tick}"),
    ("h :- «MATH(+,Z,{number},{sum})»", "Z = {number} + {operand}"),
    ("h :- «MATH(*, Z, {sum}, {number})»", "Z = {operand} * {number}"),
    ("h :- «COMP(>=,{sum},{term})»", "{sum} >= {term}"),
    ("h :- «COMP(=/=,{term},{sum})»", "{term} != {sum}"),
    ("h :- «[$,5] [D] {atom}»", "{atom} in [5]"),
    ("h :- «[$, 90 secs][D]{atom}»", "{atom} in [90 sec]"),
    ("h :- not «[$, 5] [B] {atom}»", "{atom} always in [5]"),
    ("h :- «[$,5][@,{tick}] {atom}»", "{atom} at {tick} in [5]"),
    ("h :- «[#,3] {atom}»", "{atom} in [3 #]"),
    ("h :- «[@,{tick}] {atom}»", "{atom} at {tick}"),
    # Ticker
    ("h :- «@{tick} {atom} {window}»", "{atom} at {tick} in {window}"),
    ("h :- «@{tick} {atom} in {window}»", "{atom} at {tick} in {window}"),
    ("h :- «@{tick} {atom} always in {window}»", "{atom} always in {window}"),
    ("«@{tick} {atom}» :- q", "{atom} at {tick}"),
    ("h :- «{atom} @ {tick}»", "{atom} at {tick}"),
    ("h :- «{atom}@{tick} in {window}»", "{atom} at {tick} in {window}"),
    ("h :- «{atom} not in {window}»", "not {atom} in {window}"),
    ("h :- «{atom} not always {window}»", "not {atom} always {window}"),
    # I-DLV-sr
    ("h :- «&f({term};)»", "@f({term}) = 1"),
    ("h :- «&f({term}, {term} ; )»", "@f({term}, {term}) = 1"),
    ("h :- «not &f({sum};)»", "@f({sum}) = 0"),
    ("h :- «&f({term};Z)»", "Z = @f({term})"),
    ("h :- «&f(;Z)»", "Z = @f()"),
    ("h :- «&f({term},{sum};Z,V)»", "(Z,V) = @f({term},{sum})"),
    ("h :- «&f({term}; Z, {sum})»", "(Z, {sum}) = @f({term})"),
    # the order of words
    ("h :- «always {named} {window}»", "{named} always in {window}"),
    ("h :- not «always {named} in {window}»", "{named} always in {window}"),
    ("h :- «always not {atom} in {window}»", "not {atom} in {window}"),
    ("h :- «box {named} {window}»", "{named} always in {window}"),
    ("h :- «once {named} in {window}»", "{named} in {window}"),
    ("h :- «once {named}»", "{named} at _"),
    ("h :- «always in {window} {atom}»", "{atom} always in {window}"),
    ("h :- «{atom} in {window} always»", "{atom} always in {window}"),
    ("h :- «{atom} {window} at least {number}»", "{atom} at least {number} in {window}"),
    ("h :- «{atom} in {window} at {tick}»", "{atom} at {tick} in {window}"),
    ("h :- «{atom} least X in {window}»", "{atom} at least X in {window}"),
    ("h :- «{atom} atmost X+1 in {window}»", "{atom} at most X+1 in {window}"),
    # how often
    ("h :- «{atom} count > 3 in [5]»", "{atom} at least 4 in [5]"),
    ("h :- «{atom} count > X in [5]»", "{atom} at least X+1 in [5]"),
    ("h :- «{atom} count >= X in [5]»", "{atom} at least X in [5]"),
    ("h :- «{atom} count < X [5]»", "{atom} at most X-1 in [5]"),
    ("h :- «{atom} count <= 0 in [5]»", "{atom} at most 0 in [5]"),
    ("h :- «{atom} count = 0 in {window}»", "not {atom} in {window}"),
    ("h :- «{atom} count == 2 in {window}»", "{atom} count 2 in {window}"),
    ("h :- «{atom} count != 2 in {window}»", "not {atom} count 2 in {window}"),
    ("h :- «#count {{ {atom} }} > 3 in {window}»", "{atom} at least 4 in {window}"),
    ("h :- «#count {{ {atom} in {window} }} <= 3»", "{atom} at most 3 in {window}"),
    ("h :- «#count {{ {atom} }} {window} >= 3»", "{atom} at least 3 in {window}"),
    ("h :- «#count {{ X : {atom} }} > 3 in {window}»", "#count {{ X: {atom} in {window} }} > 3"),
    ("h :- «#count {{ X : {atom} }} {window} > 3»", "#count {{ X: {atom} in {window} }} > 3"),
    ("h :- Z = «#sum {{ X,Y : {atom}, not q(X), X > 1 }} in {window}»",
     "#sum {{ X,Y: {atom} in {window}, not q(X) in {window}, X > 1 }}"),
    ("h :- «#sum {{ X : {atom} ; Y : q(Y) }} in {window}» > 5",
     "#sum {{ X: {atom} in {window}; Y: q(Y) in {window} }}"),
    # windows
    ("h :- {atom} in «[# 5]»", "[5 #]"),
    ("h :- {atom} in «[rows 5]»", "[5 #]"),
    ("h :- {atom} in «[ROWS 5]»", "[5 #]"),
    ("h :- {atom} in «[last 90 secs]»", "[90 sec]"),
    ("h :- {atom} in «[RANGE 5m]»", "[5 min]"),
    ("h :- {atom} in «[RANGE 5m STEP 1m]»", "[1 tick .. 5 min step 1 min]"),
    ("h :- {atom} in «[RANGE 10 SLIDE 2]»", "[1..10 step 2]"),
    ("h :- {atom} in «[5 min slide 1 min]»", "[1 tick .. 5 min step 1 min]"),
    ("h :- {atom} in «[5 s advance by 1 s]»", "[1 tick .. 5 sec step 1 sec]"),
    ("h :- {atom} in «[every 5 step 2]»", "[1..5 step 2]"),
    ("h :- {atom} in «[tumbling 5 min]»", "[every 5 min]"),
    ("h :- {atom} in «[RANGE 5m TUMBLING]»", "[every 5 min]"),
    ("h :- {atom} in «[each 5]»", "[every 5]"),
    ("h :- {atom} in «[every 5 hrs]»", "[every 5 hour]"),
    ("h :- {atom} in «[<= 5]»", "[5]"),
    ("h :- {atom} in «[5, 2]»", "[5 step 2]"),
    ("h :- {atom} in «[0, 5]»", "[5]"),
    ("h :- {atom} in «[2, 5]»", "{{2,3,4,5}}"),
    ("h :- {atom} in «[1.5 hrs]»", "[90 min]"),
    ("h :- {atom} in «[1h30m]»", "[90 min]"),
    ("h :- {atom} in «[1 hour 30 mins step 1 min]»", "[90 min step 1 min]"),
    ("h :- {atom} in «[2 weeks]»", "[14 day]"),
    ("h :- p(X) in «[5 # X]»", "[5 # by X]"),
    ("h :- p(X,Y) in «[5 by X, Y]»", "[5 # by X, Y]"),
    ("h :- «{atom} after q»", "{atom} in [after q]"),
    ("h :- {atom} «in 5»", "in [5]"),
    ("h :- {atom} «in (90 seconds)»", "in [90 sec]"),
    ("h :- {atom} «always in 2 weeks»", "always in [14 day]"),
    ("h :- «{atom} within the last 5 minutes»", "{atom} in [5 min]"),
    ("h :- «{atom} for 10 min»", "{atom} always in [10 min]"),
    ("h :- «{atom}#time(5 sec)»", "{atom} in [5 sec]"),
    ("h :- «{atom}#length(5)»", "{atom} in [5 #]"),
    ("h :- «{atom} at least 2», q", "{atom} at least 2 in [5]"),
    ("h :- «{atom} always», q", "{atom} always in [5]"),
    ("h :- «{atom} in», q", "{atom} in [5]"),
    ("h :- «X in 1..3»", "X = 1..3"),
    ("h :- «X in {{1,2}}»", "X = (1;2)"),
    ("h :- «X in {{1..3}}»", "X = 1..3"),
    # comparisons, operators, connectives
    ("h :- «{sum} => {sum}»", "{sum} >= {sum}"),
    ("h :- «{sum}=<{sum}»", "{sum} <= {sum}"),
    ("h :- «{sum} === {term}»", "{sum} = {term}"),
    ("h :- «{sum} =/= {term}»", "{sum} != {term}"),
    ("h :- «{sum} /= {term}»", "{sum} != {term}"),
    ("h :- «{sum} \\== {term}»", "{sum} != {term}"),
    ("h :- «Z := {sum}»", "Z = {sum}"),
    ("h :- «Z is {sum}»", "Z = {sum}"),
    ("h :- «Z is X mod (Y+1)»", "Z = X \\ (Y+1)"),
    ("h :- «Z is mod(X,2)»", "Z = X \\ 2"),
    ("h :- Z = «{number} mod {number}»", "{number} \\ {number}"),
    ("h :- Z = «{number} % {number}»", "{number} \\ {number}"),
    ("h :- «{number} % 2» = 0", "{number} \\ 2"),
    ("h :- Z = «{number} // {number}»", "{number} / {number}"),
    ("h :- «{atom} && {atom}»", "{atom}, {atom}"),
    ("h :- «{atom} and not q»", "{atom}, not q"),
    ("h :- q, «!{atom}»", "not {atom}"),
    ("h :- q, «!({atom})»", "not {atom}"),
    ("«{atom} or q» :- r", "{atom} ; q"),
    ("«{atom} || q» :- r", "{atom} ; q"),
]  # fmt: skip


PIECES = {
    "atom": ATOMS,
    "named": NAMED,
    "term": TERMS,
    "number": NUMBERS,
    "sum": SUMS,
    "window": WINDOWS,
    "tick": TICKS,
}


def filled(template: str, written: str) -> Iterator[tuple[str, str]]:
    """A template and what is to be written, with each of the pieces in them, which take turns."""
    used = [name for name in PIECES if f"{{{name}}}" in template]
    turns = [cycle(PIECES[name]) for name in used]
    for _ in range(max((len(PIECES[name]) for name in used), default=1)):
        known = dict(zip(used, map(next, turns), strict=True))
        whole = known.get("sum", "")
        known["operand"] = f"({whole})" if whole in ("X + 1", "(X+1)*2", "X*Y-1") else whole
        yield template.format(**known), written.format(**known)


def errors(text: str) -> list[Diagnostic]:
    """The errors of a program in which seconds and functions are known."""
    found = check(Source("x.lars", f"{text}\n#tick 1 sec.\n"))
    return [
        one
        for one in found
        if one.severity is Severity.ERROR and "there is no function @f" not in one.message
    ]


def ended(text: str) -> str:
    """A rule with a body that binds its variables, and a dot."""
    return f"{text}{BOUND if ':-' in text else '.'}"


CASES = [case for template, written in WRITTEN for case in filled(template, written)]


@pytest.mark.parametrize(("text", "written"), CASES)
def test_what_is_proposed_can_be_written(text: str, written: str) -> None:
    before, rest = text.split("«")
    foreign, behind = rest.split("»")
    [found] = errors(ended(f"{before}{foreign}{behind}"))
    assert f"write {written}" in found.hint
    assert not [one for one in errors(ended(f"{before}{written}{behind}")) if "never" not in one.message]


@pytest.mark.parametrize(
    ("trigger", "tick", "body"),
    [
        ("5", "", r"@now \ 5 = 0. where 5 is in ticks"),
        ("10 min", "#tick 1 sec.", r"@now \ 600 = 0. where 600 is in ticks"),
        ("10min", "#tick 1 min.", r"@now \ 10 = 0. where 10 is in ticks"),
        ("3000 ms", "#tick 500 msec.", r"@now \ 6 = 0. where 6 is in ticks"),
        ("1 hrs", "#tick 1 min. % or so", r"@now \ 60 = 0. where 60 is in ticks"),
        ("10 min", "", r"@now \ 10 = 0. with #tick 1 min."),
        ("10 min", "% #tick 1 sec.", r"@now \ 10 = 0. with #tick 1 min."),
        (
            "10 s",
            "#tick 1 min.",
            r"@now \ 10 = 0. with #tick 1 sec., as 10 sec is not a whole number of ticks",
        ),
    ],
)
def test_how_often_a_rule_fires_is_told_in_ticks(trigger: str, tick: str, body: str) -> None:
    rules = ["h :- a.", 'h(X,1..2) :- a(X,1..2), not b("x. y") in [5].', "1 { h(X) : a(X) } 1 :- b.", ":- a."]
    for rule in rules:
        said = check(Source("x", f"{tick}\n#trigger_frequency({trigger}) {rule}\n"))
        [found] = [one for one in said if one.severity is Severity.ERROR]
        assert found.hint == f"write {rule[:-1]}, {body}"
        assert not [
            one
            for one in check(
                Source("x", found.hint.removeprefix("write ").split(" where ")[0].split(" with ")[0])
            )
            if one.severity is Severity.ERROR
        ]


@pytest.mark.parametrize(
    ("string", "escape", "hint"),
    [
        (r"tab\there", r"\t", r"write \\t for a backslash and t, or \u{9} for a tabulator"),
        (r"\d+", r"\d", r"write \\d for a backslash and d"),
        (r"C:\new\x", r"\x", r"write \\x for a backslash and x; \n in it is a line break"),
        (r"C:\\new\x", r"\x", r"write \\x for a backslash and x"),
        (r"a \" b\'s", r"\'", r"write \\' for a backslash and '"),
    ],
)
def test_what_is_no_escape_is_told_where_it_stands(string: str, escape: str, hint: str) -> None:
    for text in ('a("STRING").', 'b :- a(1), c("x", "STRING"), d("y").', 'a :- b, X = "STRING", X < "z".'):
        [found] = errors(text.replace("STRING", string))
        told = found.location.source.text[found.location.begin : found.location.end]
        assert (told, found.message, found.hint) == (escape, f"{escape} is not an escape in a string", hint)
        mended = text.replace("STRING", string.replace(escape, "\\" + escape))
        assert not [one for one in errors(mended) if "no escape" in one.message]


@pytest.mark.parametrize(
    "text",
    [
        "#heuristic a(X). [1,true] { a(1..3) }.",
        "#heuristic a(X,Y) : b(X). [1@2,true] { a(1..3,1..2) }. b(1).",
        "#project a(X). { a(1..3) }.",
        "#project a(X) : b(1). { a(1..3) }. b(1).",
        "a :- leq(X,Y) in [5], b(X,Y).",
        "a :- b(X), not true always in [5], c(X).",
    ],
)
def test_what_is_right_is_not_warned_of(text: str) -> None:
    assert not check(Source("x.lars", text))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a :- p at T in [5].", "remove `at T`"),
        (
            "#project a(X) : b(X,Y). { a(1..3) }. b(1,1).",
            "check the spelling; if the value does not matter, write _ or _Y",
        ),
        ("a :- b(X,Y), incr(X-Y,Z), c(Z).", "write Z = (X-Y) + 1; if the input has incr/2"),
        ("a :- p in {1,3 min}. #tick 1 sec.", "write 1 min, or 1 tick"),
        ("a :- b(X,Y), product(X+1,-Y,Z), c(Z).", "write Z = (X+1) * (-Y); if the input has product/3"),
    ],
)
def test_hints_of_warnings(text: str, hint: str) -> None:
    [found] = check(Source("x.lars", text))
    assert found.hint.startswith(hint)
