"""The layout: nothing lies on anything else, and arrows begin and end at their cards."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.runtime.plan_drawing.card_columns import Link, Size
from lars2asp.runtime.plan_drawing.layered_layout import Layout, Rectangle, layered


def overlap(one: Rectangle, other: Rectangle) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def contains(outer: Rectangle, inner: Rectangle) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


def check(cards: list[Size], links: list[Link], boxes: int) -> Layout:
    layout = layered(cards, links, boxes)
    page = Rectangle(0, 0, layout.width, layout.height)
    for one in (*layout.cards, *filter(None, layout.boxes)):
        assert contains(page, one)
    for one, other in combinations(layout.cards, 2):
        assert not overlap(one, other)
    for one, other in combinations(filter(None, layout.boxes), 2):
        assert not overlap(one, other)
    for card, place in zip(cards, layout.cards, strict=True):
        assert (place.width >= card.width, place.height) == (True, card.height)
        for number, box in enumerate(layout.boxes):
            if box is not None:
                assert contains(box, place) if card.box == number else not overlap(box, place)
    for link, route in zip(links, layout.routes, strict=True):
        if link.source == link.target:
            assert route is None
            continue
        assert route is not None
        source, target = layout.cards[link.source], layout.cards[link.target]
        begin, end = route.points[0], route.points[-1]
        left, right = (source, target) if not route.is_back else (target, source)
        first, last = (begin, end) if not route.is_back else (end, begin)
        assert first[1 if route.is_back else 0] == pytest.approx(left.x + left.width)
        assert last[0 if route.is_back else 1] == pytest.approx(right.x)
        assert source.y < begin[2] < source.y + source.height
        assert target.y < end[2] < target.y + target.height
    return layout


def test_a_chain_goes_from_left_to_right() -> None:
    cards = [Size(50, 30), Size(80, 30, 0), Size(80, 30, 0), Size(80, 30, 1)]
    layout = check(cards, [Link(0, 1, 40), Link(1, 2), Link(2, 3, 60)], 2)
    assert [place.x for place in layout.cards] == sorted({place.x for place in layout.cards})
    assert [route.is_back for route in layout.routes if route is not None] == [False] * 3


def test_what_closes_a_cycle_goes_back() -> None:
    cards = [Size(50, 30, 0), Size(50, 30, 0), Size(50, 30, 0)]
    layout = check(cards, [Link(0, 1), Link(1, 2), Link(2, 0), Link(1, 1)], 1)
    assert [route and route.is_back for route in layout.routes] == [False, False, True, None]


def test_labels_have_room_before_their_card() -> None:
    layout = check([Size(50, 30), Size(50, 30, 0)], [Link(0, 1, 100)], 1)
    source, target = layout.cards
    assert target.x - source.x - source.width > 100


def test_an_arrow_passes_beside_a_component_between() -> None:
    cards = [Size(50, 30, 0), Size(50, 90, 1), Size(50, 30, 2)]
    layout = check(cards, [Link(0, 1), Link(1, 2), Link(0, 2)], 3)
    route, box = layout.routes[2], layout.boxes[1]
    assert route is not None and box is not None
    (_, _, y) = route.points[1]
    assert not box.y <= y <= box.y + box.height


def test_arrows_from_one_card_run_together() -> None:
    cards = [Size(50, 30, 0), Size(50, 30, 1), Size(50, 30, 2), Size(50, 30, 2)]
    layout = check(cards, [Link(0, 1), Link(1, 2), Link(1, 3), Link(0, 2), Link(0, 3)], 3)
    one, other = layout.routes[3:]
    assert one is not None and other is not None
    assert one.points[:2] == other.points[:2]


def test_nothing() -> None:
    assert check([], [], 0).cards == ()
    assert check([Size(50, 30)], [], 2).boxes == (None, None)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Size], list[Link], int]:
    """Cards within boxes and outside; from those outside arrows begin only."""
    boxes = draw(st.integers(1, 3))
    inner = draw(st.lists(st.integers(0, boxes - 1), min_size=1, max_size=12))
    outer = draw(st.integers(0, 4))
    cards = [Size(60, draw(st.sampled_from([30, 75])), box) for box in inner]
    cards += [Size(40, 30)] * outer
    ends = st.tuples(st.integers(0, len(cards) - 1), st.integers(0, len(inner) - 1))
    labels = st.sampled_from([0.0, 80.0])
    links = [Link(source, target, draw(labels)) for source, target in draw(st.lists(ends, max_size=25))]
    return cards, links, boxes


@given(graphs())
def test_random_graphs(graph: tuple[list[Size], list[Link], int]) -> None:
    check(*graph)
