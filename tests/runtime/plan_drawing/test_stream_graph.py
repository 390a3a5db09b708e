"""The graph that is drawn: what stands on its cards and arrows, and in which component they are."""

from lars2asp.compiler import compile_program
from lars2asp.runtime.evaluators.choice import assign
from lars2asp.runtime.evaluators.costs.meter import Cost
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.plan_drawing.stream_graph import CardKind, StreamGraph, stream_graph
from lars2asp.syntax.source import Source


def graph_of(
    text: str, evaluator: EvaluatorName = EvaluatorName.AUTO, costs: list[Cost | None] | None = None
) -> StreamGraph:
    plan = compile_program(Source("x.lars", text))
    return stream_graph(plan, assign(plan, evaluator), costs)


def arrows(graph: StreamGraph) -> list[str]:
    """The arrows as text: source, target, label; negative ones with an exclamation mark."""
    names = [card.title for card in graph.cards]
    return [
        f"{names[one.source]} -> {names[one.target]}{' !' if one.is_negative else ''} {one.label}".strip()
        for one in graph.arrows
    ]


def test_windows_stand_on_arrows_as_they_are_written() -> None:
    graph = graph_of(
        """
        #tick 1 sec.
        hot(R) :- temp(R,T) in [1 min], T > 30.
        alarm(R) :- hot(R)  always
                    in [10 sec], not off(R) in [5 # by R], hot(R).
        often(R) :- alarm(R) at least 3 in [1 hour].
        """
    )
    assert arrows(graph) == [
        "temp/2 -> hot/1 in [1 min]",
        "hot/1 -> alarm/1 always in [10 sec], now",
        "off/1 -> alarm/1 ! not in [5 # by R]",
        "alarm/1 -> often/1 at least 3 in [1 hour]",
    ]


def test_negation_and_aggregates() -> None:
    graph = graph_of(
        """
        a :- p, not p in [3].
        b :- #count{ X : q(X) in [2], not r(X) } > 1, s at most 2 in [7].
        c :- not not p.
        """
    )
    assert arrows(graph) == [
        "p/0 -> a/0",
        "p/0 -> a/0 ! not in [3]",
        "q/1 -> b/0 #count in [2]",
        "r/1 -> b/0 ! not #count",
        "s/0 -> b/0 ! at most 2 in [7]",
        "p/0 -> c/0 ! not not",
    ]


def test_what_windows_begin_at_is_looked_at() -> None:
    graph = graph_of(
        """
        open(D) :- start(D).
        a(D) :- seen(D) in [since open(D)], not p(D) in [after open(D)], seen(D).
        b :- #count{ D : seen(D) at T in [after -q(D)] } > 1.
        { c(D) : not p(D) always in [since r(D)] } :- seen(D).
        d :- (p(D), not seen(D)) in [since r(D)].
        """
    )
    found = arrows(graph)
    assert [one for one in found if "-> a/1" in one or "-> b/0" in one] == [
        "seen/1 -> a/1 in [since open(D)], now",
        "open/1 -> a/1 since, after",
        "p/1 -> a/1 ! not in [after open(D)]",
        "seen/1 -> b/0 #count at T in [after -q(D)]",
        "-q/1 -> b/0 after",
    ]
    assert "r/1 -> c/1 since" in found
    assert "r/1 -> d/0 since" in found


def test_kinds_of_cards() -> None:
    graph = graph_of(
        """
        room(a). room(b).
        hot(R) :- temp(R) in [3], room(R).
        { on(R) : room(R) } :- hot(R).
        :- on(a), on(b).
        :~ on(R). [1,R]
        #show on/1. #show told/1.
        """
    )
    told = [(card.title, card.kind, card.is_shown, card.box) for card in graph.cards]
    assert told == [
        ("temp/1", CardKind.INPUT, False, None),
        ("room/1", CardKind.FACTS, False, None),
        ("told/1", CardKind.INPUT, True, None),
        ("hot/1", CardKind.DERIVED, False, 0),
        ("on/1", CardKind.DERIVED, True, 1),
        ("constraint", CardKind.STATEMENT, False, 1),
        ("as cheap as possible", CardKind.STATEMENT, False, 1),
    ]
    assert graph.cards[1].remark == "2 facts"
    assert graph.cards[4].rules[0].text == "{ on(R) : room(R) } :- hot(R)."
    assert [(box.evaluator, box.streams) for box in graph.boxes] == [
        ("delta", "one answer stream"),
        ("external", "several answer streams or none"),
    ]


def test_what_is_left_out_has_a_box_of_its_own() -> None:
    graph = graph_of("on(X) :- p(X) in [3]. off(X) :- on(X). gone(X) :- off(X). #show on/1.")
    boxes = {card.title: card.box for card in graph.cards}
    assert boxes == {"p/1": None, "on/1": 0, "off/1": 1, "gone/1": 1}
    assert [box.evaluator for box in graph.boxes] == ["delta", "left out"]
    assert graph.boxes[1].reason == "no answer depends on it"
    assert "on/1 -> off/1" in arrows(graph)


def test_what_looks_back_at_itself() -> None:
    """The past binds no components together, and is drawn all the same."""
    graph = graph_of(
        "on :- start. on :- on in {1}, not stop. late :- on in [5]. start :- late in {1}, again."
    )
    assert "on/0 -> on/0 in {1}" in arrows(graph)
    assert "late/0 -> start/0 in {1}" in arrows(graph)


def test_the_rules_that_pools_stand_for_are_one_text() -> None:
    graph = graph_of("a(1;2) :- p.")
    assert [rule.text for card in graph.cards for rule in card.rules] == ["a(1;2) :- p."]


def test_costs_and_their_shares() -> None:
    costs: list[Cost | None] = [Cost(10, 1.0), Cost(10, 3.0)]
    graph = graph_of("a :- p in [3]. { b } :- a.", costs=costs)
    assert [(box.cost, box.share) for box in graph.boxes] == [(costs[0], 0.25), (costs[1], 0.75)]


def test_the_whole_program_as_one_component() -> None:
    graph = graph_of("a :- p in [3]. { b } :- a. :- b, p.", EvaluatorName.ONESHOT)
    assert len(graph.boxes) == 1
    assert {card.box for card in graph.cards if card.kind is not CardKind.INPUT} == {0}


def test_texts_of_very_many_rules_are_left_out() -> None:
    few = "".join(f"p{number} :- q{number}." for number in range(60))
    assert graph_of(few).has_rules
    assert not graph_of(f"{few} p60 :- q60.").has_rules
