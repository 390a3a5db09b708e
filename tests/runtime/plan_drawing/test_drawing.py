"""A plan as a picture, a page, and a graph for Graphviz; and the command that draws it."""

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lars2asp import InputError, Reasoner
from lars2asp.runtime.plan_drawing.drawing_format import DrawingFormat
from tests.support.command_line import run
from tests.support.pages import BLOCK, DOCS
from tests.support.processes import completed

PROGRAM = """\
hot(R) :- temp(R,T) in [3], T > 30.
{ on(R) } :- hot(R), not off(R).
#show on/1.
"""
HOSTILE = 'a("</title><script>alert(\'1\')</script>&\\"\u202e\u0085") :- p, not q in [2].\n'
STREAM = "".join(json.dumps({"time": tick, "facts": [f"temp(a,{tick + 25})"]}) + "\n" for tick in range(10))


def texts(svg: str) -> list[str]:
    """What is written in a picture, without what stands beside the pointer."""
    name = "{http://www.w3.org/2000/svg}text"
    return [one.text or "" for one in ElementTree.fromstring(svg).iter(name)]


def test_a_picture() -> None:
    svg = Reasoner.from_text(PROGRAM).drawing()._repr_svg_()
    assert texts(svg) == [
        *("component 1: delta", "one answer stream"),
        *("component 2: external", "several answer streams or none"),
        *("in [3]", "not"),
        *("temp/2", "off/1"),
        *("hot/1", "1 hot(R) :- temp(R,T) in [3], T > 30."),
        *("on/1", "2 { on(R) } :- hot(R), not off(R).", "output"),
    ]


@pytest.mark.parametrize("form", DrawingFormat)
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


def test_a_picture_is_xml_whatever_a_program_says() -> None:
    svg = Reasoner.from_text(HOSTILE).drawing().to_text(DrawingFormat.SVG)
    assert any("alert" in text for text in texts(svg))


def test_what_components_have_cost(tmp_path: Path) -> None:
    reasoner = Reasoner.from_text(PROGRAM, statistics=True)
    reasoner.step(1, ["temp(a,40)"])
    page = reasoner.drawing().to_text(DrawingFormat.HTML)
    assert re.search(r"\d+%  \d\.\d{3} s at 1 tick<", page)
    assert '<th class="number">Grounding</th>' in page


def test_files(tmp_path: Path) -> None:
    drawing = Reasoner.from_text(PROGRAM).drawing()
    for form in DrawingFormat:
        drawing.write(tmp_path / f"plan.{form}")
        assert (tmp_path / f"plan.{form}").read_text("utf-8") == drawing.to_text(form)
    with pytest.raises(InputError, match=r"a drawing is a \.svg, a \.html or a \.dot file"):
        drawing.write(tmp_path / "plan.png")
    with pytest.raises(InputError, match="cannot be written"):
        drawing.write(tmp_path / "nowhere" / "plan.svg")


def test_the_picture_of_the_docs_is_what_their_code_makes(tmp_path: Path) -> None:
    """To make it anew, run the code and copy the picture."""
    [code] = [
        block[2] for block in BLOCK.finditer((DOCS / "looking.md").read_text()) if "plan.svg" in block[2]
    ]
    completed([sys.executable, "-c", code], cwd=tmp_path)
    assert (tmp_path / "plan.svg").read_text("utf-8") == (DOCS / "plan.svg").read_text("utf-8")


def test_a_graph_for_graphviz() -> None:
    dot = Reasoner.from_text(PROGRAM).drawing().to_text(DrawingFormat.DOT)
    assert "subgraph cluster_2 {" in dot
    assert '  c0 -> c2 [label="in [3]"];' in dot
    assert '  c1 -> c3 [label="not", color="#b3261e", fontcolor="#b3261e", style=dashed];' in dot


def test_the_command_draws_what_a_run_has_cost(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAM)
    run(tmp_path, "run", "p.lars", "--stats-json", "costs.json", stdin=STREAM)
    page = run(
        tmp_path, "compile", "p.lars", "--plan", "--format", "html", "--stats-json", "costs.json"
    ).stdout
    assert "<h1>p.lars</h1>" in page
    assert " s at 10 ticks<" in page
    text = run(tmp_path, "compile", "p.lars", "--plan", "--stats-json", "costs.json").stdout
    assert re.findall(r"^  cost \d\.\d{3} s at (\d+) ticks$", text, re.MULTILINE) == ["10", "2"]
    assert run(tmp_path, "compile", "p.lars", "--format", "svg").stdout.startswith("<svg ")


def test_costs_of_another_program_are_refused(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "other.lars").write_text("other(R) :- temp(R,_) in [3].")
    run(tmp_path, "run", "other.lars", "--stats-json", "costs.json", stdin=STREAM)
    shown = ("compile", "p.lars", "--plan", "--stats-json")
    refused = run(tmp_path, *shown, "costs.json", status=2).stderr
    assert "costs.json: no component derives hot/1: the run was of another program" in refused
    (tmp_path / "text.json").write_text("[]")
    assert (
        "it is no file that lars2asp run --stats-json has written"
        in run(tmp_path, *shown, "text.json", status=2).stderr
    )
    assert "none.json: cannot be read" in run(tmp_path, *shown, "none.json", status=2).stderr


def test_the_code_is_text(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAM)
    refused = run(tmp_path, "compile", "p.lars", "--code", "--format", "svg", status=2).stderr
    assert "--code is text: leave out --format" in refused
