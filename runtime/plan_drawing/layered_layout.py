"""A layered layout of a graph with boxes, from left to right (Sugiyama, Tagawa, Toda 1981).

Cards stand in columns, so that arrows go to the right; those that would close a cycle go to the left. Each
box has columns of its own, one behind the other. Where an arrow passes a column, it has a place in it as a
card has: in a box that it begins or ends in, else above or below it. Within columns the order is that of the
neighbours' places, and heights are those with the least bends (isotonic regression by pooling adjacent
violators).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

from lars2asp.runtime.plan_drawing.card_columns import Link, Size, columns_of

GAP = 16.0
"""Between two cards of a column; lengths are in pixels."""

LANE = 6.0
"""The height that an arrow has where it passes a column."""

LANE_GAP = 4.0
"""Between two arrows that pass a column."""

BEND = 44.0
"""The width in which arrows between two columns may bend."""

PADDING = 16.0
"""Within boxes, around their cards."""

HEADING = 34.0
"""The height of the heading of a box."""

SWEEPS = 8


@dataclass(frozen=True)
class Rectangle:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Route:
    """Where an arrow goes.

    Attributes:
        points: level stretches, from left to right or the other way: where each begins and ends. The last one
            ends at the card, and what is written stands above it.
        is_back: whether it goes to the left.
    """

    points: tuple[tuple[float, float, float], ...]
    is_back: bool = False


@dataclass(frozen=True)
class Layout:
    """A layout.

    Attributes:
        cards: where the cards are.
        routes: where the arrows go; none for those from a card to itself.
        boxes: where the boxes are; None for those without cards.
        width: that of all.
        height: that of all.
    """

    cards: tuple[Rectangle, ...]
    routes: tuple[Route | None, ...]
    boxes: tuple[Rectangle | None, ...]
    width: float
    height: float


@dataclass(eq=False)
class _Item:
    """A card, or an arrow where it passes a column.

    Attributes:
        height: its height.
        box: the box that it stands in; None outside.
        side: where it is beside the box of its column: -1 above, 0 in it, 1 below.
        y: the height of its middle.
    """

    height: float
    box: int | None
    layer: int
    is_card: bool = True
    side: int = 0
    y: float = 0.0
    before: "list[_Item]" = field(default_factory=list)
    behind: "list[_Item]" = field(default_factory=list)


def layered(cards: Sequence[Size], links: Sequence[Link], boxes: int) -> Layout:
    """The layout of cards and links in so many boxes."""
    return _Layered(cards, links, boxes).layout()


class _Layered:
    def __init__(self, cards: Sequence[Size], links: Sequence[Link], boxes: int) -> None:
        self._cards, self._links, self._boxes = cards, links, boxes
        self._layer, self._box_of_layer = columns_of(cards, links, boxes)
        self._columns: list[list[_Item]] = [[] for _ in self._box_of_layer]
        self._items = [
            _Item(card.height, card.box, layer) for card, layer in zip(cards, self._layer, strict=True)
        ]
        for item in self._items:
            self._columns[item.layer].append(item)
        self._passing: dict[tuple[int, int, int | None], _Item] = {}
        """By the card from which arrows come, the column that they pass, and the box in which they do so."""
        self._chains = [self._chain(link) for link in links]

    def _chain(self, link: Link) -> list[_Item]:
        """The places of an arrow from the left to the right; arrows from one card run together."""
        ends = sorted((self._items[link.source], self._items[link.target]), key=lambda item: item.layer)
        first, last = ends
        if first is last:
            return []
        chain = [first]
        for layer in range(first.layer + 1, last.layer):
            box = self._box_of_layer[layer]
            inside = box if box in (first.box, last.box) else None
            item = self._passing.get((link.source, layer, inside))
            if item is None:
                item = _Item(LANE, inside, layer, is_card=False)
                self._passing[link.source, layer, inside] = item
                self._columns[layer].append(item)
            chain.append(item)
        chain.append(last)
        for one, other in pairwise(chain):
            if other not in one.behind:
                one.behind.append(other)
                other.before.append(one)
        return chain

    def layout(self) -> Layout:
        self._order()
        spans = self._heights()
        return self._placed(spans)

    # --- the order within columns -------------------------------------------------------------------------

    def _order(self) -> None:
        best, fewest = [[*column] for column in self._columns], None
        for sweep in range(SWEEPS):
            self._choose_sides()
            is_forward = sweep % 2 == 0
            places = self._places()
            for column in self._columns if is_forward else self._columns[::-1]:
                column.sort(key=lambda item: self._key(item, places, is_forward=is_forward))
                places.update((item, (place + 0.5) / len(column)) for place, item in enumerate(column))
            crossings = self._crossings()
            if fewest is None or crossings < fewest:
                best, fewest = [[*column] for column in self._columns], crossings
        self._columns = best
        for column in self._columns:  # sides may have changed since
            column.sort(key=lambda item: item.side)

    def _places(self) -> dict[_Item, float]:
        """Where items are in their columns, from 0 to 1."""
        return {
            item: (number + 0.5) / len(column)
            for column in self._columns
            for number, item in enumerate(column)
        }

    def _key(self, item: _Item, places: dict[_Item, float], *, is_forward: bool) -> tuple[int, float]:
        near = (item.before or item.behind) if is_forward else (item.behind or item.before)
        return item.side, fmean(places[one] for one in near) if near else places[item]

    def _choose_sides(self) -> None:
        """Above or below a box: what passes it goes by on one side, by where it comes from and goes to."""
        places = self._places()
        for chain in self._chains:
            side = -1 if chain and places[chain[0]] + places[chain[-1]] < 1 else 1
            for item in chain[1:-1]:
                item.side = self._side(item, side)
        for item in self._items:
            near = item.behind or item.before
            side = -1 if near and fmean(places[one] for one in near) < 0.5 else 1
            item.side = self._side(item, side)

    def _side(self, item: _Item, side: int) -> int:
        box = self._box_of_layer[item.layer]
        return 0 if box is None or item.box == box else side

    def _crossings(self) -> int:
        found = 0
        for column, following in pairwise(self._columns):
            number = {item: place for place, item in enumerate(following)}
            ends = [sorted(number[other] for other in item.behind if other in number) for item in column]
            found += _inversions([end for each in ends for end in each])
        return found

    # --- heights ------------------------------------------------------------------------------------------

    def _heights(self) -> list[tuple[float, float] | None]:
        """Sets the heights of all items; gives the highest and the lowest of each box."""
        for column in self._columns:
            offsets, height = _stacked(column)
            for item, offset in zip(column, offsets, strict=True):
                item.y = offset - height / 2
        spans: list[tuple[float, float] | None] = []
        for sweep in range(SWEEPS):
            is_forward = sweep % 2 == 0
            for column in self._columns if is_forward else self._columns[::-1]:
                _settle([item for item in column if item.side == 0], is_forward=is_forward)
            spans = self._spans()
            for layer, column in enumerate(self._columns):
                box = self._box_of_layer[layer]
                span = None if box is None else spans[box]
                if span is not None:
                    top, bottom = span[0] - HEADING - PADDING - GAP, span[1] + PADDING + GAP
                    above, below = ([one for one in column if one.side == side] for side in (-1, 1))
                    _settle(above, is_forward=is_forward, most=top)
                    _settle(below, is_forward=is_forward, least=bottom)
        return spans

    def _spans(self) -> list[tuple[float, float] | None]:
        found: list[tuple[float, float] | None] = []
        for box in range(self._boxes):
            own = [
                item
                for layer, column in enumerate(self._columns)
                if self._box_of_layer[layer] == box
                for item in column
                if item.side == 0
            ]
            if own:
                found.append(
                    (min(one.y - one.height / 2 for one in own), max(one.y + one.height / 2 for one in own))
                )
            else:
                found.append(None)
        return found

    # --- places -------------------------------------------------------------------------------------------

    def _placed(self, spans: Sequence[tuple[float, float] | None]) -> Layout:
        lefts, widths = self._across()
        tops = [item.y - item.height / 2 for column in self._columns for item in column]
        tops += [span[0] - HEADING - PADDING for span in spans if span is not None]
        up = PADDING - min(tops, default=0.0)
        cards = tuple(
            self._rectangle(card, item, lefts[item.layer], widths[item.layer], up)
            for card, item in zip(self._cards, self._items, strict=True)
        )
        rectangles: list[Rectangle | None] = []
        for box, span in enumerate(spans):
            layers = [layer for layer, one in enumerate(self._box_of_layer) if one == box]
            if span is None:
                rectangles.append(None)
                continue
            left = lefts[layers[0]] - PADDING
            right = lefts[layers[-1]] + widths[layers[-1]] + PADDING
            top = span[0] - HEADING - PADDING + up
            rectangles.append(Rectangle(left, top, right - left, span[1] + PADDING + up - top))
        bottoms = [one.y + one.height for one in (*cards, *filter(None, rectangles))]
        bottoms += [item.y + up + LANE for chain in self._chains for item in chain[1:-1]]
        width = lefts[-1] + widths[-1] + 2 * PADDING if lefts else 2 * PADDING
        return Layout(
            cards,
            tuple(self._routes(lefts, widths, up)),
            tuple(rectangles),
            width,
            max(bottoms, default=0.0) + PADDING,
        )

    @staticmethod
    def _rectangle(card: Size, item: _Item, left: float, width: float, up: float) -> Rectangle:
        """In boxes as wide as the column; outside at its right, where arrows begin."""
        own = card.width if card.box is None else width
        return Rectangle(left + width - own, item.y - item.height / 2 + up, own, item.height)

    def _across(self) -> tuple[list[float], list[float]]:
        """Where columns begin, and how wide they are."""
        count = len(self._columns)
        widths, to_right, to_left = [0.0] * count, [0.0] * count, [0.0] * count
        for card, layer in zip(self._cards, self._layer, strict=True):
            widths[layer] = max(widths[layer], card.width)
        for link in self._links:
            source, target = self._layer[link.source], self._layer[link.target]
            if source < target:
                to_right[target] = max(to_right[target], link.label)
            elif source > target:
                to_left[target] = max(to_left[target], link.label)
        lefts, x = [], PADDING * 2
        for layer in range(count):
            if layer:
                is_border = self._box_of_layer[layer] != self._box_of_layer[layer - 1]
                x += BEND + to_right[layer] + to_left[layer - 1] + (2 * PADDING if is_border else 0)
            lefts.append(x)
            x += widths[layer]
        return lefts, widths

    def _port(self, item: _Item, neighbour: _Item, number: int) -> object:
        """What has one place at a card: arrows that leave it together. Each arrives at one of its own."""
        arrives = self._items[self._links[number].target] is item
        return number if arrives or neighbour.is_card else neighbour

    def _routes(self, lefts: Sequence[float], widths: Sequence[float], up: float) -> Iterable[Route | None]:
        leaving: dict[tuple[int, _Item], float] = {}
        arriving: dict[tuple[int, _Item], float] = {}
        for item in self._items:
            chains = [(number, chain) for number, chain in enumerate(self._chains) if chain]
            outwards = [(chain[1], number) for number, chain in chains if chain[0] is item]
            inwards = [(chain[-2], number) for number, chain in chains if chain[-1] is item]
            for ports, ends in ((leaving, outwards), (arriving, inwards)):
                ends.sort(key=lambda one: (one[0].y, one[1]))
                places = [*dict.fromkeys(self._port(item, *one) for one in ends)]
                for neighbour, number in ends:
                    place = places.index(self._port(item, neighbour, number)) + 1
                    offset = item.height * place / (len(places) + 1)
                    ports[number, item] = item.y - item.height / 2 + offset + up
        for number, (link, chain) in enumerate(zip(self._links, self._chains, strict=True)):
            if not chain:
                yield None
                continue
            is_back = self._layer[link.source] > self._layer[link.target]
            first, *passed, last = chain
            begin = lefts[first.layer] + widths[first.layer]
            stretches = [(begin, begin, leaving[number, first])]
            for item in passed:
                left = lefts[item.layer]
                stretches.append((left, left + widths[item.layer], item.y + up))
            end = lefts[last.layer]
            stretches.append((end, end, arriving[number, last]))
            if is_back:
                stretches = [(right, left, y) for left, right, y in reversed(stretches)]
                stretches[-1] = (stretches[-1][0] + link.label, begin, stretches[-1][2])
            else:
                stretches[-1] = (end - link.label, end, stretches[-1][2])
            yield Route(tuple(stretches), is_back)


def _gap(one: _Item, other: _Item) -> float:
    """The distance of two items below each other."""
    return GAP if one.is_card or other.is_card else LANE_GAP


def _wanted(item: _Item, *, is_forward: bool) -> float:
    """The height at which an item has the least bends."""
    near = (item.before or item.behind) if is_forward else (item.behind or item.before)
    if not near:
        return item.y
    if item.before and item.behind:
        return 0.75 * fmean(one.y for one in near) + 0.25 * fmean(
            one.y for one in (item.behind if is_forward else item.before)
        )
    return fmean(one.y for one in near)


def _stacked(items: Sequence[_Item]) -> tuple[list[float], float]:
    """Where the middles of items are that stand close below each other, and their height."""
    offsets: list[float] = []
    height = 0.0
    for number, item in enumerate(items):
        height += _gap(items[number - 1], item) if number else 0.0
        offsets.append(height + item.height / 2)
        height += item.height
    return offsets, height


def _settle(
    items: Sequence[_Item],
    *,
    is_forward: bool,
    least: float = float("-inf"),
    most: float = float("inf"),
) -> None:
    """Moves items as close as possible to where they are wanted, in their order, from `least` to `most`."""
    if not items:
        return
    offsets, height = _stacked(items)
    blocks: list[tuple[float, int]] = []
    for item, offset in zip(items, offsets, strict=True):
        mean, count = _wanted(item, is_forward=is_forward) - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, number = blocks.pop()
            mean, count = (before * number + mean * count) / (number + count), number + count
        blocks.append((mean, count))
    tops = [mean for mean, count in blocks for _ in range(count)]
    last = most - height
    for item, offset, top in zip(items, offsets, tops, strict=True):
        item.y = min(max(top, least), last) + offset


def _inversions(numbers: Sequence[int]) -> int:
    """How many pairs are in the wrong order, by merging."""
    if len(numbers) < 2:
        return 0
    middle = len(numbers) // 2
    left, right = numbers[:middle], numbers[middle:]
    found = _inversions(left) + _inversions(right)
    left, right = sorted(left), sorted(right)
    place = 0
    for number in left:
        while place < len(right) and right[place] < number:
            place += 1
        found += place
    return found
