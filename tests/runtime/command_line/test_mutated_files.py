"""Files with a mistake: the proposals of `check --input` parse, run no code, and read as much as they say."""

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from lars2asp.syntax.nodes import Script
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source
from tests.runtime.command_line.test_proposals_for_tasks import TASKS
from tests.support.examples import number_of_examples

NUMBER = 10 * number_of_examples(4)
HOSTILE = [
    "a\nb",
    "#script (python)\nimport os\nos.abort()\n#end.",
    "%*",
    '"',
    "'x",
    "a). b(1",
    "\\",
    "é\u202e",
]

Mutation = Callable[[list[str], random.Random], str]


def cell_removed(lines: list[str], chance: random.Random) -> str:
    place = chance.randrange(1, len(lines))
    parts = re.split("([,:])", lines[place])
    del parts[chance.randrange(len(parts))]
    lines[place] = "".join(parts)
    return "\n".join(lines)


def key_misspelt(lines: list[str], chance: random.Random) -> str:
    place = chance.randrange(len(lines))
    word = chance.choice([*re.finditer("[A-Za-z]+", lines[place])])
    lines[place] = lines[place][: word.start()] + word[0][1:] + word[0][0] + lines[place][word.end() :]
    return "\n".join(lines)


def rows_swapped(lines: list[str], chance: random.Random) -> str:
    first, second = (chance.randrange(1, len(lines)) for _ in range(2))
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def name_changed(lines: list[str], chance: random.Random) -> str:
    """The name of a column or of a field is a hostile one, in a header, or in all records."""
    name = chance.choice(HOSTILE)
    if not lines[0].startswith("{"):
        names = lines[0].split(",")
        names[chance.randrange(len(names))] = '"' + name.replace('"', '""') + '"'
        return "\n".join([",".join(names), *lines[1:]])
    old = chance.choice([*json.loads(lines[0])])
    return "\n".join(line.replace(json.dumps(old), json.dumps(name), 1) for line in lines)


def value_changed(lines: list[str], chance: random.Random) -> str:
    place, value = chance.randrange(1, len(lines)), chance.choice(HOSTILE)
    if lines[place].startswith("{"):
        record = json.loads(lines[place])
        record[chance.choice([*record])] = value
        lines[place] = json.dumps(record)
    else:
        cells = lines[place].split(",")
        cells[chance.randrange(len(cells))] = '"' + value.replace('"', '""') + '"'
        lines[place] = ",".join(cells)
    return "\n".join(lines)


def end_cut(lines: list[str], chance: random.Random) -> str:
    text = "\n".join(lines)
    return text[: chance.randrange(len(text) // 2, len(text))]


MUTATIONS: Sequence[Mutation] = [
    cell_removed,
    key_misspelt,
    rows_swapped,
    name_changed,
    value_changed,
    end_cut,
]
ENCODINGS = ["utf-8"] * 6 + ["utf-16", "utf-8-sig"]


@pytest.mark.parametrize("seed", range(NUMBER))
def test_proposals_are_true(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(seed)
    task = TASKS[chance.choice([*TASKS])]
    rows = task.rows()
    lines = task.written(rows[: chance.choice([6, 40, len(rows)])]).splitlines()
    text = chance.choice(MUTATIONS)(lines, chance) + "\n"
    data = tmp_path / f"data.{task.ending}"
    data.write_bytes(text.encode(chance.choice(ENCODINGS) if task.ending == "csv" else "utf-8"))

    status = main(["check", "--input", str(data)])
    proposed, said = capsys.readouterr()
    if status == 2:
        assert "error" in said
        assert "<proposal>" not in said, "it proposed what is no program"
        return
    program = parse(Source("proposal", proposed))
    assert not [*program.every(Script)], proposed
    if not (counts := re.search(r"% these declarations read (\d+) records?: (\d+) gave facts(.*)", proposed)):
        assert status == 1, proposed
        return
    (tmp_path / "p.lars").write_text(proposed)
    options = ["--stats-json", str(tmp_path / "s.json"), "--output", str(tmp_path / "a.jsonl")]
    main(["run", str(tmp_path / "p.lars"), "--input", str(data), *options])
    capsys.readouterr()
    [account] = json.loads((tmp_path / "s.json").read_text())["inputs"].values()
    own = {name: number for name, number in account.items() if name != "late_facts"}
    assert (sum(own.values()), own["gave_facts"]) == (int(counts[1]), int(counts[2])), proposed
    if own["rejected"] or own["late"]:
        assert status == 1, proposed
