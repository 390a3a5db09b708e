"""Eight rules about fraud: the answers of the plain loop."""

import json
from pathlib import Path

from experiments.jobs.fraud import FRAUD
from experiments.jobs.streams import stamp
from experiments.jobs.whole import Way, Work, compare

KINDS = {"velocity", "travel", "probing", "dormant", "unusual", "burst", "listed", "large"}


def test_the_rules_find_what_the_loop_finds(tmp_path: Path) -> None:
    work = Work.made("fraud", FRAUD, tmp_path, 600)
    for way in (Way.CHANGES, Way.LOOP):
        assert work.run(way)
    compare(work, [Way.CHANGES])
    assert {atom.partition("(")[0] for atom in work.answers(Way.LOOP)} == KINDS


def test_what_comes_at_one_tick_counts_in_whatever_order_it_is_written(tmp_path: Path) -> None:
    begin = 1_800_000_000
    usual = {"cents": 100, "merchant": "m1", "country": "at", "status": "ok"}
    records: list[dict[str, object]] = [
        {"ts": stamp(begin + number // 2), "payment": number, "card": f"c{number}", **usual}
        for number in range(10)
    ]
    records[8]["cents"] = 100_000
    records.append({"ts": stamp(begin + 4), "notice": "c8"})
    (tmp_path / "fraud.lars").write_text(FRAUD.program)
    source = tmp_path / "fraud.jsonl"
    source.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    work = Work("fraud", tmp_path, source, begin + 4)
    for way in (Way.CHANGES, Way.LOOP):
        work.run(way)
    compare(work, [Way.CHANGES])
    now = begin + 4, begin + 4
    assert work.answers(Way.LOOP) == {"burst(8)": (now,), "burst(9)": (now,)}
