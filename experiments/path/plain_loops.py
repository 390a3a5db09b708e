"""Programs as plain Python loops: JSON lines in, a window in dictionaries, changes as JSON lines out.

    python -m experiments.path.plain_loops diamond 80 INPUT OUTPUT

They show what reading, keeping a window and writing cost without a language: one program each, facts p/2 over
integers, ticks without gaps from 0 on.
"""

import re
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from pathlib import Path

import orjson

Pair = tuple[int, int]

Changes = tuple[Iterable[Pair], Iterable[Pair]]
"""The rows of q/2 that begin and those that end to hold."""

Loop = Callable[[int, list[Pair]], Changes]
"""Takes a tick and its facts."""

_ATOMS = re.compile(r"p\(([0-9]+),([0-9]+)\)")


def diamond(n: int) -> Loop:
    """`q(X,Y) :- p(X,Y) in [n].`"""
    latest: dict[Pair, int] = {}
    arrived: deque[list[Pair]] = deque()

    def step(tick: int, rows: list[Pair]) -> Changes:
        began = [row for row in rows if row not in latest]
        latest.update(dict.fromkeys(rows, tick))
        arrived.append(rows)
        ended = []
        if tick > n:
            ended = [row for row in arrived.popleft() if latest[row] == tick - n - 1]
            for row in ended:
                del latest[row]
        return began, ended

    return step


def box(n: int) -> Loop:
    """`q(X,Y) :- p(X,Y) always in [n].`"""
    since: dict[Pair, int] = {}
    holding: set[Pair] = set()

    def step(tick: int, rows: list[Pair]) -> Changes:
        nonlocal since, holding
        since = {row: since.get(row, tick) for row in rows}
        first, before = max(0, tick - n), holding
        holding = {row for row, begin in since.items() if begin <= first}
        return holding - before, before - holding

    return step


def join(n: int) -> Loop:
    """`q(X,Z) :- p(X,Y) in [n], p(Y,Z) in [n].`"""
    window = diamond(n)
    following: defaultdict[int, set[int]] = defaultdict(set)
    preceding: defaultdict[int, set[int]] = defaultdict(set)
    ways: Counter[Pair] = Counter()

    def matches(x: int, y: int) -> list[Pair]:
        found = [(x, z) for z in following.get(y, ())]
        found += [(w, y) for w in preceding.get(x, ())]
        if x == y:
            found.append((x, y))
        return found

    def step(tick: int, rows: list[Pair]) -> Changes:
        began, ended = window(tick, rows)
        changed: dict[Pair, bool] = {}
        for x, y in ended:
            following[x].discard(y)
            preceding[y].discard(x)
            for kept in (following, preceding):
                for key in (x, y):
                    if key in kept and not kept[key]:
                        del kept[key]
            for pair in matches(x, y):
                changed.setdefault(pair, True)
                ways[pair] -= 1
        for x, y in began:
            for pair in matches(x, y):
                changed.setdefault(pair, ways[pair] > 0)
                ways[pair] += 1
            following[x].add(y)
            preceding[y].add(x)
        new = [pair for pair, before in changed.items() if not before and ways[pair]]
        gone = [pair for pair, before in changed.items() if before and not ways[pair]]
        for pair in gone:
            del ways[pair]
        return new, gone

    return step


LOOPS: dict[str, Callable[[int], Loop]] = {"diamond": diamond, "box": box, "join": join}


def run(step: Loop, source: Path, target: Path) -> None:
    """Reads JSON lines and writes the changes at each tick that has some."""
    with source.open("rb") as lines, target.open("wb") as output:
        for line in lines:
            record = orjson.loads(line)
            rows = [(int(x), int(y)) for x, y in _ATOMS.findall("\n".join(record["facts"]))]
            began, ended = step(record["time"], rows)
            if began or ended:
                texts = {
                    "began": [f"q({x},{y})" for x, y in sorted(began)],
                    "ended": [f"q({x},{y})" for x, y in sorted(ended)],
                }
                output.write(orjson.dumps({"time": record["time"]} | texts))
                output.write(b"\n")


if __name__ == "__main__":
    _, name, size, source, target = sys.argv
    run(LOOPS[name](int(size)), Path(source), Path(target))
