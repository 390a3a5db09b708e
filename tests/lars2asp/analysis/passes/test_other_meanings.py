"""What `check` says where a program means something else than most people mean by it."""

import pytest

from lars2asp.compiler import check
from lars2asp.syntax.diagnostics import Severity
from lars2asp.syntax.source import Source

ANY = "`_` keeps one value at all ticks here, so each value is counted separately"
COMMA = "a comma in a head means `or`: it makes one of the atoms true, not all"


def warnings(text: str) -> list[tuple[str, str]]:
    found = check(Source("x.lars", f"#tick 1 sec. {text}"))
    assert not [one for one in found if one.severity is Severity.ERROR]
    return [(one.message, one.hint) for one in found if one.subject == "meanings"]


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "a(U) :- failed(U,_) at least 3 in [1 min].",
            ANY,
            "write (failed(U,_)) at least 3 in [1 min] to count the ticks at which any value holds",
        ),
        (
            "a(U) :- failed(U,_) always in [2].",
            ANY,
            "write (failed(U,_)) always in [2] to count the ticks at which any value holds",
        ),
        (
            "user(u). a(U) :- user(U), failed(U,_) at most 2 in [3].",
            ANY,
            "write (failed(U,_)) at most 2 in [3] to count the ticks at which any value holds",
        ),
        (
            "a(U,N) :- failed(U,_) count N in [3].",
            ANY,
            "write (failed(U,_)) count N in [3] to count the ticks at which any value holds",
        ),
        (
            "user(u). a(U) :- not failed(U,_) at least 2 in [3], user(U).",
            ANY,
            "write (failed(U,_)) at least 2 in [3] to count the ticks at which any value holds",
        ),
        (
            "a(S) :- S = #sum { V : sale(_,V) in [10] }.",
            "equal values of V count once in this #sum",
            "add a term that distinguishes them: #sum { V,I,T: sale(I,V) at T in [10] }",
        ),
        (
            "a(S) :- S = #sum { V : sale(_,V) }.",
            "equal values of V count once in this #sum",
            "add a term that distinguishes them: #sum { V,I: sale(I,V) }",
        ),
        (
            "a(S) :- S = #sum { V : temp(V) at T in [9 sec] }.",
            "equal values of V count once in this #sum",
            "add a term that distinguishes them: #sum { V,T: temp(V) at T in [9 sec] }",
        ),
        (
            "a(R) :- reading(R,T) always in [10 min], T > 25.",
            "T keeps one value at all ticks of the window: reading(R,T) must not change",
            "write a rule for one tick, high(...) :- reading(R,T), ..., and here high(...) always",
        ),
        (
            "a(U) :- click(U), not click(U) in [900 sec].",
            "this is never true: the window includes the current tick, at which click(U) holds",
            "write not click(U) in [1 tick .. 900 sec]",
        ),
        (
            "first(U) :- login(U,_), not first(U) in [1 day].",
            "first(U) requires its own absence at the current tick, which the window includes: no answer",
            "write not first(U) in [1 tick .. 1 day]",
        ),
        (
            "a(U,P) :- click(U,P), not click(U,_) in [5 min].",
            "this is never true: the window includes the current tick, at which click(U,P) holds",
            "write not click(U,_) in [1 tick .. 5 min]",
        ),
        (
            "a(U) :- click(U), not click(_) in {0..5}.",
            "this is never true: the window includes the current tick, at which click(U) holds",
            "write not click(_) in a window without the current tick, such as [1..5]",
        ),
        (
            "first(U,I) :- login(U,I), not first(U,_) in [1 day].",
            "first(U,_) requires its own absence at the current tick, which the window includes: no answer",
            "write not first(U,_) in [1 tick .. 1 day]",
        ),
        (
            "a(U) :- click(U), click(U) at most 0 in [5 min].",
            "this is never true: the window includes the current tick, at which click(U) holds",
            "write click(U) at most 0 in [1 tick .. 5 min]",
        ),
        (
            "a(U) :- click(U), not click(_) at least 1 in [0..4].",
            "this is never true: the window includes the current tick, at which click(U) holds",
            "write not click(_) at least 1 in a window without the current tick, such as [1..5]",
        ),
        (
            "first(U) :- login(U), first(U) at most 0 in [1 day].",
            "first(U) requires its own absence at the current tick, which the window includes: no answer",
            "write first(U) at most 0 in [1 tick .. 1 day]",
        ),
        (
            "dry(R) :- room(R), not dry(R).",
            "dry(R) requires its own absence: no answer, unless another rule derives it",
            "remove not dry(R), or write :- and the rest of the body to forbid it",
        ),
        ("p, q :- r.", COMMA, "to make all true, write: p :- r. q :- r. (to make one true: p; q :- r.)"),
        (
            "a(X) : b(X). b(1).",
            "a head with a condition makes at least one of its instances true, not all",
            "write a(X) :- b(X). to make all of them true",
        ),
        (
            "#show alarm. alarm(X) :- p(X).",
            "#show alarm. shows the constant alarm at every tick, not the atoms",
            "write #show alarm/1.",
        ),
        ("alarm <= hot.", "`<=` compares two terms here and derives nothing", "write alarm :- hot."),
        ("a(X^2) :- p(X).", "^ is exclusive-or of bits, not a power", "write X**2 for a power"),
        ("a(X) :- p(X), X < 10^6.", "^ is exclusive-or of bits, not a power", "write 10**6 for a power"),
        ("a(abs(X)) :- p(X).", "abs(...) is an ordinary term here, not the absolute value", "write |X|"),
        (
            "a(Y) :- p(X), Y = abs(X-5).",
            "abs(...) is an ordinary term here, not the absolute value",
            "write |X-5|",
        ),
    ],
)
def test_a_trap_is_named_with_its_cure(text: str, message: str, hint: str) -> None:
    assert warnings(text) == [(message, hint)]


def test_a_mean_of_two_windows_is_named() -> None:
    text = "m(S/N) :- S = #sum { V : temp(V) at T in [9 sec] }, N = #count { V : temp(V) in [9 sec] }, N > 0."
    assert (
        "S/N divides a sum by a count of different elements",
        "use the same elements in both: S = #sum { V,T : ... }, N = #count { V,T : ... }",
    ) in warnings(text)
    said = [one.hint for one in check(Source("x.lars", f"#tick 1 sec. {text}"))]
    assert not any("remove `at T`" in one for one in said)


@pytest.mark.parametrize(
    "text",
    [
        "a(U) :- (failed(U,_)) at least 3 in [1 min].",
        "a(U) :- failed(U,_) at least 1 in [1 min].",
        "a(U) :- failed(U,_) in [1 min].",
        "a(U) :- failed(U,_) always in [0].",
        "a(U,I) :- failed(U,I) at least 3 in [1 min].",
        "a(S) :- S = #sum { V,I : sale(I,V) in [10] }.",
        "a(S) :- S = #sum { V : sale(V) }.",
        "a(G,S) :- g(G), S = #sum { V : sale(G,V) }.",
        "a(S) :- S = #count { V : sale(_,V) in [10] }.",
        "a(S) :- S = #max { V : sale(_,V) in [10] }.",
        "a(S) :- S = #sum { V,T : temp(V) at T in [9 sec] }.",
        "m(S/N) :- S = #sum { V,I : m(V,I) in [9] }, N = #count { I : m(_,I) in [9] }, N > 0.",
        "m(S/N) :- S = #sum { V,T : temp(V) at T in [9] }, N = #count { V,T : temp(V) at T in [9] }, N > 0.",
        "a(R,T) :- reading(R,T) always in [10 min], T > 25.",
        "a(R) :- reading(R,T) always in [10 min], reading(R,T), T > 25.",
        "a(U) :- click(U), not click(U) in [1 tick .. 900 sec].",
        "a(U) :- click(U), not click(U) in [1..5].",
        "a(U) :- click(U,_), not click(U,1) in [5].",
        "a(U) :- click(U,P), not click(P,_) in [5].",
        "a(U) :- click(U), click(U) at most 0 in [1 tick .. 900 sec].",
        "a(U) :- click(U), click(U) at most 1 in [900 sec].",
        "a(U) :- click(U), not click(U) at least 2 in [900 sec].",
        "a(X) :- p(abs(X)).",
        "first(U) :- login(U,_), not first(U) in [1 tick .. 1 day].",
        "#semantics strict. first(U) :- login(U,_), not first(U) in [1 day].",
        "p; q :- r.",
        "a(X) : b(X) :- c. b(1).",
        "#show alarm/1. alarm(X) :- p(X).",
        "#show alarm. alarm :- p.",
        "a(X**2) :- p(X).",
        "a(X^Y) :- p(X), p(Y).",
        "a(Y) :- p(X), Y = |X-5|.",
    ],
)
def test_programs_that_are_right_have_no_such_warning(text: str) -> None:
    assert warnings(text) == []
