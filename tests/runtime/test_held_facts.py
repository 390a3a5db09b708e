"""Facts that are held, a capability of several modules, with program, stream and answers together."""

from itertools import permutations
from typing import Any

import pytest

from lars2asp.compiler import compile_program
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Origin, Record, Rejected
from lars2asp.runtime.sources.reordering import Reordering
from lars2asp.syntax.source import Source
from tests.support.evaluating import serving
from tests.support.records import events

Stream = dict[int, list[str]]


def answers(program: str, stream: Stream, last: int, **options: Any) -> list[str]:
    """The output of every evaluator at each tick from 0 to the last one, atoms joined by blanks."""
    plan = compile_program(Source("held.lars", program))
    found = [
        [
            " ".join(answer.holds.texts)
            for answer in Reasoner(plan, start=0, evaluator=name, **options).run(
                stream.items(), until=last, emit="every"
            )
        ]
        for name in serving(plan)
    ]
    assert all(one == found[0] for one in found)
    return found[0]


#   tick         0    1    2    3    4    5    6    7    8
#   told r(1,_)       26        27                  27
#   held              26   26   27   27   27        27   27
def test_a_fact_holds_until_the_next_one_of_its_key() -> None:
    stream: Stream = {0: [], 1: ["r(1,26)"], 3: ["r(1,27)"], 7: ["r(1,27)"]}
    program = "#held r(R,_) by R for 2. h(T) :- r(_,T)."
    expected = ["", "h(26)", "h(26)", "h(27)", "h(27)", "h(27)", "", "h(27)", "h(27)"]
    assert answers(program, stream, 8) == expected
    program = "#held r(R,_) by R. h(T) :- r(_,T)."
    assert answers(program, stream, 8) == ["", "h(26)", "h(26)", *["h(27)"] * 6]


def test_boxes_see_it_as_an_interval() -> None:
    """A reading each third tick, and one that is missing."""
    stream: Stream = {tick: ["r(1,26)"] for tick in (0, 3, 6, 12, 15)}
    program = "#held r(R,_) by R for 3. hot(R) :- r(R,T), T > 25. a(R) :- hot(R) always in [4]. #show a/1."
    expected = ["a(1)"] * 10 + [""] * 6 + ["a(1)"] * 3 + [""]
    assert answers(program, stream, 19) == expected
    assert answers(program, stream, 19, complete_windows=True) == ["", "", "", "", *expected[4:]]


@pytest.mark.parametrize("is_far", [False, True])
def test_it_is_one_arrival(is_far: bool) -> None:
    """At its tick; one that prolongs another is one as well, one in whose place another came is none."""
    more = 100 if is_far else 0
    stream: Stream = {0: ["r(1,1)", "r(1,2)", "q"], 1: [], 2 + more: ["r(1,2)"], 3 + more: ["q", "r(2,1)"]}
    program = "#held r(R,_) by R. a(R,T) :- r(R,T) in [2 #]. t(T) :- r(1,2) at T in [2 # r/2], T < 1."
    found = answers(program, stream, 3 + more)
    assert found[:2] == ["t(0) a(1,2)"] * 2  # r(1,2) and q
    assert found[2 + more] == "t(0) a(1,2)"  # q and r(1,2)
    assert found[3 + more] == "a(2,1)"  # q and r(2,1)


def test_facts_of_the_program_and_what_rules_derive_are_not_held() -> None:
    stream: Stream = {0: [], 1: ["go", "r(1)"], 2: ["r(2)"]}
    program = "#held r(_). r(0). r(3) :- go. a(X) :- r(X)."
    assert answers(program, stream, 3) == [
        "a(0) r(0)",
        "a(0) a(1) a(3) r(0) r(1) r(3)",
        *["a(0) a(2) r(0) r(2)"] * 2,
    ]


def test_what_begins_and_ends_is_refused_and_until_is_heeded() -> None:
    plan = compile_program(Source("held.lars", "#held s(_). a(X) :- s(X)."))
    rejected: list[Rejected] = []
    stream = [
        Record(0, events(["s(on)"]), Origin("s", 1)),
        Record(1, events(begin=["s(off)"]), Origin("s", 2)),
        Record(2, events(end=["s(on)"]), Origin("s", 3)),
        Record(3, events(["s(off)"], until=4), Origin("s", 4)),
        Record(6, events(["s(on)"], until=9), Origin("s", 5)),
        Record(7, events(["s(off)"]), Origin("s", 6)),
    ]
    found = Reasoner(plan).run(stream, until=8, emit="every", on_reject=rejected.append)
    assert [" ".join(answer.holds.texts) for answer in found] == [
        *["a(on)"] * 3,
        *["a(off)"] * 2,
        "",
        "a(on)",
        *["a(off)"] * 2,
    ]
    words = "s/1 is declared with #held: give facts, without begin or end"
    assert [(str(one.origin), one.reason) for one in rejected] == [("s:2", words), ("s:3", words)]
    with pytest.raises(InputError, match="s/1 is declared with #held"):
        Reasoner(plan).step(0, begin=["s(on)"])


def test_what_was_told_before_the_start_holds_there_as_long_as_it_is_held() -> None:
    program = "#held r(R,_) by R for 5. #held s(_). a(R,T) :- r(R,T). b(X) :- s(X). c :- s(X), r(X,_)."
    plan = compile_program(Source("held.lars", program))
    stream = {0: ["r(1,1)", "s(1)"], 2: ["r(2,1)", "q"], 3: ["r(2,2)", "s(2)"], 9: ["r(2,2)"]}
    whole = {
        answer.tick: answer.holds.texts
        for answer in Reasoner(plan).run(stream.items(), until=9, emit="every")
    }
    for start in (2, 3, 4, 5, 6, 8):
        later = Reasoner(plan, start=start, explain_last=None)
        for answer in later.run(stream.items(), until=9, emit="every"):
            assert answer.holds.texts == whole[answer.tick], (start, answer.tick)


def test_late_records_are_put_in_their_places() -> None:
    """Of one tick the last one in order of arrival wins."""
    plan = compile_program(Source("held.lars", "#held r(R,_) by R for 3. h(T) :- r(_,T)."))
    told = [Record(tick, events([atom])) for tick, atom in ((0, "r(1,1)"), (2, "r(1,2)"), (3, "r(1,3)"))]
    expected = ["h(1)", "h(1)", "h(2)", *["h(3)"] * 4, ""]
    for order in permutations(told):
        in_order = Reordering(3, lambda _: None).over(order)
        found = Reasoner(plan, start=0).run(in_order, until=7, emit="every")
        assert [" ".join(answer.holds.texts) for answer in found] == expected


def test_what_is_kept_is_bounded_by_the_keys() -> None:
    """However often and for how long they are told."""
    reasoner = Reasoner.from_text("#held r(R,_) by R for 100000. a(R) :- r(R,T), T > 5.")
    sizes = []
    for tick in range(3000):
        reasoner.step(tick, [f"r({tick % 7},{tick % 11})"])
        if tick in (100, 2999):
            sizes.append(len(reasoner.snapshot()))
    assert sizes[1] < sizes[0] + 100
    assert len(reasoner.session.execution.database) <= 14


def test_why() -> None:
    reasoner = Reasoner.from_text(
        "#held r(R,_) by R for 10. hot(R) :- r(R,T), T > 25. a(R) :- hot(R) always in [3].", explain_last=100
    )
    for tick, value in ((0, 20), (2, 26), (5, 27), (7, 20)):
        reasoner.step(tick, [f"r(1,{value})"])
    assert "held from 2 to 4" in str(reasoner.why("a(1)", 5))
    assert "held from 5 to 6" in str(reasoner.why("a(1)", 5))
    assert not reasoner.why("a(1)", 7).holds
    assert "held since 7, at most to 17" in str(reasoner.why("a(1)", 7))
    reasoner.step(20)
    assert "held from 7 to 17" in str(reasoner.why("a(1)", 7))
    assert str(reasoner.why("r(1,20)", 20)).endswith("last record at 7, step(7), held to 17")
