"""What docs/output.md says of explanations is so."""

import json

from lars2asp.runtime.explanations.words.claim_json import claim_json
from lars2asp.runtime.explanations.words.labels import Labels
from lars2asp.runtime.explanations.words.text import text_of
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source
from tests.runtime.explanations.trees import NOON, Trees, atom, bound
from tests.support.pages import BLOCK, DOCS

BLOCKS = [(found[1], found[2]) for found in BLOCK.finditer((DOCS / "output.md").read_text())]


def test_trees_are_drawn_so() -> None:
    texts = [text for _, text in BLOCKS]
    assert f"{text_of(Trees().alarm(), NOON)}\n" in texts
    assert f"{text_of(Trees().no_alarm(), NOON)}\n" in texts


def test_json_is_so() -> None:
    [example] = [json.loads(text) for language, text in BLOCKS if language == "json"]
    assert claim_json(Trees().hot(5, 265, "a.csv:3")) == example


def test_labels_are_read_so() -> None:
    [text] = [text for _, text in BLOCKS if "%!trace" in text]
    program = parse(Source("rooms.lars", text))
    labels = Labels(program)
    assert (
        labels.label_of_rule(program.statements[0].location, bound({"R": '"kitchen"'}))
        == "kitchen is too hot"
    )
    assert labels.label_of_atom(atom('reading("kitchen",301)')) == "kitchen measured 301"
    assert labels.label_of_atom(atom('reading("kitchen",265)')) == ""
