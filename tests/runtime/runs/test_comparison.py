"""What two programs differ in, by intervals, is what their answers differ in, tick by tick."""

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp import Reading, Reasoner, Source, compile_program, read_file
from lars2asp.runtime.runs.comparison import ComparedRun, differences
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import refuse
from tests.support.command_line import run

PROGRAMS = [
    "a(X) :- p(X) in [2]. b :- not p(1) in [3], p(2) in [5].",
    "a(X) :- p(X) in [4], X < 3. c :- p(3).",
    "a(X) :- p(X) always in [1]. :- p(3), p(2).",
]
STREAMS = st.lists(st.tuples(st.integers(0, 3), st.sets(st.integers(1, 3))), min_size=1, max_size=12)


def by_ticks(text: str, file: Path, last: int) -> list[set[str] | None]:
    """The atoms that hold at each tick, None where there is no answer."""
    reasoner = Reasoner.from_text(text, start=0)
    records = read_file(file, Reading(Format.FACTS))
    answers = reasoner.run(records, until=last, emit="every")
    return [set(answer.holds.texts) if answer.satisfiable else None for answer in answers]


@settings(max_examples=15, deadline=None)
@given(STREAMS, st.sampled_from(PROGRAMS), st.sampled_from(PROGRAMS), st.integers(0, 9), st.integers(0, 9))
def test_the_intervals_are_those_of_the_ticks(
    stream: Sequence[tuple[int, set[int]]], new: str, old: str, begin: int, length: int
) -> None:
    with TemporaryDirectory() as folder:
        file, tick = Path(folder) / "stream", 0
        lines = []
        for step, values in stream:
            tick += step
            lines.append(f"{tick}: {', '.join(f'p({value})' for value in values)}\n")
        file.write_text("".join(lines))
        runs = [
            ComparedRun(compile_program(Source("p.lars", text)), Reading(Format.FACTS), {"start": 0}, 0)
            for text in (new, old)
        ]
        for one in runs:
            one.over([str(file)], tick, refuse)
        found = differences(runs, (begin, begin + length))
        expected = [by_ticks(text, file, tick) for text in (new, old)]
    for at in range(tick + 1):
        for by, (mine, theirs) in enumerate(zip(expected, reversed(expected), strict=True)):
            own, other = mine[at], theirs[at]
            atoms = {one.atom for one in found if one.by == by and one.ticks[0] <= at <= one.ticks[1]}
            wanted: set[str | None] = set()
            if begin <= at <= begin + length:
                wanted |= (own or set()) - (other or set())
                wanted |= {None} if own is None and other is not None else set()
            assert atoms == wanted


def test_only_some_predicates_are_compared(tmp_path: Path) -> None:
    (tmp_path / "new.lars").write_text("a(X) :- p(X), X > 1. b(X) :- p(X).\n")
    (tmp_path / "old.lars").write_text("a(X) :- p(X), X > 2. c(X) :- p(X).\n")
    (tmp_path / "in.facts").write_text("1: p(1), p(2), p(3)\n")
    arguments = ("run", "new.lars", "--input", "in.facts", "--input-format", "facts", "--compare", "old.lars")
    found = run(tmp_path, *arguments, "--show", "a/1").stdout
    assert [(one["atom"], one["only"]) for one in map(json.loads, found.splitlines())] == [
        ("a(2)", "new.lars")
    ]
    assert run(tmp_path, *arguments).stdout.count("\n") == 7


def test_an_input_that_is_missing_is_named(tmp_path: Path) -> None:
    for name in ("new.lars", "old.lars"):
        (tmp_path / name).write_text("a(X) :- p(X).\n")
    arguments = ["run", "new.lars", "--compare", "old.lars", "--input", "in.facts"]
    assert (
        run(tmp_path, *arguments, status=2).stderr
        == "error: in.facts: cannot read this file: No such file or directory\n"
    )


def test_the_cost_of_both_programs_is_said_by_rule(tmp_path: Path) -> None:
    (tmp_path / "new.lars").write_text("a(X) :- p(X) in [30].\nb(X) :- p(X), X > 1.\n")
    (tmp_path / "old.lars").write_text("a(X) :- p(X) in [3].\n")
    (tmp_path / "in.facts").write_text("".join(f"{tick}: p({tick})\n" for tick in range(20)))
    arguments = ("run", "new.lars", "--input", "in.facts", "--input-format", "facts", "--compare", "old.lars")
    plain, measured = run(tmp_path, *arguments), run(tmp_path, *arguments, "--stats")
    assert measured.stdout == plain.stdout
    said, _, costs = measured.stderr.partition("\n")
    assert said == plain.stderr.strip()
    new, old = costs.removeprefix("\nnew.lars:\n").split("\nold.lars:\n")
    held = {line.rpartition(": ")[2]: line.split()[3] for line in new.splitlines() if "new.lars:" in line}
    assert held == {"a(X) :- p(X) in [30].": "20", "b(X) :- p(X), X > 1.": "0"}
    assert "old.lars:1: a(X) :- p(X) in [3]." in old and "b(X)" not in old
    assert "Ticks     : 20 evaluated" in new


def test_the_command_says_what_differs_and_why(tmp_path: Path) -> None:
    (tmp_path / "new.lars").write_text("#tick 1 min. #const n = 3. a(X) :- p(X,V), V > n.\n")
    (tmp_path / "old.lars").write_text("#tick 1 min. a(X) :- p(X,V) in [1], V > 5.\n")
    (tmp_path / "in.jsonl").write_text(
        '{"time": 0, "facts": ["p(a,4)"]}\n{"time": 1, "facts": ["p(b,9)"]}\n{"time": 3, "facts": ["p"]}\n{\n'
    )
    arguments = ("run", "new.lars", "--input", "in.jsonl")
    done = run(tmp_path, *arguments, "--compare", "old.lars", "--times", "--compare-why", status=1)
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["why"]["new.lars"][-1].split() == ["└─", "4", ">", "n"]
    assert "does not hold" in first["why"]["old.lars"][0]
    del first["why"], second["why"]
    assert first == {
        **{"from": 0, "to": 0, "from_at": "1970-01-01T00:00:00+00:00", "to_at": "1970-01-01T00:00:00+00:00"},
        **{"atom": "a(a)", "only": "new.lars"},
    }
    assert (second["from"], second["to"], second["atom"], second["only"]) == (2, 2, "a(b)", "old.lars")
    assert done.stderr.endswith("the programs differ in 2 intervals of 2 atoms\n")
    later = run(tmp_path, *arguments, "--compare", "old.lars", "--compare-from", "1", "--compare-to", "1")
    assert (later.stdout, later.stderr) == ("", "the programs agree\n")
    same = run(
        tmp_path, *arguments, "-c", "n=4", "--compare", "new.lars", "--compare-to", "1", "--output", "d.jsonl"
    )
    assert same.stdout == ""
    assert json.loads((tmp_path / "d.jsonl").read_text())["only"] == "new.lars"
    for wrong, said in (
        (("--compare-from", "3"), "for the first tick use --start"),
        (("--compare", "old.lars", "--until", "3"), "for the last tick use --compare-to"),
        (("--compare", "old.lars", "--checkpoint", "d"), "--compare cannot be combined with --checkpoint"),
        (("--compare", "old.lars", "--input", "tcp:9000"), "reads the input twice"),
        (("--compare", "old.lars", "--input", "-"), "reads the input twice"),
        (("--compare", "old.lars", "--input", "/dev/null"), "reads the input twice"),
        (("--compare", "old.lars", "--input", "none.csv"), "none.csv: cannot read this file: No such file"),
        (
            ("--compare", "old.lars", "--input", "none.csv?lateness=5"),
            "none.csv: cannot read this file: No such",
        ),
    ):
        assert said in run(tmp_path, *arguments, *wrong, status=2).stderr
