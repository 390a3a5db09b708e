"""The oracle on examples that were worked out by hand from the definition of the language."""

from collections.abc import Sequence

import pytest

from lars2asp.definition.terms import Value, row
from lars2asp.syntax.nodes import Atom
from tests.oracle import Ground, Item, Oracle, UnstratifiedError, arrivals, atom_text, ground
from tests.support.programs import parse_text


def atoms(text: str) -> tuple[Ground, ...]:
    """Ground atoms, written with blanks between."""
    found = []
    for rule in parse_text("".join(f"{atom}. " for atom in text.split())).rules():
        assert isinstance(rule.head, Atom)
        arguments = row(rule.head.arguments, {})
        assert arguments is not None
        found.append((rule.head.name, arguments))
    return tuple(found)


def told(tick: int, facts: str = "", *, until: int | None = None, begin: str = "", end: str = "") -> Item:
    """A record."""
    return Item(tick, atoms(facts), until, atoms(begin), atoms(end))


def answers(program: str, records: Sequence[Item], last: int, **options: bool) -> list[str]:
    """The outputs of the answer streams at each tick, with bars between; the first one is followed."""
    oracle = Oracle(parse_text(program), records, start=records[0].tick, **options)
    recorded = frozenset[tuple[Ground, int]]()
    lines = []
    for tick in range(records[0].tick, last + 1):
        streams = {
            " ".join(sorted(stream.output)): stream for stream in oracle.answer_streams(tick, recorded)
        }
        lines.append(" | ".join(sorted(streams)) if streams else "none")
        if streams:
            recorded = streams[min(streams)].recorded
    return lines


def output(program: str, records: Sequence[Item], last: int, **options: bool) -> str:
    """The answer at the last tick."""
    return answers(program, records, last, **options)[-1]


#   tick      0    1    2    3    4    5    6    7
#   p              x         x         x
EVERY_SECOND = [told(0), told(1, "p"), told(3, "p"), told(5, "p")]


def test_hopping_windows() -> None:
    """[2 step 3] is {0} at 0..2 (clipped), {1,2,3} at 3..5, {4,5,6} at 6 and 7."""
    program = "a :- p in [2 step 3]. t(T) :- p at T in [2 step 3]. c(N) :- p count N in [2 step 3]."
    assert answers(program, EVERY_SECOND, 7) == [
        *["", "", ""],
        *["a c(2) t(1) t(3)"] * 3,
        *["a c(1) t(5)"] * 2,
    ]


def test_a_hopping_window_is_empty_before_its_first_whole_step() -> None:
    """At 4 the last multiple of 3 lies before the start 4; at 6 the window [4..6] is clipped to itself.

    Where whole windows are demanded, `at most` is false over one that is empty.
    """
    records = [told(4, "p", until=9)]
    program = "a :- p in [2 step 3]. b :- p always in [5 step 3]. c :- p at most 0 in [1 step 3]."
    assert answers(program, records, 7) == ["c", "c", "a b", "a b"]
    assert answers(program, records, 6, complete_windows=True) == ["", "", "a"]


def test_tumbling_windows() -> None:
    """Blocks of [every 3] are 0..2, 3..5, 6..8; each is complete at its last tick already."""
    program = "a :- p in [every 3]. t(T) :- p at T in [every 3]. l :- p at least 2 in [every 3]."
    assert answers(program, EVERY_SECOND, 8) == [
        *["", ""],
        *["a t(1)"] * 3,
        *["a l t(3) t(5)"] * 3,
        "",
    ]


def test_a_tumbling_block_is_clipped_at_the_start() -> None:
    """The block 3..5 of a timeline from 4 is 4..5, and is not whole; before, there is none."""
    records = [told(4, "p", until=9)]
    program = "a :- p always in [every 3]. n(N) :- p count N in [every 3]."
    assert answers(program, records, 8) == ["", "a n(2)", "a n(2)", "a n(2)", "a n(3)"]
    assert answers(program, records, 8, complete_windows=True) == ["", "n(2)", "n(2)", "n(2)", "a n(3)"]


def test_counting() -> None:
    """The sliding window [2] at 5 is 3..5, with p at 3 and 5."""
    program = """
        l(K) :- k(K), p at least K in [2].      m(K) :- k(K), p at most K in [2].
        nl(K) :- k(K), not p at least K in [2]. nm(K) :- k(K), not p at most K in [2].
        c(N) :- p count N in [2].               z(N) :- q count N in [2].
        nc(K) :- k(K), not p count K in [2].
        k(-1). k(0). k(1). k(2). k(3)."""
    assert output(program, EVERY_SECOND, 5) == (
        "c(2) l(1) l(2) m(2) m(3) nc(-1) nc(0) nc(1) nc(3) nl(-1) nl(0) nl(3) nm(-1) nm(0) nm(1)"
    )


#   tick      0         1         2         3
#   told      p(1) q    p(2) r    -         p(1)
ARRIVING = [told(0, "p(1) q"), told(1, "p(2) r"), told(3, "p(1)")]


def test_tuple_windows_over_the_whole_input() -> None:
    """[2 #]: at 0 p(1) q, at 1 and 2 p(2) r, at 3 r p(1)."""
    program = "a(X) :- p(X) in [2 #]. q1 :- q in [2 #]. r1 :- r in [2 #]. t(T) :- p(X) at T in [3 #]."
    assert answers(program, ARRIVING, 3) == [
        "a(1) q1 t(0)",
        "a(2) r1 t(1)",
        "a(2) r1 t(1)",
        "a(1) r1 t(1) t(3)",
    ]


def test_tuple_windows_over_a_predicate_and_a_group() -> None:
    program = "a(X) :- p(X) in [2 # p/1]. b(X) :- p(X) in [1 # by X]. c(X,N) :- p(X) count N in [2 # by X]."
    assert answers(program, ARRIVING, 3) == [
        "a(1) b(1) c(1,1)",
        *["a(1) a(2) b(1) b(2) c(1,1) c(2,1)"] * 2,
        "a(1) a(2) b(1) b(2) c(1,2) c(2,1)",
    ]


def test_a_group_is_of_all_places_where_its_variable_stands() -> None:
    """Arrivals that differ there, or have no such place, are in no group."""
    records = [Item(tick, (("q", values),)) for tick, values in enumerate(IN_SEVERAL_PLACES)]
    program = (
        "a(X) :- q(X,X) in [1 # by X]. b(X) :- q((1,X),X) in [1 # by X]. c(X) :- q((1,X),X) in [1 # q/2]."
    )
    assert answers(program, records, 5) == ["a(1)", "a(1)", "a(1) b(1) c(1)", *["a(1) b(1)"] * 3]


IN_SEVERAL_PLACES: tuple[tuple[Value, ...], ...] = (
    *((1, 1), (2, 1), (("", (1, 1)), 1), (("", (1, 2)), 1)),
    *((("f", (1, 2)), 1), (2, 3)),
)


def test_always_spans_from_the_oldest_arrival() -> None:
    """[2 #] goes from the start while there is one arrival only, then from the older of the last two."""
    records = [told(0), told(1, "p"), told(2, "p"), told(3, "p")]
    program = "a :- p always in [2 #]."
    assert answers(program, records, 4) == ["", "", "a", "a", ""]
    from_the_start = [told(1, "p"), told(2, "p")]
    assert answers(program, from_the_start, 2) == ["a", "a"]
    assert answers(program, from_the_start, 2, complete_windows=True) == ["", "a"]


def test_an_interval_is_one_arrival() -> None:
    """p arrives at 0 and holds to 2; q at 1 pushes it out of [1 #] but not of [2 #]."""
    records = [told(0, "p", until=2), told(1, "q")]
    program = "a :- p in [1 #]. b(T) :- p at T in [2 #]. c :- p always in [2 #]."
    assert answers(program, records, 3) == [
        "a b(0) c",
        "b(0) b(1) c",
        "b(0) b(1) b(2) c",
        "b(0) b(1) b(2)",
    ]


def test_arrivals_of_begin_and_end() -> None:
    """Begin of what is open is none; begin after an end at the same tick is one; a fact told anew is one."""
    records = [
        told(0, begin="p"),
        told(1, "p q", begin="p"),
        told(2, end="p", begin="p"),
        told(4, "q", end="p"),
    ]
    found = [(atom_text(ground(a.signature, a.row)), a.tick, a.last) for a in arrivals(records, 5)]
    assert found == [("p", 0, 1), ("p", 1, 1), ("q", 1, 1), ("p", 2, 3), ("q", 4, 4)]


def test_an_atom_told_twice_arrives_at_its_first_telling() -> None:
    records = [told(0, "p q", begin="r"), told(0, "s p", until=3)]
    found = [(atom_text(ground(a.signature, a.row)), a.tick, a.last) for a in arrivals(records, 9)]
    assert found == [("r", 0, 9), ("p", 0, 3), ("q", 0, 0), ("s", 0, 3)]


def test_heads_at_ticks_recorded() -> None:
    """p at 1: a at 3 waits, b at 0 is seen at once and kept, c before the start is nothing."""
    program = """
        a at @now+2 :- p.    b at @now-1 :- p.   c at @now-5 :- p.
        seen(T) :- b at T.   ahead(T) :- a at T. lost(T) :- c at T."""
    assert answers(program, [told(0), told(1, "p")], 4) == [
        "",
        "seen(0)",
        "seen(0)",
        "a ahead(3) seen(0)",
        "ahead(3) seen(0)",
    ]


def test_heads_at_ticks_strict() -> None:
    """The same tick sees what `at` places; nothing stays."""
    program = "b at @now-1 :- p. a at @now+1 :- p. c :- b in {1}. d :- a in [9]."
    assert answers(program, [told(0), told(1, "p")], 3, is_strict=True) == ["", "c", "", ""]
    assert answers(program, [told(0), told(1, "p")], 3) == ["", "c", "a d", "d"]


def test_rules_are_not_run_again_for_past_ticks() -> None:
    """b holds at 0 from tick 1 on, but `c :- b` was run at 0 without it."""
    assert answers("b at 0 :- p. c :- b. d :- c in [5].", [told(0), told(1, "p")], 2) == ["", "", ""]


def test_a_rule_without_body_at_a_tick() -> None:
    assert answers("p at 2. a :- p in [1].", [told(1)], 4) == ["", "a p", "a", ""]


def test_temporary_rules() -> None:
    """#temp a is seen by this tick's windows and by later ones only if it is derived otherwise, too."""
    program = "#temp a(X) :- p(X). a(X) :- q(X). b(X) :- a(X) in [1]."
    records = [told(0, "p(1) p(2) q(2)")]
    assert answers(program, records, 2) == ["a(1) a(2) b(1) b(2)", "b(2)", ""]
    ahead = "#temp a at @now+1 :- p. #temp c at @now-1 :- p. b :- c in [2]."
    assert answers(ahead, [told(0), told(1, "p")], 2) == ["", "b", ""]


def test_choices() -> None:
    program = "{ a(X) : p(X) in [1] } 1."
    assert answers(program, [told(0, "p(1) p(2)")], 2) == [" | a(1) | a(2)", " | a(1) | a(2)", ""]
    assert answers("1 { a ; b at @now } 1 :- p.", [told(0, "p")], 0) == ["a | b"]
    assert answers("{ a ; b } = 2 :- p. :- b in [1].", [told(0, "p"), told(1)], 1) == ["none", ""]


def test_input_atoms_count_in_choices_and_satisfy_disjunctions() -> None:
    assert answers("{ a(X) : p(X) } 1.", [told(0, "p(1) p(2) a(1) a(3)")], 0) == ["a(1) a(3)"]
    assert answers("a ; b :- p.", [told(0, "p a")], 0) == ["a"]


def test_choices_among_ticks() -> None:
    """An atom and the same atom `at @now` are one; what is placed out of sight is chosen all the same."""
    assert answers("{ c ; c at @now } = 1 :- p.", [told(0, "p")], 0) == ["c"]
    for is_strict in (False, True):
        ahead = "{ c at @now+1 ; b } = 1 :- p."
        assert answers(ahead, [told(0, "p")], 0, is_strict=is_strict) == [" | b"]


def test_disjunctions_have_minimal_models() -> None:
    assert answers("a ; b :- p.", [told(0, "p")], 0) == ["a | b"]
    assert answers("a ; b :- p. a :- b. b :- a.", [told(0, "p")], 0) == ["a b"]
    assert answers("a(X) : p(X) ; b :- q.", [told(0, "p(1) p(2) q"), told(1, "q")], 1) == [
        "a(1) | a(2) | b",
        "b",
    ]
    assert answers("a ; not b :- p. { b }.", [told(0, "p")], 0) == [" | a b"]
    assert answers("a ; not b :- p.", [told(0, "p b")], 0) == ["a"]


def test_a_disjunction_over_ticks() -> None:
    """a at 0, which the window sees at 1, or a at 1, which it sees at 2 if that is what is followed."""
    program = "a at 0 ; a at 1 :- p. b :- a in {1}."
    assert answers(program, [told(0), told(1, "p")], 2) == ["", "a | b", "b"]


def test_loops() -> None:
    assert answers("a :- p, not b. b :- p, not a in [0].", [told(0, "p")], 0) == ["a | b"]
    assert answers("a :- p, not a in [1].", [told(0, "p")], 1) == ["none", ""]
    assert answers("a :- p, not not a.", [told(0, "p")], 0) == [" | a"]
    assert answers("a :- p in [3], not a in {1}.", [told(0, "p")], 3) == ["a", "", "a", ""]
    assert answers("a :- b in [0]. b :- a in [0]. c :- not a.", [told(0)], 0) == ["c"]


def test_strict_recursion_through_placed_atoms() -> None:
    """Each step places the atom a tick earlier and is seen in the same evaluation."""
    program = "a at T-1 :- p at T. b at T :- a at T in [3], p at 2. c(T) :- b at T."
    assert answers(program, [told(0), told(2, "p")], 3, is_strict=True) == ["", "", "c(1)", "c(1)"]


def test_conditional_literals() -> None:
    program = "all :- q at least 1 in [9]; p(X) in [1] : r(X) in [2]. none :- not p(X) : r(X); q in [9]."
    records = [told(0, "q r(1) r(2) p(1)"), told(1, "p(2)"), told(2), told(3)]
    assert answers(program, records, 3) == ["", "all none", "none", "all none"]


@pytest.mark.parametrize(
    "literal", ["p(2/X)", "not p(2/X)", "p(2/X) in [1]", "2/X < 5", "p(2/X;3/X)", "not p(2/X;3/X)"]
)
def test_an_instance_of_a_conditional_literal_without_a_value_is_not_true(literal: str) -> None:
    """As in clingo, whatever stands in front; an alternative of a pool that has none is left out."""
    assert answers(f"a :- {literal} : r(X).", [told(0, "p(1) r(0)")], 0) == [""]
    assert answers("a :- p(2/X;1) : r(X).", [told(0, "p(1) r(0)")], 0) == ["a"]


def test_intervals() -> None:
    """In a body one of the values, under `not` as well; in a head all of them."""
    assert answers("a :- p(1..2). b :- not p(1..2).", [told(0, "p(1)")], 1) == ["a b", "b"]
    assert answers("a :- p(1..2) : r. b(1..2) :- r.", [told(0, "p(2) r")], 0) == ["a b(1) b(2)"]


def test_aggregates() -> None:
    program = """
        c(N) :- N = #count { X,T : p(X) at T in [2] }.  s(N) :- N = #sum { X,T : p(X) at T in [2] }.
        m(N) :- N = #min { X : p(X) in [2] }.           t(N) :- N = { p(X) in [2] : r(X) ; not q }."""
    records = [told(0, "p(1) p(3) r(1) r(2)"), told(1, "p(3) q r(1)")]
    assert answers(program, records, 1) == ["c(2) m(1) s(4) t(2)", "c(3) m(1) s(7) t(1)"]
    assert output(program, [told(0)], 0) == "c(0) m(#sup) s(0) t(1)"


def test_a_condition_on_the_head_itself_is_refused() -> None:
    oracle = Oracle(parse_text("a :- p, #count { 1 : a in [1] } < 1."), [told(0, "p")], start=0)
    with pytest.raises(UnstratifiedError):
        oracle.answer_streams(0)


def test_strict_output_has_input_atoms_only_if_they_are_derived() -> None:
    records = [told(0, "p(1) a(1) a(2) b")]
    assert answers("a(X) :- p(X). { b : p(1) ; c : p(2) }.", records, 0, is_strict=True) == ["a(1) b"]
    assert answers("a(X) :- p(X). { b : p(1) ; c : p(2) }.", records, 0) == ["a(1) a(2) b"]
