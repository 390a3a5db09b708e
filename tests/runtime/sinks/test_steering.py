"""Characters that steer a terminal, or the order of text, are escaped wherever text is shown or written."""

import json
import re
from pathlib import Path

import pytest

from lars2asp.compiler import check
from lars2asp.runtime.sinks.json_lines import json_line
from lars2asp.runtime.sources.records import Origin, Rejected
from lars2asp.syntax.source import Source, shown, visible
from tests.support.command_line import lines, run

CONTROLS = "".join(map(chr, range(0x7F, 0xA0)))
ORDER = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
ENDS = "\u2028\u2029\ufeff"
STEERING = CONTROLS + ORDER + ENDS
BELOW = "".join(map(chr, range(0x20)))
ESCAPED = "\\u202e"


def steers(text: str) -> list[str]:
    """The characters of a text that steer, other than line ends."""
    return [sign for sign in text if sign in STEERING or (sign in BELOW and sign not in "\n\t")]


@pytest.mark.parametrize("sign", STEERING)
def test_lines_of_json_are_read_back_as_the_same_text(sign: str) -> None:
    text = f"a{sign}b\u2600\u00e4\\u202e"
    line = json_line({"atoms": [text]})
    assert json.loads(line) == {"atoms": [text]}
    assert not steers(line)
    assert f"\\u{ord(sign):04x}" in line
    assert "\u2600\u00e4" in line


def test_other_lines_of_json_are_as_they_were() -> None:
    value = {"time": 3, "atoms": ['p("\u2600 \u00e4\u00a0\U0001f600\\n")']}
    assert json_line(value) == json.dumps(value, ensure_ascii=False) + "\n"


def test_messages() -> None:
    assert not steers(shown(STEERING + BELOW, 1000) + visible(STEERING + BELOW))
    assert visible("a\n\tb\u2600\u00e9\x1b[2J\u202e") == "a\n\tb\u2600\u00e9\\x1b[2J\\u202e"


def test_the_name_of_a_source_comes_from_outside() -> None:
    """It may be the topic of a broker, or a file that somebody put into a folder."""
    assert not steers(str(Rejected(Origin(f"a\n{STEERING}", 1), STEERING)))
    assert str(Origin("home/kitchen", 3)) == "home/kitchen:3"


def test_a_run_writes_nothing_that_steers(tmp_path: Path) -> None:
    """Answers, rejected records as text and as JSON, the name of a file, and what clingo says."""
    data = tmp_path / "data"
    data.mkdir()
    bad = f"{STEERING}\x1b[2J"
    atom = f'p("{STEERING}")'
    text = json.dumps({"time": 1, "facts": [atom]}, ensure_ascii=False)
    (data / f"{ORDER}\x9b.jsonl").write_text(f"{text}\n{{{bad}}}\n")
    (tmp_path / "p.lars").write_text("#types p(any). a(X) :- p(X). b(X+1) :- p(X).\n")
    done = run(tmp_path, "run", "p.lars", "--input", "data", status=1)
    assert not steers(done.stdout + done.stderr)
    assert lines(done.stdout)[0]["atoms"] == [f'a("{STEERING}")']
    assert ESCAPED in done.stderr
    run(tmp_path, "run", "p.lars", "--input", "data", "--rejects", "r.jsonl", status=1)
    rejects = (tmp_path / "r.jsonl").read_text()
    assert not steers(rejects)
    assert json.loads(rejects)["record"] == f"{{{bad}}}"


def test_diagnostics_and_their_carets(tmp_path: Path) -> None:
    program = f'a :- p("{STEERING}\x1b"), q(\u202eX).'
    found = [str(diagnostic) for diagnostic in check(Source("p.lars", program))]
    assert found
    assert not steers("".join(found))
    [text] = [
        str(diagnostic)
        for diagnostic in check(Source("p.lars", 'a(X) :- p("\u202e"), not q(Y).'))
        if "Y" in diagnostic.message
    ]
    _, line, carets, *_ = text.splitlines()
    assert line[carets.index("^")] == "Y"
    (tmp_path / "p.lars").write_text(program)
    for command in ("check", "compile", "run"):
        assert not steers(run(tmp_path, command, "p.lars", status=2).stderr)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("a.")
    done = run(tmp_path, "run", "p.lars", "--input", f"{ORDER}\x1b.jsonl", status=2)
    assert re.search(r"\\u202e.*cannot read this file", done.stderr)
    assert not steers(done.stderr)
