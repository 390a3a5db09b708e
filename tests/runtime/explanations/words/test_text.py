"""Explanations as text; tick 5 of the times is 12:05, in UTC."""

from collections.abc import Callable

from lars2asp.runtime.explanations.words.claims import Claim
from lars2asp.runtime.explanations.words.text import text_of
from tests.runtime.explanations.trees import NOON, Trees, aggregate, place, plain, rule_of, window


def drawn(
    claim: Claim, shown_tick: Callable[[int], str] = NOON, depth: int | None = None, width: int = 100
) -> str:
    """The text, which begins in a line of its own."""
    return f"\n{text_of(claim, shown_tick, depth, width=width)}\n"


# --- what holds -------------------------------------------------------------------------------------------


def test_a_chain_of_rules() -> None:
    trees = Trees()
    hot = trees.hot(7, 265, "a.csv:3")
    open_door = trees.rule("risk(kitchen)", 7, rule_of("risk(R) :- hot(R), room(R).", 3), plain(hot))
    assert (
        drawn(open_door)
        == """
risk(kitchen) at 2026-01-01 12:07 UTC
└─ p.lars:3  risk(R) :- hot(R), room(R).
   └─ hot(kitchen)
      └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
         ├─ reading(kitchen,265)   a.csv:3 at 12:07
         └─ 265 > 250
"""
    )


def test_always_has_a_lane_and_a_line_for_each_tick() -> None:
    assert (
        drawn(Trees().alarm())
        == """
alarm(kitchen) at 2026-01-01 12:07 UTC
└─ rooms.lars:6  alarm(R) :- hot(R) always in [2 min], not opened(R) in [30 sec].
   ├─ hot(kitchen) always in [2 min]    12:05 ███ 12:07
   │  └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
   │     ├─ 12:05  reading(kitchen,265), 265 > 250   a.csv:3
   │     ├─ 12:06  reading(kitchen,270), 270 > 250   a.csv:5
   │     └─ 12:07  reading(kitchen,268), 268 > 250   a.csv:7
   └─ not opened(kitchen) in [30 sec]   no record of opened(kitchen)
"""
    )


def test_ticks_without_length_are_numbers() -> None:
    assert (
        drawn(Trees().alarm(), str)
        == """
alarm(kitchen) at 7
└─ rooms.lars:6  alarm(R) :- hot(R) always in [2 min], not opened(R) in [30 sec].
   ├─ hot(kitchen) always in [2 min]    5 ███ 7
   │  └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
   │     ├─ 5  reading(kitchen,265), 265 > 250   a.csv:3
   │     ├─ 6  reading(kitchen,270), 270 > 250   a.csv:5
   │     └─ 7  reading(kitchen,268), 268 > 250   a.csv:7
   └─ not opened(kitchen) in [30 sec]   no record of opened(kitchen)
"""
    )


def test_a_long_window_is_scaled_down_and_a_long_run_has_three_ticks() -> None:
    trees = Trees()
    hots = [trees.hot(tick, 265, f"a.csv:{tick}") for tick in (38, 90, 140)]
    steady = window("hot(kitchen) in [2 hour]", *hots, over=(20, 140), holding=[(38, 139), (140, 140)])
    assert (
        drawn(trees.rule("warm", 140, rule_of("warm :- hot(kitchen) in [2 hour]."), steady))
        == """
warm at 2026-01-01 14:20 UTC
└─ p.lars:1  warm :- hot(kitchen) in [2 hour].
   └─ hot(kitchen) in [2 hour]   12:20 ···▒████████████████████ 14:20
      └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
         ├─ ... 100 more ticks
         ├─ 12:38  reading(kitchen,265), 265 > 250   a.csv:38
         ├─ 13:30  reading(kitchen,265), 265 > 250   a.csv:90
         └─ 14:20  reading(kitchen,265), 265 > 250   a.csv:140
"""
    )


def test_records_of_several_ticks_share_a_line() -> None:
    trees = Trees()
    on = [trees.told("on", tick, f"a.csv:{tick}") for tick in (2, 4, 7)]
    body = window("on count 4 in [9]", *on, over=(0, 7), holding=[(2, 2), (4, 4), (6, 7)])
    assert (
        drawn(trees.rule("busy", 7, rule_of("busy :- on count 4 in [9]."), body))
        == """
busy at 2026-01-01 12:07 UTC
└─ p.lars:1  busy :- on count 4 in [9].
   └─ on count 4 in [9]   12:00 ··█·█·██ 12:07  ... 1 more tick; a.csv:2 at 12:02; \
a.csv:4 at 12:04; a.csv:7 at 12:07
"""
    )


def test_a_record_that_holds_for_several_ticks_stands_once() -> None:
    trees = Trees()
    open_end = [trees.told("on", tick, "a.csv:2", None) for tick in (2, 2, 2)]
    lasting = [trees.told("off", 3, "a.csv:9", 6) for _ in range(3)]
    rule = trees.rule(
        "a",
        7,
        rule_of("a :- on always in [5], off in [5]."),
        window("on always in [5]", *open_end, over=(2, 7), holding=[(2, 7)]),
        window("off in [5]", *lasting, over=(2, 7), holding=[(3, 6)]),
    )
    assert (
        drawn(rule)
        == """
a at 2026-01-01 12:07 UTC
└─ p.lars:1  a :- on always in [5], off in [5].
   ├─ on always in [5]   12:02 ██████ 12:07  a.csv:2 since 12:02
   └─ off in [5]         12:02 ·████· 12:07  a.csv:9 from 12:03 to 12:06
"""
    )


def test_at_and_a_derived_atom_of_an_earlier_tick() -> None:
    trees = Trees()
    began = trees.rule(
        "began", 3, rule_of("began :- go.", 2), plain(trees.rule("go", 3, rule_of("go :- x.")))
    )
    body = window("began at 3 in [9]", began, over=(0, 7), holding=[(3, 3)])
    assert (
        drawn(trees.rule("a", 7, rule_of("a :- began at T in [9]."), body))
        == """
a at 2026-01-01 12:07 UTC
└─ p.lars:1  a :- began at T in [9].
   └─ began at 3 in [9]   12:00 ···█···· 12:07
      └─ began at 12:03
         └─ p.lars:2  began :- go.
            └─ go
               └─ p.lars:1  go :- x.
"""
    )


def test_a_head_at_another_tick_and_a_tuple_window() -> None:
    trees = Trees()
    body = window(
        "x in [3 #]",
        trees.told("x", 5, "step(5)"),
        over=[(1, 1), (3, 3), (5, 5)],
        holding=[(5, 5)],
        tuples=True,
    )
    claim = trees.rule("went", 6, rule_of("went at T-1 :- x in [3 #]."), body, at=7)
    assert (
        drawn(claim, str)
        == """
went at 6
└─ p.lars:1  went at T-1 :- x in [3 #].   evaluated at 7
   └─ x in [3 #]   1 ··█ 5 by arrival  step(5)
"""
    )


def test_a_choice_and_a_fact() -> None:
    trees = Trees()
    lamp = trees.fact("lamp(1)", 7, rule_of("lamp(1).", 2))
    assert (
        drawn(trees.rule("on(1)", 7, rule_of("{ on(X) } :- lamp(X).", 3), plain(lamp), chosen=True))
        == """
on(1) at 2026-01-01 12:07 UTC
└─ chosen by p.lars:3  { on(X) } :- lamp(X).
   └─ lamp(1)   a fact, p.lars:2
"""
    )


def test_an_aggregate_and_claims_that_were_explained_before() -> None:
    trees = Trees()
    hot = trees.hot(7, 265, "a.csv:3")
    elements = {
        "kitchen": [trees.seen(hot)],
        "hall": [trees.hot(7, 280, "a.csv:9", "hall")],
        "yard": [trees.told("sun(yard)", 7, "b.csv:1")],
        "roof": [trees.told("sun(roof)", 7, "b.csv:2"), trees.told("dry", 6, "b.csv:3")],
    }
    count = aggregate("4 <= #count { R : hot(R); R : sun(R) }", "4", elements)
    assert (
        drawn(trees.rule("both", 7, rule_of("both :- hot(kitchen), 4 { }."), plain(hot), count))
        == """
both at 2026-01-01 12:07 UTC
└─ p.lars:1  both :- hot(kitchen), 4 { }.
   ├─ hot(kitchen)
   │  └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
   │     ├─ reading(kitchen,265)   a.csv:3 at 12:07
   │     └─ 265 > 250
   └─ 4 <= #count { R: hot(R); R: sun(R) }   value 4
      ├─ kitchen: hot(kitchen)   as above
      ├─ hall: hot(hall)
      │  └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
      │     ├─ reading(hall,280)   a.csv:9 at 12:07
      │     └─ 280 > 250
      ├─ yard: sun(yard)         b.csv:1 at 12:07
      └─ roof
         ├─ sun(roof) at 12:07   b.csv:2
         └─ dry at 12:06         b.csv:3
"""
    )


def test_many_elements_are_cut_off() -> None:
    trees = Trees()
    elements = {f"{number}": [trees.told(f"p({number})", 7, "a.csv:1")] for number in range(40)}
    count = aggregate("#count { X : p(X) } > 3", "40", elements)
    lines = drawn(trees.rule("many", 7, rule_of("many :- #count { X : p(X) } > 3."), count)).splitlines()
    assert lines[-2:] == ["      ├─ 11: p(11)   a.csv:1 at 12:07", "      └─ ... and 28 more"]
    assert len(lines) == 17


def test_a_claim_that_is_explained_below_or_out_of_sight() -> None:
    trees = Trees()
    hot = trees.hot(7, 265, "a.csv:3")
    first, second = trees.rule("a", 7, rule_of("a :- b."), plain(trees.seen(hot))), plain(hot)
    both = trees.rule("c", 7, rule_of("c :- a, hot(kitchen)."), plain(first), second)
    assert "hot(kitchen)   as below" in drawn(both)
    assert "hot(kitchen)   ...\n" in drawn(trees.rule("d", 7, rule_of("d :- a."), plain(first)))


# --- what does not --------------------------------------------------------------------------------------


def test_why_not_names_for_each_rule_the_literal_that_fails() -> None:
    assert (
        drawn(Trees().no_alarm())
        == """
alarm(hall) does not hold at 2026-01-01 12:07 UTC
├─ rooms.lars:6  alarm(R) :- hot(R) always in [2 min], not opened(R) in [30 sec].
│  └─ fails: hot(hall) always in [2 min]   12:05 █·█ 12:07
│     └─ hot(hall) does not hold at 12:06
│        └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
│           └─ fails: 240 > 250
└─ rooms.lars:7  alarm(R) :- smoke(R).
   └─ fails: smoke(hall)   no rule and no record of it
"""
    )


def test_an_atom_that_was_never_told_or_told_before() -> None:
    trees = Trees()
    assert drawn(trees.absent("smoke(R)", 7)) == (
        "\nno smoke(R) holds at 2026-01-01 12:07 UTC   no rule and no record of it\n"
    )
    assert drawn(trees.absent("smoke(hall)", 7, last_told=1)) == (
        "\nsmoke(hall) does not hold at 2026-01-01 12:07 UTC   last record at 12:01, a.csv:1\n"
    )
    assert drawn(trees.absent("smoke(hall)", 7, last_told=-700)) == (
        "\nsmoke(hall) does not hold at 2026-01-01 12:07 UTC   last record at 00:20, a.csv:1\n"
    )
    assert drawn(trees.absent("smoke(hall)", 7, last_told=-800)) == (
        "\nsmoke(hall) does not hold at 2026-01-01 12:07 UTC   last record at 2025-12-31 22:40, a.csv:1\n"
    )


def test_negation_over_a_window_in_which_the_atom_was_told_long_ago() -> None:
    trees = Trees()
    gone = [trees.absent("open(k)", tick, last_told=1) for tick in (5, 6, 7)]
    body = window("not open(k) in [2]", *gone, over=(5, 7))
    refuted = window("not open(k) in [2]", trees.told("open(k)", 6, "a:9"), over=(5, 7), holding=[(6, 6)])
    assert (
        drawn(trees.rule("a", 7, rule_of("a :- not open(k) in [2]."), body))
        == """
a at 2026-01-01 12:07 UTC
└─ p.lars:1  a :- not open(k) in [2].
   └─ not open(k) in [2]   12:05 ··· 12:07  last record at 12:01, a.csv:1
"""
    )
    claim = trees.absent("a", 7, (rule_of("a :- not open(k) in [2]."), refuted))
    assert "not open(k) in [2]   12:05 ·█· 12:07  a:9 at 12:06\n" in drawn(claim)


def test_negation_of_a_derived_atom_has_the_rules_that_fail_below() -> None:
    trees = Trees()
    closed = plain(
        trees.absent(
            "opened(k)", 7, (place("opened"), plain(trees.absent("window(k,open)", 7), holds=False))
        ),
        "not opened(k)",
    )
    assert (
        drawn(trees.rule("a", 7, rule_of("a :- not opened(k)."), closed))
        == """
a at 2026-01-01 12:07 UTC
└─ p.lars:1  a :- not opened(k).
   └─ not opened(k)
      └─ rooms.lars:4  opened(R) :- window(R, open).
         └─ fails: window(k,open)   no rule and no record of it
"""
    )


def test_an_atom_that_was_not_chosen() -> None:
    claim = Trees().absent("on(1)", 7, (rule_of("{ on(X) } :- lamp(X).", 3), None))
    assert (
        drawn(claim)
        == """
on(1) does not hold at 2026-01-01 12:07 UTC
└─ p.lars:3  { on(X) } :- lamp(X).
   └─ its body is true, but on(1) was not chosen
"""
    )


def test_an_empty_window() -> None:
    body = window("p in [3 #]", over=[], holds=False, tuples=True)
    claim = Trees().absent("a", 7, (rule_of("a :- p in [3 #]."), body))
    assert "fails: p in [3 #]   nothing has arrived in the window\n" in drawn(claim)


# --- how much ---------------------------------------------------------------------------------------------


def test_depth_cuts_rules_off() -> None:
    trees = Trees()
    assert drawn(trees.alarm(), str, 0) == "\nalarm(kitchen) at 7   ... 7 more steps: see --depth\n"
    assert (
        drawn(trees.alarm(), str, 1)
        == """
alarm(kitchen) at 7
└─ rooms.lars:6  alarm(R) :- hot(R) always in [2 min], not opened(R) in [30 sec].
   ├─ hot(kitchen) always in [2 min]    5 ███ 7  ... 3 more steps: see --depth
   └─ not opened(kitchen) in [30 sec]   no record of opened(kitchen)
"""
    )


def test_claims_that_are_cut_off() -> None:
    trees = Trees()
    body = plain(trees.cut("b", 7)), plain(trees.cut("c", 7, "not kept"))
    assert (
        drawn(trees.rule("a", 7, rule_of("a :- b, c."), *body))
        == """
a at 2026-01-01 12:07 UTC
└─ p.lars:1  a :- b, c.
   ├─ b   ...
   └─ c   ... no longer kept
"""
    )


def test_a_tree_of_a_thousand_rules_is_cut_off_or_drawn_as_asked() -> None:
    trees = Trees()
    claim = trees.told("p(0)", 7, "a.csv:1")
    for number in range(1, 1001):
        claim = trees.rule(f"p({number})", 7, rule_of("p(X+1) :- p(X)."), plain(claim))
    lines = text_of(claim, NOON).splitlines()
    assert len(lines) == 25
    assert lines[-1].strip() == "└─ p(988)   ... 988 more steps: see --depth"
    assert text_of(claim, NOON, 100).endswith("└─ p(900)   ... 900 more steps: see --depth")
    assert text_of(claim, NOON, 1000).splitlines()[-1].strip() == "└─ p(0)   a.csv:1 at 12:07"


def test_a_wide_tree_is_cut_off_level_by_level() -> None:
    trees = Trees()

    def wide(level: int, name: str) -> Claim:
        if level == 4:
            return trees.told(f"q({name})", 7, "a.csv:1")
        parts = [plain(wide(level + 1, f"{name}{n}")) for n in range(5)]
        return trees.rule(f"p({name})", 7, rule_of("p :- all."), *parts)

    claim = wide(0, "1")
    lines = text_of(claim, NOON).splitlines()
    assert len(lines) < 200
    assert sum("... 5 more steps: see --depth" in line for line in lines) > 50
    assert "see --depth" not in text_of(claim, NOON, 60)


def test_long_texts_are_cut_off_at_a_blank() -> None:
    trees = Trees()
    text = f"a :- {', '.join(f'b({number})' for number in range(30))}."
    long_string = trees.told(f'said("{"x" * 90}")', 7, "a.csv:1")
    assert (
        drawn(trees.rule("a", 7, rule_of(text), plain(long_string)), str, width=60)
        == f"""
a at 7
└─ p.lars:1  a :- b(0), b(1), b(2), b(3), b(4), b(5) ...
   └─ said("{"x" * 30} ...   a.csv:1 at 7
"""
    )


def test_nothing_in_an_atom_steers_the_terminal() -> None:
    claim = Trees().told('said("\x1b[2J\u202e\nnew")', 7, "a.csv:1\x07")
    assert text_of(claim, str) == 'said("\\x1b[2J\\u202e\\nnew") at 7   a.csv:1\\x07'


def test_labels_stand_in_place_of_rules_and_atoms() -> None:
    trees = Trees()
    reading = trees.told('reading("kitchen",265)', 7, "a.csv:3", label="kitchen measured 265")
    by = place("hot(R)", label="kitchen is too hot")
    claim = trees.claim("hot", 7, trees.rule("hot", 7, by, plain(reading)).reason, label="the house is hot")
    assert (
        drawn(claim)
        == """
hot at 2026-01-01 12:07 UTC   the house is hot
└─ rooms.lars:5  kitchen is too hot
   └─ kitchen measured 265   a.csv:3 at 12:07
"""
    )
