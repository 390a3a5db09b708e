"""A plan as a picture, a page, and a graph for Graphviz; and the command that draws it."""

import json
import os
import re
from html import escape, unescape
from pathlib import Path

import pytest

from lars2asp import InputError, Reasoner
from lars2asp.runtime.plan_drawing.drawing_format import DrawingFormat
from tests.support.command_line import run

PROGRAM = """\
hot(R) :- temp(R,T) in [3], T > 30.
{ on(R) } :- hot(R), not off(R).
#show on/1.
"""
HOSTILE = 'a("</title><script>alert(\'1\')</script>&\\"\u202e\u0085") :- p, not q in [2].\n'
STREAM = "".join(json.dumps({"time": tick, "facts": [f"temp(a,{tick + 25})"]}) + "\n" for tick in range(10))


@pytest.fixture
def dot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in Graphviz's place, which writes what it is given."""
    program = tmp_path / "bin" / "dot"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "<svg $1"; cat\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return program


def cards(page: str) -> list[str]:
    """What is written on the cards and arrows of a page."""
    shown = re.findall(r'<div class="(?:card|arrow)[^>]*>(.*)</div>', page)
    return [unescape(" ".join(re.sub("<[^>]*>", " ", one).split())) for one in shown]


def test_a_page() -> None:
    drawing = Reasoner.from_text(PROGRAM).drawing()
    page = drawing.to_text(DrawingFormat.HTML)
    assert cards(page) == [
        *("temp/2", "off/1"),
        "hot/1 1 hot(R) :- temp(R,T) in [3], T > 30. 1 rule component 1: delta",
        "on/1 output 2 { on(R) } :- hot(R), not off(R). 1 rule component 2: external",
        *("in [3]", "", "not"),
    ]
    assert "Permission is hereby granted" in page  # what is in the page of dagre is under its licence
    assert escape(page) in drawing._repr_html_()


def test_what_looks_at_itself() -> None:
    page = Reasoner.from_text("on :- start. on :- on in {1}, not off.").drawing().to_text(DrawingFormat.HTML)
    assert "\u21bb in {1}" in cards(page)[2]


def test_a_card_of_very_many_rules() -> None:
    page = Reasoner.from_text("".join(f"p :- q{number}. " for number in range(70))).drawing()
    [card] = [card for card in cards(page.to_text(DrawingFormat.HTML)) if card.startswith("p/0")]
    assert "1 p :- q19. and 50 rules more 70 rules component" in card


def test_a_picture_is_what_graphviz_makes(dot: Path) -> None:
    drawing = Reasoner.from_text(PROGRAM).drawing()
    assert drawing.to_text(DrawingFormat.SVG) == f"<svg -Tsvg\n{drawing.to_text(DrawingFormat.DOT)}"
    dot.write_text("#!/bin/sh\necho no layout >&2; exit 1\n")
    with pytest.raises(InputError, match="Graphviz has made no picture: no layout"):
        drawing.to_text(DrawingFormat.SVG)


def test_without_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="program dot is not found: install Graphviz, or ask for a page"):
        Reasoner.from_text(PROGRAM).drawing().to_text(DrawingFormat.SVG)


@pytest.mark.parametrize("form", [DrawingFormat.HTML, DrawingFormat.DOT])
def test_nothing_of_a_program_is_anything_but_text(form: DrawingFormat) -> None:
    text = Reasoner.from_text(HOSTILE).drawing().to_text(form)
    assert "\u202e" not in text
    assert "\u0085" not in text
    assert "alert" in text
    if form is DrawingFormat.DOT:
        assert '\\"</title>' in text
    else:
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text


def test_what_components_have_cost(tmp_path: Path) -> None:
    reasoner = Reasoner.from_text(PROGRAM, stats=True)
    reasoner.step(1, ["temp(a,40)"])
    page = reasoner.drawing().to_text(DrawingFormat.HTML)
    assert re.search(r"component 1: delta, \d+%", page)
    assert re.search(r'<td class="number">\d\.\d{3} s</td>', page)
    assert '<th class="number">Grounding</th>' in page


def test_files(tmp_path: Path, dot: Path) -> None:
    drawing = Reasoner.from_text(PROGRAM).drawing()
    for form in DrawingFormat:
        drawing.write(tmp_path / f"plan.{form}")
        assert (tmp_path / f"plan.{form}").read_text("utf-8") == drawing.to_text(form)
    with pytest.raises(InputError, match=r"a drawing is a \.svg, a \.html or a \.dot file"):
        drawing.write(tmp_path / "plan.png")
    with pytest.raises(InputError, match=r"plan\.svg: cannot write this file: No such file"):
        drawing.write(tmp_path / "nowhere" / "plan.svg")


def test_a_graph_for_graphviz() -> None:
    dot = Reasoner.from_text(PROGRAM).drawing().to_text(DrawingFormat.DOT)
    assert "subgraph cluster_2 {" in dot
    assert '  c0 -> c2 [label="in [3]"];' in dot
    assert '  c1 -> c3 [label="not", color="#b3261e", fontcolor="#b3261e", style=dashed];' in dot


def test_an_arrow_leads_from_what_a_window_begins_at() -> None:
    """c1 is the card of b, c2 that of a."""
    drawing = Reasoner.from_text("a :- p in [since b].").drawing()
    assert '  c1 -> c2 [label="since"];' in drawing.to_text(DrawingFormat.DOT)
    assert '<div class="arrow" data-from="1" data-to="2">since</div>' in drawing.to_text(DrawingFormat.HTML)


def test_the_command_draws_what_a_run_has_cost(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAM)
    run(tmp_path, "run", "p.lars", "--stats-json", "costs.json", stdin=STREAM)
    page = run(
        tmp_path, "compile", "p.lars", "--plan", "--output-format", "html", "--costs", "costs.json"
    ).stdout
    assert "<h1>p.lars</h1>" in page
    assert '<td class="number">10</td>' in page
    text = run(tmp_path, "compile", "p.lars", "--plan", "--costs", "costs.json").stdout
    assert re.findall(r"^  cost \d\.\d{3} s at (\d+) ticks$", text, re.MULTILINE) == ["10", "2"]
    assert run(tmp_path, "compile", "p.lars", "--output-format", "dot").stdout.startswith("digraph ")


def test_costs_of_another_program_are_refused(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "other.lars").write_text("other(R) :- temp(R,_) in [3].")
    run(tmp_path, "run", "other.lars", "--stats-json", "costs.json", stdin=STREAM)
    shown = ("compile", "p.lars", "--plan", "--costs")
    refused = run(tmp_path, *shown, "costs.json", status=2).stderr
    assert "the costs are of another program or another --evaluator: use the same ones" in refused
    (tmp_path / "text.json").write_text("[]")
    assert (
        "lars2asp run --stats-json did not write this file"
        in run(tmp_path, *shown, "text.json", status=2).stderr
    )
    assert "none.json: cannot read this file" in run(tmp_path, *shown, "none.json", status=2).stderr


def test_the_code_is_text(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAM)
    refused = run(tmp_path, "compile", "p.lars", "--code", "--output-format", "svg", status=2).stderr
    assert "--code prints text: remove --output-format" in refused
