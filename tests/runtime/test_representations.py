"""What objects show of themselves in shells and notebooks is bounded, and escaped."""

from lars2asp import Answer, Reasoner


def answered(atoms: int) -> tuple[Reasoner, Answer]:
    reasoner = Reasoner.from_text("seen(X) :- ping(X).")
    return reasoner, reasoner.step(3, [("ping", f"<b>{number:05d}") for number in range(atoms)])


def test_small_ones_are_whole() -> None:
    reasoner, answer = answered(2)
    assert repr(answer) == '<Answer at 3: {seen("<b>00000"), seen("<b>00001")}>'
    assert repr(reasoner) == "<Reasoner at tick 3: <Plan: 1 component: seen/1>>"
    assert repr(reasoner.statistics) == (
        "<Statistics: 1 tick evaluated, 0 passed over, 2 facts, 2 intervals, 1 component>"
    )
    assert repr(Reasoner.from_text("a :- b.")).startswith("<Reasoner before the first tick: ")


def test_large_ones_are_cut() -> None:
    _, answer = answered(5_000)
    assert repr(answer).endswith("... and 4980 more}>") and len(repr(answer)) < 1_000
    assert len(answer._repr_html_()) < 2_000
    long = Reasoner.from_text("seen(X) :- ping(X).").step(1, [("ping", "x" * 10_000)])
    assert len(repr(long)) < 200 and len(long._repr_html_()) < 400
    many = Reasoner.from_text("".join(f"p{n}(X) :- q(X).\n" for n in range(500)))
    for one in (many, many.plan, many.statistics):
        assert len(repr(one)) < 1_000 and len(one._repr_html_()) < 5_000


def test_html_is_escaped() -> None:
    reasoner, answer = answered(2)
    assert "<b>0" not in answer._repr_html_() and "&lt;b&gt;00000" in answer._repr_html_()
    assert "&lt;Reasoner" in reasoner._repr_html_()
    assert "seen/1" in reasoner.plan._repr_html_()
    assert "seen/1" in reasoner.statistics._repr_html_()


def test_an_answer_that_is_none_says_so() -> None:
    answer = Reasoner.from_text("a. :- b.").step(1, ["b"])
    assert repr(answer) == "<Answer at 1: no answer stream>"
    assert "no answer stream" in answer._repr_html_()
