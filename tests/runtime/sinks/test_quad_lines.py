"""Answers as N-Quads, and read again."""

import json
from pathlib import Path

import pytest

from tests.support.processes import LARS2ASP, completed

PREFIXES = "#prefix ex: <http://ex.org/>.\n"
XSD = "http://www.w3.org/2001/XMLSchema#"
AT = "<http://www.w3.org/ns/prov#generatedAtTime>"


def written(
    folder: Path, program: str, stream: str, *options: str, name: str = "in.facts", said: str = ""
) -> str:
    (folder / "p.lars").write_text(PREFIXES + program)
    (folder / name).write_text(stream)
    format_ = ("--input-format", "facts") if name == "in.facts" else ()
    run = (*LARS2ASP, "run", "p.lars", "--input", name, *format_, "--output", "out.nq", *options)
    assert completed(run, cwd=folder).stderr == said
    return (folder / "out.nq").read_text()


def test_each_tick_has_a_graph_with_its_time_first(tmp_path: Path) -> None:
    """A tick at which nothing holds has its time alone, so that time goes on for who reads along."""
    program = "triple(ex:s,ex:p,X) :- p(X).\n"
    ticks = written(tmp_path, program, "3: p(1), p(a)\n4: q\n")
    assert ticks.splitlines() == [
        f'_:t3 {AT} "3"^^<{XSD}integer> .',
        f'<http://ex.org/s> <http://ex.org/p> "1"^^<{XSD}integer> _:t3 .',
        '<http://ex.org/s> <http://ex.org/p> "a" _:t3 .',
        f'_:t4 {AT} "4"^^<{XSD}integer> .',
    ]
    zone = '#tick 1 min. #timezone "Europe/Vienna".\n'
    timed = written(tmp_path, zone + program, "2026-01-01 12:00: p(1)\n")
    assert timed.splitlines()[0] == f'_:t29454420 {AT} "2026-01-01T12:00:00+01:00"^^<{XSD}dateTime> .'


def test_quads_have_their_graphs(tmp_path: Path) -> None:
    program = "quad(ex:s,ex:p,X,ex:g) :- p(X).\n"
    assert written(tmp_path, program, "3: p(1)\n4: p(2)\n").splitlines() == [
        f'<http://ex.org/g> {AT} "3"^^<{XSD}integer> .',
        f'<http://ex.org/s> <http://ex.org/p> "1"^^<{XSD}integer> <http://ex.org/g> .',
        f'<http://ex.org/g> {AT} "4"^^<{XSD}integer> .',
        f'<http://ex.org/s> <http://ex.org/p> "2"^^<{XSD}integer> <http://ex.org/g> .',
    ]


def test_with_changes_only_what_begins_is_written(tmp_path: Path) -> None:
    lines = written(tmp_path, "triple(ex:s,ex:p,X) :- p(X) in [1].", "1: p(1)\n2: p(2)\n5: q", "--changes")
    assert [line.split('"')[1] for line in lines.splitlines()] == ["1", "1", "2", "2", "3", "4"]


QUADS = "".join(
    f"<http://ex.org/{number}> <http://ex.org/p> {term} <http://ex.org/g> .\n"
    for number, term in enumerate(
        [
            "<http://ex.org/o>",
            "_:b",
            '"Graz"',
            '"12"',
            '""',
            '"Graz"@de',
            '"a\\nb\\"c\\\\d\\te\\u0001"',
            '"<http://x>"',
            '"_:b"',
            '"\\"x\\"@de"',
            f'"7"^^<{XSD}integer>',
            f'"-2.5"^^<{XSD}decimal>',
            f'"true"^^<{XSD}boolean>',
            f'"2026-01-01T00:00:00Z"^^<{XSD}dateTime>',
            '"x"^^<http://ex.org/type>',
            '"\u00e9\u2028"',
        ]
    )
)


def test_quads_go_through_a_program_as_they_are(tmp_path: Path) -> None:
    stream = f'<http://ex.org/g> {AT} "3"^^<{XSD}integer> .\n{QUADS}'
    program = "#decimals quad(_,_,1,_).\n#input quad(S,P,any(O),G).\n#show quad/4.\n"
    (tmp_path / "q.nq").write_text(stream)
    counts = ": 17 records: 16 gave facts, 1 without a fact (a value is missing)\n"  # the time has no graph
    again = written(tmp_path, program, stream, name="q.nq", said=f"q.nq{counts}")
    expected = stream.replace(f'"7"^^<{XSD}integer>', f'"7.0"^^<{XSD}decimal>')
    assert sorted(again.split("\n")[:-1]) == sorted(expected.split("\n")[:-1])
    assert written(tmp_path, program, again, name="r.nq", said=f"r.nq{counts}") == again


def test_values_by_their_forms(tmp_path: Path) -> None:
    program = """#tick 1 sec. #timezone "UTC".
#input p(time(x)). #input q(duration(y)).
triple(ex:s,ex:p,X) :- p(X).
quad(ex:s,ex:q,X,ex:g) :- q(X).
"""
    stream = '{"time": 0, "x": "2026-01-01T00:00:30Z", "y": "2 h 05 min"}\n'
    lines = written(tmp_path, program, stream, name="in.jsonl").splitlines()
    assert lines[1] == (
        f'<http://ex.org/s> <http://ex.org/p> "2026-01-01T00:00:30+00:00"^^<{XSD}dateTime> _:t0 .'
    )
    assert lines[3] == (
        f'<http://ex.org/s> <http://ex.org/q> "PT7500S"^^<{XSD}dayTimeDuration> <http://ex.org/g> .'
    )


@pytest.mark.parametrize(
    ("program", "options", "message"),
    [
        (
            "a(X) :- p(X).",
            (),
            "N-Quads cannot contain a/1, only triple/3, quad/4",
        ),
        ("triple(X,X,X) :- p(X).", ("--models", "0"), "N-Quads contain one answer stream: remove --models"),
        ("#tick 1 sec. triple(X,X,X) :- p(X).", ("--times",), "times of graphs: remove --times"),
        ("triple(X,X,X) :- p(X).", ("--intervals",), "times of graphs: remove --intervals"),
        (
            "triple(X,X,X) :- p(X).",
            ("--output", "http://localhost:1/x"),
            "this receiver accepts JSON lines only: send N-Quads to tcp: or to a broker",
        ),
        (
            "triple(X,ex:p,X) :- p(X).",
            (),
            "is no triple: its subject is no IRI and no blank node",
        ),
        ("triple(ex:s,X,X) :- p(X).", (), "is no triple: its property is no IRI"),
        ("quad(ex:s,ex:p,X,X) :- p(X).", (), "is no triple: its graph is no IRI and no blank node"),
    ],
)
def test_what_is_no_triple_is_said(
    tmp_path: Path, program: str, options: tuple[str, ...], message: str
) -> None:
    (tmp_path / "p.lars").write_text(PREFIXES + program)
    (tmp_path / "in.facts").write_text("3: p(1)\n")
    run = (
        *LARS2ASP,
        "run",
        "p.lars",
        "--input",
        "in.facts",
        "--input-format",
        "facts",
        "--output-format",
        "nquads",
    )
    assert message in completed((*run, *options), cwd=tmp_path, status=2).stderr


def test_a_pipeline_of_two_is_as_one(tmp_path: Path) -> None:
    """What one derives is input of the next, at the same ticks."""
    stream = "".join(f"{tick}: raw(s{tick % 3},{tick}.5)\n" for tick in range(20))
    program = "#decimals raw(_,1), triple(_,_,1).\ntriple(ex:s,ex:speed,V) :- raw(_,V).\n"
    written(tmp_path, program, stream, "--emit", "every")
    fast = "fast(V) :- speed(_,V) in [3], V > 12.0.\n"
    declared = f"{PREFIXES}#decimals speed(_,1). #input speed(S,V) from ex:speed.\n"
    (tmp_path / "two.lars").write_text(declared + fast)
    derived = "#decimals raw(_,1), speed(_,1). speed(s,V) :- raw(_,V). #show fast/1.\n"
    (tmp_path / "one.lars").write_text(derived + fast)
    run = (*LARS2ASP, "run")
    two = completed((*run, "two.lars", "--input", "out.nq"), cwd=tmp_path).stdout
    one = completed((*run, "one.lars", "--input", "in.facts", "--input-format", "facts"), cwd=tmp_path).stdout
    assert two == one
    assert len(json.loads(two.splitlines()[-1])["atoms"]) > 2
