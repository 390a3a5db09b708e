"""The counts of random small inputs, by every way in which they are read, are those of a plain counter."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from lars2asp import Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.sources.account import COUNTS, Account
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import Line
from tests.support.plain_counter import Counter, Declarations, count_lines, count_objects, count_table

DECLARED: Declarations = (
    ("temp", (("room", "any"), ("temp", "int")), "time"),
    ("hum", (("room", "any"), ("hum", "int")), "time"),
    ("seen", (("room", "any"),), "other"),
    ("note", (("text", "any"),), "time"),
)
FIELDS = ("time", "other", "room", "temp", "hum", "text")
LOG = '#tick 1 sec. #timezone "UTC". #input failed(u) from "Failed {u}" at "%Y-%m-%d %H:%M:%S".'


def program_of(declared: Declarations) -> str:
    """A program with these declarations, in which blocks are worth it."""
    texts = [
        f"#input {name}({', '.join(f'int({n})' if kind == 'int' else n for n, kind in args)}) at {time}."
        for name, args, time in declared
    ]
    return " ".join([*texts, *(f"q :- {name}({','.join('_' * len(args))})." for name, args, _ in declared)])


def value_of(field: str, random: Random, time: int) -> str:
    """What stands in a cell; mostly it can be read."""
    chance = random.random()
    if field in ("time", "other"):
        moved = time - random.choice((0, 0, 0, 1, 2, 3, 7)) + random.choice((0, 0, 0, 1))
        return str(max(0, moved)) if chance < 0.97 else random.choice(("x", "1.5", ""))
    if chance < 0.3:
        return ""
    if field in ("temp", "hum"):
        return str(random.randint(-3, 30)) if chance < 0.95 else random.choice(("x", "1,5", "n/a"))
    return random.choice("abc")


def table(random: Random) -> str:
    """A CSV, with some rows that are broken, blank, or have a time alone."""
    rows = [",".join(FIELDS)]
    for time in range(random.randint(1, 40)):
        cells = [value_of(field, random, time).replace(",", ";") for field in FIELDS]
        if random.random() < 0.08:
            cells[2:] = [""] * 4
        if random.random() < 0.04:
            cells = cells[: random.randint(1, 5)]
        rows.append(",".join(cells) if random.random() < 0.97 else "")
    return "\n".join(rows) + "\n"


def objects(random: Random) -> str:
    """JSON lines, some of them broken, of facts, of the clock alone, or with fields and values missing."""
    lines = []
    for time in range(random.randint(1, 40)):
        chance = random.random()
        if chance < 0.05:
            lines.append(random.choice(("{broken", '{"time": 1', "nothing")))
        elif chance < 0.12:
            facts = random.choice(([], ["note(1)"], ["note(1)", "note(2)"], ["note("]))
            lines.append(json.dumps({"time": max(0, time - random.randint(0, 3)), "facts": facts}))
        elif chance < 0.16:
            lines.append(json.dumps({"time": time}))
        else:
            found: dict[str, Any] = {}
            for field in FIELDS:
                text = value_of(field, random, time)
                if random.random() < (0.1 if field in ("time", "other") else 0.25):
                    continue
                is_number = text.lstrip("-").isdecimal()
                found[field] = None if not text else int(text) if is_number else text
            if found.keys() <= {"time"}:
                found["else"] = 1
            lines.append(json.dumps(found))
    return "\n".join(lines) + "\n"


def log(random: Random) -> str:
    """Lines with and without times, of which some fit."""
    lines = []
    for time in range(random.randint(1, 40)):
        second = max(0, time - random.choice((0, 0, 1, 3)))
        moment = f"2026-01-01 00:00:{second:02} " if random.random() < 0.9 else ""
        lines.append(moment + random.choice(("Failed ada", "opened by ada", "closed")))
    return "\n".join(lines) + "\n"


class Lines:
    """A live source of the lines of a text."""

    def __init__(self, text: str) -> None:
        self.name = "lines"
        self._text = text

    def run(self, emit: Callable[[Line], object], stop: Event) -> None:
        """Gives the lines."""
        for number, line in enumerate(self._text.splitlines(), start=1):
            emit(Line(self.name, number, line))


def kept(account: Account) -> tuple[dict[str, int], int]:
    """The six counts, and the late facts of other records."""
    return {name: getattr(account, name) for name in COUNTS}, account.late_facts


def made(seed: int) -> tuple[str, str, Format, Counter, int]:
    """A program, an input with its format, what a plain counter makes of it, and the lateness."""
    random = Random(seed)
    lateness = random.choice((0, 0, 2))
    counter = Counter(lateness)
    declared = random.sample(DECLARED, random.randint(1, 3))
    match seed % 3:
        case 0:
            text = table(random)
            count_table(text, declared, counter)
            return program_of(declared), text, Format.CSV, counter, lateness
        case 1:
            text = objects(random)
            count_objects(text, declared, counter)
            return program_of(declared), text, Format.JSONL, counter, lateness
        case _:
            text = log(random)
            count_lines(text.splitlines(), "Failed", counter)
            return f"{LOG} q :- failed(_).", text, Format.LOG, counter, lateness


ENDINGS = {Format.CSV: "csv", Format.JSONL: "jsonl", Format.LOG: "log"}


@pytest.mark.parametrize("first", range(0, 96, 12))
def test_the_counts_are_those_of_a_plain_counter(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 12):
        program, text, form, counter, lateness = made(seed)
        expected = counter.counts, counter.late_facts
        path = tmp_path / f"{seed}.{ENDINGS[form]}"
        path.write_text(text)
        for evaluator in ("auto", "oneshot"):
            reasoner = Reasoner.from_text(program, evaluator=evaluator)
            for _ in reasoner.run(path, lateness=lateness, on_reject=lambda _: None):
                pass
            [account] = reasoner.statistics.inputs.values()
            assert kept(account) == expected, (seed, evaluator, text)
        reasoner = Reasoner.from_text(program)
        reading = type(reasoner.reading)(**{**vars(reasoner.reading), "format": form})
        reasoner.run_live(
            Lines(text), lambda _: None, reading=reading, lateness=lateness, on_reject=lambda _: None
        )
        [account] = reasoner.statistics.inputs.values()
        assert kept(account) == expected, (seed, "live", text)


@pytest.mark.parametrize("seed", range(2))
def test_a_run_has_the_same_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    """Of several inputs each by itself, late facts of one of them among the counts of that one."""
    monkeypatch.chdir(tmp_path)
    names, expected = [], {}
    declared = DECLARED[:2]
    for number in range(2):
        counter, random = Counter(100), Random(100 * seed + number)
        text = table(random) if number else objects(random)
        (count_table if number else count_objects)(text, declared, counter)
        names.append(f"{number}.{'csv' if number else 'jsonl'}")
        Path(names[-1]).write_text(text)
        expected[names[-1]] = counter.counts
    Path("p.lars").write_text(program_of(declared))
    inputs = [word for name in names for word in ("--input", name)]
    main(["run", "p.lars", *inputs, "--lateness", "100", "--stats-json", "s.json", "--output", "out"])
    assert json.loads(Path("s.json").read_text())["inputs"] == expected
    main(["run", "p.lars", *inputs, "--revise", "100", "--stats-json", "s.json"])
    assert json.loads(Path("s.json").read_text())["inputs"] == expected
    capsys.readouterr()
