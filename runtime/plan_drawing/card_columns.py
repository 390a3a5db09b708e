"""The columns in which cards stand, so that arrows go to the right where that is possible."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    """The size of a card, and the box that it stands in."""

    width: float
    height: float
    box: int | None = None


@dataclass(frozen=True)
class Link:
    """An arrow from a card to another one, and the width of what is written at its end."""

    source: int
    target: int
    label: float = 0.0


def columns_of(
    cards: Sequence[Size], links: Sequence[Link], boxes: int
) -> tuple[list[int], list[int | None]]:
    """The column of each card, and the box of each column.

    Boxes have columns one behind the other. A card outside stands a column before the first that looks at it.
    """
    layer = [0] * len(cards)
    box_of_layer: list[int | None] = [None] if any(card.box is None for card in cards) else []
    for box in range(boxes):
        members = [number for number, card in enumerate(cards) if card.box == box]
        if not members:
            continue
        depths = _depths(members, links)
        for number, depth in depths.items():
            layer[number] = len(box_of_layer) + depth
        box_of_layer += [box] * (max(depths.values()) + 1)
    for number, card in enumerate(cards):
        if card.box is None:
            targets = [layer[link.target] for link in links if link.source == number]
            layer[number] = max(min(targets, default=1) - 1, 0)
    return layer, box_of_layer


def _depths(members: Sequence[int], links: Sequence[Link]) -> dict[int, int]:
    """How many cards stand before each on the longest way to it, without links that close a cycle."""
    inner = set(members)
    behind: dict[int, list[int]] = {number: [] for number in members}
    for link in links:
        if link.source in inner and link.target in inner and link.source != link.target:
            behind[link.source].append(link.target)
    entered = {target for targets in behind.values() for target in targets}
    finished: dict[int, None] = {}
    open_: set[int] = set()
    ways: dict[int, list[int]] = {number: [] for number in members}
    for root in sorted(members, key=lambda number: number in entered):
        if root in finished or root in open_:
            continue
        open_.add(root)
        pending = [(root, iter(behind[root]))]
        while pending:
            node, others = pending[-1]
            for other in others:
                if other in open_:
                    continue
                ways[node].append(other)
                if other not in finished:
                    open_.add(other)
                    pending.append((other, iter(behind[other])))
                    break
            else:
                pending.pop()
                open_.discard(node)
                finished[node] = None
    depths = dict.fromkeys(members, 0)
    for node in reversed(finished):
        for other in ways[node]:
            depths[other] = max(depths[other], depths[node] + 1)
    return depths
