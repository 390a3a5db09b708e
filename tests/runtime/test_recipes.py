"""Patterns of the documentation and the folding of revisions, held to plain Python over random input."""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lars2asp import Reasoner
from tests.support.command_line import lines, run

PATTERNS = Path(__file__).parents[2] / "docs" / "how-to" / "patterns"


def _recipe(page: str, heading: str, number: int = 0) -> str:
    """A program of a page of patterns."""
    section = (
        (PATTERNS / f"{page}.md")
        .read_text(encoding="utf-8")
        .partition(f"\n## {heading}\n")[2]
        .partition("\n## ")[0]
    )
    found: list[str] = re.findall(r"```lars\n(.*?)```", section, re.DOTALL)
    return found[number]


def _alarms(told: dict[int, Counter[str]], users: str, last: int) -> set[tuple[int, str]]:
    """Each failure counts once, in the order of ticks; an alarm takes all up to its tick with it."""
    found = set()
    for user in users:
        failures = 0
        for tick in range(last + 1):
            here = told.get(tick, Counter())[user]
            failures += here
            if here and failures >= 3:
                found.add((tick, user))
                failures = 0
    return found


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("is_counted", [False, True])
def test_consumed_matches_also_at_neighbouring_ticks(seed: int, is_counted: bool) -> None:
    random, last = Random(seed), 40
    told: dict[int, Counter[str]] = {}
    for tick in range(last + 1):
        most = 4 if is_counted else 1
        told[tick] = Counter({user: random.randint(0, most) for user in "ab" if random.random() < 0.7})
    reasoner = Reasoner.from_text(_recipe("sequences", "Each event used once", int(is_counted)))
    number = iter(range(10**6))
    records = [
        (
            tick,
            [
                f"failed({user},{next(number)})" if is_counted else f"failed({user})"
                for user, times in here.items()
                for _ in range(times)
            ],
        )
        for tick, here in told.items()
    ]
    found = {
        (answer.tick, text[len("alarm(") : -1])
        for answer in reasoner.run(records, emit="every")
        for text in answer.holds.texts
    }
    assert found == _alarms(told, "ab", last)


def _folded(written: list[dict[str, Any]], last: int) -> list[set[str]]:
    """The atoms of each tick, as docs/reference/formats/output-records.md folds lines."""
    held: list[set[str]] = [set() for _ in range(last + 1)]
    for line in written:
        if "atoms" in line:
            for tick in range(line["time"], last + 1):
                held[tick] = set(line["atoms"])
        elif line.get("revised"):
            until = last if line["to"] is None else line["to"]
            for tick in range(line["from"], until + 1):
                (held[tick].add if line["holds"] else held[tick].discard)(line["revised"])
    return held


@pytest.mark.parametrize("seed", range(4))
def test_revisions_are_folded_as_the_page_says(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    ticks = sorted(random.sample(range(60), 30))
    records: list[dict[str, Any]] = [
        {"time": tick, "facts": [f"{random.choice('pq')}({random.randint(1, 2)})"]} for tick in ticks
    ]
    late = sorted(records, key=lambda record: record["time"] + random.random() * 5)
    (tmp_path / "p.lars").write_text("seen(X) :- p(X) in [2].\nalarm(X) :- p(X), not q(X) in [3].\n", "utf-8")
    for name, some in (("late", late), ("sorted", records)):
        text = "".join(json.dumps(record) + "\n" for record in some)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    early = run(tmp_path, "run", "p.lars", "--input", "late.jsonl", "--revise", "6").stdout
    plain = run(tmp_path, "run", "p.lars", "--input", "sorted.jsonl", "--emit", "every").stdout
    wanted = {line["time"]: set(line["atoms"]) for line in lines(plain)}
    held = _folded(lines(early), max(wanted))
    assert {tick: held[tick] for tick in wanted} == wanted
    assert '"revised"' in early


def _answered(program: str, told: dict[int, list[str]], last: int) -> dict[int, set[str]]:
    """The atoms of each tick."""
    records = [(tick, told.get(tick, [])) for tick in range(last + 1)]
    answers = Reasoner.from_text(program).run(records, emit="every")
    return {answer.tick: set(answer.holds.texts) for answer in answers}


@pytest.mark.parametrize("seed", range(4))
def test_orders_that_are_not_paid_in_time(seed: int) -> None:
    random, last = Random(seed), 120
    ordered = {order: random.randint(0, 70) for order in range(25)}
    paid = {
        order: tick + random.choice((0, 5, 29, 30, 31, 60)) for order, tick in ordered.items() if order % 5
    }
    told: dict[int, list[str]] = {}
    for name, ticks in (("order", ordered), ("paid", paid)):
        for order, tick in ticks.items():
            told.setdefault(tick, []).append(f"{name}({order})")
    wanted: dict[int, set[str]] = {tick: set() for tick in range(last + 1)}
    for order, tick in ordered.items():
        if order not in paid or paid[order] > tick + 30:
            wanted[tick + 30].add(f"overdue({order})")
    assert _answered(_recipe("missing-events", "Timeout: an order that nobody pays"), told, last) == wanted


@pytest.mark.parametrize("seed", range(4))
def test_tumbling_and_hopping_counts(seed: int) -> None:
    random, last = Random(seed), 150
    cars = [(random.randint(0, 90), random.choice(("north", "south")), number) for number in range(60)]
    told: dict[int, list[str]] = {}
    for tick, gate, number in cars:
        told.setdefault(tick, []).append(f"car({gate},{number})")
    wanted = {}
    for now in range(last + 1):
        block, hop = (now + 1) // 15 * 15, now // 10 * 10
        quarter = Counter(gate for tick, gate, _ in cars if block - 15 <= tick < block)
        half = Counter(gate for tick, gate, _ in cars if hop - 30 <= tick < hop)
        wanted[now] = {f"quarter({gate},{count})" for gate, count in quarter.items()}
        wanted[now] |= {f"half({gate},{count})" for gate, count in half.items()}
    assert _answered(_recipe("counting", "Tumbling and hopping windows"), told, last) == wanted


@pytest.mark.parametrize("seed", range(4))
def test_bursts_within_a_tick(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    rows = sorted(
        (random.randint(0, 20), random.choice(("ann", "bob")), random.choice(("failed", "ok")))
        for _ in range(40)
    )
    text = "".join(f"2026-01-01 10:00:{tick:02},{user},{result}\n" for tick, user, result in rows)
    (tmp_path / "logins.csv").write_text(f"time,user,result\n{text}", "utf-8")
    (tmp_path / "p.lars").write_text(
        _recipe("counting", "Bursts within a tick") + "#show burst/2.\n", "utf-8"
    )
    written = run(tmp_path, "run", "p.lars", "--input", "logins.csv", "--emit", "every").stdout
    found = {line["time"]: set(line["atoms"]) for line in lines(written)}
    failures = [(tick, user) for tick, user, result in rows if result == "failed"]
    for now, held in found.items():
        counts = Counter(
            user for tick, user in failures if now - 3 <= tick <= now and (now, user) in failures
        )
        assert held == {f'burst("{user}",{count})' for user, count in counts.items() if count >= 3}
    assert any(found.values())
